"""Every way to the same quantities, at many states: what `scmanip verify` compares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..spatial import Array, Quaternion, cross, skew, solve
from ..system import State, System
from ._compile_model import compile_model
from ._equations import Equations
from ._implementation import Partial, Reference
from ._model import Model
from ._recursive_kane import recursive_inverse_dynamics
from ._results import Point
from ._tree_kane import KaneSystem, kane_system, speeds_from_kane

Values = dict[str, Array]


@dataclass(frozen=True, eq=False)
class Cases:
    """n states with inputs: tau (n, N), wrench (n, 6) on a floating base, udot (n, n_u); frame : whose J_star is asked."""

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
    """

    name: str
    values: Callable[[Cases], Values]
    solved: frozenset[str] = frozenset({"forward", "J_star"})


def formulations(system: System) -> list[Formulation]:
    """Return the sums of [Wilde2018] first, then every other way that applies to the system."""
    sums, full = compile_model(system, implementation=Reference()), compile_model(system)
    quaternions, partial = compile_model(system, kinematics=Quaternion()), compile_model(system, implementation=Partial())
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
    ]
    return ways if system.fixed else [*ways, Formulation("tree Kane", lambda cases: _by_kane(sums, cases))]


def _names(cases: Cases) -> tuple[str, ...]:
    forward = "forward_dynamics" if cases.states.fixed else "forward_dynamics:wrench"
    return "M", forward, "inverse_dynamics", f"J_star:{cases.frame}", "momentum"


def _gathered(outputs: Mapping[str, Array]) -> Values:
    """Return the values of a program's outputs."""
    forward = "forward_dynamics" if "forward_dynamics" in outputs else "forward_dynamics:wrench"
    return {
        "M": outputs["M"],
        "forward": outputs[forward],
        "inverse": np.concatenate([outputs["inverse_dynamics.wrench"], outputs["inverse_dynamics.tau"]], axis=-1),
        "J_star": next(array for name, array in outputs.items() if name.startswith("J_star:")),
        "P": outputs["momentum.P"],
        "L_C": outputs["momentum.L_C"],
    }


def _by_sums(model: Model, cases: Cases) -> Values:
    point = model.point(cases.frame)

    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        e = model.equations(state)
        inverse = e.inverse_dynamics(udot)
        momentum = e.momentum
        return {
            "M": e.M,
            "bias": e.rest,
            "forward": e.forward_dynamics(tau, wrench),
            "inverse": np.concatenate([inverse.wrench, inverse.tau]),
            "J_star": e.J_star(point),
            "P": momentum.P,
            "L_C": momentum.L_C,
        }

    return cases.each(values)


def _by_methods(model: Model, cases: Cases) -> Values:
    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        inverse, rest = model.inverse_dynamics(state, udot), model.inverse_dynamics(state, 0 * udot)
        momentum = model.momentum(state)
        return {
            "M": model.M(state),
            "bias": np.concatenate([rest.wrench[: model.layout.n_base], rest.tau]),
            "forward": model.forward_dynamics(state, tau, wrench),
            "inverse": np.concatenate([inverse.wrench, inverse.tau]),
            "J_star": model.J_star(state, cases.frame),
            "P": momentum.P,
            "L_C": momentum.L_C,
        }

    return cases.each(values)


def _by_batch(model: Model, cases: Cases) -> Values:
    batch, states = model.batch, cases.states
    inverse, rest = batch.inverse_dynamics(states, cases.udot), batch.inverse_dynamics(states, 0 * cases.udot)
    momentum = batch.momentum(states)
    return {
        "M": batch.M(states),
        "bias": np.concatenate([rest.wrench[:, : model.layout.n_base], rest.tau], axis=1),
        "forward": batch.forward_dynamics(states, cases.tau, wrench=None if states.fixed else cases.wrench),
        "inverse": np.concatenate([inverse.wrench, inverse.tau], axis=1),
        "J_star": batch.J_star(states, cases.frame),
        "P": momentum.P,
        "L_C": momentum.L_C,
    }


