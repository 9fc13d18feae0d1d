"""What nothing joins keeps its own momentum, before it is taken and after it was let go."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scmanip import Plant, compile_model, simulate
from scmanip.analysis import switch_accounts
from scmanip.constraints import Lock, PointOnPoint, Speed, Weld
from scmanip.control import JointRegulator
from scmanip.guidance import Hold
from scmanip.impacts import Newton
from scmanip.loads import Contact, Gravity, HuntCrossley, Orbit
from scmanip.modes import Floating
from scmanip.report import (
    base_disturbance_figure,
    constraint_forces_figure,
    constraint_tables,
    joint_power_figure,
    motor_use_figure,
)
from scmanip.shapes import Sphere
from scmanip.simulation import RigidContact, Switch
from scmanip.system import Body, Joint, State, System

GRASPS = [
    Weld("pair", ("one", "two")),
    Weld("grasp", ("hand", "one")),
    PointOnPoint("moored", ("ground", "two"), tolerance_m=9.0),
    Lock("brake", "elbow"),
    Speed("together", {"elbow": 1.0, "one.wx": -1.0}),
]
SHAPES = [Sphere(f"ball_{name}", name, radius_m=0.1) for name in ("one", "two", "hand")]


def _free(name: str) -> Body:
    return Body(name, 5.0, [1.0, 1.2, 0.9], parent="ground", joint=Joint(name, "free"))


@pytest.fixture(scope="module")
def model():
    hand = Body("hand", 3.0, [0.2, 0.3, 0.25], [0.4, 0, 0], "base", Joint("elbow", "revolute", [0, 0, 1]))
    bodies = [hand, _free("one"), _free("two")]
    return compile_model(System("three", Body("base", 50.0, [9, 8, 7]), bodies, constraints=GRASPS, shapes=SHAPES))


@pytest.fixture(scope="module")
def start():
    q = [0.3, 2.0, 0, 0, 0, 0, 0, 1, 4.0, 1, 0, 0, 0, 0, 1]
    qdot = [0.1, 0.01, 0.02, 0.0, 0.1, 0.2, 0.3, -0.01, 0, 0.01, 0.2, -0.1, 0.1]
    return State([0, 0, 0], [0, 0, 0, 1], q, [0, 0, 0], [0, 0, 0.01], qdot)


@pytest.mark.parametrize(
    ("held", "components"),
    [
        ((), (0, 1, 2)),
        (("brake",), (0, 1, 2)),
        (("pair",), (0, 1, 1)),
        (("grasp",), (0, 0, 2)),
        (("grasp", "pair"), (0, 0, 0)),
        (("moored",), (0, 1, 0)),
        (("together",), (0, 0, 2)),
    ],
)
def test_constraints_join_trees_with_each_other_and_with_the_ground(model, held, components):
    assert Plant(model, Floating(), constraints=held).components == components


def test_loads_join_the_trees_that_they_push_and_gravity_all(model):
    def contact(*shapes: str) -> Contact:
        one, other = map(model.system.shape, shapes)
        return Contact(one, other, HuntCrossley(1e3, 1.5, 0.1))

    assert Plant(model, Floating(), [contact("ball_hand", "ball_two")]).components == (0, 1, 0)
    assert Plant(model, Floating(), [contact("ball_one", "ball_two")]).components == (0, 0, 0)
    assert Plant(model, Floating(), [Gravity(Orbit(7e6))]).components == (0, 0, 0)


@pytest.mark.slow
def test_momenta_are_kept_per_component_through_switches(model, start):
    switches = [
        Switch(t_s=1.03, impose="pair"),
        Switch(t_s=2.01, impose="grasp", release="pair"),
        Switch(t_s=2.02, release="grasp"),
    ]
    law = JointRegulator(model, K_P=1.0, K_D=1.0)
    options = {"reference": Hold(start.q, layout=model.layout), "t_end_s": 3.0, "output_step_s": 0.1}
    history = simulate(model, Floating(), law, start, switches=switches, **options)
    labels = history.components
    assert_array_equal(labels[[0, 15, 25]], [[0, 1, 2], [0, 1, 1], [0, 1, 2]])
    laws = history.residuals
    for name in ("one", "two"):
        assert laws[f"momentum_of_{name}"].relative < 1e-12 and laws[f"angular_momentum_of_{name}"].relative < 1e-9
    assert not history.broken_laws
    jumps = np.linalg.norm(np.diff(history.P_by_tree[:, 1], axis=0), axis=1)
    assert jumps.max() > 0.01  # where nothing of this is said


@pytest.mark.slow
def test_a_tree_that_loses_momentum_while_it_is_free_breaks_its_law(model, start):
    law = JointRegulator(model, K_P=1.0, K_D=1.0)
    history = simulate(model, Floating(), law, start, reference=Hold(start.q, layout=model.layout), t_end_s=1.0)
    for figure in (base_disturbance_figure, joint_power_figure, motor_use_figure):
        for axis in figure(history).axes:
            assert all("one." not in text.get_text() for text in axis.get_legend().get_texts())
    wrong = np.array(history.P_by_tree)
    wrong[len(wrong) // 2 :, 2, 0] += 1e-3
    assert history.changed(P_by_tree=wrong).broken_laws == ("momentum_of_two",)


@pytest.mark.slow
def test_bodies_that_strike_keep_their_own_momenta_before_and_after(model):
    q = [0.0, 1.0, 0.02, 0, 0, 0, 0, 1, 2.0, 0, 0.05, 0, 0, 0, 1]
    qdot = [0.0, 0.3, 0, 0, 0, 0, 0.2, -0.1, 0, 0, 0, 0, 0]
    start = State([0, 0, 0], [0, 0, 0, 1], q, [0, 0, 0], [0, 0, 0], qdot)
    contacts = [RigidContact("ball_one", "ball_two", Newton(0.6), 0.3)]
    history = simulate(model, Floating(), lambda t, state: np.zeros(13), start, t_end_s=4.0, contacts=contacts)
    (strike,) = switch_accounts(model, history)
    assert set(history.components.T.tolist()[2]) == {2} and not history.broken_laws
    assert (
        history.residuals["momentum_of_one"].relative < 1e-12 and history.residuals["angular_momentum_of_two"].relative < 1e-12
    )
    gained = strike.momenta_after - strike.momenta_before
    ((unit, size),) = strike.impulses["ball_one ball_two"]
    assert unit == "N s" and np.linalg.norm(gained[1, :3]) == pytest.approx(size, rel=1e-9)
    assert [axis.get_ylabel() for axis in constraint_forces_figure(history).axes] == ["contact force [N]"]
    (switched, momenta) = constraint_tables(history, [strike])[1:]
    assert switched.rows[0][1] == "struck 'ball_one ball_two'" and len(momenta.rows) == 3
