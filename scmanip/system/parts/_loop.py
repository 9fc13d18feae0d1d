"""A joint that closes a loop of the tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, ClassVar, Self

import numpy as np

from ...actuators import Flaw, Key, Quantity
from ...constraints import (
    NEAR,
    AnyAxis,
    Closing,
    Constraint,
    Frames,
    KindName,
    OwnKeys,
    Rows,
    SeenSystem,
    Structure,
    Within,
    beyond,
)
from ...errors import InvalidSystem, checked_as, nearest, refuse
from ...spatial import Array
from ..joints import KINDS, JointKind
from ._joint import Joint

_FORMS = {list: "vector", str: "name", float: "number"}


@checked_as(InvalidSystem)
@dataclass(frozen=True, eq=False, repr=False)
class Loop(Constraint):
    """Frames a and b move relative to each other as the joint frame and the moved frame of a joint of some kind.

    What holds them together is kept as it is found. Forces are those on b along its rows: of origins that are together and of
    frames that do not turn along N, else in axes of a. By definition rows of [Gillespie2003] eq. 3.

    frames : the names of a, the joint frame, and of b, the moved one
    joint : the name of a kind of joint
    axis : (3,) unit vector in axes of a, of kinds that have one
    own : what its kind needs besides, such as {"pitch_m_rad": 0.01}; in files keys like all others
    tolerance_m, tolerance_rad : by how much the loop may be found open; 1e-3 if not said

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> pin = Loop("close", frames=("rod_end", "pin"), joint="revolute", axis=[0, 0, 1])
    >>> pin.kind, pin.tolerance_m, pin.axis.tolist()
    ('loop', 0.001, [0.0, 0.0, 1.0])
    """

    kind: ClassVar[str] = "loop"

    frames: Frames
    joint: KindName
    axis: AnyAxis = None
    own: OwnKeys = None
    tolerance_m: Within = NEAR
    tolerance_rad: Within = NEAR

    def __post_init__(self) -> None:
        super().__post_init__()
        keys, own = KINDS[self.joint].keys, self.own or {}
        problems = [p for name, value in own.items() for p in keys[name].problems(f"{self.label} {name}", value)]
        refuse(problems, InvalidSystem)

    @classmethod
    def file_keys(cls) -> dict[str, Key]:
        """Return the keys of its table: those of all kinds of joint in place of `own`."""
        keys = dict(cls.keys())
        del keys["own"]
        for kind in KINDS.sound.values():
            for name, key in kind.keys.items():
                keys.setdefault(name, Key(Quantity(key.words, key.problems, form=_FORMS[key.holds]), False))
        return keys

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> Self:
        fields = cls.keys()
        known = {key: value for key, value in table.items() if key in fields}
        own = {key: value for key, value in table.items() if key not in known}
        return cls(**known, own=own or None)

    @classmethod
    def between(cls, given: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield a kind of joint that is none or closes no loops, and keys that it lacks or does not take."""
        word = given.get("joint")
        kind = KINDS.get(word) if isinstance(word, str) else None
        if kind is None:
            if isinstance(word, str) and word:
                yield Flaw("joint", f"one of {', '.join(KINDS)}", repr(word), nearest(word, KINDS))
            return
        own = _own(given)
        yield from (Flaw(name, kind.keys[name].words, "nothing") for name in kind.keys if name not in own)
        yield from (Flaw(name, f"nothing for a {word} joint", repr(own[name])) for name in own if name not in kind.keys)
        with suppress(InvalidSystem, KeyError):  # a joint with wrong keys, which others report
            if kind.closings(_joint(kind, own)) is None:
                yield Flaw("joint", "a kind of joint that closes loops", repr(word))

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return tuple(label for closing in self._closings for label in closing.labels)

    def units(self, structure: Structure) -> tuple[str, ...]:
        return tuple("N m" if closing.turns else "N" for closing in self._closings for _ in closing.labels)

    def kept(self, structure: Structure) -> int:
        return sum(closing.kept for closing in self._closings)

    def found(self, seen: SeenSystem, t: float) -> Array:
        motion = seen.relative(*self.frames)
        return np.concatenate([np.zeros(0), *(closing.found(motion) for closing in self._closings)])

    def unmet(self, seen: SeenSystem) -> Iterator[Flaw]:
        motion = seen.relative(*self.frames)
        for key, tolerance, turns in (("tolerance_m", self.tolerance_m, False), ("tolerance_rad", self.tolerance_rad, True)):
            ways = [closing.open(motion) for closing in self._closings if closing.turns is turns]
            yield from beyond(key, tolerance, float(np.linalg.norm(ways)))

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        motion = seen.relative(*self.frames)
        each = [c.rows(motion, part) for c, part in self._parts(kept, [c.kept for c in self._closings])]
        return Rows.below(each, len(seen.u))

    def forces(self, seen: SeenSystem, multipliers: Array) -> Array:
        motion = seen.relative(*self.frames)
        parts = self._parts(multipliers, [len(c.labels) for c in self._closings])
        return np.concatenate([multipliers[:0], *(c.forces(motion, part) for c, part in parts)])

    def _parts(self, numbers: Array, counts: Sequence[int]) -> Iterator[tuple[Closing, Array]]:
        """Yield each piece with its own of numbers of all."""
        ends = pairwise(accumulate(counts, initial=0))
        return ((closing, numbers[slice(*at)]) for closing, at in zip(self._closings, ends, strict=True))

    @cached_property
    def _closings(self) -> tuple[Closing, ...]:
        kind = KINDS[self.joint]
        return kind.closings(_joint(kind, _own(self.given()))) or ()


def _own(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is said of keys of kinds of joints, in Python or in a file."""
    known = {name for kind in KINDS.sound.values() for name in kind.keys}
    own = given.get("own")
    return {**(own if isinstance(own, Mapping) else {}), **{key: value for key, value in given.items() if key in known}}


def _joint(kind: JointKind, own: Mapping[str, Any]) -> Joint:
    keys = dict(own)
    axis = {"axis": keys.pop("axis")} if "axis" in keys else {}
    return Joint(kind.name, kind, **axis, own=keys)
