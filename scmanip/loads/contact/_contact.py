"""Two shapes that push each other apart where one is in the other, and rub on each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from ...dynamics import Model
from ...errors import ModeMismatch, expect, name_problems, refuse
from ...shapes import Pair, Shape, pair_of
from ...spatial import Array, positive_problems, sqrt, transpose
from ...symbolic import maximum, minimum
from ...system import GROUND
from .._bodies import Bodies
from .._body_wrenches import BodyWrenches
from .._load import Load, Overlap
from ._friction import ContactFriction, Frictionless
from ._normal_law import NormalLaw
from ._touch import ContactGeometry

DEEP = 0.1  # of the inner radius of the smaller shape: deeper than that no law of the surface holds


@dataclass(frozen=True)
class Contact(Load):
    """Compliant contact between two shapes, of two bodies or of a body and the ground.

    The laws name their sources; where shapes touch is a rule of our own.

    one, other : as `system.shape(name)` gives them
    law : of the force along the normal, such as `HuntCrossley`
    friction : of that across it, such as `Coulomb`
    name : by which events, states and problems call it
    deepest_m : how deep the shapes may be in each other where a run begins [m]; a tenth of the inner radius of the smaller
        one unless said
    noted : whether runs note where shapes touch and leave each other and begin a step there; fixed steps of an ensemble
        cannot, and step over it with the error that this makes

    Raises `InvalidInput` for what is no shape or law, and for shapes whose distance is not known.

    >>> from scmanip.shapes import Plane, Sphere
    >>> ball, floor = Sphere("ball", "link4", 0.1), Plane("floor", "ground", origin_m=[0, 0, -0.09])
    >>> contact = Contact(ball, floor, HuntCrossley(1e5, exponent=1.5), Coulomb(0.3))
    >>> (touch,) = contact.touches(Bodies(system, model.equations(state)))
    >>> round(float(touch.depth), 4), (touch.normal.round(6) + 0).tolist()
    (0.01, [0.0, 0.0, -1.0])
    """

    one: Shape
    other: Shape
    law: NormalLaw
    friction: ContactFriction = Frictionless()  # noqa: RUF009 - it has no state
    name: str = "contact"
    deepest_m: float | None = None
    noted: bool = True

    def __post_init__(self) -> None:
        expect("one", self.one, Shape, "a Shape, such as system.shape(name)")
        expect("other", self.other, Shape, "a Shape, such as system.shape(name)")
        expect("law", self.law, NormalLaw, "a law such as HuntCrossley(...)")
        expect("friction", self.friction, ContactFriction, "friction such as Coulomb(...)")
        expect("noted", self.noted, bool, "True or False")
        deepest = [] if self.deepest_m is None else positive_problems("deepest_m", self.deepest_m)
        refuse(name_problems("contact", self.name) + deepest)
        pair_of(self.one, self.other)

    @property
    def called(self) -> str:
        return self.name

    @property
    def states(self) -> Mapping[str, str]:
        """The states of its friction at every place, called by place and component, as "z" or "+--.z"."""
        labels = [f"{label}." if label else "" for label in self._pair.points]
        return {f"{label}{name}": unit for label in labels for name, unit in self.friction.states.items()}

    @property
    def is_formula(self) -> bool:
        return self._pair.is_formula

    @property
    def outputs(self) -> Mapping[str, str]:
        """The sum of the forces along the normals, the force of friction, and how deep the shapes are in each other."""
        return {"push": "N", "rub": "N", "depth": "m"}

    def output(self, bodies: Bodies, t: Any) -> Array:
        """Return these numbers (3,), two forces [N] and a depth [m], whatever the axes."""
        del t
        forces = self._forces(bodies)
        rub = np.sum([rub for _, _, rub in forces], axis=0)
        return np.array([sum(push for _, push, _ in forces), sqrt(rub @ rub), self._depth(self.touches(bodies))])

    @property
    def pushes(self) -> tuple[str, ...]:
        """Those at all places where the shapes may touch."""
        return self._pair.points

    def pushing(self, bodies: Bodies, t: Any) -> Array:
        """Return these places, and the forces on the second shape (2, k, 3)."""
        del t
        forces = self._forces(bodies)
        return np.array([[touch.at for touch, _, _ in forces], [push * touch.normal + rub for touch, push, rub in forces]])

    def check(self, model: Model) -> None:
        """Raise `UnknownName` for a shape on no body, `ModeMismatch` where both are on one."""
        for shape in (self.one, self.other):
            if shape.frame != GROUND:
                model.system.body_number(shape.frame)
        if self.one.frame == self.other.frame:
            raise ModeMismatch(
                f"contact '{self.name}' is between shapes of two bodies, and '{self.one.name}' and '{self.other.name}' are "
                f"both on '{self.one.frame}', where they never move against each other; leave it out"
            )

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        """Return the forces at all places, equal and opposite."""
        del t
        first, *others = (
            bodies.between(self.one.frame, self.other.frame, push * touch.normal + rub, at=touch.at)
            for touch, push, rub in self._forces(bodies)
        )
        return sum(others, start=first)

    def dissipated(self, bodies: Bodies, t: Any) -> Any:
        """Return what the law loses along the normal, and all that friction takes, also what bends bristles [W]."""
        del t
        return sum(
            (push - self.law.elastic(touch.depth)) * touch.rate - rub @ touch.slip for touch, push, rub in self._forces(bodies)
        )

    def rates(self, bodies: Bodies, t: Any) -> Array:
        """Return the rates of the states of its friction."""
        del t
        R = bodies.placed(self.one).R
        parts = [
            self.friction.rates(self.law.force(touch.depth, touch.rate), touch.slip, stretch)
            for touch, stretch in zip(self.touches(bodies), self._stretches(bodies), strict=True)
        ]
        return np.concatenate([transpose(R) @ part if len(part) else part for part in parts])

    def switches(self, bodies: Bodies, t: Any) -> Mapping[str, Any]:
        """Return the gaps; where a law would pull, more than that."""
        del t
        if not self.noted:
            return {}
        return {
            " ".join(["gap of", self.name, *filter(None, [touch.label])]): -minimum(
                touch.depth, self.law.grip(touch.depth, touch.rate)
            )
            for touch in self.touches(bodies)
        }

    def overlaps(self, bodies: Bodies, t: Any) -> Mapping[str, Overlap]:
        """Return how deep the shapes are in each other."""
        del t
        depth = self._depth(self.touches(bodies))
        sizes = min(self.one.inner_radius_m, self.other.inner_radius_m)
        most = DEEP * sizes if self.deepest_m is None else self.deepest_m
        return {f"contact '{self.name}': shape '{self.other.name}' inside '{self.one.name}'": Overlap(depth, most)}

    def touches(self, bodies: Bodies) -> list[ContactGeometry]:
        """Return all places at which the shapes may touch."""
        near = self._pair.proximity(bodies.placed(self.one), bodies.placed(self.other))
        found = []
        for k, label in enumerate(self._pair.points):
            n, at = near.normal[k], (near.on_one[k] + near.on_other[k]) / 2
            v = bodies.velocity(self.other.frame, at) - bodies.velocity(self.one.frame, at)
            apart = n @ v
            found.append(ContactGeometry(label, -near.gap[k], -apart, n, at, v - apart * n))
        return found

    @staticmethod
    def _depth(touches: Iterable[ContactGeometry]) -> Any:
        return reduce(maximum, (touch.depth for touch in touches))

    def _forces(self, bodies: Bodies) -> list[tuple[ContactGeometry, Any, Array]]:
        """Return at each place the force along the normal, and that of friction on the second shape (3,)."""
        found = []
        for touch, stretch in zip(self.touches(bodies), self._stretches(bodies), strict=True):
            push = self.law.force(touch.depth, touch.rate)
            flat = stretch - (touch.normal @ stretch) * touch.normal if len(stretch) else stretch
            found.append((touch, push, self.friction.force(push, touch.slip, flat)))
        return found

    def _stretches(self, bodies: Bodies) -> Array:
        """Return the states of friction (k, 3) at every place, in N; (k, 0) where it has none."""
        own = bodies.own.reshape(len(self._pair.points), -1)
        return own @ transpose(bodies.placed(self.one).R) if own.shape[1] else own

    def __str__(self) -> str:
        """Return what touches what, for people."""
        return f"contact '{self.name}' of '{self.other.name}' with '{self.one.name}', {self.law!r}, {self.friction!r}"

    @cached_property
    def _pair(self) -> Pair:
        return pair_of(self.one, self.other)
