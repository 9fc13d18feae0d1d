"""A model under constraints against multipliers over Pinocchio's M and bias, and against Pinocchio's constraint dynamics."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from scmanip.constraints import PointOnPoint, Weld
from scmanip.dynamics import Reference, compile_model
from scmanip.system import System

from ..oracles.constraint_oracle import ConstraintOracle
from ..oracles.random_systems import random_case, random_state

EPS = np.finfo(float).eps
SEEDS = [0, 4, 5, 9, 10_001, 10_006, 20_002]
every_case = pytest.mark.parametrize("seed", SEEDS + [pytest.param(k, marks=pytest.mark.slow) for k in range(10, 80)])


def constrained_by(system: System, constraints, **changes) -> System:
    given = {"fixed": system.fixed, "gravity_m_s2": system.gravity_m_s2, "springs": system.springs, **changes}
    base, *bodies = system.bodies
    return System(system.name, base, bodies, system.frames, constraints=constraints, **given)


@cache
def case(seed: int):
    """Return a random system with a weld and points between random frames and the ground, its state and forces."""
    system, rng = random_case(seed), np.random.default_rng([seed, 3])
    names = [*system.frame_names, "ground", "ground"]
    pairs = [tuple(str(name) for name in rng.choice(names, 2, replace=False)) for _ in range(3)]
    kinds = [Weld, PointOnPoint, PointOnPoint][: 1 + seed % 3]
    held = [
        kind(f"c{k}", pair, **({} if kind is Weld else {"tolerance_m": 1e9}))
        for k, (kind, pair) in enumerate(zip(kinds, pairs, strict=False))
        if pair[0] != pair[1]
    ]
    system = constrained_by(system, held)
    wrench = None if system.fixed else rng.normal(size=6) * 10
    return system, random_state(system, seed), held, rng.normal(size=system.layout.N) * 10, wrench


def kappa(M, A) -> float:
    """Condition number of the system in units of equal energy, its rows of equal length, zero directions left out."""
    d = np.sqrt(np.diagonal(M))
    scaled = np.linalg.solve(np.linalg.cholesky(M), A.T)
    lengths = np.linalg.norm(scaled, axis=0)
    s = np.linalg.svd(scaled[:, lengths > 1e-12 * lengths.max()] / lengths[lengths > 1e-12 * lengths.max()], compute_uv=False)
    s = s[s > 1e-10 * s[0]]
    return np.linalg.cond(M / d[:, None] / d) * (s[0] / s[-1]) ** 2


def agree(ours, theirs, weight, tolerance, what=""):
    error, scale = abs(weight * (ours - theirs)).max(initial=0), abs(weight * theirs).max(initial=0)
    assert error <= tolerance * max(scale, 1e-6), f"{what} off by {error:.3g} of {scale:.3g}, allowed {tolerance:.3g}"


@every_case
def test_jumps_accelerations_and_forces_of_random_trees(seed):
    system, state, held, tau, wrench = case(seed)
    model, oracle = compile_model(system, implementation=Reference()), ConstraintOracle(system)
    constrained = model.constrained(*(one.name for one in held))
    M, d = model.M(state), np.sqrt(np.diagonal(model.M(state)))
    A, _ = oracle._rows(state, held)
    tolerance = max(1e-12, 10 * kappa(M, A) * EPS)
    jump, expected = constrained.imposed(state), oracle.jump(state, held)
    agree(jump.state.u, expected.u, d, tolerance, "u")
    lost = model.kinetic_energy(state) - model.kinetic_energy(jump.state)
    assert abs(jump.energy_lost - lost) <= tolerance * model.kinetic_energy(state)
    expected_udot = oracle.by_multipliers(jump.state, held, tau, wrench)
    udot = constrained.forward_dynamics(jump.state, tau, wrench)
    agree(udot, expected_udot.u, d, tolerance, "udot")
    forces = constrained.constraint_forces(jump.state, tau, wrench)
    for one in held:
        scale = max(abs(force).max() for force in expected_udot.forces.values())
        assert abs(forces[one.name] - expected_udot.forces[one.name]).max() <= 100 * tolerance * scale
        impulse = max(abs(force).max() for force in expected.forces.values())
        assert abs(jump.impulses[one.name] - expected.forces[one.name]).max() <= 100 * tolerance * impulse
    agree(udot, oracle.by_pinocchio(jump.state, held, tau, wrench), d, max(tolerance, 1e-9), "Pinocchio's udot")
    agree(jump.state.u, oracle.jump_by_pinocchio(state, held), d, max(tolerance, 1e-9), "Pinocchio's u")
