"""The three codes must give the same numbers before any of them is timed.

Relative to the largest entry: 1e-12 where nothing is solved, max(1e-12, 10 cond(M) eps) where something is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scmanip.dynamics import Model
from scmanip.system import State

from ..oracles.mujoco_oracle import MujocoOracle
from ..oracles.pinocchio_oracle import PinocchioOracle
from .arms import accelerations, forces, states
from .report import Section, table
from .rivals import PinocchioArm, composed, composed_in_N

EXACT = 1e-12
STATES = 20


class DisagreementError(Exception):
    """Numbers differ, so that times mean nothing."""


def agreement(model: Model) -> Section:
    """Return how far the codes are apart, or raise `DisagreementError`."""
    system, worst = model.system, {}
    batch, tau, udot = states(system, STATES), forces(system, STATES), accelerations(system, STATES)
    for case in range(STATES):
        for name, error, tolerance in _errors(model, batch[case], tau[case], udot[case]):
            check(f"{name} in state {case}", error, tolerance)
            worst[name] = max(worst.get(name, (0.0, 0.0)), (error, tolerance))
    rows = [(name, f"{error:.1e}", f"{tolerance:.1e}") for name, (error, tolerance) in worst.items()]
    return Section(f"Agreement on {system.name}, {STATES} states", table(("relative error", "worst", "allowed"), rows))


def check(what: str, error: float, tolerance: float) -> None:
    """Raise `DisagreementError` unless the error is tolerable."""
    if not error <= tolerance:
        raise DisagreementError(f"{what}: relative error {error:.2e}, allowed {tolerance:.1e}; nothing is timed")


def relative(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Return the largest error relative to the largest entry."""
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


def solved(M: np.ndarray) -> float:
    """Return the tolerance where M (n_u, n_u) or a stack of them was inverted."""
    return max(EXACT, 10 * float(np.linalg.cond(M).max()) * np.finfo(float).eps)


def _errors(model: Model, state: State, tau: np.ndarray, udot: np.ndarray) -> Iterator[tuple[str, float, float]]:
    M = model.M(state)
    inverse, forward = model.inverse_dynamics(state, udot), model.forward_dynamics(state, tau)
    oracles = {" against Pinocchio": PinocchioOracle(model.system), " against MuJoCo": MujocoOracle(model.system)}
    for name, oracle in oracles.items():
        theirs = np.concatenate(oracle.inverse_dynamics(state, udot))
        yield "M" + name, relative(M, oracle.M(state)), EXACT
        yield "inverse dynamics" + name, relative(np.concatenate([inverse.wrench, inverse.tau]), theirs), EXACT
        yield "forward dynamics" + name, relative(forward, oracle.forward_dynamics(state, tau, None, ())), solved(M)
    arm = PinocchioArm(model.system)
    for composition in (composed, composed_in_N):
        H, J_star = composition(arm.model, arm.data, arm.q(state), arm.tip)
        yield "H against the composition", relative(model.H(state), H), solved(M)
        yield "J* against the composition", relative(model.J_star(state, "tip"), J_star), solved(M)
