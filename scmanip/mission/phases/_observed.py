"""From `[[sensor]]`, `[[estimator]]` and `[observation]` to what laws see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from ...control import Sampled
from ...dynamics import Model
from ...errors import InvalidInput, Problem
from ...navigation import Estimator, Observation, Sensor
from ..values._findings import Findings
from ..values._sound import Sounds
from ._phases import BuiltPhase

FAMILIES = ("sensor", "estimator")


def read_observation(findings: Findings, sounds: Sounds) -> tuple[Observation | None, dict[str, Any]]:
    """Return what laws see and the tables that say so in SI; None for the truth, and where something is wrong with them."""
    data = findings.document.data
    given = {key: tables for key in FAMILIES if isinstance(tables := data.get(key), list) and tables}
    if not given:
        if "observation" in data:
            findings.add(("observation",), "[[sensor]] or [[estimator]] tables that it is about", "none")
        return None, {}
    found = {key: [sounds.of(table) for table in tables] for key, tables in given.items()}
    sound = all(each is not None and each.whole for some in found.values() for each in some)
    chance = data.get("observation", {})
    if not sound or not isinstance(chance, dict) or not all(isinstance(n, int) and n >= 0 for n in chance.values()):
        return None, {}
    tables = {key: [each.table for each in some if each is not None] for key, some in found.items()}
    sensors, estimators = ([table.part() for table in tables.get(key, ())] for key in FAMILIES)
    seed, case = (int(chance.get(key, 0)) for key in ("seed", "case"))
    try:
        observation = Observation(sensors, estimators, seed, case)
    except InvalidInput as error:
        _place(findings, error.problems, {"sensor": sensors, "estimator": estimators})
        return None, {}
    said: dict[str, Any] = {key: [table.resolved() for table in some] for key, some in tables.items()}
    return observation, said | {"observation": {"seed": seed, "case": case}}


def refuse_unseen(findings: Findings, observation: Observation | None, model: Model, phases: Iterable[BuiltPhase]) -> None:
    """Note laws that cannot see so: those that are not sampled, or at another rate than those before."""
    if observation is None:
        return
    rate_Hz: float | None = None
    for number, built in enumerate(phases):
        law, place = built.phase.controller, ("phase", number, "controller")
        if not isinstance(law, Sampled):
            findings.add(place, "a law that is sampled, rate_Hz, where sensors tell what it sees", "one that always looks")
        elif rate_Hz is None:
            rate_Hz = law.rate_Hz
            _check(findings, observation, model, rate_Hz)
        elif law.rate_Hz != rate_Hz:
            findings.add(place, f"a law that looks at {rate_Hz:g} Hz as before, as sensors do", f"{law.rate_Hz:g}")


def _place(findings: Findings, problems: Iterable[Problem], parts: Mapping[str, Sequence[Any]]) -> None:
    """Note problems at the tables of the sensors and estimators with whose labels they begin."""
    tables = [((family, k), part.label) for family, some in parts.items() for k, part in enumerate(some)]
    for problem in problems:
        place = next((place for place, label in reversed(tables) if problem.key.startswith(label)), ())
        findings.add(place, problem.expected, problem.found, problem.hint)


def _check(findings: Findings, observation: Observation, model: Model, rate_Hz: float) -> None:
    parts: dict[str, Sequence[Sensor | Estimator]] = {"sensor": observation.sensors, "estimator": observation.estimators}
    for family, some in parts.items():
        for k, part in enumerate(some):
            findings.attempt((family, k), partial(observation.check_part, part, model, rate_Hz))
