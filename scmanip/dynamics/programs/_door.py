"""What a model checks before it computes: states, arrays, wrenches and the regularity of M."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidState, NumericalFailure, Problem, SingularInertia, refuse
from ...spatial import Array, pivots, real, singular_values
from ...system import Layout, State, System, state_problems
from ..checks._gimbal_lock import check_unlocked, gimbal_of_rate, three_axis_gimbals
from ..sums._equations import Equations

Wrenches = Sequence[tuple[str | tuple[str, ArrayLike], ArrayLike]]


def check_state(state: State, layout: Layout) -> None:
    """Raise `InvalidState` unless `state` is one state of this layout, whatever it has of loads behind."""
    refuse(state_problems(state.of_hardware if isinstance(state, State) else state, layout), InvalidState)


def checked(key: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Return `value` as a finite float array of `shape`, or raise `InvalidState`."""
    try:
        array = real(value)
    except (TypeError, ValueError):
        raise InvalidState(Problem(key, f"numbers of shape {shape}", repr(value))) from None
    if array.shape != shape:
        raise InvalidState(Problem(key, f"shape {shape}", f"shape {array.shape}"))
    if not np.isfinite(array).all():
        raise InvalidState(Problem(key, "finite numbers", str(array.tolist())))
    return array


def checked_cases(key: str, value: ArrayLike, n: int, size: int) -> Array:
    """Return (n, size) or, shared by all cases, (size,) floats, or raise `InvalidState`."""
    try:
        array = np.ascontiguousarray(real(value))
    except (TypeError, ValueError):
        raise InvalidState(Problem(key, f"{n} rows of {size} numbers, or one", repr(value))) from None
    if array.shape not in ((n, size), (size,)):
        raise InvalidState(Problem(key, f"shape {(n, size)} or {(size,)}", f"shape {array.shape}"))
    return array


def no_base_wrench(layout: Layout) -> None:
    """Raise `InvalidState` where the base is held and takes no wrench."""
    if layout.fixed:
        raise InvalidState(Problem("wrench", "none with a fixed base", "a base wrench", hint="use wrenches="))


@dataclass(frozen=True, eq=False)
class Where:
    """How a frame or a point on a body is asked for: what follows the quantity's name, and the inputs that come with it."""

    suffix: str
    inputs: tuple[Array, ...]


def point_of(system: System, frame: str | None, body: str | None, point_m: ArrayLike | None) -> Where:
    """Return how to ask for a named frame, or for `point_m` (3,) [m] on `body`; raises `UnknownName`, `InvalidState`."""
    if frame is not None and body is None and point_m is None:
        system.frame(frame)
        return Where(f":{frame}", ())
    if frame is not None or body is None:
        raise InvalidState(Problem("point", "a frame, or body= and point_m=", f"frame={frame!r}, body={body!r}"))
    system.body_number(body)
    return Where(f"@{body}", (np.zeros(3) if point_m is None else checked("point_m", point_m, (3,)),))


def where_of(where: str | tuple[str, ArrayLike]) -> dict[str, Any]:
    """Return the keywords that name a frame or a point on a body; raises `InvalidState`."""
    if isinstance(where, str):
        return {"frame": where}
    if isinstance(where, tuple) and len(where) == 2 and isinstance(where[0], str):
        return {"body": where[0], "point_m": where[1]}
    raise InvalidState(Problem("wrenches", "pairs of a frame or (body, point_m) and [f; n]", repr(where)))


def pairs_of(wrenches: Any) -> Wrenches:
    """Return wrenches at points; raises `InvalidState` for what is no sequence of pairs."""
    given: list[Any] = list(wrenches) if isinstance(wrenches, list | tuple) else [None]
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in given):
        raise InvalidState(Problem("wrenches", "a list of pairs of a frame or (body, point_m) and [f; n]", repr(wrenches)))
    return given


def loaded(
    model: Any, state: State, check: Callable[[str, Any, int], Array], tau: ArrayLike, wrench: Any, wrenches: Any
) -> tuple[Array, Array]:
    """Return the joint forces (..., N) and the base wrench (..., 6) that all given forces amount to.

    model : gives `Jm` and `J0` of a state or of a batch; check : (key, value, size) -> an array (..., size)
    """
    if wrench is not None:
        no_base_wrench(model.layout)
    joints, base = check("tau", tau, model.layout.N), check("wrench", np.zeros(6) if wrench is None else wrench, 6)
    for where, given in pairs_of(wrenches):
        w, place = check("wrenches", given, 6), where_of(where)
        joints = joints + np.einsum("...ij,...i->...j", model.Jm(state, **place), w)
        if not state.fixed:
            base = base + np.einsum("...ij,...i->...j", model.J0(state, **place), w)
    return joints, base


def singular(J_star: Array) -> bool:
    """Whether the smallest singular value is rounding."""
    sizes = singular_values(J_star)
    return bool(len(sizes)) and not sizes[-1] > 1e-12 * sizes[0]


def check_reached(twist: Array, wanted: Array, frame: str) -> None:
    """Raise `NumericalFailure` when the twist (6,) that was reached is not the one wanted."""
    miss, size = np.abs(twist - wanted).max(), np.abs(wanted).max()
    if not miss <= 1e-9 * size:
        raise NumericalFailure(
            f"no joint rates give '{frame}' this twist here (it misses by {miss:.3g} of {size:.3g}): "
            "the arm has too few joints for it or is at a singularity; ask for a twist in the range of J_star"
        )


def first_entry_tells(kernel: Callable[..., object], x: Array, joints: int, size: int | tuple[int, ...]) -> bool:
    """Whether the first number of what `kernel(x, tau, out)` gives, of a shape `size`, depends on every joint force (joints,).

    Then it is not finite where a pivot of M is zero. Arms on a fixed base do not feel each other.
    """
    out = np.zeros(size)
    for tau in np.where(np.eye(joints, dtype=bool), np.nan, 0.0):
        kernel(x, tau, out)
        if not np.isnan(out.flat[0]):
            return False
    return True


def check_regular(equations: Equations, system: System, where: str) -> None:
    """Raise `SingularInertia`, naming the joint, when M cannot be inverted: a gimbal is locked, or a pivot is rounding."""
    gimbals, q, layout = three_axis_gimbals(system), equations.q, system.layout
    check_unlocked(gimbals, q, f"{where} of system '{system.name}'")
    least = 1e-13 * np.maximum(equations.inertia_scale, np.finfo(float).tiny)
    bad = np.flatnonzero(~(pivots(equations.M) > least))
    if not len(bad):
        return
    speed = int(bad[0])
    gimbal = gimbal_of_rate(gimbals, speed - layout.n_base)
    if speed < layout.n_base:
        who = "the base can move without moving mass: give it mass and inertia"
    elif gimbal is not None and gimbal.all_but_locked(q):
        who = gimbal.advice(q)
    else:
        joint = layout.qdot_names[speed - layout.n_base]
        who = f"joint '{joint}' can move without moving mass: give the bodies it carries mass or inertia about its axis"
    raise SingularInertia(f"the inertia matrix of system '{system.name}' is singular {where}: {who}")
