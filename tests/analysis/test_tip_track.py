"""A frame against its reference."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.analysis import tip_track
from scmanip.control import ComputedTorque, ResolvedRate, Sampled, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold, Reach
from scmanip.modes import Floating
from scmanip.report import FIGURES, Limits, figures, summary, tip_error_figure, verdicts
from scmanip.simulation import simulate
from scmanip.spatial import dcm_from_quaternion, quaternion_from_axis_angle, quaternion_product
from scmanip.system import State, load_system

MODEL = compile_model(load_system("model:ets7"))
START = State.at_rest(MODEL.system, np.radians([-30, -110, 30, -30, 30, -30]))
PLACE, ATTITUDE = MODEL.position(START, "tip"), MODEL.attitude(START, "tip")
BESIDE, GOAL = np.array([0.03, 0.0, 0.04]), PLACE + np.array([0.1, 0.1, 0.0])
TURNED = quaternion_product(quaternion_from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.2), ATTITUDE)
LAW = ResolvedRate(WithFeedforward(ComputedTorque(MODEL, K_P=0.0, K_D=2.0)))


def track_of(way, law=LAW, t_end_s=6.0):
    history = simulate(MODEL, Floating(), Sampled(law, rate_Hz=10.0), START, reference=way, t_end_s=t_end_s, output_step_s=1.0)
    return history, tip_track(MODEL, law, way, history, 100.0)


@pytest.mark.slow
def test_it_is_the_distance_and_the_angle_to_the_reference_at_every_sample():
    """Of a tip that sets out beside its way."""
    beside = Reach("tip", start_m=PLACE + BESIDE, end_m=GOAL, start_xyzw=TURNED, end_xyzw=TURNED, duration_s=6.0)
    history, track = track_of(beside)
    assert_allclose(track.t, history.t + 100.0)
    for i in range(len(history.t)):
        pose = beside.at(float(history.t[i]))
        away = MODEL.position(history.states[i], "tip") - pose.position_m
        R, R_D = (dcm_from_quaternion(q) for q in (MODEL.attitude(history.states[i], "tip"), pose.attitude_xyzw))
        assert track.away_m[i] == pytest.approx(np.linalg.norm(away), abs=1e-14)
        sine = np.linalg.norm(R @ R_D.T - R_D @ R.T) / np.sqrt(8)
        assert track.turned_rad[i] == pytest.approx(np.arcsin(min(sine, 1.0)), abs=1e-7)
    assert_allclose([track.away_m[0], track.turned_rad[0]], [0.05, 0.2], rtol=1e-12)
    sizes = np.linalg.svd(MODEL.J_star(history.states[2], "tip"), compute_uv=False)
    assert_allclose([track.singular_value[2], track.manipulability[2]], [sizes[-1], np.prod(sizes)], rtol=1e-12)


@pytest.mark.slow
def test_without_an_attitude_there_is_no_angle_and_without_a_frame_no_track():
    free = Reach("tip", start_m=PLACE, end_m=GOAL, duration_s=6.0)
    _, track = track_of(free)
    assert track.turned_rad is None
    held = Hold(START.q)
    history = simulate(MODEL, Floating(), ComputedTorque(MODEL), START, reference=held, t_end_s=1.0)
    assert tip_track(MODEL, ComputedTorque(MODEL), held, history) is None


@pytest.mark.slow
def test_it_is_judged_drawn_and_told_in_millimetres():
    way = Reach("tip", start_m=PLACE, end_m=GOAL, duration_s=20.0)
    history, track = track_of(way, t_end_s=3.0)
    found = {v.name: v for v in verdicts(history, Limits(tip_error_m=1e-9), tips=[track])}
    assert found["tip_error"].value == track.away_m[-1] and not found["tip_error"].passed and "tip_turn" not in found
    table = str(summary("a reach", list(found.values()), notes=["it happened"]))
    assert "1e-06 mm" in table and table.endswith("it happened")
    panels = [axis.get_ylabel() for axis in tip_error_figure(history, [track]).axes]
    assert panels == ["tip error\n[mm]", "base turned\n[deg]", "base moved\n[mm]", "singular value\n[SI]"]
    assert list(figures(history, ["tip_error"], [track])) == ["tip_error"] and FIGURES["tip_error"].of_frames
