"""The largest values of a run against its limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ...analysis import TipTrack, base_displacement, base_rotation, joint_power, unseen_peak
from ...errors import checked
from ...modes import Residual
from ...simulation import History
from ...spatial import Array
from ...system import coordinate_difference
from ._joint_kinds import by_freedom, coordinate_kinds, freedom_kinds
from ._limits import Limits
from ._part_verdicts import part_verdicts
from ._thrust_verdicts import thrust_verdicts
from ._tip_verdicts import tip_verdicts
from ._use_verdicts import use_verdicts
from ._verdict import Verdict

_EFFORT = {"rad": ("joint_torque", "joint torque", "N m"), "m": ("joint_force", "joint force", "N")}
_RATE = {"rad": ("joint_rate", "joint rate", "rad/s"), "m": ("joint_speed", "joint speed", "m/s")}
_CONTRACT = {
    "momentum": ("linear_momentum_relative", "linear momentum / arm's peak"),
    "angular_momentum": ("angular_momentum_relative", "angular momentum / arm's peak"),
    "momentum_balance": ("linear_momentum_balance_relative", "linear momentum less impulse / peak"),
    "angular_momentum_balance": ("angular_momentum_balance_relative", "angular momentum less impulse / peak"),
    "energy": ("energy_relative", "energy error / peak energy"),
    "pull": ("pull_relative", "pull of what only pushes / its largest push"),
    "joint_motion": ("joint_motion_relative", "impulse left over of a joint / its own peak"),
}
_BROKEN = {"momentum": "linear momentum", "angular_momentum": "angular momentum", "com_drift": "CoM's straight path"}


@checked
def verdicts(
    history: History,
    limits: Limits,
    goal: Array | None = None,
    stretches: Sequence[tuple[float, History]] = (),
    tips: Sequence[TipTrack] = (),
) -> tuple[Verdict, ...]:
    """Return every quantity that can be judged, limited or not: the mode's contract, the base, the joints, wheels and thrust.

    goal : (n_q,) where the reference has the joints at the end of the history [rad or m]; None where there is none
    stretches : the parts of the history that were flown in one mode each, with their starts [s]; their contracts are judged.
        All of it without any. A law that is broken beyond its own bound fails, whatever the limits say
    tips : of the frames that references led

    >>> judged = verdicts(history, Limits(base_rotation_rad=0.05))
    >>> [(verdict.name, str(verdict.word)) for verdict in judged if verdict.limit is not None]
    [('base_rotation', 'FAILED')]
    """
    laws = (*_contract(stretches or [(0.0, history)], limits), *_root_joint(history, limits))
    return (*laws, *inexact_verdicts(history, limits, goal, tips))


@checked
def inexact_verdicts(
    history: History, limits: Limits, goal: Array | None = None, tips: Sequence[TipTrack] = ()
) -> tuple[Verdict, ...]:
    """Return those verdicts whose values errors of the integration change: all but how the laws were kept, which measures them.

    goal, tips : as in `verdicts`, (n_q,) [rad or m]

    >>> all(verdict.exact for verdict in set(verdicts(history, Limits())) - set(inexact_verdicts(history, Limits())))
    True
    """
    ended = (*tip_verdicts(tips, limits), *(() if goal is None else _goal(history, limits, goal)))
    actuators = (*_joints(history, limits), *use_verdicts(history), *thrust_verdicts(history, limits))
    outside = () if history.external is None else tuple(_environment(history))
    parts = tuple(part_verdicts(history, limits))
    return (*outside, *_base(history, limits), *ended, *actuators, *parts, *_ranges(history))


def _contract(stretches: Sequence[tuple[float, History]], limits: Limits) -> Iterator[Verdict]:
    """Yield how well the laws were kept that the modes promise, each where it fared worst; no other law is judged."""
    asked = {"energy": limits.energy_relative, "joint_motion": None, "pull": None}
    for law in dict.fromkeys(law for _, part in stretches for law in part.residuals):
        promised = [(start, part, part.residuals[law]) for start, part in stretches if law in part.residuals]
        if law == "com_drift":
            start, part, residual = max(promised, key=lambda entry: _worst(entry[2], entry[2].value))
            where, limit = _at(part, residual.series, start), _stricter(limits.system_com_drift_m, residual, residual.most)
            yield Verdict("system_com_drift", "drift of system CoM", residual.value, "m", limit, where, exact=True)
        elif law == "constraint_drift":
            start, part, residual = max(promised, key=lambda entry: _worst(entry[2], entry[2].value))
            where, limit = _at(part, residual.series, start), _stricter(None, residual, residual.most)
            words = "constraint_drift", "drift of what constraints hold"
            yield Verdict(*words, residual.value, residual.unit, limit, where, exact=True)
        elif law in _CONTRACT:
            name, meaning = _CONTRACT[law]
            start, part, residual = max(promised, key=lambda entry: _worst(entry[2], entry[2].relative))
            limit = _stricter(asked.get(law, limits.momentum_relative), residual, residual.most_relative)
            yield Verdict(name, meaning, residual.relative, "", limit, _at(part, residual.series, start), exact=True)


def _worst(residual: Residual, value: float) -> tuple[bool, float]:
    """Return what to sort by: a broken law is worse than any that was kept, and what is no number is worse than any."""
    return not residual.kept, np.inf if np.isnan(value) else value


def _stricter(limit: float | None, residual: Residual, most: float) -> float | None:
    """Return the limit that was asked for, or `most` of a law that is broken where that is less or nothing was asked for."""
    return limit if residual.kept else min(most, np.inf if limit is None else limit)


def _environment(history: History) -> Iterator[Verdict]:
    """Yield by how much the environment broke each law of the contract; nothing in free space. It has no limit."""
    for law, residual in history.residuals.items():
        if residual.external is not None:
            words, where = f"{_BROKEN.get(law, law.replace('_', ' '))} broken by environment", _at(history, residual.external)
            yield Verdict(f"{law}_broken_by_environment", words, residual.broken, residual.unit, None, where)


def _root_joint(history: History, limits: Limits) -> Iterator[Verdict]:
    """Yield the momentum along an undriven root joint; where it is asked for and the joint was driven, a verdict says so."""
    residual, asked = history.residuals.get("root_joint_momentum"), limits.root_joint_momentum_relative
    name, meaning = "root_joint_momentum_relative", "momentum along root joint / arm's peak"
    if residual is not None:
        where = f"{history.joint_names[0]}, {_at(history, residual.series)}"
        limit = _stricter(asked, residual, residual.most_relative)
        yield Verdict(name, meaning, residual.relative, "", limit, where, exact=True)
    elif asked is not None:
        yield Verdict(name, meaning, float("nan"), "", asked, f"{history.joint_names[0]} was driven", exact=True)


def _base(history: History, limits: Limits) -> Iterator[Verdict]:
    if history.system.fixed:
        return
    history = history.finely
    series = {
        "base_rotation": ("base rotation from start", base_rotation(history), "rad", limits.base_rotation_rad),
        "base_rate": ("base angular rate", _norm(history.omega_0), "rad/s", limits.base_rate_rad_s),
        "base_displacement": ("base displacement", base_displacement(history), "m", limits.base_displacement_m),
    }
    for name, (meaning, values, unit, limit) in series.items():
        unseen = unseen_peak(history.t, values)
        yield Verdict(name, meaning, float(values.max()), unit, limit, _at(history, values), unseen=unseen)


def _goal(history: History, limits: Limits, goal: Array) -> Iterator[Verdict]:
    """Yield, per unit, how far the joints are from their reference at the end; spherical joints by the angle between."""
    words = {
        "rad": ("final_joint_error", "joint angle from reference at end", limits.final_joint_error_rad),
        "m": ("final_joint_extension_error", "joint extension from reference at end", limits.final_joint_error_m),
    }
    system = history.system
    away = np.abs(coordinate_difference(system.layout, history.q[-1], goal))
    layout, freedoms = system.layout, system.freedoms
    ends = [(freedoms[j].unit, away[j], freedoms[j].name) for _, j in layout.single() if layout.actuated[j]]
    for j in [j for _, j in layout.quaternions if layout.actuated[j]]:
        angle = 2 * np.arcsin(min(float(np.linalg.norm(away[j : j + 3])) / 2, 1.0))
        ends.append(("rad", angle, freedoms[j].joint))
    for unit, (name, meaning, limit) in words.items():
        errors = [(float(error), joint) for its, error, joint in ends if its == unit]
        if errors:
            error, joint = max(errors, key=lambda end: end[0])
            yield Verdict(name, meaning, error, unit, limit, f"{joint}{_held_back(history)}")


def _held_back(history: History) -> str:
    """Return which limit of an actuator acted longest, and how many others did; nothing where all gave what was asked for."""
    lasted: dict[str, float] = {}
    for each in history.occurrences:
        if each not in history.noted:
            lasted[each.phrase] = lasted.get(each.phrase, 0.0) + each.last_s - each.first_s
    if not lasted:
        return ""
    longest = max(lasted, key=lambda phrase: lasted[phrase])
    others = f", and {len(lasted) - 1} more" if len(lasted) > 1 else ""
    return f"; {longest.rstrip(',')}, for {lasted[longest]:.3g} s{others}"


def _joints(history: History, limits: Limits) -> Iterator[Verdict]:
    history, given = history.finely, (limits.joint_effort, limits.joint_rate, limits.joint_power)
    effort, rate, most = (by_freedom(history.system, limit) for limit in given)
    for kind in freedom_kinds(history):
        places = list(kind.places)
        tau, qdot = np.abs(history.tau[:, places]), np.abs(history.qdot[:, places])
        yield _worst_joint(history, _EFFORT[kind.unit], tau, kind.names, effort)
        yield _worst_joint(history, _RATE[kind.unit], qdot, kind.names, rate)
    if history.system.layout.N:
        power = np.abs(joint_power(history))
        yield _worst_joint(history, ("joint_power", "joint power", "W"), power, history.qdot_names, most)


def _worst_joint(
    history: History, words: tuple[str, str, str], values: Array, names: Sequence[str], limits: Mapping[str, float]
) -> Verdict:
    """Return the verdict on the joint that is nearest to its limit, or beyond; without limits on the largest value."""
    name, meaning, unit = words
    peaks = values.max(axis=0)
    load = peaks / np.array([limits.get(joint, np.inf) for joint in names]) if limits.keys() & set(names) else peaks
    worst = int(np.argmax(load))
    where = f"{names[worst]}, {_at(history, values[:, worst])}"
    unseen = unseen_peak(history.t, values[:, worst])
    return Verdict(name, meaning, float(peaks[worst]), unit, limits.get(names[worst]), where, unseen=unseen)


def _ranges(history: History) -> Iterator[Verdict]:
    """Yield, per kind of coordinate, how far the joints left the ranges that the system file gives them."""
    for kind in coordinate_kinds(history):
        joints = [history.system.coordinates[i] for i in kind.places]
        if kind.unit == "1" or all(np.isinf(joint.lower) and np.isinf(joint.upper) for joint in joints):
            continue
        q = history.finely.q[:, list(kind.places)]
        lower, upper = np.array([j.lower for j in joints]), np.array([j.upper for j in joints])
        passages = [passage for passage in history.passages if passage.unit == kind.unit]
        if passages:
            far = max(passages, key=lambda passage: passage.excess)
            where = f"{far.coordinate}, t = {far.t_excess_s:g} s, beyond from t = {far.t_s:.6g} s"
            yield Verdict("joint_range", "joints beyond their ranges", far.excess, kind.unit, 0.0, where)
            continue
        beyond = np.maximum(lower - q, q - upper)
        worst = int(np.argmax(beyond.max(axis=0)))
        value = float(beyond[:, worst].max())
        where = f"{kind.names[worst]}, {_at(history.finely, beyond[:, worst])}" if value > 0 else ""
        name, words = "joint_range", "joints beyond their ranges"
        yield Verdict(name, words, max(value, 0.0), kind.unit, 0.0, where, short=max(-value, 0.0))


def _norm(rows: Array) -> Array:
    return np.linalg.norm(rows, axis=1)


def _at(history: History, series: Array, start_s: float = 0.0) -> str:
    return f"t = {start_s + history.t[int(np.argmax(series))]:g} s"
