"""The command `scmanip check`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..campaign import load_study
from ..dynamics import Model, compile_model
from ..errors import InvalidInput, Problem
from ..mission import DRIVEN_AND_FREE, Mission, Phase, driven_and_free, load_mission, mode_label
from ..report import constraint_rows
from ..scene import scene_of
from ..system import System, TomlDocument, degree_doubts, is_in_toml, load_system, system_text
from ._gains import gains_to_begin_with, unsaid_gains
from ._hardware_tables import show_hardware
from ._library import described
from ._screen import Screen


def check_file(screen: Screen, file: str, *, strict: bool, picture: str | None = None) -> None:
    """Show what a mission, system or study file describes, and write a picture of its system.

    Raises `InvalidInput` with every problem of it, and for a picture of a study, `SingularInertia`
    for a system that can be read but never moved.
    """
    kind = described(file)
    if kind == "study":
        if picture is not None:
            raise InvalidInput(Problem("--picture", "the file of a system or mission", f"{file}, a study"))
        return _check_study(screen, file)
    if kind == "system":
        system = load_system(file, strict=strict)
        model = compile_model(system)
        sets = [[one.name for one in system.constraints if one.active or every] for every in (False, True)]
        _show_redundant(screen, model, sets)
        warnings = system.warnings()
        if is_in_toml(file):  # which says where angles look like degrees
            doubts = degree_doubts(TomlDocument.parse(system_text(file), file))
            warnings = [*doubts, *(warning for warning in warnings if warning.expected != "radians")]
    else:
        mission = load_mission(file, strict=strict)
        system, warnings = mission.system, mission.warnings()
        _show_mission(screen, mission)
    _show_system(screen, system)
    show_hardware(screen, system)
    if picture is not None:
        scene = scene_of(system) if kind == "system" else scene_of(system, state=mission.initial)
        scene.shot(picture)
        for note in scene.notes:
            screen.note(note, "yellow")
        screen.say(f"{picture} shows it")
    for warning in warnings:
        screen.note(f"warning: {warning}", "yellow")
    screen.say("ok" if not warnings else f"ok, {_counted(len(warnings), 'warning', 'warnings')}", "green")


def _check_study(screen: Screen, file: str) -> None:
    study = load_study(file)
    definition, recipe = study.definition, study.recipe
    screen.say(f"study {definition.name}: {definition.title}" if definition.title else f"study {definition.name}", "bold")
    screen.say(f"{study.plan.cases} cases of {definition.mission}, {definition.sampling!r}, repeats {definition.repeats}")
    for word, given in (("chosen", definition.design), ("dispersed", definition.dispersion)):
        for path in given:
            screen.say(f"{word}: {path}")
    for metric in definition.metrics:
        screen.say(f"metric {metric.name} = {metric.expression}")
    screen.say("cases are flown together" if recipe.together else "each case is run by itself")
    screen.say("ok", "green")


def _show_mission(screen: Screen, mission: Mission) -> None:
    screen.say(f"mission {mission.name}: {mission.title}" if mission.title else f"mission {mission.name}", "bold")
    switched = ("imposes", "releases", "constrained by") if mission.constraints else ()
    rows = [("phase", "mode", *DRIVEN_AND_FREE, *switched, "guidance", "duration")]
    for phase, held in mission.held:
        speeds = driven_and_free(phase.mode, mission.model, held)
        constraints = [", ".join(names) for names in (phase.impose, phase.release, held)[: len(switched)]]
        rows.append((phase.name, mode_label(phase.mode), *speeds, *constraints, phase.motion, _duration(phase)))
    screen.table(rows)
    _show_redundant(screen, mission.model, [held for _, held in mission.held])
    for phase in mission.phases:
        for key in ("engage", "inhibit"):
            if names := getattr(phase, key):
                screen.say(f"phase {phase.name}: {key}s {_told(names)}")
        for by, name in phase.events.ways.items():
            screen.say(f"phase {phase.name}: on {by} phase {name} follows")
    for table in mission.resolved.get("switch", ()):
        screen.say(f"switch {table['name']}: " + ", ".join(f"{key} {_told(table[key])}" for key in table if key != "name"))
    for table in mission.resolved.get("contact", ()):
        screen.say(f"contact {table['name']}: " + ", ".join(f"{key} {_told(table[key])}" for key in table if key != "name"))
    for load in mission.loads:
        screen.say(f"load: {load}")
    if mission.alternatives:
        screen.say("flown in turn in the modes " + ", ".join(mission.alternatives))
    said = TomlDocument.parse(mission.text, mission.file).data.get("limits", {})
    screen.say("limits: " + (", ".join(said) or "none"))
    for rule in dict.fromkeys(filter(None, (gains_to_begin_with(mission, phase) for phase in mission.phases))):
        screen.say(f"gains to begin with: {rule}")
    for sentence in unsaid_gains(mission):
        screen.note(sentence, "yellow")


def _show_redundant(screen: Screen, model: Model, sets: Iterable[Sequence[str]]) -> None:
    """Show of sets of constraints how many rows are independent in general, and which follow from others."""
    for names in dict.fromkeys(tuple(held) for held in sets if held):
        constrained = model.constrained(*names)
        rank, rows = len(constrained.dependent), len(constrained.stack.labels)
        follow = "; ".join(
            f"{first} follows from {_told(others)}" if others else f"{first} holds by itself"
            for first, *others in constrained.redundant
        )
        screen.say(f"{_told(names)}: rank {rank} of {rows} rows" + (f", in general {follow}" if follow else ""))


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _told(value: object) -> str:
    return " and ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _duration(phase: Phase) -> str:
    event = phase.events.name
    return f"until '{event}', at most {phase.t_end_s:g} s" if event else f"{phase.t_end_s:g} s"


def _show_system(screen: Screen, system: System) -> None:
    base = "fixed base" if system.fixed else "floating base"
    screen.say(f"system {system.name}: {base}, {_counted(len(system.bodies), 'body', 'bodies')}, {system.mass_kg:g} kg", "bold")
    rows = [("body", "parent", "mass", "joint")]
    for body in system.bodies:
        own = [] if body.joint is None else [body.joint.kind.name, *map(str, body.joint.own.values())]
        joint = "" if body.joint is None else f"{body.joint.name} ({' '.join(own)})"
        rows.append((body.name, body.parent or "", f"{body.mass_kg:g} kg", joint))
    screen.table(rows)
    if system.springs:
        ends = [(spring.name, f"{spring.between[0]} - {spring.between[1]}") for spring in system.springs]
        screen.table([("spring", "between"), *ends])
    if system.shapes:
        screen.table([("shape", "type", "on"), *((shape.name, shape.kind, shape.frame) for shape in system.shapes)])
    if system.constraints:
        screen.table(constraint_rows(system))
