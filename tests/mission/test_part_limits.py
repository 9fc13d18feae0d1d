"""Limits on and metrics of loads of interfaces, impulses of constraints and free bodies; stacks, and who has the momentum."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.analysis import interface_load, stack_cards
from scmanip.campaign import Study
from scmanip.command._run_report import page_of
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidMission
from scmanip.mission import Run, load_mission
from scmanip.report import Word
from scmanip.spatial import dcm_from_quaternion
from scmanip.study import Status, levels
from scmanip.system import Body, Joint, System

from .files import SYSTEM, written
from .test_switches import END, HEAD, phase

CAUGHT = (
    SYSTEM
    + """
[[body]]
name = "target"
parent = "ground"
mass_kg = 4.0
inertia_kg_m2 = [0.3, 0.4, 0.5]
com_m = [0.1, -0.05, 0.02]
joint = { type = "free" }

[[constraint]]
name = "grasp"
type = "weld"
frames = ["lower", "target"]
"""
)
START = HEAD.replace("[0.2, -0.3]", "{ shoulder = 0.2, elbow = -0.3 }")
START += """
q_m = { target = [2.0, 0.4, 0.1] }
qdot_m_s = { "target.vx" = -0.05 }
qdot_rad_s = { "target.wz" = 0.1 }
"""
LIMITS = """
[limits]
interface_force_N = { elbow = 1.0, grasp = 1e-3 }
interface_moment_Nm = 50.0
switch_impulse_Ns = { grasp = 2.0 }
switch_angular_impulse_Nms = 5.0
final_free_rate_deg_s = { target = 0.5 }
final_free_momentum_Nms = 1.0
"""
PHASES = phase("wait"), phase("caught", 'impose = "grasp"')


def mission_file(folder: Path, limits: str = LIMITS) -> Path:
    return written(folder, START + "".join(PHASES) + END + limits, CAUGHT)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mission_file(tmp_path_factory.mktemp("parts"))


@pytest.fixture(scope="module")
def run(file: Path) -> Run:
    return load_mission(file).run()


@pytest.mark.slow
def test_loads_impulses_and_free_bodies_are_judged(run):
    found = {verdict.name: verdict for verdict in run.verdicts}
    finely, (grasp,) = run.history.finely, run.history.switches
    force = np.linalg.norm(finely.interface_load("grasp")[:, :3], axis=1).max()
    assert found["interface_force"].value == force and found["interface_force"].where.startswith("grasp, t = ")
    assert found["interface_force"].word is Word.FAILED
    assert found["interface_moment"].word is Word.OK and found["interface_moment"].unit == "N m"
    linear, angular = np.split(grasp.impulses["grasp"], 2)
    assert found["switch_impulse"].value == pytest.approx(np.linalg.norm(linear), rel=1e-15)
    assert found["switch_impulse"].where == "grasp, t = 1 s"
    assert found["switch_angular_impulse"].value == pytest.approx(np.linalg.norm(angular), rel=1e-15)
    assert found["final_free_rate"].value == pytest.approx(np.linalg.norm(run.history.qdot[-1, -3:]), rel=1e-15)
    assert found["final_free_rate"].limit == pytest.approx(np.radians(0.5))
    assert found["final_free_momentum"].value == pytest.approx(np.linalg.norm(run.history.L_C_by_tree[-1, 1]), rel=1e-15)
    text = str(run.summary())
    assert "impulse of constraint in a switch" in text and "force through interface" in text


@pytest.mark.slow
def test_the_impulse_is_that_of_the_momentum_that_the_target_gains(run):
    (grasp,) = run.history.switches
    gained = [run.mission.model.momentum_by_tree(state).P[1] for state in (grasp.before, grasp.after)]
    assert_allclose(grasp.impulses["grasp"][:3], gained[1] - gained[0], atol=1e-14)
    at = run.history.t
    assert_allclose(run.history.switch_impulse[at > 1.0], np.tile(grasp.impulses["grasp"], ((at > 1.0).sum(), 1)))
    assert not run.history.switch_impulse[at < 1.0].any()


@pytest.mark.slow
def test_limits_are_written_as_they_were_read(run, tmp_path):
    run.save(tmp_path / "kept")
    again = load_mission(tmp_path / "kept" / "mission.resolved.toml")
    assert again.limits == run.mission.limits
    assert again.limits.interface_moment_Nm == {"shoulder": 50.0, "elbow": 50.0, "grasp": 50.0}


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("interface_force_N = { elbw = 1.0 }", "one of the joints and constraints between frames shoulder, elbow, grasp"),
        ("switch_impulse_Ns = { elbow = 1.0 }", "one of the constraints and contacts grasp"),
        ("final_free_rate_deg_s = { lower = 1.0 }", "one of the free bodies target"),
        ("final_free_rate_deg_s = 1.0\nfinal_free_rate_rad_s = 1.0", "one of the two units"),
        ("switch_impulse_Ns = -1.0", "switch_impulse_Ns"),
    ],
)
def test_limits_of_nothing_are_refused(tmp_path, limit, words):
    with pytest.raises(InvalidMission, match=words):
        load_mission(mission_file(tmp_path, f"\n[limits]\n{limit}\n"))


def test_limits_of_parts_that_a_system_lacks_are_refused(tmp_path):
    with pytest.raises(InvalidMission, match="a system with constraints"):
        load_mission(written(tmp_path, HEAD + phase("one") + END + "\n[limits]\nswitch_impulse_Ns = 1.0\n", SYSTEM))


@pytest.mark.slow
def test_metrics_are_made_of_them(file, run):
    metrics = {
        "impulse_Ns": "max(grasp_impulse_Ns)",
        "impulse_Nms": "max(grasp_angular_impulse_Nms)",
        "load_N": "max(norm(elbow_load_N))",
        "load_Nm": "max(norm(grasp_load_Nm))",
        "rate_rad_s": "final(target_rate_rad_s)",
        "caught_s": "integral(1 - grasp_holds_fraction)",
        "momentum_Ns": "final(norm(target_momentum_Ns))",
        "momentum_Nms": "final(norm(target_angular_momentum_Nms))",
    }
    design = {"phase.wait.controller.K_D": levels(4.0, 5.0)}
    study = Study(file, seed=1, metrics=metrics, design=design, output_step_s=0.1)
    (row,) = study.evaluator.rows([study.case(0)])
    assert row.status is Status.COMPLETED, row.reason
    (grasp,) = run.history.switches
    assert row.metrics["impulse_Ns"] == pytest.approx(np.linalg.norm(grasp.impulses["grasp"][:3]), rel=1e-6)
    assert row.metrics["impulse_Nms"] == pytest.approx(np.linalg.norm(grasp.impulses["grasp"][3:]), rel=1e-6)
    assert row.metrics["caught_s"] == pytest.approx(1.0, abs=1e-9)
    finely = run.history.finely
    for name, interface, part in (("load_N", "elbow", slice(0, 3)), ("load_Nm", "grasp", slice(3, 6))):
        largest = np.linalg.norm(finely.interface_load(interface)[:, part], axis=1).max()
        assert row.metrics[name] == pytest.approx(largest, rel=1e-5)
    assert row.metrics["rate_rad_s"] == pytest.approx(np.linalg.norm(run.history.qdot[-1, -3:]), rel=1e-6)
    assert row.metrics["momentum_Ns"] == pytest.approx(np.linalg.norm(run.history.P_by_tree[-1, 1]), rel=1e-6)


def test_the_card_of_the_stack_is_that_of_one_body_of_all(run):
    model, (grasp,) = run.mission.model, run.history.switches
    (card,) = run.switches[0].stacks
    assert (card.roots, card.held_by) == (("base", "target"), ("grasp",))
    system, state = model.system, grasp.after
    q = np.array(state.q[-7:])
    R, origin = (
        dcm_from_quaternion(state.attitude_xyzw),
        state.r_0 - dcm_from_quaternion(state.attitude_xyzw) @ system.base.com_m,
    )
    way = Joint("glued", "fixed", origin_m=R.T @ (q[:3] - origin), dcm=R.T @ dcm_from_quaternion(q[3:]))
    target = system.bodies[-1]
    glued = Body("target", target.mass_kg, target.inertia_kg_m2, target.com_m, "base", way)
    one = compile_model(System("one", system.base, [*system.bodies[1:-1], glued]))
    own = type(state)(state.r_0, state.attitude_xyzw, state.q[:-7])
    assert_allclose(card.com_m, R.T @ (state.r_0 + one.r_0C(own) - origin), atol=1e-13)
    assert_allclose(card.inertia_kg_m2, R.T @ one.S_U(own) @ R, atol=1e-12)
    assert card.mass_kg == pytest.approx(system.mass_kg)
    assert stack_cards(model, grasp.before, ()) == ()
    held = model.constrained("grasp").mass_properties(state)  # by the inertia of the constrained motion
    assert held.mass_kg == pytest.approx(card.mass_kg, rel=1e-12)
    assert_allclose(held.com_m + system.base.com_m, card.com_m, atol=1e-12)
    assert_allclose(held.inertia_kg_m2, card.inertia_kg_m2, atol=1e-11)


@pytest.mark.slow
def test_shares_of_momentum_add_up_and_are_on_the_page(run):
    shares = run.momentum_shares
    assert [one.when for one in shares] == ["start", "before: imposed 'grasp'", "after: imposed 'grasp'", "end"]
    assert shares[0].parts == ("base", "arm", "target")
    for one in shares:
        assert_allclose(one.P.sum(axis=0), run.history.P[0], atol=1e-9)
        assert_allclose(one.L_C.sum(axis=0), run.history.L_C[0], atol=1e-9)
    tables = {block.name: block for section in page_of(run, {}).sections for block in section.blocks if hasattr(block, "name")}
    assert tables["stacks"].rows[0][1:3] == ("base + target", "grasp")
    assert len(tables["momentum_shares"].rows) == 4


@pytest.mark.slow
def test_a_release_pushes_off_in_missions(tmp_path):
    off = phase("off", 'release = "grasp"\npush_off_m_s = [0.1, 0.0, 0.0]')
    path = written(tmp_path, START + "".join(PHASES) + off + END, CAUGHT)
    run = load_mission(path).run()
    change = run.history.switches[-1]
    assert change.pushed_J > 0 and run.history.work_by_constraints[-1] == pytest.approx(change.pushed_J)
    run.save(tmp_path / "kept")
    again = load_mission(tmp_path / "kept" / "mission.resolved.toml")
    assert again.phases[2].push_off_m_s == (0.1, 0.0, 0.0)
    for wrong, words in (
        (off.replace("[0.1, 0.0, 0.0]", "[0.1, 0.0]"), "push_off_m_s"),
        (off.replace("release", "impose"), "push_off_m_s: expected one constraint between two frames to release"),
    ):
        with pytest.raises(InvalidMission, match=words):
            load_mission(written(tmp_path, START + "".join(PHASES) + wrong + END, CAUGHT))
    metrics, path = {"work_J": "final(work_by_constraints_J)"}, written(tmp_path, START + "".join(PHASES) + off + END, CAUGHT)
    assert not Study(path, seed=1, metrics=metrics, design={"phase.off.controller.K_P": levels(1.0, 2.0)}).recipe.together
    switch = '[[switch]]\nname = "off"\nt_s = 1.5\nrelease = "grasp"\npush_off_m_s = [0.1, 0.0, 0.0]\n'
    study = Study(
        written(tmp_path, START + "".join(PHASES) + switch + END, CAUGHT),
        seed=1,
        metrics=metrics,
        design={"switch.off.push_off_m_s": levels([0.05, 0.0, 0.0], [0.1, 0.0, 0.0])},
        output_step_s=0.1,
    )
    assert [study.mission(number).switches[0].push_off_m_s[0] for number in range(2)] == [0.05, 0.1]


@pytest.mark.slow
def test_loads_are_drawn_and_turned_into_axes_of_a_frame(run):
    (figure,) = run.plot(["interface_loads"]).values()
    labels = [[text.get_text() for text in axis.get_legend().get_texts()] for axis in figure.axes]
    assert [len(words) for words in labels] == [2, 3] and labels[0][1].startswith("grasp, peak ") and "of 0.001" in labels[0][1]
    model, history = run.mission.model, run.history
    turned = interface_load(model, history, "elbow", axes="lower")
    for k in (0, -1):
        R = dcm_from_quaternion(model.attitude(history.states[k], "lower"))
        expected = np.concatenate([R.T @ part for part in np.split(history.interface_load("elbow")[k], 2)])
        assert_allclose(turned[k], expected, atol=1e-14)
    assert_allclose(turned[:, 4], history.tau[:, 1], atol=1e-9)  # the elbow turns about y
