"""Who has which part of the momentum, where constraints are switched and at the ends of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..dynamics import Model
from ..errors import expect
from ..simulation import History
from ..spatial import Array, dcm_from_quaternion
from ..system import State


@dataclass(frozen=True, eq=False)
class MomentumShares:
    """Parts of the momentum of a system at one instant, which add up to P and L_C.

    t, when : [s], and what is about it in words
    parts : the base, the bodies that it carries ("arm"), what turns it kind by kind ("wheels"), and the trees of free bodies
    P, L_C : (n, 3) of each in N [N s, N m s], L_C about the CoM of the system; of turners relative to the base, others with
        turners locked

    >>> shares = momentum_shares(model, history)[-1]
    >>> shares.parts, shares.L_C.round(4)[:, 2].tolist()
    (('base', 'arm'), [-0.4732, 0.4732])
    """

    t: float
    when: str
    parts: tuple[str, ...]
    P: Array
    L_C: Array


def momentum_shares(model: Model, history: History) -> tuple[MomentumShares, ...]:
    """Return the shares of momentum, in N, at the start of a run, before and after every switch of constraints, and at its end.

    Raises `InvalidInput` for what is no `Model` or `History`.

    >>> [(shares.t, shares.when) for shares in momentum_shares(model, history)]
    [(0.0, 'start'), (2.0, 'end')]
    """
    expect("model", model, Model, "a Model")
    expect("history", history, History, "a History")
    return tuple(shares_at(model, *instant) for instant in _instants(history))


def _instants(history: History) -> Iterator[tuple[State, float, str]]:
    yield history.states[0], float(history.t[0]), "start"
    for switched in history.switches:
        yield switched.before, switched.t, f"before: {switched.done}"
        yield switched.after, switched.t, f"after: {switched.done}"
    yield history.final, float(history.t[-1]), "end"


def shares_at(model: Model, state: State, t: float = 0.0, when: str = "") -> MomentumShares:
    """Return those at a state."""
    system, bodies = model.system, model.momentum_by_body(state)
    places = {"base": slice(0, 1)}
    carried = system.trees[0].bodies
    if carried.stop > 1:
        places["arm"] = slice(1, carried.stop)
    rows = [(name, bodies.P[at].sum(axis=0), bodies.L_C[at].sum(axis=0)) for name, at in places.items()]
    if system.turners:
        momenta = system.turners.momenta(state.x[model.layout.x_actuators])
        R = dcm_from_quaternion(state.attitude_xyzw)
        kinds = zip(system.turners.kinds, momenta, strict=True)
        rows += [(f"{kind.kind}s", np.zeros(3), R @ own) for kind, own in kinds]
    rows += [(t.root, bodies.P[t.bodies].sum(axis=0), bodies.L_C[t.bodies].sum(axis=0)) for t in system.trees[1:]]
    names, P, L_C = zip(*rows, strict=True)
    return MomentumShares(t, when, tuple(names), np.array(P), np.array(L_C))
