"""The constraints of a run, and what happened where they were switched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...analysis import MomentumShares, StackCard, SwitchAccount
from ...dynamics import Stack
from ...simulation import History
from ...spatial import Array
from ...system import System
from ..verdicts._summary import measured, shown
from ._page import TextTable

_HEADINGS = ("constraint", "type", "of", "rows", "active at start")


def constraint_rows(system: System) -> list[tuple[str, ...]]:
    """Return headings, and a row per constraint of a system.

    >>> constraint_rows(system)
    [('constraint', 'type', 'of', 'rows', 'active at start')]
    """
    stack = Stack(system, system.constraints)
    counts = [str(at.stop - at.start) for at in stack.rows_of.values()]
    pairs = zip(system.constraints, counts, strict=True)
    rows = [(one.name, one.kind, ", ".join(one.refers), rows, "yes" if one.active else "") for one, rows in pairs]
    return [_HEADINGS, *rows]


def constraint_tables(
    history: History, switches: Sequence[SwitchAccount], shares: Sequence[MomentumShares] = ()
) -> list[TextTable]:
    """Return what the constraints of a run are, what was switched, stacks that this made, and momenta; nothing without any.

    >>> constraint_tables(history, [])
    []
    """
    headings, *rows = constraint_rows(history.system)
    tables = [TextTable("constraints", "What may hold parts of the system", headings, tuple(rows))] * bool(rows)
    if not switches:
        return tables
    stacks = [(one.t, card) for one in switches for card in one.stacks]
    tables += [_switch_table(switches), *([_stack_table(stacks)] if stacks else []), _momentum_table(switches)]
    return [*tables, *([_share_table(shares)] if shares else [])]


def _stack_table(stacks: Sequence[tuple[float, StackCard]]) -> TextTable:
    rows = tuple(
        (f"{t:.9g} s", " + ".join(card.roots), ", ".join(card.held_by), shown(card.mass_kg, "kg"), *_numbers(card))
        for t, card in stacks
    )
    headings = ("from", "stack", "held by", "mass", "CoM [m]", "inertia xx, yy, zz [kg m^2]", "xy, xz, yz [kg m^2]")
    caption = (
        "What is one stack from then on, as it stands there, wheels locked: CoM from the origin of the first body's frame, "
        "inertia about the CoM, both in axes of that body"
    )
    return TextTable("stacks", caption, headings, rows)


def _numbers(card: StackCard) -> tuple[str, str, str]:
    """Return CoM, moments of inertia and entries beside the diagonal."""
    I = card.inertia_kg_m2
    each = card.com_m, np.diagonal(I), I[[0, 0, 1], [1, 2, 2]]
    one, two, three = (", ".join(f"{number:.5g}" for number in numbers) for numbers in each)
    return one, two, three


def _share_table(shares: Sequence[MomentumShares]) -> TextTable:
    rows = [
        (f"{one.t:.9g} s", one.when, *(_size(P, "N s") for P in one.P), *(_size(L, "N m s") for L in one.L_C)) for one in shares
    ]
    parts = shares[0].parts
    headings = ("at", "when", *(f"P of {part}" for part in parts), *(f"L_C of {part}" for part in parts))
    caption = "Sizes of the parts of P and of L_C about the CoM of the system: how much is where"
    return TextTable("momentum_shares", caption, headings, tuple(rows))


def _size(vector: Array, unit: str) -> str:
    return measured(float(np.linalg.norm(vector)), unit)


def _switch_table(switches: Sequence[SwitchAccount]) -> TextTable:
    rows = [
        (
            f"{one.t:.9g} s",
            one.done,
            ", ".join(one.holding) or "none",
            "; ".join(f"{first} from {', '.join(others)}" if others else first for first, *others in one.redundant),
            "; ".join(_impulse(name, sizes) for name, sizes in one.impulses.items()),
            shown(one.kinetic_J, "J"),
            shown(one.lost_J or 0.0, "J"),
        )
        for one in switches
    ]
    headings = ("at", "what", "holding from then on", "rows that follow", "impulses", "kinetic energy before", "lost")
    caption = "Where constraints were switched or shapes touched: sizes of impulses, and which rows say nothing new"
    return TextTable("switches", caption, headings, tuple(rows))


def _impulse(name: str, sizes: Sequence[tuple[str, float]]) -> str:
    return f"{name}: {', '.join(measured(size, unit) for unit, size in sizes)}"


def _momentum_table(switches: Sequence[SwitchAccount]) -> TextTable:
    rows = tuple(row for one in switches for row in _momenta(one))
    headings = ("at", "of", "P before", "P after", "gained", "L_C before", "L_C after", "gained")
    caption = "Sizes of momenta where constraints were switched, of the base and of free bodies, L_C each about its own CoM"
    return TextTable("switched_momenta", caption, headings, rows)


def _momenta(one: SwitchAccount) -> Iterator[tuple[str, ...]]:
    for root, before, after in zip(one.trees, one.momenta_before, one.momenta_after, strict=True):
        cells = []
        for part, unit in ((slice(0, 3), "N s"), (slice(3, 6), "N m s")):
            each = before[part], after[part], after[part] - before[part]
            cells += [measured(float(np.linalg.norm(vector)), unit) for vector in each]
        yield (f"{one.t:.9g} s", root, *cells)
