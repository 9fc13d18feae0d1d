"""Where shapes of a system touch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...constraints import GROUND, RelativeMotion, SeenSystem
from ...errors import InvalidInput, Problem
from ...impacts import Touch
from ...shapes import Pair, Placed, Proximity, Shape, pair_of, place_names
from ...spatial import Array, cross, skew
from ...system import System

STEP = 1e-30  # of time [s], along the imaginary axis: nothing is subtracted


def shape_touches(system: System, seen: SeenSystem, pairs: Sequence[tuple[str, str]], within_m: float) -> list[Touch]:
    """Return the places at which named shapes are nearer than `within_m`, of every pair from its first to its second.

    Their drifts have the curvature of both: they are the rates of speeds there along the motion that udot = 0 gives, by the
    complex step. Raises `UnknownName`, and `InvalidInput` for pairs without a distance, or without a formula for it.
    """
    return [touch for one, other in pairs for touch in _touches(seen, system.shape(one), system.shape(other), within_m)]


def shape_gaps(system: System, seen: SeenSystem, pairs: Sequence[tuple[str, str]]) -> tuple[Array, Array]:
    """Return the distances (k,) of all places of pairs of named shapes, one pair behind the other, over any scalar [m].

    Behind them of which features they are (m,), one place behind the other, of pairs where that changes. It has no
    formula of its own.

    >>> from scmanip.shapes import Plane, Sphere
    >>> shapes = [Sphere("ball", "tip", 0.1), Plane("floor", "ground", origin_m=[0, 0, -1.0])]
    >>> landing = scmanip.System("arm", system.base, system.bodies[1:], system.frames, shapes=shapes)
    >>> gaps, _ = shape_gaps(landing, Sight(landing, model.equations(state)), [("ball", "floor")])
    >>> np.round(gaps, 6).tolist()
    [0.9]
    """
    shapes = [(system.shape(one), system.shape(other)) for one, other in pairs]
    near = [_proximity(seen, pair_of(*two), *two, 0.0) for two in shapes]
    return np.concatenate([[], *(each.gap for each in near)]), np.concatenate([[], *(each.features.ravel() for each in near)])


def _touches(seen: SeenSystem, one: Shape, other: Shape, within_m: float) -> list[Touch]:
    pair = pair_of(one, other)
    if not pair.is_formula:
        said = f"'{one.name}' and '{other.name}'"
        raise InvalidInput(
            Problem(
                "shapes",
                "two shapes whose distance is a formula",
                said,
                hint="spheres, capsules, boxes and planes have one",
            )
        )
    near, found = _proximity(seen, pair, one, other, 0.0), []
    for k, name in enumerate(place_names(one, other)):
        if near.gap[k] > within_m:
            continue
        at = (near.on_one[k] + near.on_other[k]) / 2
        touch = Touch(name, (one.frame, other.frame), near.normal[k], at)
        found.append(Touch(name, touch.frames, touch.normal, at, _drift(seen, pair, one, other, k, touch.axes)))
    return found


def _drift(seen: SeenSystem, pair: Pair, one: Shape, other: Shape, k: int, axes: Array) -> Array:
    """Return the rates (3,) of speeds along the normal, which turns, and two tangents at place k."""
    near = _proximity(seen, pair, one, other, 1j * STEP)
    at = (near.on_one[k] + near.on_other[k]) / 2
    v = _velocity(seen, other.frame, at) - _velocity(seen, one.frame, at)
    return np.array([near.normal[k] @ v, *(axes[1:] @ v)]).imag / STEP


def _proximity(seen: SeenSystem, pair: Pair, one: Shape, other: Shape, h: complex) -> Proximity:
    return pair.proximity(*(_placed(shape, seen.relative(GROUND, shape.frame), h) for shape in (one, other)))


def _placed(shape: Shape, motion: RelativeMotion, h: complex) -> Placed[Shape]:
    """Return a shape a little later; to first order in h."""
    if not h:
        return Placed(shape, motion.d + motion.C @ shape.origin_m, motion.C @ shape.dcm)
    R = (np.eye(3) + h * skew(motion.twist[3:])) @ motion.C
    return Placed(shape, motion.d + h * motion.twist[:3] + R @ shape.origin_m, R @ shape.dcm)


def _velocity(seen: SeenSystem, body: str, at: Array) -> Array:
    """Return the velocity (3,) of a body at a place, as much later as the place is complex."""
    motion, h = seen.relative(GROUND, body), 1j * STEP
    d, twist = motion.d + h * motion.twist[:3], motion.twist + h * motion.bias
    return twist[:3] + cross(twist[3:], at - d)
