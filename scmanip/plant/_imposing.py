"""Other constraints at one instant: what begins to hold, and what slips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from ..dynamics import Constrained, Imposed, Stack
from ..spatial import Array
from ..system import State
from ._holding import Change, Holding
from ._slipping import Slipping

if TYPE_CHECKING:
    from ._plant import Plant

RESTS = 1e-9  # [rad/s, m/s]: what can slip and moves more slowly rests


def changed_by(plant: Plant, names: Sequence[str], state: State, t: float, turned: Mapping[str, int]) -> Change:
    """Return what `Plant.under` does."""
    stack = Stack.of(plant.model.system, [*names, *plant.closed, *plant.leading])
    holding, first = _imposed(plant, stack.without(stack.limits), state, t)
    slips = _multipliers(plant, stack.only(stack.limits), state, first.state, t, turned)
    if len(slips) < len(stack.limits):
        holding, then = _imposed(plant, stack.without(slips), first.state, t)
        first = _both(first, then)
    slipping = _slipping(plant, stack.only(slips), slips, first.state, t)
    return Change(plant.holding_as(names, holding, slipping), *first)


def kept_at(plant: Plant, constrained: Constrained, state: State, t: float) -> Array:
    """Return what constraints keep (n_kept,), some of which hold already or are led by loads, others begin to at a state."""
    found, before = constrained.kept(state, t=t + plant.clock_s), plant.holding
    kept = {} if before is None else before.stack.kept_by(before.kept)
    own, anew = constrained.stack.kept_by(found), {one.name for one in (*plant.closed, *plant.leading)}
    kept = {key: known for key, known in kept.items() if key[0] not in anew}
    if plant.leading:
        x, led = plant.at_rest(state).x, dict(plant.led)
        kept |= {key: x[led[key[0]] : led[key[0]] + len(numbers)] for key, numbers in own.items() if key[0] in led}
    return np.concatenate([found[:0], *(kept.get(key, as_found) for key, as_found in own.items())])


def _imposed(plant: Plant, stack: Stack, state: State, t: float) -> tuple[Holding | None, Imposed]:
    """Return how constraints hold, all of them, and what comes of it."""
    if not stack.constraints:
        return None, Imposed(state, {}, 0.0)
    last = plant.holding
    chosen = last.chosen if last is not None and last.stack.labels == stack.labels else None
    constrained = Constrained(plant.model, stack, coded=plant.coded, chosen=chosen)
    kept = kept_at(plant, constrained, state, t)
    imposed = constrained.imposed(state, t=t + plant.clock_s, kept=kept)
    return Holding.of(constrained, kept, plant.led), imposed._replace(impulses=stack.filled(imposed.impulses))


def _multipliers(
    plant: Plant, stack: Stack, before: State, state: State, t: float, turned: Mapping[str, int]
) -> dict[str, float]:
    """Return the multipliers with which rows slip at a state, by what they are called; nothing where one holds.

    before : the state before others began to hold; what they stop holds
    """
    if not stack.constraints:
        return {}
    limits, now = stack.limits, t + plant.clock_s
    still = _slipping(plant, stack, dict.fromkeys(limits, 0.0), state, t)
    moved, rates = (cast(Slipping, still).rates(plant.model.symbolic.derivation, x.hardware, now) for x in (before, state))
    signs = {name: sign for name, sign in plant.slip_signs.items() if name in limits and abs(moved[name]) <= RESTS}
    at_rest = {**dict.fromkeys(limits, 0), **signs, **turned}
    signs = {name: -np.sign(rate) if abs(rate) > RESTS else at_rest[name] for name, rate in rates.items()}
    return {name: float(signs[name] * most) for name, most in limits.items() if signs[name]}


def _slipping(plant: Plant, stack: Stack, multipliers: Mapping[str, float], state: State, t: float) -> Slipping | None:
    """Return rows that slip from a state on; None where there are none."""
    if not stack.constraints:
        return None
    constrained = Constrained(plant.model, stack)
    return Slipping(
        constrained.stack, np.array([*kept_at(plant, constrained, state, t), *(multipliers[name] for name in stack.called)])
    )


def _both(first: Imposed, then: Imposed) -> Imposed:
    """Return what comes of two changes at one instant, of which the second says what holds after it."""
    impulses = {name: impulse + first.impulses.get(name, 0.0) for name, impulse in then.impulses.items()}
    return Imposed(then.state, impulses, first.energy_lost + then.energy_lost)
