"""What every load that joins a frame to a hand has."""

from __future__ import annotations

from typing import ClassVar

from ...dynamics import Model
from ...loads import Load

HAND_UNITS = {
    **{f"hand_{axis}": "m" for axis in "xyz"},
    **{f"hand_v{axis}": "m/s" for axis in "xyz"},
    **{f"hand_q{axis}": "1" for axis in "xyzw"},
    **{f"hand_w{axis}": "rad/s" for axis in "xyz"},
}
IMPULSE_UNITS = {
    **{f"impulse_{axis}": "N s" for axis in "xyz"},
    **{f"turning_impulse_{axis}": "N m s" for axis in "xyz"},
}


class HandLoad(Load):
    """A load that joins `frame` to a hand; a plant has one at most.

    Its first states, `HAND`, are place, velocity, attitude and turning of the hand, in N [m, m/s, -, rad/s].
    """

    HAND: ClassVar[slice] = slice(0, 13)
    frame: str
    name: str

    @property
    def called(self) -> str:
        """Its name."""
        return self.name

    @property
    def start(self) -> tuple[float, ...]:
        """Zeros, the attitude of the hand being that of N."""
        return tuple(float(name == "hand_qw") for name in self.states)

    def check(self, model: Model) -> None:
        """Raise `UnknownName` for a frame that is none."""
        model.system.frame(self.frame)
