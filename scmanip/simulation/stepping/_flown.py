"""What is left of a loop that was advanced step by step: samples, and what was given to it."""

from __future__ import annotations

from array import array

import numpy as np

from ...spatial import Array

PLACE = 5  # numbers of an input: its step, where it starts, stops and by which strides, and where its values begin


class FlownSamples:
    """Samples and inputs, in order of time, as plain numbers: nothing that is kept has to be looked through later."""

    def __init__(self) -> None:
        self._places, self._values = array("q"), array("d")  # of each input, and its numbers
        self._times, self._rows = array("d"), array("d")

    def keep(self, t: float, y: Array) -> None:
        """Keep a sample; it takes the place of one at the same time."""
        if self._times and self._times[-1] == t:
            del self._times[-1:], self._rows[-y.size :]
        self._times.append(t)
        self._rows.frombytes(y.tobytes())

    def give(self, step: int, place: tuple[int, int, int], values: array[float]) -> None:
        """Keep a part of y, from start to stop by strides, that was set before a step."""
        self._places.extend((step, *place, len(self._values)))
        self._values.extend(values)

    def inputs_of(self, first: int, end: int) -> dict[int, list[tuple[slice, Array]]]:
        """Return what was set before the steps from `first` to `end`, by their numbers."""
        places = np.frombuffer(self._places, dtype=np.int64).reshape(-1, PLACE)
        low, high = np.searchsorted(places[:, 0], (first, end))
        begins = *places[low : high + 1, -1].tolist(), len(self._values)
        found: dict[int, list[tuple[slice, Array]]] = {}
        for (step, start, stop, stride, begin), after in zip(places[low:high].tolist(), begins[1:], strict=False):
            found.setdefault(step, []).append((slice(start, stop, stride), np.array(self._values[begin:after])))
        return found

    @property
    def arrays(self) -> tuple[Array, Array]:
        """Times (k,) [s] and rows (k, n)."""
        return np.array(self._times), np.array(self._rows).reshape(len(self._times), -1)
