"""A system, how it is flown, and what acts on it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike

from ..channels import Channel, Channels, Dimension, Dimensions, Nature, Portion
from ..compiled import CompiledProgram, compile_program, described
from ..dynamics import ClosedContact, Constrained, Full, Imposed, Model, Stack, SymbolicModel, compile_model
from ..errors import InvalidInput, ModeMismatch, NotRecordable, Problem, UnknownName, expect, refuse
from ..loads import EXTERNAL, Bodies, BodyWrenches, External, Inhibited, Load, Orbit, Overlap
from ..modes import GeneralizedForce, ManoeuvreMode, Situation, TurnerMotors, turner_motors
from ..spatial import Array, real
from ..symbolic import record
from ..system import Layout, State, System, state_problems
from ._actuator_books import ActuatorBooks
from ._changes import Changes, changed
from ._channels import OUTPUTS, STATES, TOTALS
from ._components import held_trees, joined, pushed_trees
from ._holding import Change, Holding, Reaction
from ._interfaces import InterfaceLoads
from ._numbers import INERTIA, finite, plant_numbers
from ._outside import binds, outside_of
from ._parts import PlantParts
from ._response import Acting, Response
from ._rigid_contact import RigidContact, refuse_contacts
from ._slipping import Slipping
from ._state_rates import state_rates
from ._touching import Touching

NO_CLOCK = np.empty(0)
KEPT = "kept"
SLIPPING = "slipping"
BACK = "brought back"
RESTS = 1e-9  # [rad/s, m/s]: what can slip and moves more slowly rests
NOTHING_TURNS: Mapping[str, int] = {}
ASTRAY = 1e-9  # of the fastest speed, or in SI: speeds at the start that obey constraints no better do not obey them
Numbers: TypeAlias = Mapping[str, Array]
Seen: TypeAlias = Sequence[tuple[Load, Bodies]]


@dataclass(frozen=True, eq=False, repr=False)
class Plant:
    """What moves, and all that moves it: the equations of a system, what its actuators make of commands, and loads.

    All that needs rates or forces asks `motion`, over whatever scalar: runs in Python and in machine code, ensembles, what is
    read between samples.

    model : a `Model`, or a `System` or `SymbolicModel`, of which one is compiled; with the ideal actuators that the mode needs
    mode : which actuators are commanded, and how
    loads : what acts from outside and between bodies; several add up. All see one orbit, that of the load which has one
    constraints : names of constraints of the system that hold; those that are `active` in its file where nothing is said
    holding : how they hold in a run, made by `under`; None where each state is taken for the one in which they begin to hold
    slipping : those of them that do not, because they slip
    contacts : shapes that may touch rigidly in a run
    closed : the places of them that do and stay together, made by `under`
    inhibited : names of loads that do not act; those that do not act from the start where nothing is said
    clock_s : what the clock of loads and constraints shows at t = 0 [s]
    coded : whether motion under constraints that hold is compiled; else it is evaluated as it is written, from state to state
    equipped : whether the mode added ideal wheels

    Raises `InvalidInput` for parts of the wrong kind, `ModeMismatch` for parts that do not fit together.
    """

    model: Model
    mode: ManoeuvreMode
    loads: Sequence[Load] = ()
    constraints: Sequence[str] = None  # type: ignore[assignment]  # once made it has them
    holding: Holding | None = None
    slipping: Slipping | None = None
    contacts: Sequence[RigidContact] = ()
    closed: tuple[ClosedContact, ...] = ()
    inhibited: Sequence[str] = None  # type: ignore[assignment]  # likewise
    clock_s: float = field(default=0.0, metadata={"input": "clock"})
    coded: bool = field(default=True, metadata={"input": "clock"})
    equipped: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        given: Any = self.model
        model = compile_model(given) if isinstance(given, System | SymbolicModel) else given
        problems = PlantParts(model, self.mode, self.loads).problems
        refuse(problems)
        self.mode.check(model)
        equipped = self.mode.equipped(model)
        names = _names_of(model.system, self.constraints)
        refuse_contacts(self.contacts, model.system)
        vars(self).update(model=equipped, loads=tuple(self.loads), constraints=names, equipped=equipped is not model)
        vars(self).update(inhibited=_inhibited(self.loads, self.inhibited), contacts=tuple(self.contacts))
        for load in self.loads:
            load.check(self.model)
        _refuse_two_orbits(self.loads)
        _refuse_equal_names(self.layout)

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def of(cls, parts: PlantParts) -> Plant:
        """Return a plant of parts without problems: where it can be recorded, one for all that say the same of one model."""
        kept, key = parts.model.kept, described((parts.mode, parts.loads))
        if key not in kept:
            plant = cls(parts.model, parts.mode, parts.loads)
            if not plant.is_recordable:
                return plant
            kept[key] = plant
        return cast(Plant, kept[key])

    # At one state

    def under(self, names: Sequence[str], state: State, t: float = 0.0, turned: Mapping[str, int] = NOTHING_TURNS) -> Change:
        """Return what comes of these constraints in place of those before, at a state and t [s], beside `closed` contacts.

        What begins to hold does so plastically; what can slip gives no impulse, slips where it moves and holds where it rests.
        turned : by what a row is called (`Stack.called`) the sign of the multiplier with which it begins to slip at rest, and 0
            where one that slipped rests

        Raises `InvalidState` for what is too far from where it can hold, `InconsistentConstraints` for constraints that no
        motion obeys.
        """
        stack = Stack.of(self.model.system, [*names, *self.closed])
        holding, first = self._imposed(stack.without(stack.limits), state, t)
        slips = self._multipliers(stack.only(stack.limits), state, first.state, t, turned)
        if len(slips) < len(stack.limits):
            holding, then = self._imposed(stack.without(slips), first.state, t)
            first = _both(first, then)
        slipping = self._slipping(stack.only(slips), slips, first.state, t)
        return Change(self.holding_as(names, holding, slipping), *first)

    def under_each(
        self,
        names: Sequence[str],
        states: State,
        t: ArrayLike = 0.0,
        *,
        kept: Array | None = None,
        inertia: Array | None = None,
    ) -> Changes:
        """Return the same for a batch of n states, of which programs have everything in common but what is kept.

        t : one for all or (n,) [s]
        kept : (n, n_kept + 1) what each keeps of the constraints that hold, as `Changes` has it; what the plant has if not said
        inertia : (n, n_b, 10) tables of their own, where models have them as an input
        Raises `InvalidInput` for constraints that slip. A state in which they cannot hold is told, and no error.
        """
        return changed(self, names, states, t, kept, inertia)

    def _imposed(self, stack: Stack, state: State, t: float) -> tuple[Holding | None, Imposed]:
        """Return how constraints hold, all of them, and what comes of it."""
        if not stack.constraints:
            return None, Imposed(state, {}, 0.0)
        constrained = Constrained(self.model, stack, coded=self.coded)
        kept = self._kept(constrained, state, t)
        imposed = constrained.imposed(state, t=t + self.clock_s, kept=kept)
        return Holding.of(constrained, kept), imposed._replace(impulses=stack.filled(imposed.impulses))

    def rigid(self, state: State, t: float) -> tuple[Constrained, Array]:
        """Return those rows of the constraints that can give impulses, and what they keep (n_kept,)."""
        stack = Stack.of(self.model.system, self.constraints)
        constrained = Constrained(self.model, stack.without(stack.limits))
        return constrained, self._kept(constrained, state, t)

    def held(self, state: State, t: float) -> tuple[Constrained, Array]:
        """Return those rows of the constraints that do not slip, closed contacts aside, and what they keep (n_kept,)."""
        constrained = Constrained(self.model, Stack.of(self.model.system, self.constraints).without(self.slips))
        return constrained, self._kept(constrained, state, t)

    def _kept(self, constrained: Constrained, state: State, t: float) -> Array:
        """Return what constraints keep (n_kept,), some of which may hold already, others begin to at a state."""
        found, before = constrained.kept(state, t=t + self.clock_s), self.holding
        kept = {} if before is None else before.stack.kept_by(before.kept)
        own, closed = constrained.stack.kept_by(found), {one.name for one in self.closed}
        kept = {key: known for key, known in kept.items() if key[0] not in closed}
        return np.concatenate([found[:0], *(kept.get(key, anew) for key, anew in own.items())])

    def _multipliers(self, stack: Stack, before: State, state: State, t: float, turned: Mapping[str, int]) -> dict[str, float]:
        """Return the multipliers with which rows slip at a state, by what they are called; nothing where one holds.

        before : the state before others began to hold; what they stop holds
        """
        if not stack.constraints:
            return {}
        limits, now = stack.limits, t + self.clock_s
        still = self._slipping(stack, dict.fromkeys(limits, 0.0), state, t)
        moved, rates = (cast(Slipping, still).rates(self.model.symbolic.derivation, x.hardware, now) for x in (before, state))
        signs = {name: sign for name, sign in self.slip_signs.items() if name in limits and abs(moved[name]) <= RESTS}
        at_rest = {**dict.fromkeys(limits, 0), **signs, **turned}
        signs = {name: -np.sign(rate) if abs(rate) > RESTS else at_rest[name] for name, rate in rates.items()}
        return {name: float(signs[name] * most) for name, most in limits.items() if signs[name]}

    def _slipping(self, stack: Stack, multipliers: Mapping[str, float], state: State, t: float) -> Slipping | None:
        """Return rows that slip from a state on; None where there are none."""
        if not stack.constraints:
            return None
        constrained = Constrained(self.model, stack)
        return Slipping(
            constrained.stack, np.array([*self._kept(constrained, state, t), *(multipliers[name] for name in stack.called)])
        )

    def held_anew(self, state: State, t: float, kept: Array | None = None) -> Plant:
        """Return the plant with dependent speeds chosen at a state that obeys the constraints.

        kept : (n_kept,) what they keep there; what the plant has if not said
        """
        if self.holding is None:
            return self
        kept = self.holding.kept[:-1] if kept is None else kept
        self._constrained.choose(state, t=t + self.clock_s, kept=kept)
        return self.holding_as(self.constraints, Holding.of(self._constrained, kept), self.slipping)

    def supposed(self, names: Sequence[str], state: State, t: float) -> Plant:
        """Return the plant as if constraints held at a state that need not obey them: what programs of theirs are made for."""
        constrained = Constrained(self.model, Stack.of(self.model.system, names))
        kept = constrained.kept(state, t=t + self.clock_s)
        constrained.choose(state, t=t + self.clock_s, kept=kept)
        return self.holding_as(names, Holding.of(constrained, kept))

    def holding_as(self, names: Sequence[str], holding: Holding | None, slipping: Slipping | None = None) -> Plant:
        """Return the plant under constraints; where it was so before, with the key that it had."""
        plant = replace(self, constraints=tuple(names), holding=holding, slipping=slipping)
        if not (names or self.closed):
            return plant
        chosen = None if holding is None else holding.chosen
        closed = described(self.closed, (KEPT,))
        kept, key = self.model.family.kept, ("held", self.key, plant.constraints, plant.slips, closed, chosen)
        vars(plant)["key"] = kept[key] if key in kept else kept.setdefault(key, plant.key)
        return plant

    def brought_back(self, x: Array, t: Array) -> tuple[Array, Array, Array]:
        """Return the packed states (..., n_x) nearest to x, at t (...), that obey the constraints which hold.

        Behind them by how much positions were off (..., m), and the kinetic energy that was taken and is left (..., 2) [J].
        """
        holding = cast(Holding, self.holding)
        if not self.coded and x.ndim == 1:
            given = self.model.symbolic.derivation, x, holding.kept, float(t) + self.clock_s, plant_numbers(self.model)
            back = holding.brought_back(self.layout, *given)
            return back["x"], back["off"], back["taken"]
        lead = x.shape[:-1]
        arrays = np.empty(x.shape), np.empty((*lead, len(holding.chosen.rows))), np.empty((*lead, 2))
        call = self.projection if x.ndim == 1 else self.projection.batch
        call(x, holding.kept, np.asarray(t + self.clock_s), *plant_numbers(self.model).values(), *arrays)
        return arrays

    def brought_back_each(
        self, x: Array, t: Array, kept: Array, inertia: Array | None = None, threads: int = 1
    ) -> tuple[Array, Array, Array, Array]:
        """Return the same of states (n, n_x) of which each keeps something else, kept (n, n_kept + 1).

        Behind it (n, 2) above zero where dependent speeds are badly chosen, and where rows contradict each other.
        t : (n,) what the clock of the constraints shows [s]
        inertia : (n, n_b, 10) as of `under_each`
        """
        program, n = self._watched_projection, len(x)
        arrays = (
            np.empty(x.shape),
            np.empty((n, len(cast(Holding, self.holding).chosen.rows))),
            np.empty((n, 2)),
            np.empty((n, 2)),
        )
        tables = plant_numbers(self.model) if inertia is None else {INERTIA: inertia}
        program.batch(np.ascontiguousarray(x), kept, t, *tables.values(), *arrays, threads=threads)
        return arrays

    def constraint_forces(self, x: Array, t: Array, reaction: Array) -> Array:
        """Return what the constraints that hold apply (n, k) at packed states (n, n_x) and times (n,).

        reaction : (n, n_u) the generalized forces that they give together
        """
        holding = cast(Holding, self.holding)
        if not self.coded:
            derivation, numbers = self.model.symbolic.derivation, plant_numbers(self.model)
            rows = zip(x, t + self.clock_s, reaction, strict=True)
            return np.array([holding.forces(derivation, one, holding.kept, now, numbers, force) for one, now, force in rows])
        forces = np.empty((len(x), len(holding.stack.labels)))
        program = self.held_program("forces", lambda given: {"forces": holding.forces(**given)}, reaction=(self.layout.n_u,))
        program.batch(
            np.ascontiguousarray(x), holding.kept, t + self.clock_s, *plant_numbers(self.model).values(), reaction, forces
        )
        return forces

    @cached_property
    def touching(self) -> Touching:
        """Where its contacts are, and what they do."""
        return Touching(self)

    @property
    def projection(self) -> CompiledProgram:
        """The program of `brought_back`."""
        return self.held_program(BACK, lambda given: cast(Holding, self.holding).brought_back(self.layout, **given))

    @property
    def is_coded(self) -> bool:
        """Whether that was compiled already."""
        return (BACK, self.key) in self.model.family.kept

    @property
    def _watched_projection(self) -> CompiledProgram:
        return self.held_program(
            "brought back, watched", lambda given: cast(Holding, self.holding).watched(self.layout, **given)
        )

    def held_program(self, what: str, of: Callable[[Any], Mapping[str, Array]], **more: tuple[int, ...]) -> CompiledProgram:
        """Return what follows from x, `kept`, the clock t, `plant_numbers` and more inputs; compiled once for equal plants."""
        kept, key = self.model.family.kept, (what, self.key)
        if key not in kept:
            own = {"x": (self.layout.n_x,), KEPT: cast(Holding, self.holding).kept.shape, "t": ()}
            numbers = {name: np.shape(array) for name, array in plant_numbers(self.model).items()}

            def program(**given: Array) -> Mapping[str, Array]:
                inertia = {name: given.pop(name) for name in numbers}
                return of({"derivation": self.model.symbolic.derivation, "numbers": inertia, **given})

            kept[key] = compile_program(record({**own, **numbers, **more}, program))
        return cast(CompiledProgram, kept[key])

    @cached_property
    def constraint_rows(self) -> tuple[str, ...]:
        """What the rows of all constraints of the system are called, `name.label`."""
        return Stack.of_all(self.model.system).labels

    @cached_property
    def _constrained(self) -> Constrained:
        holding = self.holding
        return self.model.constrained(*self.holds) if holding is None else Constrained(self.model, holding.stack)

    @cached_property
    def components(self) -> tuple[int, ...]:
        """Per tree of the system the first of those that loads or constraints join it with; of all that N acts on 0."""
        system = self.model.system
        if len(system.trees) == 1 or np.any(system.gravity_m_s2) or not all(load.is_formula for load in self.loads):
            return (0,) * len(system.trees)
        pushed, start = set[int](), State.at_rest(system, system.layout.neutral())

        def push(*, t: Any, x: Array, clock: Array) -> Mapping[str, Array]:
            for load, bodies in self._seen(x, t, clock, None):
                pushed.update(pushed_trees(system, load.wrenches(bodies, t)))
            return {"t": t}

        if self.loads:
            record({"t": (), "x": (self.layout.n_x,), "clock": (2,)}, push)
        stack = Stack.of(system, self.constraints).without(self.slips)
        stacks = [stack] if self.slipping is None else [stack, self.slipping.stack]
        rows = [Constrained(self.model, one).A(start) for one in stacks if one.labels]
        held = (group for A in rows for group in held_trees(system, start, A))
        touching = (self.touching.places[one.name].contact.trees(system) for one in self.closed)
        return joined(len(system.trees), chain(held, touching, [pushed | {0} if pushed else pushed]))

    @property
    def slips(self) -> tuple[str, ...]:
        """What the rows are called that slip."""
        return () if self.slipping is None else (*self.slipping.multipliers,)

    @property
    def slip_signs(self) -> dict[str, float]:
        """The signs of the multipliers of those."""
        return {} if self.slipping is None else {name: float(np.sign(own)) for name, own in self.slipping.multipliers.items()}

    def slip_rates(self, state: State, t: float) -> dict[str, float]:
        """Return how fast they slip at a state."""
        now = t + self.clock_s
        return {} if self.slipping is None else self.slipping.rates(self.model.symbolic.derivation, state.hardware, now)

    @cached_property
    def drives(self) -> bool:
        """Whether constraints that hold do work."""
        return any(self.model.system.constraint(name).drives for name in self.holds)

    @property
    def corners(self) -> tuple[float, ...]:
        """Times [s] at which the equations of constraints that hold change."""
        holding = self.holding
        return () if holding is None else tuple(t - self.clock_s for t in holding.stack.corners(holding.kept[:-1]))

    @property
    def holds(self) -> tuple[str, ...]:
        """Names of the constraints none of whose rows slips."""
        moving = () if self.slipping is None else self.slipping.stack.rows_of
        return tuple(name for name in self.constraints if name not in moving)

    def at_rest(self, state: State) -> State:
        """Return a state of one or many cases; where nothing is said ideal wheels rest and loads start as they say."""
        own, whole = self.model.layout, self.layout
        state = state.of_layout(own) if self.equipped else state
        if not whole.loads:
            return state
        if state_problems(state, own, batch=state.x.ndim > 1):
            return state.of_layout(whole) if state.x.shape[-1] == whole.n_x else state
        starts = np.concatenate([load.start for load in self.loads])
        theirs = np.broadcast_to(starts, (*state.x.shape[:-1], whole.n_x - own.n_x))
        return State.of_unit(np.concatenate([state.x, theirs], axis=-1), whole)

    @cached_property
    def layout(self) -> Layout:
        """That of the model, and behind it the states of loads."""
        own = tuple((load.called, len(load.states)) for load in self.loads if load.states)
        return replace(self.model.layout, loads=own) if own else self.model.layout

    def accelerations(self, state: State, command: ArrayLike, t: float = 0.0) -> Array:
        """Return udot (n_u,) of a state under a command, (N,) or (6 + N,) as the mode takes it, at t [s].

        Raises `InvalidState` and `InvalidInput` for what does not fit, `ModeMismatch` for a command that nothing can apply,
        `SingularInertia` where M cannot be inverted.
        """
        return self._at(state, command, t)[1].udot

    def rates(self, state: State, command: ArrayLike, t: float = 0.0) -> Array:
        """Return the time derivative (n_x,) of the packed state; raises as `accelerations`."""
        now, motion = self._at(state, command, t)
        return state_rates(self.layout, now.x, now.u, motion.udot, motion.own_rates)

    def _at(self, state: State, command: ArrayLike, t: float) -> tuple[Situation, Response]:
        state = self.at_rest(state)
        problems = state_problems(state, self.layout)
        given = np.atleast_1d(real(command))
        if not finite(given):
            problems.append(Problem("command", "finite numbers", str(given.tolist())))
        refuse(problems)
        self.mode.check_command(self.model.layout, given, t)
        now = Situation.of(self.model, state)
        return now, self.motion(now, self.force(now, given), t, np.zeros(self.n_books))

    # The right-hand side

    def force(self, now: Situation, command: Array) -> GeneralizedForce:
        """Return what the actuators make of a command, over any scalar; NaN of numbers that are not finite.

        Such a command never reaches the hardware.
        """
        if now.known is None:
            return self.mode.applied(now, command)
        if finite(command):
            return self.mode.generalized_force(*now.known, command)
        base = np.full(6, np.nan) if self.mode.commands_base else None
        return GeneralizedForce(np.full(self.model.layout.N, np.nan), base)

    def motion(self, now: Situation, force: GeneralizedForce, t: Any, books: Array, given: Numbers | None = None) -> Response:
        """Return how the system moves under what its actuators apply and its loads at t [s], over any scalar.

        books : (n_books,) what is integrated beside the state, until now
        given : `inputs`, where they are some of a program
        """
        layout, system, given = self.model.layout, self.model.system, self.inputs if given is None else given
        acting = self.acting(now, t, given["clock"])
        tau, wrench = self._applied(force, acting)
        reaction = self._reaction(now, tau, wrench, t + given["clock"][0], given) if self.constraints or self.closed else None
        udot = now.forward_dynamics(tau, wrench) if reaction is None else reaction.udot
        turning = np.zeros(layout.n_a) if force.actuator_rates is None else force.actuator_rates
        motors = (
            turner_motors(system, now, turning, udot[layout.base_angular]) if layout.states else TurnerMotors(turning, turning)
        )
        lost = 0.0 if acting is None else acting.lost
        if reaction is not None and reaction.slip is not None:
            lost = lost - reaction.slip @ now.u
        driven = 0.0 if reaction is None or not self.drives else reaction.held @ now.u
        rates = [self._actuator_books.rates(now, force, motors.powers, lost, driven)]
        if self.is_disturbed:
            resultant, power = outside_of(now, acting, reaction, self.drives)
            rates.append(External.rate(books[self.books["external"]], resultant, power, now.mass_kg))
        own_rates = turning if acting is None else np.concatenate([turning, acting.rates])
        return Response(force, acting, udot, own_rates, *motors, np.concatenate(rates), reaction)

    def _applied(self, force: GeneralizedForce, acting: Acting | None) -> tuple[Array, Array | None]:
        """Return what actuators and loads do together: joint forces (N,) and the wrench (6,) on a free base."""
        layout, tau, wrench = self.model.layout, force.tau, force.wrench
        if acting is not None:
            tau, outside = tau + acting.force[layout.joints], acting.force[layout.base]
            wrench = outside if wrench is None else wrench + outside
        return tau, None if layout.fixed else wrench

    def driving(self, state: State, force: GeneralizedForce, t: float) -> tuple[Array, Array | None]:
        """Return joint forces (N,) and the wrench (6,) on a free base by all but what holds; slipping constraints too."""
        now, layout = Situation.of(self.model, state), self.model.layout
        tau, wrench = self._applied(force, self.acting(now, t, self.clock))
        if self.slipping is None:
            return tau, wrench
        derivation, numbers = self.model.symbolic.derivation, self.slipping.numbers
        slip = self.slipping.force(derivation, now.x, t + self.clock_s, now.numbers, numbers)
        base = np.zeros(layout.n_base) if wrench is None else wrench
        return tau + slip[layout.joints], None if layout.fixed else base + slip[layout.base]

    def _reaction(self, now: Situation, tau: Array, wrench: Array | None, t: Any, given: Numbers) -> Reaction:
        """Return how the system moves under forces and its constraints."""
        base = np.zeros(self.model.layout.n_base) if wrench is None else wrench
        F = np.concatenate([base, tau])
        if self.slipping is None:
            return self._held(now, F, t, given)
        slip = self.slipping.force(self.model.symbolic.derivation, now.x, t, now.numbers, given[SLIPPING])
        if self.holding is not None:
            held = self._held(now, F + slip, t, given)
            return held._replace(force=held.force + slip, slip=slip if held.slip is None else held.slip + slip)
        wrench, tau = np.split(F + slip, [len(base)])
        return Reaction(now.forward_dynamics(tau, wrench if len(base) else None), slip, np.zeros(0), slip)

    def _held(self, now: Situation, F: Array, t: Any, given: Numbers) -> Reaction:
        """Return how the system moves under generalized forces (n_u,) and the constraints that hold."""
        if now.known is None:
            if self.holding is None:
                raise NotRecordable("how constraints hold is not known yet; Plant.under(names, state) says it")
            return self.holding.reaction(now, self.model.symbolic.derivation, F, t, given[KEPT])
        model, state = now.known
        if self.holding is not None and not self.coded:
            reaction = self.holding.reaction_of_numbers(model, state, F, t)
            if not (reaction.alarms > 0).any():
                return reaction._replace(alarms=np.zeros(0))
        kept = None if self.holding is None else self.holding.kept[:-1]
        layout = self.model.layout
        base = None if layout.fixed else F[layout.base]
        udot = self._constrained.forward_dynamics(state, F[layout.joints], base, t=t, kept=kept)
        needed = model.inverse_dynamics(state, udot)
        parts = [needed.tau] if model.layout.fixed else [needed.wrench, needed.tau]
        force = np.concatenate(parts) - F
        return Reaction(udot, force, np.zeros(0), self._friction(now.x, t, force))

    def _friction(self, x: Array, t: float, force: Array) -> Array | None:
        """Return the part of friction (n_u,) in the generalized force (n_u,) of the constraints; None where nothing slides."""
        if not any(one.rubs for one in self.closed):
            return None
        holding, slip = cast(Holding, self.holding), np.empty(self.layout.n_u)
        program = self.held_program("friction", lambda given: {"slip": holding.friction(**given)}, reaction=(self.layout.n_u,))
        program(x, holding.kept, np.asarray(float(t)), *plant_numbers(self.model).values(), force, slip)
        return slip

    def acting(self, now: Situation, t: Any, clock: Array) -> Acting | None:
        """Return what all loads do at t [s]; None without loads."""
        if not self.loads:
            return None
        if now.known is None:
            return self._acting(self._seen(now.x, t, clock, now.numbers.get(INERTIA)), t + clock[0])
        x_loads = self.layout.x_loads
        sizes = self.layout.n_u, 6, 6, x_loads.stop - x_loads.start, (), sum(len(load.outputs) for load in self.loads)
        acting = Acting(*map(np.empty, sizes))
        self._program(np.array(t), now.x, clock, *plant_numbers(self.model).values(), *acting)
        return acting

    def switching(self, state: State, t: float) -> Array:
        """Return the switching functions (k,) of all loads at t [s], in the order of `switches`."""
        values = np.empty(len(self.switches))
        self._switch_program(np.array(t), state.x, self.clock, *plant_numbers(self.model).values(), values)
        return values

    def start_problems(self, states: State) -> list[Problem]:
        """Return a problem for all that is too deep in something else in a state, or in one of many (n, n_x), not where the
        clock of the loads shows that what begins goes on from something; and for speeds of a state that its constraints deny.

        Raises as `under`.
        """
        known = {} if self.clock_s else self._overlaps
        problems, depths = self._speed_problems(states) if self.constraints and states.x.ndim == 1 else [], np.empty(len(known))
        problems += self.touching.problems(states) if self.contacts and states.x.ndim == 1 else []
        for case, x in enumerate(np.atleast_2d(states.x) if known else ()):
            self._overlap_program(np.array(0.0), x, self.clock, *plant_numbers(self.model).values(), depths)
            key = f"state0[{case}]" if states.x.ndim > 1 else "state0"
            for (what, overlap), depth in zip(known.items(), depths, strict=True):
                if not depth <= overlap.most:
                    expected = f"{what} by at most {overlap.most:.6g} m at the start"
                    problems.append(Problem(key, expected, f"{depth:.6g} m"))
        return problems

    def _speed_problems(self, state: State) -> list[Problem]:
        """Return a problem where the constraints that hold ask for other speeds."""
        off = abs(self.under(self.constraints, state).state.x - state.x).max()
        if off <= ASTRAY * max(1.0, abs(state.u).max(initial=0.0)):
            return []
        expected = f"speeds that obey {', '.join(map(repr, self.constraints))}"
        hint = "a switch at t = 0 that imposes what does not hold before it lets the speeds jump"
        return [Problem("state0", expected, f"speeds that change by up to {off:.3g} then", hint=hint)]

    @cached_property
    def _overlaps(self) -> Mapping[str, Overlap]:
        """What may be in something else, as it is where joints are at zero."""
        if not self.loads:
            return {}
        start = self.at_rest(State.at_rest(self.model.system, self.model.layout.neutral()))
        seen = self._seen(start.x, 0.0, self.clock, None)
        return {what: overlap for load, bodies in seen for what, overlap in load.overlaps(bodies, 0.0).items()}

    @cached_property
    def _overlap_program(self) -> Callable[..., None]:
        def depths(seen: Seen, t: Any) -> dict[str, Array]:
            found = [overlap.depth for load, bodies in seen for overlap in load.overlaps(bodies, t).values()]
            return {"depths": np.array(found)}

        return self._compiled("overlaps", depths)

    @cached_property
    def switches(self) -> tuple[str, ...]:
        """Names of the switching functions of all loads; raises `InvalidInput` where two have one name."""
        if not self.loads:
            return ()
        start = State.at_rest(self.model.system, self.model.layout.neutral())
        seen = self._seen(self.at_rest(start).x, 0.0, self.clock, None)
        names = [name for load, bodies in seen for name in load.switches(bodies, 0.0)]
        if len(set(names)) < len(names):
            raise InvalidInput(Problem("loads", "switching functions whose names differ", ", ".join(names)))
        return tuple(names)

    def _seen(self, x: Array, t: Any, clock: Array, inertia: Array | None) -> Seen:
        """Return each load with what it sees."""
        acting = [Inhibited(load) if load.called in self.inhibited else load for load in self.loads]
        orbit = None if self.orbit is None else (self._at_epoch.position(t + clock[1]), self._at_epoch.velocity(t + clock[1]))
        bodies, places = Bodies(self.model.system, self.model.symbolic.derivation.at(x, inertia), orbit), self.layout.actuators
        return [(load, replace(bodies, own=x[places[load.called]]) if load.states else bodies) for load in acting]

    def _loading(self, x: Array, t: Any, clock: Array, inertia: Array | None) -> BodyWrenches:
        """Return what all loads do to the bodies."""
        first, *others = (load.wrenches(bodies, t + clock[0]) for load, bodies in self._seen(x, t, clock, inertia))
        return sum(others, start=first)

    def _acting(self, seen: Seen, t: Any) -> Acting:
        first, *others = (load.wrenches(bodies, t) for load, bodies in seen)
        wrenches, g, fixed = sum(others, start=first), seen[0][1].geometry, self.layout.fixed
        rates = np.concatenate([[], *(_rates(load, bodies, t) for load, bodies in seen if load.states)])
        lost = sum(load.dissipated(bodies, t) for load, bodies in seen)
        shown = np.concatenate([[], *(load.output(bodies, t) for load, bodies in seen)])
        carried = self.model.system.trees[0].bodies
        force = wrenches.generalized_force(g, fixed=fixed, carried=carried)
        on_base = wrenches.of(carried).about_base(g.r_0i[carried])
        return Acting(force, wrenches.resultant(g), on_base, rates, np.asarray(lost), shown)

    @cached_property
    def _program(self) -> Callable[..., None]:
        return self._compiled("loads", lambda seen, t: self._acting(seen, t)._asdict())

    @cached_property
    def _switch_program(self) -> Callable[..., None]:
        def values(seen: Seen, t: Any) -> dict[str, Array]:
            return {"values": np.array([value for load, bodies in seen for value in load.switches(bodies, t).values()])}

        return self._compiled("switches", values)

    def _compiled(self, what: str, of: Callable[[Seen, Any], Mapping[str, Array]]) -> Callable[..., None]:
        """Return what follows from t, x, `clock` and `plant_numbers`; compiled once for equal loads that are formulas."""
        if not all(load.is_formula for load in self.loads):
            return self._of_numbers(of)
        kept: dict[Hashable, Any] = self.model.family.kept if self.is_recordable else {}
        key = (what, self.key)
        if key not in kept:
            numbers = {name: np.shape(array) for name, array in plant_numbers(self.model).items()}

            def program(*, t: Any, x: Array, clock: Array, **given: Array) -> Mapping[str, Array]:
                return of(self._seen(x, t, clock, given.get(INERTIA)), t + clock[0])

            kept[key] = compile_program(record({"t": (), "x": (self.layout.n_x,), "clock": (2,), **numbers}, program))
        return cast(CompiledProgram, kept[key])

    def _of_numbers(self, of: Callable[[Seen, Any], Mapping[str, Array]]) -> Callable[..., None]:
        """Return the same without a program."""
        inputs = list(plant_numbers(self.model))

        def evaluate(t: Array, x: Array, clock: Array, *arrays: Array) -> None:
            given = dict(zip(inputs, arrays, strict=False))
            found = of(self._seen(x, float(t), clock, given.get(INERTIA)), float(t) + clock[0])
            for filled, value in zip(arrays[len(inputs) :], found.values(), strict=True):
                filled[...] = value

        return evaluate

    def ground(self, states: State, udot: Array, load: Array) -> Array:
        """Return what holds a fixed base (k, 6) [f; n] at its frame's origin, in N.

        udot, load : (k, n_u) accelerations, (k, 6) what loads and constraints do on the base and what it carries, about there
        """
        return self.model.batch.inverse_dynamics(states, udot).wrench - load

    @cached_property
    def interface_loads(self) -> InterfaceLoads:
        """What goes through joints and constraints."""
        return InterfaceLoads(self, self._loading)

    # What programs are kept by

    @cached_property
    def key(self) -> object:
        """One for all plants of a family with equal descriptions: they share programs."""
        return self.model.family.kept.setdefault(self.description, object())

    @property
    def description(self) -> Hashable:
        """All that the plant says, less what is an input of programs."""
        derivation = self.model.symbolic.derivation
        said = {each.name: getattr(self, each.name) for each in fields(self) if each.metadata.get("input") != "clock"}
        del said["model"], said["contacts"]  # what of them is closed says the rest
        return (
            derivation.description,
            described(said, (*derivation.inertia.inputs, "orbit", KEPT, SLIPPING)),
            self.is_disturbed,
            described(self._at_epoch),
        )

    @property
    def is_recordable(self) -> bool:
        """Whether programs of it may be kept: all of it is formulas, and loads are equal where they act alike."""
        return not self.obstacles

    @cached_property
    def obstacles(self) -> tuple[Problem, ...]:
        """What keeps it from being recorded."""
        found = []
        if not isinstance(self.model.implementation, Full):
            found.append(Problem("model", "a model with Full()", repr(self.model)))
        if not self.mode.is_formula:
            found.append(Problem("mode", "a mode whose actuators are formulas", repr(self.mode)))
        found += [Problem("loads", "loads that are formulas", repr(load)) for load in self.loads if not load.is_formula]
        others = [load for load in self.loads if type(load).__hash__ in (None, object.__hash__)]
        return (
            *found,
            *(Problem("environment", "loads that can be compared, as frozen dataclasses", repr(load)) for load in others),
        )

    @property
    def orbit(self) -> Orbit | None:
        """The orbit on which the origin of N moves; None where no load has one."""
        return next((load.origin_orbit for load in self.loads if load.origin_orbit is not None), None)

    @cached_property
    def _at_epoch(self) -> Any:
        return None if self.orbit is None else self.orbit.epoch[0]

    @cached_property
    def clock(self) -> Array:
        """(2,) what the clocks of loads, constraints and orbit show at t = 0 [s]; empty without any. An input of programs."""
        if not (self.loads or self.constraints or self.closed):
            return NO_CLOCK
        since = 0.0 if self.orbit is None else self.orbit.epoch[1]
        return np.array([self.clock_s, self.clock_s + since])

    @cached_property
    def inputs(self) -> Numbers:
        """What programs of it take that is no part of their key, by name."""
        held = {} if self.holding is None else {KEPT: self.holding.kept}
        slipping = {} if self.slipping is None else {SLIPPING: self.slipping.numbers}
        return {"clock": self.clock, **held, **slipping}

    @cached_property
    def channels(self) -> Channels:
        """The series that a run of it has of its own: state, totals beside it, and what actuators and loads do."""
        system = self.model.system
        outside = (*EXTERNAL.channels * self.is_disturbed, *(self.load_states, self.load_outputs) * bool(self.loads))
        own = (*STATES, *system.turners.state_channels, *TOTALS, *OUTPUTS, *system.turners.effort_channels)
        return Channels((*own, *outside), self.dimensions)

    @property
    def dimensions(self) -> Dimensions:
        """What the entries of series of a run are called."""
        of_loads = {"load_state": self._named_by_load("states"), "load_output": self._named_by_load("outputs")}
        made = {name: Dimension(name, tuple(units), tuple(units.values())) for name, units in of_loads.items() if units}
        names = tuple(one.name for one in self.model.system.constraints)
        own = {"constraint": names, "constraint_row": self.constraint_rows} if names else {}
        own |= {"contact": tuple(self.touching.places)} if self.contacts else {}
        return {**self.model.system.dimensions, **made, **{axis: Dimension(axis, entries) for axis, entries in own.items()}}

    def _named_by_load(self, what: str) -> dict[str, str]:
        """Return the units of the states, or outputs, of all loads, by the names of load and state."""
        return {f"{load.called}.{name}": unit for load in self.loads for name, unit in getattr(load, what).items()}

    @cached_property
    def load_states(self) -> Channel:
        """The series of the states of loads."""
        portions = tuple(Portion(unit, unit) for unit in dict.fromkeys(self._named_by_load("states").values()))
        return Channel("load_states", "load_state", portions, "states of the loads", Nature.STATE)

    @cached_property
    def load_outputs(self) -> Channel:
        """The series of what loads show."""
        units = dict.fromkeys(self._named_by_load("outputs").values())
        portions = tuple(Portion(unit, unit, "load_output") for unit in units)
        return Channel("load_outputs", "load_output", portions, "what the loads show")

    # Beside the state

    @cached_property
    def books(self) -> Mapping[str, slice]:
        """Places of what is integrated beside the state, by name: totals since the start.

        work, dissipated [J]; of modes that push impulse (6,) of what does, linear [N s], angular about the system CoM [N m s],
        and with thrusters propellant_kg; where it is disturbed external (10,), the `External` of
        all loads, and of constraints that bind the system to N.
        """
        mode = self.mode
        sizes = {"work": 1, "dissipated": 1, "impulse": 6 * mode.pushed, "propellant_kg": int(self.burns)}
        ends = np.cumsum([0, *sizes.values(), External.COLUMNS * self.is_disturbed]).tolist()
        return {name: slice(*ends[k : k + 2]) for k, name in enumerate((*sizes, "external"))}

    @cached_property
    def is_disturbed(self) -> bool:
        """Whether loads act, or constraints or contacts can bind the system to N, so that momentum is not kept."""
        return bool(self.loads) or binds(self.model) or any(one.grounded(self.model.system) for one in self.contacts)

    @property
    def n_books(self) -> int:
        """How many numbers are integrated beside the state."""
        return self.books["external"].stop

    @property
    def burns(self) -> bool:
        """Whether thrusters push."""
        return self.mode.pushed and bool(self.model.system.pushers)

    @cached_property
    def _actuator_books(self) -> ActuatorBooks:
        return ActuatorBooks(self.model.system, pushed=self.mode.pushed, burns=self.burns)

    def __repr__(self) -> str:
        more = f", loads={list(self.loads)!r}" if self.loads else ""
        return f"Plant({self.model.system!r}, {self.mode!r}{more})"


def _rates(load: Load, bodies: Bodies, t: Any) -> Array:
    """Return the rates of a load's states; raises `InvalidInput` for another number of them."""
    rates = np.asarray(load.rates(bodies, t))
    if rates.shape != bodies.own.shape:
        expected = f"{len(bodies.own)}, one per state {', '.join(load.states)}"
        raise InvalidInput(Problem(f"rates of load '{load.called}'", expected, f"shape {rates.shape}"))
    return rates


