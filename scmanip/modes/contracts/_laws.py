"""The laws that contracts are made of, each as the residual of one ledger."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...spatial import Array, cross
from ._ledger import Ledger
from ._residual import KEPT, Residual, norms, squares
from ._root_joint import RootJoint

_ROUNDING = 1e-12  # of the arm's peak momentum, of energies that flow; of 1 m/s and 1 m where nothing moves


def momentum_is_constant(ledger: Ledger) -> Residual:
    """P - P(0), against the arm's peak momentum."""
    return _linear(ledger, "momentum", "linear momentum P - P(0)", "the arm's peak linear momentum")


def momentum_balances(ledger: Ledger) -> Residual:
    """P - P(0) - impulse, against the larger of the peak impulse and the arm's peak momentum."""
    meaning = "linear momentum P - P(0) less the impulse of the applied force"
    scale = "the peak impulse, or the arm's peak linear momentum"
    return _linear(ledger, "momentum_balance", meaning, scale, ledger.impulse[:, :3])


def angular_momentum_is_constant(ledger: Ledger) -> Residual:
    """L_C - L_C(0), against the arm's peak angular momentum about the system CoM, or what the wheels took if that is more."""
    meaning = "angular momentum about the system CoM, L_C - L_C(0)"
    scale = "the arm's peak angular momentum, or what the wheels took"
    taken = _peak(ledger.h_wheels - ledger.h_wheels[0])
    return _angular(ledger, "angular_momentum", meaning, scale, taken)


def angular_momentum_balances(ledger: Ledger) -> Residual:
    """L_C - L_C(0) - angular impulse, against the larger of the peak impulse and the arm's peak momentum."""
    meaning = "angular momentum about the system CoM, L_C - L_C(0), less the angular impulse of the applied wrench"
    scale, impulse = "the peak angular impulse, or the arm's peak angular momentum", ledger.impulse[:, 3:]
    return _angular(ledger, "angular_momentum_balance", meaning, scale, _peak(impulse), impulse)


def com_moves_straight(ledger: Ledger) -> Residual:
    """r_C - r_C(0) - P(0) t / m, against the base's largest displacement from its own straight line."""
    drift = (ledger.t - ledger.t[0])[:, np.newaxis] * (ledger.P[0] / ledger.mass_kg)
    moved = ledger.r_0 - ledger.r_0[0]
    return _law(
        ledger,
        "displacement",
        ("com_drift", "system CoM r_C - r_C(0) - P(0) t / m", "m"),
        ledger.r_C - ledger.r_C[0] - drift,
        _peak(moved - drift),
        "the base's largest displacement",
        _bound(moved, rounding=_ROUNDING * max(1.0, _peak(ledger.r_C))),
    )


def energy_is_work(ledger: Ledger) -> Residual:
    """(T + V) - (T + V)(0) - work + dissipated, against the peak kinetic energy, or what was stored if that is more."""
    energy = ledger.kinetic_energy + ledger.stored_energy
    stored = ledger.stored_energy - ledger.stored_energy[0]
    flows = [ledger.kinetic_energy, stored, ledger.work, ledger.dissipated]
    flows += [ledger.external.work] if ledger.external else []
    rounding = _ROUNDING * float(np.abs(ledger.stored_energy).max()) + _ROUNDING**2 * ledger.mass_kg
    return _law(
        ledger,
        "work",
        ("energy", "kinetic and stored energy gained, less the actuators' work, plus what the dampers took", "J"),
        energy - energy[0] - ledger.work + ledger.dissipated,
        max(float(ledger.kinetic_energy.max()), float(np.abs(stored).max())),
        "the peak kinetic energy, or what springs and gravity stored",
        _bound(*(flow[:, np.newaxis] for flow in flows), rounding=rounding),
    )


