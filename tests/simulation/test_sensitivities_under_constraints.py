"""How states of runs change with numbers where constraints hold and are switched: against differences of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Coupling, Lock, PointOnPlane, PointOnPoint, Speed, Weld
from scmanip.control import Carrying, ComputedTorque, Delayed, JointRegulator, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.impacts import Newton, Poisson, Restitution
from scmanip.loads import Bristle, Contact, ContactFriction, Coulomb, KelvinVoigt
from scmanip.modes import FixedBase, Floating
from scmanip.plant import Plant
from scmanip.shapes import Plane, Sphere
from scmanip.simulation import History, Lasting, Meeting, Near, Strike, Switch, When, simulate
from scmanip.simulation.variation._sensitivities import _Course
from scmanip.system import Body, Frame, Joint, State, System

from .arms import INERTIA_1, INERTIA_2
from .test_sensitivities import runge_kutta

BASE = Body("base", 40.0, [[6.0, 0.3, 0.1], [0.3, 7.0, -0.2], [0.1, -0.2, 5.0]], com_m=[0.1, -0.05, 0.02])
UPPER = Body("upper", 8.0, INERTIA_1, [0.5, 0.02, 0.0], "base", Joint("shoulder", "revolute", [0, 0, 1], [0.5, 0.1, 0.2]))
FORE = Body("fore", 4.0, INERTIA_2, [0.4, 0.0, 0.03], "upper", Joint("elbow", "revolute", [0, 1, 0], [1.0, 0, 0]))
TARGET = Body("target", 25.0, [2.0, 3.0, 2.5], [0.05, 0, 0], "ground", Joint("target", "free"))
FRAMES = [Frame("palm", "fore", [0.6, 0, 0]), Frame("grapple", "target", [-0.4, 0.1, 0.0])]
HANDS = ("palm", "grapple")
CONSTRAINTS = [
    Weld("grasp", HANDS),
    PointOnPoint("pin", HANDS, 2.0),
    Weld("berth", HANDS, None, 2.0, 3.0, closing_s=0.8),
    Coupling("gear", "elbow", "shoulder", ratio=-1.5, tolerance=1.0),
    Speed("turns", {"elbow": 1.0}, 0.2),
]
SYSTEM = System("catcher", BASE, [UPPER, FORE, TARGET], FRAMES, constraints=CONSTRAINTS)
LAW = JointRegulator(compile_model(SYSTEM), K_P=2.0, K_D=1.0)
NAMES = ("q", "qdot", "r_0", "attitude_xyzw", "v_0", "omega_0")


TURN = np.array([0.1, -0.3, 0.2, 0.9]) / np.sqrt(0.95)  # of base and target
Q = [0.4, -0.7, 2.3, 0.6, 1.1, *TURN]
REFERENCE = Hold([0.3, -0.5, *Q[2:]], layout=SYSTEM.layout)
START = State(
    [0.3, -0.2, 0.1], TURN, Q, [0.05, 0.02, -0.03], [0.1, -0.2, 0.15], [0.3, -0.4, 0.02, -0.05, 0.03, 0.1, -0.12, 0.08]
)


def flown(system: System, *names: str, law: Any = LAW, holding: Sequence[str] = (), **options: Any) -> History:
    """A second and a half; speeds of the start are those that constraints make of speeds which the nominal ones allow."""
    plant, start = Plant(compile_model(system), Floating(), constraints=tuple(holding)), START
    for each in (replace(plant, model=compile_model(SYSTEM)), plant) if holding else ():
        start = each.under(holding, start).state
    given = {"reference": REFERENCE, "t_end_s": 1.5, "rtol": 1e-12, "output_step_s": 0.25, **options}
    return simulate(plant, law, start, sensitivities=names, **given)


def same_as_differences(path: str, h: float, **options: Any) -> History:
    """The derivatives by a number are those of differences of runs."""
    history = flown(SYSTEM, path, **options)
    value = SYSTEM.numbers([path])[path].value
    more, less = (flown(SYSTEM.with_numbers({path: value + way}), **options).states for way in (h, -h))
    for name in NAMES:
        found, difference = getattr(history.sensitivity[path], name), (getattr(more, name) - getattr(less, name)) / (2 * h)
        assert_allclose(found, difference, rtol=0, atol=1e-6 * max(abs(difference).max(), 1e-2), err_msg=name)
    return history


HOLDING = [  # of every kind one with a number of its own or of where it is; what else others show is exhaustive
    pytest.param("grasp", "joint.elbow.origin_m[2]", 1e-5, marks=pytest.mark.exhaustive),
    ("grasp", "frame.palm.origin_m[0]", 1e-5),
    ("pin", "joint.elbow.origin_m[0]", 1e-5),
    pytest.param("gear", "body.fore.com_m[1]", 1e-5, marks=pytest.mark.exhaustive),
    pytest.param("turns", "body.fore.mass_kg", 1e-4, marks=pytest.mark.exhaustive),
    ("gear", "constraint.gear.ratio", 1e-4),
    ("turns", "constraint.turns.value", 1e-4),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "path", "h"), HOLDING)
def test_states_change_under_constraints_that_hold_as_runs_differ(name: str, path: str, h: float) -> None:
    """What they keep is what they find, and the speeds of the start are those that they make of given ones."""
    same_as_differences(path, h, holding=[name], t_end_s=1.0)


GRASPED = [Switch(t_s=0.4, impose="grasp"), Switch(t_s=1.1, release="grasp")]


@pytest.mark.slow
def test_derivatives_jump_where_a_body_is_grasped_at_a_time_and_let_go() -> None:
    same_as_differences("joint.elbow.origin_m[0]", 1e-5, switches=GRASPED)


CASES = {
    "led": [Switch(t_s=0.3, impose="berth")],
    "from the start": [Switch(t_s=0.0, impose=["gear"]), Switch(t_s=0.6, impose="grasp", release="gear")],
    "one after the other": [Switch(t_s=0.4, impose="pin"), Switch(t_s=0.9, impose=["gear", "grasp"], release="pin")],
}


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize(("path", "holding"), [("body.fore.com_m[0]", []), ("frame.grapple.origin_m[1]", ["turns"])])
@pytest.mark.parametrize("switches", CASES.values(), ids=[*CASES])
def test_constraints_are_switched_at_times(switches: list[Switch], path: str, holding: list[str]) -> None:
    same_as_differences(path, 1e-5, switches=switches, holding=holding)


PASSED = When("passed", lambda t, state: state.q[0] - 0.5, ends=False)
BACK = When("back", lambda t, state: 0.38 - state.q[0], ends=False)


@pytest.mark.slow
def test_derivatives_jump_with_the_times_of_events_that_switch() -> None:
    """An event with a place of its own, and one that comes while constraints hold."""
    switches = [Switch(event="passed", impose="grasp"), Switch(event="back", release="grasp")]
    history = same_as_differences("body.upper.mass_kg", 1e-3, switches=switches, events=[PASSED, BACK], t_end_s=1.75)
    assert [len(switched.active) for switched in history.switches] == [1, 0]
    near = Near("palm", [0.37, 0.91, 1.72], 0.1, ends=False, name="near")
    switches = [Switch(event="near", impose="pin")]
    assert same_as_differences("joint.elbow.origin_m[0]", 1e-5, switches=switches, events=[near]).switches


@pytest.mark.battery(0, judged=2)
@pytest.mark.parametrize("delay_s", [0.13, 0.0, 0.1])
def test_held_and_late_commands_are_carried_over_switches(delay_s: float) -> None:
    law = Sampled(Delayed(LAW, delay_s=delay_s) if delay_s else LAW, rate_Hz=10)
    switches = [Switch(event="passed", impose="grasp"), Switch(t_s=0.93, release="grasp")]
    same_as_differences("body.upper.mass_kg", 1e-3, switches=switches, events=[PASSED], law=law)


@pytest.mark.slow
def test_a_short_run_under_constraints_changes_as_one_of_complex_numbers() -> None:
    path, end, step, steps = "body.fore.mass_kg", 0.05, 1e-30, 40
    history = flown(SYSTEM, path, holding=["grasp"], t_end_s=end, output_step_s=end)
    (stretch,) = history.stretches
    flight = _Course([stretch]).flight(stretch.setup)
    program = flight.variations.loop
    given = {name: np.array(array, dtype=complex) for name, array in flight.given.items()}
    given |= {path: given[path] + 1j * step, "reference": REFERENCE.numbers(end / 2) + 0j}

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        own = {**given, "t": np.array(t), "y": y}
        return program.evaluate(*(own[i.name] for i in program.inputs))[0]

    y = flight.frame.start(stretch.setup.state0).astype(complex)
    for k in range(steps):
        y = runge_kutta(rate, k * end / steps, y, end / steps)
    exact = y.imag[: SYSTEM.layout.n_x] / step
    assert_allclose(history.sensitivity[path].x[-1], exact, rtol=0, atol=1e-9 * abs(exact).max())


def test_what_is_not_covered_is_refused_by_name() -> None:
    plane = PointOnPlane("floor", ("palm", "ground"), [0, 0, 1], tolerance_m=9.0, unilateral=True)
    others = [Lock("brake", "elbow", slip_Nm=1.0), plane]
    system = System("more", BASE, [UPPER, FORE, TARGET], FRAMES, constraints=[*CONSTRAINTS, *others])
    model = compile_model(system)
    law, lasting = JointRegulator(model, K_P=2.0, K_D=1.0), Lasting(PASSED, 0.1)
    learns = Carrying(ComputedTorque(model, K_P=2.0, K_D=1.0))
    cases = {
        "that do not slip, found 'brake'": (law, Switch(t_s=0.5, impose="brake")),
        "do not let go by themselves, found 'floor'": (law, Switch(t_s=0.5, impose="floor")),
        "that does not learn what is grasped, found Carrying": (learns, Switch(t_s=0.5, impose="grasp")),
        "do not have to last": (law, Switch(event="passed", impose="grasp")),
    }
    for expected, (which, switch) in cases.items():
        options = {"reference": REFERENCE, "t_end_s": 1.0, "switches": [switch], "events": [lasting]}
        with pytest.raises(InvalidInput, match=expected):
            simulate(model, Floating(), which, START, sensitivities=["body.fore.mass_kg"], **options)


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize(("path", "h"), [("body.target.mass_kg", 1e-3), ("joint.elbow.origin_m[0]", 1e-5)])
def test_a_push_off_changes_with_numbers(path: str, h: float) -> None:
    switches = [Switch(t_s=0.3, impose="grasp"), Switch(t_s=0.8, release="grasp", push_off_m_s=[0.05, 0.02, -0.01])]
    same_as_differences(path, h, switches=switches)


HAMMER = System(
    "hammer",
    BASE,
    [UPPER, FORE],
    [FRAMES[0], Frame("level", "base", [0, 0, -0.1])],
    fixed=True,
    gravity_m_s2=[0, 0, -1.6],
    shapes=[Sphere("head", "palm", 0.05), Plane("floor", "level")],
    constraints=[PointOnPlane("lies", ("palm", "level"), [0, 0, 1], radius_m=0.05)],
)
FALLING = JointRegulator(compile_model(HAMMER), K_P=1.0, K_D=0.5)


def struck(system: System, law: Restitution, friction: float, *names: str) -> History:
    """An arm falls on the ground, bounces off, or stays there where it is slow."""
    strike = Switch(event="meeting", strike=Strike([("floor", "head")], law, "lies", friction))
    options = {"reference": Hold([0.4, 0.5]), "t_end_s": 2.0, "rtol": 1e-12, "output_step_s": 0.25, "switches": [strike]}
    start, events = State(q=[0.4, 0.3], qdot=[0.2, 0.1]), [Meeting("floor", "head", ends=False)]
    return simulate(compile_model(system), FixedBase(), FALLING, start, events=events, sensitivities=names, **options)


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("path", ["body.fore.mass_kg", "joint.elbow.origin_m[0]"])
@pytest.mark.parametrize(
    ("law", "friction"), [(Newton(0.6), 0.3), (Poisson(0.5), 0.0), (Newton(0.5, plastic_below_m_s=1.0), 0.0)]
)
def test_derivatives_jump_where_shapes_strike(law: Restitution, friction: float, path: str) -> None:
    history, h = struck(HAMMER, law, friction, path), 1e-5
    assert history.switches[0].struck
    value = HAMMER.numbers([path])[path].value
    more, less = (struck(HAMMER.with_numbers({path: value + way}), law, friction) for way in (h, -h))
    found = history.sensitivity[path]
    for name in ("q", "qdot"):
        difference = (getattr(more, name) - getattr(less, name)) / (2 * h)
        assert_allclose(getattr(found, name), difference, rtol=0, atol=1e-6 * abs(difference).max())


@pytest.mark.slow
@pytest.mark.parametrize("friction", [Coulomb(0.3, 1e-2), Bristle(0.3, 1e-3, 0.01)])
def test_compliant_contacts_with_friction_change_as_runs_differ(friction: ContactFriction) -> None:
    """They push where gaps pass zero, and bristles have states of their own."""
    path = "body.fore.mass_kg"

    def pushed(way: float, *names: str) -> History:
        model = compile_model(HAMMER.with_numbers({path: 4.0 + way}))
        shapes = model.system.shape("floor"), model.system.shape("head")
        plant = Plant(model, FixedBase(), [Contact(*shapes, KelvinVoigt(2e3, 30.0), friction, name="touch")])
        options = {"reference": Hold([0.4, 0.5]), "t_end_s": 1.75, "rtol": 1e-12, "output_step_s": 0.25}
        return simulate(plant, FALLING, State(q=[0.4, 0.3], qdot=[0.2, 0.1]), sensitivities=names, **options)

    found = pushed(0.0, path)
    assert len(found.events) == 2
    # One difference is off by what other steps through the touch make of it, up to 1e-5 of it; the middle of several is not.
    sizes = (5e-6, 8e-6, 1e-5, 1.3e-5, 1.6e-5, 2e-5, 3e-5)
    difference = np.median([(pushed(h).states.x - pushed(-h).states.x) / (2 * h) for h in sizes], axis=0)
    for name in ("x_q", "x_u"):
        at = getattr(found.sensitivity[path].layout, name)
        exact = difference[:, at]
        assert_allclose(found.sensitivity[path].x[:, at], exact, rtol=0, atol=1e-6 * abs(exact).max())
