"""One right-hand side: the same over floats, complex numbers and recorded scalars, in runs and beside them."""

import pickle
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import scmanip
from scmanip.control import ComputedTorque
from scmanip.dynamics import derive
from scmanip.errors import InvalidInput, InvalidState, ModeMismatch, UnknownName
from scmanip.guidance import Hold
from scmanip.loads import Bodies, BodyWrenches, Gravity, Load, Orbit
from scmanip.modes import FixedBase, Floating, Flying, RotationFloating, Situation
from scmanip.plant import Plant, state_rates
from scmanip.simulation import ensemble, simulate
from scmanip.symbolic import record
from scmanip.system import State
from tests.dynamics.linkage import at_closed, square
from tests.simulation.arms import model, moving_state

ORBIT = Orbit.elliptic(semi_major_axis_m=7.6e6, eccentricity=0.1, inclination_rad=0.9, true_anomaly_rad=0.5)
ARM = model()


@dataclass(frozen=True)
class Wind(Load):
    """A force along x on a body, against its velocity relative to N."""

    body: str = "base"
    size: float = 0.5

    def wrenches(self, bodies: Bodies, t: float) -> BodyWrenches:
        """Return it, stronger as time goes on."""
        f, k = np.zeros_like(bodies.v), bodies.number(self.body)
        f[k] = -self.size * (1.0 + 0.1 * t) * bodies.v[k] * np.array([1.0, 0.0, 0.0])
        return BodyWrenches(f, 0 * f)


def wheeled_state():
    start = moving_state()
    return State(start.r_0, start.attitude_xyzw, start.q, start.v_0, start.omega_0, start.qdot, wheel_rad_s=[5.0, -20.0, 80.0])


def rates_over_any_scalar(plant, x, command, t):
    now = Situation.recorded(plant.model, x, {})
    motion = plant.motion(now, plant.force(now, command), t, 0.0 * x[: plant.n_books], plant.inputs)
    return state_rates(plant.model.layout, now.x, now.u, motion.udot, motion.own_rates)


def test_rates_are_the_same_over_floats_complex_numbers_and_recorded_scalars_and_have_a_derivative():
    plant = Plant(ARM, RotationFloating(), [Gravity(ORBIT), Wind()], clock_s=3.0)
    state, command = wheeled_state(), np.array([0.0, 0, 0, 0.3, -0.2, 0.1, 0.2, -0.1])
    known = plant.rates(state, command, 2.0)
    assert_allclose(rates_over_any_scalar(plant, state.x, command, 2.0), known, rtol=1e-11, atol=1e-12)
    program = record({"x": state.x.shape}, lambda x: {"rates": rates_over_any_scalar(plant, x, command, 2.0)})
    assert_allclose(program.evaluate(state.x)[0], known, rtol=1e-11, atol=1e-12)
    along = np.random.default_rng(4).normal(size=len(state.x))
    slope = rates_over_any_scalar(plant, state.x + 1e-30j * along, command, 2.0).imag / 1e-30
    step = [rates_over_any_scalar(plant, state.x + h * along, command, 2.0) for h in (1e-6, -1e-6)]
    assert_allclose(slope, (step[0] - step[1]) / 2e-6, atol=1e-7 * abs(slope).max())


def test_rates_are_how_the_state_of_a_run_changes():
    plant, step = Plant(ARM, Flying(), [Wind("upper")]), 1e-3
    command = np.array([0.3, -0.2, 0.1, 0.05, 0.04, 0.03, 0.2, -0.1])
    run = simulate(plant, lambda t, state: command, moving_state(), t_end_s=4 * step, output_step_s=step, rtol=1e-12)
    x, middle = run.states.x, run.states[2]
    slope = (x[0] - 8 * x[1] + 8 * x[3] - x[4]) / (12 * step)
    assert_allclose(plant.rates(middle, command, 2 * step), slope, atol=1e-8)
    assert_allclose(plant.accelerations(middle, command, 2 * step), slope[ARM.layout.x_u], atol=1e-8)


