"""Numbers of a system that differ from run to run, by their paths."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.actuators import Motor, Wheel
from scmanip.control import ComputedTorque, CoordinatedComputedTorque
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Cycloid
from scmanip.modes import Floating, RotationFloating
from scmanip.simulation import Near, Outcome, ensemble, simulate
from scmanip.simulation.equations import _recorded_loop
from scmanip.simulation.equations._recorded_loop import RecordedLoop
from scmanip.system import State
from tests.simulation.test_ensemble_events import with_a_tip

SYSTEM = with_a_tip()
MOTOR = {"gear_ratio": 30.0, "rotor_inertia_kg_m2": 1e-3, "coulomb_Nm": 0.2, "coulomb_width_rad_s": 0.1}
DRIVEN = SYSTEM.with_actuators(
    [
        Motor(SYSTEM.joints[0].name, torque_Nm=60.0, **MOTOR),
        *(Wheel(f"w{k}", axis, 0.05, torque_Nm=200.0, damping_Nms_rad=1e-3) for k, axis in enumerate(np.eye(3))),
    ]
)
PLACES = ["joint.*.origin_m", "frame.*.origin_m", "body.*.mass_kg"]
PATHS = [*PLACES, "motor.*.coulomb_Nm", "motor.*.gear_ratio", "wheel.*.inertia_kg_m2"]
RUN = {"t_end_s": 2.0}
N = 5


def values_of(model, n=N):
    """Numbers of n runs, a few percent apart."""
    rng = np.random.default_rng(3)
    return {
        path: number.value + 0.03 * rng.standard_normal((n, *number.shape)) * (abs(number.value) + 0.1)
        for path, number in model.symbols.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("mode", [Floating(), RotationFloating()], ids=lambda mode: mode.name)
def test_each_run_is_that_of_its_own_system(mode):
    model, believed = compile_model(DRIVEN, symbols=PATHS), compile_model(DRIVEN)
    law = ComputedTorque(believed, K_P=2.0, K_D=1.0)
    if isinstance(mode, RotationFloating):
        law = CoordinatedComputedTorque(believed, mode, K_P=2.0, K_D=1.0, base_K_P=0.1, base_K_D=0.3)
    start, values = State.at_rest(DRIVEN, [0.4, -0.7]), values_of(model)
    run = {**RUN, "reference": Cycloid(start.q, start.q + np.array([0.5, 0.3]), duration_s=2.0)}
    given = {f"system.{path}" if k % 2 else path: value for k, (path, value) in enumerate(values.items())}
    together = ensemble(model, mode, law, start, step_s=0.02, parameters=given, **run)
    for case in range(2):
        own = {path: value[case] for path, value in values.items()}
        folded = simulate(compile_model(DRIVEN.with_numbers(own)), mode, law, start, rtol=1e-12, **run)
        opened = simulate(model.with_values(own), mode, law, start, rtol=1e-12, **run)
        for alone in (folded, opened):
            assert_allclose(together.final[case].x, alone.final.x, rtol=0, atol=1e-7)
            assert_allclose(together.dissipated[case, -1], alone.dissipated[-1], rtol=0, atol=1e-7)
    one = ensemble(model, mode, law, start, step_s=0.02, parameters={path: value[3:4] for path, value in values.items()}, **run)
    assert_array_equal(one.x[0], together.x[3])


@pytest.mark.slow
def test_what_a_law_believes_differs_as_well():
    model, estimate = compile_model(SYSTEM), compile_model(SYSTEM, symbols=["body.*.mass_kg"])
    law, start = ComputedTorque(estimate, K_P=2.0, K_D=1.0), State.at_rest(SYSTEM, [0.4, -0.7])
    run = {**RUN, "reference": Cycloid(start.q, start.q + np.array([0.5, 0.3]), duration_s=2.0)}
    values = values_of(estimate, 2)
    given = {f"estimate.{path}": value for path, value in values.items()}
    together = ensemble(model, Floating(), law, start, step_s=0.02, parameters=given, **run)
    known = estimate.with_values({path: value[1] for path, value in values.items()})
    alone = simulate(model, Floating(), ComputedTorque(known, K_P=2.0, K_D=1.0), start, rtol=1e-12, **run)
    assert_allclose(together.final[1].x, alone.final.x, rtol=0, atol=1e-8)
    assert abs(together.final[0].x - together.final[1].x).max() > 1e-5


@pytest.mark.slow
def test_what_numbers_alone_decide_is_done_once_for_a_run(monkeypatch):
    def loops(model):
        return [kept for kept in model.family.kept.values() if isinstance(kept, RecordedLoop)]

    model = compile_model(SYSTEM, symbols=PLACES)
    law, start, values = ComputedTorque(model, K_P=2.0, K_D=1.0), State.at_rest(SYSTEM, [0.4, -0.7]), values_of(model, 9)
    run = {**RUN, "reference": Cycloid(start.q, start.q + np.array([0.5, 0.3]), duration_s=2.0)}

    def flown(**options):
        return ensemble(model, Floating(), law, start, step_s=0.02, parameters=values, **run, **options)

    once, same = flown(), flown(threads=2)
    (loop,) = loops(model)
    assert loop.once is not None and not {*values} & {*loop.names}
    assert_array_equal(same.x, once.x)
    alone = simulate(model, Floating(), law, start, **run)
    monkeypatch.setattr(_recorded_loop, "WORTH", np.inf)
    model.family.kept.clear()
    whole = flown()
    assert loops(model)[0].once is None
    assert loops(model)[0].ode.program.operations.total > loop.ode.program.operations.total + 32
    assert_allclose(once.x, whole.x, rtol=0, atol=1e-12)
    assert_allclose(alone.final.x, simulate(model, Floating(), law, start, **run).final.x, rtol=0, atol=1e-9)


def test_a_run_without_open_numbers_does_all_in_one():
    model = compile_model(SYSTEM)
    start = State.at_rest(SYSTEM, [0.4, -0.7])
    run = {"t_end_s": 0.1, "reference": Cycloid(start.q, start.q, duration_s=2.0)}
    simulate(model, Floating(), ComputedTorque(model, K_P=2.0, K_D=1.0), start, **run)
    assert all(kept.once is None for kept in model.family.kept.values() if isinstance(kept, RecordedLoop))


def test_numbers_that_are_no_inputs_are_refused():
    model = compile_model(SYSTEM, symbols=["body.*.mass_kg"])
    law, start = ComputedTorque(model, K_P=2.0, K_D=1.0), State.at_rest(SYSTEM, [0.4, -0.7])
    run = {**RUN, "reference": Cycloid(start.q, start.q, duration_s=2.0), "step_s": 0.1}
    path = f"joint.{SYSTEM.joints[0].name}.origin_m"
    with pytest.raises(InvalidInput, match=r"has numbers of the system as inputs"):
        ensemble(model, Floating(), law, start, parameters={path: np.zeros((2, 3))}, **run)
    with pytest.raises(InvalidInput, match=r"body\.base\.mass_kg"):
        ensemble(model, Floating(), law, start, parameters={"body.base.mass_kg": np.zeros((2, 3))}, **run)


@pytest.mark.slow
def test_an_event_ends_runs_whose_numbers_differ():
    model = compile_model(SYSTEM, symbols=["body.*.mass_kg", "joint.*.origin_m", "joint.*.damping_Nms_rad"])
    law, start = ComputedTorque(compile_model(SYSTEM), K_P=2.0, K_D=1.0), State.at_rest(SYSTEM, [0.4, -0.7])
    run = {"t_end_s": 3.0, "reference": Cycloid(start.q, start.q + np.array([0.5, 0.3]), duration_s=2.0)}
    there = simulate(model, Floating(), law, start, **run).states[250]
    close = Near("tip", model.position(there, "tip"), 0.15)
    values = values_of(model, 3)
    together = ensemble(model, Floating(), law, start, step_s=0.05, parameters=values, until=close, **run)
    for case in range(3):
        own = model.with_values({path: value[case] for path, value in values.items()})
        alone = simulate(own, Floating(), law, start, rtol=1e-12, events=[close], **run)
        assert together.outcomes[case] is alone.outcome is Outcome.EVENT
        assert_allclose(together.last_good_s[case], alone.t[-1], rtol=0, atol=1e-7)
        assert_allclose(together.final[case].x, alone.final.x, rtol=0, atol=1e-7)
