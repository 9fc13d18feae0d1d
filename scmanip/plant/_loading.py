"""What the loads of a plant do, and what is known of them in runs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ..channels import Channel, Nature, Portion
from ..compiled import CompiledProgram, compile_program
from ..errors import InvalidInput, Problem
from ..loads import Bodies, BodyWrenches, Inhibited, Load, Overlap
from ..modes import Situation
from ..spatial import Array
from ..symbolic import record
from ..system import State
from ._numbers import plant_numbers
from ._response import Acting
from ._said import dissipated_by, output_of, rates_of, switches_of, wrenches_of

if TYPE_CHECKING:
    from ._plant import Plant

Seen: TypeAlias = Sequence[tuple[Load, Bodies]]
NOTHING: Mapping[str, Array] = {}


@dataclass(frozen=True, eq=False)
class Loading:
    """Programs of the loads of a plant, compiled once for equal plants."""

    plant: Plant

    def acting(self, now: Situation, t: Any, clock: Array) -> Acting | None:
        """Return what all loads do at t [s]; None without loads."""
        plant = self.plant
        if not plant.loads:
            return None
        if now.known is None:
            return self.given(self.seen(now.x, t, clock, now.numbers), t + clock[0])
        x_loads = plant.x_loads
        sizes = plant.layout.n_u, 6, 6, x_loads.stop - x_loads.start, (), sum(len(load.outputs) for load in plant.loads)
        acting = Acting(*map(np.empty, sizes))
        self._program(np.array(t), now.x, clock, *plant_numbers(plant.model).values(), *acting)
        return acting

    def wrenches(self, x: Array, t: Any, clock: Array, numbers: Mapping[str, Array]) -> BodyWrenches:
        """Return what all loads do to the bodies."""
        first, *others = (wrenches_of(load, bodies, t + clock[0]) for load, bodies in self.seen(x, t, clock, numbers))
        return sum(others, start=first)

    @cached_property
    def switches(self) -> tuple[str, ...]:
        """Names of the switching functions of all loads; raises `InvalidInput` where two have one name."""
        if not self.plant.loads:
            return ()
        start = State.at_rest(self.plant.model.system, self.plant.model.layout.neutral())
        seen = self.seen(self.plant.at_rest(start).x, 0.0, self.plant.clock)
        names = [name for load, bodies in seen for name in switches_of(load, bodies, 0.0)]
        if len(set(names)) < len(names):
            raise InvalidInput(Problem("loads", "switching functions whose names differ", ", ".join(names)))
        return tuple(names)

    def switching(self, state: State, t: float) -> Array:
        """Return the switching functions (k,) of all loads at t [s], in the order of `switches`."""
        values = np.empty(len(self.switches))
        self._switch_program(np.array(t), state.x, self.plant.clock, *plant_numbers(self.plant.model).values(), values)
        return values

    def problems(self, states: State) -> list[Problem]:
        """Return a problem for all that is too deep in something else in a state, or in one of many (n, n_x)."""
        known, found = self._overlaps, list[Problem]()
        depths = np.empty(len(known))
        for case, x in enumerate(np.atleast_2d(states.x) if known else ()):
            self._overlap_program(np.array(0.0), x, self.plant.clock, *plant_numbers(self.plant.model).values(), depths)
            key = f"state0[{case}]" if states.x.ndim > 1 else "state0"
            for (what, overlap), depth in zip(known.items(), depths, strict=True):
                if not depth <= overlap.most:
                    expected = f"{what} by at most {overlap.most:.6g} m at the start"
                    found.append(Problem(key, expected, f"{depth:.6g} m"))
        return found

    @cached_property
    def states(self) -> Channel:
        """The series of the states of loads."""
        portions = tuple(Portion(unit, unit) for unit in dict.fromkeys(self.named("states").values()))
        return Channel("load_states", "load_state", portions, "states of the loads", Nature.STATE)

    @cached_property
    def outputs(self) -> Channel:
        """The series of what loads show."""
        units = dict.fromkeys(self.named("outputs").values())
        portions = tuple(Portion(unit, unit, "load_output") for unit in units)
        return Channel("load_outputs", "load_output", portions, "what the loads show")

    @property
    def pushes(self) -> tuple[str, ...]:
        """Names of the forces of all loads that act at a place, by load and force."""
        return tuple(f"{load.called} {name}".strip() for load in self.plant.loads for name in load.pushes)

    def pushing(self, x: Array, t: Array) -> tuple[Array, Array]:
        """Return where they act [m] and what they are [N] at states (n, n_x) and times (n,): (n, k, 3) each, in N."""
        found, numbers = np.empty((len(t), 2, len(self.pushes), 3)), plant_numbers(self.plant.model).values()
        for now, state, pushing in zip(np.asarray(t), x, found, strict=True):
            self._push_program(np.array(now), state, self.plant.clock, *numbers, pushing)
        return found[:, 0], found[:, 1]

    def named(self, what: str) -> dict[str, str]:
        """Return the units of the `states`, or `outputs`, of all loads, by the names of load and state."""
        return {f"{load.called}.{name}": unit for load in self.plant.loads for name, unit in getattr(load, what).items()}

    def seen(self, x: Array, t: Any, clock: Array, numbers: Mapping[str, Array] = NOTHING) -> Seen:
        """Return each load with what it sees, over any scalar; numbers : of `plant_numbers`, the plant's own if not given."""
        plant, model, at_epoch = self.plant, self.plant.model, self.plant.at_epoch
        acting = [Inhibited(load) if load.called in plant.inhibited else load for load in plant.loads]
        orbit = None if plant.orbit is None else (at_epoch.position(t + clock[1]), at_epoch.velocity(t + clock[1]))
        derivation, places = model.symbolic.derivation, plant.layout.actuators
        own = derivation.given_numbers(numbers)
        bodies = Bodies(derivation.opened(own).system, derivation.at(x, own), orbit)
        return [(load, replace(bodies, own=x[places[load.called]]) if load.states else bodies) for load in acting]

    def given(self, seen: Seen, t: Any) -> Acting:
        """Return what loads do at t [s], each with what it sees, over any scalar."""
        first, *others = (wrenches_of(load, bodies, t) for load, bodies in seen)
        wrenches, g, fixed = sum(others, start=first), seen[0][1].geometry, self.plant.layout.fixed
        rates = np.concatenate([[], *(rates_of(load, bodies, t) for load, bodies in seen if load.states)])
        lost = sum(dissipated_by(load, bodies, t) for load, bodies in seen)
        shown = np.concatenate([[], *(output_of(load, bodies, t) for load, bodies in seen)])
        carried = self.plant.model.system.trees[0].bodies
        force = wrenches.generalized_force(g, fixed=fixed, carried=carried)
        on_base = wrenches.of(carried).about_base(g.r_0i[carried])
        return Acting(force, wrenches.resultant(g), on_base, rates, np.asarray(lost), shown)

    @cached_property
    def _program(self) -> Callable[..., None]:
        return self._compiled("loads", lambda seen, t: self.given(seen, t)._asdict())

    @cached_property
    def _switch_program(self) -> Callable[..., None]:
        def values(seen: Seen, t: Any) -> dict[str, Array]:
            return {"values": np.array([value for load, bodies in seen for value in switches_of(load, bodies, t).values()])}

        return self._compiled("switches", values)

    @cached_property
    def _push_program(self) -> Callable[..., None]:
        def pushing(seen: Seen, t: Any) -> dict[str, Array]:
            return {"pushing": np.concatenate([load.pushing(bodies, t) for load, bodies in seen], axis=1)}

        return self._compiled("pushes", pushing)

    def _compiled(self, what: str, of: Callable[[Seen, Any], Mapping[str, Array]]) -> Callable[..., None]:
        """Return what follows from t, x, `clock` and `plant_numbers`; compiled once for equal loads that are formulas."""
        plant = self.plant
        if not all(load.is_formula for load in plant.loads):
            return self._of_numbers(of)
        kept: dict[Hashable, Any] = plant.model.family.kept if plant.is_recordable else {}
        key = (what, plant.key)
        if key not in kept:
            numbers = {name: np.shape(array) for name, array in plant_numbers(plant.model).items()}

            def program(*, t: Any, x: Array, clock: Array, **given: Array) -> Mapping[str, Array]:
                return of(self.seen(x, t, clock, given), t + clock[0])

            shapes = {"t": (), "x": (plant.layout.n_x,), "clock": (2,), **numbers}
            kept[key] = compile_program(plant.model.family.program(key, lambda: record(shapes, program)))
        return cast(CompiledProgram, kept[key])

    def _of_numbers(self, of: Callable[[Seen, Any], Mapping[str, Array]]) -> Callable[..., None]:
        """Return the same without a program."""
        inputs = list(plant_numbers(self.plant.model))

        def evaluate(t: Array, x: Array, clock: Array, *arrays: Array) -> None:
            given = dict(zip(inputs, arrays, strict=False))
            found = of(self.seen(x, float(t), clock, given), float(t) + clock[0])
            for filled, value in zip(arrays[len(inputs) :], found.values(), strict=True):
                filled[...] = value

        return evaluate

    @cached_property
    def _overlaps(self) -> Mapping[str, Overlap]:
        """What may be in something else, as it is where joints are at zero."""
        if not self.plant.loads:
            return {}
        start = self.plant.at_rest(State.at_rest(self.plant.model.system, self.plant.model.layout.neutral()))
        seen = self.seen(start.x, 0.0, self.plant.clock)
        return {what: overlap for load, bodies in seen for what, overlap in load.overlaps(bodies, 0.0).items()}

    @cached_property
    def _overlap_program(self) -> Callable[..., None]:
        def depths(seen: Seen, t: Any) -> dict[str, Array]:
            found = [overlap.depth for load, bodies in seen for overlap in load.overlaps(bodies, t).values()]
            return {"depths": np.array(found)}

        return self._compiled("overlaps", depths)
