"""What hardware can do, as tables on a screen."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from ..actuators import Turner
from ..analysis import pusher_capability, reach, turner_capability
from ..scene import body_poses, frame_places
from ..system import Coordinate, State, System
from ._screen import Screen

_AXES = ("x", "y", "z")


def show_hardware(screen: Screen, system: System) -> None:
    """Show frames with their places at rest and their reach, limits of joints, and what wheels and thrusters can do."""
    _frames(screen, system)
    _joints(screen, system)
    _turners(screen, system)
    _pushers(screen, system)


def _frames(screen: Screen, system: System) -> None:
    if not system.frames:
        return
    rest = State.at_rest(system, system.layout.neutral())
    places = frame_places(system, body_poses(system, State.stack([rest.of_layout(system.layout)])))
    rows = [("frame", "on", "with all joints at zero", "reaches")]
    for frame in system.frames:
        found = reach(system, frame.name)
        far = "" if found is None else f"at most {found.most_m:.4g} m from {found.joint}"
        rows.append((frame.name, frame.body, f"({_three(places[frame.name][0])}) m", far))
    screen.table(rows)


def _joints(screen: Screen, system: System) -> None:
    bounded = [c for c in system.coordinates if math.isfinite(c.lower) or math.isfinite(c.upper) if c.unit != "1"]
    if bounded:
        screen.table([("joint", "from", "to"), *((c.name, _shown(c, c.lower), _shown(c, c.upper)) for c in bounded)])
    drives = [drive for drive in system.drive_of if drive is not None]
    if drives:
        rows = [(drive.joint, _limit(drive.torque_limit, "N m"), _limit(drive.rate_limit, "rad/s")) for drive in drives]
        screen.table([("drive of", "at most", "up to"), *rows])


def _turners(screen: Screen, system: System) -> None:
    if not system.turners.each:
        return
    rows = [("turns the base", "kind", "torque at most", "stores at most")]
    for turner in system.turners.each:
        torques = ", ".join(_limit(torque, "N m") for torque in turner.largest_efforts)
        rows.append((turner.called, turner.kind, torques, _limit(_stored(turner), "N m s")))
    screen.table(rows)
    screen.say(f"together at most {_along(turner_capability(system).plus, 'N m')}, each alone")


def _stored(turner: Turner) -> float:
    """Return what it stores at most [N m s], by its limit of momentum or of speed."""
    states = np.array(turner.largest_states)
    return min(turner.largest_momentum, abs(turner.stored(states)) if np.isfinite(states).all() else np.inf)


def _pushers(screen: Screen, system: System) -> None:
    if not system.pushers:
        return
    each = [(p.called, p.body, _limit(p.largest_force, "N"), _limit(p.exhaust_m_s, "m/s")) for p in system.pushers.each]
    screen.table([("pushes", "on", "force at most", "exhaust"), *each])
    found = pusher_capability(system)
    for part, unit in ((slice(0, 3), "N"), (slice(3, 6), "N m")):
        plus, minus = _along(found.plus[part], unit), _along(found.minus[part], unit, "-")
        screen.say(f"together at most {plus}, {minus}, each alone")


def _along(values: Iterable[float], unit: str, sign: str = "") -> str:
    return ", ".join(f"{_limit(value, unit)} along {sign}{axis}" for axis, value in zip(_AXES, values, strict=True))


def _three(values: Iterable[float]) -> str:
    return ", ".join(f"{round(value, 4) + 0.0:g}" for value in values)


def _shown(coordinate: Coordinate, value: float) -> str:
    if not math.isfinite(value):
        return "no limit"
    return f"{math.degrees(value):.4g} deg" if coordinate.unit == "rad" else f"{value:.4g} {coordinate.unit}"


def _limit(value: float, unit: str) -> str:
    return f"{value:.4g} {unit}" if math.isfinite(value) else "no limit"
