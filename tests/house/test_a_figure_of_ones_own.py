"""A figure of one's own: missions ask for it by name, it is stored with a run and stands in the report."""

import pytest

from scmanip import load_mission
from scmanip.command import command_line
from scmanip.errors import InvalidInput, InvalidMission
from scmanip.report import FIGURES, FigureKind
from tests.house.packages import installed

CODE = """
from matplotlib.figure import Figure
from scmanip.report import FigureKind

def draw(run):
    figure = Figure(figsize=(10.0, 6.25), dpi=160)
    axis = figure.subplots()
    axis.plot(run.history.q[:, 0], run.history.qdot[:, 0])
    axis.set(xlabel="q1 [rad]", ylabel="q1 rate [rad/s]")
    return figure

PHASE_PLANE = FigureKind(draw, needs="a joint", shows=lambda run: run.system.layout.N > 0)
NONE = 5
"""
MISSION = """schema = "scmanip.mission/1"
name = "swing"
system = "model:planar_four_link"
initial = { q_rad = [0.1, 0.2, 0.3, 0.4], qdot_rad_s = [0.1, 0.0, 0.0, 0.0] }
phase = [{ name = "stay", mode = "floating", guidance = { type = "hold" }, until = { t_s = 1.0 }, \
  controller = { type = "computed_torque" } }]
output = { figures = ["joint_rates", "phase_plane"] }
"""


@pytest.fixture
def mission(tmp_path, monkeypatch):
    points = "[scmanip.figures]\nphase_plane = house_figure:PHASE_PLANE\nfalse_one = house_figure:NONE\n"
    installed(tmp_path, monkeypatch, "house_figure", points, CODE)
    (tmp_path / "swing.toml").write_text(MISSION)
    return tmp_path / "swing.toml"


@pytest.mark.slow
def test_a_mission_has_it_and_stores_and_reports_it(mission, tmp_path, monkeypatch):
    run = load_mission(mission).run()
    drawn = run.plot()
    assert {*drawn} == {"joint_rates", "phase_plane"}
    (axis,) = drawn["phase_plane"].axes
    assert axis.get_xlabel() == "q1 [rad]"
    folder = tmp_path / "out"
    assert "figures/phase_plane.png" in {path.relative_to(folder).as_posix() for path in run.save(folder)}
    monkeypatch.setattr("sys.argv", ["scmanip", "report", str(folder), "--no-verify", "--no-3d"])
    with pytest.raises(SystemExit, match="0"):
        command_line()
    assert "phase_plane" in (folder / "report.html").read_text(encoding="utf-8")
    assert "phase_plane" in FIGURES


def test_what_does_not_draw_is_named(mission):
    with pytest.raises(InvalidInput, match="FigureKind draw: expected a function of 1 argument, found"):
        FigureKind(lambda: None)
    run = load_mission(mission).run()
    vars(FIGURES["phase_plane"]).update(draw=lambda run: "a figure")
    with pytest.raises(InvalidInput, match=r"figure 'phase_plane': expected a matplotlib\.figure\.Figure, found 'a figure'"):
        run.plot()


def test_one_that_is_none_or_unknown_is_named(mission):
    for name, words in (
        ("false_one", r"a report.FigureKind, found 'false_one' of house_figure 1.0"),
        ("phase_plan", "did you mean"),
    ):
        mission.write_text(MISSION.replace('"phase_plane"', f'"{name}"'))
        with pytest.raises(InvalidMission, match=words):
            load_mission(mission)
