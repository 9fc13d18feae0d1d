"""What every load offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..constraints import Constraint
from ..dynamics import Model
from ..spatial import Array
from ._bodies import Bodies
from ._body_wrenches import BodyWrenches
from ._orbit import Orbit


class Overlap(NamedTuple):
    """How deep one thing is in another [m], and how deep it may be where a run begins.

    It has no formula of its own.

    >>> from scmanip.shapes import Plane, Sphere
    >>> ball, floor = Sphere("ball", "link4", 0.1), Plane("floor", "ground", origin_m=[0, 0, -0.09])
    >>> contact = Contact(ball, floor, HuntCrossley(1e5))
    >>> (overlap,) = contact.overlaps(Bodies(system, model.equations(state)), 0.0).values()
    >>> round(float(overlap.depth), 6), round(overlap.most, 6)
    (0.01, 0.01)
    """

    depth: Any
    most: float


class Load(ABC):
    """What acts on bodies from outside or between them, of where they are, how they lie and move, and of time; any scalar.

    Forces between two bodies are given on both, equal and opposite (`Bodies.between`). What a frozen dataclass says of itself
    is part of the key of compiled programs, so that equal loads share one.

    A load may have states of its own, such as bristles, a sloshing liquid or flexible modes: packed behind those of the
    actuators, at rest unless the state says otherwise under `called`. It sees them as `bodies.own`.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Breeze(Load):
    ...     push_N: float
    ...
    ...     def wrenches(self, bodies, t):
    ...         return bodies.on("base", np.array([self.push_N, 0.0, 0.0]))
    >>> Breeze(14.0).wrenches(Bodies(system, model.equations(state)), 0.0).f[0].tolist()
    [14.0, 0.0, 0.0]
    """

    @property
    def called(self) -> str:
        """Its name among the states, which loads with states do not share."""
        return type(self).__name__

    @property
    def acts(self) -> bool:
        """Whether it acts from the start of a run, or only once a switch engages it."""
        return True

    @property
    def states(self) -> Mapping[str, str]:
        """Names of its own states with their units, such as {"stretch": "m"}."""
        return {}

    @property
    def is_formula(self) -> bool:
        """Whether it can be recorded; otherwise it is asked for numbers, and what it acts on runs in Python alone."""
        return True

    @property
    def start(self) -> Sequence[float]:
        """These states (k,) at the start of a run where nothing is said of them: zeros, unless a load knows better; in SI."""
        return (0.0,) * len(self.states)

    @property
    def origin_orbit(self) -> Orbit | None:
        """The orbit on which the origin of N moves, where this load says so."""
        return None

    def check(self, model: Model) -> None:  # noqa: B027 - most act on any system
        """Raise `ModeMismatch` with a sentence when `model` cannot bear this load."""

    @abstractmethod
    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        """Return what acts on every body at t [s]. Must not branch on values: it is recorded."""

    def rates(self, bodies: Bodies, t: Any) -> Array:
        """Return the time derivatives (k,) of its own states at t [s]. Likewise recorded."""
        del bodies, t
        return np.empty(0)

    @property
    def leads(self) -> Constraint | None:
        """The constraint by which it leads the system while it acts, whose numbers are the first of its own states.

        None of a load that acts by its wrenches alone.
        """
        return None

    def felt(self, own: Array, given: Array) -> Array:
        """Return what comes to the rates (k,) of its own states of what that constraint gives (m,), in SI.

        Likewise recorded.
        """
        del given
        return 0 * own

    @property
    def outputs(self) -> Mapping[str, str]:
        """Names of numbers of it that runs show, with their units, such as {"push": "N"}."""
        return {}

    def output(self, bodies: Bodies, t: Any) -> Array:
        """Return these numbers (k,) at t [s]. Likewise recorded."""
        del bodies, t
        return np.empty(0)

    @property
    def pushes(self) -> Sequence[str]:
        """Names of its forces that act at a place, such as where shapes touch; "" where it has one."""
        return ()

    def pushing(self, bodies: Bodies, t: Any) -> Array:
        """Return where they act (k, 3) from the origin of N, and the forces (k, 3) on the second body, in N: (2, k, 3).

        In [m] and [N]. Likewise recorded.
        """
        del bodies, t
        return np.empty((2, 0, 3))

    def dissipated(self, bodies: Bodies, t: Any) -> Any:
        """Return the power [W] that its forces take from the bodies for good, which books keep apart from its work.

        Likewise recorded.
        """
        del bodies, t
        return 0.0

    def overlaps(self, bodies: Bodies, t: Any) -> Mapping[str, Overlap]:
        """Return how deep things are in each other, by what they are, that have to be apart where a run begins.

        Likewise recorded.
        """
        del bodies, t
        return {}

    def switches(self, bodies: Bodies, t: Any) -> Mapping[str, Any]:
        """Return numbers by name at whose zeros `wrenches` has a corner or a jump, always the same names.

        Runs note when they pass zero, and begin a new step there. Likewise recorded.
        """
        del bodies, t
        return {}
