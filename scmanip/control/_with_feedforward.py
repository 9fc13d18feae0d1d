"""A computed-torque law that knows the desired acceleration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidInput, Problem
from ..guidance import Sample
from ..spatial import Array
from ..system import State
from ._computed_torque import ComputedTorque, recorded_computed_torque
from ._controller import Wrapper
from ._recorded_law import RecordedLaw


@dataclass(frozen=True)
class WithFeedforward(Wrapper):
    """`law` with the desired acceleration added to its input: u + qddot_D in [Wilde2018] eq. 115.

    With a perfect estimate the tracking error then obeys e'' + K_D e' + K_P e = 0.

    law : whose input it completes

    Raises `InvalidInput` for another law.

    >>> sample = reference.at(0.5)
    >>> with_it, _ = WithFeedforward(law).command(0.5, state, sample, None)
    >>> without, _ = law.command(0.5, state, sample, None)
    >>> np.allclose(with_it - without, model.H(state) @ sample.qddot)
    True
    """

    law: ComputedTorque

    def __post_init__(self) -> None:
        law: Any = self.law
        if not isinstance(law, ComputedTorque):
            raise InvalidInput(Problem("law", "a ComputedTorque object", repr(law)))

    @property
    def settings(self) -> Mapping[str, Any]:
        return {**self.law.settings, "feedforward": True}

    @property
    def equations(self) -> tuple[str, ...]:
        """Those of the law inside, and the acceleration."""
        return (*self.law.equations, "feedforward")

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the joint forces (N,) [N m or N] and the memory unchanged."""
        wanted = self.law.wanted(t, state, reference)
        return self.law.torque(state, self.law.towards(state, wanted) + wanted.qddot), memory

    def recorded(self) -> RecordedLaw | None:
        return recorded_computed_torque(self.law, feedforward=True)
