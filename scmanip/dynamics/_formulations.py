"""Every way to the same quantities, at many states: what `scmanip verify` compares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spatial import Array, Quaternion, solve
from ..system import State, System
from ._compile_model import compile_model
from .kane._kane_formulation import kane_values
from .kane._path_tables import PathTables
from .model._model import Model
from .programs._forms import by_articulated_bodies, recursive
from .programs._implementation import Partial, Reference
from .recursions._recursive_kane import recursive_inverse_dynamics
from .speeds._generalized_forces import Loads, generalized_forces
from .speeds._speed_change import SpeedChange
from .speeds._speed_equations import ByPartialVelocities
from .speeds._speeds import JointRates
from .sums._results import InverseDynamics, Momentum

WITHOUT_TURNERS = ("recursive Kane", "tree Kane", "partial velocities")  # as their papers have them
WITHOUT_ROTORS = (*WITHOUT_TURNERS, "articulated bodies")
OF_ONE_TREE = (*WITHOUT_TURNERS, "partial")
Values = dict[str, Array]


@dataclass(frozen=True, eq=False)
class Cases:
    """n states with inputs, in N and SI: tau (n, N), wrench (n, 6) on a floating base, udot (n, n_u).

    frame : whose J_star is asked

    It has no formula of its own.

    >>> states = scmanip.State.stack([state, state])
    >>> cases = Cases(states, np.zeros((2, 4)), np.zeros((2, 6)), np.zeros((2, 10)), "tip")
    >>> P = cases.each(lambda state, tau, wrench, udot: {"P": model.momentum(state).P})["P"]
    >>> P.shape
    (2, 3)
    """

    states: State
    tau: Array
    wrench: Array
    udot: Array
    frame: str

    def each(self, values: Callable[[State, Array, Array | None, Array], Values]) -> Values:
        """Return the values of single cases, (state, tau, wrench or None, udot), with a leading axis n."""
        fixed = self.states.fixed
        rows = [
            values(self.states[i], self.tau[i], None if fixed else self.wrench[i], self.udot[i]) for i in range(len(self.tau))
        ]
        return {name: np.stack([np.asarray(row[name], dtype=float) for row in rows]) for name in rows[0]}


@dataclass(frozen=True, eq=False)
class Formulation:
    """One way to M, bias, forward, inverse, J_star, P and L_C, or some of these.

    bias : (n, n_u) all forces at zero acceleration; inverse : (n, 6 + N) base wrench and joint forces; L_C : about the CoM
    solved : names of the values for which a linear system is solved

    >>> total = Formulation("of bodies", lambda cases: {"P": np.array([model.momentum(cases.states[0]).P])})
    >>> cases = Cases(scmanip.State.stack([state]), np.zeros((1, 4)), np.zeros((1, 6)), np.zeros((1, 10)), "tip")
    >>> total.name, total.values(cases)["P"].tolist()
    ('of bodies', [[0.0, 0.0, 0.0]])
    """

    name: str
    values: Callable[[Cases], Values]
    solved: frozenset[str] = frozenset({"forward", "J_star"})


def formulations(system: System) -> list[Formulation]:
    """Return the sums of [Wilde2018] first, then every other way that applies to the system.

    >>> rod = scmanip.Body("rod", 3.0, [0.0, 1.0, 1.0], [0.5, 0, 0], "base", scmanip.Joint("pin", "revolute"))
    >>> pendulum = scmanip.System("pendulum", scmanip.Body("base", 0.0, [0, 0, 0]), [rod], fixed=True)
    >>> ways = formulations(pendulum)
    >>> len(ways), ways[0].name
    (11, "Wilde's sums")
    """
    sums, full = compile_model(system, implementation=Reference()), compile_model(system)
    quaternions, several = compile_model(system, kinematics=Quaternion()), len(system.trees) > 1
    partial = full if several else compile_model(system, implementation=Partial())
    ways = [
        Formulation("Wilde's sums", lambda cases: _by_sums(sums, cases)),
        Formulation("compiled, matrices", lambda cases: _by_methods(full, cases)),
        Formulation("compiled, quaternion", lambda cases: _by_methods(quaternions, cases)),
        Formulation("compiled, lanes", lambda cases: _by_batch(full, cases)),
        Formulation("partial", lambda cases: _by_methods(partial, cases)),
        Formulation("program by NumPy", lambda cases: _by_numpy(full, cases)),
        Formulation("link recursion", lambda cases: _by_recursion(full, cases)),
        Formulation("recursive Kane", lambda cases: _by_recursive_kane(sums, cases)),
        Formulation("articulated bodies", lambda cases: _by_articulated_bodies(full, cases), frozenset({"forward", "bias"})),
        Formulation("tree Kane", lambda cases: _by_kane(sums, cases)),
        Formulation("partial velocities", lambda cases: _by_partial_velocities(sums, cases)),
    ]
    ways = [way for way in ways if not several or way.name not in OF_ONE_TREE]
    if any(fitting.rotor_inertia for fitting in system.fittings):
        return [way for way in ways if way.name not in WITHOUT_ROTORS]
    return [way for way in ways if way.name not in WITHOUT_TURNERS] if system.turners else ways


def _names(cases: Cases) -> tuple[str, ...]:
    forward = "forward_dynamics" if cases.states.fixed else "forward_dynamics:wrench"
    return "M", forward, "inverse_dynamics", f"J_star:{cases.frame}", "momentum"


def _all(M: Array, bias: Any, forward: Array, inverse: InverseDynamics, J_star: Array, momentum: Momentum) -> Values:
    """Return all values; bias : as it is, or as the inverse dynamics at zero acceleration."""
    if isinstance(bias, InverseDynamics):
        bias = _joined(bias)[..., bias.wrench.shape[-1] + bias.tau.shape[-1] - M.shape[-1] :]
    forces = {"M": M, "bias": bias, "forward": forward, "inverse": _joined(inverse)}
    return {**forces, "J_star": J_star, "P": momentum.P, "L_C": momentum.L_C}


def _joined(forces: InverseDynamics) -> Array:
    return np.concatenate([forces.wrench, forces.tau], axis=-1)


def _gathered(outputs: Mapping[str, Array], rest: Mapping[str, Array]) -> Values:
    """Return the values of a program's outputs, and of those at zero acceleration."""
    forward = "forward_dynamics" if "forward_dynamics" in outputs else "forward_dynamics:wrench"
    inverse, bias = (InverseDynamics(o["inverse_dynamics.wrench"], o["inverse_dynamics.tau"]) for o in (outputs, rest))
    J_star = next(array for name, array in outputs.items() if name.startswith("J_star:"))
    momentum = Momentum(outputs["momentum.P"], outputs["momentum.L_0"], outputs["momentum.L_C"])
    return _all(outputs["M"], bias, outputs[forward], inverse, J_star, momentum)


