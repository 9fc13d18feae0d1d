"""`guidance = { type = "joint_sequence", ... }`."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

from pydantic import Field

from ...dynamics import Model
from ...errors import Problem, refuse
from ...guidance import JointSequence
from ...spatial import Array
from ...system import State, System
from ..values._fields import Duration, Name, Pause, Positive
from ..values._joint_values import Entries
from ._guidance import GuidanceTable

_PAPER_RATE_RAD_S = 0.1
_RATES = ("rate_rad_s", "rate_deg_s", "rate_m_s")


class JointSequenceTable(GuidanceTable):
    """`guidance = { type = "joint_sequence", ... }`, each joint in turn out, back past the start and home."""

    type: Literal["joint_sequence"]
    joints: list[Name] | None = Field(default=None, description="a list of joint names")
    rate_rad_s: Positive | None = None
    rate_deg_s: Positive | None = None
    rate_m_s: Positive | None = None
    ramp_s: Duration = 1.0
    cruise_s: list[Pause] = Field(
        default_factory=lambda: [9.0, 19.0, 9.0], min_length=3, max_length=3, description="3 numbers >= 0"
    )
    rest_s: Pause = 2.0
    settle_s: Pause = 2.0
    numbers: ClassVar[tuple[str, ...]] = (*_RATES, "ramp_s", "cruise_s", "rest_s", "settle_s")
    durations: ClassVar[tuple[str, ...]] = ("ramp_s", "cruise_s", "rest_s", "settle_s")

    def resolved(self, system: System) -> dict[str, Any]:
        """Return the table in SI with all joints that move, and their rate."""
        entries = Entries.of_commanded_q(system)  # of spherical joints, which are held, there are none
        names = list(entries.units) if self.joints is None else self.joints
        rate = self._rate(names, entries)
        times = {key: getattr(self, key) for key in ("ramp_s", "cruise_s", "rest_s", "settle_s")}
        return {"type": self.type, "joints": [entry for name in names for entry in entries.named(name)], **rate, **times}

    def check_names(self, system: System) -> None:
        entries = Entries.of_commanded_q(system)
        problems = [problem for name in self.joints or () for problem in entries.unknown_problems("joints", name)]
        refuse(problems)

    def motion(
        self, resolved: dict[str, Any], system: System, q_home: Array, model: Model | None, state: State | None
    ) -> JointSequence:
        layout = system.layout
        return JointSequence(
            q_home,
            layout=layout,
            joints=[layout.qdot_names.index(name) for name in resolved["joints"]],
            rate_rad_s=resolved["rate_rad_s"] if "rate_rad_s" in resolved else resolved["rate_m_s"],
            ramp_s=self.ramp_s,
            cruise_s=self.cruise_s,
            rest_s=self.rest_s,
            settle_s=self.settle_s,
        )

    def _rate(self, names: list[str], entries: Entries) -> dict[str, float]:
        """Return the cruise rate under the key of the joints' unit; one sequence moves joints of one unit."""
        given = [key for key in _RATES if getattr(self, key) is not None]
        problems = _rate_problems(given, names, entries)
        refuse(problems)
        if self.rate_deg_s is not None:
            return {"rate_rad_s": math.radians(self.rate_deg_s)}
        key = f"rate_{_unit(names, entries)}_s"
        return {key: getattr(self, key) if given else _PAPER_RATE_RAD_S}


def _rate_problems(given: list[str], names: list[str], entries: Entries) -> list[Problem]:
    """Return what is wrong with the keys `given` for the rate, and with the joints that are to move."""
    if len(given) > 1:
        problems = [Problem(given[1], f"one of {', '.join(_RATES)}", " and ".join(given))]
        return problems + [problem for name in names for problem in entries.unknown_problems("joints", name)]
    unit = "m" if given == ["rate_m_s"] else "rad" if given else _unit(names, entries)
    problems = [problem for name in names for problem in entries.problems("joints", name, unit)]
    if not problems and not given and unit == "m":
        problems = [Problem("rate_m_s", "a cruise rate for the sliding joints", "nothing")]
    return problems


def _unit(names: list[str], entries: Entries) -> str:
    return next((entries.units[entry] for name in names for entry in entries.named(name)), "rad")
