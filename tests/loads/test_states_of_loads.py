"""Loads with states of their own: a spring in line with a damper between two bodies, and a force that lags."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import Floating, Plant, State, compile_model
from scmanip.control import Controller, JointRegulator, Sampled
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.loads import Bodies, BodyWrenches, Load
from scmanip.modes import FixedBase, RotationFloating
from scmanip.simulation import RK4, ensemble, simulate
from scmanip.system import Body, Joint, System, Wheel

M, m, STIFFNESS, DAMPING, SPEED = 6.0, 2.0, 40.0, 25.0, 0.5
SLIDE = Joint("slide", "prismatic", [1.0, 0, 0])
BASE, CART = Body("base", M, [1.0, 2.0, 3.0]), Body("cart", m, [0.1, 0.1, 0.1], [0, 0, 0], "base", SLIDE)
MODEL = compile_model(System("cart", BASE, [CART]))
START = State([0, 0, 0], [0, 0, 0, 1.0], [0.0], [0, 0, 0], [0, 0, 0], [SPEED])


@dataclass(frozen=True)
class Maxwell(Load):
    """A spring in line with a damper, between base and cart along the slide; its state is how far the spring is stretched."""

    name: str = "maxwell"

    @property
    def called(self) -> str:
        """Its name."""
        return self.name

    @property
    def states(self) -> dict[str, str]:
        """The stretch of the spring."""
        return {"stretch": "m"}

    def wrenches(self, bodies: Bodies, t: float) -> BodyWrenches:
        """Return the force of the spring, which the damper passes on."""
        cart = bodies.number("cart")
        return bodies.between("base", "cart", -STIFFNESS * bodies.own[0] * bodies.R[0][:, 0], at=bodies.r[cart])

    def rates(self, bodies: Bodies, t: float) -> np.ndarray:
        """Return what is left of the cart's speed when the damper has moved."""
        speed = (bodies.v[bodies.number("cart")] - bodies.v[0]) @ bodies.R[0][:, 0]
        return speed - STIFFNESS / DAMPING * bodies.own


@dataclass(frozen=True)
class Lag(Load):
    """A force along x on a body that follows a step with a lag; two states, one of which stands still."""

    body: str = "cart"
    size: float = 0.3
    lag_s: float = 0.7

    @property
    def states(self) -> dict[str, str]:
        """The force, and a number."""
        return {"force": "N", "number": "1"}

    def wrenches(self, bodies: Bodies, t: float) -> BodyWrenches:
        """Return the force that has come so far."""
        return bodies.on(self.body, bodies.own[0] * np.array([1.0, 0.0, 0.0]))

    def rates(self, bodies: Bodies, t: float) -> np.ndarray:
        """Return how fast it comes."""
        return np.array([(self.size - bodies.own[0]) / self.lag_s, 0 * bodies.own[1]])


IDLE = JointRegulator(MODEL, K_P=0.0, K_D=0.0)
PLANT = Plant(MODEL, Floating(), [Maxwell()])
OPTIONS = {"reference": Hold([0.0]), "t_end_s": 2.0, "output_step_s": 0.25}


def closed_form(t):
    """Stretch and speed of the cart: s'' + k / d s' + k / mu s = 0 with mu = M m / (M + m), s(0) = 0, s'(0) = speed."""
    mu = M * m / (M + m)
    half, omega_2 = STIFFNESS / DAMPING / 2, STIFFNESS / mu
    turn = np.sqrt(omega_2 - half**2)
    s = SPEED / turn * np.exp(-half * t) * np.sin(turn * t)
    s_dot = SPEED * np.exp(-half * t) * (np.cos(turn * t) - half / turn * np.sin(turn * t))
    return s, s_dot + STIFFNESS / DAMPING * s


@pytest.mark.parametrize(
    "law",
    [IDLE, lambda t, state: np.zeros(1), Sampled(IDLE, rate_Hz=20.0)],
    ids=["in machine code", "in Python", "sampled"],
)
def test_a_spring_in_line_with_a_damper_moves_as_its_equation_says(law):
    options = OPTIONS if isinstance(law, Controller) else {**OPTIONS, "reference": None}
    run = simulate(PLANT, law, START, rtol=1e-12, **options)
    s, speed = closed_form(run.t)
    assert_allclose(run.load_states[:, 0], s, atol=1e-10)
    assert_allclose(run.qdot[:, 0], speed, atol=1e-10)
    assert run.channels.unit("load_states") == "m" and run.channels.dimensions["load_state"].labels == ("maxwell.stretch",)
    assert_allclose(run.finely.load_states[:, 0], closed_form(run.finely.t)[0], atol=1e-10)
    assert all(residual.kept for residual in run.residuals.values())
    assert_allclose(pickle.loads(pickle.dumps(run)).load_states, run.load_states)


