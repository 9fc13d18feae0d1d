"""Cases in blocks, in one thread or in several."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

Bounds = tuple[int, int]


def run_blocks(function: Callable[[int, int], None], blocks: Sequence[Bounds], threads: int) -> None:
    """Call `function(first, end)` for every block; each of up to `threads` workers takes the next one that is left."""
    turns = itertools.count()

    def work() -> None:
        while (turn := next(turns)) < len(blocks):
            function(*blocks[turn])

    helpers = min(threads, len(blocks)) - 1
    if helpers < 1:
        work()
        return
    with ThreadPoolExecutor(helpers) as pool:
        others = [pool.submit(work) for _ in range(helpers)]
        work()
        for other in others:
            other.result()
