"""Any linear law in discrete time on small changes about a state."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem
from ...guidance import JointReference, Sample
from ...plant import Plant
from ...spatial import Array
from ...system import State
from .._controller import Controller
from .._recorded_law import RecordedLaw
from ._about_state import AboutState, off


@dataclass(frozen=True, eq=False, init=False, repr=False)
class OutputFeedback(AboutState):
    """Command c = c_bar + C x + D y, x+ = A x + B y: a linear system of python-control between what is measured and commanded.

    It sees of the state what the compensator's inputs name, y, off the state about which it acts, and joints off the reference,
    as z of `StateFeedback`. So observers with `control.dlqe` (`analysis.observer_feedback`), controllers of `control.hinfsyn`,
    filters and notches fly. It looks as often as the compensator has samples, by itself: it is a `Sampled` law.

    plant : the plant that was linearised
    state, command : about which, (N,) or (6 + N,); of None that in which a run begins
    compensator : a `control.StateSpace` in discrete time; its inputs are named as states of `analysis.linearise` are, its
        outputs as commands. Its sign is that of the command: c = -K y has D = -K
    """

    compensator: Any

    def __init__(self, plant: Plant, state: State | None, command: ArrayLike, compensator: Any) -> None:
        super().__init__(plant, state, command)
        _refuse_other(compensator)
        whole = len(self.names["inputs"]), len(self.names["states"])
        columns = self.places("states", list(compensator.input_labels))
        rows = self.places("inputs", list(compensator.output_labels))
        n = compensator.nstates
        B, C, D = np.zeros((n, whole[1])), np.zeros((whole[0], n)), np.zeros(whole)
        B[:, columns], C[rows], D[np.ix_(rows, columns)] = compensator.B, compensator.C, compensator.D
        vars(self).update(compensator=compensator, _parts={"A": np.array(compensator.A), "B": B, "C": C, "D": D})

    @property
    def parts(self) -> Mapping[str, Array]:
        """A (n, n), B (n, m), C (k, n) and D (k, m) of all of z and of the command."""
        found: Mapping[str, Array] = vars(self)["_parts"]
        return found

    @property
    def looks_Hz(self) -> float:
        """Samples per second of the compensator."""
        return float(1 / self.compensator.dt)

    def start(self, state: State) -> Array:
        """Return the compensator's state, zero."""
        return np.zeros(len(self.parts["A"]))

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command, and the compensator's next state."""
        said, after = _step(self.parts, self.off(t, state, reference), memory)
        return self.about + said, after

    def at_samples(self, rate_Hz: float, size: int) -> Controller:
        """Return the law as equations of one sample."""
        return _BySamples(self)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The rate, and the command about which it acts."""
        return {"rate_Hz": self.looks_Hz, "command": self.about}

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
        return "output feedback", self.law.plant.model.layout, *(each.shape for each in self.law.parts.values())

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.law.parts, "about": self.law.about, "state": self.law.at.x}

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
    """Raise `InvalidInput` for what is no linear system from sample to sample."""
    import control

    if not isinstance(compensator, control.StateSpace):
        raise InvalidInput(Problem("compensator", "a control.StateSpace", repr(compensator), hint="control.ss(...) makes one"))
    if compensator.isctime() or compensator.dt is True:
        hint = 'control.sample_system(compensator, 1 / rate_Hz, method="bilinear") makes one of continuous time'
        raise InvalidInput(Problem("compensator", "one with a period of samples, dt > 0", f"dt = {compensator.dt}", hint=hint))
