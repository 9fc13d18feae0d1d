"""How plants and laws answer to small changes, by complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.testing import assert_allclose

from scmanip.control import Controller, recorded_law
from scmanip.guidance import recorded_form
from scmanip.plant import Plant
from scmanip.simulation.coordinates._frame import RunCoordinates
from scmanip.simulation.coordinates._full_state import FullState
from scmanip.simulation.equations._held import HELD, HeldCommand, NoReference
from scmanip.simulation.equations._recorded_loop import LoopParts
from scmanip.spatial import Array, cross, quaternion_product
from scmanip.system import Layout, State
from scmanip.system.joints._free import Tumble
from scmanip.system.joints._motion import Motion

STEP = 1e-30


def moved(layout: Layout, x: Array, z: Array) -> Array:
    """Return the packed state that is z away, of any numbers, to the first order."""
    n, b = layout.n_u, layout.n_base
    y = np.array(x, dtype=z.dtype)
    if b:
        y[layout.x_r_0] += z[:3]
        y[layout.x_attitude] = quaternion_product(np.array([*z[3:6] / 2, 1.0]), x[layout.x_attitude])
    q = y[layout.x_q]
    for i, j in layout.single():
        q[i] += z[b + j]
    for motion, at, u in layout.quasi_places:
        turn, before = np.array([*z[b + u.start : b + u.stop] / 2, 1.0]), x[layout.x_q][at]
        q[at] = quaternion_product(turn, before) if in_frame_before(motion) else quaternion_product(before, turn)
    y[layout.x_u.start :] += z[n:]
    return y


def small_rates(layout: Layout, x: Array, z: Array, rates: Array) -> Array:
    """Return z' of speeds that change by z and accelerations that change by `rates`.

    Of turns dtheta' = domega + omega x dtheta in axes of the frame before, dphi' = dsigma - sigma x dphi in the child's.
    """
    n, b = layout.n_u, layout.n_base
    u, found = x[layout.x_u], np.concatenate([z[n : 2 * n], rates[layout.x_u.start :]])
    if b:
        found[3:6] += cross(u[3:6], z[3:6])
    for motion, _, own in layout.quasi_places:
        place = slice(b + own.start, b + own.stop)
        found[place] += (1 if in_frame_before(motion) else -1) * cross(u[place], z[place])
    return found


def in_frame_before(motion: Motion) -> bool:
    """Whether turns are in axes of the frame before, as those of free bodies, or in axes of the child."""
    return isinstance(motion, Tumble)


def by_complex_step(plant: Plant, state: State, law: Controller | None, command: Array, reference: Any) -> Array:
    """Return A (m, m) of the whole loop as runs have it, of its rates at states off by a small imaginary z."""
    frame = RunCoordinates(FullState(), plant, np.empty(0))
    if law is None:
        parts = LoopParts(frame, NoReference(), HeldCommand(len(command)))
        extra = {HELD: command, "reference": np.zeros(0)}
    else:
        form, recorded = recorded_form(reference), recorded_law(law)
        assert form is not None and recorded is not None
        parts = LoopParts(frame, form, recorded)
        extra = {"reference": reference.numbers(0.0)}
    given = {**parts.numbers(state.q), "t": np.array(0.0), "bounds": np.ones(2), **extra}
    layout, program, columns = plant.layout, parts.program.only("ydot"), []
    for unit in np.eye(2 * layout.n_u + layout.n_x - layout.x_u.stop):
        y = np.concatenate([moved(layout, state.x, 1j * STEP * unit), np.zeros(plant.n_books)])
        (rates,) = program.evaluate(*({**given, "y": y}[each.name] for each in program.inputs))
        columns.append(small_rates(layout, state.x, unit, rates[: layout.n_x].imag / STEP))
    return np.array(columns).T


def by_differences(plant: Plant, state: State, law: Controller, reference: Any) -> Array:
    """Return the same by central differences of what the law and the plant say in Python."""
    layout, columns, h = plant.layout, [], 1e-4  # a damped inverse near a singularity multiplies rounding

    def rates(z: Array) -> Array:
        now = State.renormalised(moved(layout, state.x, z), layout)
        return plant.rates(now, law.command(0.0, now, reference.at(0.0), None)[0])

    for unit in np.eye(2 * layout.n_u + layout.n_x - layout.x_u.stop):
        columns.append(small_rates(layout, state.x, unit, (rates(h * unit) - rates(-h * unit)) / (2 * h)))
    return np.array(columns).T


def same(found: Array, expected: Array) -> None:
    assert_allclose(found, expected, rtol=0, atol=1e-11 * abs(expected).max())