def _by_numpy(model: Model, cases: Cases) -> Values:
    program = model.symbolic.derivation.packed_program(_names(cases))

    def outputs(udot: Array) -> Values:
        given = {"x": cases.states.x, "tau": cases.tau, "wrench": cases.wrench, "udot": udot}
        results = program.evaluate(*(given[i.name] for i in program.inputs))
        return _gathered(dict(zip([o.name for o in program.outputs], results, strict=True)))

    return outputs(cases.udot) | {"bias": outputs(0 * cases.udot)["inverse"][:, 6 - model.layout.n_base :]}


def _by_recursion(model: Model, cases: Cases) -> Values:
    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        given = {"tau": tau, "udot": udot} | ({} if wrench is None else {"wrench": wrench})
        outputs = model.symbolic.derivation.packed_outputs
        found = _gathered(outputs(_names(cases), state.x, given, long_arm=False))
        rest = outputs(["inverse_dynamics"], state.x, {"udot": 0 * udot})
        bias = np.concatenate([rest["inverse_dynamics.wrench"][: model.layout.n_base], rest["inverse_dynamics.tau"]])
        return found | {"bias": bias}

    return cases.each(values)


def _by_recursive_kane(model: Model, cases: Cases) -> Values:
    """Inverse dynamics alone, stage by stage [Angeles1989]; joint springs and dampers are its dissipative forces."""
    parameters, n_base = model.symbolic.derivation.parameters, model.layout.n_base

    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        base = {} if parameters.fixed else {"attitude": state.attitude_xyzw, "omega_0": state.omega_0}
        given = base | {"dissipative": model.equations(state).passive_force}
        forces, rest = (recursive_inverse_dynamics(parameters, state.q, state.qdot, a, **given) for a in (udot, 0 * udot))
        return {
            "inverse": np.concatenate([forces.wrench, forces.tau]),
            "bias": np.concatenate([rest.wrench[:n_base], rest.tau]),
        }

    return cases.each(values)


def _by_articulated_bodies(model: Model, cases: Cases) -> Values:
    """Forward dynamics alone; the bias is what keeps the system from accelerating when nothing is applied."""

    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        name = _names(cases)[1]

        def forward(tau: Array, *wrench: Array) -> Array:
            given = dict(zip(("tau", "wrench"), (tau, *wrench), strict=False))
            return model.symbolic.derivation.packed_outputs([name], state.x, given, long_arm=True)[name]

        base = () if wrench is None else (wrench,)
        at_rest = forward(0 * tau, *(0 * w for w in base))
        return {"forward": forward(tau, *base), "bias": -(model.equations(state).M @ at_rest)}

    return cases.each(values)


def _by_kane(model: Model, cases: Cases) -> Values:
    point = model.point(cases.frame)

    def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> Values:
        e, base = model.equations(state), np.zeros(6) if wrench is None else wrench
        T = speeds_from_kane(e.poses.R[0], len(tau))  # orthogonal

        def kane(base: Array, tau: Array) -> KaneSystem:
            forces = np.concatenate([base, tau + e.passive_force])
            return kane_system(e.parameters, e.poses, e.omega, e.qdot, T.T @ forces)

        at_rest, driven = kane(0 * base, 0 * tau), kane(base, tau)
        M, bias = T @ at_rest.COEF @ T.T, -(T @ at_rest.RHS)
        J = _twist_rows(e, driven, point) @ T.T
        P, L_0 = np.split(M[:6] @ e.u, 2)
        return {
            "M": M,
            "bias": bias,
            "forward": T @ solve(driven.COEF, driven.RHS),
            "inverse": M @ udot + bias,
            "J_star": J[:, 6:] - J[:, :6] @ solve(M[:6, :6], M[:6, 6:]),
            "P": P,
            "L_C": L_0 - cross(e.r_0C, P),
        }

    return cases.each(values)


def _twist_rows(e: Equations, kane: KaneSystem, point: Point) -> Array:
    """Return (6, n_u) the twist of a point, in N, per unit of each of the speeds of [Stoneking2008]."""
    link = int(e.parameters.link_of[point.body])
    rows = slice(3 * link, 3 * link + 3)
    omega = e.poses.R[link] @ kane.Omega[rows]
    lever = e.position(point) - e.poses.r[link]
    return np.concatenate([kane.V[rows] - skew(lever) @ omega, omega])
