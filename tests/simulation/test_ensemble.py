"""Many runs at once are the single runs, whatever is dispersed and however they are shared out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.control import ComputedTorque, JointRegulator, Sampled, WithFeedforward
from scmanip.dynamics import RunTimeInertia, compile_model, inertia_table
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, JointSequence
from scmanip.loads import Gravity, Orbit
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import Outcome, ensemble, simulate
from scmanip.simulation.ensemble import _ensemble as ensemble_file
from scmanip.simulation.events._runaway import RUNAWAY
from scmanip.system import Body, Joint, State, System
from tests.simulation.arms import model, moving_state, two_joints

PLANT = compile_model(two_joints(stiffness=2.0, damping=0.3), inertia=RunTimeInertia())
SEQUENCE = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)
LAW = WithFeedforward(ComputedTorque(PLANT, K_P=2.0, K_D=1.0))
RUN = {"reference": SEQUENCE, "t_end_s": 3.0, "step_s": 0.05}


def dispersed(n):
    """Starts, tables of inertias and gains of n cases, and the systems that have the tables."""
    rng = np.random.default_rng(5)
    start, rates = moving_state(), rng.normal(0, 0.2, (n, 2))
    states = State.stack([State(start.r_0, start.attitude_xyzw, start.q, start.v_0, start.omega_0, rate) for rate in rates])
    systems = [heavier(PLANT.system, factor) for factor in rng.uniform(0.7, 1.4, n)]
    gains = {"K_P": rng.uniform(1, 3, (n, 2)), "K_D": rng.uniform(1, 3, (n, 2))}
    return states, systems, {**gains, "inertia": np.array([inertia_table(system) for system in systems])}


def heavier(system, factor):
    """The same system with all bodies that much heavier."""
    base, *others = (
        Body(b.name, b.mass_kg * factor, np.array(b.inertia_kg_m2) * factor, b.com_m, b.parent, b.joint) for b in system.bodies
    )
    return System(system.name, base, others)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_every_case_is_its_own_run(method):
    states, systems, parameters = dispersed(5)
    options = {**RUN, "step_s": {"dop853": 0.05, "rk4": 0.004}[method], "method": method, "output_step_s": 0.25}
    runs = ensemble(PLANT, Floating(), LAW, states, **options, parameters=parameters)
    assert runs.x.shape == (5, 13, PLANT.layout.n_x)
    assert set(runs.outcomes) == {Outcome.COMPLETED}
    for case in range(5):
        truth = PLANT.with_inertia_of(systems[case])
        law = WithFeedforward(ComputedTorque(PLANT, K_P=parameters["K_P"][case], K_D=parameters["K_D"][case]))
        history = simulate(
            truth, Floating(), law, states[case], reference=SEQUENCE, t_end_s=3.0, rtol=1e-12, output_step_s=0.25
        )
        assert_allclose(runs.t, history.t)
        assert_allclose(runs.x[case], history.states.x, atol=1e-8)
        assert_allclose(runs.work[case], history.work, atol=1e-8)
        assert_allclose(runs.dissipated[case], history.dissipated, atol=1e-8)
        assert_allclose(runs.final[case].x, history.final.x, atol=1e-8)


@pytest.mark.slow
def test_threads_parts_and_company_change_no_bit(monkeypatch):
    states, _, parameters = dispersed(37)
    whole = ensemble(PLANT, Floating(), LAW, states, **RUN, parameters=parameters)
    monkeypatch.setattr(ensemble_file, "PART", 10)
    parted = ensemble(PLANT, Floating(), LAW, states, **RUN, parameters=parameters, threads=2)
    assert_array_equal(whole.x, parted.x)
    alone = ensemble(
        PLANT, Floating(), LAW, State.stack([states[3]]), **RUN, parameters={k: v[3:4] for k, v in parameters.items()}
    )
    assert_array_equal(alone.x[0], whole.x[3])


@pytest.mark.slow
def test_what_is_not_given_is_that_of_the_parts_and_one_state_serves_all():
    gains = np.array([[1.0, 1.0], [3.0, 2.0]])
    runs = ensemble(PLANT, Floating(), LAW, moving_state(), **RUN, parameters={"K_P": gains, "K_D": [1.5, 1.5]})
    assert len(runs) == 2
    for case in range(2):
        law = WithFeedforward(ComputedTorque(PLANT, K_P=gains[case], K_D=1.5))
        history = simulate(PLANT, Floating(), law, moving_state(), reference=SEQUENCE, t_end_s=3.0, output_step_s=3.0)
        assert_allclose(runs.x[case, -1], history.final.x, atol=1e-8)


@pytest.mark.slow
def test_a_wrong_estimate_is_another_table():
    true, wrong = inertia_table(PLANT.system), inertia_table(heavier(PLANT.system, 1.3))
    runs = ensemble(PLANT, Floating(), LAW, moving_state(), **RUN, parameters={"estimate_inertia": np.array([true, wrong])})
    law = WithFeedforward(ComputedTorque(PLANT.with_inertia_of(heavier(two_joints(stiffness=2.0, damping=0.3), 1.3)), K_P=2.0))
    history = simulate(PLANT, Floating(), law, moving_state(), reference=SEQUENCE, t_end_s=3.0, output_step_s=3.0)
    assert_allclose(runs.x[1, -1], history.final.x, atol=1e-8)
    assert abs(runs.x[0, -1] - runs.x[1, -1]).max() > 1e-3


def test_a_regulator_on_a_held_base():
    plant = model(fixed=True, gravity=(0.5, 0.0, -9.81), damping=0.5)
    law = JointRegulator(plant, K_P=40.0, K_D=9.0)
    starts = State(q=[[0.4, -0.7], [0.0, 0.2]], qdot=[[0.3, -0.4], [0.0, 0.0]])
    runs = ensemble(plant, FixedBase(), law, starts, reference=Hold([0.1, 0.2]), t_end_s=2.0, step_s=0.02)
    for case in range(2):
        history = simulate(plant, FixedBase(), law, starts[case], reference=Hold([0.1, 0.2]), t_end_s=2.0, output_step_s=2.0)
        assert_allclose(runs.x[case, -1], history.final.x, atol=1e-8)


def test_order_is_that_of_the_method():
    def end(step, method):
        reference = Hold([0.1, 0.2])
        run = ensemble(PLANT, Floating(), LAW, moving_state(), reference=reference, t_end_s=4.0, step_s=step, method=method)
        return run.x

    truth = end(0.01, "dop853")
    for method, order, steps in (("rk4", 4, (0.1, 0.05)), ("dop853", 8, (0.8, 0.4))):
        errors = [abs(end(step, method) - truth).max() for step in steps]
        assert errors[0] / errors[1] > 2 ** (order - 0.5)


def test_a_case_that_goes_wrong_says_when_and_disturbs_no_other():
    gains = np.array([[1.0, 1.0], [1e7, 1e7], [2.0, 2.0]])
    runs = ensemble(PLANT, Floating(), LAW, moving_state(), **RUN, parameters={"K_D": gains}, output_step_s=0.5)
    assert runs.outcomes[0] is runs.outcomes[2] is Outcome.COMPLETED
    assert runs.outcomes[1] in (Outcome.DIVERGED, Outcome.NOT_FINITE)
    assert runs.last_good_s.tolist()[0] == 3.0
    assert runs.last_good_s[1] < 0.5
    assert np.isnan(runs.x[1, 1:]).all()
    assert np.isfinite(runs.final.x).all()
    assert runs.advice(1).startswith("case 1: ")
    assert "take shorter steps" in runs.advice(1)
    assert runs.advice(0) == ""
    assert "3 runs to 3 s, 2 completed" in repr(runs)
    alone = ensemble(PLANT, Floating(), LAW, moving_state(), **RUN, parameters={"K_D": gains[2:]}, output_step_s=0.5)
    assert_array_equal(alone.x[0], runs.x[2])


def test_a_case_whose_steps_are_a_little_too_long_diverges_and_is_told_so():
    """A hinge with damper d / I = 60 / s: in steps of 0.05 s its rate grows by 1 - 3 + 9/2 - 27/6 + 81/24 = 1.375 in each."""
    leaf = Body("leaf", 1.0, [1.0, 1.0, 4.0], parent="base", joint=Joint("hinge", "revolute"))
    door = compile_model(System("door", Body("base", 1.0, [1.0] * 3), [leaf], fixed=True))
    law, start = JointRegulator(door, K_P=0.0, K_D=1.0), State(q=[0.0], qdot=[0.5])
    options = {"reference": Hold([0.0]), "t_end_s": 3.0, "step_s": 0.05, "method": "rk4", "output_step_s": 0.25}
    runs = ensemble(door, FixedBase(), law, start, parameters={"K_D": [[4.0], [240.0]]}, **options)
    assert runs.outcomes == (Outcome.COMPLETED, Outcome.DIVERGED)
    grown = 0.5 * 1.375 ** (5 * np.arange(1, 13))  # at the outputs
    last = 0.25 * np.count_nonzero(grown <= RUNAWAY)
    assert runs.last_good_s.tolist() == pytest.approx([3.0, last])
    assert runs.final.qdot[1, 0] == pytest.approx(grown[round(last / 0.25) - 1], rel=1e-9)
    assert "a speed passed" in runs.advice(1)
    assert np.isnan(runs.x[1, -1]).all()


class Pushing(Floating):
    """A mode of one's own."""

    def generalized_force(self, model, state, command):
        """Return twice the command."""
        return super().generalized_force(model, state, 2 * command)


