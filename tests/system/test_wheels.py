"""Reaction wheels as hardware, in files, and in states."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.errors import InvalidState, InvalidSystem
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import Body, Frame, Joint, Motor, SpringDamper, State, System, Thruster, Wheel, state_problems

from .mistakes import GOOD, WHEEL

HALF = np.sqrt(0.5)


def system(*, ball: bool = False) -> System:
    """A base with its CoM off its frame, one joint, two wheels."""
    arm = Body("arm", 1.0, np.ones(3), parent="base", joint=Joint("j", "spherical" if ball else "revolute"))
    wheels = [Wheel("a", [0, 0, 1.0], 0.1), Wheel("b", [1.0, 0, 0], 0.2)]
    return System("carrier", Body("base", 10.0, np.ones(3), [0.1, 0.2, 0.3]), [arm], actuators=wheels)


def full() -> State:
    return State([1, 2, 3], [0, 0, HALF, HALF], [4], [6, 7, 8], [9, 10, 11], [12], wheel_rad_s=[100, -200])


def test_a_wheel_is_read_with_its_limits_in_either_unit_of_speed() -> None:
    limits = "torque_Nm = 0.2\nmomentum_Nms = 12\ndamping_Nms_rad = 1e-4\n[[frame]]"
    other = WHEEL.replace("x wheel", "y wheel").replace("speed_rpm = 5000", "speed_rad_s = 600")
    read = System.from_toml_text(GOOD.replace("[[frame]]", other + WHEEL + limits))
    second, first = read.wheels
    assert [*read.layout.actuators] == ["y wheel", "x wheel"]
    assert first.speed_rad_s == pytest.approx(5000 * math.tau / 60, rel=1e-15)
    assert (first.torque_Nm, first.momentum_Nms, first.damping_Nms_rad, first.inertia_kg_m2) == (0.2, 12, 1e-4, 0.04)
    assert (second.speed_rad_s, second.torque_Nm, second.momentum_Nms, second.damping_Nms_rad) == (600, np.inf, np.inf, 0)
    assert_array_equal(first.axis, [1, 0, 0])


BAD = {
    "axis": ({"axis": [0, 0, 2.0]}, "a unit vector"),
    "inertia": ({"inertia_kg_m2": 0.0}, "a finite number > 0"),
    "no number": ({"inertia_kg_m2": np.nan}, "finite"),
    "endless inertia": ({"inertia_kg_m2": np.inf}, "finite"),
    "torque": ({"torque_Nm": -1.0}, "a finite number > 0"),
    "speed": ({"speed_rad_s": 0.0}, "a finite number > 0"),
    "momentum": ({"momentum_Nms": np.nan}, "finite"),
    "bearing": ({"damping_Nms_rad": -1e-3}, ">= 0"),
    "name": ({"name": ""}, "not empty"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_wheel_that_cannot_be_is_refused(what: str) -> None:
    changes, expected = BAD[what]
    with pytest.raises(InvalidSystem) as caught:
        Wheel(**({"name": "w", "axis": [0, 0, 1.0], "inertia_kg_m2": 0.1} | changes))  # type: ignore[arg-type]
    (problem,) = caught.value.problems
    assert problem.key.startswith("wheel ")
    assert expected in problem.expected


def test_all_that_is_wrong_with_a_wheel_is_said_at_once() -> None:
    with pytest.raises(InvalidSystem) as caught:
        Wheel("w", [0, 0, 2.0], -1.0, torque_Nm=0.0)
    keys = [problem.key for problem in caught.value.problems]
    assert keys == ["wheel 'w' axis", "wheel 'w' inertia_kg_m2", "wheel 'w' torque_Nm"]


def test_wheels_of_one_name_or_on_a_held_base_are_refused() -> None:
    wheel, base = Wheel("w", [0, 0, 1.0], 0.1), Body("base", 1.0, np.ones(3))
    with pytest.raises(InvalidSystem, match="wheel 'w' name: expected a name used once"):
        System("s", base, actuators=[wheel, wheel])
    with pytest.raises(InvalidSystem, match="no wheels on a base that is held"):
        System("s", base, actuators=[wheel], fixed=True)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_system_with_wheels_and_its_state_can_be_copied_and_pickled(again: object) -> None:
    twin, state = again(system()), again(full())  # type: ignore[operator]
    assert twin.layout == system().layout
    assert [repr(wheel) for wheel in twin.wheels] == ["Wheel('a', inertia_kg_m2=0.1)", "Wheel('b', inertia_kg_m2=0.2)"]
    with pytest.raises(ValueError, match="read-only"):
        twin.wheels[0].axis[0] = 1.0
    assert_array_equal(state.x, full().x)
    assert_array_equal(state.wheel_rad_s, [100, -200])
    assert state_problems(state, twin.layout) == []


def test_the_speeds_of_wheels_are_the_last_of_the_packed_state_and_no_part_of_u() -> None:
    state, layout = full(), system().layout
    assert layout.n_x == 7 + 1 + 7 + 2 == len(state.x)
    assert_array_equal(state.x[layout.x_actuators], [100, -200])
    assert_array_equal(state.u, [6, 7, 8, 9, 10, 11, 12])
    assert_array_equal(state.qdot, [12])
    again = State.unpack(state.x, layout)
    for name in ("r_0", "attitude_xyzw", "q", "v_0", "omega_0", "qdot", "wheel_rad_s"):
        assert_array_equal(getattr(again, name), getattr(state, name))
    with pytest.raises(InvalidState, match="17 numbers"):
        State.unpack(state.x[:-1], layout)
    assert_array_equal(State.renormalised(state.x, layout).wheel_rad_s, state.wheel_rad_s)


def test_wheel_speeds_are_given_by_name_only() -> None:
    with pytest.raises(TypeError):
        State([0, 0, 0], [0, 0, 0, 1], [0], [0, 0, 0], [0, 0, 0], [0], [1, 2])  # type: ignore[misc]


@pytest.mark.parametrize("speeds", [[np.nan, 1.0], "fast", [[[1.0]]], None])
def test_wheel_speeds_that_are_none_are_refused(speeds: object) -> None:
    with pytest.raises(InvalidState, match="State wheel_rad_s"):
        State([0, 0, 0], q=[0.0], wheel_rad_s=speeds)  # type: ignore[arg-type]


def test_a_batch_holds_wheels_per_case_and_one_row_serves_all() -> None:
    batch = State.stack([full(), full()])
    assert batch.wheel_rad_s.shape == (2, 2)
    assert_array_equal(batch[1].x, full().x)
    both = State(np.zeros((3, 3)), q=np.zeros((3, 1)), wheel_rad_s=[1.0, 2.0])
    assert_array_equal(both.wheel_rad_s, [[1.0, 2.0]] * 3)
    each = State(np.zeros((3, 3)), q=np.zeros((3, 1)), wheel_rad_s=np.arange(6.0).reshape(3, 2))
    assert_array_equal(each[2].wheel_rad_s, [4.0, 5.0])
    with pytest.raises(InvalidState, match="State wheel_rad_s: expected leading shape"):
        State([0, 0, 0], q=[0.0], wheel_rad_s=np.zeros((3, 2)))
    with pytest.raises(InvalidState, match="one or more states of one system"):
        State.stack([full(), State([0, 0, 0], q=[0.0])])


@pytest.mark.parametrize("ball", [False, True])
def test_at_rest_wheels_stand_still(ball: bool) -> None:
    carrier = system(ball=ball)
    assert_array_equal(State.at_rest(carrier, carrier.layout.neutral()).wheel_rad_s, [0, 0])
    assert State.at_rest(carrier, [carrier.layout.neutral()] * 3).wheel_rad_s.shape == (3, 2)


def test_a_state_from_the_base_frame_takes_its_wheels_along_and_wants_all_of_them() -> None:
    frame = {"position_m": [1, 2, 3], "attitude_xyzw": [0, 0, HALF, HALF], "q": [0.4], "qdot": [0.1]}
    state = State.from_base_frame(system(), **frame, wheel_rad_s=[5.0, 6.0])
    assert_allclose(state.r_0, [1, 2, 3] + dcm_from_quaternion(state.attitude_xyzw) @ [0.1, 0.2, 0.3])
    assert_array_equal(state.wheel_rad_s, [5, 6])
    for speeds in ((), [1.0], [1.0, 2.0, 3.0]):
        with pytest.raises(InvalidState, match=f"State wheel_rad_s: expected 2 numbers.*found {len(speeds)}"):
            State.from_base_frame(system(), **frame, wheel_rad_s=speeds)


def test_wheels_too_many_or_too_few_keep_a_state_from_a_layout() -> None:
    for speeds in ((), [1.0, 2.0, 3.0]):
        (problem,) = state_problems(State([0, 0, 0], q=[0.0], wheel_rad_s=speeds), system().layout)
        assert (problem.expected, problem.found) == ("2 speeds wheel_rad_s", str(len(speeds)))


def test_other_wheels_leave_everything_else_as_it_is() -> None:
    given = system()
    arms = [*given.bodies[1:], Body("other", 2.0, np.ones(3), parent="arm", joint=Joint("k", "revolute"))]
    whole = System(
        "carrier", given.base, arms, [Frame("tip", "other", [1.0, 0, 0])], springs=[SpringDamper("s", ("base", "tip"), 1.0)],
        actuators=[Motor("k", torque_Nm=2.0), *given.wheels, Thruster("t", [0, 0, 0], [1.0, 0, 0], 1.0, 220.0)],
    )  # fmt: skip
    kept = [*whole.motors, *whole.thrusters]
    other = whole.with_actuators([*kept, Wheel("only", [0, 1.0, 0], 0.3)])
    assert [wheel.name for wheel in other.wheels] == ["only"] and other.layout.n_w == 1
    for part in ("name", "bodies", "frames", "fixed", "springs", "thrusters", "motors"):
        assert getattr(other, part) == getattr(whole, part) and getattr(whole, part) not in ((), ""), part
