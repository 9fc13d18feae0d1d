"""A loop that is open where a command goes into the plant, for python-control."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, as_controller
from ...errors import UnknownName, expect
from ...guidance import ReferenceMotion
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ._grid import PointGrid
from ._linearise import linearisation


def broken_loop(
    plant: Plant,
    state: State,
    controller: Controller,
    loop: str | None = None,
    *,
    at: Mapping[str, float] | None = None,
    command: ArrayLike | None = None,
    reference: ReferenceMotion | None = None,
    momenta: str = "keep",
    t: float = 0.0,
) -> Any:
    """Return L, the gain around loops that are open at the command, as a `control.StateSpace` with negative feedback.

    loop : the name of a command, such as "tau[joint2]", all others closed; None opens all at once
    at : a point of the grid of `margins`, such as `found.worst["phase_deg"].at`; other joints and numbers stay
    command : (N,) or (6 + N,), in SI, beside what the law says; none unless said
    reference, momenta : as of `margins`; plant, state, controller, t : as of `linearise`

    Such systems go into `control.margin`, `control.disk_margins` (of several loops it needs slycot), `control.nyquist_plot`. A
    `Sampled` law gives one in discrete time, without delay.

    Raises `UnknownName` for a loop that is no command, and for a joint or number that the plant does not have, else as
    `linearise`.

    >>> loop = broken_loop(plant, state, law, "tau[joint1]", momenta="remove")
    >>> loop.ninputs, loop.noutputs, loop.nstates
    (1, 1, 8)
    """
    expect("plant", plant, Plant, "a Plant")
    law = as_controller(controller, plant.mode)
    plant, state = PointGrid.of(plant, state, at).first(state)
    given = np.zeros(plant.layout.N) if command is None else command
    common: dict[str, Any] = {"controller": law, "reference": reference, "momenta": momenta, "t": t}
    closed = linearisation(plant, state, given, outputs=("command",), **common)
    names, K = [*closed.inputs], closed.C
    open_ones = places_of(loop, names)
    used = [names[k] for k in open_ones]
    A = closed.A - closed.B[:, open_ones] @ K[open_ones]
    return _system(A, closed.B[:, open_ones], -K[open_ones], closed.system, used)


def places_of(loop: Any, names: list[str]) -> list[int]:
    """Return the place of a loop among commands, of None all; raises `UnknownName`."""
    if loop is None:
        return [*range(len(names))]
    if not isinstance(loop, str) or loop not in names:
        raise UnknownName("loop", str(loop), "the plant", names)
    return [names.index(loop)]


def _system(A: Array, B: Array, C: Array, like: Any, names: list[str]) -> Any:
    import control

    zero = np.zeros((len(C), B.shape[1]))
    outputs = [f"back_{name}" for name in names]
    return control.ss(A, B, C, zero, like.dt, states=like.state_labels, inputs=names, outputs=outputs, name=like.name)
