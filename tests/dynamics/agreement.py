"""What two derivations of one quantity must agree on, and how closely.

Tolerances are relative to the largest entry: 1e-12 where nothing is solved, and max(1e-12, 10 cond(M) eps) where something
is. Where the exact value may be zero the largest entry of the terms that cancel takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from scmanip.dynamics import Equations, Model, Point
from scmanip.system import State, System

EPS = np.finfo(float).eps
UNSOLVED = {
    "H0", "H0m", "Hm", "M", "S_U", "r_0C", "kinetic_energy", "gravity_force", "H0_dot", "H0m_dot", "Hm_dot", "dH0_dq",
    "dH0m_dq", "dHm_dq", "J0", "Jm", "position", "attitude", "transforms", "momentum", "momentum_by_body", "inverse_dynamics",
    "momentum_by_tree", "energy_by_body",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Inputs:
    """Random inputs of a system's dynamics; `wrench` (6,) is used with a floating base only."""

    tau: np.ndarray
    wrench: np.ndarray
    udot: np.ndarray
    qddot: np.ndarray
    point: np.ndarray

    @classmethod
    def of(cls, system: System, seed: int) -> Inputs:
        rng, N, n_u = np.random.default_rng([seed, 3]), system.layout.N, system.layout.n_u
        tau, wrench, point = rng.normal(size=N) * 10, rng.normal(size=6) * 10, rng.normal(size=3)
        return cls(tau, wrench, rng.normal(size=n_u), rng.normal(size=N), point)


def expected(name: str, e: Equations, point: Point | None, given: Inputs) -> dict[str, np.ndarray]:
    """Outputs of a quantity by the paper's sums; the key is the name, or name.part where there are several."""
    kind = kind_of(name)
    if name == "forward_dynamics:wrench":
        return {name: e.forward_dynamics(given.tau, given.wrench)}
    if kind == "forward_dynamics":
        return {name: e.forward_dynamics(given.tau)}
    if kind == "attitude":
        return {name: e.attitude_of(point)}
    if kind in ("J0", "Jm", "J_star", "J_star_drift", "J_dot_u", "position"):
        return {name: getattr(e, kind)(point)}
    if kind.startswith("d") and "_dq" in kind:
        return {name: np.moveaxis(getattr(e, kind), 0, -1)}  # `Equations` keeps the joint first
    bodies = e.parameters.link_of
    several: dict[str, tuple[Any, tuple[str, ...]]] = {
        "momentum": (lambda: e.momentum, ("P", "L_0", "L_C")),
        "momentum_by_body": (lambda: e.momentum_by_body, ("P", "L_C")),
        "momentum_by_tree": (lambda: e.momentum_by_tree, ("P", "L_C")),
        "springs": (lambda: e.springs, ("length", "rate")),
        "link_transforms": (lambda: e.poses, ("R", "p", "r")),
        "transforms": (lambda: SimpleNamespace(**{k: getattr(e.poses, k)[bodies] for k in "Rpr"}), ("R", "p", "r")),
        "inverse_dynamics": (lambda: e.inverse_dynamics(given.udot), ("wrench", "tau")),
        "floating_inverse_dynamics": (lambda: e.floating_inverse_dynamics(given.qddot), ("base_acceleration", "tau")),
    }
    if kind not in several:
        return {name: np.asarray(getattr(e, kind))}
    result, parts = several[kind][0](), several[kind][1]
    return {f"{name}.{part}": np.asarray(getattr(result, part)) for part in parts}


def kind_of(name: str) -> str:
    """Return a quantity's name without frame, body or part."""
    return name.partition(":")[0].partition("@")[0].partition(".")[0]


def terms(name: str, e: Equations) -> float:
    """Largest entry of the terms whose sum is the quantity, where that may cancel to nothing: one joint, no joint."""
    inertia, rate = e.inertia_scale[len(e.H0) :].max(initial=0.0), abs(e.qdot).max(initial=0.0)
    sizes = {
        "r_0C": abs(e.parameters.com).max(),
        "Hdot": inertia * rate,
        "Hm_dot": inertia * rate,
        "coriolis_matrix": inertia * rate,
        "dH_dq": inertia,
        "dH0m_dq": inertia,
        "dHm_dq": inertia,
        "C": inertia * rate**2,
        "c": inertia * rate**2,
    }
    if name in ("momentum.L_C", "momentum_by_body.L_C", "momentum_by_tree.L_C"):
        return float(abs(e.r_0C).max() * abs(e.momentum.P).max())
    if name == "floating_inverse_dynamics.base_acceleration" and not len(e.H):  # of a base alone, omega x I omega
        return float(abs(e.omega_0).max() ** 2)
    return float(sizes.get(kind_of(name), 0.0))


def tolerance(name: str, e: Equations) -> float:
    """Relative error that is allowed."""
    kind = kind_of(name)
    return 1e-12 if kind in UNSOLVED or not e.M.size else max(1e-12, 10 * np.linalg.cond(e.M) * EPS)


def check(where: str, e: Equations, wanted: Mapping[str, np.ndarray], found: Mapping[str, Any]) -> None:
    """Compare quantities by name; a failure names the quantity and what it belongs to."""
    assert wanted.keys() == found.keys(), where
    for name, theirs in wanted.items():
        ours = np.asarray(found[name])
        assert ours.shape == theirs.shape, f"{name} of {where}"
        error, largest = abs(ours - theirs).max(initial=0.0), max(abs(theirs).max(initial=0.0), terms(name, e))
        assert error <= tolerance(name, e) * largest, (
            f"{name} of {where}: off by {error:.3g} where the largest term is {largest:.3g}"
        )


def reference(names: Iterable[str], model: Model, state: State, given: Inputs) -> dict[str, np.ndarray]:
    """All outputs of some quantities by the paper's sums, in the order of a kernel's outputs."""
    e, wanted = model.equations(state), {}
    for name in names:
        _, framed, frame = name.partition(":")
        _, on_body, body = name.partition("@")
        point = model.point(None, body, given.point) if on_body else None
        if framed and name != "forward_dynamics:wrench":
            point = model.point(frame)
        wanted |= expected(name, e, point, given)
    return wanted
