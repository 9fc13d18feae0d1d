"""A system and a state at a glance, for notebooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ..cells import html_table
from ..channels import for_people
from ..errors import checked
from ..spatial import Array
from ._state import State
from ._system import System
from .parts._body import Body
from .parts._freedom import Coordinate

_BODIES = "body", "carried by", "mass [kg]", "joint", "kind", "axis", "limits"
_STATE = {"r_0": "m", "attitude_xyzw": "1", "q": "rad or m", "v_0": "m/s", "omega_0": "rad/s", "qdot": "rad/s or m/s"}
_WORDS = {
    "r_0": "place of the base CoM",
    "attitude_xyzw": "attitude of the base",
    "q": "joint coordinates",
    "v_0": "velocity of the base CoM",
    "omega_0": "angular velocity of the base",
    "qdot": "joint rates",
}


@checked
def system_card(system: System) -> str:
    """Return the table of the bodies of a system, each with the joint that moves it, and in words what else it has.

    >>> "140 kg" in system_card(system), system_card(system).count("<tr>") == len(system.bodies) + 1
    (True, True)
    """
    base = "its base held" if system.fixed else "its base free"
    title = f"{system.name}: {system.mass_kg:.6g} kg, {system.freedom_words}, {base}"
    return html_table(title, _BODIES, map(_body, system.bodies), _others(system))


@checked
def state_card(state: State) -> str:
    """Return the table of the parts of a state, angular speeds also in degrees; of a batch, what it holds.

    >>> card = state_card(state)
    >>> card.count("<tr>"), "0.3" in card
    (7, True)
    """
    if state.x.ndim > 1:
        return html_table(repr(state), (), ())
    parts = {name: getattr(state, name) for name in _STATE}
    rows = [(_WORDS[name], name, _numbers(values), _STATE[name]) for name, values in parts.items() if values.size]
    rows += [("states of", name, _numbers(values), "SI") for name, values in state.actuators.items()]
    return html_table("State, in SI and inertial axes", ("what", "name", "numbers", "unit"), rows, _turned(state))


def _turned(state: State) -> Iterator[str]:
    """Yield how far the base is turned."""
    if not state.fixed:
        vector, scalar = np.linalg.norm(state.attitude_xyzw[:3]), abs(state.attitude_xyzw[3])
        yield f"The base is turned by {np.degrees(2 * np.arctan2(vector, scalar)):.5g} deg."


def _body(body: Body) -> tuple[object, ...]:
    joint = body.joint
    if joint is None:
        return body.name, "", body.mass_kg, "", "", "", ""
    axis = _numbers(joint.axis) if "axis" in joint.kind.keys else ""
    return body.name, body.parent, body.mass_kg, joint.name, joint.kind.name, axis, "; ".join(map(_limits, joint.coordinates))


def _limits(coordinate: Coordinate) -> str:
    if np.isinf(coordinate.lower) and np.isinf(coordinate.upper):
        return "none"
    unit, size = for_people(coordinate.unit)
    return f"{size * coordinate.lower:.5g} to {size * coordinate.upper:.5g} {unit}"


def _others(system: System) -> Iterator[str]:
    """Yield what is mounted on it, its named frames, what can be imposed on it, and what is unusual about it."""
    counts = Counter(actuator.kind for actuator in system.actuators)
    parts = {
        "Actuators": [f"{count} {kind}{'s' * (count > 1)}" for kind, count in counts.items()],
        "Frames": [f"{frame.name} on {frame.body}" for frame in system.frames],
        "Shapes": [shape.name for shape in system.shapes],
        "Springs": [spring.name for spring in system.springs],
        "Constraints": [one.name for one in system.constraints],
        "Unusual": [str(warning) for warning in system.warnings()],
    }
    yield from (f"{what}: {', '.join(names)}." for what, names in parts.items() if names)


def _numbers(values: Array) -> str:
    return ", ".join(f"{number:.5g}" for number in values)
