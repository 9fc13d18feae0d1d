"""What several free bodies are together once constraints join them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..constraints import GROUND
from ..dynamics import Model
from ..errors import checked, expect
from ..spatial import Array
from ..system import State, System


@checked
@dataclass(frozen=True, eq=False)
class StackCard:
    """Mass properties of a stack as it stands, wheels locked, in axes of its first root and from the origin of its frame.

    roots : names of the base and of the free bodies that are joined, with all that they carry
    held_by : names of the constraints that join them
    mass_kg; com_m : (3,) its CoM; inertia_kg_m2 : (3, 3) about it

    >>> card = StackCard(("base", "client"), ("latch",), 200.0, np.array([0.4, 0.0, 0.0]), 80.0 * np.eye(3))
    >>> card.roots, card.held_by  # as `stack_cards` returns them
    (('base', 'client'), ('latch',))
    """

    roots: tuple[str, ...]
    held_by: tuple[str, ...]
    mass_kg: float
    com_m: Array
    inertia_kg_m2: Array


@checked
def stack_cards(model: Model, state: State, holds: Sequence[str]) -> tuple[StackCard, ...]:
    """Return the card of each stack into which constraints join the base and free bodies at a state.

    holds : names of the constraints that hold; raises `UnknownName`

    >>> stack_cards(model, state, [])  # nothing is joined
    ()
    """
    expect("model", model, Model, "a Model")
    ties = list(_ties(model.system, holds))
    return tuple(_card(model, state, trees, ties) for trees in _joined(len(model.system.trees), ties) if len(trees) > 1)


def _ties(system: System, holds: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Yield the constraints that join trees, each with the numbers of these."""
    for one in map(system.constraint, holds):
        trees = {system.tree_of(system.frame(name).body) for name in one.joined if name != GROUND}
        if len(trees) > 1:
            yield one.name, sorted(trees)


def _joined(count: int, ties: Sequence[tuple[str, list[int]]]) -> list[list[int]]:
    """Return the numbers of the trees of each stack."""
    stack = list(range(count))
    for _, trees in ties:
        joined = {stack[tree] for tree in trees}
        stack = [min(joined) if its in joined else its for its in stack]
    return [[tree for tree in range(count) if stack[tree] == first] for first in dict.fromkeys(stack)]


def _card(model: Model, state: State, trees: Sequence[int], ties: Sequence[tuple[str, list[int]]]) -> StackCard:
    system, e = model.system, model.equations(state)
    links = e.parameters.link_of
    bodies = [k for tree in trees for k in range(*system.trees[tree].bodies.indices(len(system.bodies)))]
    m, I, r = (part[links[bodies]] for part in (e.bodies.m, e.bodies.I, e.poses.r))
    mass, root = float(m.sum()), links[system.trees[trees[0]].bodies.start]
    centre, R = m @ r / mass, e.poses.R[root]
    arms = r - centre
    squares = (arms**2).sum(axis=1)[:, None, None] * np.eye(3) - arms[:, :, None] * arms[:, None]
    inertia = (I + m[:, None, None] * squares).sum(axis=0)
    origin = e.poses.r[root] - R @ e.parameters.com[root]
    names = tuple(name for name, its in ties if its[0] in trees)
    roots = tuple(system.trees[tree].root for tree in trees)
    return StackCard(roots, names, mass, R.T @ (centre - origin), R.T @ inertia @ R)