def _by_sums(model: Model, cases: Cases) -> Values:
    point = model.point(cases.frame)

    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        e = model.equations(state)
        return _all(e.M, e.rest, e.forward_dynamics(tau, wrench), e.inverse_dynamics(udot), e.J_star(point), e.momentum)

    return cases.each(values)


def _by_methods(model: Model, cases: Cases) -> Values:
    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        inverse, rest = model.inverse_dynamics(state, udot), model.inverse_dynamics(state, 0 * udot)
        J_star, momentum = model.J_star(state, cases.frame), model.momentum(state)
        return _all(model.M(state), rest, model.forward_dynamics(state, tau, wrench), inverse, J_star, momentum)

    return cases.each(values)


def _by_batch(model: Model, cases: Cases) -> Values:
    batch, states = model.batch, cases.states
    inverse, rest = batch.inverse_dynamics(states, cases.udot), batch.inverse_dynamics(states, 0 * cases.udot)
    forward = batch.forward_dynamics(states, cases.tau, wrench=None if states.fixed else cases.wrench)
    return _all(batch.M(states), rest, forward, inverse, batch.J_star(states, cases.frame), batch.momentum(states))


def _by_numpy(model: Model, cases: Cases) -> Values:
    program = model.symbolic.derivation.packed_program(_names(cases))

    def outputs(udot: Array) -> Values:
        given = {"x": cases.states.x, "tau": cases.tau, "wrench": cases.wrench, "udot": udot}
        results = program.evaluate(*(given[i.name] for i in program.inputs))
        return dict(zip([o.name for o in program.outputs], results, strict=True))

    return _gathered(outputs(cases.udot), outputs(0 * cases.udot))


