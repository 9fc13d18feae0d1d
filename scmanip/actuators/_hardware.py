"""What actuators are mounted on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import checked


class Flaw(NamedTuple):
    """What is wrong with one key of an actuator, in the words of a `Problem`.

    >>> hardware = ActuatorHost(fixed=False, joints={"elbow": True})
    >>> next(Motor.mounting({"joint": "elbov"}, hardware))
    Flaw(key='joint', expected='the name of a revolute joint', found="'elbov'", hint="did you mean 'elbow'?")
    """

    key: str
    expected: str
    found: str
    hint: str = ""


@checked
@dataclass(frozen=True)
class ActuatorHost:
    """The system as its actuators see it.

    fixed : whether the base is held
    bodies : names; None where not all of them can be read, so that nothing is said of them
    joints : whether each turns about one axis, by name; None likewise
    free : names of the bodies and joints of other trees than the base's, which no actuator moves

    >>> ActuatorHost(fixed=False, bodies=("base", "link"), joints={"elbow": True, "rail": False}).turning
    ['elbow']
    """

    fixed: bool
    bodies: Collection[str] | None = None
    joints: Mapping[str, bool] | None = None
    free: Collection[str] = ()

    @property
    def turning(self) -> list[str]:
        """Names of the joints that turn about one axis."""
        return [name for name, turns in (self.joints or {}).items() if turns]
