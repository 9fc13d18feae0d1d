"""What full inverse dynamics asks for along a motion whose momentum is kept by construction."""

from __future__ import annotations

import numpy as np

from ...loads import External
from ...spatial import Array
from ..loop._setup import Setup
from ._look import Look


def demand(setup: Setup, look: Look, t: Array) -> External:
    """Return the books, at times t (n,), of what would have to act on the system for it to move as it did.

    The state's derivative is exact: that of attitude and joints is the right-hand side of the run, that of the base's speeds
    comes from differentiating them as functions of attitude, q, qdot and t. Inverse dynamics then asks for a wrench on the base
    and for joint forces. Where all equations hold the wrench is zero and the joint forces are those that act; the integrals
    of the wrench, and of the power of joint forces that are not there, are what is returned.
    """
    inside, rule = look.inside, look.rule
    if not inside.t.size:
        return External.of(np.zeros((len(t), External.COLUMNS)))
    asked = look.balance
    power = np.abs((asked.tau - inside.output("tau")) * asked.qdot).sum(axis=1)
    drift = rule.running(asked.force) / setup.model.system.mass_kg
    return External.of(*rule.totals(t, np.column_stack([asked.force, asked.moment, drift, power])))
