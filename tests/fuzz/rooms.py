"""The rooms whose files are tried: what a trial starts from, and what it is checked by."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

from . import expressions, folders, missions, studies, systems
from .mutations import mutated
from .trials import Tally, attempt

Room = tuple[Callable[[], dict[str, str]], Callable[[str], None]]
ROOMS: dict[str, Room] = {
    "system": (systems.seeds, systems.check),
    "mission": (missions.seeds, missions.check),
    "study": (studies.seeds, studies.check),
    "expression": (expressions.seeds, lambda text: expressions.check_values(text, None)),
}


def tried(room: str, count: int, seed: int) -> Tally:
    """Try so many files of a room; a name in the tally, "system 1 412", makes the same file again by `file`."""
    if room == "folders":
        return folders.tried(count, seed)
    tally, (_, check) = Tally(), ROOMS[room]
    if room == "expression":
        return _expressions(tally, count, seed)
    for number in range(count):
        attempt(tally, f"{room} {seed} {number}", file(room, seed, number), check)
    return tally


def _expressions(tally: Tally, count: int, seed: int) -> Tally:
    """Every second expression is whole, the others are damaged."""
    for number in range(count):
        rng = random.Random(f"expression {seed} {number}")
        text, values = expressions.expression(rng)
        if number % 2:
            text, values = expressions.mutated(rng, text), None
        attempt(
            tally,
            f"expression {seed} {number} {text!r:.200}",
            text,
            lambda t, v=values: expressions.check_values(t, v),
            placed=False,
        )  # type: ignore[misc]
    return tally


def file(room: str, seed: int, number: int) -> str:
    """The text of one trial; the first ones are whole."""
    texts = _seeds(room)
    rng = random.Random(f"{room} {seed} {number}")
    names = sorted(texts)
    return texts[names[number]] if number < len(names) else mutated(rng, texts[rng.choice(names)])


@functools.cache
def _seeds(room: str) -> dict[str, str]:
    return ROOMS[room][0]()