def test_a_plant_flies_as_its_parts_do_and_an_environment_is_a_load():
    options = {"t_end_s": 2.0, "reference": Hold([0.1, 0.2])}
    law, start = ComputedTorque(ARM), moving_state()
    parts = simulate(ARM, Floating(), law, start, environment=Gravity(ORBIT), **options)
    whole = simulate(Plant(ARM, Floating(), [Gravity(ORBIT)]), law, start, **options)
    named = simulate(Plant(ARM, Floating(), [Gravity(ORBIT)]), controller=law, state0=start, **options)
    assert np.array_equal(parts.states.x, whole.states.x) and np.array_equal(whole.states.x, named.states.x)


def test_loads_add_up_and_their_clock_starts_where_the_plant_says():
    loads, state = [Gravity(ORBIT), Wind(), Wind("base", 0.25)], moving_state()
    each = [Plant(ARM, Floating(), [load], clock_s=7.0).accelerations(state, [0, 0], 2.0) for load in loads]
    free = Plant(ARM, Floating()).accelerations(state, [0, 0], 2.0)
    together = Plant(ARM, Floating(), loads).accelerations(state, [0, 0], 9.0)
    assert_allclose(together - free, sum(each) - 3 * free, rtol=1e-9, atol=1e-14)
    command = np.array([0.3, -0.2, 0.1, 0.05, 0.04, 0.03, 0.2, -0.1])
    pushed, alone = (Plant(ARM, Flying(), each).accelerations(state, command, 9.0) for each in (loads, []))
    assert_allclose(pushed - alone, together - free, rtol=1e-9, atol=1e-14)


@pytest.mark.slow
def test_equal_plants_share_programs_whatever_their_clocks_show():
    arm = model()
    for anomaly, clock in ((0.1, 0.0), (2.0, 50.0)):
        orbit = Orbit(7.6e6, 0.1, mean_anomaly_rad=anomaly)
        ensemble(Plant(arm, Floating(), [Gravity(orbit)], clock_s=clock), ComputedTorque(arm), moving_state(),
                 reference=Hold([0, 0]), t_end_s=0.1, step_s=0.1)  # fmt: skip
    assert len([key for key in arm.family.kept if key[0] == "closed loop"]) == 1


def test_a_plant_is_made_of_a_system_its_equations_or_a_model_and_can_be_pickled():
    system, state = ARM.system, moving_state()
    expected = ARM.forward_dynamics(state, np.array([0.2, 0.1]))
    for given in (system, derive(system), ARM):
        plant = scmanip.Plant(given, Floating())
        for again in (plant, pickle.loads(pickle.dumps(plant))):
            assert_allclose(again.accelerations(state, [0.2, 0.1]), expected, rtol=1e-12)


def test_ideal_wheels_stand_still_where_a_state_says_nothing_of_them():
    plant = Plant(ARM, RotationFloating())
    rates = plant.rates(moving_state(), [0.1, 0.2])
    assert rates.shape == (plant.model.layout.n_x,) == (ARM.layout.n_x + 3,)


def test_what_does_not_fit_is_refused_by_name():
    other = Gravity(Orbit.circular(altitude_m=500e3))
    with pytest.raises(ModeMismatch, match="two that differ"):
        Plant(ARM, Floating(), [Gravity(ORBIT), other])
    with pytest.raises(ModeMismatch, match="choose 'floating'"):
        Plant(ARM, FixedBase())
    with pytest.raises(UnknownName, match="'weld'"):
        Plant(ARM, Floating(), constraints=["weld"])
    with pytest.raises(InvalidInput, match="constraints: expected"):
        Plant(ARM, Floating(), constraints=3)
    with pytest.raises(InvalidInput, match=r"(?s)mode: expected.*loads: expected"):
        Plant(ARM, Floating, [Gravity])
    with pytest.raises(InvalidInput, match="environment: expected nothing beside a plant"):
        simulate(Plant(ARM, Floating()), lambda t, x: np.zeros(2), moving_state(), environment=other, t_end_s=1.0)
    with pytest.raises(InvalidInput, match="a plant, a controller and a state"):
        simulate(Plant(ARM, Floating()), Floating(), lambda t, x: np.zeros(2), moving_state(), t_end_s=1.0)
    with pytest.raises((InvalidInput, InvalidState), match="finite"):
        Plant(ARM, Floating()).rates(moving_state(), [0.0, np.nan])
    with pytest.raises(InvalidInput, match=r"(?s)command: expected numbers, found 'x'.*t: expected a finite number"):
        Plant(ARM, Floating()).accelerations(moving_state(), "x", None)
    with pytest.raises(ModeMismatch, match="only the joints are commanded"):
        Plant(ARM, Floating()).rates(moving_state(), np.zeros(8))


