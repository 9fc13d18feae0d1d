"""The laws that contracts are made of, each as the residual of one ledger."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from ...spatial import Array, cross
from ._ledger import Ledger
from ._residual import KEPT, Residual, largest, squares
from ._root_joint import RootJoint
from ._sizes import Balanced, Formula, sizes

_NOTHING = np.zeros(3)
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
    return _angular(ledger, "angular_momentum", meaning, "the arm's peak angular momentum, or what the wheels took")


def angular_momentum_balances(ledger: Ledger) -> Residual:
    """L_C - L_C(0) - angular impulse, against the larger of the peak impulse and the arm's peak momentum."""
    meaning = "angular momentum about the system CoM, L_C - L_C(0), less the angular impulse of the applied wrench"
    scale = "the peak angular impulse, or the arm's peak angular momentum"
    return _angular(ledger, "angular_momentum_balance", meaning, scale, ledger.impulse[:, 3:])


def com_moves_straight(ledger: Ledger) -> Residual:
    """r_C - r_C(0) - P(0) t / m, against the base's largest displacement from its own straight line."""
    words = "com_drift", "system CoM r_C - r_C(0) - P(0) t / m", "m"
    given = {"t": _column(ledger.t), "r_C": ledger.r_C, "r_0": ledger.r_0, "v": ledger.P[0] / ledger.mass_kg}
    law = _Law(ledger, "displacement", words, _straight, given)
    from_start, from_line, away = law.peaks
    return law.held(from_line, "the base's largest displacement", from_start, rounding=_ROUNDING * max(1.0, away))


def energy_is_work(ledger: Ledger) -> Residual:
    """(T + V) - (T + V)(0) - work + dissipated, against the peak kinetic energy, or what was stored if that is more."""
    words = "energy", "kinetic and stored energy gained, less the actuators' work, plus what the dampers took", "J"
    series = {"T": ledger.kinetic_energy, "V": ledger.stored_energy, "work": ledger.work, "dissipated": ledger.dissipated}
    law = _Law(ledger, "work", words, _energy, {name: _column(array) for name, array in series.items()})
    *peaks, most = law.peaks
    rounding = _ROUNDING * most + _ROUNDING**2 * ledger.mass_kg
    return law.held(max(peaks[:2]), "the peak kinetic energy, or what springs and gravity stored", *peaks, rounding=rounding)


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
        bound=max(KEPT * _peak(momentum), _ROUNDING * ledger.mass_kg),
    )


