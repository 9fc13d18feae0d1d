"""From `[[sensor]]`, `[[estimator]]` and `[observation]` to what laws see."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from ...control import Sampled
from ...dynamics import Model
from ...navigation import Observation
from ..phases._phases import BuiltPhase
from ..values._findings import Findings
from ..values._sound import Sounds

FAMILIES = ("sensor", "estimator")


def read_observation(findings: Findings, sounds: Sounds) -> tuple[Observation | None, dict[str, Any]]:
    """Return what laws see and the tables that say so in SI; None for the truth, and where something is wrong with them."""
    data = findings.document.data
    given = {key: tables for key in FAMILIES if isinstance(tables := data.get(key), list) and tables}
    if not given:
        if "observation" in data:
            findings.add(("observation",), "[[sensor]] or [[estimator]] tables that it is about", "none")
        return None, {}
    sounded = {key: [sounds.of(table) for table in tables] for key, tables in given.items()}
    chance = data.get("observation", {})
    whole = all(sound is not None and sound.whole for some in sounded.values() for sound in some)
    if not whole or not isinstance(chance, dict) or not all(isinstance(n, int) and n >= 0 for n in chance.values()):
        return None, {}
    tables = {key: [sound.table for sound in some if sound is not None] for key, some in sounded.items()}
    made = {f"{key}s": [table.part() for table in some] for key, some in tables.items()}
    said = {key: [table.resolved() for table in some] for key, some in tables.items()}
    observation = findings.attempt(
        (), lambda: Observation(**made, **{k: n for k, n in chance.items() if k in ("seed", "case")})
    )
    return observation, said | {"observation": {"seed": chance.get("seed", 0), "case": chance.get("case", 0)}}


def refuse_unseen(findings: Findings, observation: Observation | None, model: Model, phases: Iterable[BuiltPhase]) -> None:
    """Note laws that cannot see so: those that are not sampled, or at another rate than those before."""
    rates = dict[float, str]()
    for number, built in enumerate(phases if observation is not None else ()):
        phase, place = built.phase, ("phase", number, "controller")
        if not isinstance(phase.controller, Sampled):
            findings.add(place, "a law that is sampled, rate_Hz, where sensors tell what it sees", "one that always looks")
            continue
        rates.setdefault(phase.controller.rate_Hz, phase.name)
        if observation is not None and len(rates) == 1:
            for family, parts in zip(FAMILIES, (observation.sensors, observation.estimators), strict=True):
                for k, part in enumerate(parts):
                    findings.attempt((family, k), partial(observation.check_part, part, model, phase.controller.rate_Hz))
        elif len(rates) > 1:
            first = next(iter(rates))
            findings.add(place, f"a law that looks at {first:g} Hz as before, as sensors do", f"{phase.controller.rate_Hz:g}")