def _by_recursion(model: Model, cases: Cases) -> Values:
    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        given = {"tau": tau, "udot": udot} | ({} if wrench is None else {"wrench": wrench})
        outputs = model.symbolic.derivation.packed_outputs
        rest = outputs(["inverse_dynamics"], state.x, {"udot": 0 * udot}, recursive)
        return _gathered(outputs(_names(cases), state.x, given, recursive), rest)

    return cases.each(values)


def _by_recursive_kane(model: Model, cases: Cases) -> Values:
    """Inverse dynamics alone, stage by stage [Angeles1989]; joint springs and dampers are its dissipative forces."""
    parameters, n_base = model.symbolic.derivation.parameters, model.layout.n_base

    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        base = {} if parameters.fixed else {"attitude": state.attitude_xyzw, "omega_0": state.omega_0}
        given = base | {"dissipative": model.equations(state).passive_force}
        forces, rest = (recursive_inverse_dynamics(parameters, state.q, state.qdot, a, **given) for a in (udot, 0 * udot))
        return {"inverse": _joined(forces), "bias": np.concatenate([rest.wrench[:n_base], rest.tau])}

    return cases.each(values)


def _by_articulated_bodies(model: Model, cases: Cases) -> Values:
    """Forward dynamics alone; the bias is what keeps the system from accelerating when nothing is applied."""

    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        name = _names(cases)[1]

        def forward(tau: Array, *wrench: Array) -> Array:
            given = dict(zip(("tau", "wrench"), (tau, *wrench), strict=False))
            return model.symbolic.derivation.packed_outputs([name], state.x, given, by_articulated_bodies)[name]

        base = () if wrench is None else (wrench,)
        at_rest = forward(0 * tau, *(0 * w for w in base))
        return {"forward": forward(tau, *base), "bias": -(model.equations(state).M @ at_rest)}

    return cases.each(values)


def _by_kane(model: Model, cases: Cases) -> Values:
    point, tables = model.point(cases.frame), PathTables.of(model.system)

    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        return kane_values(tables, model.equations(state), point, tau, wrench, udot)

    return cases.each(values)


def _by_partial_velocities(model: Model, cases: Cases) -> Values:
    """F_r + F_r* = 0, summed over the bodies [Kane1983], in joint rates; with a held base without what the ground applies."""
    change = SpeedChange(model.symbolic.derivation, JointRates())

    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        base = {} if state.fixed else {"r_0": state.r_0, "attitude_xyzw": state.attitude_xyzw}
        e = ByPartialVelocities(change, {**base, "q": state.q, "t": np.array(0.0), "s": state.u})

        def forces(sdot: Array, loads: Loads) -> Array:
            found = generalized_forces(e, sdot, loads)
            return found.F_r + found.F_r_star

        none, zero = Loads(0 * tau, np.zeros(6)), 0 * udot
        driven = Loads(tau, np.zeros(6) if wrench is None else wrench)
        found = {"M": e.M, "bias": -forces(zero, none), "forward": solve(e.M, forces(zero, driven))}
        return found if state.fixed else found | {"inverse": -forces(udot, none)}

    return cases.each(values)
