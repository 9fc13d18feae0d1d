"""The names under which a model in chosen speeds is asked for its quantities, and the shorter way to each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...errors import UnknownName
from ...spatial import Array
from ...symbolic import Program, record
from ._generalized_forces import Loads, PartialVelocities, generalized_forces
from ._speed_change import SpeedChange
from ._speed_equations import ByPartialVelocities, Projected, SolvedForRates, SpeedEquations

Outputs = dict[str, Array]
Ways = type[Projected] | type[SolvedForRates] | type[ByPartialVelocities]


@dataclass(frozen=True)
class SpeedQuantity:
    """One name: its inputs beside place and s, and what gives its outputs; dynamic ones have several ways."""

    inputs: tuple[str, ...]
    evaluate: Callable[[SpeedEquations, Mapping[str, Array]], Outputs]
    dynamic: bool = False


def _plain(name: str, *, dynamic: bool = False) -> SpeedQuantity:
    return SpeedQuantity((), lambda e, given: {name: getattr(e, name)}, dynamic)


def _of(name: str, key: str, *, dynamic: bool = False) -> SpeedQuantity:
    return SpeedQuantity((key,), lambda e, given: {name: getattr(e, name)(given[key])}, dynamic)


def _partial_velocities(e: SpeedEquations, given: Mapping[str, Array]) -> Outputs:
    table = PartialVelocities.of(_by_bodies(e))
    return {"omega_r": table.omega_r_B, "v_r": table.v_r_B}


def _generalized_forces(e: SpeedEquations, given: Mapping[str, Array]) -> Outputs:
    n, f = e.place.system.layout.n_base, given["f"]
    forces = generalized_forces(_by_bodies(e), given["sdot"], Loads(f[n:], f[:n]))
    return {"active": forces.active, "inertia": forces.inertia}


def _by_bodies(e: SpeedEquations) -> ByPartialVelocities:
    return ByPartialVelocities(e.change, {**e.given, "s": e.s})


SPEED_QUANTITIES: dict[str, SpeedQuantity] = {
    "W": _plain("W"),
    "X": _plain("X"),
    "Wdot": _plain("Wdot"),
    "Xdot": _plain("Xdot"),
    "rates": _plain("rates"),
    "accelerations": _of("accelerations", "sdot"),
    "forces": _of("forces", "f"),
    "M": _plain("M", dynamic=True),
    "bias": _plain("bias", dynamic=True),
    "inverse_dynamics": _of("inverse_dynamics", "sdot", dynamic=True),
    "forward_dynamics": _of("forward_dynamics", "F", dynamic=True),
    "partial_velocities": SpeedQuantity((), _partial_velocities),
    "generalized_forces": SpeedQuantity(("f", "sdot"), _generalized_forces),
}


def speed_program(change: SpeedChange, names: Sequence[str]) -> tuple[Program, Ways]:
    """Return the program of some quantities by the way with the fewest operations, and that way.

    Inputs: r_0, attitude_xyzw (floating base), q, t, s, then f (n_u,), F (p,), sdot (p,) where asked for.
    """
    for name in names:
        if name not in SPEED_QUANTITIES:
            raise UnknownName("quantity", name, "a model in chosen speeds", list(SPEED_QUANTITIES))
    programs = [(_recorded(change, names, way), way) for way in _ways(change, names)]
    return min(programs, key=lambda pair: pair[0].operations.total)


def _ways(change: SpeedChange, names: Sequence[str]) -> list[Ways]:
    ways: list[Ways] = [Projected]
    if not any(SPEED_QUANTITIES[name].dynamic for name in names):
        return ways
    if "forward_dynamics" in names and "A" in [output.name for output in change.map_program.outputs]:
        ways.append(SolvedForRates)
    if change.read_off is not None:
        ways.append(ByPartialVelocities)
    return ways


def _recorded(change: SpeedChange, names: Sequence[str], way: Ways) -> Program:
    p, n_u = len(change.names), change.derivation.system.layout.n_u
    sizes = {"f": n_u, "F": p, "sdot": p}
    asked = {key for name in names for key in SPEED_QUANTITIES[name].inputs}
    extra = {key: (size,) for key, size in sizes.items() if key in asked}

    def outputs(**given: Array) -> Mapping[str, Array]:
        return evaluated(way(change, given), names, given)

    return record({**change.shapes, "s": (p,), **extra}, outputs)


def evaluated(equations: SpeedEquations, names: Sequence[str], given: Mapping[str, Array]) -> Outputs:
    """Return the outputs of some quantities, of whatever scalars the equations hold."""
    result: Outputs = {}
    for name in names:
        result |= SPEED_QUANTITIES[name].evaluate(equations, given)
    return result