def stored_momentum(ledger: Ledger) -> Array:
    """Return the momentum (n, 3) of all that turns the base from inside, relative to it, in N [N m s]; by definition a sum.

    >>> stored_momentum(history).tolist()  # nothing turns this base from inside
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return sum((getattr(ledger, its.momentum.name) for its in ledger.system.turners.channels), 0.0 * ledger.L_C)


def _linear(ledger: Ledger, name: str, meaning: str, scale: str, impulse: Array | None = None) -> Residual:
    """Return what is left of P; it counts as kept to a thousandth of the largest part of its balance."""
    given = {"P": ledger.P, "P_arm": ledger.P_arm, "impulse": _NOTHING if impulse is None else impulse}
    law = _Law(ledger, "impulse", (name, meaning, "N s"), _of_P, given)
    by_impulse, of_arm, *_ = law.peaks
    most = (of_arm if impulse is None else max(by_impulse, of_arm)) or _peak(ledger.P)
    return law.held(most, scale, *law.peaks, rounding=_ROUNDING * ledger.mass_kg)


def _angular(ledger: Ledger, name: str, meaning: str, scale: str, impulse: Array | None = None) -> Residual:
    """Return the same of L_C, to which P may add what a lever from the base CoM to the system CoM makes of it."""
    given = {"L_C": ledger.L_C, "L_arm": ledger.L_arm, "h_wheels": ledger.h_wheels}
    given |= {"impulse": _NOTHING if impulse is None else impulse, "r_C": ledger.r_C, "r_0": ledger.r_0, "P": ledger.P}
    law = _Law(ledger, "angular_impulse", (name, meaning, "N m s"), _of_L_C, given)
    by_wheels, *peaks = law.peaks
    by_impulse, of_arm, *_ = peaks
    most = max(by_wheels if impulse is None else by_impulse, of_arm) or _peak(ledger.L_C)
    return law.held(most, scale, *peaks, rounding=_ROUNDING * ledger.mass_kg)


# What is left of each law at a sample, and the parts of its balance, over any scalar; external : what the environment gave.


def _of_P(first: Mapping[str, Array], *, P: Array, P_arm: Array, impulse: Array, external: Array) -> Balanced:
    return P - first["P"] - impulse, (impulse, P_arm, P - P_arm, external)


def _of_L_C(
    first: Mapping[str, Array],
    *,
    L_C: Array,
    L_arm: Array,
    h_wheels: Array,
    impulse: Array,
    external: Array,
    r_C: Array,
    r_0: Array,
    P: Array,
) -> Balanced:
    taken, moment = h_wheels - first["h_wheels"], cross(r_C - r_0, P)
    parts = taken, impulse, L_arm, L_C - L_arm - h_wheels, h_wheels, external, moment
    return L_C - first["L_C"] - impulse, parts


def _straight(first: Mapping[str, Array], *, t: Array, r_C: Array, r_0: Array, v: Array, external: Array) -> Balanced:
    del external  # which is no part of what it balances
    drift, moved = (t - first["t"]) * v, r_0 - first["r_0"]
    return r_C - first["r_C"] - drift, (moved, moved - drift, r_C)


def _energy(first: Mapping[str, Array], *, T: Array, V: Array, work: Array, dissipated: Array, external: Array) -> Balanced:
    left = T + V - (first["T"] + first["V"]) - work + dissipated
    return left, (T, V - first["V"], work, dissipated, external, V)


class _Law:
    """A law that the environment breaks by what its `book` has.

    words : name, meaning and unit
    formula : of what is left of it; given : series (n, k) that it is about, and (k,) what is the same all along
    peaks : the largest size of each part of its balance
    """

    def __init__(
        self, ledger: Ledger, book: str, words: tuple[str, str, str], formula: Formula, given: Mapping[str, Array]
    ) -> None:
        self._words, scalar = words, book == "work"
        books = [getattr(its, book) if its else None for its in (ledger.demand, ledger.external)]
        self._demanded, self._external = [_column(its) if scalar and its is not None else its for its in books]
        nothing = _NOTHING[: 1 if scalar else 3]
        demanded, external = (nothing if its is None else its for its in (self._demanded, self._external))
        self._found = sizes(formula, {**given, "demanded": demanded, "external": external})
        self.peaks: list[float] = largest(self._found["parts"]).tolist()

    def held(self, scale: float, scale_meaning: str, *peaks: float, rounding: float) -> Residual:
        """Return the residual of the law against a scale; peaks : the largest sizes of what it balances."""
        bound = max(KEPT * max(peaks), rounding) if all(map(math.isfinite, peaks)) else math.nan  # nothing is kept then
        if self._external is None:  # as of the stricter of both, whose norms decide
            return Residual(*self._words, self._larger, float(scale), scale_meaning, None, bound)
        return Residual.of(*self._words, self._stricter, scale, scale_meaning, self._external, bound)

    @property
    def _larger(self) -> Array:
        """At each sample the larger size of what is left and of what was asked for; the latter where either is no number."""
        found = self._found["left"]
        if self._demanded is not None:
            asked = self._found["demanded"]
            found = np.where(found >= asked, found, asked)
        found.flags.writeable = False
        return found

    @property
    def _stricter(self) -> Array:
        """At each sample the larger of what is left and of what was asked for, where that is known."""
        found = self._found["deviation"]
        if self._demanded is None:
            return found
        more = ~(self._found["left"] >= self._found["demanded"])  # NaN too
        return np.where(more[:, np.newaxis], self._demanded, found)


def _column(series: Array) -> Array:
    return series[:, np.newaxis]


def _peak(series: Array) -> float:
    return math.sqrt(squares(series).max())