class Tide(Gravity):
    """An environment that is equal to itself alone."""

    __hash__ = object.__hash__

    def __init__(self):
        super().__init__(Orbit.circular(altitude_m=500e3))


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"step_s": 0.0}, "step_s"),
        ({"between_corners": -1}, "between_corners"),
        ({"between_corners": 2.5}, "between_corners"),
        ({"t_end_s": np.nan}, "t_end_s"),
        ({"method": "euler"}, "method"),
        ({"output_step_s": -1.0}, "output_step_s"),
        ({"mode": Pushing()}, "mode"),
        ({"environment": Tide()}, "environment"),
        ({"controller": lambda t, state: [0.0, 0.0]}, "controller"),
        ({"controller": Sampled(lambda t, state: [0.0, 0.0], rate_Hz=10.0)}, "controller"),
        ({"reference": None}, "reference"),
        ({"states0": 3}, "states0"),
        ({"states0": State(q=[0.0, 0.0])}, "states0"),
        ({"parameters": {"K_I": [1.0, 1.0]}}, "parameters 'K_I'"),
        ({"parameters": {"K_P": np.ones((3, 5))}}, "parameters 'K_P'"),
        ({"parameters": {"K_P": [np.nan, 1.0]}}, "parameters 'K_P'"),
        ({"parameters": {"K_P": np.ones((3, 2)), "K_D": np.ones((4, 2))}}, "parameters 'K_D'"),
        ({"parameters": {"K_P": np.ones((3, 2))}, "states0": State.stack([moving_state()] * 4)}, "states0"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(changes, key):
    good = {"model": PLANT, "mode": Floating(), "controller": LAW, "states0": moving_state(), **RUN}
    with pytest.raises(InvalidInput) as caught:
        ensemble(**{**good, **changes})
    assert [problem.key for problem in caught.value.problems] == [key]


def test_a_wrong_pair_is_refused():
    with pytest.raises(ModeMismatch):
        ensemble(PLANT, FixedBase(), LAW, moving_state(), **RUN)


def test_corners_are_outputs_where_stretches_between_them_are_divided():
    runs = ensemble(PLANT, Floating(), LAW, moving_state(), **RUN, between_corners=3, output_step_s=0.4)
    inside = [corner for corner in SEQUENCE.corners_s if 0 < corner < 3.0]
    assert_allclose(runs.t[runs.corners], inside)
    assert np.diff(runs.t).max() <= 0.4 * (1 + 1e-9)
    edges = np.concatenate([[0], np.flatnonzero(runs.corners), [len(runs.t) - 1]])
    assert np.diff(edges).min() >= 3
    history = simulate(PLANT, Floating(), LAW, moving_state(), reference=SEQUENCE, t_end_s=3.0, output_step_s=3.0)
    assert_allclose(runs.x[0, -1], history.final.x, atol=1e-8)


def test_errors_are_estimated_and_above_the_true_ones():
    states, _, parameters = dispersed(4)
    exact = ensemble(PLANT, Floating(), LAW, states, **{**RUN, "step_s": 0.01}, parameters=parameters).x[:, -1]
    for step in (0.2, 0.4):
        runs = ensemble(PLANT, Floating(), LAW, states, **{**RUN, "step_s": step}, parameters=parameters)
        true = np.abs(runs.x[:, -1] - exact).max(axis=1)
        assert (true < runs.errors.max(axis=1)).all()
    assert np.isnan(ensemble(PLANT, Floating(), LAW, states, **RUN, method="rk4", parameters=parameters).errors).all()
