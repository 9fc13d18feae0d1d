"""Forward dynamics against the paper's sums in extended precision."""

from __future__ import annotations

import numpy as np

from scmanip.dynamics import Model
from scmanip.spatial import Cholesky
from scmanip.system import State

from ..oracles.pinocchio_oracle import PinocchioOracle
from .arms import forces, states
from .report import Section, at_most, table
from .stopwatch import Pace


def accuracy(model: Model, pace: Pace) -> Section:
    """Return the errors of forward dynamics, relative to the largest entry of each case."""
    batch, tau = states(model.system, pace.states, seed=9), forces(model.system, pace.states)
    exact = np.array([_in_extended_precision(model, s, t) for s, t in zip(batch, tau, strict=True)])
    pinocchio = PinocchioOracle(model.system)
    results = {
        "kernel, one state": [model.forward_dynamics(s, t) for s, t in zip(batch, tau, strict=True)],
        "batch": model.batch.forward_dynamics(batch, tau),
        "Pinocchio": [pinocchio.forward_dynamics(s, t, None, ()) for s, t in zip(batch, tau, strict=True)],
    }
    errors = {name: np.abs(r - exact).max(axis=1) / np.abs(exact).max(axis=1) for name, r in results.items()}
    rows = [(name, f"{np.median(e):.1e}", f"{e.max():.1e}") for name, e in errors.items()]
    bits = np.finfo(np.longdouble).nmant + 1
    note = f"Against the paper's sums and a Cholesky solution with {bits} bits, {pace.states} random states."
    worst = float(max(errors["kernel, one state"].max(), errors["batch"].max()))
    verdict = at_most("largest relative error of forward dynamics", worst, 5e-14, "{:.1e}")
    return Section("Accuracy", [*table(("relative error", "median", "largest"), rows), "", note], [verdict])


def _in_extended_precision(model: Model, state: State, tau: np.ndarray) -> np.ndarray:
    """Return udot by [Wilde2018] eq. 39 over NumPy's longest floats."""
    equations = model.symbolic.derivation.at(state.x.astype(np.longdouble))
    push = np.concatenate([np.zeros(6), tau]) - equations.rest
    return np.asarray(Cholesky.of(equations.M).solve(push))
