"""What a linear system shows of a plant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...errors import UnknownName, expect
from ...plant import Plant, coordinate_units, own_units, plain, speed_units, vector
from ...spatial import Array, dcm_from_quaternion
from ...system import State
from ._chart import size

COMMAND = "command"
USUAL = ("r_0", "attitude", "q")
FRAMED = ("position", "attitude")


class LinearOutput(NamedTuple):
    """One output: rows (k, m) of z, and what they are called with their units; of a frame, or the command."""

    rows: Array
    units: dict[str, str]
    of_frame: bool = False
    commanded: bool = False


def outputs_of(plant: Plant, state: State, names: Sequence[str], command: dict[str, str]) -> list[LinearOutput]:
    """Return the outputs of these names; raises `UnknownName` for others.

    names : "r_0", "attitude", "q", "v_0", "omega_0", "qdot", "actuators", "law", "command", or "position:FRAME" and
        "attitude:FRAME"; of the usual ones a fixed base has "q"
    command : the entries of a command with their units
    """
    expect("outputs", names, list | tuple, 'names in a sequence, such as ("attitude", "q")')
    places = parts_of(plant)
    if plant.layout.fixed and tuple(names) == USUAL:
        names = ("q",)
    return [_output(plant, state, name, places, command) for name in names]


def in_base_axes(output: LinearOutput, state: State, W: Array) -> LinearOutput:
    """Return an output of z_B, z = W z_B: of a frame along the axes of the base."""
    return output._replace(rows=dcm_from_quaternion(state.attitude_xyzw).T @ output.rows @ W) if output.of_frame else output


def _output(plant: Plant, state: State, name: str, places: dict[str, slice], command: dict[str, str]) -> LinearOutput:
    m = size(plant.layout)
    if name == COMMAND:
        return LinearOutput(
            np.zeros((len(command), m)), {f"command_{key}": unit for key, unit in command.items()}, commanded=True
        )
    kind, _, frame = str(name).partition(":")
    if frame and kind in FRAMED:
        return LinearOutput(
            _frame_rows(plant, state, kind, frame), vector(plain(name), "m" if kind == "position" else "rad"), True
        )
    if str(name) not in places:
        raise UnknownName("output", str(name), "the plant", [*places, *(f"{each}:FRAME" for each in FRAMED), COMMAND])
    units = [*state_units(plant).items()][places[name]]
    return LinearOutput(np.eye(m)[places[name]], dict(units))


def state_units(plant: Plant) -> dict[str, str]:
    """Return what the entries of z are called, with their units."""
    layout, units = plant.layout, [freedom.unit for freedom in plant.model.system.freedoms]
    own = own_units(layout) | {plain(name): unit for name, unit in plant.memory}
    return coordinate_units(layout, units) | speed_units(layout, units) | own


def parts_of(plant: Plant) -> dict[str, slice]:
    """Return where in z the parts of a state are."""
    layout, n, b = plant.layout, plant.layout.n_u, plant.layout.n_base
    base = {"r_0": (0, 3), "attitude": (3, 6), "v_0": (n, n + 3), "omega_0": (n + 3, n + 6)}
    own, m = {"actuators": (2 * n, 2 * n + layout.n_a)} if layout.n_a else {}, size(layout)
    own |= {"law": (m - len(plant.memory), m)} if plant.memory else {}
    parts = {"q": (b, n), "qdot": (n + b, 2 * n), **own, **({} if layout.fixed else base)}
    return {name: slice(*at) for name, at in parts.items()}


def _frame_rows(plant: Plant, state: State, kind: str, frame: str) -> Array:
    """Return how a frame moves or turns in N with changes of places (3, m): its Jacobians."""
    model, layout, own = plant.model, plant.layout, state.of_hardware
    part = slice(0, 3) if kind == "position" else slice(3, 6)
    jacobians = [model.Jm(own, frame)] if layout.fixed else [model.J0(own, frame), model.Jm(own, frame)]
    rows = np.zeros((3, size(layout)))
    rows[:, : layout.n_u] = np.hstack(jacobians)[part]
    return rows
