"""Gains that are suggested keep the commands that they ask for within what actuators give."""

from pathlib import Path

import numpy as np
import pytest

import scmanip
from scmanip.analysis import suggested_gains
from scmanip.errors import InvalidInput
from scmanip.modes import Floating, RotationFloating
from scmanip.plant import Plant
from scmanip.system import State

FILE = Path(__file__).parents[2] / "missions" / "systems" / "ets7_wheels.toml"


@pytest.fixture(scope="module")
def model() -> scmanip.Model:
    return scmanip.compile_model(scmanip.load_system(FILE))


@pytest.fixture(scope="module")
def state(model: scmanip.Model) -> State:
    return State.at_rest(model.system, q=[0.3, -0.5, 0.8, 0.2, -0.4, 0.1])


def test_the_base_is_led_as_fast_as_its_wheels_allow(model: scmanip.Model, state: State) -> None:
    plant = Plant(model, RotationFloating())
    found = suggested_gains(plant, state, error=0.05)
    assert found.binding.startswith("omega_0") and found.bandwidth_rad_s == min(found.allowed_rad_s.values())
    assert pytest.approx(found.bandwidth_rad_s**2) == found.K_P and pytest.approx(2 * found.bandwidth_rad_s) == found.K_D
    # an error of 0.05 rad in everything, of the worst signs, asks the wheels for all of the torque of that axis, and no more
    wheels = 4 * 0.4 / np.sqrt(3)
    lower = model.M(state)[3:6, 3:6]
    assert found.allowed_rad_s["omega_0 z"] < np.sqrt(wheels / (lower[2, 2] * 0.05)) * 1.2
    twice = suggested_gains(plant, state, error=0.1)
    assert twice.bandwidth_rad_s == pytest.approx(found.bandwidth_rad_s / np.sqrt(2))


def test_a_law_looks_twenty_times_in_a_period_and_the_rule_says_so(model: scmanip.Model, state: State) -> None:
    found = suggested_gains(Plant(model, Floating()), state, rate_Hz=10.0)
    assert found.binding == "rate_Hz" and found.bandwidth_rad_s == pytest.approx(np.pi)
    assert found.rule.startswith("K_P = 9.87, K_D = 6.28: a bandwidth of 3.14 rad/s") and "20 looks in a period" in found.rule
    alone = np.diag(scmanip.compile_model(model.system).H(state))
    assert list(found.weighs.values()) == pytest.approx(alone.tolist())
    with pytest.raises(InvalidInput, match="say rate_Hz"):
        suggested_gains(Plant(model, Floating()), state)


def test_without_a_base_to_lead_wheels_limit_nothing(model: scmanip.Model, state: State) -> None:
    found = suggested_gains(Plant(model, Floating()), state, rate_Hz=1.0)
    assert not any(name.startswith("omega_0") for name in found.allowed_rad_s)


def test_a_joint_error_names_the_limit_that_acted_longest() -> None:
    from types import SimpleNamespace

    from scmanip.report.verdicts._verdicts import _held_back
    from scmanip.simulation import Occurrence

    wheel = "the motor of wheel 'w' gives its largest torque, 0.1 N m,"
    acted = [Occurrence(wheel, 1.0, 2.0), Occurrence("another", 0.0, 1.5), Occurrence(wheel, 3.0, 4.0)]
    noted = Occurrence("what was asked for", 0.0, 9.0)
    assert _held_back(SimpleNamespace(occurrences=[*acted, noted], noted=[noted])) == (  # type: ignore[arg-type]
        "; the motor of wheel 'w' gives its largest torque, 0.1 N m, for 2 s, and 1 more"
    )
    assert _held_back(SimpleNamespace(occurrences=[noted], noted=[noted])) == ""  # type: ignore[arg-type]
