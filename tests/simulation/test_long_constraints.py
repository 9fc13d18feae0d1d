"""Closed chains over hours, and many switches in one run."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from scmanip.constraints import Coupling, Lock, PointOnPoint
from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.modes import FixedBase, Floating
from scmanip.plant import Plant
from scmanip.simulation import Outcome, Switch, simulate
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import Body, Joint, State, System, load_system

from ..dynamics.linkage import at_closed, square

ARM = load_system("model:planar_four_link")
TIP = ARM.bodies[-1].name
HELD = [
    PointOnPoint("pin", ("base", TIP), tolerance_m=100.0),
    *(Lock(f"lock{k}", joint.name) for k, joint in enumerate(ARM.joints[:3])),
]


@pytest.fixture(scope="module")
def model():
    return compile_model(System(ARM.name, ARM.base, ARM.bodies[1:], ARM.frames, constraints=HELD))


@pytest.mark.slow
def test_a_closed_chain_holds_for_an_hour(model):
    start = State(q=[0.5, 1.2, 1.0, 1.3], qdot=[0.1, -0.1, 0.05, 0.02], r_0=np.zeros(3), omega_0=[0, 0, 0.01])
    start = model.constrained("pin").imposed(start).state
    plant, law = Plant(model, Floating(), constraints=("pin",)), JointRegulator(model, K_P=1e-4, K_D=1e-5)
    history = simulate(plant, law, start, reference=Hold(start.q), t_end_s=3600.0, rtol=1e-12)
    turned = [dcm_from_quaternion(q) for q in history.attitude_xyzw]
    apart = model.batch.position(history.states, TIP) - model.batch.position(history.states, "base")
    assert np.ptp([R.T @ d for R, d in zip(turned, apart, strict=True)], axis=0).max() < 1e-12
    assert history.residuals["energy"].value < 1e-9
    assert max(history.residuals[law].relative for law in ("momentum", "angular_momentum")) < 1e-9
    assert not history.broken_laws


def test_every_step_of_a_held_arm_is_told_once_and_its_run_is_that_of_one_that_is_not_watched(model):
    start = State(q=[0.5, 1.2, 1.0, 1.3], qdot=[0.1, -0.1, 0.05, 0.02], r_0=np.zeros(3))
    start, told = model.constrained("pin").imposed(start).state, list[float]()
    plant, law = Plant(model, Floating(), constraints=("pin",)), JointRegulator(model, K_P=1.0, K_D=1.0)
    options = {"reference": Hold(start.q), "t_end_s": 8.0, "output_step_s": 3.0, "rtol": 1e-10}
    alone, watched = (simulate(plant, law, start, progress=progress, **options) for progress in (None, told.append))
    np.testing.assert_array_equal(watched.states.x, alone.states.x)
    assert watched.steps == alone.steps == len(told) == len({*told}) > 10  # of which eight go at a time
    assert told == sorted(told) and told[-1] == 8.0


@pytest.mark.slow
@pytest.mark.parametrize("rtol", [1e-8, pytest.param(1e-12, marks=pytest.mark.slow)])
def test_a_run_ends_where_a_linkage_folds_and_its_motion_branches(rtol):
    model = compile_model(square())
    start = model.constrained("loop").imposed(at_closed()).state
    law, plant = JointRegulator(model, K_P=0.0, K_D=0.0), Plant(model, Floating(), constraints=("loop",))
    history = simulate(plant, law, start, reference=Hold(start.q), t_end_s=200.0, rtol=rtol)
    assert history.outcome is Outcome.SINGULAR
    assert history.advice.startswith("constraints 'loop' lost rank before t = 99.0791")
    assert 90.0 < history.t[-1] <= 99.0792
    assert history.residuals["energy"].kept


@pytest.mark.slow
def test_fifty_random_switches_keep_momentum_and_lose_what_is_booked(model):
    rng, names = np.random.default_rng(11), [one.name for one in HELD]
    times = np.sort(rng.uniform(0.0, 50.0, 50))
    switches, held = [], set[str]()
    for t in times:
        name = str(rng.choice(names))
        switches.append(Switch(t_s=float(t), **{"release" if name in held else "impose": name}))
        held ^= {name}
    start = State(q=[0.5, 1.2, 1.0, 1.3], qdot=[0.1, -0.1, 0.05, 0.02], r_0=np.zeros(3), omega_0=[0, 0, 0.01])
    law = JointRegulator(model, K_P=0.5, K_D=0.2)
    history = simulate(
        Plant(model, Floating()), law, start, reference=Hold(np.zeros(4)), t_end_s=60.0, rtol=1e-12, switches=switches
    )
    assert len(history.switches) == 50
    for change in history.switches:
        before, after = (model.momentum(state) for state in (change.before, change.after))
        np.testing.assert_allclose(after.P, before.P, atol=1e-12)
        np.testing.assert_allclose(after.L_C, before.L_C, atol=1e-12)
        lost = model.kinetic_energy(change.before) - model.kinetic_energy(change.after)
        assert abs(change.energy_lost - lost) < 1e-12
    for series in (history.P, history.L_C):
        assert abs(series - series[0]).max() < 1e-10
    assert history.residuals["energy"].value < 1e-10
    assert not history.broken_laws


def test_speeds_are_chosen_anew_where_a_cam_comes_to_its_lowest_place_which_is_noted_and_moves_nothing():
    """x = q^2 / 2: far from there the light crank follows from the heavy slide, where it comes to rest it cannot."""
    crank = Body("crank", 0.05, np.full(3, 0.05), parent="base", joint=Joint("q", "revolute", [0, 0, 1]))
    slide = Body("slide", 5.0, np.full(3, 0.1), parent="base", joint=Joint("x", "prismatic", [1, 0, 0]))
    cam = Coupling("cam", "x", "q", polynomial=[0.0, 0.0, 0.5])
    model = compile_model(System("cam", Body("base", 0.0, np.zeros(3)), [crank, slide], fixed=True, constraints=[cam]))
    start = model.constrained("cam").imposed(State(q=[2.0, 2.0], qdot=[-1.0, -2.0])).state
    law = JointRegulator(model, K_P=1.0, K_D=1.0)
    plant = Plant(model, FixedBase(), constraints=("cam",))
    history = simulate(plant, law, start, reference=Hold(np.zeros(2)), t_end_s=12.0, rtol=1e-10)
    (noted,) = history.rechosen
    assert (noted.before, noted.dependent) == (("q",), ("x",))
    assert str(noted).startswith("dependent speeds chosen anew at t = ") and not history.switches

    def alone(t, y):
        q, v = y
        return v, (-(q + v) - q * (q**2 / 2 + q * v) - 5.0 * q * v**2) / (0.05 + 5.0 * q**2)

    truth = solve_ivp(alone, (0.0, 12.0), [2.0, start.qdot[0]], "LSODA", t_eval=history.t, rtol=1e-12, atol=1e-14)
    assert_allclose(history.q, np.column_stack([truth.y[0], truth.y[0] ** 2 / 2]), atol=1e-8)
    assert not history.broken_laws