def root_momentum_is_constant(ledger: Ledger) -> Iterator[Residual]:
    """Momentum along the root joint of a held base, against the arm's peak; nothing where the joint is driven or loads act.

    With tau_1 = 0 this is the constant of motion H . n2 of [Kane1983] eq. 138. Forces whose impulse over the whole run is
    rounding beside the momentum drive nothing.
    """
    root = None if ledger.external else RootJoint.of(ledger.system)
    if root is None:
        return
    momentum = ledger.L_0 - np.cross(root.origin, ledger.P) if root.turns else ledger.P
    impulse = abs(ledger.tau[:, 0]).max() * (ledger.t[-1] - ledger.t[0])
    if not impulse <= _ROUNDING * _peak(momentum):
        return
    along = momentum @ root.axis
    yield Residual.of(
        "root_joint_momentum",
        f"{'angular' if root.turns else 'linear'} momentum along the axis of '{root.name}', which nothing drives",
        "N m s" if root.turns else "N s",
        along - along[0],
        _peak(momentum),
        f"the arm's peak {'angular momentum about that axis' if root.turns else 'linear momentum'}",
        bound=_bound(momentum, rounding=_ROUNDING * ledger.mass_kg),
    )


def stored_momentum(ledger: Ledger) -> Array:
    """Return the momentum (n, 3) of all that turns the base from inside, relative to it, in N [N m s]; by definition a sum.

    >>> stored_momentum(history).tolist()  # nothing turns this base from inside
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return sum((getattr(ledger, its.momentum.name) for its in ledger.system.turners.channels), 0.0 * ledger.L_C)


def _linear(ledger: Ledger, name: str, meaning: str, scale: str, *impulse: Array) -> Residual:
    """Return what is left of P; it counts as kept to a thousandth of the largest part of its balance."""
    parts = [ledger.P_arm, ledger.P - ledger.P_arm, *impulse, *([ledger.external.impulse] if ledger.external else [])]
    return _law(
        ledger,
        "impulse",
        (name, meaning, "N s"),
        ledger.P - ledger.P[0] - sum(impulse),
        max(map(_peak, (*impulse, ledger.P_arm))) or _peak(ledger.P),
        scale,
        _bound(*parts, rounding=_ROUNDING * ledger.mass_kg),
    )


def _angular(ledger: Ledger, name: str, meaning: str, scale: str, taken: float, *impulse: Array) -> Residual:
    """Return the same of L_C, to which P may add what a lever from the base CoM to the system CoM makes of it."""
    parts = [ledger.L_arm, ledger.L_C - ledger.L_arm - ledger.h_wheels, ledger.h_wheels, *impulse]
    parts += [ledger.external.angular_impulse] if ledger.external else []
    parts.append(cross(ledger.r_C - ledger.r_0, ledger.P))
    return _law(
        ledger,
        "angular_impulse",
        (name, meaning, "N m s"),
        ledger.L_C - ledger.L_C[0] - sum(impulse),
        max(taken, _peak(ledger.L_arm)) or _peak(ledger.L_C),
        scale,
        _bound(*parts, rounding=_ROUNDING * ledger.mass_kg),
    )


def _law(
    ledger: Ledger, book: str, words: tuple[str, str, str], deviation: Array, scale: float, scale_meaning: str, bound: float
) -> Residual:
    """Return the residual of a law that the environment breaks by what its `book` has; words : name, meaning and unit."""
    demanded, external = (getattr(books, book) if books else None for books in (ledger.demand, ledger.external))
    if external is None:  # as of the stricter of both, whose norms decide
        return Residual(*words, _larger(norms(deviation), demanded), float(scale), scale_meaning, None, bound)
    return Residual.of(*words, _stricter(deviation, demanded), scale, scale_meaning, external, bound)


def _bound(*parts: Array, rounding: float) -> float:
    """Return the largest deviation with which a law counts as kept: `KEPT` of its largest part (n, k), or rounding."""
    return max(KEPT * _peak(np.concatenate(parts)), rounding)


def _larger(lengths: Array, demanded: Array | None) -> Array:
    """Return the larger of lengths (n,) and of the norms of what was asked for, read-only; no number where either is none."""
    if demanded is None:
        return lengths
    asked = norms(demanded)
    found: Array = np.where(lengths >= asked, lengths, asked)  # where one is NaN the other one, as `_stricter`
    found.flags.writeable = False
    return found


def _stricter(deviation: Array, demanded: Array | None) -> Array:
    """Return at each sample the larger of a deviation (n, ...) and of what was asked for, where that is known."""
    if demanded is None:
        return deviation
    more = ~(norms(deviation) >= norms(demanded))  # NaN too
    return np.where(more.reshape(-1, *[1] * (deviation.ndim - 1)), demanded, deviation)


def _peak(series: Array) -> float:
    return math.sqrt(squares(series).max())
