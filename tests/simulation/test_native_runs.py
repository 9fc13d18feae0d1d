"""Runs in machine code are the runs step by step in Python: same steps, same states, same end, same words."""

import re
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from scmanip.control import ComputedTorque, JointRegulator, WithFeedforward
from scmanip.dynamics import RunTimeInertia, compile_model
from scmanip.guidance import Cycloid, Hold, JointReference, JointSequence, RateProfile
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import DOP853, FullState, MomentumReduced, Outcome, simulate
from scmanip.simulation.loop._native import NativeLoop
from scmanip.spatial import quaternion_rate
from scmanip.system import Body, Joint, SpringDamper, State, System, load_system
from tests.simulation.arms import INERTIA_1, model, moving_state, two_joints
from tests.simulation.machine_code import without_machine_code


class InPython(WithFeedforward):
    """The same law by another class, which is not recorded."""


class PrintedInPython(ComputedTorque):
    """The same law by another class, which is not recorded."""


class RegulatorInPython(JointRegulator):
    """The same law by another class, which is not recorded."""


PLANT = model()
SPRUNG = model(stiffness=3.0, damping=0.7)
GROUNDED = model(fixed=True, gravity=(0.5, 0.0, -9.81), stiffness=4.0, damping=1.5)
SEQUENCE = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)
ON_GROUND = State(q=[0.4, -0.7], qdot=[0.3, -0.4])


def ball():
    """A link on a spherical joint and one on a hinge beyond it, with a spring between two points."""
    hip = Joint("hip", "spherical", origin_m=[0.5, 0.1, 0.2])
    knee = Joint("knee", "revolute", [0, 1, 0], origin_m=[0.8, 0, 0])
    bodies = [
        Body("thigh", 8.0, INERTIA_1, [0.5, 0.02, 0.0], "base", hip),
        Body("shin", 3.0, INERTIA_1, parent="thigh", joint=knee),
    ]
    springs = [SpringDamper("cable", ("base", "shin.com"), 5.0, 0.4, 0.3)]
    return compile_model(System("ball", Body("base", 40.0, np.diag([6.0, 7.0, 5.0])), bodies, springs=springs))


def both(native, python, plant, mode, state0, **options):
    """The run in machine code, the one in which that asks a law in Python, and the one in Python."""
    options = {"t_end_s": 3.0, "rtol": 1e-10, "output_step_s": 0.125, "coordinates": FullState()} | options
    runs = [simulate(plant, mode, law, state0, **options) for law in (native, python)]
    with without_machine_code():
        return [*runs, simulate(plant, mode, python, state0, **options)]


