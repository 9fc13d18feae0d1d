"""How states of runs change with numbers of system and law: against differences of runs and runs of complex numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, CoordinatedComputedTorque, JointRegulator, Sampled
from scmanip.dynamics import RunTimeInertia, compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold, JointSequence
from scmanip.loads import HuntCrossley, KelvinVoigt, NormalLaw
from scmanip.modes import FixedBase, Floating, ManoeuvreMode, RotationFloating
from scmanip.plant import Plant
from scmanip.simulation import RK4, History, Outcome, When, simulate
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import State, System

from ..loads.test_contact import ABOVE, BOUNCE, idle, touching
from .arms import moving_state, two_joints
from .test_open_numbers_in_flight import DRIVEN, craft, start_of

HOME = [0.4, -0.7]
TIGHT = {"rtol": 1e-12, "output_step_s": 0.5}


def sequence() -> JointSequence:
    return JointSequence(HOME, rate_rad_s=0.3, ramp_s=0.5, cruise_s=(0.5, 0.5, 0.5), rest_s=0.2, settle_s=0.2)


def flown(system: System, law: Any, *names: str, state: State | None = None, **options: Any) -> History:
    """Two seconds of the floating arm; the law believes in the nominal system."""
    start = moving_state() if state is None else state
    options = {"reference": sequence(), "t_end_s": 2.0, **TIGHT, **options}
    return simulate(compile_model(system), Floating(), law, start, sensitivities=names, **options)


def law_of(system: System, **gains: Any) -> ComputedTorque:
    return ComputedTorque(compile_model(system), K_P=gains.get("K_P", 2.0), K_D=gains.get("K_D", 1.0))


def same(found: np.ndarray, more: np.ndarray, less: np.ndarray, h: float) -> None:
    difference = (more - less) / (2 * h)
    assert found.shape == difference.shape
    assert_allclose(found, difference, rtol=0, atol=1e-6 * max(abs(difference).max(), 1e-2))


NUMBERS = {
    "body.upper.mass_kg": 1e-4,
    "body.fore.com_m[1]": 1e-5,
    "joint.elbow.origin_m[0]": 1e-5,
    "joint.elbow.stiffness_Nm_rad": 1e-4,
}


@pytest.mark.slow
def test_states_change_with_numbers_of_the_system_as_runs_differ() -> None:
    """Corners of the reference, motion with momentum, springs, and the law's estimate as it was."""
    system = two_joints(stiffness=2.0, damping=0.3)
    law = law_of(system)
    history = flown(system, law, *NUMBERS)
    assert [*history.sensitivity] == [*NUMBERS]
    for path, h in NUMBERS.items():
        value = float(system.numbers([path])[path].value)
        more, less = (flown(system.with_numbers({path: value + way}), law) for way in (h, -h))
        found = history.sensitivity[path]
        for name in ("q", "qdot", "r_0", "attitude_xyzw", "v_0", "omega_0"):
            same(getattr(found, name), getattr(more.states, name), getattr(less.states, name), h)
    again = flown(system, law)
    assert np.array_equal(again.q, history.q)
    assert again.sensitivity == {}


@pytest.mark.slow
def test_by_the_base_s_own_centre_of_mass_states_belong_to_a_point_that_stays() -> None:
    system, path, h, state = two_joints(), "body.base.com_m", 1e-5, moving_state()
    law = law_of(system)
    found = flown(system, law, path).sensitivity[path]
    for k, way in enumerate(h * np.eye(3)):
        told = []
        for sign in (1, -1):
            d = dcm_from_quaternion(state.attitude_xyzw) @ (sign * way)
            v_0 = state.v_0 + np.cross(state.omega_0, d)
            there = State(state.r_0 + d, state.attitude_xyzw, state.q, v_0, state.omega_0, state.qdot)
            moved = flown(system.with_numbers({path: system.base.com_m + sign * way}), law, state=there).states
            ways = np.array([dcm_from_quaternion(a) @ (sign * way) for a in moved.attitude_xyzw])
            told.append((moved.q, moved.r_0 - ways, moved.v_0 - np.cross(moved.omega_0, ways)))
        for name, more, less in zip(("q", "r_0", "v_0"), *told, strict=True):
            same(getattr(found, name)[..., k], more, less, h)


@pytest.mark.slow
def test_states_change_with_gains_of_the_law_as_runs_differ() -> None:
    system, h = two_joints(), 1e-4
    history = flown(system, law_of(system), "controller.K_P")
    found = history.sensitivity["controller.K_P"]
    for k, unit in enumerate(np.eye(2)):
        more, less = (flown(system, law_of(system, K_P=2.0 + way * h * unit)) for way in (1, -1))
        same(found.q[..., k], more.q, less.q, h)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["torque", "regulator"])
