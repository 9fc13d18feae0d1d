"""What limits of motors and wheels leave of one command, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Model, compile_model
from scmanip.errors import ModeMismatch
from scmanip.modes import FixedBase, Flying, GeneralizedForce, RotationFloating
from scmanip.system import Body, Joint, Motor, State, System, Thruster, Wheel

# A joint's motor: 2 N m, 10 rad/s, so that what accelerates falls from 9.5 rad/s on and is half of 2 N m at 9.75 rad/s.
MOTOR = Motor("joint", 2.0, 10.0)
RATE, TORQUE = "held back from its largest rate, 10 rad/s,", "gives its largest torque, 2 N m,"
GIVEN = [
    (0.0, 1.5, 1.5, None),
    (0.0, 3.0, 2.0, TORQUE),
    (0.0, -3.0, -2.0, TORQUE),
    (9.4, 3.0, 2.0, TORQUE),
    (9.75, 3.0, 1.0, RATE),
    (9.75, 0.9, 0.9, None),
    (9.75, -3.0, -2.0, TORQUE),  # braking
    (9.75, -1.9, -1.9, None),
    (-9.75, -3.0, -1.0, RATE),
    (-9.75, 3.0, 2.0, TORQUE),
    (-9.75, 1.9, 1.9, None),
    (12.0, 3.0, 0.0, RATE),
    (12.0, -3.0, -2.0, TORQUE),
    (-12.0, -3.0, 0.0, RATE),
    (-12.0, 1.0, 1.0, None),
]


@pytest.mark.parametrize(("rate", "asked", "given", "phrase"), GIVEN)
def test_a_motor_gives_less_where_it_would_accelerate_further_and_brakes_with_all_it_has(rate, asked, given, phrase) -> None:
    arm = Body("arm", 1.0, np.ones(3), parent="base", joint=Joint("joint", "revolute"))
    model = compile_model(System("hinge", Body("base", 1.0, np.ones(3)), [arm], fixed=True, actuators=[MOTOR]))
    force = FixedBase().generalized_force(model, State(q=[0.3], qdot=[rate]), np.array([asked]))
    assert_allclose(force.tau, [given], rtol=1e-14, atol=1e-15)
    assert [limit.removeprefix("the motor of joint 'joint' ").removeprefix("is ") for limit in force.limits] == (
        [] if phrase is None else [phrase]
    )


# A base of 10, 20 and 30 kg m^2 with wheels of 0.1 kg m^2 about its axes. For a torque n about x the first wheel must
# accelerate by -n / 0.1, and its motor gives -n (1 - 0.1 / 10), as the base turns the other way.
SPIN, RELIEF = 0.1, 0.99


def carrier(**limits) -> Model:
    wheels = [Wheel(letter, axis, SPIN, **limits) for letter, axis in zip("xyz", np.eye(3), strict=True)]
    return compile_model(System("carrier", Body("base", 50.0, [10.0, 20.0, 30.0]), actuators=wheels))


def asked(model: Model, n, speeds) -> GeneralizedForce:
    return RotationFloating().generalized_force(model, State([0, 0, 0], q=[], wheel_rad_s=speeds), np.array([0, 0, 0, *n]))


def check_scaled(force: GeneralizedForce, n, scale: float) -> None:
    """Whether so much of a torque is given, by such accelerations of the wheels, and the rest is said to be missing."""
    turned = np.array([0, 0, 0, *n])
    assert_allclose(force.wrench, scale * turned, rtol=1e-13, atol=1e-15)
    assert_allclose(force.missing, (1 - scale) * turned, rtol=1e-13, atol=1e-15)
    assert_allclose(force.actuator_rates, -scale * np.array(n) / SPIN, rtol=1e-13, atol=1e-15)


LIMITS = [{"speed_rad_s": 50.0}, {"momentum_Nms": 5.0}, {"speed_rad_s": 60.0, "momentum_Nms": 5.0},
          {"speed_rad_s": 50.0, "momentum_Nms": 6.0}]  # fmt: skip


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize(
    ("speed", "n", "scale"),
    [(49.8, -0.1, 0.2), (49.8, 0.1, 1.0), (-49.8, 0.1, 0.2), (-49.8, -0.1, 1.0), (48.0, -0.1, 1.0), (50.5, -0.1, 0.0),
     (50.5, 0.1, 1.0), (50.0, -0.1, 0.0), (-51.0, 0.1, 0.0), (0.0, -4.0, 1.0), (0.0, -10.0, 0.5)],
)  # fmt: skip
def test_a_wheel_comes_to_its_largest_speed_no_faster_than_what_is_left_in_a_second(limits, speed, n, scale) -> None:
    force = asked(carrier(**limits), [n, 0, 0], [speed, 0, 0])
    check_scaled(force, [n, 0, 0], scale)
    said = ("wheel 'x' is held back from its largest speed, 50 rad/s,",)
    assert force.limits == (() if scale == 1 else said)


def test_only_the_wheel_that_slows_the_others_is_named() -> None:
    n = [-0.1, -0.1, -0.1]
    force = asked(carrier(speed_rad_s=50.0), n, [49.5, 49.8, 0])
    check_scaled(force, n, 0.2)
    assert [limit.split()[1] for limit in force.limits] == ["'y'"]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_motor_gives_its_largest_torque_either_way(sign) -> None:
    n = np.array([sign * 2.0, 0, 0])
    force = asked(carrier(torque_Nm=0.5), n, [0, 0, 0])
    check_scaled(force, n, 0.5 / (2 * RELIEF))
    assert force.limits == ("the motor of wheel 'x' gives its largest torque, 0.5 N m,",)


@pytest.mark.parametrize(("n", "margin"), [(2.0, 0.7), (-2.0, 0.3)])
def test_bearing_friction_is_on_the_motor_too(n, margin) -> None:
    force = asked(carrier(torque_Nm=0.5, damping_Nms_rad=0.01), [n, 0, 0], [20.0, 0, 0])  # 0.2 N m of friction
    check_scaled(force, [n, 0, 0], margin / (2 * RELIEF))


def test_a_motor_that_the_command_relieves_is_not_too_weak() -> None:
    model = carrier(torque_Nm=0.5, damping_Nms_rad=0.01)  # at 60 rad/s 0.6 N m of friction
    force = asked(model, [2.0, 0, 0], [60.0, 0, 0])
    check_scaled(force, [2.0, 0, 0], 1.1 / (2 * RELIEF))
    assert force.limits == ("the motor of wheel 'x' gives its largest torque, 0.5 N m,",)


@pytest.mark.parametrize(
    ("n", "speeds", "weak"),
    [
        ([-2.0, 0, 0], [60.0, 0, 0], "x"),  # the command asks for still more
        ([0.05, 0, 0], [60.0, 0, 0], "x"),  # it relieves the motor, and not enough
        ([2.0, 0, 0], [0, -60.0, 0], "y"),  # it asks nothing of this one
        ([2.0, 0, 0], [-60.0, 0, 0], "x"),
    ],
)
def test_a_motor_that_cannot_hold_its_wheel_is_too_weak_and_nothing_is_given(n, speeds, weak) -> None:
    force = asked(carrier(torque_Nm=0.5, damping_Nms_rad=0.01), n, speeds)
    check_scaled(force, n, 0.0)
    assert force.limits == (f"the motor of wheel '{weak}' is too weak to hold its speed",)


@pytest.mark.parametrize("out_of_plane", [0.0, 1e-3])
def test_three_wheels_are_enough_unless_they_lie_in_a_plane(out_of_plane) -> None:
    axes = np.array([[1.0, 0, 0], [0, 1.0, 0], [0.6, 0.8, out_of_plane]])
    wheels = [Wheel(f"w{k}", axis / np.linalg.norm(axis), SPIN) for k, axis in enumerate(axes)]
    model = compile_model(System("carrier", Body("base", 50.0, [10.0, 20.0, 30.0]), actuators=wheels))
    if out_of_plane:
        RotationFloating().check(model)
        return
    with pytest.raises(ModeMismatch, match="lie in a plane"):
        RotationFloating().check(model)


def test_wheels_are_beyond_their_limits_whichever_way_they_turn() -> None:
    turners = carrier(torque_Nm=0.5, speed_rad_s=60.0, momentum_Nms=5.0).system.turners
    torque, speed = np.array([0.6, -0.6, 0.4]), np.array([-55.0, 49.0, 55.0])
    over, fast = turners.excess(torque, speed)
    assert_allclose(over, [0.2, 0.2, -0.2], atol=1e-8)
    assert_allclose(fast, [0.1, -0.02, 0.1], atol=1e-8)
    said = turners.beyond(torque, speed, ())
    assert [(phrase.split("'")[1], "torque" in phrase) for phrase in said] == [
        ("x", True),
        ("x", False),
        ("y", True),
        ("z", False),
    ]


def thrown(command) -> GeneralizedForce:
    """What six thrusters of 2 N at the base's centre of mass, along its axes, give of a command; the base is turned."""
    both = [Thruster(f"{letter}{sign}", [0.1, 0.2, 0.3], sign * axis, 2.0, 200.0)
            for letter, axis in zip("xyz", np.eye(3), strict=True) for sign in (1, -1)]  # fmt: skip
    base = Body("base", 50.0, [10.0, 20.0, 30.0], [0.1, 0.2, 0.3])
    quarter = [0, 0, np.sqrt(0.5), np.sqrt(0.5)]  # the base's x is N's y
    model = compile_model(System("craft", base, actuators=both))
    return Flying().generalized_force(model, State([0, 0, 0], quarter, q=[]), np.array(command))


