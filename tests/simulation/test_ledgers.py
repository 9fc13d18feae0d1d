"""Momentum and energy by body, work by joint, wheel and thruster: parts of a run's totals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, Controller, CoordinatedComputedTorque, Sampled, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.guidance import Cycloid, Hold
from scmanip.loads import Gravity, Orbit
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import RK4, MomentumReduced, simulate
from scmanip.system import Body, Joint, State, System
from tests.simulation.arms import INERTIA_1, INERTIA_2
from tests.simulation.ledgers import CASES, WHEELS, flown, plant, shake, start, steady

EXACT = 1e-9


@pytest.mark.battery(1)
@pytest.mark.parametrize("name", CASES)
def test_the_parts_add_up_to_the_totals_of_the_run(name):
    hardware, mode = CASES[name]
    history = flown(plant(**hardware), mode, steady if name == "thrusters" else None)
    sizes = {
        "P": abs(history.P_by_body).max(),
        "L_C": abs(history.L_C_by_body).max(),
        "kinetic_energy": history.kinetic_energy.max(),
        "work": abs(history.work).max(),
        "dissipated": history.dissipated.max(),
        "propellant_kg": history.propellant_kg.max(),
        "shift": abs(history.shift_by_joint).max(initial=0),
    }
    assert set(history.unaccounted) == set(sizes) - ({"shift"} if history.system.fixed else set())
    for quantity, left in history.unaccounted.items():
        assert_allclose(left, 0 * left, atol=EXACT * max(sizes[quantity], 1e-6), err_msg=quantity)
    assert abs(history.work).max() > 0.1 or "coast" in name
    assert history.dissipated_by_spring[-1, 0] > 1e-3
    assert (history.dissipated_by_joint[-1] > 1e-3).all()


@pytest.mark.slow
def test_thrusters_share_the_work_on_the_base_and_burn_what_their_impulse_says():
    hardware, mode = CASES["thrusters"]
    history = flown(plant(**hardware), mode, steady)
    scale = abs(history.work_on_base).max()
    assert_allclose(history.work_by_thruster.sum(axis=1), history.work_on_base, atol=EXACT * scale)
    assert history.propellant_kg[-1] > 1e-4
    burnt = history.impulse_by_thruster[-1] / [thruster.exhaust_m_s for thruster in history.system.thrusters]
    assert burnt.sum() == pytest.approx(history.propellant_kg[-1], rel=EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("K_P", [0.5, 5.0])
def test_impulses_of_thrusters_only_grow_where_steps_end_as_others_take_over(K_P):
    """As they do in machine code; elsewhere one thruster may take over from another within a step that neither motion shows."""
    hardware, mode = CASES["thrusters"]
    model = plant(**hardware)
    law = CoordinatedComputedTorque(model, mode, K_P=K_P, K_D=2.0, base_K_P=K_P / 4, base_K_D=0.5)
    history = simulate(model, mode, law, start(model), reference=Hold([0.1, 0.2]), t_end_s=2.0, output_step_s=0.23, rtol=1e-12)
    assert (np.diff(history.impulse_by_thruster, axis=0) >= -1e-12).all()
    burnt = history.impulse_by_thruster[-1] / [thruster.exhaust_m_s for thruster in history.system.thrusters]
    assert burnt.sum() == pytest.approx(history.propellant_kg[-1], rel=1e-12)


def test_a_joint_at_a_wall_takes_the_work_that_its_torque_did():
    """One hinge on the ground under a constant torque: work is torque times angle."""
    hinge = Joint("hinge", "revolute", [0, 0, 1], origin_m=[0.5, 0, 0])
    system = System(
        "hinged", Body("base", 1.0, [1, 1, 1]), [Body("link", 3.0, INERTIA_1, [0.5, 0, 0], "base", hinge)], fixed=True
    )
    model = compile_model(system)
    history = simulate(model, FixedBase(), lambda t, state: [2.0], State(q=[0.1], qdot=[0.0]), t_end_s=3.0, rtol=1e-12)
    assert_allclose(history.work_by_joint[:, 0], 2.0 * (history.q[:, 0] - 0.1), atol=1e-10)


def test_a_damper_takes_what_its_rate_says():
    """A coasting hinge with damping c on the ground: the rate falls exponentially, and c qdot^2 is taken."""
    hinge = Joint("hinge", "revolute", [0, 0, 1], damping=0.6)
    link = Body("link", 3.0, [1.0, 1.0, 2.0], parent="base", joint=hinge)
    model = compile_model(System("hinged", Body("base", 1.0, [1, 1, 1]), [link], fixed=True))
    history = simulate(model, FixedBase(), lambda t, state: [0.0], State(q=[0.0], qdot=[1.5]), t_end_s=3.0, rtol=1e-12)
    assert_allclose(history.dissipated_by_joint[:, 0], 1.5**2 * (1 - np.exp(-0.6 * history.t)), atol=1e-10)


def test_the_joint_that_moved_the_base_is_the_joint_that_moved():
    model = plant()
    goal = Cycloid([0.0, 0.0], [1.0, 0.0], duration_s=2.0)
    rest = State.at_rest(model.system, [0.0, 0.0])
    law = WithFeedforward(ComputedTorque(model))
    history = simulate(model, Floating(), law, rest, reference=goal, t_end_s=2.0, output_step_s=0.1, rtol=1e-12)
    assert abs(history.turn_by_joint[-1, :, 0]).max() > 1e-2
    assert abs(history.turn_by_joint[:, :, 1]).max() < 1e-6
    assert_allclose(history.shift_by_joint.sum(axis=2), history.r_0 - history.r_0[0], atol=1e-10)
    assert_allclose(history.shift_by_momentum, 0, atol=1e-10)


def test_in_a_plane_the_turns_by_joint_add_up_to_the_angle_of_the_base():
    links, parent = [], "base"
    for name in ("a", "b"):
        links.append(
            Body(f"link {name}", 5.0, [0.1, 0.5, 0.5], [0.4, 0, 0], parent, Joint(name, "revolute", [0, 0, 1], [0.8, 0, 0]))
        )
        parent = f"link {name}"
    model = compile_model(System("planar", Body("base", 30.0, [2.0, 2.0, 3.0]), links))
    law = lambda t, state: [2 * np.sin(3 * t), np.cos(2 * t)]  # noqa: E731
    history = simulate(model, Floating(), law, State.at_rest(model.system, [0.1, 0.2]), t_end_s=2.0, rtol=1e-12)
    angle = 2 * np.arctan2(history.attitude_xyzw[:, 2], history.attitude_xyzw[:, 3])
    assert abs(angle).max() > 0.1
    assert_allclose(history.turn_by_joint[:, 2].sum(axis=1), angle, atol=1e-10)


class Remembering(Controller):
    """Adds up what it has seen: its command depends on the whole past."""

    def start(self, state0):
        """Nothing yet."""
        return 0.0

    def command(self, t, state, reference, memory):
        """Push against the sum of angles."""
        return np.array([1.0 - 0.1 * memory, 0.5]), memory + state.q[0]


@pytest.mark.battery(1)
@pytest.mark.parametrize(
    "options",
    [
        {"law": Remembering()},
        {"law": Sampled(shake(Floating()), rate_Hz=20.0)},
        {"integrator": RK4(0.01), "rtol": 1e-10},
        {"coordinates": MomentumReduced()},
        {"environment": Gravity(Orbit.circular(altitude_m=500e3))},
    ],
    ids=["memory", "sampled", "RK4", "momentum-reduced", "orbit"],
)
def test_whatever_the_run_the_work_is_accounted_for(options):
    model = plant(actuators=[] if "coordinates" in options else WHEELS)
    if "coordinates" in options:
        hinge = Joint("hinge", "revolute", [0, 0, 1], origin_m=[0.5, 0, 0], damping=0.1)
        elbow = Joint("elbow", "revolute", [0, 1, 0], origin_m=[1.0, 0, 0])
        links = [
            Body("upper", 8.0, INERTIA_1, [0.5, 0, 0], "base", hinge),
            Body("fore", 4.0, INERTIA_2, [0.4, 0, 0], "upper", elbow),
        ]
        model = compile_model(System("two", Body("base", 40.0, [6.0, 7.0, 5.0]), links))
    law = options.pop("law", None)
    history = flown(model, Floating(), law, **options)
    left = history.unaccounted
    tolerance = 1e-6 if "integrator" in options else EXACT  # a method of fourth order in steps of 10 ms
    assert abs(left["work"]).max() < tolerance * abs(history.work).max()
    assert abs(left["dissipated"]).max() < tolerance * history.dissipated.max()
    assert abs(left["shift"]).max() < tolerance


def test_a_run_that_ends_early_is_accounted_for_up_to_there():
    def law(t, state):
        return [1.0, 0.5] if t < 0.77 else [np.nan, 0.0]

    history = flown(plant(), Floating(), law, rtol=1e-9)
    assert history.t[-1] < 0.8
    assert abs(history.unaccounted["work"]).max() < 1e-8
