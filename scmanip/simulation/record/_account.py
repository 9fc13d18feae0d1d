"""What is left of the equations of motion along the solution between the steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...channels import Channel, Nature
from ...loads import External
from ...spatial import Array
from ..loop._setup import Setup
from ._look import Look

_OF_EACH = "of each joint's equation of motion along the solution between the steps"
_LEFT, _LARGEST = f"impulse left over since the start {_OF_EACH}", f"largest part until then {_OF_EACH}"
JOINT_MOTION = (
    Channel("joint_impulse_left", "freedom", "N m s or N s", _LEFT, Nature.INTEGRAL, metric=None),
    Channel("joint_impulse", "freedom", "N m s or N s", _LARGEST, metric=None),
)


class Account(NamedTuple):
    """Integrals since the start of a run, at n times.

    left, given, held : (n, N) impulses that joints moved with but were not given, of their actuators, and of constraints
        [N m s or N s]
    demand : (n, 10) rows of `External` of what would have to act on the system, where momentum is kept by construction; else
        (n, 0)
    """

    left: Array
    given: Array
    held: Array
    demand: Array

    def joint_motion(self, momentum: Array) -> tuple[Array, Array]:
        """Return the impulses (n, N) that joints moved with but were not given, and the largest part of the balance of each
        until then, both in N m s or N s.

        The parts of the balance are the joint's momentum (n, N), row j of M u, the impulses of its actuator and of constraints,
        and the rest: of gravity, springs, dampers and other joints.
        """
        parts = np.abs(momentum)
        with np.errstate(over="ignore", invalid="ignore"):  # of a run that blew up
            given = [self.given, self.held] if self.held.any() else [self.given]
            for part in (*given, momentum - momentum[0] - sum(given)):
                np.maximum(parts, np.abs(part), out=parts)
        return self.left, np.maximum.accumulate(parts, axis=0)


def account(setup: Setup, look: Look, t: Array) -> Account:
    """Return the account at times t (n,) [s].

    The solution between the steps has accelerations of its own, those of its polynomials. What inverse dynamics asks for them
    less what it asks for those of the equations of motion is force that nothing gives.

    Where momentum is kept by construction the state's derivative is exact: that of attitude and joints is the right-hand side
    of the run, that of the base's speeds comes from differentiating them as functions of attitude, q, qdot and t. Inverse
    dynamics then asks for a wrench on the base and for joint forces. Where all equations hold the wrench is zero and the joint
    forces are those that act; the integrals of the wrench, and of the power of joint forces that are not there, are the demand.
    """
    layout, kept = setup.model.layout, setup.frame.coordinates.keeps_momentum
    joints, N = layout.joints, layout.N
    if not look.inside.t.size:
        nothing = np.zeros((len(t), N))
        return Account(nothing, nothing, nothing, np.zeros((len(t), External.COLUMNS * kept)))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # of a run that blew up
        totals, held = look.rule.totals(t, look.balance, look.inside.output("reaction")[:, joints])
        left, given, demand = totals[:, :N], totals[:, N : 2 * N], totals[:, 2 * N :]
        if kept:  # the integral of an impulse is t f less that of t f' = f dt
            since, impulse, moved = (t - setup.start_s)[:, np.newaxis], demand[:, :3], demand[:, 6:9]
            np.subtract(since * impulse, moved, out=moved)
            moved /= setup.model.system.mass_kg
        return Account(left, given, held, demand)
