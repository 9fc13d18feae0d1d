"""Constraints that hold in many runs at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Coupling, FramePose, Lock, Weld
from scmanip.control import CoordinatedComputedTorque, JointRegulator, Sampled
from scmanip.dynamics import RunTimeInertia, compile_model, inertia_table
from scmanip.errors import ConstraintRankLoss, InvalidInput
from scmanip.guidance import Hold
from scmanip.modes import Floating, Flying, RotationFloating
from scmanip.plant import Plant
from scmanip.simulation import Near, Outcome, ensemble, ensemble_forces, simulate
from scmanip.spatial import dcm_from_quaternion, quaternion_from_dcm
from scmanip.system import Body, Loop, State, System, load_system

ARM = load_system("model:planar_four_link")
TIP = ARM.bodies[-1].name
JOINTS = [joint.name for joint in ARM.joints]
HOLD = Hold(np.zeros(4))
RUN = {"reference": HOLD, "t_end_s": 2.0}


@pytest.fixture(scope="module")
def model():
    constraints = [
        Lock("lock2", JOINTS[1]),
        Lock("brake", JOINTS[2], slip_Nm=0.1),
        Weld("grip", ("ground", TIP), tolerance_m=10.0, tolerance_rad=0.6),
        Weld("closing", ("ground", TIP), FramePose([4.1, 0.35, 0.0]), tolerance_m=1.0, tolerance_rad=0.6, closing_s=1.3),
        Coupling("geared", JOINTS[2], JOINTS[1], ratio=-0.5),
        Loop("hinge", ("ground", TIP), "revolute", axis=[0.0, 0.0, 1.0], tolerance_m=10.0, tolerance_rad=0.6),
    ]
    system = System(ARM.name, ARM.base, ARM.bodies[1:], ARM.frames, constraints=constraints)
    return compile_model(system, inertia=RunTimeInertia())


@pytest.fixture(scope="module")
def law(model):
    return JointRegulator(model, K_P=1.0, K_D=2.0)


@pytest.fixture(scope="module")
def starts():
    rng = np.random.default_rng(3)
    q = np.array([0.3, -0.5, 0.25, -0.2]) + np.array([1, 0, 0, 1]) * rng.normal(0, 0.05, (5, 4))
    qdot = np.array([0.1, -0.15, 0.05, 0.2]) + rng.normal(0, 0.02, (5, 4))
    return State.stack(
        [State(q=a, qdot=b, r_0=np.zeros(3), v_0=[0.01, 0, 0], omega_0=[0, 0, 0.02]) for a, b in zip(q, qdot, strict=True)]
    )


SETS = [
    ("grip",),
    *(
        pytest.param(names, marks=pytest.mark.slow)
        for names in [("lock2",), ("closing",), ("geared",), ("hinge",), ("hinge", "grip", "lock2")]
    ),
]


@pytest.mark.slow
def test_a_law_that_looks_now_and_then_moves_what_is_held(model, law, starts):
    sampled, options = Sampled(law, rate_Hz=2.0), {**RUN, "output_step_s": 0.25}
    changes = Plant(model, Floating()).under_each(("grip",), starts)
    given = {"kept": changes.kept, "K_P": np.arange(1.0, 6.0)[:, None] * np.ones(4)}
    runs = ensemble(changes.plant, sampled, changes.states, **options, step_s=0.05, parameters=given)
    tau = ensemble_forces("tau", changes.plant, sampled, HOLD, runs.t, runs.x, given)["tau"]
    own = Sampled(JointRegulator(model, K_P=3.0, K_D=2.0), rate_Hz=2.0)
    history = simulate(Plant(model, Floating(), constraints=("grip",)), own, changes.states[2], **options, rtol=1e-11)
    assert_allclose(runs.x[2], history.states.x, rtol=0, atol=1e-8)
    assert_allclose(tau[2], history.tau, rtol=0, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("names", SETS, ids=" ".join)
def test_every_case_is_its_own_run(model, law, starts, names):
    plant = Plant(model, Floating(), constraints=())
    changes = plant.under_each(names, starts)
    options = {**RUN, "output_step_s": 0.5}
    runs = ensemble(changes.plant, law, changes.states, **options, step_s=0.05, parameters={"kept": changes.kept})
    assert set(runs.outcomes) == {Outcome.COMPLETED} and not changes.unmet
    forces = ensemble_forces("tau", changes.plant, law, HOLD, runs.t, runs.x, {"kept": changes.kept})["tau"]
    through = ensemble_forces("interface_wrench", changes.plant, law, HOLD, runs.t, runs.x, {"kept": changes.kept})
    gained = changes.gained(starts)
    for case in (0, 4):
        change = plant.under(names, starts[case])
        history = simulate(change.plant, law, change.state, **options, rtol=1e-12)
        assert_allclose(changes.energy_lost[case], change.energy_lost, rtol=1e-12)
        for name in names:
            assert_allclose(changes.impulses[name][case], change.impulses[name], atol=1e-12)
        moved = model.momentum(change.state).P - model.momentum(starts[case]).P
        assert_allclose(gained["external"][case, :3], moved, atol=1e-12)
        assert_allclose(runs.x[case], history.states.x, atol=1e-9)
        assert_allclose(runs.work[case], history.work, atol=1e-9)
        assert_allclose(runs.external[case, -1, :3], history.external_impulse[-1], atol=1e-8)
        assert_allclose(forces[case], history.tau, atol=1e-8)
        assert_allclose(through["interface_wrench"][case], history.interface_wrench, atol=1e-7)
        off = changes.plant.brought_back(runs.x[case, -1], np.array(2.0))[1] if case == 0 else 0.0
        assert np.abs(off).max() < 1e-12


@pytest.mark.slow
def test_runs_start_with_the_constraints_of_their_plant(model, law, starts):
    plant = Plant(model, Floating(), constraints=("grip",))
    changes = plant.under_each(("grip",), starts)
    runs = ensemble(plant, law, changes.states, **RUN, step_s=0.05)
    known = ensemble(changes.plant, law, changes.states, **RUN, step_s=0.05, parameters={"kept": changes.kept}, threads=2)
    np.testing.assert_array_equal(runs.x, known.x)
    rough = ensemble(changes.plant, law, changes.states, **RUN, step_s=0.25, method="rk4", parameters={"kept": changes.kept})
    assert 1e-5 < abs(rough.x[0, -1] - runs.x[0, -1]).max() < 1e-1
    assert runs.drift.max() < 1e-9 < 1e-6 < rough.drift.max()
    assert abs(changes.plant.brought_back(rough.x[0, -1], np.array(2.0))[1]).max() < 1e-12
    with pytest.raises(InvalidInput, match=r"states0\[0\]: expected speeds that obey 'grip'"):
        ensemble(plant, law, starts, **RUN, step_s=0.05)
    with pytest.raises(InvalidInput, match="expected constraints that neither slip nor let go, found 'brake'"):
        ensemble(Plant(model, Floating(), constraints=("brake",)), law, starts, **RUN, step_s=0.05)


@pytest.mark.slow
def test_a_run_under_constraints_ends_with_an_event_as_it_does_by_itself(model, law, starts):
    changes = Plant(model, Floating(), constraints=()).under_each(("grip",), starts)
    moved = Near("base", model.position(changes.states[0], "base") + np.array([0.3, 0, 0]), 0.29)
    given = {"reference": HOLD, "t_end_s": 20.0, "output_step_s": 1.0}
    runs = ensemble(changes.plant, law, changes.states, **given, step_s=0.1, parameters={"kept": changes.kept}, until=moved)
    for case, outcome in enumerate(runs.outcomes):
        one = replace(changes.plant, holding=replace(changes.plant.holding, kept=changes.kept[case]))
        history = simulate(one, law, changes.states[case], **given, rtol=1e-11, events=[moved])
        assert outcome is history.outcome
        assert_allclose(runs.last_good_s[case], history.t[-1], atol=1e-7)
        assert_allclose(runs.final[case].x, history.final.x, atol=1e-7)
        assert abs(one.brought_back(runs.final[case].x, np.array(0.0))[1]).max() < 1e-12
    assert Outcome.EVENT in runs.outcomes


@pytest.mark.slow
def test_what_holds_already_keeps_what_it_kept(model, law, starts):
    changes = Plant(model, Floating(), constraints=()).under_each(("grip",), starts)
    runs = ensemble(changes.plant, law, changes.states, **RUN, step_s=0.05, parameters={"kept": changes.kept})
    then = changes.plant.under_each(("lock2", "grip"), runs.states(1), 2.0, kept=changes.kept)
    assert_allclose(then.kept[:, 1:-1], changes.kept[:, :-1], rtol=0)
    assert_allclose(then.kept[:, 0], runs.states(1).q[:, 1], rtol=0)


@pytest.mark.slow
def test_tables_of_inertias_of_their_own_are_those_of_the_jump_too(model, law, starts):
    heavy = [Body(b.name, 2 * b.mass_kg, 2 * np.array(b.inertia_kg_m2), b.com_m, b.parent, b.joint) for b in ARM.bodies]
    table = inertia_table(System("heavy", heavy[0], heavy[1:], ARM.frames, constraints=model.system.constraints))
    tables = np.array([inertia_table(model.system), table])
    two = State.stack([starts[1], starts[1]])
    changes = Plant(model, Floating(), constraints=()).under_each(("grip",), two, values={"inertia": tables})
    assert_allclose(changes.energy_lost[1], 2 * changes.energy_lost[0], rtol=1e-12)
    given = {"kept": changes.kept, "inertia": tables}
    runs = ensemble(changes.plant, law, changes.states, **RUN, step_s=0.05, parameters=given)
    truth = Plant(
        compile_model(System("heavy", heavy[0], heavy[1:], ARM.frames, constraints=model.system.constraints)), Floating()
    )
    change = truth.under(("grip",), starts[1])
    history = simulate(change.plant, law, change.state, **RUN, rtol=1e-12)
    assert_allclose(runs.x[1, -1], history.states.x[-1], atol=1e-9)


@pytest.mark.slow
def test_a_case_in_which_they_cannot_hold_is_told(model, law, starts):
    turned = State(q=[0.9, 0.5, 0.5, 0.5], qdot=np.zeros(4), r_0=np.zeros(3))
    states = State.stack([turned, *(starts[k] for k in range(3))])
    changes = Plant(model, Floating(), constraints=()).under_each(("grip",), states)
    assert list(changes.unmet) == [0] and "tolerance_rad" in changes.unmet[0]
    np.testing.assert_array_equal(changes.states.x[0], turned.x)
    runs = ensemble(changes.plant, law, changes.states, **RUN, step_s=0.05, parameters={"kept": changes.kept})
    assert set(runs.outcomes[1:]) == {Outcome.COMPLETED}


@pytest.mark.slow
@pytest.mark.parametrize("bad", [[1, 3], [0, 1, 3]], ids=["apart", "with the first"])
def test_dependent_speeds_are_chosen_anew_where_they_have_to_be(model, law, starts, monkeypatch, bad):
    """A bound that no choice meets has them chosen, by each run for itself or by the first for all; the motion is the same."""
    changes = Plant(model, Floating(), constraints=()).under_each(("grip",), starts)
    given = {**RUN, "step_s": 0.05, "output_step_s": 0.5}
    runs = ensemble(changes.plant, law, changes.states, **given, parameters={"kept": changes.kept})
    kept, chosen, held_anew = changes.kept.copy(), [], Plant.held_anew

    def noted(plant, state, t, kept):
        chosen.append(t)
        return held_anew(plant, state, t, kept)

    monkeypatch.setattr(Plant, "held_anew", noted)
    kept[bad, -1] = 1e-3
    again = ensemble(changes.plant, law, changes.states, **given, parameters={"kept": kept})
    assert set(again.outcomes) == {Outcome.COMPLETED} and len(chosen) == len(bad)
    alone = ensemble(changes.plant, law, states_of(changes, [0, 3]), **given, parameters={"kept": kept[[0, 3]]})
    np.testing.assert_array_equal(alone.x[1], again.x[3])
    assert_allclose(again.x, runs.x, atol=1e-12)
    assert_allclose(again.errors, runs.errors, atol=1e-12)
    well, badly = (
        ensemble_forces("reaction", changes.plant, law, HOLD, runs.t, runs.x, {"kept": k}) for k in (changes.kept, kept)
    )
    assert_allclose(badly["reaction"], well["reaction"], atol=1e-10)
    monkeypatch.setattr(Plant, "held_anew", lost)
    ended = ensemble(changes.plant, law, changes.states, **given, parameters={"kept": kept})
    assert [k for k, outcome in enumerate(ended.outcomes) if outcome is Outcome.SINGULAR] == bad
    assert "case 3: the dependent speeds are badly chosen" in ended.advice(3)
    assert np.isnan(ended.x[3, -1]).all() and ended.last_good_s[3] == 0.0


def states_of(changes, numbers):
    """Some of the states after changes."""
    return State.stack([changes.states[k] for k in numbers])


def lost(plant, state, t, kept):
    """Nothing can be chosen."""
    raise ConstraintRankLoss("no")


@pytest.mark.slow
@pytest.mark.parametrize("mode", [Flying(), RotationFloating()], ids=lambda mode: mode.name)
def test_a_grasped_body_is_pushed_by_thrusters_and_turned_by_wheels(mode):
    model = compile_model(load_system("missions/systems/ets7_capture.toml"))
    still = {"r_0": np.zeros(3), "wheel_rad_s": np.zeros(4)}
    arm = np.deg2rad([-30, -60, 30, -30, 30, -30])
    posed = State(q=[*arm, 0, 0, 0, 0, 0, 0, 1], qdot=np.zeros(12), **still)
    turned = dcm_from_quaternion(model.attitude(posed, "tip")) @ dcm_from_quaternion(model.attitude(posed, "grapple")).T
    place = model.position(posed, "tip") - turned @ model.position(posed, "grapple")
    tumbles = np.array([0.02, -0.01, 0.005, 0.01, 0.02, -0.015]) * np.array([[0.4], [-0.3], [0.2]])
    q = [*arm, *place, *quaternion_from_dcm(turned)]
    states = State.stack([State(q=q, qdot=[*np.zeros(6), *u], **still) for u in tumbles])
    law = CoordinatedComputedTorque(model, mode, K_P=0.01, K_D=0.2, base_K_P=0.01, base_K_D=0.2)
    plant = Plant(model, mode)
    changes = plant.under_each(("grasp",), states)
    assert not changes.unmet
    options = {"reference": Hold(states.q[0], layout=model.layout), "t_end_s": 10.0, "output_step_s": 1.0}
    runs = ensemble(changes.plant, law, changes.states, **options, step_s=0.2, parameters={"kept": changes.kept})
    assert set(runs.outcomes) == {Outcome.COMPLETED}
    for case in range(3):
        change = plant.under(("grasp",), states[case])
        history = simulate(change.plant, law, change.state, **options, rtol=1e-11)
        assert_allclose(runs.x[case], history.states.x, atol=1e-7)
        assert_allclose(runs.propellant_kg[case], history.propellant_kg, atol=1e-7)
        assert not history.broken_laws