class Orbiter(Wind):
    """A load that asks for an orbit."""

    def wrenches(self, bodies: Bodies, t: float) -> BodyWrenches:
        """Return a force along the orbit."""
        f = np.zeros_like(bodies.v) + 1e-6 * bodies.orbit_velocity
        return BodyWrenches(f, 0 * f)


def test_a_load_that_asks_for_an_orbit_sees_that_of_another_load_or_is_refused():
    with pytest.raises(ModeMismatch, match="no load has one"):
        Plant(ARM, Floating(), [Orbiter()]).accelerations(moving_state(), [0, 0])
    assert np.isfinite(Plant(ARM, Floating(), [Orbiter(), Gravity(ORBIT)]).accelerations(moving_state(), [0, 0])).all()


def test_the_ground_takes_what_loads_do_to_a_held_arm():
    held = model(fixed=True)
    plant, state = Plant(held, FixedBase(), [Push()]), State(q=[0.3, -0.4])
    hold = held.gravity_force(state) - held.Jm(state, "fore.com").T @ np.array([1.0, 2, 3, 0, 0, 0])
    run = simulate(plant, lambda t, x: hold, state, t_end_s=0.02, output_step_s=0.01)
    arm = held.position(state, "fore.com")
    weight = held.system.mass_kg * np.asarray(held.system.gravity_m_s2)
    expected = -np.concatenate([weight, np.cross(held.r_0C(state), weight)]) - np.array([1, 2, 3, *np.cross(arm, [1, 2, 3])])
    assert_allclose(run.wrench[0], expected, atol=1e-9)


@dataclass(frozen=True)
class Push(Load):
    """A constant force on the last link."""

    def wrenches(self, bodies: Bodies, t: float) -> BodyWrenches:
        """Return it."""
        f = np.zeros_like(bodies.r)
        f[bodies.number("fore")] = [1.0, 2.0, 3.0]
        return BodyWrenches(f, 0 * f)


def test_a_plant_says_what_series_it_gives():
    channels = Plant(ARM, RotationFloating(), [Gravity(ORBIT)]).channels
    assert list(channels) == [
        *("q", "qdot", "r_0", "attitude_xyzw", "v_0", "omega_0", "wheel_rad_s", "work", "dissipated", "impulse"),
        *("propellant_kg", "tau", "wrench", "wheel_torque"),
        *(f"external_{name}" for name in ("impulse", "angular_impulse", "displacement", "work")),
    ]
    assert (channels.unit("wheel_torque"), channels.shape("wrench"), channels["r_0"].frame) == ("N m", (6,), "N")


def test_a_choice_of_speeds_stays_where_constraints_hold_on_unless_it_is_bad():
    model = scmanip.compile_model(square())
    first = Plant(model, Floating()).under(["loop"], at_closed(0.1)).plant
    later = first.under(["loop"], at_closed(0.4)).plant
    assert later.holding.chosen is first.holding.chosen and later.key is first.key
    bad = replace(first.holding.chosen, dependent=(3, 5), independent=(0, 1, 2, 4, 6, 7, 8))
    again = replace(first, holding=replace(first.holding, chosen=bad)).under(["loop"], at_closed(0.4)).plant
    assert again.holding.chosen != bad and again.holding.kept[-1] == 100.0
