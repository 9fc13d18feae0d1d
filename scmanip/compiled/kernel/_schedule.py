"""The order in which machine code is written: long chains of results begin early, values do not wait long for their use."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from ...symbolic import Program, first_step
from ._pieces import Pieces
from ._rows import Arrangement

WINDOW = 512  # steps of the recorded order to choose from; more keep more values waiting, and registers are few
CYCLES = {"div": 13, "sqrt": 13, "sin": 30, "cos": 30, "neg": 1}
USUAL = 3


def arranged(program: Program) -> Arrangement:
    """Return a program in the order in which its code for states is written."""
    return Arrangement.of(program) or Arrangement(scheduled(program))


def scheduled(program: Program, longest: int | None = None) -> Program:
    """Return the same program with its steps in another order.

    A processor looks ahead some hundred instructions, a recursion's chains of results are longer. The next step is the
    one that the longest chain waits for, among those that can be carried out and are at most WINDOW steps away. A program in
    pieces, which has more than `longest` steps, stays in the recorded order, in which few values wait from piece to piece.
    """
    if Pieces.needed(program, longest):
        return program
    return program.in_order(_order(program, first_step(program)))


def _order(program: Program, first: int) -> Iterator[int]:
    users, missing = _users(program, first)
    chain = _chains(program, users)
    ready: list[tuple[int, int]] = []
    done = [False] * len(users)
    oldest = reached = 0
    for _ in users:
        while reached < min(oldest + WINDOW, len(users)):
            if missing[reached] == 0:
                heappush(ready, (-chain[reached], reached))
            reached += 1
        _, step = heappop(ready)
        yield step
        done[step] = True
        while oldest < len(users) and done[oldest]:
            oldest += 1
        for user in users[step]:
            missing[user] -= 1
            if missing[user] == 0 and user < reached:
                heappush(ready, (-chain[user], user))


def _users(program: Program, first: int) -> tuple[list[list[int]], list[int]]:
    """Return for every step the steps that use it, and on how many steps it waits."""
    users: list[list[int]] = [[] for _ in program.steps]
    missing = []
    for k, step in enumerate(program.steps):
        needed = {value - first for value in step.args if value >= first}
        missing.append(len(needed))
        for other in needed:
            users[other].append(k)
    return users, missing


def _chains(program: Program, users: list[list[int]]) -> list[int]:
    """Return the cycles from the beginning of every step to the end of the longest chain that it begins."""
    chain = [0] * len(users)
    for k in reversed(range(len(users))):
        after = max((chain[user] for user in users[k]), default=0)
        chain[k] = CYCLES.get(program.steps[k].op, USUAL) + after
    return chain
