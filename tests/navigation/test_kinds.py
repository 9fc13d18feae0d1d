"""Sensors and estimators of other packages, from public names alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import Plant, compile_model
from scmanip.errors import InvalidInput
from scmanip.modes import Floating
from scmanip.navigation import ESTIMATORS, SENSORS, Instant, Observation
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