def test_many_runs_at_once_and_fixed_steps_are_the_same():
    many = ensemble(PLANT, IDLE, State.stack([START, START]), step_s=1e-3, **OPTIONS)
    s, speed = closed_form(many.t)
    assert_allclose(many.x[1, :, -1], s, atol=1e-10)
    assert_allclose(many.states(3).actuators["maxwell"][:, 0], s[3], atol=1e-10)
    assert_allclose(many.final[0].qdot[0], speed[-1], atol=1e-10)
    steps = simulate(PLANT, IDLE, START, integrator=RK4(1e-3), **OPTIONS)
    assert_allclose(steps.load_states[:, 0], s, atol=1e-9)


def test_a_run_goes_on_from_the_states_where_another_ended_and_models_do_not_mind_them():
    whole = simulate(PLANT, IDLE, START, rtol=1e-12, **OPTIONS)
    half = simulate(PLANT, IDLE, START, rtol=1e-12, **{**OPTIONS, "t_end_s": 1.0})
    rest = simulate(PLANT, IDLE, half.final, rtol=1e-12, **{**OPTIONS, "t_end_s": 1.0})
    assert_allclose(rest.final.x, whole.final.x, atol=1e-10)
    assert_allclose(MODEL.momentum(rest.final).P, MODEL.momentum(START).P, atol=1e-10)
    assert_allclose(MODEL.batch.momentum(whole.states).P, np.tile([m * SPEED, 0, 0], (9, 1)), atol=1e-10)
    assert_allclose(MODEL.equations(rest.final).M, MODEL.M(rest.final), atol=1e-12)
    seen = simulate(PLANT, lambda t, state: 0 * MODEL.J_star(state, "cart")[0], START, t_end_s=0.5)  # laws as well
    assert seen.load_states[-1, 0] == pytest.approx(closed_form(0.5)[0], rel=1e-6)


def test_states_are_given_by_name_behind_those_of_actuators_and_pack():
    wheels = [Wheel(letter, axis, 0.1) for letter, axis in zip("xyz", np.eye(3), strict=True)]
    plant = Plant(System("wheeled", BASE, [CART], actuators=wheels), RotationFloating(), [Maxwell(), Lag()])
    begun = State([0, 0, 0], [0, 0, 0, 1.0], [0.2], wheel_rad_s=[1, 2, 3.0], actuators={"maxwell": [0.1], "Lag": [4.0, 5.0]})
    state = plant.at_rest(begun)
    assert_allclose(state.x[plant.layout.x_loads], [0.1, 4.0, 5.0])
    assert_allclose(state.x[plant.layout.actuators["Lag"]], state.actuators["Lag"])
    assert_allclose([*state.wheel_rad_s, *state.hardware[-3:]], [1, 2, 3.0] * 2)
    again = State.unpack(state.x, plant.layout)
    assert_allclose(again.actuators["Lag"], [4.0, 5.0])
    assert_allclose(pickle.loads(pickle.dumps(again)).hardware, state.hardware)
    assert_allclose(State.stack([begun, state]).hardware, np.tile(state.hardware, (2, 1)))
    rates = plant.rates(begun, np.zeros(7))
    assert_allclose(rates[plant.layout.x_loads], [-STIFFNESS / DAMPING * 0.1, (0.3 - 4.0) / 0.7, 0.0])
    assert_allclose(rates[plant.layout.x_actuators], 0.0)
    udot = plant.accelerations(begun, np.zeros(7))
    assert_allclose(udot[[0, -1]], [4.0 / M, -4.0 / M - 4.0 / m + 4.0 / m], atol=1e-12)
    assert_allclose(plant.at_rest(State(*START_PARTS, wheel_rad_s=[1, 2, 3.0])).x[-3:], 0.0)
    with pytest.raises(InvalidInput, match=r"x \(1\), y \(1\), z \(1\), maxwell \(1\), Lag \(2\)"):
        simulate(plant, lambda t, state: np.zeros(7), State(*START_PARTS), t_end_s=1.0)


START_PARTS = START.r_0, START.attitude_xyzw, START.q, START.v_0, START.omega_0, START.qdot


