"""A phase of a mission as programs and numbers, with which it runs without this library."""

from __future__ import annotations

from ..errors import InvalidInput, Problem, UnknownName, refuse
from ..simulation import LoopPrograms, Switch, loop_programs
from ._mission import Mission
from .phases._phase import Phase
from .phases._switching import switches_of


def phase_loop(mission: Mission, name: str | None = None) -> LoopPrograms:
    """Return a phase of a mission; what is before it is flown first. Its clock is its own.

    name : of the phase; may be left out where there is one alone

    Raises `InvalidInput` for events that may end it, constraints and loads that are switched in it, and what `loop_programs`
    refuses; for a phase that the mission does not come to.
    """
    number = _number(mission, name)
    planned = mission.phases[number]
    if number == 0:
        start_s, before, state = 0.0, None, mission.initial
        phase = planned.begun(state, state.q)
    else:
        flown = mission.run().flown
        place = next((k for k, part in enumerate(flown) if part.number == number and k), None)
        if place is None:
            expected = f"a phase that the mission comes to, one of {', '.join(part.phase.name for part in flown)}"
            raise InvalidInput(Problem("phase", expected, repr(planned.name)))
        before = flown[place - 1].history
        start_s, state, phase = flown[place].start_s, before.final, flown[place].phase
    refuse(_obstacles(phase, switches_of(phase, start_s, mission.switches)))
    plant = mission.plant(phase, start_s, before)
    return loop_programs(plant, phase.controller, state, reference=phase.reference, t_end_s=phase.t_end_s)


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
