"""What goes through joints and constraints of a plant while it moves."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..compiled import CompiledProgram, compile_program
from ..dynamics import Cuts
from ..spatial import Array
from ..symbolic import record
from ..system import Interface
from ._numbers import plant_numbers

if TYPE_CHECKING:
    from ._plant import Plant

NOTHING_ELSE: Mapping[str, Array] = {}


class InterfaceLoads:
    """The loads on the interfaces of a plant's system, of many samples at once."""

    def __init__(self, plant: Plant) -> None:
        self._plant, self._system = plant, plant.model.system
        self._kept: dict[Hashable, Any] = plant.model.family.kept if plant.is_recordable else {}

    def at(
        self, x: Array, t: Array, udot: Array, held: Array, given: Mapping[str, Array] = NOTHING_ELSE
    ) -> tuple[Array, Array]:
        """Return loads (n, n_i, 6), [f; n] in N on the outer body of each interface, and what constraints do to the base's tree
        (n, 6), about the base CoM, with a fixed base its frame's origin.

        x, t, udot : (n, n_x), (n,), (n, n_u) states, times and accelerations
        held : (n, n_u) the generalized force of the constraints that hold
        given : inputs of programs of the plant that are others, for all or each (n, ...), by name
        """
        plant, n_i = self._plant, len(self._system.interfaces)
        shared = {"clock": plant.clock, **plant.inputs, **plant_numbers(plant.model)}
        numbers = {name: given.get(name, own) for name, own in shared.items()}
        clock = numbers["clock"][..., 0] if plant.clock.size else 0.0
        loads, base, now = np.empty((len(t), n_i, 6)), np.empty((len(t), 6)), t + clock
        if all(load.is_formula for load in plant.loads):
            self._program(shared).batch(np.ascontiguousarray(x), t, now, udot, held, *numbers.values(), loads, base)
            return loads, base
        for k in range(len(t)):
            found = self._outputs(x=x[k], t=float(t[k]), now=float(now[k]), udot=udot[k], held=held[k], **shared)
            loads[k], base[k] = found["loads"], found["base"]
        return loads, base

    def _program(self, shared: Mapping[str, Array]) -> CompiledProgram:
        kept, key = self._kept, ("interfaces", self._plant.key)
        if key not in kept:
            layout = self._plant.layout
            shapes = {"x": (layout.n_x,), "t": (), "now": (), "udot": (layout.n_u,), "held": (layout.n_u,)}
            shapes |= {name: np.shape(array) for name, array in shared.items()}
            kept[key] = compile_program(self._plant.model.family.program(key, lambda: record(shapes, self._outputs)))
        return cast(CompiledProgram, kept[key])

    def _outputs(
        self,
        x: Array,
        t: Any,
        now: Any,
        udot: Array,
        held: Array,
        clock: Array,
        kept: Any = None,
        slipping: Any = None,
        **numbers: Array,
    ) -> dict[str, Array]:
        """Return loads (n_i, 6) and what constraints do to the base's tree (6,), over any scalar; now : on their clock."""
        plant, system = self._plant, self._system
        derivation = plant.model.symbolic.derivation
        own = derivation.given_numbers(numbers)
        cuts = Cuts(derivation.opened(own).system, derivation.at(x, own))
        holds = {one.name: np.zeros((len(system.bodies), 6)) for one in system.constraints}
        parts = [] if plant.holding is None else [plant.holding.wrenches(cuts.sight, derivation, x, kept, now, numbers, held)]
        parts += [] if plant.slipping is None else [plant.slipping.wrenches(cuts.sight, now, slipping)]
        for name, wrenches in chain.from_iterable(part.items() for part in parts):
            holds[name] = holds.get(name, np.zeros_like(wrenches)) + cuts.at_centres(wrenches)
        missing = cuts.needed(udot) - cuts.weights() - cuts.pulls() - sum(holds.values())
        if plant.loads:
            given = plant.loading.wrenches(x, t, clock, numbers)
            missing = missing - np.concatenate([given.f, given.n], axis=1)
        carried = range(*system.trees[0].bodies.indices(len(system.bodies)))
        on_base = cuts.about(sum(holds.values(), start=np.zeros((len(system.bodies), 6))), carried, cuts.equations.poses.r_ref)
        loads = [_load(cuts, missing, holds, each) for each in system.interfaces]
        return {"loads": np.array(loads).reshape(-1, 6), "base": on_base}


def _load(cuts: Cuts, missing: Array, holds: Mapping[str, Array], each: Interface) -> Array:
    """Return the load (6,) on one interface; zero where its constraint does nothing."""
    return cuts.told(holds[each.constraint], each.on) if each.body is None else cuts.through(missing, each.body)
