"""Laws that know what is grasped."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip import Floating, Plant, State, compile_model, simulate
from scmanip.constraints import PointOnPoint, Weld
from scmanip.control import (
    Carrying,
    ComputedTorque,
    CoordinatedComputedTorque,
    Function,
    ResolvedRate,
    Sampled,
    WithFeedforward,
)
from scmanip.dynamics import RunTimeInertia
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Cycloid, Hold
from scmanip.modes import RotationFloating
from scmanip.simulation import Switch, ensemble
from scmanip.spatial import dcm_from_euler, dcm_from_quaternion, quaternion_from_dcm
from scmanip.system import Body, Frame, Joint, System

from ..simulation.machine_code import all_in_machine_code

UPRIGHT = [0.0, 0.0, 0.0, 1.0]
# of the client in axes of the lower arm, from its elbow
PLACE, TURN = np.array([0.3, 0.1, -0.2]), dcm_from_euler(0.3, -0.2, 0.5)


def joint(name, **given):
    return Joint(name, "revolute", **given)


UPPER = Body("upper", 8.0, [0.2, 2.0, 2.0], [0.5, 0, 0], "base", joint("shoulder", origin_m=[0.5, 0, 0], axis=[0, 0, 1]))
LOWER = Body("lower", 5.0, [0.1, 1.0, 1.0], [0.4, 0, 0.1], "upper", joint("elbow", origin_m=[1.0, 0, 0], axis=[0, 1, 0]))


def client(parent, link) -> Body:
    return Body("client", 40.0, [4.0, 7.0, 9.0], [0.1, 0.2, 0.0], parent, link)


FREE = client("ground", Joint("client", "free"))
DISH = Body("dish", 3.0, [0.3, 0.2, 0.4], parent="client", joint=joint("dish", origin_m=[0, 0.5, 0], axis=[1, 0, 0]))
FRAMES = [Frame("hand", "lower", origin_m=[0.8, 0, 0])]


def system(*bodies: Body) -> System:
    holds = [Weld("grasp", ("hand", "client")), PointOnPoint("pin", ("hand", "client"))]
    return System("pair", Body("base", 100.0, [30.0, 40.0, 50.0]), [UPPER, LOWER, *bodies], FRAMES, constraints=holds)


MODEL = compile_model(system(FREE))
WELDED = compile_model(
    System(
        "stack",
        Body("base", 100.0, [30.0, 40.0, 50.0]),
        [UPPER, LOWER, client("lower", Joint("grasp", "fixed", origin_m=PLACE, dcm=TURN))],
        FRAMES,
    )
)


def beside(q, *more, model=MODEL):
    """A state at rest with the client where the welded one is."""
    own = State([0.1, 0, 0], UPRIGHT, q, [0, 0, 0], [0, 0, 0], [0, 0])
    R = dcm_from_quaternion(WELDED.attitude(own, "lower"))
    pose = [*(WELDED.position(own, "lower") + R @ PLACE), *quaternion_from_dcm(R @ TURN), *more]
    return State([0.1, 0, 0], UPRIGHT, [*q, *pose], [0, 0, 0], [0, 0, 0], np.zeros(model.layout.N)), own


START, ALONE = beside([0.3, -0.4])
GOAL = Cycloid(START.q, [0.9, 0.3, *START.q[2:]], duration_s=4.0, layout=MODEL.layout)
GAINS = {"K_P": 4.0, "K_D": 4.0}


@pytest.mark.slow
def test_the_stack_has_the_inertia_and_the_jacobian_of_one_that_is_welded_by_hand():
    stack, state = MODEL.carrying(["grasp"], START), START.repacked(START.x)
    for name in ("H0", "H", "S_U", "H0m"):
        assert_allclose(getattr(stack, name)(state), getattr(WELDED, name)(ALONE), rtol=1e-11, atol=1e-11)
    assert_allclose(stack.J_star(state, "hand"), WELDED.J_star(ALONE, "hand"), rtol=1e-11, atol=1e-11)
    assert stack.system.bodies[-1] is MODEL.system.bodies[-1] and stack.system.bodies[2].mass_kg == 45.0
    assert MODEL.carrying([], START) is MODEL.carrying(["pin"], START) is MODEL
    other = MODEL.carrying(["grasp"], beside([0.0, 0.2])[0])
    assert other.family is stack.family
    assert_allclose(other.H(START), stack.H(START), rtol=1e-11)


@pytest.mark.slow
def test_the_component_under_a_weld_is_that_stack_and_others_are_no_part_of_it():
    other = Body("debris", 9.0, [1.0, 1.0, 1.0], parent="ground", joint=Joint("debris", "free"))
    model = compile_model(system(FREE, other))
    q = [*START.q, 5.0, 1.0, 0.0, *UPRIGHT]
    state = State([0.1, 0, 0], UPRIGHT, q, [0, 0, 0], [0, 0, 0], np.zeros(14))
    held = model.constrained("grasp")
    assert held.component(state).speeds[6:] == ("shoulder", "elbow")
    for name in ("H0", "H", "S_U"):
        assert_allclose(getattr(held, name)(state), getattr(WELDED, name)(ALONE), rtol=1e-9, atol=1e-9)
    assert_allclose(held.J_star(state, "hand"), WELDED.J_star(ALONE, "hand"), rtol=1e-9, atol=1e-9)
    assert_allclose(held.J_star(state, "client"), WELDED.J_star(ALONE, "client"), rtol=1e-9, atol=1e-9)
    mass, centre, inertia = held.mass_properties(state)
    assert mass == pytest.approx(153.0) and centre == pytest.approx(WELDED.r_0C(ALONE))
    assert_allclose(inertia, WELDED.S_U(ALONE), rtol=1e-9)


@pytest.mark.slow
def test_the_component_under_a_pin_has_the_turns_of_what_is_pinned_and_one_under_none_is_the_arm():
    pinned = MODEL.constrained("pin").component(START)
    assert {*pinned.speeds[6:8]} == {"shoulder", "elbow"} and len(pinned.speeds) == 11
    udot = MODEL.constrained("pin").forward_dynamics(START, [0.3, -0.2, *np.zeros(6)])
    own = [MODEL.layout.u_names.index(name) for name in pinned.speeds[6:]]
    force = np.array([{"shoulder": 0.3, "elbow": -0.2}.get(name, 0.0) for name in pinned.speeds[6:]])
    assert_allclose(pinned.H @ udot[own], force, atol=1e-11)
    alone = MODEL.constrained().component(START)
    assert_allclose(alone.H, MODEL.H(START), rtol=1e-12)
    moored = System(
        "moored", MODEL.system.base, MODEL.system.bodies[1:], FRAMES, constraints=[Weld("moor", ("ground", "base"))]
    )
    with pytest.raises(ModeMismatch, match="constraints bind the base of system 'moored'"):
        compile_model(moored).constrained("moor").H0(START)


@pytest.mark.slow
def test_what_is_held_brings_along_all_that_it_carries():
    model = compile_model(system(FREE, DISH), inertia=RunTimeInertia())
    state, _ = beside([0.3, -0.4], 0.7, model=model)
    stack = model.carrying(["grasp"], state)
    assert stack.family is model.family
    assert stack.system.bodies[2].mass_kg == 48.0
    bodies = model.constrained("grasp").A(state)
    M, rows = model.M(state), np.delete(bodies, [], axis=0)
    lock = np.zeros((1, model.layout.n_u))
    lock[0, -1] = 1.0
    A = np.vstack([rows, lock])
    inverse = np.linalg.inv(M)
    reduced = inverse - inverse @ A.T @ np.linalg.solve(A @ inverse @ A.T, A @ inverse)  # of what can move under the rows
    joints = slice(6, 8)
    assert_allclose(np.linalg.inv(reduced[joints, joints]), stack.H(state), rtol=1e-9)


def flown(law, start=START, mode=None, reference=GOAL, **options):
    given = {"t_end_s": 5.0, "rtol": 1e-11, "output_step_s": 0.25, "switches": [Switch(t_s=0.0, impose="grasp")], **options}
    return simulate(Plant(MODEL, mode or Floating()), law, start, reference=reference, **given)


def error(history):
    wanted = np.array([GOAL.at(t).q[:2] for t in history.t])
    return abs(history.q[:, :2] - wanted).max()


@pytest.mark.slow
def test_computed_torque_follows_exactly_with_the_stack_in_it_and_not_without():
    law = WithFeedforward(ComputedTorque(MODEL, **GAINS))
    with all_in_machine_code():
        history = flown(Carrying(law))
    assert error(history) < 1e-9
    assert error(flown(law)) > 1e-2
    assert history.outcome == "completed" and not history.broken_laws


@pytest.mark.slow
def test_it_is_the_law_with_an_estimate_written_by_hand():
    by_hand = MODEL.carrying(["grasp"], START)
    law = CoordinatedComputedTorque(MODEL, RotationFloating(), **GAINS, feedforward=True)
    knowing = flown(Sampled(Carrying(law), rate_Hz=4.0), mode=RotationFloating())
    told = flown(Sampled(law.believing(by_hand), rate_Hz=4.0), mode=RotationFloating())
    assert_array_equal(knowing.tau, told.tau)
    always = flown(Carrying(law), mode=RotationFloating())
    assert error(always) < 1e-9


@pytest.mark.slow
def test_it_knows_from_the_grasp_to_the_release():
    law = Carrying(WithFeedforward(ComputedTorque(MODEL, **GAINS)))
    switches = [Switch(t_s=1.0, impose="grasp"), Switch(t_s=3.0, release="grasp")]
    history = flown(law, switches=switches)
    assert [change.done for change in history.switches] == ["imposed 'grasp'", "released 'grasp'"]
    before, held = history.t < 1.0, (history.t > 1.0) & (history.t < 3.0)
    first = flown(law.law, switches=[])
    assert_allclose(history.tau[before], first.tau[before], rtol=1e-8)
    again = law.holding(["grasp"], history.switches[0].after)
    for k in np.flatnonzero(held)[::3]:
        told, _ = again.command(history.t[k], history.states[k], GOAL.at(history.t[k]), None)
        assert_allclose(told, history.tau[k], rtol=1e-9)
    let_go = np.flatnonzero(history.t >= 3.0)[1]
    told, _ = law.law.command(history.t[let_go], history.states[let_go], GOAL.at(history.t[let_go]), None)
    assert_allclose(told, history.tau[let_go], rtol=1e-12)


@pytest.mark.slow
def test_python_knows_as_machine_code_does():
    law = Carrying(WithFeedforward(ComputedTorque(MODEL, **GAINS)))

    class Plain(Carrying):
        """A law that is not recorded."""

    plain = Plain(law.law)
    assert_allclose(flown(plain).q[-1], flown(law).q[-1], atol=1e-8)


def test_it_is_around_and_inside_other_laws():
    law = ComputedTorque(MODEL, **GAINS)
    both = ResolvedRate(Carrying(law)).holding(["grasp"], START)
    assert both.estimate.system.bodies[2].mass_kg == 45.0
    sampled = Sampled(Carrying(law), rate_Hz=2.0).holding(["grasp"], START)
    assert sampled.rate_Hz == 2.0 and sampled.believed.system.bodies[2].mass_kg == 45.0
    assert sampled.holding([], START).believed is MODEL
    assert law.holding(["grasp"], START) is law and Carrying(law).settings == law.settings
    assert Carrying(law).kind == "Carrying(ComputedTorque)"
    with pytest.raises(InvalidInput, match="a law that believes in a model"):
        Carrying(Function(lambda t, state: np.zeros(2)))


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["pin"], "found 'pin': a point lets it move"),
        (["grasp", "pin"], "found 'pin': it closes a chain"),
        (["grasp", "second"], "found 'second': it closes a chain"),
    ],
)
def test_what_is_held_otherwise_than_rigidly_is_refused_by_name_before_the_run(names, found):
    two = Weld("second", ("upper", "client"))
    model = compile_model(
        System("pair", MODEL.system.base, [UPPER, LOWER, FREE], FRAMES, constraints=[*MODEL.system.constraints, two])
    )
    switches = [Switch(t_s=1.0 + k, impose=name) for k, name in enumerate(names)]
    with pytest.raises(InvalidInput, match=f"controller: expected grasps that hold free bodies rigidly.*{found}"):
        simulate(Plant(model, Floating()), Carrying(ComputedTorque(model, **GAINS)), START, t_end_s=5.0, switches=switches)


def test_lanes_ask_what_is_held():
    law = Carrying(ComputedTorque(MODEL, **GAINS))
    plant, hold = Plant(MODEL, Floating(), constraints=["grasp"]), Hold(START.q, layout=MODEL.layout)
    given = {"reference": hold, "t_end_s": 0.1, "step_s": 0.05}
    with pytest.raises(InvalidInput, match="controller: expected a law that knows what is held"):
        ensemble(plant, law, State.stack([START, START]), **given)


@pytest.mark.slow
def test_many_runs_know_as_one_does():
    law, start = Carrying(WithFeedforward(ComputedTorque(MODEL, **GAINS))), State.stack([START, START])
    plant = Plant(MODEL, Floating(), constraints=["grasp"])
    many = ensemble(plant, law.holding(["grasp"], START), start, reference=GOAL, t_end_s=5.0, step_s=0.05, output_step_s=5.0)
    assert_allclose(many.x[0, -1], flown(law).states.x[-1], atol=1e-7)


@pytest.mark.slow
def test_it_stays_where_it_is():
    history = flown(Carrying(ComputedTorque(MODEL, **GAINS)), reference=Hold(START.q, layout=MODEL.layout))
    assert np.ptp(history.q[:, :2], axis=0).max() < 1e-12
