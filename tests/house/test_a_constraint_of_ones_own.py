"""A newcomer's constraint: a winch, whose taut line between two points gets shorter at a rate, in public names and one file."""

# ruff: noqa: E501 - texts of files
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from scmanip import Body, Floating, Joint, State, Study, System, compile_model, load_mission, simulate
from scmanip.actuators import Positive
from scmanip.command import command_line
from scmanip.constraints import Constraint, Frames, Rows
from scmanip.errors import InvalidInput
from scmanip.simulation import Switch, forces_are_recorded
from scmanip.spatial import sqrt
from tests.house.packages import installed


@dataclass(frozen=True, eq=False, repr=False)
class Winch(Constraint):
    """The line from frame a to frame b is as long as it was found, less `reel_m_s` times the time since; its force is on b."""

    kind, drives = "winch", True
    frames: Frames
    reel_m_s: Positive

    def labels(self, structure):
        return ("line",)

    def kept(self, structure):
        return 2

    def found(self, seen, t):
        return np.array([np.linalg.norm(seen.relative(*self.frames).d), t])

    def rows(self, seen, kept, t):
        motion = seen.relative(*self.frames)
        length, v = sqrt(motion.d @ motion.d), motion.twist[:3]
        n = motion.d / length
        drift, left = n @ motion.bias[:3] + (v @ v - (n @ v) ** 2) / length, length - kept[0] + self.reel_m_s * (t - kept[1])
        return Rows(motion.along(np.array([[*n, 0, 0, 0]])), np.array([self.reel_m_s]), np.array([drift]), np.array([left]))


BODY = "mass_kg = 9.0, inertia_kg_m2 = [1.0, 2.0, 1.5], joint = { type ="
SYSTEM = f"""schema = "scmanip.system/1"
base = {{ mass_kg = 100.0, inertia_kg_m2 = [9.0, 8.0, 7.0] }}
body = [{{ name = "arm", parent = "base", {BODY} "revolute", name = "hip", axis = [0, 0, 1] }} }}, {{ name = "client", parent = "ground", {BODY} "free", name = "client" }} }}]
frame = [{{ name = "drum", body = "arm", origin_m = [0.5, 0, 0] }}, {{ name = "lug", body = "client", origin_m = [0, 0.3, 0] }}]
constraint = [{{ name = "line", type = "winch", frames = ["drum", "lug"], reel_m_s = 0.02 }}]
"""
MISSION = """schema = "scmanip.mission/1"
name = "haul"
system = "haul.toml"
initial = { q_rad = { hip = 0.2 }, q_m = { client = [2.0, 1.0, 0.3] }, qdot_rad_s = { client = [0.1, 0.0, 0.2] } }
switch = [{ name = "reel", t_s = 0.5, impose = "line" }]
phase = [{ name = "haul", mode = "floating", guidance = { type = "hold" }, until = { t_s = 5.0 }, controller = { type = "joint_regulator", K_P = 9.0, K_D = 9.0 } }]
"""


@pytest.mark.slow
def test_it_flies_in_machine_code_in_missions_studies_reports_and_checks(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("haul.toml").write_text(SYSTEM), Path("mission.toml").write_text(MISSION)
    installed(tmp_path, monkeypatch, "reels", "[scmanip.constraints]\nwinch = reels:Winch\n", f"from {__name__} import Winch\n")
    run = load_mission("mission.toml").run()
    history, phase, model = run.history, run.flown[0].phase, run.mission.model
    assert forces_are_recorded(run.mission.plant(phase, 0.0, history), phase.controller, phase.reference)
    way = model.batch.position(history.states, "lug") - model.batch.position(history.states, "drum")
    drawn = (np.linalg.norm(way, axis=1) + 0.02 * (history.t - 0.5))[history.t >= 0.5]
    assert np.ptp(drawn) < 1e-11 and not history.broken_laws and abs(history.P - history.P[0]).max() < 1e-12
    chance = {"system.constraint.line.reel_m_s": stats.uniform(0.01, 0.03)}
    study = Study("mission.toml", seed=3, repeats=5, dispersion=chance, metrics={"lost_J": "final(dissipated_J)"})
    (row,) = study.evaluator.rows([study.case(4)])
    assert row.metrics["lost_J"] == pytest.approx(study.mission(4).run().history.dissipated[-1], rel=1e-9)
    for command in ("verify haul.toml", "run mission.toml -o out", "report out", "check haul.toml"):
        monkeypatch.setattr("sys.argv", ["scmanip", *command.split()])
        with pytest.raises(SystemExit, match="0"):
            command_line()
    assert "line: rank 1 of 1 rows" in capsys.readouterr().out and "&#x27;line&#x27;" in Path("out/report.html").read_text()


def changed(**how):
    """Return how a winch says other rows."""
    return {"rows": lambda self, seen, kept, t: replace(Winch.rows(self, seen, kept, t), **how)}


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"labels": lambda self, structure: "line"}, "'line' labels: expected a text per row, .*, found 'line'"),
        (
            {"labels": lambda self, structure: ("a", "b")},
            r"'line' rows: expected A of shape \(2, 13\), speed of shape \(2,\), .*",
        ),
        ({"kept": lambda self, structure: None}, "'line' kept: expected a whole number >= 0, found None"),
        ({"found": lambda self, seen, t: np.zeros(1)}, r"'line' found: expected numbers of shape \(2,\), found array"),
        ({"slips": lambda self, structure: (1.0, 2.0)}, r"'line' slips: expected numbers of shape \(1,\), found \(1"),
        ({"forces": lambda self, seen, multipliers: np.zeros(2)}, r"'line' forces: expected numbers of shape \(1,\)"),
        ({"rows": lambda self, seen, kept, t: None}, "'line' rows: expected Rows, found None"),
        (changed(speed=np.zeros(2)), r"'line' rows: expected speed of shape \(1,\), found \(2,\)"),
        (changed(position=np.zeros(2)), r"'line' rows: expected position of shape \(1,\), found \(2,\)"),
    ],
)
def test_what_it_says_of_another_number_is_named(said, words):
    kind = dataclass(frozen=True, eq=False, repr=False)(type("Said", (Winch,), said))
    arm, client = Joint("hip", "revolute", [0, 0, 1]), Joint("client", "free")
    bodies = [
        Body("arm", 9.0, [1.0, 2.0, 1.5], parent="base", joint=arm),
        Body("client", 9.0, [1, 2, 1.5], [0, 0.3, 0], "ground", client),
    ]
    system = System("haul", Body("base", 100.0, [9, 8, 7]), bodies, constraints=[kind("line", ("arm", "client"), 0.02)])
    start = State(q=[0.2, 2.0, 1.0, 0.3, 0, 0, 0, 1], qdot=[0.1, 0, 0, 0, 0, 0, 0], r_0=np.zeros(3))
    with pytest.raises(InvalidInput, match=words):
        simulate(
            compile_model(system),
            Floating(),
            lambda t, s: np.zeros(7),
            start,
            t_end_s=0.1,
            switches=[Switch(t_s=0.0, impose="line")],
        )
