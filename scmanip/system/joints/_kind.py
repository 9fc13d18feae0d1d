"""What a kind of joint says of itself."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ...constraints import Closing
from ...errors import Problem, misfits
from ...spatial import axis_problems
from ._motion import Motion

if TYPE_CHECKING:
    from ..parts._joint import Joint

# (what, unit of the coordinate) -> units of its keys in a file
_UNITS: dict[tuple[str, str], tuple[str, ...]] = {
    ("lower", "rad"): ("rad", "deg"),
    ("upper", "rad"): ("rad", "deg"),
    ("stiffness", "rad"): ("Nm_rad", "Nm_deg"),
    ("damping", "rad"): ("Nms_rad", "Nms_deg"),
    ("lower", "m"): ("m",),
    ("upper", "m"): ("m",),
    ("stiffness", "m"): ("N_m",),
    ("damping", "m"): ("Ns_m",),
}
NOTHING = {"lower": -math.inf, "upper": math.inf, "stiffness": 0.0, "damping": 0.0}  # what a joint has that has none


@dataclass(frozen=True)
class JointKey:
    """A key of a table that a kind needs: `str`, `float`, or `list` for 3 numbers, what it takes in words, and its check.

    >>> key = KINDS["screw"].keys["pitch_m_rad"]
    >>> key.holds.__name__, key.words
    ('float', 'a finite number')
    """

    holds: type
    words: str
    problems: Callable[[str, Any], list[Problem]]


AXIS = JointKey(list, "a unit vector of 3 numbers", axis_problems)


class JointKind(ABC):
    """A kind of joint; what its joints have of their own, such as an axis, it reads from the `Joint`.

    name : the `type` of a joint in a file
    keys : of its table, which its joints need and have in `Joint.own`, an `axis` beside
    passive : what it may have of "lower", "upper", "stiffness", "damping"
    freedoms : per number that it takes of these a prefix of its key ("" where there is one for all freedoms), and "rad" or "m"
    in_arms : whether a link of an arm in Denavit-Hartenberg parameters may be so; then it moves about or along one axis
    motors : whether a motor can drive it
    grounded : whether it has the ground for a parent and is nowhere placed: it carries a body that nothing holds

    >>> class Hinge(JointKind):
    ...     name = "hinge"
    ...
    ...     def motions(self, joint):
    ...         return (Turn.about(joint.axis),)
    >>> hinge = Joint("door", Hinge(), axis=[0, 1, 0])
    >>> hinge.dof, hinge.motions[0].angular.tolist()
    (1, [[0.0, 1.0, 0.0]])
    """

    name: ClassVar[str]
    keys: ClassVar[Mapping[str, JointKey]] = {}
    passive: ClassVar[tuple[str, ...]] = ("lower", "upper", "stiffness", "damping")
    freedoms: ClassVar[tuple[tuple[str, str], ...]] = (("", "rad"),)
    in_arms: ClassVar[bool] = False
    motors: ClassVar[bool] = False
    grounded: ClassVar[bool] = False

    @abstractmethod
    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        """Return the elementary motions of a joint, from the parent outwards."""

    def closings(self, joint: Joint) -> tuple[Closing, ...] | None:
        """Return what holds between the joint frame and the moved one, however it moves; None where it cannot close a loop."""
        return None

    def parts(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what the coordinates are called behind the joint's name, none where they are called as the joint.

        given : what a joint has of its own, or keys of a file that nobody has checked
        """
        return ()

    def rates(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what the freedoms are called likewise; the first of the coordinates' names where nothing else is said."""
        return self.parts(given)

    def dof(self, given: Mapping[str, Any]) -> int:
        """Return the number of freedoms; `given` as in `parts`."""
        return len(self.parts(given)) or 1

    def instead(self, joint: Joint) -> str:
        """Return what does not lock where a joint of three turns does."""
        return "other axes"

    def passive_keys(self, what: str, number: int) -> tuple[str, ...]:
        """Return the keys of one number, one per unit; what : such as "lower"."""
        prefix, unit = self.freedoms[number]
        return tuple(f"{what}_{prefix}{suffix}" for suffix in _UNITS[what, unit])

    def passive_number(self, what: str, number: int, table: Mapping[str, Any]) -> tuple[str, float] | None:
        """Return the key and the number in SI that a table has, None where it has none."""
        for key in self.passive_keys(what, number):
            if table.get(key) is not None:
                per_angle = math.degrees if what in ("stiffness", "damping") else math.radians
                return key, per_angle(table[key]) if key.endswith("_deg") else table[key]
        return None


def kind_problems(kind: JointKind) -> list[Problem]:
    """Return what is wrong with what a kind of joint says of itself."""
    if wrong := misfits(kind):
        return wrong
    keys: Any = kind.keys
    fit = {
        "name": (isinstance(kind.name, str), "a text"),
        "keys": (isinstance(keys, Mapping) and all(isinstance(k, JointKey) for k in keys.values()), "JointKeys by name"),
        "freedoms": (_are_freedoms(kind.freedoms), "pairs of a prefix and 'rad' or 'm'"),
    }
    found = {name: expected for name, (fits, expected) in fit.items() if not fits}
    return [Problem(f"{type(kind).__name__}.{name}", expected, repr(getattr(kind, name))) for name, expected in found.items()]


def _are_freedoms(given: Any) -> bool:
    pairs = given if isinstance(given, tuple | list) else (None,)
    return all(isinstance(one, tuple) and len(one) == 2 and one[1] in ("rad", "m") for one in pairs)
