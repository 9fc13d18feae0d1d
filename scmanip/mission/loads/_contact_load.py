"""`[[load]]` with `type = "contact"`: shapes of the system, and the laws by which they push and rub."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from ...errors import InvalidInput, Problem, refuse
from ...loads import Bristle, Contact, ContactFriction, Coulomb, Frictionless, HuntCrossley, KelvinVoigt, NormalLaw
from ...system import System
from ..values._fields import MissionFileTable, Name, NotNegative, Positive
from ..values._shape_names import unknown_shapes
from ._load_table import LoadTable


class HuntCrossleyTable(MissionFileTable):
    """`law = { type = "hunt_crossley", ... }`: what it loses by `damping_s_m`, or by a restitution at a speed."""

    type: Literal["hunt_crossley"]
    stiffness: Positive
    exponent: Positive = 1.5
    damping_s_m: NotNegative | None = None
    restitution: Positive | None = None
    speed_m_s: Positive | None = None

    def law(self) -> NormalLaw:
        """Return the law; raises `InvalidInput`."""
        if self.restitution is None and self.speed_m_s is None:
            return HuntCrossley(self.stiffness, self.exponent, self.damping_s_m or 0.0)
        if self.damping_s_m is not None:
            raise InvalidInput(Problem("damping_s_m", "damping_s_m, or restitution with speed_m_s", "both"))
        if self.restitution is None or self.speed_m_s is None:
            given, other = ("speed_m_s", "restitution") if self.restitution is None else ("restitution", "speed_m_s")
            raise InvalidInput(Problem(given, f"{other} beside it", f"{given} alone"))
        return HuntCrossley.bouncing(self.stiffness, self.exponent, restitution=self.restitution, speed_m_s=self.speed_m_s)


class KelvinVoigtTable(MissionFileTable):
    """`law = { type = "kelvin_voigt", ... }`."""

    type: Literal["kelvin_voigt"]
    stiffness_N_m: Positive
    damping_Ns_m: NotNegative = 0.0

    def law(self) -> NormalLaw:
        """Return the law."""
        return KelvinVoigt(self.stiffness_N_m, self.damping_Ns_m)


class FrictionlessTable(MissionFileTable):
    """`friction = { type = "frictionless" }`, which need not be said."""

    type: Literal["frictionless"] = "frictionless"

    def friction(self) -> ContactFriction:
        """Return none."""
        return Frictionless()


class CoulombTable(MissionFileTable):
    """`friction = { type = "coulomb", ... }`."""

    type: Literal["coulomb"]
    coefficient: NotNegative
    stick_m_s: Positive = 1e-3

    def friction(self) -> ContactFriction:
        """Return the friction."""
        return Coulomb(self.coefficient, self.stick_m_s)


class BristleTable(MissionFileTable):
    """`friction = { type = "bristle", ... }`."""

    type: Literal["bristle"]
    coefficient: Positive
    deflection_m: Positive
    relaxation_s: Positive
    static_coefficient: Positive | None = None
    stribeck_m_s: Positive = 1e-3

    def friction(self) -> ContactFriction:
        """Return the friction; raises `InvalidInput`."""
        return Bristle(self.coefficient, self.deflection_m, self.relaxation_s, self.static_coefficient, self.stribeck_m_s)


class ContactTable(LoadTable):
    """Compliant contact between two shapes of the system."""

    type: Literal["contact"]
    shapes: Annotated[list[Name], Field(min_length=2, max_length=2, description="the names of two shapes")]
    law: Annotated[HuntCrossleyTable | KelvinVoigtTable, Field(discriminator="type")] = Field(
        description='a table such as { type = "hunt_crossley", stiffness = 1e5 }'
    )
    friction: Annotated[FrictionlessTable | CoulombTable | BristleTable, Field(discriminator="type")] = Field(
        default_factory=FrictionlessTable, description='a table such as { type = "coulomb", coefficient = 0.3 }'
    )
    deepest_m: Positive | None = None
    noted: bool = True

    def load(self, resolved: Mapping[str, Any], system: System) -> Contact:
        """Return the contact; raises `InvalidInput` for shapes that are none, or that have no distance."""
        refuse(unknown_shapes("shapes", self.shapes, system))
        law, friction = _of("law", self.law.law), _of("friction", self.friction.friction)
        one, other = map(system.shape, self.shapes)
        return Contact(one, other, law, friction, self.called, self.deepest_m, self.noted)


def _of(key: str, make: Any) -> Any:
    """Return what a table of `key` makes; raises `InvalidInput`, problems called by keys of it."""
    try:
        return make()
    except InvalidInput as error:
        problems = [replace(problem, key=f"{key}.{problem.key.removeprefix('friction ')}") for problem in error.problems]
        raise InvalidInput(problems) from None