@pytest.mark.slow
def test_ideal_wheels_and_a_base_that_is_held_have_them_too():
    ideal = simulate(MODEL, RotationFloating(), lambda t, state: np.zeros(7), START, environment=Lag("base"), t_end_s=1.0)
    assert_allclose(ideal.load_states[-1], [0.3 * (1 - np.exp(-1 / 0.7)), 0.0], rtol=1e-8)
    assert_allclose(ideal.v_0[-1, 0], 0.3 / M * (1 - 0.7 * (1 - np.exp(-1 / 0.7))), rtol=1e-8)
    held = Plant(System("held", BASE, [CART], fixed=True), FixedBase(), [Lag()])
    run = simulate(held, lambda t, state: np.zeros(1), State(q=[0.0], qdot=[0.0]), t_end_s=1.0)
    assert_allclose(run.load_states[-1], [0.3 * (1 - np.exp(-1 / 0.7)), 0.0], rtol=1e-8)
    assert_allclose(run.qdot[-1], 0.3 / m * (1 - 0.7 * (1 - np.exp(-1 / 0.7))), rtol=1e-8)


@dataclass(frozen=True)
class Short(Lag):
    """One that forgets a state."""

    def rates(self, bodies: Bodies, t: float) -> np.ndarray:
        """Return too few."""
        return 0 * bodies.own[:1]


def test_names_that_do_not_differ_and_too_few_rates_are_refused():
    with pytest.raises(InvalidInput, match="names that differ"):
        Plant(MODEL, Floating(), [Maxwell(), Maxwell()])
    both = Plant(MODEL, Floating(), [Maxwell(), Maxwell("other")])
    assert both.channels.dimensions["load_state"].labels == ("maxwell.stretch", "other.stretch")
    with pytest.raises(InvalidInput, match="rates of load 'Short'"):
        simulate(Plant(MODEL, Floating(), [Short()]), IDLE, START, **OPTIONS)
    with pytest.raises(InvalidInput, match="states of actuators of none"):
        simulate(MODEL, Floating(), IDLE, simulate(PLANT, IDLE, START, **OPTIONS).final, **OPTIONS)


def test_a_load_says_where_its_states_start_unless_the_state_does():
    class Stretched(Maxwell):
        start = (0.02,)

    plant = Plant(MODEL, Floating(), [Stretched()])
    run = simulate(plant, IDLE, START, **OPTIONS)
    assert run.load_states[0, 0] == 0.02
    said = State.of_unit(np.concatenate([START.x, [0.5]]), plant.layout)
    assert simulate(plant, IDLE, said, **OPTIONS).load_states[0, 0] == 0.5


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"wrenches": lambda self, bodies, t: None}, "wrenches of load 'Said': expected BodyWrenches, .*, found None"),
        (
            {"wrenches": lambda self, bodies, t: BodyWrenches(np.ones((1, 3)), np.ones((1, 3)))},
            r"wrenches of load 'Said': expected f and n of shape \(2, 3\), found \(\(1, 3\), \(1, 3\)\)",
        ),
        ({"wrenches": lambda self, bodies, t: bodies.on("cart", 1.0)}, r"force on 'cart': expected 3 numbers \[N\], in N"),
        ({"states": ["x"]}, r"states of load 'Said': expected names with their units, found \['x'\]"),
        ({"start": (1.0,)}, r"start of load 'Said': expected 2, one per state x, v, finite, found \(1\.0,\)"),
        ({"start": (np.nan, 0.0)}, "start of load 'Said': expected 2, one per state x, v, finite"),
        ({"outputs": {"a": "N", "b": "N"}}, r"output of load 'Said': expected 2, one per output a, b, found shape \(0,\)"),
        ({"dissipated": lambda self, bodies, t: np.ones(2)}, "dissipated of load 'Said': expected a number, found array"),
        ({"switches": lambda self, bodies, t: [1.0]}, r"switches of load 'Said': expected numbers by name, found \[1\.0\]"),
        ({"origin_orbit": 5}, "origin_orbit of load 'Said': expected an Orbit or None, found 5"),
        ({"leads": 5}, "leads of load 'Said': expected a Constraint or None, found 5"),
    ],
)
def test_what_a_load_says_of_another_kind_is_named(said, words):
    fits = {
        "states": {"x": "m", "v": "m/s"},
        "wrenches": lambda self, bodies, t: bodies.on("cart", np.ones(3)),
        "rates": lambda self, bodies, t: 0 * bodies.own,
    }
    load = dataclass(frozen=True)(type("Said", (Load,), fits | said))()
    with pytest.raises(InvalidInput, match=words):
        simulate(Plant(MODEL, Floating(), [load]), lambda t, state: np.zeros(1), START, t_end_s=0.1)
