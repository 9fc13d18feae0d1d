"""What a law remembers as part of the state of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidInput, Problem, checked, expect
from ..guidance import Sample
from ..plant import LAW, Plant
from ..spatial import Array, real
from ..system import State

if TYPE_CHECKING:
    from ._controller import Controller

NOTHING: Mapping[str, Array] = {}


def refuse_two_memories(law: Controller, state: State) -> None:
    """Raise `InvalidInput` for a law that remembers something as part of the state of a run, and something else from command
    to command.
    """
    if law.states and law.start(state) is not None:
        hint = "a delay goes around a law that is sampled, Sampled(Delayed(law, delay_s=...), rate_Hz=...)"
        raise InvalidInput(Problem("controller", "a law with one kind of memory", f"both kinds in {law.kind}", hint=hint))


def begun_memory(law: Controller, state: State) -> Array:
    """Return what a law remembers as part of the state (k,) where a run begins; raises `InvalidInput` for what is none."""
    own = _row(law.state_0(state))
    if own is None or own.shape != (len(law.states),) or not np.isfinite(own).all():
        expected = f"{len(law.states)} finite numbers, one per state {', '.join(law.states)}"
        raise InvalidInput(Problem(f"state_0 of {law.kind}", expected, str(None if own is None else own.tolist())))
    return own


def memory_rates(law: Controller, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
    """Return how that, `memory` (k,), changes at a time [s]; raises `InvalidInput` likewise."""
    rates = _row(law.state_rate(t, state, reference, memory))
    if rates is None or rates.shape != memory.shape:
        expected = f"{len(memory)}, one per state {', '.join(law.states)}"
        found = "no numbers" if rates is None else f"shape {rates.shape}"
        raise InvalidInput(Problem(f"state_rate of {law.kind}", expected, found))
    return rates


def _row(said: Any) -> Array | None:
    try:
        return real(said)
    except (TypeError, ValueError):
        return None


@checked
def with_memory(plant: Plant, law: Controller, state: State, known: Mapping[str, Array] = NOTHING) -> tuple[Plant, State]:
    """Return a plant with room for what a law remembers as part of the state, and a state with what that begins with.

    known : states (k,) by name, such as `State.actuators`; where all of the memory is among them it goes on from there
    Raises `InvalidInput` for what is no such memory, or not alone.

    >>> integral = Integral(law, K_I=1.0)
    >>> roomy, begun = with_memory(plant, integral, state)
    >>> [name for name, _ in roomy.memory], begun.x.size - state.x.size
    (['law.integral_tau[joint1]', 'law.integral_tau[joint2]', 'law.integral_tau[joint3]', 'law.integral_tau[joint4]'], 4)
    """
    if not law.states:
        return plant, state
    expect(f"states of {law.kind}", law.states, Mapping, "names with their units")
    refuse_two_memories(law, state)
    names = [LAW + name for name in law.states]
    there = all(name in known for name in names)
    own = np.concatenate([known[name] for name in names]) if there else begun_memory(law, state)
    plant = plant.remembering(law.states)
    return plant, State.of_unit(np.concatenate([state.x, own]), plant.layout)
