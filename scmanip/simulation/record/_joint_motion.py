"""What is left of the equation of motion of each joint along the solution between the steps."""

from __future__ import annotations

import numpy as np

from ...channels import Channel
from ...spatial import Array
from ..loop._setup import Setup
from ._look import Look

_OF_EACH = "of each joint's equation of motion along the solution between the steps"
JOINT_MOTION = (
    Channel("joint_impulse_left", "freedom", "N m s or N s", f"impulse left over since the start {_OF_EACH}", metric=None),
    Channel("joint_impulse", "freedom", "N m s or N s", f"largest part until then {_OF_EACH}", metric=None),
)


def joint_motion(setup: Setup, look: Look, t: Array, momentum: Array) -> tuple[Array, Array]:
    """Return, at times t (n,), the impulses (n, N) that joints moved with but were not given, and the largest part of the
    balance of each until then, both in N m s or N s.

    The solution between the steps has accelerations of its own, those of its polynomials. What inverse dynamics asks for them
    less what it asks for those of the equations of motion is force that nothing gives. The parts of the balance are the
    joint's momentum (n, N), row j of M u, the impulses of its actuator and of constraints, and the rest: of gravity,
    springs, dampers and other joints.
    """
    if not look.inside.t.size:
        nothing = np.zeros((len(t), setup.model.layout.N))
        return nothing, nothing.copy()
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # of a run that blew up
        return _balance(setup, look, t, momentum)


def _balance(setup: Setup, look: Look, t: Array, momentum: Array) -> tuple[Array, Array]:
    held = look.inside.output("reaction")[:, setup.model.layout.joints]
    left, given, held = look.rule.totals(t, look.balance.left, look.inside.output("tau"), held)
    parts = np.abs(momentum)
    for part in (given, held, momentum - momentum[0] - given - held):
        np.maximum(parts, np.abs(part), out=parts)
    return left, np.maximum.accumulate(parts, axis=0)
