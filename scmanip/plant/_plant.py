"""A system, how it is flown, and what acts on it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike

from ..channels import Channel, Channels, Dimension, Dimensions
from ..compiled import CompiledProgram, Token, compile_program, described
from ..constraints import Constraint
from ..dynamics import ClosedContact, Constrained, Full, Model, Stack, SymbolicModel, compile_model
from ..errors import NotRecordable, Problem, checked, refuse
from ..loads import EXTERNAL, External, Load, Orbit
from ..modes import GeneralizedForce, ManoeuvreMode, Situation, TurnerMotors, turner_motors
from ..spatial import Array, array_problems, finite, real
from ..symbolic import Program, record
from ..system import Layout, State, System, state_problems
from ._actuator_books import ActuatorBooks
from ._changes import ASTRAY, NOTHING_ELSE, Changes, changed
from ._channels import OUTPUTS, STATES, TOTALS, law_channel
from ._components import held_trees, joined, pushed_trees
from ._holding import Change, Holding, Reaction
from ._imposing import changed_by, kept_at
from ._interfaces import InterfaceLoads
from ._io_system import plant_io_system
from ._loading import Loading
from ._numbers import plant_numbers
from ._outside import binds, outside_of
from ._parts import PlantParts, constraints_of, inhibited_of, refuse_equal_names, refuse_two_orbits
from ._response import Acting, Response
from ._rigid_contact import RigidContact, refuse_contacts
from ._said import wrenches_of
from ._slipping import Slipping
from ._state_rates import state_rates
from ._touching import ContactPrograms

NO_CLOCK = np.empty(0)
KEPT = "kept"
SLIPPING = "slipping"
BACK = "brought back"
LAW = "law."  # what names of its memory begin with among those of states
NOTHING_TURNS: Mapping[str, int] = {}
Numbers: TypeAlias = Mapping[str, Array]


@checked
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
    memory : names and units of what a law remembers as part of the state, behind the states of loads; made by `remembering`
    clock_s : what the clock of loads and constraints shows at t = 0 [s]
    coded : whether motion under constraints that hold is compiled; else it is evaluated as it is written, from state to state
    equipped : whether the mode added ideal wheels

    Raises `InvalidInput` for parts of the wrong kind, `ModeMismatch` for parts that do not fit together.

    >>> plant = Plant(model, scmanip.Floating())
    >>> udot = plant.accelerations(state, [0.1, 0.0, 0.0, 0.0])
    >>> udot.shape, np.allclose(model.H(state) @ udot[6:], [0.1, 0.0, 0.0, 0.0])
    ((10,), True)
    >>> plant.rates(state, [0.1, 0.0, 0.0, 0.0]).shape
    (21,)
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
    memory: tuple[tuple[str, str], ...] = ()
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
        names = constraints_of(model.system, self.constraints)
        refuse_contacts(self.contacts, model.system)
        vars(self).update(model=equipped, loads=tuple(self.loads), constraints=names, equipped=equipped is not model)
        vars(self).update(inhibited=inhibited_of(self.loads, self.inhibited), contacts=tuple(self.contacts))
        for load in self.loads:
            load.check(self.model)
        refuse_two_orbits(self.loads)
        refuse_equal_names(self.layout)

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

    def remembering(self, states: Mapping[str, str]) -> Plant:
        """Return the plant with room for what a law remembers, named with its units; the law says how it changes."""
        memory = tuple((LAW + name, unit) for name, unit in states.items())
        return self if memory == self.memory else replace(self, memory=memory)

    # At one state

    def under(self, names: Sequence[str], state: State, t: float = 0.0, turned: Mapping[str, int] = NOTHING_TURNS) -> Change:
        """Return what comes of these constraints in place of those before, at a state and t [s], beside `closed` contacts.

        What begins to hold does so plastically; what can slip gives no impulse, slips where it moves and holds where it rests.
        turned : by what a row is called (`Stack.called`) the sign of the multiplier with which it begins to slip at rest, and 0
            where one that slipped rests

        Raises `InvalidState` for what is too far from where it can hold, `InconsistentConstraints` for constraints that no
        motion obeys.
        """
        return changed_by(self, names, state, t, turned)

    def under_each(
        self,
        names: Sequence[str],
        states: State,
        t: ArrayLike = 0.0,
        *,
        kept: Array | None = None,
        values: Numbers = NOTHING_ELSE,
    ) -> Changes:
        """Return the same for a batch of n states, of which programs have everything in common but what is kept.

        t : one for all or (n,) [s]
        kept : (n, n_kept + 1) what each keeps of the constraints that hold, as `Changes` has it; what the plant has if not said
        values : (n, ...) numbers of `plant_numbers` of their own, or one for all, by name
        Raises `InvalidInput` for constraints that slip. A state in which they cannot hold is told, and no error.
        """
        return changed(self, names, states, t, kept, values)

    def rigid(self, state: State, t: float) -> tuple[Constrained, Array]:
        """Return those rows of the constraints that can give impulses, and what they keep (n_kept,), in SI, at t [s]."""
        stack = Stack.of(self.model.system, [*self.constraints, *self.leading])
        constrained = Constrained(self.model, stack.without(stack.limits))
        return constrained, kept_at(self, constrained, state, t)

    def held(self, state: State, t: float) -> tuple[Constrained, Array]:
        """Return those rows of the constraints that do not slip, closed contacts aside, and what they keep (n_kept,).

        In SI; t : [s].
        """
        stack = Stack.of(self.model.system, [*self.constraints, *self.leading])
        constrained = Constrained(self.model, stack.without(self.slips))
        return constrained, kept_at(self, constrained, state, t)

    def held_anew(self, state: State, t: float, kept: Array | None = None) -> Plant:
        """Return the plant with dependent speeds chosen at a state that obeys the constraints, at t [s].

        kept : (n_kept,) what they keep there, in SI; what the plant has if not said
        """
        if self.holding is None:
            return self
        kept = self.holding.kept[:-1] if kept is None else kept
        self._constrained.choose(state, t=t + self.clock_s, kept=kept)
        return self.holding_as(self.constraints, Holding.of(self._constrained, kept, self.led), self.slipping)

    @property
    def dependent(self) -> tuple[str, ...]:
        """Names of the speeds that follow from the others under the constraints that hold."""
        return () if self.holding is None else tuple(self.layout.u_names[j] for j in self.holding.chosen.dependent)

    def supposed(self, names: Sequence[str], state: State, t: float) -> Plant:
        """Return the plant as if constraints held at t [s] in a state that need not obey them, as for programs of theirs."""
        constrained = Constrained(self.model, Stack.of(self.model.system, [*names, *self.leading]))
        kept = kept_at(self, constrained, state, t) if self.leading else constrained.kept(state, t=t + self.clock_s)
        constrained.choose(state, t=t + self.clock_s, kept=kept)
        return self.holding_as(names, Holding.of(constrained, kept, self.led))

    def holding_as(self, names: Sequence[str], holding: Holding | None, slipping: Slipping | None = None) -> Plant:
        """Return the plant under constraints; where it was so before, with the key that it had."""
        plant = replace(self, constraints=tuple(names), holding=holding, slipping=slipping)
        if not plant.holders:
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

    def brought_back_in(self, x: Array) -> Callable[[float], None]:
        """Return what brings the packed state back that is in x (n_x,) when it is called at t [s], with arrays of its own."""
        holding, clock = cast(Holding, self.holding), np.empty(())
        rest = np.empty(len(holding.chosen.rows)), np.empty(2)
        bring = partial(self.projection.function, x, holding.kept, clock, *plant_numbers(self.model).values(), x, *rest)

        def back(t: float) -> None:
            clock[...] = t + self.clock_s
            bring()

        return back

    def brought_back_each(
        self, x: Array, t: Array, kept: Array, values: Numbers = NOTHING_ELSE, threads: int = 1
    ) -> tuple[Array, Array, Array, Array]:
        """Return the same of states (n, n_x) of which each keeps something else, kept (n, n_kept + 1), all in SI.

        Behind it (n, 2) above zero where dependent speeds are badly chosen, and where rows contradict each other.
        t : (n,) what the clock of the constraints shows [s]
        values : (n, ...) as of `under_each`
        """
        program, n = self._watched_projection, len(x)
        arrays = (
            np.empty(x.shape),
            np.empty((n, len(cast(Holding, self.holding).chosen.rows))),
            np.empty((n, 2)),
            np.empty((n, 2)),
        )
        numbers = plant_numbers(self.model) | {name: values[name] for name in plant_numbers(self.model) if name in values}
        program.batch(np.ascontiguousarray(x), kept, t, *numbers.values(), *arrays, threads=threads)
        return arrays

    def constraint_forces(self, x: Array, t: Array, reaction: Array) -> Array:
        """Return what the constraints that hold apply (n, k) [N or N m] at packed states (n, n_x) in SI and times (n,) [s].

        reaction : (n, n_u) the generalized forces [N, N m] that they give together
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
    def loading(self) -> Loading:
        """What its loads do."""
        return Loading(self)

    @cached_property
    def touching(self) -> ContactPrograms:
        """Where its contacts are, and what they do."""
        return ContactPrograms(self)

    @property
    def projection(self) -> CompiledProgram:
        """The program of `brought_back`."""
        return self.held_program(BACK, self._back)

    @property
    def recorded_projection(self) -> Program:
        """It, recorded alone."""
        return self._recorded(BACK, self._back)

    @property
    def recorded_beginning(self) -> Program:
        """How the packed state x (n_x,) jumps where all constraints that hold begin to, recorded."""
        return self._recorded("begun", lambda given: cast(Holding, self.holding).begun(self.layout, **given))

    @property
    def recorded_rows(self) -> Program:
        """What the constraints that hold say: `broken` (m,), zero where speeds obey the rows that were selected, and all rows
        `A` (k, n_u), of inputs x, `kept`, the clock t and `plant_numbers`.
        """
        return self._recorded("rows", lambda given: cast(Holding, self.holding).said(**given))

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
            kept[key] = compile_program(self._recorded(what, of, **more))
        return cast(CompiledProgram, kept[key])

    def _recorded(self, what: str, of: Callable[[Any], Mapping[str, Array]], **more: tuple[int, ...]) -> Program:
        kept, key = self.model.family.kept, ("recorded", what, self.key)
        if key not in kept:
            own = {"x": (self.layout.n_x,), KEPT: cast(Holding, self.holding).kept.shape, "t": ()}
            numbers = {name: np.shape(array) for name, array in plant_numbers(self.model).items()}

            def program(**given: Array) -> Mapping[str, Array]:
                inertia = {name: given.pop(name) for name in numbers}
                return of({"derivation": self.model.symbolic.derivation, "numbers": inertia, **given})

            kept[key] = self.model.family.program(key, lambda: record({**own, **numbers, **more}, program))
        return cast(Program, kept[key])

    def _back(self, given: Any) -> Mapping[str, Array]:
        return cast(Holding, self.holding).brought_back(self.layout, **given)

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
            for load, bodies in self.loading.seen(x, t, clock):
                pushed.update(pushed_trees(system, wrenches_of(load, bodies, t)))
            return {"t": t}

        if self.loads:
            record({"t": (), "x": (self.layout.n_x,), "clock": (2,)}, push)
        stack = Stack.of(system, [*self.constraints, *self.leading]).without(self.slips)
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
        """The signs of the multipliers of those, bare numbers 1 and -1."""
        return {} if self.slipping is None else {name: float(np.sign(own)) for name, own in self.slipping.multipliers.items()}

    def slip_rates(self, state: State, t: float) -> dict[str, float]:
        """Return how fast they slip [m/s or rad/s] at a state and t [s]."""
        now = t + self.clock_s
        return {} if self.slipping is None else self.slipping.rates(self.model.symbolic.derivation, state.hardware, now)

    @cached_property
    def drives(self) -> bool:
        """Whether constraints that hold do work."""
        return any(self.model.system.constraint(name).drives for name in self.holds)

    @cached_property
    def leading(self) -> tuple[Constraint, ...]:
        """Constraints by which loads that act lead the system; they hold beside those that have names."""
        return tuple(one for one, _ in self._leaders)

    @cached_property
    def led(self) -> tuple[tuple[str, int], ...]:
        """Names of these, and where in x the states begin that are their numbers."""
        return tuple((one.name, self.layout.actuators[load.called].start) for one, load in self._leaders)

    @cached_property
    def _leaders(self) -> tuple[tuple[Constraint, Load], ...]:
        acting = (load for load in self.loads if load.called not in self.inhibited)
        return tuple((one, load) for load in acting if (one := load.leads) is not None)

    @property
    def holders(self) -> tuple[str, ...]:
        """Names of all constraints that hold or slip: of the system, of closed contacts, of loads that lead."""
        return (*self.constraints, *(one.name for one in (*self.closed, *self.leading)))

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
        """Return a state of one or many cases; where nothing is said ideal wheels rest and loads start as they say.

        What laws remembered is left out.
        """
        own, whole = self.model.layout, replace(self, memory=()).layout if self.memory else self.layout
        state = state.without(LAW) if isinstance(state, State) else state
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
        own += tuple((name, 1) for name, _ in self.memory)
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

    def whole_command(self, command: ArrayLike, t: float = 0.0) -> Array:
        """Return a command as long as the longest that the mode takes, (N,) or (6 + N,), in [N m or N].

        Raises `InvalidInput` for what is no command, `ModeMismatch` for one that nothing can apply; t : the time [s] they tell.
        """
        given = self._commanded(command, t)
        whole = np.zeros(self.mode.command_size(self.layout))
        whole[len(whole) - len(given) :] = given
        return whole

    def to_nonlinear_io_system(self, name: str = "plant") -> Any:
        """Return the plant as a `control.NonlinearIOSystem`: the command in, the packed state x (n_x,) as its state and out.

        Signals are called as those of `analysis.linearise`, with `attitude_xyzw[w]` and the coordinates of joints; blocks of
        laws have the same names, by which `control.interconnect` joins them. Raises `InvalidInput` under constraints.
        """
        return plant_io_system(self, name)

    def packed_rates(self, x: Array, command: ArrayLike, t: float = 0.0) -> Array:
        """Return the same as `rates` at a packed state (n_x,) whose quaternions need not be of norm 1, which they keep."""
        _, motion = self._at(State.renormalised(x, self.layout), command, t)
        return state_rates(self.layout, x, x[self.layout.x_u], motion.udot, motion.own_rates)

    def _at(self, state: State, command: ArrayLike, t: float) -> tuple[Situation, Response]:
        state = self.at_rest(state)
        given = self._commanded(command, t, state_problems(state, self.layout))
        now = Situation.of(self.model, state)
        return now, self.motion(now, self.force(now, given), t, np.zeros(self.n_books))

    def _commanded(self, command: ArrayLike, t: float, problems: Sequence[Problem] = ()) -> Array:
        """Return the numbers of a command at t [s] that the mode takes; raises with `problems` of what else is given."""
        given = np.zeros(0)
        try:
            given = np.atleast_1d(real(command))
            wrong = [] if finite(given) else [Problem("command", "finite numbers", str(given.tolist()))]
        except (TypeError, ValueError):
            wrong = [Problem("command", "numbers", repr(command))]
        refuse([*problems, *wrong, *array_problems("t", t, ())])
        self.mode.check_command(self.model.layout, given, t)
        return given

    # The right-hand side

    def force(self, now: Situation, command: Array) -> GeneralizedForce:
        """Return what the actuators make of a command, (N,) or (6 + N,) in SI, over any scalar; NaN of what is not finite.

        Such a command never reaches the hardware.
        """
        if now.known is None:
            return self.mode.applied(now, command)
        if finite(command):
            return self.mode.generalized_force(*now.known, command)
        base = np.full(6, np.nan) if self.mode.commands_base else None
        return GeneralizedForce(np.full(self.model.layout.N, np.nan), base)

    def motion(
        self,
        now: Situation,
        force: GeneralizedForce,
        t: Any,
        books: Array,
        given: Numbers | None = None,
        remembered: Array | None = None,
    ) -> Response:
        """Return how the system moves under what its actuators apply and its loads at t [s], over any scalar.

        books : (n_books,) what is integrated beside the state, until now, in SI
        given : `inputs`, where they are some of a program
        remembered : how `memory` changes, in its units per second; None where nobody asks
        """
        layout, given = self.model.layout, self.inputs if given is None else given
        acting = self.loading.acting(now, t, given["clock"])
        tau, wrench = self._applied(force, acting)
        reaction = self._reaction(now, tau, wrench, t + given["clock"][0], given) if self.holders else None
        udot = now.forward_dynamics(tau, wrench) if reaction is None else reaction.udot
        turning = np.zeros(layout.n_a) if force.actuator_rates is None else force.actuator_rates
        motors = TurnerMotors(turning, turning)
        if layout.states:
            motors = turner_motors(now.system, now, turning, udot[layout.base_angular])
        lost = 0.0 if acting is None else acting.lost
        if reaction is not None and reaction.slip is not None:
            lost = lost - reaction.slip @ now.u
        driven = 0.0 if reaction is None or not self.drives else reaction.held @ now.u
        rates = [self._actuator_books.rates(now, force, motors.powers, lost, driven)]
        if self.is_disturbed:
            resultant, power = outside_of(now, acting, reaction, self.drives)
            rates.append(External.rate(books[self.books["external"]], resultant, power, now.mass_kg))
        own_rates = turning if acting is None else np.concatenate([turning, acting.rates])
        if self.leading and reaction is not None:
            own_rates = own_rates + self._felt(now, reaction, t + given["clock"][0], given)
        if self.memory:
            own_rates = np.concatenate([own_rates, np.zeros(len(self.memory)) if remembered is None else remembered])
        return Response(force, acting, udot, own_rates, *motors, np.concatenate(rates), reaction)

    def _felt(self, now: Situation, reaction: Reaction, t: Any, given: Numbers) -> Array:
        """Return what comes to the rates of the states of actuators and loads of what these give by which loads lead."""
        holding, derivation = cast(Holding, self.holding), self.model.symbolic.derivation
        kept = given.get(KEPT, holding.kept)
        forces = holding.forces(derivation, now.x, kept, t, now.numbers, reaction.held)
        felt = 0 * now.x
        for one, load in self._leaders:
            place = self.layout.actuators[load.called]
            felt[place] = load.felt(now.x[place], forces[holding.stack.rows_of[one.name]])
        return felt[self.layout.x_u.stop : self.x_loads.stop]

    def _applied(self, force: GeneralizedForce, acting: Acting | None) -> tuple[Array, Array | None]:
        """Return what actuators and loads do together: joint forces (N,) and the wrench (6,) on a free base."""
        layout, tau, wrench = self.model.layout, force.tau, force.wrench
        if acting is not None:
            tau, outside = tau + acting.force[layout.joints], acting.force[layout.base]
            wrench = outside if wrench is None else wrench + outside
        return tau, None if layout.fixed else wrench

    def driving(self, state: State, force: GeneralizedForce, t: float) -> tuple[Array, Array | None]:
        """Return joint forces (N,) and the wrench (6,) on a free base by all but what holds; slipping constraints too.

        In [N, N m] and axes of N, the wrench at the base CoM; t : [s].
        """
        now, layout = Situation.of(self.model, state), self.model.layout
        tau, wrench = self._applied(force, self.loading.acting(now, t, self.clock))
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
        if self.holding is None and (now.known is None or self.leading):
            raise NotRecordable("how constraints hold is not known yet; Plant.under(names, state) says it")
        if now.known is None:
            assert self.holding is not None
            return self.holding.reaction(now, self.model.symbolic.derivation, F, t, given[KEPT])
        model, state = now.known
        if self.holding is not None and not self.coded:
            reaction = self.holding.reaction_of_numbers(model, state, F, t)
            if not (reaction.alarms > 0).any():
                return reaction._replace(alarms=np.zeros(0))
        kept = None if self.holding is None else self.holding.numbers(now.x, self.holding.kept)
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

    def start_problems(self, states: State) -> list[Problem]:
        """Return a problem for all that is too deep in something else in a state, or in one of many (n, n_x), not where the
        clock of the loads shows that what begins goes on from something; and for speeds of a state that its constraints deny.

        Raises as `under`.
        """
        problems = self._speed_problems(states) if self.constraints and states.x.ndim == 1 else []
        problems += self.touching.problems(states) if self.contacts and states.x.ndim == 1 else []
        return problems if self.clock_s else problems + self.loading.problems(states)

    def _speed_problems(self, state: State) -> list[Problem]:
        """Return a problem where the constraints that hold ask for other speeds."""
        off = abs(self.under(self.constraints, state).state.x - state.x).max()
        if off <= ASTRAY * max(1.0, abs(state.u).max(initial=0.0)):
            return []
        expected = f"speeds that obey {', '.join(map(repr, self.constraints))}"
        hint = "a switch at t = 0 that imposes what does not hold before it lets the speeds jump"
        return [Problem("state0", expected, f"speeds that change by up to {off:.3g} then", hint=hint)]

    def ground(self, states: State, udot: Array, load: Array) -> Array:
        """Return what holds a fixed base (k, 6) [f; n] at its frame's origin, in N and SI.

        udot, load : (k, n_u) accelerations in SI, (k, 6) [N, N m] what loads and constraints do on the base and what it
            carries, about there
        """
        return self.model.batch.inverse_dynamics(states, udot).wrench - load

    @cached_property
    def interface_loads(self) -> InterfaceLoads:
        """What goes through joints and constraints."""
        return InterfaceLoads(self)

    # What programs are kept by

    @cached_property
    def key(self) -> object:
        """One for all plants of a family with equal descriptions: they share programs."""
        known, (_, *own) = self.model.family.kept, self.description  # the first is the family's
        return known.setdefault(self.description, Token(tuple(own)))

    @property
    def description(self) -> tuple[Hashable, ...]:
        """All that the plant says, less what is an input of programs."""
        derivation = self.model.symbolic.derivation
        said = {each.name: getattr(self, each.name) for each in fields(self) if each.metadata.get("input") != "clock"}
        del said["model"], said["contacts"]  # what of them is closed says the rest
        return (
            derivation.description,
            described(said, ("orbit", KEPT, SLIPPING)),
            self.is_disturbed,
            described(self.at_epoch),
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
    def at_epoch(self) -> Any:
        """That orbit from its epoch on."""
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
        outside = (
            *EXTERNAL.channels * self.is_disturbed,
            *(self.loading.states, self.loading.outputs) * bool(self.loads),
        )
        own = (*STATES, *system.turners.state_channels, *TOTALS, *OUTPUTS, *system.turners.effort_channels)
        return Channels((*own, *outside, *(self.remembered,) * bool(self.memory)), self.dimensions)

    @property
    def remembered(self) -> Channel:
        """The series of what the law remembers."""
        return law_channel(unit for _, unit in self.memory)

    @cached_property
    def x_law(self) -> slice:
        """Place in x of what the law remembers."""
        return slice(self.layout.n_x - len(self.memory), self.layout.n_x)

    @cached_property
    def x_loads(self) -> slice:
        """Place in x of the states of loads."""
        return slice(self.layout.x_loads.start, self.x_law.start)

    @property
    def dimensions(self) -> Dimensions:
        """What the entries of series of a run are called."""
        of_loads = {"load_state": self.loading.named("states"), "load_output": self.loading.named("outputs")}
        of_loads["law_state"] = dict(self.memory)
        made = {name: Dimension(name, tuple(units), tuple(units.values())) for name, units in of_loads.items() if units}
        names = tuple(one.name for one in self.model.system.constraints)
        own = {"constraint": names, "constraint_row": self.constraint_rows} if names else {}
        own |= {"contact": tuple(self.touching.places)} if self.contacts else {}
        own |= {"push": self.loading.pushes} if self.loading.pushes else {}
        return {**self.model.system.dimensions, **made, **{axis: Dimension(axis, entries) for axis, entries in own.items()}}

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
        return ActuatorBooks(pushed=self.mode.pushed, burns=self.burns)

    def __repr__(self) -> str:
        more = f", loads={list(self.loads)!r}" if self.loads else ""
        return f"Plant({self.model.system!r}, {self.mode!r}{more})"
