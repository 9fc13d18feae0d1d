"""What contacts do from one instant on: strike, and then stick, slide or part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...dynamics import SLOW, ClosedContact, Constrained, Struck, Touching
from ...impacts import Answers, ContactMode, ContactProblem, Contacts, ImpactOutcome, Restitution, Solution, Touch, firmest
from ...modes import GeneralizedForce, Situation
from ...plant import Change, ContactPlace, Plant
from ...spatial import Array, dcm_from_quaternion
from ...system import GROUND, State
from ._strike import followed

AT_LIMIT = 1e-7  # of the normal force times mu: friction that is no further below holds no more
STILL = 1e-9  # of what accelerations at a place add up from: less is none
NO_ROW = 1e-12  # of the longest row: a row that is shorter moves nothing, as one across a motion in a plane
JAMS = 1e-6  # of what normal forces do without friction: where this little is left they grow beyond all bounds
RANK = 1e-9  # of the largest singular value: what is less is no row of its own
Forces = Callable[[Plant, State], GeneralizedForce]


class Undecided(Exception):
    """Rigid bodies do not say how contacts go on."""


class Settled(NamedTuple):
    """What comes of contacts at one instant.

    change : the plant with those that stay closed, and what striking did
    struck : names of the places that took an impulse
    """

    change: Change
    struck: tuple[str, ...]


def settled(change: Change, t: float, forces: Forces) -> Settled:
    """Return what comes of the contacts of a plant where constraints have been switched; forces : of actuators at a state.

    Raises `Undecided` where no motion satisfies the laws of impact and friction, or several do.
    """
    plant: Plant = change.plant
    change = _known(change, plant)
    places, gaps = plant.touching.places, dict(zip(plant.touching.places, plant.touching.gaps(change.state.x), strict=True))
    near = {name: place for name, place in places.items() if gaps[name] <= place.contact.within_m}
    struck: tuple[str, ...] = ()
    if near:
        blow, before, parting = _struck(plant, change.state, t, near)
        if blow is not None:
            change = followed(change, Change(plant, blow.state, blow.impulses, blow.energy_lost))
            struck = tuple(name for name in near if np.any(blow.impulses[name]))
            slow = {name for name in near if SLOW < parting[name] <= near[name].contact.law.plastic_below_m_s}
            if slow and all(v >= -near[name].contact.law.plastic_below_m_s for name, v in before.items()):
                change, parting = (
                    followed(change, _calmed(plant, change.state, t, near, gaps, parting)),
                    {**parting, **dict.fromkeys(slow, 0.0)},
                )
        near = {name: place for name, place in near.items() if parting[name] <= SLOW}
    if not near:
        return Settled(followed(change, _under(plant, (), change.state, t)), struck)
    force = forces(plant, change.state)
    rest = _Rest.of(plant, change.state, t, force, near, gaps)
    held = _under(plant, rest.closed, change.state, t)
    if rest.inner.shape[1]:
        least = contact_multipliers(held.plant, held.state, t, force)
        inner = [np.resize(np.array([*own, 0, 0]), 3) for own in map(np.subtract, rest.forces, least)]
        closed = [replace(one, inner=own) for one, own in zip(rest.closed, inner, strict=True)]
        held = _under(plant, closed, change.state, t)
    if any(one.rubs for one in held.plant.closed) and held.plant.touching.slides(held.state, t)[1] <= JAMS:
        raise Undecided(f"contacts at t = {t:.9g} s: friction jams, and normal forces grow beyond all bounds")
    return Settled(followed(change, held), struck)


def contact_multipliers(plant: Plant, state: State, t: float, force: GeneralizedForce) -> list[Array]:
    """Return the multipliers of the rows of each closed contact, of a redundant set the smallest that do what is needed."""
    motion = plant.motion(Situation.of(plant.model, state), force, t, np.zeros(plant.n_books))
    held = np.zeros(plant.model.layout.n_u) if motion.reaction is None else motion.reaction.held
    every = plant.constraint_forces(state.x[np.newaxis], np.array([t]), held[np.newaxis])[0]
    return [] if plant.holding is None else [every[plant.holding.stack.rows_of[one.name]] for one in plant.closed]


def _under(plant: Plant, closed: Sequence[ClosedContact], state: State, t: float) -> Change:
    """Return the plant with closed contacts; what these take is rounding."""
    changed = replace(plant, closed=tuple(closed))
    return _known(changed.under(plant.constraints, state, t), changed)


def _known(change: Change, plant: Plant) -> Change:
    """Return a change without the impulses of closed contacts."""
    closed = {one.name for one in plant.closed}
    return change._replace(impulses={name: one for name, one in change.impulses.items() if name not in closed})


def _touches(constrained: Constrained, state: State, near: Mapping[str, ContactPlace]) -> list[Touch]:
    pairs = list(dict.fromkeys((place.contact.one, place.contact.other) for place in near.values()))
    within = max(place.contact.within_m for place in near.values())
    return [touch for touch in constrained.touches(state, pairs, within_m=within) if touch.name in near]


def _struck(
    plant: Plant, state: State, t: float, near: Mapping[str, ContactPlace]
) -> tuple[Struck | None, dict[str, float], dict[str, float]]:
    """Return the impact of places that are near, None where none approaches, and how fast they part before and after."""
    constrained, kept = plant.rigid(state, t)
    touches = _touches(constrained, state, near)
    speeds = (constrained.contacts(state, touches).N @ state.u).tolist()
    before = dict(zip((touch.name for touch in touches), speeds, strict=True))
    if min(speeds) >= -SLOW:
        return None, before, before
    friction = [near[touch.name].contact.friction for touch in touches]
    law = OfEach.of([near[touch.name].contact.law for touch in touches])
    struck = constrained.impact(state, touches, law, np.array(friction), t=t + plant.clock_s, kept=kept)
    if struck.outcome not in (ImpactOutcome.APART, ImpactOutcome.JUMP):
        raise Undecided(f"impact at t = {t:.9g} s: {struck.sentence}")
    return struck, before, struck.parting


def _calmed(
    plant: Plant,
    state: State,
    t: float,
    near: Mapping[str, ContactPlace],
    gaps: Mapping[str, float],
    parting: Mapping[str, float],
) -> Change:
    """Return what comes of it when nothing parts or slips that does so slowly after a slow impact: what rocks comes to rest.

    Without it a block on its edges rocks infinitely often in a finite time, each time a part less.
    """
    lies = {name: place for name, place in near.items() if parting[name] <= place.contact.law.plastic_below_m_s}
    constrained, _ = plant.rigid(state, t)
    closed = list[ClosedContact]()
    for touch in _touches(constrained, state, lies):
        contact = lies[touch.name].contact
        slip = np.hypot(*constrained.contacts(state, [touch]).T @ state.u)
        sticks = bool(contact.friction and slip <= contact.law.plastic_below_m_s)
        closed.append(_closed(plant, state, touch, lies[touch.name], sticks, gaps[touch.name], touch.axes[1]))
    return _under(plant, [replace(one, rough=False) for one in closed], state, t)._replace(plant=plant)


class _Rest(NamedTuple):
    """Contacts that stay closed, their forces along their rows, and what they may give against each other (d, z)."""

    closed: list[ClosedContact]
    forces: list[Array]
    inner: Array

    @classmethod
    def of(
        cls,
        plant: Plant,
        state: State,
        t: float,
        force: GeneralizedForce,
        near: Mapping[str, ContactPlace],
        gaps: Mapping[str, float],
    ) -> _Rest:
        """Decide which of the places that touch and do not part at once stay closed, which stick and which slide."""
        constrained, kept = plant.held(state, t)
        touches = _touches(constrained, state, near)
        friction = np.array([near[touch.name].contact.friction for touch in touches])
        tau, wrench = plant.driving(state, force, t)
        found = constrained.contact_forces(
            state, touches, tau, wrench, friction=friction, rest_m_s=SLOW, t=t + plant.clock_s, kept=kept
        )
        if not found.answers.is_a_motion:
            raise Undecided(f"contacts at t = {t:.9g} s: {found.sentence}")
        rows = constrained.contacts(state, touches)
        chosen = _stays(rows, found.motion, touches, known=found.answers is Answers.ONE)
        if not chosen:
            return cls([], [], np.zeros((0, 0)))
        held = [touches[k] for k in chosen]
        slips = (rows.T @ state.u).reshape(-1, 2)
        loads = {touch.name: touch.axes @ found.motion.forces[touch.name] for touch in held}
        slides = {
            touch.name: bool(found.motion.modes[touch.name] is ContactMode.SLIDES or not mu or np.hypot(*slip) > SLOW)
            for touch, mu, slip in zip(touches, friction, slips, strict=True)
        }
        own = {k: rows.N[[k]] if slides[touches[k].name] else np.array([rows.N[k], *rows.T[2 * k : 2 * k + 2]]) for k in chosen}
        inner = _inner([*own.values()], constrained.A(state, t=t + plant.clock_s, kept=kept))
        sizes = [len(its) for its in own.values()]
        start = np.concatenate([loads[touch.name][:size] for touch, size in zip(held, sizes, strict=True)])
        firm = firmest(start, inner, sizes, friction[chosen])
        before, closed, forces = {one.name: one for one in plant.closed}, list[ClosedContact](), list[Array]()
        for k, size, f, margin in zip(chosen, sizes, np.split(firm.forces, np.cumsum(sizes)[:-1]), firm.margins, strict=True):
            touch = touches[k]
            sticks = size > 1 and bool(margin > AT_LIMIT * friction[k] * max(abs(start)))
            away = np.array([1.0, 0.0]) if sticks else _away(f[1:] if size > 1 else loads[touch.name][1:], slips[k])
            gap = before[touch.name].gap_m if touch.name in before else gaps[touch.name]
            closed.append(_closed(plant, state, touch, near[touch.name], sticks, gap, away @ touch.axes[1:]))
            forces.append(f if sticks else f[:1])
        return cls(closed, forces, inner)


def _stays(rows: Contacts, motion: Touching, touches: Sequence[Touch], *, known: bool) -> list[int]:
    """Return which places stay closed: those that press, and where forces are not all known those that do not part."""
    parts = rows.N @ motion.udot + rows.drift_N
    size = (abs(rows.N) @ abs(motion.udot) + abs(rows.drift_N)).max()
    presses = [motion.modes[touch.name] is not ContactMode.OPEN for touch in touches]
    return [k for k, presses_so in enumerate(presses) if presses_so or (not known and parts[k] <= STILL * size)]


def _inner(own: Sequence[Array], A: Array) -> Array:
    """Return an orthonormal basis (d, z) of the forces of contacts that together with those of constraints do nothing."""
    every = np.concatenate([*own, A])
    sizes = np.linalg.norm(every, axis=1, keepdims=True)
    U, s, _ = np.linalg.svd(every / np.where(sizes > NO_ROW * sizes.max(), sizes, np.inf))
    d = sum(map(len, own))
    return np.asarray((U[:, np.count_nonzero(s > RANK * s.max()) :] / np.where(sizes > 0, sizes, 1))[:d])


def _away(f_t: Array, slip: Array) -> Array:
    """Return the direction (2,) of slip that friction (2,) opposes, where there is none that of slip, or any."""
    for way in (-f_t, slip):
        size = np.linalg.norm(way)
        if size > 0:
            return np.asarray(way / size)
    return np.array([1.0, 0.0])


def _closed(
    plant: Plant, state: State, touch: Touch, place: ContactPlace, sticks: bool, gap: float, way: Array
) -> ClosedContact:
    model, contact = plant.model, place.contact
    one, other = contact.shapes(model.system)
    R = np.eye(3)
    if one.frame != GROUND:
        R = dcm_from_quaternion(model.attitude(state, body=one.frame, point_m=np.zeros(3)))
    given = sticks, contact.friction > 0, gap, contact.friction, way @ R
    return ClosedContact(touch.name, one, other, place.number, *given, features=plant.touching.features(state.x)[touch.name])


@dataclass(frozen=True)
class OfEach(Restitution):
    """A law of one kind whose coefficients differ from contact to contact."""

    laws: tuple[Restitution, ...] = ()

    @classmethod
    def of(cls, laws: list[Restitution]) -> OfEach:
        """Return that of laws of contacts."""
        return cls(0.0, laws=tuple(laws))

    def coefficients(self, v_n: Array) -> Array:
        """Return e of each contact, as its own law has it."""
        return np.array([law.coefficients(v_n[k : k + 1])[0] for k, law in enumerate(self.laws)])

    def impulses(self, struck: ContactProblem, e: Array) -> Solution:
        """Return the impulses by what the laws share."""
        return self.laws[0].impulses(struck, e)
