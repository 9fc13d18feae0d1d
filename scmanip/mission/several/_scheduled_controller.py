"""`controller = [{ type = "scheduled", ... }, ...]`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from ...control import Controller, Scheduled
from ...dynamics import Model
from ...errors import Problem, refuse
from ..controllers._control import WrapperTable
from ..values._fields import ByJoint
from ..values._joint_values import DEG, Entries

UNITS = {"over_rad": ("rad", 1.0), "over_deg": ("rad", DEG), "over_m": ("m", 1.0)}
KNOTS = "a table of joint = list of ascending numbers"


class ScheduledTable(WrapperTable):
    """`{ type = "scheduled", over_deg = { elbow = [-90, 0, 90] } }`: laws after it, each at its knot of one joint or two."""

    type: Literal["scheduled"]
    over_rad: ByJoint = Field(default=None, description=KNOTS)
    over_deg: ByJoint = Field(default=None, description=KNOTS)
    over_m: ByJoint = Field(default=None, description=KNOTS)
    inside: ClassVar[int | None] = None
    numbers: ClassVar[tuple[str, ...]] = ("over_rad", "over_deg", "over_m")
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, *numbers)

    def resolved(self) -> dict[str, Any]:
        rest = {key: value for key, value in super().resolved().items() if key not in UNITS}
        return rest | {key: table for key in ("over_rad", "over_m") if (table := self._knots(UNITS[key][0]))}

    def around(self, believed: Model, *laws: Controller) -> Scheduled:
        entries = Entries.of_commanded_q(believed.system)
        given = [(key, unit, name) for key, (unit, _) in UNITS.items() for name in getattr(self, key) or {}]
        problems = [problem for key, unit, name in given for problem in entries.problems(key, name, unit)]
        twice = {name for _, _, name in given if [other for *_, other in given].count(name) > 1}
        refuse(problems + [Problem("over_deg", "every joint once", f"'{name}' again") for name in sorted(twice)])
        return Scheduled(*laws, over=self._knots("rad") | self._knots("m"))

    @classmethod
    def setting(cls, law: Controller, key: str) -> Any:
        """Return the knots of the joints in a unit."""
        if key not in UNITS:
            return super().setting(law, key)
        over, believed = law.settings.get("over", {}), law.believed
        units = {} if believed is None else Entries.of_commanded_q(believed.system).units
        return {n: (k / UNITS[key][1]).tolist() for n, k in over.items() if units.get(n) == UNITS[key][0]} or None

    def _knots(self, unit: str) -> dict[str, list[float]]:
        tables = [(getattr(self, key) or {}, size) for key, (own, size) in UNITS.items() if own == unit]
        return {name: [size * knot for knot in _listed(knots)] for table, size in tables for name, knots in table.items()}


def _listed(knots: Any) -> list[float]:
    return knots if isinstance(knots, list) else [knots]
