"""What constraints can refer to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..errors import checked
from ._seen import GROUND

Moves = tuple[str, Sequence[tuple[str, str]], bool]


@checked
@dataclass(frozen=True)
class Surroundings:
    """The names in a system; None where not all of them can be read, so that nothing is said of them.

    frames : of frames, bodies and their centres of mass
    joints : units of the freedoms, "rad" or "m", by name of the joint
    freedoms : whose coordinates are numbers of their own
    speeds : as the dynamics have them, `v_0.x`

    >>> around = Surroundings(frames=("base", "tip"), joints={"joint1": ("rad",)})
    >>> sorted(around.names("frame")), around.names("joint")
    (['base', 'ground', 'tip'], {'joint1': ('rad',)})
    """

    frames: Collection[str] | None = None
    joints: Mapping[str, tuple[str, ...]] | None = None
    freedoms: Collection[str] | None = None
    speeds: Collection[str] | None = None

    @classmethod
    def of(cls, base_speeds: Sequence[str], frames: Collection[str], joints: Iterable[Moves]) -> Surroundings:
        """Return those of a system; joints : per moving joint its name, names and units of its freedoms, and whether these are
        the rates of its coordinates."""
        moving = list(joints)
        return cls(
            frames,
            {name: tuple(unit for _, unit in freedoms) for name, freedoms, _ in moving},
            [name for _, freedoms, single in moving if single for name, _ in freedoms],
            [*base_speeds, *(name for _, freedoms, _ in moving for name, _ in freedoms)],
        )

    def names(self, sort: str) -> Collection[str] | None:
        """Return the names of a sort, "frame", "joint", "freedom" or "speed"."""
        if sort == "frame":
            return None if self.frames is None else {*self.frames, GROUND}
        return {"joint": self.joints, "freedom": self.freedoms, "speed": self.speeds}[sort]
