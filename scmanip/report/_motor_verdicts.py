"""What the motors of joints gave against what they may give."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..analysis import joint_uses
from ..simulation import History
from ._verdict import Verdict


def motor_verdicts(history: History) -> Iterator[Verdict]:
    """Yield torque and rate, each of the motor that is nearest to what the system file allows it, or beyond.

    A torque that is held at its limit fails: what was commanded was not given.
    """
    uses = [use for use in joint_uses(history) if np.isfinite(use.limit)]
    for quantity in dict.fromkeys(use.quantity for use in uses):
        worst = max((use for use in uses if use.quantity == quantity), key=lambda use: use.used)
        where = f"{worst.joint}, {100 * worst.used:.3g} % at t = {worst.t_peak_s:g} s"
        if worst.t_over_s is not None:
            where += f", at its limit from t = {worst.t_over_s:g} s"
        name, meaning, over = f"motor_{quantity}", f"motor {quantity}", worst.t_over_s is not None
        yield Verdict(name, meaning, worst.peak, worst.unit, worst.limit, where, saturated=over, unseen=worst.unseen)
