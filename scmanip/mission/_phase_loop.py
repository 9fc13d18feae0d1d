"""A phase of a mission as programs and numbers, with which it runs without this library."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import InvalidInput, Problem, UnknownName, checked, refuse
from ..simulation import History, LoopPrograms, Switch, loop_programs
from ..system import State
from ._mission import Mission
from .phases._phase import Phase
from .phases._switching import switches_of


class Beginning(NamedTuple):
    """A phase as it is flown, where it begins and what was flown before it."""

    phase: Phase
    start_s: float
    state: State
    before: History | None


@checked
def phase_loop(mission: Mission, name: str | None = None, *, commanded: bool = False) -> LoopPrograms:
    """Return a phase of a mission; what is before it is flown first. Its clock is its own.

    name : of the phase; may be left out where there is one alone
    commanded : whether commands come from outside, in place of its law

    Raises `InvalidInput` for events that may end it, constraints and loads that are switched in it, and what `loop_programs`
    refuses; for a phase that the mission does not come to.

    >>> loop = phase_loop(mission)
    >>> loop.commanded, loop.y_0.shape, phase_loop(mission, commanded=True).commanded
    (False, (23,), True)
    """
    phase, start_s, state, before = beginning(mission, name)
    if mission.observation is not None:
        raise InvalidInput(Problem("mission", "laws that see the truth", "sensors"))
    refuse(_obstacles(phase, switches_of(phase, start_s, mission.switches)))
    plant = mission.plant(phase, start_s, before)
    if commanded:
        return loop_programs(plant, None, state, t_end_s=phase.t_end_s)
    return loop_programs(plant, phase.controller, state, reference=phase.reference, t_end_s=phase.t_end_s)


@checked
def beginning(mission: Mission, name: str | None = None) -> Beginning:
    """Return a phase as it is flown, with its law and reference; what is before it is flown first.

    Raises `InvalidInput` for a phase that the mission does not come to.

    >>> begun = beginning(mission)
    >>> begun.phase.name, begun.start_s, begun.state.q.tolist()
    ('joint_sequence', 0.0, [0.0, 0.0, 0.0, 0.0])
    """
    number = _number(mission, name)
    planned = mission.phases[number]
    if number == 0:
        return Beginning(planned.begun(mission.initial, mission.initial.q), 0.0, mission.initial, None)
    flown = mission.run().flown
    place = next((k for k, part in enumerate(flown) if part.number == number), None)
    if not place:
        expected = f"a phase that the mission comes to, one of {', '.join(part.phase.name for part in flown)}"
        raise InvalidInput(Problem("phase", expected, repr(planned.name)))
    before = flown[place - 1].history
    return Beginning(flown[place].phase, flown[place].start_s, before.final, before)


def _number(mission: Mission, name: str | None) -> int:
    names = [phase.name for phase in mission.phases]
    if name is None and len(names) > 1:
        raise InvalidInput(Problem("phase", f"one of {', '.join(names)}", "none named"))
    if name is not None and name not in names:
        raise UnknownName("phase", name, f"mission '{mission.name}'", names)
    return 0 if name is None else names.index(name)


def _obstacles(phase: Phase, switches: tuple[Switch, ...]) -> list[Problem]:
    """Return what may happen in a phase at times that are not known in advance."""
    ends = [event.called for event in phase.events.all if event.ends]
    problems = [Problem(f"phase '{phase.name}'", "no events that end it", ", ".join(ends))] if ends else []
    return problems + ([Problem(f"phase '{phase.name}'", "nothing that is switched", f"{len(switches)}")] if switches else [])
