"""State feedback on small changes about a state [Anderson1990]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import Problem, refuse
from ...guidance import JointReference, Sample
from ...plant import Plant
from ...spatial import Array, array_problems, is_number
from ...system import State
from .._recorded_law import RecordedLaw
from ._about_state import AboutState, off


@dataclass(frozen=True, eq=False, init=False, repr=False)
class StateFeedback(AboutState):
    """Command c = c_bar - K z, where z is what the state is off a state, as `analysis.linearise` has it [Anderson1990].

        z = [r_0 - r_0_bar; theta; q - q_D; v_0 - v_0_bar; omega_0 - omega_0_bar; qdot - qdot_D; those of actuators]

    theta is 2 sin(angle / 2) about the axis, in N, of the turn from the attitude of the state; q_D is that of the reference, of
    the state where there is none. So gains of `control.lqr` and `control.place` fly.

    plant : the plant that was linearised
    state, command : about which, (N,) or (6 + N,); of None that in which a run begins
    gain : K (k, m) in SI, of which the m columns belong to `states` and the k rows to `inputs`
    factor : of all of it, >= 0
    states, inputs : their names, such as `linear.state_labels` and `linear.input_labels`, in axes of N; all others have none

    Raises `InvalidInput` for what is no plant, state or command, another shape of K, a factor that is none and names that come
    twice, `UnknownName` for names that the plant does not have, `ModeMismatch` for a command that nothing can apply.

    >>> angles, torques = ["joint1", "joint2"], ["tau[joint1]", "tau[joint2]"]
    >>> home = scmanip.State.at_rest(system, q=[0.0] * 4)
    >>> pull = StateFeedback(plant, home, [0.0] * 4, 5.0 * np.eye(2), states=angles, inputs=torques)
    >>> pull.names["inputs"]
    ['tau[joint1]', 'tau[joint2]', 'tau[joint3]', 'tau[joint4]']
    >>> pull.command(0.0, state, None, None)[0].tolist()
    [0.0, -1.5, 0.0, 0.0]
    """

    gain: Array
    factor: float

    def __init__(
        self,
        plant: Plant,
        state: State | None,
        command: ArrayLike,
        gain: ArrayLike,
        *,
        states: Sequence[str],
        inputs: Sequence[str],
        factor: float = 1.0,
    ) -> None:
        super().__init__(plant, state, command)
        columns, rows = self.places("states", states), self.places("inputs", inputs)
        factors = [] if is_number(factor) and factor >= 0 else [Problem("factor", "a finite number >= 0", repr(factor))]
        refuse([*array_problems("gain", gain, (len(rows), len(columns))), *factors])
        whole = np.zeros((len(self.names["inputs"]), len(self.names["states"])))
        whole[np.ix_(rows, columns)] = gain
        vars(self).update(gain=whole, factor=float(factor))

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command, and the memory unchanged."""
        return self.about - self.factor * self.gain @ self.off(t, state, reference), memory

    @property
    def settings(self) -> Mapping[str, Any]:
        """The gain, its factor, and the command about which it acts."""
        return {"gain": self.gain, "factor": self.factor, "command": self.about}

    def recorded(self) -> RecordedLaw:
        return _Recorded(self)

    def __repr__(self) -> str:
        return f"StateFeedback({self.plant!r}, gain {self.gain.shape})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: StateFeedback

    @property
    def key(self) -> Hashable:
        return "state feedback", self.law.plant.model.layout, self.law.gain.shape

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {"gain": self.law.factor * self.law.gain, "about": self.law.about, "state": self.law.at.x}

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        z = off(self.law.plant.model.layout, x, numbers["state"], wanted)
        return numbers["about"] - numbers["gain"] @ z
