"""What a model checks before it computes: states, arrays, wrenches and the regularity of M."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidState, NumericalFailure, Problem, SingularInertia
from ..spatial import Array, pivots, singular_values
from ..system import Layout, State, System
from ._equations import Equations, Point

Wrenches = Sequence[tuple[str | tuple[str, ArrayLike], ArrayLike]]


def check_state(state: State, layout: Layout) -> None:
    """Raise `InvalidState` unless `state` is one state of this layout."""
    if state.x.ndim != 1:
        raise InvalidState(Problem("state", "one state", f"a batch of {len(state)}", hint="use model.batch"))
    if state.x.shape != (layout.n_x,) or state.fixed != layout.fixed:
        base = "fixed" if layout.fixed else "floating"
        found = f"{'fixed' if state.fixed else 'floating'} base and n_q = {state.q.shape[-1]}"
        raise InvalidState(Problem("state", f"{base} base and n_q = {layout.n_q}", found))


def checked(key: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Return `value` as a finite float array of `shape`, or raise `InvalidState`."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidState(Problem(key, f"numbers of shape {shape}", repr(value))) from None
    if array.shape != shape:
        raise InvalidState(Problem(key, f"shape {shape}", f"shape {array.shape}"))
    if not np.isfinite(array).all():
        raise InvalidState(Problem(key, "finite numbers", str(array.tolist())))
    return array


def frame_point(system: System, name: str) -> Point:
    """Return the point of a named frame, or raise `UnknownName`."""
    frame = system.frame(name)
    return _placed(system, frame.body, frame.origin_m, frame.dcm)


def body_offset(system: System, body: str, offset: Array) -> Point:
    """Return a point (3,) in body axes of any scalar, unchecked."""
    return _placed(system, body, offset, np.eye(3))


def body_point(system: System, body: str, point_m: ArrayLike) -> Point:
    """Return a point (3,) [m] given in body axes from the body frame's origin."""
    return _placed(system, body, checked("point_m", point_m, (3,)), np.eye(3))


def _placed(system: System, body: str, origin: Array, dcm: Array) -> Point:
    number = system.body_number(body)
    joint = system.bodies[number].joint
    if joint is None:
        return Point(number, origin, dcm)
    return Point(number, joint.child_origin_m + joint.child_dcm @ origin, joint.child_dcm @ dcm)


def checked_wrenches(system: System, wrenches: Wrenches) -> list[tuple[Point, Array]]:
    """Return points and wrenches (6,) [f; n] about them, inertial components."""
    result = []
    for where, wrench in wrenches:
        point = frame_point(system, where) if isinstance(where, str) else body_point(system, *where)
        result.append((point, checked("wrenches", wrench, (6,))))
    return result


def check_rank(J_star: Array, frame: str) -> None:
    """Raise `NumericalFailure` when the smallest singular value of J_star is rounding."""
    sizes = singular_values(J_star)
    if len(sizes) and not sizes[-1] > 1e-12 * sizes[0]:
        raise NumericalFailure(
            f"J_star of '{frame}' has lost rank in this state (singular values {sizes[0]:.3g} to {sizes[-1]:.3g}): "
            "the frame cannot follow every twist; move away from the singularity"
        )


def check_regular(equations: Equations, system: System, where: str) -> None:
    """Raise `SingularInertia`, naming the joint, when M cannot be inverted: a pivot is rounding against its scale."""
    least = 1e-13 * np.maximum(equations.inertia_scale, np.finfo(float).tiny)
    bad = np.flatnonzero(~(pivots(equations.M) > least))
    if not len(bad):
        return
    speed = int(bad[0])
    layout = system.layout
    if speed < layout.n_base:
        who = "the base can move without moving mass: give it mass and inertia"
    else:
        joint = layout.qdot_names[speed - layout.n_base]
        who = f"joint '{joint}' can move without moving mass: give the bodies it carries mass or inertia about its axis"
    raise SingularInertia(f"the inertia matrix of system '{system.name}' is singular {where}: {who}")
