"""What the reaction wheels gave against what they may give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..analysis import WheelUse, wheel_uses
from ..simulation import History
from ._verdict import Verdict


def wheel_verdicts(history: History) -> Iterator[Verdict]:
    """Yield speed, torque and momentum, each of the wheel that is nearest to what the system file allows it, or beyond.

    Without a limit the speed says nothing, as of ideal wheels, and is left out.
    """
    uses = wheel_uses(history)
    for quantity in dict.fromkeys(use.quantity for use in uses):
        its = [use for use in uses if use.quantity == quantity]
        limited = any(np.isfinite(use.limit) for use in its)
        if limited or quantity != "speed":
            yield _verdict(its, limited)


def _verdict(uses: Sequence[WheelUse], limited: bool) -> Verdict:
    sizes = np.array([use.used if limited else use.peak for use in uses])
    worst = uses[int(np.argmax(sizes))]  # the first that is no number, if any
    where = f"{worst.wheel}, t = {worst.t_peak_s:g} s"
    if limited:
        where = f"{worst.wheel}, {100 * worst.used:.3g} % at t = {worst.t_peak_s:g} s"
    if worst.t_over_s is not None:
        where += f", at its limit from t = {worst.t_over_s:g} s"
    limit = worst.limit if np.isfinite(worst.limit) else None
    rpm = "rpm" if worst.quantity == "speed" else ""
    return Verdict(
        f"wheel_{worst.quantity}",
        f"wheel {worst.quantity}",
        worst.peak,
        worst.unit,
        limit,
        where,
        rpm,
        worst.t_over_s is not None,
        unseen=worst.unseen,
    )
