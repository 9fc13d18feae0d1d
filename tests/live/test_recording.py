"""A recording is flown again as what it is of, and is an ordinary history."""

import json

import numpy as np
import pytest

from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.live import DEVICES, DISPLAYS, Firmness, Gizmo, Recording, session_of_mission, session_of_system
from scmanip.mission import load_mission
from scmanip.system import load_system

from .arms import arm, session


def drag(live, way, steps=100):
    """Drag what is held along a way (3,) from where it is."""
    begun = live.link.pose()
    for k in range(5):
        live.drag(begun[0] + np.array(way) * k / 4, begun[1])
        for _ in range(steps // 5):
            assert live.step()


@pytest.fixture(scope="module")
def flown():
    live = session_of_system(arm()[0].system, q=[0.3, -0.6], firmness=Firmness(wn_rad_s=20.0))
    drag(live, [0.0, 0.1, 0.0])
    live.impose("stiff")
    with pytest.raises(ModeMismatch, match="not led"):
        live.show_by(DISPLAYS["admittance"]())
    live.take(DEVICES["simulated handle"]())
    drag(live, [0.0, 0.1, 0.0])
    live.show_by(DISPLAYS["admittance"]())
    drag(live, [0.0, -0.1, 0.0])
    live.release("stiff")
    live.then("held joints")
    live.scale_gains(2.0)
    live.hold("base")
    live.show_by(DISPLAYS["impedance"]())
    live.take(Gizmo(settle_s=0.1))
    live.firm(Firmness(wn_rad_s=9.0))
    drag(live, [0.05, 0.0, 0.0])
    live.let_go()
    for _ in range(20):
        live.step()
    return live


def test_a_recording_is_flown_again_to_the_last_bit(flown, tmp_path):
    recording = Recording.load(Recording.of(flown).save(tmp_path / "pulled.json"))
    again = recording.flown()
    assert recording.apart(again) == 0.0 and again.t == flown.t and again.way == "held joints"
    one, other = flown.history(), again.history()
    assert all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("t", "q", "qdot", "r_0", "P", "tau"))
    assert [(each.imposed, each.released) for each in other.switches] == [(("stiff",), ()), ((), ("stiff",))]
    assert other.residuals["momentum"].external is not None and other.broken_laws == ()


def test_every_display_shows_every_device_it_can_and_a_hand_moves_the_frame():
    for shown in DISPLAYS.sound.values():
        live = session()
        try:
            live.take(DEVICES["simulated handle"]())
            live.show_by(shown())
        except InvalidInput as refused:  # a handle that feels what is far heavier than itself
            assert shown is DISPLAYS["embedded_impedance"] and "make it heavier" in str(refused)
            live.take(DEVICES["gizmo"]())
            live.show_by(shown())
        place = live.link.pose()[0]
        drag(live, [0.0, 0.2, 0.0], steps=200)
        assert live.link.holds and live.link.pose()[0][1] > place[1] + 0.01
        live.let_go()
        assert live.step() and not live.link.holds and np.allclose(live.link.wrench, 0.0)


def test_a_session_of_a_mission_is_recorded_too():
    live, _ = session_of_mission(load_mission("mission:planar_four_link"))
    for _ in range(30):
        live.step()
    again = Recording.of(live)
    assert again.apart(again.flown()) == 0.0


def test_a_session_with_ways_of_its_own_or_a_law_of_python_is_not_recorded():
    with pytest.raises(InvalidInput, match="session_of_system or session_of_mission"):
        Recording.of(session())
    live = session_of_system(load_system("model:planar_four_link"))
    live.by(live.law)
    with pytest.raises(InvalidInput, match=r"act: expected one of hold, .* found 'by'"):
        _ = Recording.of(live).text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": "other"}, "schema: expected 'scmanip.live/1', found 'other'"),
        ({"steps": "many"}, "steps: expected a whole number, found 'many'"),
        ({"acts": [[0, "__init__", []]]}, r"acts\[0\]: expected \[step, one of hold"),
        ({"acts": [[5, "let_go", []], [4, "let_go", []]]}, r"acts\[1\]"),
        ({"acts": [[0, "hold", []]]}, r"acts\[0\]: expected \[step, one of hold"),
        ({"files": {"system.toml": 5}}, "system.toml: expected a text, found 5"),
        ({"begun": {"other": 1}}, "begun.other: expected one of frame"),
        ({"y": ["x"]}, "y: expected numbers, found 'x'"),
        ({"files": {}}, "files: expected 'system.toml' or 'mission.resolved.toml'"),
        ({"begun": {"device": {"kind": "Path"}}}, "settings of one of Firmness"),
    ],
)
def test_what_is_no_recording_is_refused_by_its_key(flown, tmp_path, change, said):
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps({**json.loads(Recording.of(flown).text), **change}))
    with pytest.raises(InvalidInput, match=said):
        Recording.load(path).flown()
