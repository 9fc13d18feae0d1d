"""What `scmanip export` writes of a mission: a phase as a unit for co-simulation, and its law as code."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from ..control import code_of
from ..errors import InvalidInput, Problem, refuse
from ..guidance import PoseReference
from ..interop import write_fmu
from ..mission import beginning, load_mission, phase_loop
from ._screen import Screen

KINDS: Mapping[str, Collection[str]] = {  # what else may be said beside each
    "quantity": ("language", "name", "axes", "symbols", "kinematics", "method"),
    "law": ("language", "name", "symbols", "phase"),
    "fmu": ("phase", "step", "fmi", "commanded"),
}


def kind_of(said: Sequence[str]) -> str:
    """Return which of the things that can be exported a command line asks for; raises `InvalidInput` for other options."""
    asked = [kind for kind in KINDS if kind in said]
    if len(asked) != 1:
        found = " and ".join(f"--{kind}" for kind in asked) or "none of them"
        raise InvalidInput(Problem("export", "one of --quantity, --law and --fmu", found))
    known = (*asked, *KINDS[asked[0]], "file", "output")
    refuse([Problem(f"--{name}", f"no such option beside --{asked[0]}", "given") for name in said if name not in known])
    return asked[0]


def export_unit(
    screen: Screen, file: str, output: str, *, phase: str | None, step_s: float | None, version: int, commanded: bool
) -> None:
    """Write a phase of a mission as a unit for co-simulation; raises `InvalidInput`."""
    mission = load_mission(file)
    loop = phase_loop(mission, phase, commanded=commanded)
    longest = mission.integration.integrator.length_s or mission.integration.output_step_s / 2
    step_s = longest if step_s is None else step_s
    path = write_fmu(loop, output, step_s=step_s, version=version, name=mission.name, words=mission.title)
    screen.say(str(path))
    screen.note(f"FMI {version}.0, steps of {step_s:.9g} s at most")


def export_law(
    screen: Screen, file: str, folder: str, *, phase: str | None, language: str, name: str | None, symbols: Sequence[str]
) -> None:
    """Write the law of a phase of a mission as code and list its files; raises `InvalidInput`."""
    mission = load_mission(file)
    begun = beginning(mission, phase)
    sample = begun.phase.reference.at(0.0)
    model = mission.plant(begun.phase, begun.start_s, begun.before).model
    led = sample if isinstance(sample, PoseReference) else None
    written = code_of(begun.phase.controller, language, model, sample=led, symbols=symbols, name=name)
    written.save(folder)
    for path in written.files:
        screen.say(str(Path(folder) / path))
