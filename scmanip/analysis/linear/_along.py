"""Linear systems along a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...control import Controller
from ...errors import InvalidInput, Problem, checked, expect
from ...guidance import ReferenceMotion
from ...plant import Plant
from ...simulation import History
from ._linearise import linearise
from ._outputs import USUAL


class At(NamedTuple):
    """A linear system, a `control.StateSpace`, at a time of a run [s]."""

    t: float
    system: Any


@checked
def linearise_along(
    plant: Plant,
    history: History,
    controller: Controller,
    reference: ReferenceMotion | None = None,
    *,
    every: int = 1,
    outputs: Sequence[str] = USUAL,
    axes: str = "inertial",
    rate_Hz: float | None = None,
    delay_s: float = 0.0,
) -> list[At]:
    """Return the closed loop about the states of a run: small changes beside its motion, which is none of rest.

    plant, controller, reference : of the run
    every : at every how many of its outputs
    outputs, axes, rate_Hz, delay_s : as of `linearise`, which raises what is raised

    >>> stops = linearise_along(plant, history, law, reference, every=2)
    >>> [stop.t for stop in stops]
    [0.0, 1.0, 2.0]
    """
    expect("history", history, History, "a History")
    if not (isinstance(every, int) and every > 0):
        raise InvalidInput(Problem("every", "a whole number from 1", repr(every)))
    command = [0.0] * (plant.mode.command_size(plant.layout))
    common: dict[str, Any] = {"outputs": outputs, "axes": axes, "rate_Hz": rate_Hz, "delay_s": delay_s}
    found = []
    for k in range(0, len(history.t), every):
        t, state = float(history.t[k]), history.states[k]
        found.append(At(t, linearise(plant, state, command, controller=controller, reference=reference, t=t, **common)))
    return found
