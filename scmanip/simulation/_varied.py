"""By which numbers the states of a run are to be differentiated, and whether they can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..dynamics import Stack
from ..errors import InvalidInput, Problem, expect, refuse
from .loop._asked import Asked
from .loop._sample_and_hold import said_by
from .loop._setup import Setup
from .switching._switch import Switch
from .variation._law_numbers import OF_LAW, law_numbers

NOT_OPEN = "shape."


def varied(setup: Setup, asked: Sequence[str] | Asked, switches: Sequence[Switch]) -> Setup:
    """Return the run with the names by which its states are to be differentiated.

    Raises `InvalidInput` for names that are no numbers of system and law, and for runs that this does not cover.
    """
    if not isinstance(asked, Asked):
        expect("sensitivities", asked, list | tuple, 'paths of numbers in a sequence, such as ("body.link2.mass_kg",)')
        for name in asked:
            expect("sensitivities", name, str, 'the path of a number, such as "body.link2.mass_kg"')
        paths = {path: path for name in asked for path in _paths(setup, name)}
        asked = Asked(paths) if paths else setup.sensitivities
    if not asked.names:
        return setup
    refuse([Problem("sensitivities", *told) for told in _problems(setup, switches)], InvalidInput)
    refuse([problem for path in asked.names.values() if path for problem in _path_problems(setup, path)], InvalidInput)
    return replace(setup, sensitivities=asked)


def _paths(setup: Setup, name: str) -> list[str]:
    return [name] if name.startswith(OF_LAW) else [*setup.model.system.numbers([name])]


def _path_problems(setup: Setup, path: str) -> Iterator[Problem]:
    if path.startswith(OF_LAW):
        known = [f"{OF_LAW}{number}" for number in law_numbers(setup) if not number.startswith("estimate")]
        if path not in known:
            yield Problem("sensitivities", ", ".join(known) or "no number of this law", path)
    elif path.startswith(NOT_OPEN):
        yield Problem("sensitivities", "numbers of bodies, joints, springs, actuators, constraints, or gravity", path)


def _problems(setup: Setup, switches: Sequence[Switch]) -> Iterator[tuple[str, str]]:
    """Yield what is expected of a run and what it has."""
    plant, law = setup.plant, setup.controller
    if setup.pair is None or setup.pair.asks:
        yield "a law, a reference, loads and an integrator that are machine code", f"a run of {law.kind} that is not"
    elif setup.sampled is not None and said_by(setup, setup.sampled.law) is None:
        yield "a sampled law that is recorded", law.kind
    said = None if setup.sampled is None else said_by(setup, setup.sampled.law)
    if setup.plant.memory or (said is not None and said.law.remembers):
        yield "a law whose memory is no part of the state", law.kind
    if setup.observation is not None:
        yield "a law that sees the truth", "an observation"
    if plant.burns:
        yield "a mode without thrusters, whose set changes", plant.mode.name
    if plant.contacts:
        yield "a run without rigid contacts", ", ".join(map(repr, plant.contacts))
    names = dict.fromkeys([*plant.constraints, *(name for switch in switches for name in switch.impose)])
    if names and law.learns:
        yield "a law that does not learn what is grasped", law.kind
    stack = Stack.of(plant.model.system, [*names])
    if stack.limits:
        yield "constraints that do not slip", ", ".join(map(repr, stack.limits))
    if stack.pushing:
        yield "constraints that do not let go by themselves", ", ".join(map(repr, stack.pushing))
    lasting = {event.called for event in setup.events if event.lasts}
    for switch in switches:
        if switch.strike and not switch.event:
            yield "strikes at events, where shapes meet", repr(switch)
        if switch.event in lasting:
            yield "switches at events that do not have to last", repr(switch)
