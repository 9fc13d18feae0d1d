"""A joint that turns about up to three axes one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...constraints import Closing, Pinned, Square, aligned
from ...errors import Problem
from ._kind import JointKey, JointKind
from ._motion import Motion
from ._revolute import Turn

if TYPE_CHECKING:
    from ..parts._joint import Joint


WORDS = "one to three letters of 'xyz', neighbours different, such as 'zxz'"


def sequence_problems(key: str, sequence: object) -> list[Problem]:
    """Return what keeps `sequence` from being that of a gimbal."""
    letters = isinstance(sequence, str) and 1 <= len(sequence) <= 3 and set(sequence) <= set("xyz")
    if letters and all(a != b for a, b in pairwise(str(sequence))):
        return []
    return [Problem(key, WORDS, repr(sequence))]


class Gimbal(JointKind):
    """One to three turns about the axes of `sequence`, each fixed to what the earlier ones have turned."""

    name = "gimbal"
    keys: ClassVar[Mapping[str, JointKey]] = {"sequence": JointKey(str, WORDS, sequence_problems)}

    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        return tuple(Turn.about(np.eye(3)["xyz".index(letter)]) for letter in joint.own["sequence"])

    def closings(self, joint: Joint) -> tuple[Closing, ...]:
        axes = [motion.angular[0] for motion in joint.motions]
        held = {1: aligned(axes[0]), 2: (Square(axes[0], axes[-1]),), 3: ()}  # three turn any way
        return (Pinned(), *held[len(axes)])

    def parts(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        letters = given.get("sequence")
        return tuple(map(str, range(1, 1 + min(len(letters), 3)))) if isinstance(letters, str) else ()

    def instead(self, joint: Joint) -> str:
        first, _, last = joint.own["sequence"]
        return f"another sequence, such as '{'zyx' if first == last else 'zxz'}'"
