"""When constraints come and go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller
from ...errors import InvalidInput, Problem, UnknownName, checked, expect
from ...loads import Load
from ...spatial import array_problems, is_number
from ...system import System
from ..events._event import Event
from ._strike import Strike

MOST_SETS = 16  # of constraints for which code is made ahead
SWITCHED = ("impose", "release", "engage", "inhibit")


@checked
@dataclass(frozen=True)
class Switch:
    """Constraints that begin or cease to hold, and loads to act, at a time or whenever an event happens.

    t_s : when [s]; event : the name of an event of the run; one of the two
    impose, release : names of constraints of the system, one or several
    strike : an impact of shapes that meet then
    engage, inhibit : names of loads of the plant, one or several
    push_off_m_s : (3,) velocity that a spring gives the second frame of the one constraint that is released relative to the
        first, in axes of that; nothing where it did not hold

    What begins to hold does so plastically: speeds jump by the impulses that this takes, places do not. Raises `InvalidInput`
    for what is of another kind.

    Raises `InvalidInput` for what are no names.

    >>> grasp = Switch(t_s=5.0, impose="grasp", release=["hold"])
    >>> grasp.after(["hold"])
    ('grasp',)
    """

    t_s: float | None = None
    event: str = ""
    impose: str | Sequence[str] = ()
    release: str | Sequence[str] = ()
    strike: Strike | None = None
    engage: str | Sequence[str] = ()
    inhibit: str | Sequence[str] = ()
    push_off_m_s: ArrayLike = ()

    def __post_init__(self) -> None:
        for name in SWITCHED:
            given: Any = getattr(self, name)
            expect(f"Switch {name}", given, Iterable, "a name, or a sequence of names")
            vars(self)[name] = (given,) if isinstance(given, str) else tuple(given)
        if isinstance(self.push_off_m_s, Iterable) and not isinstance(self.push_off_m_s, str):
            vars(self)["push_off_m_s"] = tuple(self.push_off_m_s)
        if is_number(self.t_s):
            vars(self)["t_s"] = float(self.t_s)  # type: ignore[arg-type]

    def after(self, active: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the constraints that hold after it, of those that held before."""
        return tuple(dict.fromkeys([*(name for name in active if name not in self.release), *self.impose]))

    def inhibiting(self, inhibited: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the loads that do not act after it, of those that did not before."""
        return tuple(dict.fromkeys([*(name for name in inhibited if name not in self.engage), *self.inhibit]))

    def problems(
        self, system: System, events: Sequence[Event], t_end_s: float, loads: Sequence[Load] = ()
    ) -> Iterator[Problem]:
        """Yield what does not fit a run; raises `UnknownName` for names that its system, events and loads do not have."""
        if (self.t_s is None) is not bool(self.event):
            yield Problem("Switch", "one of t_s and event", repr(self))
        elif self.t_s is not None and not (is_number(self.t_s) and 0 <= self.t_s < t_end_s):
            yield Problem("Switch t_s", f"a number from 0 to less than {t_end_s:g}, where the run ends", repr(self.t_s))
        if not (self.strike or any(getattr(self, key) for key in SWITCHED)):
            yield Problem("Switch", "something to impose, release, engage or inhibit, or a strike", repr(self))
        expect("Switch strike", self.strike, Strike | None, "a Strike or None")
        if self.strike:
            self.strike.check(system)
        both = [name for name in self.impose if name in self.release]
        if both:
            yield Problem("Switch", "constraints to impose that are not released as well", ", ".join(both))
        if self.push_off_m_s != ():
            yield from push_off_problems("Switch push_off_m_s", self.push_off_m_s, self.release, system)
        both = [name for name in self.engage if name in self.inhibit]
        if both:
            yield Problem("Switch", "loads to engage that are not inhibited as well", ", ".join(both))
        acting = [load.called for load in loads]
        for name in (*self.engage, *self.inhibit):
            if name not in acting:
                raise UnknownName("load", name, "this run", acting)
        for name in (*self.impose, *self.release):
            system.constraint(name)
        named = [event.called for event in events]
        if self.event and self.event not in named:
            raise UnknownName("event", self.event, "this run", named)
        if named.count(self.event) > 1:
            yield Problem("Switch event", "the name of one event", f"'{self.event}', which {named.count(self.event)} have")


def sets_after(active: tuple[str, ...], switches: Sequence[Switch]) -> list[tuple[str, ...]]:
    """Return the sets of constraints that switches can bring about, in any order, that which holds before them first.

    >>> sets_after(("hold",), [Switch(t_s=5.0, impose="grasp", release="hold")])
    [('hold',), ('grasp',)]
    """
    sets = [active]
    for names in sets:  # which grows
        new = dict.fromkeys(switch.after(names) for switch in switches)
        sets += [names for names in new if names not in sets][: MOST_SETS - len(sets)]
    return sets


def unknown_problems(law: Controller, key: str, sets: Collection[Sequence[str]]) -> list[Problem]:
    """Return a problem for every constraint that a law is to know, and cannot, in sets that may hold together.

    With it one for every constraint that it takes to hold and that none of them has.

    >>> unknown_problems(law, "controller", [()])
    []
    """
    unknown = {name: why for names in sets for name, why in law.unknown(names).items()}
    expected = "grasps that hold free bodies rigidly, each by one constraint, for a law that knows what it carries"
    idle = [name for name in law.needs if not any(name in names for names in sets)]
    never = [Problem(key, f"constraint {name!r} imposed, of which a law wants a force", "it never holds") for name in idle]
    return [Problem(key, expected, f"{name!r}: {why}") for name, why in unknown.items()] + never


@checked
def push_off_problems(key: str, velocity: Any, release: Sequence[str], system: System) -> list[Problem]:
    """Return what keeps a release from pushing off; raises `UnknownName`.

    >>> [problem.expected for problem in push_off_problems("push_off_m_s", [0.1, 0.0], [], system)]
    ['3 finite numbers', 'one constraint between two frames to release']
    """
    problems = array_problems(key, velocity, (3,))
    if not problems and not np.any(velocity):
        problems = [Problem(key, "a velocity that is not zero", repr(velocity))]
    names = [name for name in release if len(system.constraint(name).joined) == 2]
    if len(release) != 1 or len(names) != 1:
        problems.append(Problem(key, "one constraint between two frames to release", ", ".join(map(repr, release)) or "none"))
    return problems


def switch_problems(
    switches: Any, system: System, events: Sequence[Event], t_end_s: float, loads: Sequence[Load] = ()
) -> list[Problem]:
    """Return what is wrong with the switches of a run; raises as `Switch.problems`.

    >>> [problem.key for problem in switch_problems([Switch(t_s=-1.0)], system, [], 10.0)]
    ['Switch t_s', 'Switch']
    """
    if not isinstance(switches, Sequence) or not all(isinstance(switch, Switch) for switch in switches):
        raise InvalidInput(Problem("switches", "a sequence of Switch(t_s=..., impose=...)", repr(switches)))
    return [problem for switch in switches for problem in switch.problems(system, events, t_end_s, loads)]