def test_held_commands_of_sampled_laws_change_with_what_they_see(law: str) -> None:
    system, path, h = two_joints(), "body.fore.mass_kg", 1e-4

    def held(**gains: Any) -> Sampled:
        estimate = compile_model(system)
        inner = law_of(system, **gains) if law == "torque" else JointRegulator(estimate, K_P=gains.get("K_P", 2.0), K_D=1.0)
        return Sampled(inner, rate_Hz=10)

    history = flown(system, held(), path, "controller.K_P")
    value = float(system.numbers([path])[path].value)
    more, less = (flown(system.with_numbers({path: value + way}), held()) for way in (h, -h))
    same(history.sensitivity[path].q, more.q, less.q, h)
    same(history.sensitivity[path].omega_0, more.omega_0, less.omega_0, h)
    gained = history.sensitivity["controller.K_P"].q
    more, less = (flown(system, held(K_P=2.0 + way)) for way in (h, -h))
    same(gained.reshape(*gained.shape[:2], -1).sum(axis=-1), more.q, less.q, h)


@pytest.mark.slow
def test_a_short_run_changes_as_one_of_complex_numbers() -> None:
    """Complex numbers through the program of the loop have the derivative in their imaginary parts, without differences."""
    system, path, end, step = two_joints(), "body.fore.mass_kg", 0.1, 1e-30
    history = flown(system, law_of(system), path, t_end_s=end, output_step_s=end)
    from scmanip.simulation.variation._sensitivities import _Course

    setup = history._books._setup
    flight = _Course(history.stretches).flight(setup)
    program = flight.variations.loop
    numbers = {
        name: np.array(flight.given[name], dtype=complex) for name in (i.name for i in program.inputs) if name in flight.given
    }
    numbers[path] = numbers[path] + 1j * step
    numbers["reference"] = sequence().numbers(end / 2) + 0j

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        given = {**numbers, "t": np.array(t), "y": y}
        return program.evaluate(*(given[i.name] for i in program.inputs))[0]

    y, steps = flight.frame.start(history._books._setup.state0).astype(complex), 50
    for k in range(steps):
        y = runge_kutta(rate, k * end / steps, y, end / steps)
    exact = y.imag[: system.layout.n_x] / step
    assert_allclose(history.sensitivity[path].x[-1], exact, rtol=0, atol=1e-9 * abs(exact).max())


def runge_kutta(rate: Callable[[float, np.ndarray], np.ndarray], t: float, y: np.ndarray, h: float) -> np.ndarray:
    a = rate(t, y)
    b = rate(t + h / 2, y + h / 2 * a)
    c = rate(t + h / 2, y + h / 2 * b)
    return y + h / 6 * (a + 2 * b + 2 * c + rate(t + h, y + h * c))


@pytest.mark.slow
def test_steps_of_one_length_have_derivatives_too() -> None:
    system, path = two_joints(), "body.fore.mass_kg"
    exact = flown(system, law_of(system), path).sensitivity[path].q
    found = flown(system, law_of(system), path, integrator=RK4(step_s=0.01)).sensitivity[path].q
    assert_allclose(found, exact, rtol=0, atol=1e-6 * abs(exact).max())


@pytest.mark.slow
def test_the_time_changes_at_which_an_event_ends_the_run() -> None:
    """The state there changes by its rate times that change as well."""
    system, path, h = two_joints(), "joint.elbow.origin_m[0]", 1e-5
    law = law_of(system)
    q = flown(system, law).q
    high = When("high", lambda t, state: (state.q[1] - (q[1, 1] + q[2, 1]) / 2) * np.sign(q[2, 1] - q[1, 1]))
    history = flown(system, law, path, events=[high])
    value = float(system.numbers([path])[path].value)
    more, less = (flown(system.with_numbers({path: value + way}), law, events=[high]) for way in (h, -h))
    assert history.outcome is Outcome.EVENT
    found = history.sensitivity[path]
    assert_allclose(found.end_s, (more.t[-1] - less.t[-1]) / (2 * h), rtol=1e-6)
    total = found.q[-1] + history.qdot[-1] * found.end_s
    same(total, more.q[-1], less.q[-1], h)
    assert flown(system, law, path).sensitivity[path].end_s is None


