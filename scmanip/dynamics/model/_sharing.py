"""How actuators and constraints share what a motion needs, where several ways are open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...errors import NumericalFailure, UnknownName, expect
from ...spatial import Array, smallest_solution, transpose
from ...system import System
from ..constraints._sight import Sight
from ..constraints._stack import Stack
from ..programs._door import checked

REACHED = 1e-9  # of the largest force that is needed, each in units of equal energy


class ConstrainedInverseDynamics(NamedTuple):
    """What produces accelerations: tau (N,) of the joints, zero where they are not actuated, and forces (k,) by constraint.

    In SI, forces in the senses of their kinds. How they share is of our own.

    >>> from scmanip.constraints import Lock
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], constraints=[Lock("brake", joint="joint1")])
    >>> braked = compile_model(arm, implementation=Reference()).constrained("brake")
    >>> udot = braked.forward_dynamics(state, [0.0, 0.0, 0.0, 1.0])
    >>> found = braked.inverse_dynamics(state, udot, ["joint2", "joint3", "joint4"])  # the brake gives what joint1 does not
    >>> (found.tau.round(6) + 0).tolist(), found.forces["brake"].shape
    ([0.0, 0.0, 0.0, 1.0], (1,))
    """

    tau: Array
    forces: dict[str, Array]


@dataclass(frozen=True, eq=False)
class SharingTask:
    """What forces and rows there are: needed = tau in the places `actuated` + A' lambda.

    needed : (n,); actuated : (n,) where an actuator acts; A : (k, n); W : (n, p) the motions that A allows; weight : (n,)
    """

    needed: Array
    actuated: Array
    A: Array
    W: Array
    weight: Array

    def with_torques(self, torques: Array) -> tuple[Array, Array]:
        """Return tau (n,) and the smallest lambda (k,) where the actuators give `torques`."""
        tau = np.zeros(len(self.needed))
        tau[self.actuated] = torques
        left = self.needed - tau
        return self._checked(tau, smallest_solution(transpose(self.A * self.weight), left * self.weight))

    def with_forces(self, lambdas: Array) -> tuple[Array, Array]:
        """Return tau (n,) and lambda (k,), where the constraints give `lambdas`."""
        return self._checked(np.where(self.actuated, self.needed - lambdas @ self.A, 0.0), lambdas)

    def _checked(self, tau: Array, lambdas: Array) -> tuple[Array, Array]:
        """Return both; raises `NumericalFailure` where they are not what is needed."""
        missed = abs(self.weight * (self.needed - tau - lambdas @ self.A)).max(initial=0.0)
        size = abs(self.weight * self.needed).max(initial=0.0)
        if not missed <= REACHED * size:
            raise NumericalFailure(
                f"the actuated joints cannot give these accelerations under the constraints: {missed / size:.3g} of the forces "
                "that these need is left; actuate more joints, or ask for accelerations that fit"
            )
        return tau, lambdas


class Sharing(ABC):
    """Which of several torques and constraint forces that produce the same motion is taken.

    >>> from scmanip.constraints import Lock
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], constraints=[Lock("brake", joint="joint1")])
    >>> braked = compile_model(arm, implementation=Reference()).constrained("brake")
    >>> class AsSaid(Sharing):  # the constraints give what is said, the motors the rest
    ...     said = {"brake": [2.0]}
    ...
    ...     def shared(self, task, given):
    ...         return task.with_forces(given)
    >>> (np.round(braked.inverse_dynamics(state, np.zeros(10), sharing=AsSaid()).tau, 6) + 0).tolist()
    [-2.0, 0.0, 0.0, 0.0]
    """

    @abstractmethod
    def shared(self, task: SharingTask, given: Array) -> tuple[Array, Array]:
        """Return tau (n,) and lambda (k,), both in [N m or N]; given : (k,) what `forces` say."""

    @property
    def said(self) -> Mapping[str, ArrayLike]:
        """Forces (k,) [N or N m] by constraint that it refers to."""
        return {}


@dataclass(frozen=True)
class LeastTorques(Sharing):
    """The smallest torques of the actuators, sum of squares; then the smallest constraint forces.

    >>> from scmanip.constraints import Lock
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], constraints=[Lock("brake", joint="joint1")])
    >>> braked = compile_model(arm, implementation=Reference()).constrained("brake")
    >>> udot = braked.forward_dynamics(state, [0.0, 0.0, 0.0, 1.0])
    >>> found = braked.inverse_dynamics(state, udot, sharing=LeastTorques())  # a motor beside its brake has nothing to do
    >>> (np.round(found.tau, 6) + 0).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """

    def shared(self, task: SharingTask, given: Array) -> tuple[Array, Array]:
        to_motion = transpose(task.W)
        return task.with_torques(smallest_solution(to_motion[:, task.actuated], to_motion @ task.needed))


@dataclass(frozen=True, eq=False)
class NearestForces(Sharing):
    """The constraint forces that are nearest to given ones: what is left of them is how hard a grasp squeezes.

    A choice of our own.

    forces : (k,) by the name of a constraint, in the senses and units that its kind has; zero where nothing is said, so that
        without any a redundant grasp does not squeeze

    >>> from scmanip.constraints import Lock
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], constraints=[Lock("brake", joint="joint1")])
    >>> braked = compile_model(arm, implementation=Reference()).constrained("brake")
    >>> found = braked.inverse_dynamics(state, np.zeros(10), sharing=NearestForces({"brake": [2.0]}))
    >>> found.forces["brake"].round(6).tolist(), (np.round(found.tau, 6) + 0).tolist()  # the motor turns against the brake
    ([2.0], [-2.0, 0.0, 0.0, 0.0])
    """

    forces: Mapping[str, ArrayLike] = field(default_factory=dict)

    def shared(self, task: SharingTask, given: Array) -> tuple[Array, Array]:
        free = ~task.actuated
        weight = task.weight[free]
        onto, needed = transpose(task.A[:, free] * weight), task.needed[free] * weight
        return task.with_forces(given + smallest_solution(onto, needed - onto @ given))

    @property
    def said(self) -> Mapping[str, ArrayLike]:
        return self.forces


def actuated_speeds(system: System, names: Sequence[str] | None) -> Array:
    """Return (n_u,) which speeds actuators act on: of joints or of their freedoms by name, or of all that can be commanded."""
    layout = system.layout
    acts = np.zeros(layout.n_u, dtype=bool)
    if names is None:
        acts[layout.joints] = layout.actuated
        return acts
    freedoms = {joint.name: [freedom.name for freedom in joint.freedoms] for joint in system.joints}
    for name in names:
        expect("actuated", name, str, "the name of a joint, or of one of its freedoms")
        if name not in freedoms and name not in layout.qdot_names:
            raise UnknownName("joint", name, f"system {system.name!r}", [*freedoms, *layout.qdot_names])
        acts[[layout.u_names.index(freedom) for freedom in freedoms.get(name, [name])]] = True
    return acts


def multipliers_of(stack: Stack, seen: Sight, forces: Mapping[str, ArrayLike]) -> Array:
    """Return the multipliers (k,) of all rows that are these forces of constraints by name; zero where nothing is said."""
    multipliers = np.zeros(len(stack.labels))
    names = list(stack.rows_of)
    for name, given in forces.items():
        if name not in names:
            raise UnknownName("constraint", name, "the constraints that hold", names)
        at, one = stack.rows_of[name], stack.constraints[names.index(name)]
        unit = np.array([one.forces(seen, row) for row in np.eye(at.stop - at.start)])  # of one multiplier each
        multipliers[at] = smallest_solution(transpose(unit), checked(f"forces {name}", given, (len(unit),)))
    return multipliers
