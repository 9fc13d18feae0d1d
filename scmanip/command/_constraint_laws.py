"""Laws that constraints obey, as errors of one state relative to the largest of the terms that cancel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..constraints import Rows
from ..dynamics import Cases, Model, Sight, Stack
from ..dynamics import imposed as obedient
from ..errors import ConstraintRankLoss, InconsistentConstraints, InvalidState
from ..spatial import Array, quaternion_rate, selection, smallest_solution
from ..system import State, System, coordinate_rates
from ._disagreements import EXACT, solved_tolerance
from ._laws import STEP, relative
from ._screen import Sheet

STATES = 5
NOISE = 1e-13  # in rows of direction cosines and arms [m]
LEAST = 1e-10  # of the largest singular value of the rows: what is less is zero


class Breach(NamedTuple):
    """How far a law is broken, and how far it may be."""

    error: float
    allowed: float

    @property
    def excess(self) -> float:
        """The one in parts of the other."""
        return np.inf if np.isnan(self.error) else self.error / self.allowed


def show_constraint_laws(sheet: Sheet, model: Model, cases: Cases) -> bool:
    """Show a row per law, with the constraints that fare worst; return whether all hold; nothing without constraints."""
    found: dict[str, list[tuple[Breach, str]]] = {}
    for names in _sets(model.system):
        for i in range(STATES):
            wrench = None if model.layout.fixed else cases.wrench[i]
            for sentence, error in constraint_laws(model, names, cases.states[i], cases.tau[i], wrench).items():
                found.setdefault(sentence, []).append((error, ", ".join(names)))
    rows, passed = [("law under constraints", "worst", "allowed", "of", "")], True
    for sentence, errors in found.items():
        worst, of = max(errors, key=lambda entry: entry[0].excess)
        holds = worst.excess <= 1
        passed = passed and holds
        rows.append((sentence, f"{worst.error:.1e}", f"{worst.allowed:.1e}", of, "ok" if holds else "FAILED"))
    if found:
        sheet.table(rows)
    return passed


def _sets(system: System) -> list[tuple[str, ...]]:
    """Return each constraint by itself, and those that are active together."""
    active = tuple(one.name for one in system.constraints if one.active)
    return [*((one.name,) for one in system.constraints), *([active] if len(active) > 1 else [])]


def constraint_laws(model: Model, names: tuple[str, ...], state: State, tau: Array, wrench: Array | None) -> dict[str, Breach]:
    """Return how far constraints that hold together break their laws at a state, by a sentence each."""
    stack = Stack.of(model.system, names)
    seen = _seen(model, state.x)
    kept = stack.found(seen)
    rows, moved = stack.rows(seen, kept), stack.rows(_seen(model, _moved(model, state)), kept, 1j * STEP)
    rate, sizes = rows.A @ state.u + rows.speed, abs(rows.A) @ abs(state.u)
    drift = (moved.A @ state.u + moved.speed).imag / STEP
    fast = float(abs(state.u).max())  # rows have direction cosines, of which nothing may be left
    found = {"drift = rate of the rows": Breach(relative(rows.drift - drift, drift, sizes, least=fast**2), EXACT)}
    placed = [one.rows(seen, kept[stack.kept_of[one.name]], 0.0).position is not None for one in stack.constraints]
    if any(placed) and not stack.unmet(seen):  # a screw's is one where the loop is closed
        assert moved.position is not None  # zero where there is none
        counts = [at.stop - at.start for at in stack.rows_of.values()]
        away = np.where(np.repeat(placed, counts), np.imag(moved.position) / STEP - rate, 0.0)
        found["rate of places = rows"] = Breach(relative(away, sizes, rate, least=fast), EXACT)
    try:
        return {**found, **_dynamics(model, stack, rows, state, tau, wrench)}
    except (ConstraintRankLoss, InconsistentConstraints, InvalidState):  # where this state has no such motion
        return found


def _dynamics(model: Model, stack: Stack, rows: Rows, state: State, tau: Array, wrench: Array | None) -> dict[str, Breach]:
    """Return the same of accelerations and forces, at speeds that obey the constraints, against multipliers."""
    layout, M = model.layout, model.M(state)
    chosen = list(selection(rows.A, M, NOISE).rows)
    if not chosen:  # as between two frames of one body
        return {}
    x = np.array(state.x)
    x[layout.x_u] = obedient(M, rows.A[chosen], rows.speed[chosen], state.u).u
    state = state.repacked(x)
    constrained, seen = model.constrained(*(one.name for one in stack.constraints)), _seen(model, state.x)
    rows = stack.rows(seen, stack.found(seen))
    udot = constrained.forward_dynamics(state, tau, wrench)
    forces = constrained.constraint_forces(state, tau, wrench)
    free = model.forward_dynamics(state, tau, wrench)
    yielded = np.linalg.solve(M, rows.A.T)
    multipliers = smallest_solution(rows.A @ yielded, -(rows.A @ free + rows.drift))
    reaction = yielded @ multipliers
    applied = np.concatenate([np.zeros(0), *stack.forces(seen, multipliers).values()])
    allowed = max(float(solved_tolerance(M[np.newaxis])[0]), 10 * np.finfo(float).eps * _condition(rows.A, M) ** 2)
    parts = np.concatenate([np.zeros(0), *forces.values()])
    return {
        "accelerations obey the rows": Breach(
            relative(rows.A @ udot + rows.drift, abs(rows.A) @ (abs(udot) + abs(free)), rows.drift), allowed
        ),
        "accelerations = by multipliers": Breach(relative(udot - free - reaction, udot, free, reaction), allowed),
        "forces = by multipliers": Breach(relative(parts - applied, parts, least=float(abs(M @ reaction).max())), allowed),
    }


def _condition(A: Array, M: Array) -> float:
    """Return how far apart the singular values of rows of equal length are in units of equal energy, zeros left out."""
    scaled = np.linalg.solve(np.linalg.cholesky(M), A.T)
    lengths = np.linalg.norm(scaled, axis=0)
    sizes = np.linalg.svd(scaled[:, lengths > 0] / lengths[lengths > 0], compute_uv=False)
    sizes = sizes[sizes > LEAST * sizes.max(initial=0.0)]
    return float(sizes.max() / sizes.min()) if sizes.size else 1.0


def _seen(model: Model, x: Array) -> Sight:
    return Sight(model.system, model.symbolic.derivation.at(x))


def _moved(model: Model, state: State) -> Array:
    """Return the packed state an imaginary instant later, its speeds held."""
    layout, x = model.layout, state.x.astype(complex)
    x[layout.x_q] += 1j * STEP * coordinate_rates(layout, state.q, state.qdot)
    if not layout.fixed:
        x[layout.x_r_0] += 1j * STEP * state.v_0
        x[layout.x_attitude] += 1j * STEP * quaternion_rate(state.attitude_xyzw, state.omega_0)
    return x
