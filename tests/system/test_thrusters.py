"""Thrusters from files and from Python."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from scmanip.errors import InvalidSystem
from scmanip.system import Body, System, Thruster

from .mistakes import GOOD, THRUSTER


def test_a_thruster_of_a_file_becomes_the_thruster_it_describes() -> None:
    system = System.from_toml_text(GOOD + THRUSTER + THRUSTER.replace('"A"', '"B"\nbody = "slider"'))
    first, second = system.thrusters
    assert (first.name, first.body, first.force_N, first.isp_s) == ("A", "base", 22.0, 220.0)
    assert (first.position_m.tolist(), first.direction.tolist()) == ([0.5, 0.0, 0.2], [0.0, 0.0, 1.0])
    assert (second.name, second.body) == ("B", "slider")


def test_one_newton_second_of_hydrazine_takes_about_half_a_gram() -> None:
    assert 1 / Thruster("A", [0, 0, 0], [1, 0, 0], 1.0, 220.0).exhaust_m_s == pytest.approx(0.4635e-3, rel=1e-4)


def test_thrusters_add_no_mass_and_no_speed() -> None:
    with_thruster, without = System.from_toml_text(GOOD + THRUSTER), System.from_toml_text(GOOD)
    assert with_thruster.layout == without.layout
    assert with_thruster.mass_kg == without.mass_kg


def test_a_thruster_that_cannot_be_is_refused_with_all_its_faults() -> None:
    with pytest.raises(InvalidSystem) as error:
        Thruster("", [0, 0], [0, 0, 2], -1.0, np.inf)
    assert [problem.key.split()[-1] for problem in error.value.problems] == [
        "name",
        "position_m",
        "direction",
        "force_N",
        "isp_s",
    ]


def test_a_thruster_needs_a_body_and_a_name_of_its_own() -> None:
    thruster = Thruster("A", [0, 0, 0], [1, 0, 0], 1.0, 220.0)
    lost = Thruster("A", [0, 0, 0], [1, 0, 0], 1.0, 220.0, "bse")
    with pytest.raises(InvalidSystem, match="already a thruster") as error:
        System("tug", Body("base", 1.0, np.ones(3)), actuators=[thruster, lost])
    assert "did you mean 'base'" in str(error.value)


def test_a_thruster_cannot_be_edited_nor_can_its_copy() -> None:
    place = np.zeros(3)
    thruster = Thruster("A", place, [1, 0, 0], 1.0, 220.0)
    place[0] = 7.0
    for one in (thruster, copy.deepcopy(thruster)):
        assert one.position_m[0] == 0
        with pytest.raises(ValueError, match="read-only"):
            one.position_m[0] = 1.0


def test_a_direction_printed_in_six_digits_has_norm_1():
    thruster = Thruster("t", [0, 0, 0], [0.707107, 0.707107, 0.0], 1.0, 220.0)
    assert np.linalg.norm(thruster.direction) == pytest.approx(1, abs=3e-16)
