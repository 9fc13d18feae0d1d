"""What turners and the motors of joints gave against what they may give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...analysis import Use, joint_uses, turner_uses
from ...simulation import History
from ._verdict import Verdict


def use_verdicts(history: History) -> Iterator[Verdict]:
    """Yield torque and rate of motors, then states, torque and momentum of turners, each of the one nearest to its limit.

    What is held at its limit fails: what was commanded was not given. Without a limit a motor says nothing, nor does the speed
    of wheels, which may be ideal ones.
    """
    motors = tuple(use for use in joint_uses(history) if np.isfinite(use.limit))
    turners = ((kind.kind, turner_uses(history, kind)) for kind in history.system.turners.kinds)
    for kind, uses in (("motor", motors), *turners):
        for quantity in dict.fromkeys(use.quantity for use in uses):
            its = [use for use in uses if use.quantity == quantity]
            limited = any(np.isfinite(use.limit) for use in its)
            if limited or quantity != "speed":
                yield _verdict(kind, its, limited)


def _verdict(kind: str, uses: Sequence[Use], limited: bool) -> Verdict:
    sizes = np.array([use.used if limited else use.peak for use in uses])
    worst = uses[int(np.argmax(sizes))]  # the first that is no number, if any
    share = f", {100 * worst.used:.3g} % at" if limited else ","
    where = f"{worst.name}{share} t = {worst.t_peak_s:g} s"
    if worst.t_over_s is not None:
        where += f", at its limit from t = {worst.t_over_s:g} s"
    return Verdict(
        f"{kind}_{worst.quantity}",
        f"{kind} {worst.quantity}",
        worst.peak,
        worst.unit,
        worst.limit if np.isfinite(worst.limit) else None,
        where,
        "rpm" if worst.quantity == "speed" else "",
        worst.t_over_s is not None,
        unseen=worst.unseen,
    )
