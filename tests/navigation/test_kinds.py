"""Sensors and estimators of other packages, from public names alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import Plant, compile_model
from scmanip.errors import InvalidInput
from scmanip.modes import Floating
from scmanip.navigation import ESTIMATORS, SENSORS, Estimator, Instant, Observation, Sensor
from scmanip.system import State

from ..house.packages import installed
from ..simulation.arms import two_joints

CODE = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from scmanip.actuators import Coefficient, Name
from scmanip.navigation import Estimator, Sensor


@dataclass(frozen=True, eq=False)
class Odometer(Sensor):
    """How far the base is from the origin."""

    kind: ClassVar[str] = "odometer"

    name: Name
    noise_m: Coefficient = 0.0
    rate_Hz: ClassVar[None] = None

    def labels(self, system):
        return (("distance", "m"),)

    def draws(self, system):
        return 1

    def read(self, instant, period_s, noise, memory):
        return np.linalg.norm(instant.state.r_0) + self.noise_m * noise, None


@dataclass(frozen=True, eq=False)
class Mean(Estimator):
    """The mean of what an odometer said."""

    kind: ClassVar[str] = "mean"

    name: Name
    odometer: Name

    @property
    def sources(self):
        return ((self.odometer, Odometer),)

    def labels(self, system, sensors):
        return (("distance", "m"),)

    def start(self, truth, outlets, noise):
        return ()

    def step(self, known, outlets, memory):
        return (*memory, *outlets[self.odometer].values)

    def values(self, memory):
        return np.array([np.mean(memory)])
'''


def test_they_are_found_by_their_words_and_look(tmp_path, monkeypatch):
    points = "[scmanip.sensors]\nodometer = ways:Odometer\nbroken = ways:Mean\n[scmanip.estimators]\nmean = ways:Mean\n"
    installed(tmp_path, monkeypatch, "ways", points, CODE)
    odometer, mean = SENSORS["odometer"]("way", noise_m=0.5), ESTIMATORS["mean"]("mean", "way")
    observation, known = Observation([odometer], [mean]), None
    plant = Plant(compile_model(two_joints()), Floating())
    observation.check(plant.model, 10.0)
    for k in range(100):
        state = State([3.0, 0, 4.0], [0, 0, 0, 1], [0.0, 0.0])
        known = observation.look(Instant(plant, k / 10, state, np.empty(0)), 10.0, known)
    assert_allclose(mean.values(known.memories["mean"]), 5.0, atol=4 * 0.05)
    assert "odometer" in {*SENSORS} and "encoders" in {*SENSORS}
    with pytest.raises(InvalidInput, match="a Sensor with kind = 'broken'"):
        SENSORS["broken"]


FLOWN = Plant(compile_model(two_joints()), Floating())
BEGINNING = State.at_rest(FLOWN.model.system, np.zeros(2))


def looked_at(kind, **said):
    """Return what comes of a first look at the truth through one part of a kind that says something else."""
    fits = {
        Sensor: {
            "rate_Hz": None,
            "labels": lambda self, system: (("t", "s"),),
            "draws": lambda self, system: 0,
            "read": lambda self, instant, period_s, noise, memory: (np.array([instant.t]), memory),
        },
        Estimator: {
            "labels": lambda self, system, sensors: (("t", "s"),),
            "start": lambda self, truth, outlets, noise: 0.0,
            "step": lambda self, known, outlets, memory: known.t,
            "values": lambda self, memory: np.array([memory]),
        },
    }
    part = type("Own", (kind,), {"kind": "own", "name": "it"} | fits[kind] | said)()
    seen = Observation([part] if kind is Sensor else [], [part] if kind is Estimator else [])
    seen.check(FLOWN.model, 10.0)
    return seen.look(Instant(FLOWN, 0.0, BEGINNING, np.zeros(2)), 10.0, None)


SURE = {"errors": lambda self, truth, outlets, memory: np.zeros(1), "covariance": lambda self, memory: np.zeros((1, 1))}


@pytest.mark.parametrize(
    ("kind", "said", "words"),
    [
        (Sensor, {"rate_Hz": 0.0}, r"own 'it' rate_Hz: expected a finite number > 0, or None, found 0\.0"),
        (Sensor, {"latency_s": np.nan}, "own 'it' latency_s: expected a finite number >= 0, found nan"),
        (Sensor, {"draws": lambda self, system: -1}, "own 'it' draws: expected a whole number >= 0, found -1"),
        (Sensor, {"labels": lambda self, system: ("t", "s")}, r"own 'it' labels: expected pairs .*, found \('t', 's'\)"),
        (Sensor, {"labels": lambda self, system: None}, "own 'it' labels: expected pairs .*, found None"),
        (
            Sensor,
            {"read": lambda self, i, p, n, m: np.zeros(1)},
            r"own 'it' read: expected a pair \(values, memory\)",
        ),
        (Sensor, {"read": lambda self, i, p, n, m: (np.zeros(2), m)}, r"own 'it' read: expected numbers of shape \(1,\)"),
        (Sensor, {"told": lambda self, state, system, values: None}, "own 'it' told: expected a State, found None"),
        (Estimator, {"values": lambda self, memory: 1.0}, r"own 'it' values: expected numbers of shape \(1,\), .*, found 1\.0"),
        (Estimator, {"labels": lambda self, system, sensors: ()}, r"own 'it' labels: expected pairs .*, found \(\)"),
        (Estimator, {"told": lambda self, known, outlets, memory: 5}, "own 'it' told: expected a State, found 5"),
        (Estimator, {"error_labels": lambda self, system: (("e", "s"),)}, r"own 'it' errors: expected numbers of shape \(1,\)"),
        (
            Estimator,
            {"error_labels": lambda self, system: (("e", "s"),), **SURE, "covariance": lambda self, memory: np.eye(2)},
            r"own 'it' covariance: expected numbers of shape \(1, 1\)",
        ),
    ],
)
def test_what_says_something_else_is_named(kind, said, words):
    with pytest.raises(InvalidInput, match=words):
        looked_at(kind, **said)


def test_what_says_what_it_is_looks():
    assert looked_at(Sensor).outlets["it"].values.tolist() == [0.0]
    assert looked_at(Estimator, error_labels=lambda self, system: (("e", "s"),), **SURE).memories == {"it": 0.0}
