"""A study as it is asked for: what is varied, what is measured, what is required."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..rows._case import Value
from ._dispersions import Correlated, Dispersion
from ._mass_table import MassTable
from ._metric import Metric
from ._plan import Plan
from ._requirement import Requirement
from ._resolve import Resolving
from ._retention import Keep
from ._sampling import FullFactorial, Sampling
from ._stop import Stop
from ._variables import Variable
from ._written import WrittenStudy

SCHEMA = "scmanip.study/1"


@dataclass(frozen=True, eq=False, kw_only=True)
class Definition:
    """A study, made by `define` or `load_definition`, which check it; two with equal `table` are the same.

    name, title, mission : of the study; the mission file as it was given
    design, dispersion : by path, with wildcards as they were given; see `Plan` for these and what follows
    keep, stop : whose histories are kept; when the study may end early
    output : the folder for results, or nothing
    output_step_s : longest distance of the samples behind metrics [s]; None leaves it to whoever runs the cases
    written : the file, or None

    >>> turn, gains = {"base_rotation_deg": "max(degrees(base_rotation_rad))"}, {"phase.slew.controller.K_P": [1, 2]}
    >>> study = define(name="gains", mission="mission.toml", seed=7, metrics=turn, design=gains)
    >>> study.table["design"], study.resolved().cases
    ({'phase.slew.controller.K_P': {'levels': [1.0, 2.0]}}, 2)
    """

    name: str
    mission: str
    seed: int
    metrics: tuple[Metric, ...]
    title: str = ""
    design: Mapping[str, Variable] = field(default_factory=dict)
    dispersion: Mapping[str, Dispersion | MassTable] = field(default_factory=dict)
    correlated: tuple[Correlated, ...] = ()
    sampling: Sampling = field(default_factory=FullFactorial)
    repeats: int = 1
    requirements: tuple[Requirement, ...] = ()
    keep: Keep = field(default_factory=Keep)
    stop: Stop | None = None
    output: str = ""
    output_step_s: float | None = None
    written: WrittenStudy | None = None

    @property
    def table(self) -> dict[str, Any]:
        """The definition as plain lists and tables, in words of a study file, whether it came from one or from Python."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "title": self.title,
            "mission": self.mission,
            "seed": self.seed,
            "repeats": self.repeats,
            "sampling": self.sampling.table,
            "design": {path: variable.table for path, variable in self.design.items()},
            "dispersion": {path: given.table for path, given in self.dispersion.items()},
            "correlated": [group.table for group in self.correlated],
            "metrics": {metric.name: metric.expression for metric in self.metrics},
            "limits": {requirement.metric: requirement.table for requirement in self.requirements},
            "keep": self.keep.table,
            "stop": None if self.stop is None else self.stop.table,
            "output": {"folder": self.output, "output_step_s": self.output_step_s},
        }

    @property
    def allowed(self) -> dict[str, tuple[float, float]]:
        """The lowest and highest allowed value of each metric with a limit, in its unit; infinite where there is none."""
        return {requirement.metric: requirement.allowed for requirement in self.requirements}

    @property
    def mass_tables(self) -> tuple[MassTable, ...]:
        """The tables of masses that dispersions name."""
        return tuple(given for given in self.dispersion.values() if isinstance(given, MassTable))

    @property
    def by_chance(self) -> bool:
        """Whether its cases are draws, be it that a probability is asked for; otherwise every case is a design."""
        return bool(self.dispersion) or any(each.probability is not None for each in self.requirements)

    @property
    def stop_rule(self) -> Stop | None:
        """What may end the study early."""
        return None if self.stop is None else replace(self.stop, allowed=self.allowed)

    def resolved(
        self,
        matches: Callable[[str], Sequence[str]] | None = None,
        nominal: Callable[[str], Value] | None = None,
    ) -> Plan:
        """Return the plan, in which wildcards are spelt out and relative dispersions have their nominal values.

        matches : the paths that a path stands for, one or more; raises `InvalidInput` for one that is nothing
        nominal : the value at a path without wildcards; raises `InvalidInput` where there is none
        Without them every path stands for itself and nothing has a nominal value.
        Raises `InvalidInput` with all that is wrong, with lines where the study has a file.
        """
        return Resolving(self, matches, nominal).plan()
