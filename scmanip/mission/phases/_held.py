"""Which constraints hold in the phases of a mission, as far as that is known before it flies."""

from __future__ import annotations

from collections.abc import Sequence

from ...simulation import Switch, sets_after
from ._phase import Phase
from ._ways import following

Names = tuple[str, ...]


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