def test_thrusters_push_in_the_axes_of_the_base_and_burn_force_over_the_exhaust_s_speed() -> None:
    force = thrown([0.0, 1.5, -0.5, 0.0, 0.0, 0.0])
    assert_allclose(force.thrust_N, [1.5, 0, 0, 0, 0, 0.5], atol=1e-12)
    assert_allclose(force.wrench, [0, 1.5, -0.5, 0, 0, 0], atol=1e-12)
    assert_allclose(force.missing, np.zeros(6), atol=1e-12)
    assert force.propellant_kg_s == pytest.approx(2.0 / (200.0 * 9.80665), rel=1e-12)
    assert force.limits == ()


def test_too_large_a_push_is_scaled_down_and_the_rest_is_missing() -> None:
    force = thrown([0.0, 8.0, -4.0, 0.0, 0.0, 0.0])
    assert_allclose(force.wrench, [0, 2.0, -1.0, 0, 0, 0], atol=1e-12)
    assert_allclose(force.missing, [0, 6.0, -3.0, 0, 0, 0], atol=1e-12)
    assert force.limits[0] == "thruster 'x1' gives its largest force, 2 N,"


def test_what_no_thruster_gives_is_missing() -> None:
    force = thrown([1.0, 0, 0, 0, 0.3, 0])
    assert_allclose(force.wrench, [1.0, 0, 0, 0, 0, 0], atol=1e-9)
    assert_allclose(force.missing, [0, 0, 0, 0, 0.3, 0], atol=1e-9)
    assert force.limits == ("the thrusters do not give the commanded wrench",)
