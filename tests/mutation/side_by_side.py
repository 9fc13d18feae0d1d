"""Work that waits for other processes, in one thread: what forks must not have two."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeVar

from .copied_tree import CopiedTree

PAUSE_S = 0.02
Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(
    work: Callable[[Item, CopiedTree], Generator[None, None, Result]], items: Sequence[Item], trees: Sequence[CopiedTree]
) -> Iterator[Result]:
    """Give the results of work on each item, as they come; each tree has one work at a time."""
    waiting, busy, free = list(items), {}, list(trees)
    try:
        while waiting or busy:
            while waiting and free:
                tree = free.pop()
                busy[tree.root] = tree, work(waiting.pop(0), tree)
            for tree, going in list(busy.values()):
                try:
                    next(going)
                except StopIteration as end:
                    del busy[tree.root]
                    free.append(tree)
                    yield end.value
            time.sleep(PAUSE_S)
    finally:
        for _, going in busy.values():
            going.close()