@pytest.mark.slow
def test_models_whose_inertias_are_inputs_have_the_same_sensitivities() -> None:
    system, path = two_joints(), "body.fore.mass_kg"
    exact = flown(system, law_of(system), path).sensitivity[path].q
    tabled, options = compile_model(system, inertia=RunTimeInertia()), {"reference": sequence(), "t_end_s": 2.0, **TIGHT}
    found = simulate(tabled, Floating(), law_of(system), moving_state(), sensitivities=[path], **options)
    assert_allclose(found.sensitivity[path].q, exact, rtol=0, atol=1e-10 * abs(exact).max())


@pytest.mark.slow
@pytest.mark.parametrize("law", [KelvinVoigt(1e4, 60.0), HuntCrossley.bouncing(1e4, restitution=0.6, speed_m_s=0.5)])
def test_derivatives_jump_where_forces_of_loads_jump(law: NormalLaw) -> None:
    """A ball that bounces; a damper pushes from the first moment of contact on."""
    system, path, h = BOUNCE.system, "body.ball.mass_kg", 1e-4

    def bounced(mass: float, *names: str) -> History:
        model = compile_model(system.with_numbers({path: mass}))
        plant = Plant(model, FixedBase(), [touching(model, "floor", "ball", law)])
        options = {"reference": Hold([0.0]), "t_end_s": 1.0, **TIGHT}
        return simulate(plant, idle(BOUNCE), ABOVE, sensitivities=names, **options)

    found = bounced(2.0, path).sensitivity[path]
    more, less = bounced(2.0 + h), bounced(2.0 - h)
    same(found.q, more.q, less.q, h)
    same(found.qdot, more.qdot, less.qdot, h)


def test_runs_and_numbers_that_are_not_covered_are_refused_by_name() -> None:
    system = two_joints()
    cases: Mapping[str, tuple[Any, dict[str, Any]]] = {
        "no number": (law_of(system), {"names": ["body.fore.axis"]}),
        "K_Q": (law_of(system), {"names": ["controller.K_Q"]}),
        "machine code": (lambda t, state: np.zeros(2), {"names": ["body.fore.mass_kg"], "reference": None}),
        "not recorded": (Sampled(lambda t, state: np.zeros(2), rate_Hz=10), {"names": ["body.fore.mass_kg"]}),
    }
    for _, (law, options) in cases.items():
        names = options.pop("names")
        with pytest.raises(InvalidInput):
            flown(system, law, *names, **options)
    model, law = compile_model(system), law_of(system)
    with pytest.raises(InvalidInput, match="sensitivities"):
        simulate(model, Floating(), law, moving_state(), t_end_s=1.0, reference=sequence(), sensitivities="body")


VARIED = (
    "body.fore.mass_kg",
    "joint.elbow.origin_m[0]",
    "spring_damper.tie.stiffness_N_m",
    "motor.shoulder.rotor_inertia_kg_m2",
)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [RotationFloating(), FixedBase()], ids=lambda mode: mode.name)
def test_motors_wheels_springs_and_gravity_have_sensitivities(mode: ManoeuvreMode) -> None:
    """With a base that wheels turn, and with one that is held against gravity."""
    fixed = isinstance(mode, FixedBase)
    system = craft(fixed=fixed, gravity=(0.0, 0.0, -1.6) if fixed else (0.0, 0.0, 0.0))
    model, start = compile_model(system), start_of(system)
    law = ComputedTorque(model, K_P=0.4) if fixed else CoordinatedComputedTorque(model, mode, **DRIVEN)
    options = {"reference": Hold([0.3, -0.6]), "t_end_s": 1.0, **TIGHT, "rtol": 1e-13}
    paths = (*VARIED, "gravity_m_s2[2]" if fixed else "wheel.w1.torque_Nm")
    history = simulate(model, mode, law, start, sensitivities=paths, **options)
    opened = compile_model(system, symbols=paths)
    for path in paths:
        value, found = float(opened.symbols[path].value), history.sensitivity[path]

        def at(way: float, path: str = path, value: float = value) -> State:
            return simulate(opened.with_values({path: value * (1 + way)}), mode, law, start, **options).states

        near, far = ((at(h), at(-h)) for h in (1e-3, 2e-3))  # motors at their limits leave noise in closer differences
        for name in ("q", "u", "r_0"):
            one, other = ((getattr(m, name) - getattr(l, name)) / (2e-3 * value * k) for k, (m, l) in ((1, near), (2, far)))
            difference = (4 * one - other) / 3
            allowed = 2e-6 * max(abs(difference).max(initial=0.0), 1e-3)
            assert_allclose(getattr(found, name), difference, rtol=0, atol=allowed, err_msg=path)
