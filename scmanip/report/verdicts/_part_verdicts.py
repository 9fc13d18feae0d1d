"""What goes through interfaces, what constraints gave in switches, and how free bodies move at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ...analysis import impulse_sizes, unseen_peak
from ...simulation import History
from ...spatial import Array
from ._limits import Limits
from ._verdict import Verdict

_LOADS = (("interface_force", "force through interface", "N"), ("interface_moment", "moment through interface", "N m"))
_IMPULSES = {
    "N s": ("switch_impulse", "impulse of constraint in a switch"),
    "N m s": ("switch_angular_impulse", "angular impulse of constraint in a switch"),
}


def part_verdicts(history: History, limits: Limits) -> Iterator[Verdict]:
    """Yield, each of the one that is nearest to its limit: loads on interfaces that have limits, impulses, free bodies."""
    yield from _loads(history, limits)
    yield from _impulses(history, {"N s": limits.switch_impulse_Ns, "N m s": limits.switch_angular_impulse_Nms})
    if len(history.system.trees) > 1:
        yield from _free(history, limits)


def _loads(history: History, limits: Limits) -> Iterator[Verdict]:
    """Yield the largest loads between all samples; nothing is worked out without a limit."""
    parts = slice(0, 3), slice(3, 6)
    for words, part, most in zip(_LOADS, parts, (limits.interface_force_N, limits.interface_moment_Nm), strict=True):
        if most:
            finely = history.finely
            sizes = {name: np.linalg.norm(finely.interface_load(name)[:, part], axis=1) for name in most}
            name = _nearest({name: float(size.max()) for name, size in sizes.items()}, most)
            series = sizes[name]
            where = f"{name}, t = {finely.t[int(np.argmax(series))]:g} s"
            yield Verdict(*words[:2], float(series.max()), words[2], most[name], where, unseen=unseen_peak(finely.t, series))


def _impulses(history: History, limits: Mapping[str, Mapping[str, float]]) -> Iterator[Verdict]:
    """Yield the largest impulses of constraints in one switch; nothing where none has a limit and nothing was imposed."""
    given: dict[str, dict[str, tuple[float, float]]] = {unit: {name: (0.0, 0.0) for name in limits[unit]} for unit in limits}
    for switched in history.switches:
        for name, sizes in impulse_sizes(history.system, switched).items():
            for unit, size in sizes:
                if unit in given and size > given[unit].get(name, (0.0, 0.0))[0]:
                    given[unit][name] = size, switched.t
    for unit, (word, meaning) in _IMPULSES.items():
        if given[unit]:
            name = _nearest({name: size for name, (size, _) in given[unit].items()}, limits[unit])
            size, t = given[unit][name]
            where = f"{name}, t = {t:g} s" if size else name
            yield Verdict(word, meaning, size, unit, limits[unit].get(name), where)


def _free(history: History, limits: Limits) -> Iterator[Verdict]:
    """Yield how fast free bodies turn at the end, and what they have of angular momentum."""
    trees = list(enumerate(history.system.trees))[1:]
    rates = {tree.root: _size(history.qdot[-1, tree.twist][3:]) for _, tree in trees}
    momenta = {tree.root: _size(history.L_C_by_tree[-1, k]) for k, tree in trees}
    words = (
        ("final_free_rate", "angular rate of free body at end", rates, "rad/s", limits.final_free_rate_rad_s),
        ("final_free_momentum", "angular momentum of free body at end", momenta, "N m s", limits.final_free_momentum_Nms),
    )
    for word, meaning, values, unit, most in words:
        name = _nearest(values, most)
        yield Verdict(word, meaning, values[name], unit, most.get(name), name)


def _nearest(values: Mapping[str, float], limits: Mapping[str, float]) -> str:
    """Return the name of what is nearest to its limit, or beyond; without limits of the largest."""
    most = {name: limits.get(name, np.inf) for name in values}
    return max(values, key=lambda name: values[name] / most[name] if limits else values[name])


def _size(vector: Array) -> float:
    return float(np.linalg.norm(vector))
