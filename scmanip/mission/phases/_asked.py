"""By which numbers the states of a mission are differentiated, phase by phase."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InvalidInput, Problem, expect, refuse
from ...simulation import Asked
from ...system import System
from ._phase import Phase

OF_PHASE, OF_LAW = "phase.", ".controller."


def asked_of(phases: Sequence[Phase], system: System, names: Sequence[str]) -> list[Asked]:
    """Return what is asked of each phase; raises `InvalidInput` for names that are no paths of numbers of system and phases."""
    expect("sensitivities", names, list | tuple, 'paths of numbers in a sequence, such as ("body.link2.mass_kg",)')
    each: list[dict[str, str]] = [{} for _ in phases]
    for name in names:
        expect("sensitivities", name, str, 'the path of a number, such as "body.link2.mass_kg"')
        found = _of_phase(phases, name) if name.startswith((OF_PHASE, OF_LAW[1:])) else _of_system(system, name, len(phases))
        for path, own in found.items():
            for known, said in zip(each, own, strict=True):
                known[path] = said
    return [Asked(known, phase.beginning) for known, phase in zip(each, phases, strict=True)]


def _of_system(system: System, name: str, count: int) -> dict[str, list[str]]:
    return {path: [path] * count for path in system.numbers([name])}


def _of_phase(phases: Sequence[Phase], name: str) -> dict[str, list[str]]:
    """Return which number of its law each phase differentiates by."""
    own = [f"{OF_LAW[1:]}{name.removeprefix(start)}" if name.startswith(start) else "" for start in map(_start, phases)]
    expected = f"the number of a law, {' or '.join(f'{_start(phase)}K_P' for phase in phases)}"
    refuse([] if any(own) else [Problem("sensitivities", expected, name)], InvalidInput)
    return {name: own}


def _start(phase: Phase) -> str:
    return f"{OF_PHASE}{phase.name}{OF_LAW}"
