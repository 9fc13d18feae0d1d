"""Dependent speeds that are well chosen, for many states at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...plant import KEPT, plant_numbers
from ...spatial import Array
from ...system import State
from ..equations._recorded_loop import LoopParts
from ..events._outcome import LOST


def chosen_anew(parts: LoopParts, given: Mapping[str, Array]) -> Iterator[tuple[LoopParts, NDArray[np.intp]]]:
    """Yield a loop with other dependent speeds, and the numbers of the states that need one, as long as some do.

    given : what programs of the loop take, for all states or of each (n, ...), "t" and "y" of each
    """
    frame = parts.frame
    plant, n = frame.plant, len(given["t"])
    x, kept = given["y"][:, : frame.layout.n_x], np.array(np.broadcast_to(given[KEPT], (n, given[KEPT].shape[-1])))
    clock, numbers = given["t"] + given["clock"][..., 0], plant_numbers(plant.model)
    left = np.flatnonzero(np.isfinite(x).all(axis=1))
    while True:
        own = {name: given[name] if given[name].ndim == one.ndim else given[name][left] for name, one in numbers.items()}
        alarms = plant.brought_back_each(x[left], clock[left], kept[left], own)[3][:, 0]
        left = left[~(alarms <= 0)]
        if not left.size:
            return
        first = left[0]
        try:
            state = State.renormalised(x[first], frame.layout)
            plant = plant.held_anew(state, float(clock[first]) - plant.clock_s, kept[first, :-1])
        except LOST:
            return
        kept[left, -1] = np.where(left == first, np.inf, plant.inputs[KEPT][-1])
        yield replace(parts, frame=replace(frame, plant=plant)), left