def _refuse_equal_names(layout: Layout) -> None:
    """Raise `InvalidInput` where states of loads cannot be told apart from others by name."""
    names = [name for name, _ in layout.states + layout.loads]
    if layout.loads and len(set(names)) < len(names):
        hint = "`called` of a load says its name"
        raise InvalidInput(Problem("loads", "names that differ, of all that has states", ", ".join(names), hint=hint))


def _refuse_two_orbits(loads: Sequence[Load]) -> None:
    """Raise `ModeMismatch` where two loads have orbits that differ."""
    orbits = [(load, load.origin_orbit) for load in loads if load.origin_orbit is not None]
    for load, orbit in orbits[1:]:
        if orbit != orbits[0][1]:
            raise ModeMismatch(
                f"the origin of N moves on one orbit, and {orbits[0][0]!r} and {load!r} have two that differ; give all loads "
                "the same orbit, or leave it out of all but one"
            )


def _names_of(system: System, given: Any) -> tuple[str, ...]:
    """Return the names of the constraints that hold; raises `UnknownName`."""
    if given is None:
        return tuple(one.name for one in system.constraints if one.active)
    expect("constraints", given, Sequence, "names of constraints")
    return tuple(system.constraint(name).name for name in given)


def _inhibited(loads: Sequence[Load], given: Any) -> tuple[str, ...]:
    """Return the names of the loads that do not act; raises `UnknownName`."""
    if given is None:
        return tuple(load.called for load in loads if not load.acts)
    known = [load.called for load in loads]
    expect("inhibited", given, Sequence, "names of loads")
    for name in given:
        if name not in known:
            raise UnknownName("load", name, "this plant", known)
    return tuple(given)


def _both(first: Imposed, then: Imposed) -> Imposed:
    """Return what comes of two changes at one instant, of which the second says what holds after it."""
    impulses = {name: impulse + first.impulses.get(name, 0.0) for name, impulse in then.impulses.items()}
    return Imposed(then.state, impulses, first.energy_lost + then.energy_lost)
