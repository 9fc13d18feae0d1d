"""How the states of a run change with numbers of system and law: its stretches once more, with variational equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...dynamics import Model, with_symbols
from ...spatial import Array
from ..loop._load_switches import LoadSwitches
from ..loop._setup import Setup
from ._beginning import begun
from ._flight import Flight
from ._law_numbers import OF_LAW
from ._moment import Moment
from ._sensitivity import Sensitivity
from ._stretch import Stretch


def sensitivities(stretches: Sequence[Stretch]) -> dict[str, Sensitivity]:
    """Return the derivatives at all samples by every number that was asked for."""
    return _Course(stretches[0].setup).flown(stretches) if stretches[0].setup.sensitivities else {}


class _Course:
    """A run with derivatives, from stretch to stretch."""

    def __init__(self, setup: Setup) -> None:
        self._asked, self._inputs = [*setup.sensitivities], (*setup.sensitivities.values(),)
        self._model = _opened(setup.model, [name for name in self._asked if not name.startswith(OF_LAW)])
        values = Flight(setup, self._model, (), ()).values
        self._shapes = tuple([np.shape(values[name]) for name in self._inputs])

    def flown(self, stretches: Sequence[Stretch]) -> dict[str, Sensitivity]:
        """Return the derivatives of stretches that follow one another."""
        rows, flight, moment = list[Array](), None, None
        for stretch in stretches:
            flight = self._flight(stretch.setup)
            moment = self._start(stretch.setup) if moment is None else moment
            x, s = flight.flown(begun(flight.variations, moment), stretch.times, _switched(stretch))
            rows.append((s - flight.shifts(x))[stretch.kept])
            later = flight.ended(flight.end, stretch.track.ended_by)
            moment = flight.end if later is None else _at_other_times(flight, later)
        assert flight is not None
        return self._by_name(flight, np.concatenate(rows), later)

    def _flight(self, setup: Setup) -> Flight:
        return Flight(setup, self._model, self._inputs, self._shapes)

    def _start(self, setup: Setup) -> Moment:
        """Return how a run begins, under the constraints that hold before anything is switched."""
        plant, state = (setup.plant, setup.state0) if setup.found is None else setup.found
        flight = self._flight(replace(setup, plant=plant))
        moment = Moment(setup.start_s, state.x, flight.shifts(state.x[np.newaxis])[0], np.zeros(flight.variations.count))
        return begun(flight.variations, moment)

    def _by_name(self, flight: Flight, s: Array, ends: Array | None) -> dict[str, Sensitivity]:
        """Return the derivatives by the names that were asked for."""
        found, at = {}, 0
        for name, shape in zip(self._asked, self._shapes, strict=True):
            size = int(np.prod(shape))
            rows = np.moveaxis(s[:, at : at + size], 1, -1)
            end = None if ends is None else ends[at : at + size].reshape(shape)
            found[name] = Sensitivity(rows.reshape((*rows.shape[:2], *shape)), flight.frame.layout, end)
            at += size
        return found


def _at_other_times(flight: Flight, later: Array) -> Moment:
    """Return the end of a stretch whose time changes."""
    end = flight.end
    return replace(end, rows=end.rows + np.outer(later, flight.x_dot(end)), later=later)


def _switched(stretch: Stretch) -> Mapping[float, list[str]]:
    """Return which switching functions of loads changed, by times [s]."""
    plant, found = stretch.setup.plant, dict[float, list[str]]()
    phrases = LoadSwitches(plant).names(plant.model) if plant.loading.switches else ()
    for t, phrase in stretch.track.happened:
        if phrase in phrases:
            found.setdefault(t, []).append(phrase)
    return found


def _opened(model: Model, paths: Sequence[str]) -> Model:
    """Return the model in which the numbers of these paths are inputs."""
    derivation = model.symbolic.derivation
    if all(path in derivation.numbers for path in paths):
        return model
    return Model(replace(model.symbolic, derivation=with_symbols(derivation, paths)))
