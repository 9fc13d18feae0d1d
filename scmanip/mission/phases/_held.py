"""Which constraints hold in the phases of a mission, as far as that is known before it flies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import Problem
from ...simulation import Switch, sets_after, unknown_problems
from ...system import System
from ._phase import Phase
from ._ways import following

Names = tuple[str, ...]


def unknown_grasps(phases: Sequence[Phase], system: System, switches: Sequence[Switch]) -> Iterator[tuple[int, Problem]]:
    """Yield what laws of phases are to know of what they hold, and cannot, with the numbers of the phases."""
    learning = [k for k, phase in enumerate(phases) if phase.controller.learns or phase.controller.needs]
    found = held_where_begun(phases, active_in(system), switches) if learning else []
    for k in learning:
        sets = dict.fromkeys(names for begun in found[k] for names in sets_after(begun, switches))
        yield from ((k, problem) for problem in unknown_problems(phases[k].controller, f"phases[{k}].controller", sets))


def active_in(system: System) -> Names:
    """Return the names of the constraints that hold where runs of a system start."""
    return tuple(one.name for one in system.constraints if one.active)


def held_where_begun(phases: Sequence[Phase], active: Names, switches: Sequence[Switch] = ()) -> list[list[Names]]:
    """Return per phase the sets of constraints with which it may begin, its own switches done.

    active : what holds where the first begins
    switches : others that may happen in any phase, or not
    """
    found: list[list[Names]] = [[] for _ in phases]

    def enter(number: int, names: Names) -> None:
        for switch in phases[number].switches:
            names = switch.after(names)
        if names in found[number]:
            return
        found[number].append(names)
        ways = {following(phases, number, way) for way in ("", *phases[number].events.ways.values())} - {len(phases)}
        for after in sets_after(names, switches):
            for following_number in sorted(ways):
                enter(following_number, after)

    enter(0, active)
    return found