def check_equal(runs, atol=1e-12):
    """Everything in the histories agrees."""
    *others, slow = runs
    for fast in others:
        assert (fast.outcome, fast.steps) == (slow.outcome, slow.steps)
        for name in ("t", "q", "qdot", "r_0", "attitude_xyzw", "v_0", "omega_0", "work", "dissipated", "tau", "wrench", "L_C"):
            assert_allclose(getattr(fast, name), getattr(slow, name), atol=atol, rtol=1e-10, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("reference", [SEQUENCE, Cycloid([0.4, -0.7], [1.0, 0.2], duration_s=2.0), Hold([0.1, 0.2])], ids=repr)
def test_computed_torque_on_a_free_base(reference):
    law = ComputedTorque(model(mass_2=6.0), K_P=[2.0, 3.0], K_D=1.5)
    runs = both(WithFeedforward(law), InPython(law), SPRUNG, Floating(), moving_state(), reference=reference)
    check_equal(runs)
    check_equal(
        both(
            law,
            PrintedInPython(law.estimate, K_P=law.K_P, K_D=law.K_D),
            SPRUNG,
            Floating(),
            moving_state(),
            reference=reference,
        )
    )
    assert runs[0].residuals["energy"].relative < 1e-8


@pytest.mark.parametrize("rtol", [1e-5, 1e-8])
def test_at_coarse_tolerances_too_steps_are_those_of_python(rtol):
    law = WithFeedforward(ComputedTorque(SPRUNG, K_P=2.0, K_D=1.5))  # the plant itself: H and C are shared
    check_equal(both(law, InPython(law.law), SPRUNG, Floating(), moving_state(), reference=SEQUENCE, rtol=rtol), atol=1e-11)


def test_a_law_that_knows_the_plant_shares_its_equations():
    def operations(estimate):
        simulate(plant, Floating(), ComputedTorque(estimate), moving_state(), reference=SEQUENCE, t_end_s=0.1)
        loops = [loop for key, loop in plant.family.kept.items() if key[0] == "closed loop"]
        return len(loops[-1].ode.program.steps)

    plant = compile_model(two_joints())
    alone = {name: len(plant.symbolic.program(name).steps) for name in ("forward_dynamics", "floating_inverse_dynamics")}
    shared = operations(plant)
    assert shared < operations(compile_model(two_joints(mass_2=4.1)))
    assert shared < sum(alone.values())


@pytest.mark.slow
def test_work_is_as_exact_as_the_speeds_of_a_heavy_system_that_turns():
    plant = compile_model(load_system("model:bench_6r"))
    start = State([0, 0, 0], [0, 0, 0, 1], [0.02] * 6, [0.1, 0.0, 0.0], [0.05, -0.02, 0.03], np.zeros(6))
    law, reference = ComputedTorque(plant, K_P=1.0, K_D=2.0), RateProfile(6, [1, -1, 1, -1, 1, -1], [(1.0, 0.0, 0.1)])
    history = simulate(plant, Floating(), law, start, reference=reference, t_end_s=4.0, rtol=1e-13, output_step_s=0.5)
    assert history.residuals["energy"].relative < 1e-10
    loose = simulate(plant, Floating(), law, start, reference=reference, t_end_s=4.0, rtol=1e-6, output_step_s=0.5)
    assert loose.residuals["energy"].relative < 1e-6


def test_a_regulator_against_gravity_springs_and_dampers():
    gains = {"K_P": [30.0, 20.0], "K_D": [8.0, 5.0]}
    runs = [JointRegulator(GROUNDED, **gains), RegulatorInPython(GROUNDED, **gains)]
    check_equal(both(*runs, GROUNDED, FixedBase(), ON_GROUND, reference=Hold([0.1, 0.2])))


@pytest.mark.slow
def test_spherical_joints_and_springs_between_points():
    plant = ball()
    law = ComputedTorque(plant, K_P=2.0, K_D=2.0)
    goal = np.array([0.1, 0.5, -0.3, 0.8])
    reference = Hold([*(goal / np.linalg.norm(goal)), 0.4], layout=plant.layout)
    start = State([0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1, -0.3], [0.1, 0, 0], [0, 0.1, 0], [0.1, -0.2, 0.3, 0.2])
    for native, python in [(law, PrintedInPython(plant, K_P=2.0, K_D=2.0)), (WithFeedforward(law), InPython(law))]:
        runs = both(native, python, plant, Floating(), start, reference=reference)
        check_equal(runs, atol=1e-11)
    assert runs[0].dissipated[-1] > 1e-3


@pytest.mark.slow
def test_inertias_at_run_time_need_no_new_program():
    plants = [compile_model(two_joints(), inertia=RunTimeInertia())]
    plants.append(plants[0].with_inertia_of(two_joints(mass_2=9.0)))
    for plant in plants:
        law = ComputedTorque(plants[0], K_P=2.0)
        runs = both(WithFeedforward(law), InPython(law), plant, Floating(), moving_state(), reference=SEQUENCE)
        check_equal(runs)
    kept = [str(key) for key in plants[0].family.kept if isinstance(key, tuple) and key[0] == "closed loop"]
    assert len(kept) == 2
    assert sum("asked" in key for key in kept) == 1  # that of laws in Python


def test_samples_lie_where_they_are_asked_for_whatever_the_steps():
    law = WithFeedforward(ComputedTorque(PLANT))
    runs = [
        simulate(PLANT, Floating(), law, moving_state(), reference=SEQUENCE, t_end_s=2.0, output_step_s=step, rtol=1e-9)
        for step in (0.001, 0.1)
    ]
    assert runs[0].steps == runs[1].steps
    assert_allclose(runs[0].states.x[::100], runs[1].states.x, atol=1e-14)


@pytest.mark.parametrize("coordinates", [FullState(), MomentumReduced()], ids=repr)
def test_a_run_that_is_watched_is_the_same_run_to_the_last_bit(coordinates):
    options = {"t_end_s": 3.0, "rtol": 1e-8, "reference": SEQUENCE, "coordinates": coordinates}
    alone, watched = (
        simulate(PLANT, Floating(), ComputedTorque(PLANT), moving_state(), progress=progress, **options)
        for progress in (None, lambda t: None)
    )
    np.testing.assert_array_equal(watched.states.x, alone.states.x)


def test_progress_is_told_after_every_accepted_step():
    law, reached = WithFeedforward(ComputedTorque(PLANT)), ([], [])
    for kind, times in zip((law, InPython(law.law)), reached, strict=True):
        options = {"t_end_s": 2.0, "rtol": 1e-6, "coordinates": FullState(), "progress": times.append}
        simulate(PLANT, Floating(), kind, moving_state(), reference=SEQUENCE, **options)
    assert_allclose(reached[0], reached[1], rtol=1e-8)  # a step follows from the error, a small difference
    assert len(reached[0]) == len(set(reached[0]))


def without_numbers(sentence):
    """The words of a sentence; step sizes near a limit are a matter of rounding."""
    return re.sub(r"[\d.]+(e-?\d+)?", "#", sentence)


ENDS = {
    "too fast": ({"reference": RateProfile(2, [1.0, 0.0], [(1.0, 0.0, 4000.0)])}, Outcome.DIVERGED),
    "out of steps": ({"integrator": DOP853(max_steps=7)}, Outcome.STALLED),
    "a crawl": ({"gains": 1e8, "integrator": DOP853(max_steps=1000), "rtol": 1e-6}, Outcome.STALLED),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::scmanip.simulation.StiffLoop")
@pytest.mark.parametrize("name", ENDS)
def test_a_run_that_cannot_go_on_says_the_same(name):
    options, outcome = dict(ENDS[name][0]), ENDS[name][1]
    gain = options.pop("gains", 1.0)
    law = ComputedTorque(PLANT, K_P=gain, K_D=gain)
    fast, asking, slow = both(
        WithFeedforward(law), InPython(law), PLANT, Floating(), moving_state(), **{"reference": SEQUENCE, **options}
    )
    assert slow.outcome is outcome
    for run in (fast, asking):
        assert run.outcome is outcome
        assert run.t[-1] == pytest.approx(slow.t[-1], rel=1e-2)
        assert np.all(np.isfinite(run.states.x))
        assert without_numbers(run.advice) == without_numbers(slow.advice)


def test_a_singular_inertia_names_the_joint_in_both():
    turn, slide = Joint("turn", "revolute", [0, 0, 1]), Joint("slide", "prismatic", [1, 0, 0])
    rail = Body("rail", 0.0, [0, 0, 0], parent="base", joint=turn)
    bead = Body("bead", 1.0, [0, 0, 0], parent="rail", joint=slide)
    plant = compile_model(System("bead", Body("base", 1.0, [1, 1, 1]), [rail, bead], fixed=True))
    laws = [kind(plant, K_P=0.0, K_D=0.0) for kind in (JointRegulator, RegulatorInPython)]
    for start in (State(q=[0.0, 0.0]), State(q=[0.0, 0.5], qdot=[0.0, -1.0])):
        fast, asking, slow = both(*laws, plant, FixedBase(), start, reference=Hold([0.0, 0.0]), t_end_s=1.0)
        assert fast.outcome is asking.outcome is slow.outcome
        assert fast.advice == asking.advice == slow.advice


def test_a_law_or_reference_of_ones_own_is_run_as_it_is_written():
    class Stronger(ComputedTorque):
        """Doubles its torque."""

        def torque(self, state, u):
            """Return twice the torque."""
            return 2 * super().torque(state, u)

    class Shifted(JointSequence):
        """Asks for something else."""

        def at(self, t):
            """Return the sequence, a tenth off."""
            sample = super().at(t)
            return JointReference(sample.q + 0.1, sample.qdot, sample.qddot)

    law = ComputedTorque(PLANT)
    plain, *runs = both(law, Stronger(PLANT), PLANT, Floating(), moving_state(), reference=SEQUENCE)
    assert all(abs(plain.q - stronger.q).max() > 1e-2 for stronger in runs)
    shifted = simulate(PLANT, Floating(), law, moving_state(), reference=Shifted(2, ramp_s=0.3), t_end_s=1.0)
    unshifted = simulate(PLANT, Floating(), law, moving_state(), reference=JointSequence(2, ramp_s=0.3), t_end_s=1.0)
    assert abs(shifted.q[-1] - unshifted.q[-1]).max() > 1e-2


def test_runs_of_the_library_s_own_parts_are_in_machine_code(monkeypatch):
    flown = []
    travel = NativeLoop.travel
    monkeypatch.setattr(NativeLoop, "travel", lambda self, track: flown.append(track) or travel(self, track))
    law = ComputedTorque(PLANT)
    simulate(PLANT, Floating(), law, moving_state(), reference=SEQUENCE, t_end_s=1.0)
    assert flown
    flown.clear()
    simulate(PLANT, Floating(), PrintedInPython(PLANT), moving_state(), reference=SEQUENCE, t_end_s=1.0)
    assert not flown


@pytest.mark.slow
def test_sixty_four_seconds_of_six_joints_are_scipys_to_a_billionth():
    """The 64 s problem of `bench_6r`: a right-hand side of methods of `Model`, integrated by SciPy alone."""
    plant = compile_model(load_system("model:bench_6r"))
    steps = [(1, 0.0, 0.1), (10, 0.1, 0.1), (1, 0.1, 0.0), (2, 0.0, 0.0), (1, 0.0, -0.1), (20, -0.1, -0.1), (1, -0.1, 0.0)]
    steps += [(2, 0.0, 0.0), (1, 0.0, 0.1), (10, 0.1, 0.1), (1, 0.1, 0.0), (14, 0.0, 0.0)]
    reference = RateProfile(6, [1, -1, 1, -1, 1, -1], steps)
    law = WithFeedforward(ComputedTorque(plant, K_P=1.0, K_D=2.0))
    q, v, omega = [0.02, -0.03, 0.04, 0.02, -0.01, 0.03], [0.01, -0.005, 0.002], [0.01, -0.02, 0.015]
    start = State(np.zeros(3), [0, 0, 0, 1], q, v, omega, np.zeros(6))
    layout, x = plant.layout, start.x

    def rate(t, x):
        state = State.renormalised(x, layout)
        tau, _ = law.command(t, state, reference.at(t), None)
        joints = plant.forward_dynamics(state, tau)
        return np.concatenate([state.v_0, quaternion_rate(x[3:7], state.omega_0), state.qdot, joints])

    for begin, end in pairwise(reference.corners_s):
        inside = np.nextafter(end, begin)
        run = solve_ivp(lambda t, x, last=inside: rate(min(t, last), x), (begin, end), x, "DOP853", rtol=1e-13, atol=1e-13)
        x = run.y[:, -1]
    truth = State.renormalised(x, layout).x
    for coordinates in (None, MomentumReduced()):
        options = {"reference": reference, "t_end_s": 64.0, "rtol": 1e-13, "output_step_s": 64.0, "coordinates": coordinates}
        history = simulate(plant, Floating(), law, start, **options)
        assert_allclose(history.final.x, truth, rtol=0, atol=1e-9)
