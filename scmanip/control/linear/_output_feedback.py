"""Any linear law with states of its own on small changes about a state."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, refuse
from ...guidance import JointReference, Sample
from ...plant import Plant
from ...spatial import Array, is_number
from ...system import State
from .._controller import Controller
from .._recorded_law import RecordedLaw
from ._about_state import AboutState, off


@dataclass(frozen=True, eq=False, init=False, repr=False)
class OutputFeedback(AboutState):
    """Command c = c_bar + C x + D y, dx/dt or x+ = A x + B y: a linear system of python-control from what is measured to what
    is commanded.

    It sees of the state what the compensator's inputs name, y, off the state about which it acts, and joints off the reference,
    as z of `StateFeedback`. So observers of `control.lqe` (`analysis.observer_feedback`), controllers of `control.hinfsyn`,
    filters and notches fly. In discrete time it looks as often as the compensator has samples, by itself: it is `Sampled`. In
    continuous time x is part of the state of a run; `Sampled` it goes on exactly under what was measured last
    [Astrom1997].

    plant : the plant that was linearised
    state, command : about which, (N,) or (6 + N,); of None that in which a run begins
    compensator : a `control.StateSpace`; its inputs are named as states of `analysis.linearise` are, its
        outputs as commands. Its sign is that of the command: c = -K y has D = -K
    factor : of all that it adds to c_bar, >= 0

    Raises `InvalidInput` for what is no plant, state, command, compensator with a known period or factor, and for names that
    come twice, `UnknownName` for names that the plant does not have, `ModeMismatch` for a command that nothing can apply.

    >>> import control
    >>> lag = control.ss([[-1.0]], [[1.0]], [[-5.0]], [[0.0]], inputs=["joint1"], outputs=["tau[joint1]"])
    >>> filtered = OutputFeedback(plant, state, [0.0] * 4, lag)
    >>> list(filtered.states)
    ['x[0]']
    """

    compensator: Any
    factor: float

    def __init__(self, plant: Plant, state: State | None, command: ArrayLike, compensator: Any, *, factor: float = 1.0) -> None:
        super().__init__(plant, state, command)
        _refuse_other(compensator)
        refuse([None if is_number(factor) and factor >= 0 else Problem("factor", "a finite number >= 0", repr(factor))])
        whole = len(self.names["inputs"]), len(self.names["states"])
        columns = self.places("states", list(compensator.input_labels))
        rows = self.places("inputs", list(compensator.output_labels))
        n = compensator.nstates
        B, C, D = np.zeros((n, whole[1])), np.zeros((whole[0], n)), np.zeros(whole)
        B[:, columns], C[rows], D[np.ix_(rows, columns)] = compensator.B, factor * compensator.C, factor * compensator.D
        vars(self).update(
            compensator=compensator, factor=float(factor), _parts={"A": np.array(compensator.A), "B": B, "C": C, "D": D}
        )

    @property
    def parts(self) -> Mapping[str, Array]:
        """A (n, n), B (n, m), C (k, n) and D (k, m) of all of z and of the command, in SI."""
        found: Mapping[str, Array] = vars(self)["_parts"]
        return found

    @property
    def flows(self) -> bool:
        """Whether time is continuous."""
        return bool(self.compensator.isctime())

    @property
    def looks_Hz(self) -> float | None:
        """Samples per second of the compensator, None of one in continuous time."""
        return None if self.flows else float(1 / self.compensator.dt)

    @property
    def states(self) -> Mapping[str, str]:
        """The compensator's states, where time is continuous."""
        return dict.fromkeys(self.compensator.state_labels, "1") if self.flows else {}

    def start(self, state: State) -> Array | None:
        """Return the compensator's state (n,), zero, where it is not part of that of a run."""
        return None if self.flows else np.zeros(len(self.parts["A"]))

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command, and the compensator's next state."""
        said, after = _step(self.parts, self.off(t, state, reference), memory)
        return self.about + said, memory if self.flows else after

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return how the compensator's state changes, where time is continuous."""
        return _step(self.parts, self.off(t, state, reference), memory)[1]

    @property
    def steps_itself(self) -> bool:
        """Whether time is continuous: what is measured is held, and it goes on exactly."""
        return self.flows

    def stepped(self, rate_Hz: float) -> Controller:
        """Return the law from sample to sample, with what is measured held in between."""
        import control

        if not self.flows:
            return self
        sampled = control.sample_system(self.compensator, 1 / rate_Hz)
        return OutputFeedback(self.plant, self.state, self.about, sampled, factor=self.factor)

    def at_samples(self, rate_Hz: float, size: int) -> Controller:
        """Return the law as equations of one sample."""
        return self if self.flows else _BySamples(self)

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where time is continuous or it remembers nothing."""
        return _Recorded(self) if self.flows or not self.compensator.nstates else None

    @property
    def settings(self) -> Mapping[str, Any]:
        """The factor, the rate, and the command about which it acts."""
        return {"factor": self.factor, "rate_Hz": self.looks_Hz, "command": self.about}

    def __repr__(self) -> str:
        system = self.compensator
        return f"OutputFeedback({self.plant!r}, {system.ninputs} to {system.noutputs} by {system.nstates} states)"


class _BySamples(OutputFeedback):
    """The same law, asked once a sample, which can be recorded."""

    def __init__(self, law: OutputFeedback) -> None:
        vars(self).update(vars(law))

    def recorded(self) -> RecordedLaw:
        return _Recorded(self)


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: OutputFeedback

    @property
    def key(self) -> Hashable:
        return "output feedback", self.flows, self.law.plant.model.layout, *(each.shape for each in self.law.parts.values())

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.law.parts, "about": self.law.about, "state": self.law.at.x}

    @property
    def flows(self) -> bool:
        return self.law.flows and bool(self.remembers)

    @property
    def remembers(self) -> int:
        return len(self.law.parts["A"])

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        return self.said(x, wanted, numbers, np.zeros(self.remembers))[0]

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        said, after = _step(numbers, off(self.law.plant.model.layout, x, numbers["state"], wanted), memory)
        return numbers["about"] + said, after


def _step(parts: Mapping[str, Array], y: Array, x: Array) -> tuple[Array, Array]:
    """Return what a linear system says, and its next state."""
    return parts["C"] @ x + parts["D"] @ y, parts["A"] @ x + parts["B"] @ y


def _refuse_other(compensator: Any) -> None:
    """Raise `InvalidInput` for what is no linear system with a period that is known."""
    import control

    if not isinstance(compensator, control.StateSpace):
        raise InvalidInput(Problem("compensator", "a control.StateSpace", repr(compensator), hint="control.ss(...) makes one"))
    if compensator.dt is True:
        hint = "control.ss(A, B, C, D, 1 / rate_Hz)"
        raise InvalidInput(
            Problem("compensator", "one with a period of samples, or in continuous time", "dt = True", hint=hint)
        )
