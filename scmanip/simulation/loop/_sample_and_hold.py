"""Commands of a sampled law, each held until the next sample."""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeGuard, cast

import numpy as np

from ...control import Controller, Sampled, Wrapper, numbers_of
from ...errors import Infeasible
from ...guidance import RecordableReference, Sample, recorded_form
from ...navigation import Instant, Known, Observation
from ...spatial import Array, finite, real
from ...system import State
from ..equations._sampled_command import SampledCommand
from ..events._outcome import Ending, Outcome
from ._carried import Carried
from ._command import blame, commanded, finite_at_start
from ._setup import Setup

CLOSE = 1e-9  # of a period: output times that are times of sampling but for rounding


class SampleAndHold:
    """The memory of a sampled run.

    held : the latest command
    """

    def __init__(self, setup: Setup, law: Sampled) -> None:
        self._setup, self._law = setup, law
        self._told = None if setup.pair is None else _told(setup, law.law)
        before = setup.carried or Carried(law.start(setup.state0))
        self._memory, self._times, self._commands = before.memory, [*before.times], [*before.commands]
        self._known = [*before.known]
        self.held = before.commands[-1] if before.commands else np.empty(0)

    @property
    def carried(self) -> Carried:
        """What the law takes along."""
        return Carried(self._memory, tuple(self._times), tuple(self._commands), tuple(self._known))

    @property
    def looked_s(self) -> float | None:
        """When the law looked last [s]; None before it did."""
        return self._times[-1] if self._times else None

    def sample(self, t: float, state: State) -> Ending | None:
        """Ask the law if `t` is the time to do so; return why the run must end where it has no answer."""
        if not self._law.is_sample(t):
            return None
        if self._setup.observation is not None:
            state = self._seen(self._setup.observation, t, state)
        try:
            self._hear(t, state)
        except Infeasible as infeasible:
            if not self._commands:  # what is held where nothing was said yet
                self.held = np.zeros(self._setup.model.layout.N)
                self._times.append(t)
                self._commands.append(self.held)
            return Ending(Outcome.INFEASIBLE, f"at t = {t:.9g} s: {infeasible}")
        self._times.append(t)
        self._commands.append(self.held)
        if isfinite(sum(self.held.tolist())) or finite(self.held):  # in a hurry
            return None
        finite_at_start(t, self.held)
        return Ending(Outcome.NOT_FINITE, blame(self._wanted(t), t, self.held, self._setup.model.layout.N))

    def _hear(self, t: float, state: State) -> None:
        """Ask the law."""
        if self._told is None:
            self.held, self._memory = commanded(self._setup, t, state, self._wanted(t), self._memory)
        else:
            self.held, self._memory = self._told.command(t, state, None, self._memory)
            if not self._commands:
                self._setup.plant.mode.check_command(self._setup.model.layout, self.held, t)

    def _seen(self, observation: Observation, t: float, state: State) -> State:
        """Return what the law sees of a state."""
        last = self._known[-1][1] if self._known else None
        known = observation.look(Instant(self._setup.plant, t, state, self.held), self._law.rate_Hz, last)
        if self._known and not self._shown(self._known[-1][0], t):
            self._known.pop()
        self._known.append((t, known))
        return known.state

    def _shown(self, since: float, t: float) -> bool:
        """Whether an output lies between two times of sampling [s], the first of which belongs to it."""
        first, end = np.searchsorted(self._setup.samples, np.array([since, t]) - CLOSE / self._law.rate_Hz)
        return bool(first < end)

    def known(self, times: Array) -> list[Known]:
        """Return what was known at each of the times (k,) [s]."""
        before = np.searchsorted([t for t, _ in self._known], times + CLOSE / self._law.rate_Hz, side="right") - 1
        return [self._known[max(k, 0)][1] for k in before.tolist()]

    def _wanted(self, t: float) -> Sample | None:
        return None if self._setup.reference is None else self._setup.reference.at(t)

    def commands(self, times: Array) -> list[Array]:
        """Return the commands that led to each of the times (k,) [s]."""
        before = np.searchsorted(self._times, self.led_to(times)) - 1
        return [self._commands[max(k, 0)] for k in before.tolist()]

    def led_to(self, times: Array) -> Array:
        """Return times (k,) [s] a little before: what is sampled at them is known only after."""
        return times - CLOSE / self._law.rate_Hz


class HeldAgain(SampleAndHold):
    """The commands of a sampled run that was flown already, without its law as far as that went."""

    def __init__(self, setup: Setup, law: Sampled, flown: SampleAndHold) -> None:
        super().__init__(setup, law)
        begun = len(self._times)
        self._said = dict(zip(flown._times[begun:], flown._commands[begun:], strict=True))

    def _hear(self, t: float, state: State) -> None:
        """Hold what was held."""
        if t in self._said:
            self.held = self._said[t]
        else:
            super()._hear(t, state)


class _Told(Controller):
    """A law by a program of its own, with the reference that it follows in it."""

    def __init__(self, parts: SampledCommand, reference: RecordableReference) -> None:
        program = parts.compiled
        self._reference, self._numbers = reference, tuple(numbers_of(parts.law).values())
        self._shape, self._evaluate = program.program.outputs[0].shape, program.function
        self._remembers = parts.law.remembers > 0

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        del reference
        command, given = np.empty(self._shape), (np.array(t), state.x, real(self._reference.numbers(t)))
        if not self._remembers:
            self._evaluate(*given, *self._numbers, command)
            return command, memory
        after = np.empty_like(memory)
        self._evaluate(*given, memory, *self._numbers, command, after)
        return command, after


def said_by(setup: Setup, law: Controller) -> SampledCommand | None:
    """Return what is recorded of a law, or of the one that it wraps; None where law or reference is not recorded."""
    said = _recorded(setup, law)
    return said_by(setup, law.law) if said is None and asks_inside(law) else said


def _told(setup: Setup, law: Controller) -> Controller | None:
    """Return a law with what is recorded of it as a program; None where law or reference is not recorded."""
    said = _recorded(setup, law)
    if said is not None and _in_a_row(law.start(setup.state0), said.law.remembers):
        return _Told(said, cast(RecordableReference, setup.reference))
    inner = _told(setup, law.law) if asks_inside(law) else None
    return None if inner is None else law.around((inner,))


def _in_a_row(memory: Any, size: int) -> bool:
    """Whether a law remembers in Python what its equations do: nothing, or an array (size,)."""
    return not size or (isinstance(memory, np.ndarray) and memory.shape == (size,))


def _recorded(setup: Setup, law: Controller) -> SampledCommand | None:
    return SampledCommand.of(setup.model, setup.frame.layout, law, recorded_form(setup.reference))


def asks_inside(law: Controller) -> TypeGuard[Wrapper]:
    """Whether a law asks the one inside what it is asked itself."""
    return isinstance(law, Wrapper) and law.asks_as_asked
