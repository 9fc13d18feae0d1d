"""How the states of a run change with numbers of system and law: its stretches once more, with variational equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...dynamics import Model, with_symbols
from ...errors import InvalidInput, Problem
from ...spatial import Array
from ..loop._load_switches import LoadSwitches
from ..loop._setup import Setup
from ._beginning import begun
from ._flight import VariedFlight
from ._law_numbers import OF_LAW, law_numbers
from ._moment import Moment
from ._plan import VariationPlan
from ._sensitivity import StateSensitivity
from ._stretch import Stretch


def sensitivities(stretches: Sequence[Stretch]) -> dict[str, StateSensitivity]:
    """Return the derivatives at all samples by every number that was asked for, of runs that follow one another too."""
    return _Course(stretches).flown() if stretches and stretches[0].setup.sensitivities.names else {}


class _Course:
    """A run with derivatives, from stretch to stretch."""

    def __init__(self, stretches: Sequence[Stretch]) -> None:
        self._stretches = stretches
        self._asked = [*stretches[0].setup.sensitivities.names]
        self._models: dict[int, Model] = {}
        self._shapes = tuple([self._shape(name) for name in self._asked])

    def flown(self) -> dict[str, StateSensitivity]:
        """Return the derivatives of stretches that follow one another."""
        rows, flight, moment = list[Array](), None, None
        for stretch in self._stretches:
            setup = stretch.setup
            if flight is None or moment is None:
                flight = self.flight(setup)
                moment = self._start(setup)
            elif setup.carried is None:  # another run
                flight, moment = self._next(setup, flight, moment)
            else:
                flight = self.flight(setup, flight.plan)
            moment = flight.struck(moment)
            x, s = flight.flown(begun(flight.variations, moment), stretch.times, _switched(stretch))
            rows.append((s - flight.shifts(x))[stretch.kept])
            later = flight.ended(flight.end, stretch.track.ended_by)
            moment = flight.end if later is None else _at_other_times(flight, later)
        assert moment is not None and flight is not None
        return self._by_name(flight, np.concatenate(rows), None if later is None else later + moment.late)

    def flight(self, setup: Setup, plan: VariationPlan | None = None) -> VariedFlight:
        """Return a stretch with its variational equations."""
        names = setup.sensitivities.names.values()
        if id(setup.model) not in self._models:
            paths = [name for name in names if name and not name.startswith(OF_LAW)]
            self._models[id(setup.model)] = _opened(setup.model, paths)
        inputs = tuple([name.removeprefix(OF_LAW) for name in names])
        return VariedFlight(setup, self._models[id(setup.model)], inputs, self._shapes, plan)

    def _shape(self, asked: str) -> tuple[int, ...]:
        """Return the shape of a number in the first stretch that has it."""
        for stretch in self._stretches:
            name = stretch.setup.sensitivities.names[asked]
            if name.startswith(OF_LAW):
                return np.shape(law_numbers(stretch.setup)[name.removeprefix(OF_LAW)])
            if name:
                return stretch.setup.model.system.numbers([name])[name].shape
        raise InvalidInput(Problem("sensitivities", "numbers of what was flown", asked))

    def _start(self, setup: Setup) -> Moment:
        """Return how a run begins, under the constraints that hold before anything is switched."""
        plant, state = (setup.plant, setup.state0) if setup.found is None else setup.found[:2]
        flight = self.flight(replace(setup, plant=plant))
        nothing = np.zeros(flight.variations.count)
        moment = Moment(setup.start_s, state.x, flight.shifts(state.x[np.newaxis])[0], nothing, nothing)
        return begun(flight.variations, moment)

    def _next(self, setup: Setup, before: VariedFlight, moment: Moment) -> tuple[VariedFlight, Moment]:
        """Return a run that follows another, and how it begins: on a clock of its own."""
        if setup.plant.layout != before.frame.layout:
            raise InvalidInput(Problem("sensitivities", "phases with the same actuators and loads", setup.plant.mode.name))
        home, own = before.home(moment), np.zeros_like(moment.later)
        moment = replace(moment, t=0.0, later=own, late=moment.late + moment.later, command=None, memory=None)
        plan = None if setup.sensitivities.begun is None else VariationPlan(setup, moment, *home)
        return self.flight(setup, plan), moment

    def _by_name(self, flight: VariedFlight, s: Array, ends: Array | None) -> dict[str, StateSensitivity]:
        """Return the derivatives by the names that were asked for."""
        found, at = {}, 0
        for name, shape in zip(self._asked, self._shapes, strict=True):
            size = int(np.prod(shape))
            rows = np.moveaxis(s[:, at : at + size], 1, -1)
            end = None if ends is None else ends[at : at + size].reshape(shape)
            found[name] = StateSensitivity(rows.reshape((*rows.shape[:2], *shape)), flight.frame.layout, end)
            at += size
        return found


def _at_other_times(flight: VariedFlight, later: Array) -> Moment:
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
