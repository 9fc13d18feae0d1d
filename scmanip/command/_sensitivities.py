"""The table of `scmanip run --sensitivity`: how the end of a mission changes with numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..errors import InvalidInput, Problem
from ..mission import Mission, Run
from ..spatial import Array, quaternion_conjugate, quaternion_product
from ..system import State

AXES = "xyz"


def refuse_several_modes(mission: Mission, names: Sequence[str]) -> None:
    """Raise `InvalidInput` where a mission is flown in several modes."""
    if names and mission.alternatives:
        raise InvalidInput(Problem("--sensitivity", "a mission that is flown in one mode", ", ".join(mission.alternatives)))


def sensitivity_table(run: Run) -> list[tuple[str, ...]]:
    """Return the place and the turn of the base and the joint coordinates at the end, per unit of every number.

    Turns are small ones about axes of N.
    """
    columns = [("at the end, per unit", *_names(run))]
    for path, found in run.history.sensitivity.items():
        shape = found.x.shape[2:]
        for place in np.ndindex(*shape):
            own = _changes(run, run.history.final, found.x[(-1, slice(None), *place)])
            entry = f"[{', '.join(map(str, place))}]" if place else ""
            columns.append((f"{path}{entry}", *(f"{value:.6g}" for value in own)))
    return list(zip(*columns, strict=True))


def _names(run: Run) -> Iterator[str]:
    if not run.mission.model.layout.fixed:
        yield from (f"base {axis} [m]" for axis in AXES)
        yield from (f"turn of the base {axis} [rad]" for axis in AXES)
    yield from run.history.q_names


def _changes(run: Run, state: State, x: Array) -> Array:
    layout = run.mission.model.layout
    q = x[layout.x_q]
    if layout.fixed:
        return q
    turn = 2 * quaternion_product(x[layout.x_attitude], quaternion_conjugate(state.attitude_xyzw))[:3]
    return np.concatenate([x[layout.x_r_0], turn, q])
