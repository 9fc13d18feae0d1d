"""A system whose free bodies are grasped: as one that has their mass in the bodies that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from ...errors import expect
from ...spatial import Array, dcm_from_quaternion
from ...system import GROUND, Body, State, System
from ..programs._door import check_state

if TYPE_CHECKING:
    from ._model import Model


def carrying(model: Model, names: Sequence[str], state: State) -> System:
    """Return the system in which bodies that the base moves have the mass of all that constraints hold to them rigidly.

    What is free of the base and is held counts with its whole tree, as it lies in `state`; in the system that is returned it is
    there all the same. A system in which nothing is so held is returned itself.
    """
    check_state(state, model.layout)
    expect("carrying", names, Iterable, "names of constraints")
    system, held = model.system, _held(model.system, names)
    if not held:
        return system
    bodies = [_composite(model, state, body, held[body.name]) if body.name in held else body for body in system.bodies]
    return system.with_bodies(bodies)


def not_carried(system: System, names: Sequence[str]) -> dict[str, str]:
    """Return which constraints of a set bind what the base moves to others as `carrying` does not know it, and why, in words.

    It knows free bodies that are held rigidly, once.

    >>> from scmanip.constraints import Lock
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], constraints=[Lock("brake", joint="joint1")])
    >>> not_carried(arm, ["brake"])  # a lock binds nothing free
    {}
    """
    tree_of = {body.name: k for k, tree in enumerate(system.trees) for body in system.bodies[tree.bodies]}
    bound = {name: [tree_of.get(_body(system, frame)) for frame in system.constraint(name).joined] for name in names}
    moved, taken, waiting = {0}, set[str](), True
    while waiting:
        waiting = False
        for name, trees in bound.items():
            if (
                system.constraint(name).joins
                and name not in taken
                and None not in trees
                and len(moved.intersection(trees)) == 1
            ):
                moved, taken, waiting = moved.union(cast("list[int]", trees)), taken | {name}, len(set(trees)) == 2
    others = [name for name, trees in bound.items() if name not in taken and len({*trees}) == 2 and None not in trees]
    closing = {name: "it closes a chain" for name in others if moved.issuperset(bound[name])}
    loose = {
        name: f"a {system.constraint(name).kind} lets it move" for name in others if len(moved.intersection(bound[name])) == 1
    }
    return closing | loose


def _held(system: System, names: Sequence[str]) -> dict[str, list[Body]]:
    """Return the bodies that each body of the base's tree holds, by its name."""
    tree_of = {body.name: tree for tree in system.trees for body in system.bodies[tree.bodies]}
    holder = {body.name: body.name for body in system.bodies[system.trees[0].bodies]}
    pairs = [[_body(system, frame) for frame in joined] for name in names if (joined := system.constraint(name).joins)]
    found: dict[str, list[Body]] = {}
    waiting = True
    while waiting:
        waiting = False
        for one, other in [*pairs, *([b, a] for a, b in pairs)]:
            if one in holder and other in tree_of and other not in holder:
                whole = system.bodies[tree_of[other].bodies]
                found.setdefault(holder[one], []).extend(whole)
                holder.update((body.name, holder[one]) for body in whole)
                waiting = True
    return found


def _body(system: System, frame: str) -> str:
    return frame if frame == GROUND else system.frame(frame).body


def _composite(model: Model, state: State, body: Body, held: Sequence[Body]) -> Body:
    """Return a body with the mass of others, as they lie."""
    parts = [_mass(model, state, each) for each in (body, *held)]
    m = sum(mass for mass, _, _ in parts)
    centre = sum(mass * r for mass, r, _ in parts) / m
    I = sum(inertia + mass * _steiner(r - centre) for mass, r, inertia in parts)
    R = _axes(model, state, body)
    own = R.T @ I @ R
    return replace(body, mass_kg=m, com_m=R.T @ (centre - model.position(state, body.name)), inertia_kg_m2=(own + own.T) / 2)


def _mass(model: Model, state: State, body: Body) -> tuple[float, Array, Array]:
    """Return mass, centre of mass (3,) and inertia (3, 3) of a body in N."""
    R = _axes(model, state, body)
    return body.mass_kg, model.position(state, f"{body.name}.com"), R @ body.inertia_kg_m2 @ R.T


def _steiner(d: Array) -> Array:
    """Return the inertia (3, 3) of a unit of mass at d (3,)."""
    return np.asarray(d @ d * np.eye(3) - np.outer(d, d))


def _axes(model: Model, state: State, body: Body) -> Array:
    return dcm_from_quaternion(model.attitude(state, body.name))
