"""Runs in which shapes strike each other, bounce and come to rest."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import PointOnPlane
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, UnknownName
from scmanip.impacts import Energetic, Newton, Poisson
from scmanip.modes import FixedBase
from scmanip.shapes import Plane, Sphere
from scmanip.simulation import Meeting, Outcome, Strike, Switch, simulate
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Body, Frame, Joint, State, System

G, R, M = 9.81, 0.1, 2.0


def nothing(t, state):
    return np.zeros(6)


@pytest.fixture(scope="module")
def model():
    ball = Body("ball", M, np.full(3, 0.4 * M * R * R), parent="ground", joint=Joint("flight", "free"))
    held = [PointOnPlane("lies", ("height", "ball"), normal=[0, 0, 1])]
    shapes = [Sphere("ball", "ball", R), Plane("floor", "ground")]
    base = Body("base", 1.0, np.eye(3))
    system = System(
        "court",
        base,
        [ball],
        [Frame("height", "base", [0, 0, R])],
        fixed=True,
        gravity_m_s2=[0, 0, -G],
        shapes=shapes,
        constraints=held,
    )
    return compile_model(system)


def flown(model, law, height, t_end_s, v=(0.0, 0.0), friction=0.0, **more):
    start = State(q=[0, 0, R + height, 0, 0, 0, 1], qdot=[*v, 0, 0, 0, 0])
    strike = Strike([("floor", "ball")], law, "lies", friction)
    given = {"events": [Meeting("floor", "ball", ends=False)], "switches": [Switch(event="meeting", strike=strike)], **more}
    return simulate(model, FixedBase(), nothing, start, t_end_s=t_end_s, output_step_s=0.05, rtol=1e-12, **given)


@pytest.mark.slow
@pytest.mark.parametrize("law", [Newton, *(pytest.param(law, marks=pytest.mark.slow) for law in (Poisson, Energetic))])
def test_a_ball_bounces_as_it_should_and_comes_to_rest(model, law):
    e, height = 0.5, 0.4
    first = np.sqrt(2 * height / G)
    history = flown(model, law(e, plastic_below_m_s=0.1), height, 1.2)
    times = first + 2 * first * np.concatenate([[0], np.cumsum(e ** np.arange(1, 6))])
    assert_allclose([change.t for change in history.switches], times[: len(history.switches)], atol=1e-8)
    speeds = [change.after.qdot[2] for change in history.switches]
    bounces = int(np.ceil(np.log(0.1 / (G * first)) / np.log(e)))
    assert len(speeds) == bounces + 1
    assert_allclose(speeds[:-1], G * first * e ** np.arange(1, bounces + 1), rtol=1e-8)
    assert history.switches[-1].imposed == ("lies",)
    assert history.switches[0].struck == ("floor ball",)
    lying = history.t > times[bounces] + 1e-9
    assert lying.sum() > 3
    assert_allclose(history.q[lying, 2], R, atol=1e-8)
    assert_allclose(history.dissipated_by_switches[-1], M * G * height, rtol=1e-8)
    assert history.outcome is Outcome.COMPLETED
    assert not history.broken_laws


def test_a_ball_that_is_thrown_leaves_the_floor_rolling(model):
    history = flown(model, Newton(0.8), 0.2, 0.3, v=(0.7, 0.0), friction=0.9)
    (blow,) = history.switches
    assert_allclose(blow.after.qdot[0], 5 / 7 * 0.7, rtol=1e-9)  # what rolls keeps five sevenths
    assert_allclose(blow.after.qdot[4], 5 / 7 * 0.7 / R, rtol=1e-9)
    assert_allclose(blow.impulses["floor ball"], [-2 / 7 * M * 0.7, 0, 1.8 * M * np.sqrt(2 * G * 0.2)], atol=1e-8)
    assert "struck 'floor ball'" in str(blow)


def test_a_blow_that_would_make_energy_ends_the_run_in_words():
    """Newton's law turns the slip of a falling rod's end round, with friction that then pushes."""
    th = 0.8
    rod = Body("rod", 1.0, [1e-3, 1 / 3, 1 / 3], parent="ground", joint=Joint("flight", "free"))
    shapes = [
        Sphere("end", "rod", 1e-3, origin_m=[-1, 0, 0]),
        Plane("floor", "ground", dcm=dcm_from_axis_angle([1, 0, 0], -np.pi / 2)),
    ]
    held = [PointOnPlane("lies", ("base", "rod"), normal=[0, 1, 0], tolerance_m=9.0)]
    model = compile_model(System("rod", Body("base", 1.0, np.eye(3)), [rod], fixed=True, shapes=shapes, constraints=held))
    q = [0, np.sin(th) + 1e-3 + 0.1, 0, 0, 0, np.sin(th / 2), np.cos(th / 2)]
    strike = Strike([("floor", "end")], Newton(1.0), "lies", 0.3)
    history = simulate(
        model, FixedBase(), nothing, State(q=q, qdot=[0.8, -1.0, 0, 0, 0, 0]), t_end_s=0.2, output_step_s=0.05,
        events=[Meeting("floor", "end", ends=False)], switches=[Switch(event="meeting", strike=strike)],
    )  # fmt: skip
    assert history.outcome is Outcome.UNDECIDED
    assert "contacts gave energy" in history.advice and "t = 0.1" in history.advice
    assert history.t[-1] == pytest.approx(0.1, abs=0.051)


def test_a_strike_that_cannot_be_is_refused(model):
    with pytest.raises(UnknownName, match="wall"):
        flown(
            model,
            Newton(0.5),
            0.1,
            0.1,
            switches=[Switch(event="meeting", strike=Strike([("wall", "ball")], Newton(0.5), "lies"))],
        )
    with pytest.raises(InvalidInput, match="constraints for what comes to rest"):
        flown(
            model,
            Newton(0.5),
            0.1,
            0.1,
            switches=[Switch(event="meeting", strike=Strike([("floor", "ball")], Newton(0.5), ()))],
        )
    with pytest.raises(InvalidInput, match="Strike law"):
        flown(model, 0.5, 0.1, 0.1)
