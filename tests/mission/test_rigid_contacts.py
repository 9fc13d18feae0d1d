"""Shapes that touch rigidly in missions: `[[contact]]`, strikes of `[[switch]]`, meetings as events."""

from __future__ import annotations

from pathlib import Path

import h5netcdf
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import uniform
from typer.testing import CliRunner

from scmanip.campaign import Study
from scmanip.command._application import application
from scmanip.errors import InvalidMission
from scmanip.mission import Mission, Run, load_mission
from scmanip.simulation import Outcome
from scmanip.simulation.switching import _settling

from .files import phase_table, written

G, R = 9.81, 0.1
COURT = f"""
schema = "scmanip.system/1"
name = "court"
gravity_m_s2 = [0.0, 0.0, -{G}]
[base]
fixed = true
[[body]]
name = "lift"
parent = "base"
mass_kg = 0.0
inertia_kg_m2 = [0.0, 0.0, 0.0]
joint = {{ name = "height", type = "prismatic", axis = [0, 0, 1] }}
[[body]]
name = "ball"
parent = "lift"
mass_kg = 2.0
inertia_kg_m2 = [0.1, 0.1, 0.1]
joint = {{ name = "way", type = "prismatic", axis = [1, 0, 0] }}
[[shape]]
name = "ball"
body = "ball"
type = "sphere"
radius_m = {R}
[[shape]]
name = "floor"
frame = "ground"
type = "plane"
[[constraint]]
name = "rests"
type = "lock"
joint = "height"
"""
HEAD = """\
schema = "scmanip.mission/1"
name = "court"
system = "arm.toml"
[initial]
q_m = { height = 0.3, way = 0.0 }
qdot_m_s = { way = 2.5 }
"""
NOTHING = '[{ type = "saturated", limit = 1e-12 }, { type = "joint_regulator", K_P = 0.0, K_D = 0.0 }]'
END = "\n[integration]\nrtol = 1e-11\noutput_step_s = 0.05\n"
CONTACT = """
[[contact]]
name = "ground"
shapes = ["floor", "ball"]
law = "newton"
restitution = 0.5
friction = 0.2
plastic_below_m_s = 0.3
"""
MEETS = 'events = [{ name = "hit", type = "meeting", shapes = ["floor", "ball"], then = "log" }]'
STRIKE = """
[[switch]]
event = "hit"
[switch.strike]
pairs = [["floor", "ball"]]
rests = "rests"
law = "newton"
restitution = 0.5
friction = 0.2
plastic_below_m_s = 0.3
"""


def phase(name: str = "fall", t_s: float = 1.0, rest: str = "") -> str:
    guidance = '{ type = "hold", q_m = { height = 0.0, way = 0.0 } }'
    return phase_table(name, f"until = {{ t_s = {t_s} }}\n{rest}", guidance=guidance, controller=NOTHING, mode="fixed_base")


def mission(folder: Path, *parts: str, head: str = HEAD) -> Mission:
    return load_mission(written(folder, head + "".join(parts) + END, COURT))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return mission(tmp_path_factory.mktemp("run"), phase("fall", 0.6), phase("slide", 0.3), CONTACT).run()


def bounces() -> tuple[float, ...]:
    first = np.sqrt(2 * 0.2 / G)
    return first, 2 * first, 2.5 * first, 2.75 * first, 2.875 * first


@pytest.mark.slow
def test_a_ball_bounces_and_slides_through_phases(run: Run) -> None:
    history = run.history
    assert run.outcome is Outcome.COMPLETED and not run.broken_laws and run.passed
    struck = [change for change in history.switches if change.struck]
    assert_allclose([change.t for change in struck], bounces()[: len(struck)], atol=1e-7)
    assert struck[-1].contacts == {"floor ball": "slides"}
    lost = 0.2 * sum(abs(change.before.qdot[0]) + abs(change.after.qdot[0]) for change in struck)
    slid = 0.2 * G * (0.9 - struck[-1].t)
    assert_allclose(history.qdot[-1], [0, 2.5 - lost - slid], atol=1e-7)
    assert_allclose(history.q[-1, 0], R, atol=1e-9)
    assert_allclose(history.contact_force[-1, 0, 2], 2 * G, rtol=1e-9)
    assert "struck 'floor ball'" in str(run.summary())
    first = struck[0].impulses["floor ball"]
    between = (history.t > struck[0].t) & (history.t < struck[1].t)
    assert_allclose(history.contact_impulse[between, 0], np.tile(first, (between.sum(), 1)), atol=1e-12)
    assert not history.contact_impulse[history.t < struck[0].t].any() and abs(first[2]) > 2 * R


def test_a_contact_that_pulls_breaks_a_law(run: Run) -> None:
    history = run.history
    assert_allclose(history.contact_push[-1], [2 * G], rtol=1e-9)
    assert history.changed(contact_push=-history.contact_push).broken_laws == ("pull",)


@pytest.mark.slow
def test_metrics_and_figures_know_contacts_where_nothing_is_constrained(tmp_path: Path) -> None:
    bare = COURT[: COURT.index("[[constraint]]")]
    written(tmp_path, HEAD + phase(t_s=0.9) + CONTACT + END + '[output]\nfigures = ["constraint_forces"]\n', bare)
    metrics = {
        "push_N": "final(floor_ball_push_N)",
        "all_N": "max(contact_push_N)",
        "lost_J": "final(dissipated_by_switches_J)",
        "blow_Ns": "max(floor_ball_impulse_Ns)",
    }
    made = Study(tmp_path / "short.toml", seed=1, metrics=metrics, dispersion={"contact.ground.friction": uniform(0.1, 0.2)})
    (row,) = made.evaluator.rows([made.case(0)])
    history = made.mission(0).run().history
    found = history.contact_push[-1, 0], history.contact_push.max(), history.dissipated_by_switches[-1]
    found += (max(np.linalg.norm(change.impulses["floor ball"]) for change in history.switches if change.struck),)
    assert_allclose([row.metrics[name] for name in metrics], found, rtol=1e-6)
    assert_allclose(found[:2], 2 * G, rtol=1e-9)
    assert load_mission(tmp_path / "short.toml").figure_names == ("constraint_forces",)


@pytest.mark.slow
def test_what_contacts_did_is_stored_and_flown_again(run: Run, tmp_path: Path) -> None:
    run.save(tmp_path / "out")
    with h5netcdf.File(tmp_path / "out" / "run.nc", "r", decode_vlen_strings=True) as stored:
        assert_array_equal(stored["contact_mode"][...], run.history.contact_mode)
        assert_array_equal(stored["contact_force"][...], run.history.contact_force)
        assert list(stored["contact"][...]) == ["floor ball"]
    again = load_mission(tmp_path / "out" / "mission.resolved.toml")
    assert again.resolved["contact"][0]["friction"] == 0.2
    assert_array_equal(again.run().history.q, run.history.q)


@pytest.mark.slow
def test_a_strike_of_a_switch_bounces_until_the_ball_rests(tmp_path: Path) -> None:
    history = mission(tmp_path, phase(t_s=0.9, rest=MEETS), STRIKE).run().history
    assert_allclose([change.t for change in history.switches], bounces()[: len(history.switches)], atol=1e-7)
    assert history.switches[-1].imposed == ("rests",) and history.outcome is Outcome.COMPLETED
    assert_allclose(history.q[-1, 0], R, atol=1e-9)


def test_a_meeting_ends_a_phase(tmp_path: Path) -> None:
    history = mission(tmp_path, phase(rest=MEETS.replace("log", "stop"))).run().history
    assert history.outcome is Outcome.EVENT and "'floor' and 'ball' met" in history.advice
    assert history.t[-1] == pytest.approx(bounces()[0], abs=1e-8)


def test_a_check_shows_contacts_and_strikes(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + phase(rest=MEETS) + CONTACT + STRIKE + END, COURT)
    told = CliRunner().invoke(application, ["check", str(path)])
    assert "switch switch1: event hit, strike" in told.output
    assert told.exit_code == 0, told.output
    assert "contact ground: law newton, restitution 0.5, friction 0.2" in told.output


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([CONTACT.replace("0.2", "-0.2")], "contact[0].friction: expected a number >= 0, found -0.2"),
        ([CONTACT.replace("0.5", "1.5")], "contact[0].restitution: expected a number <= 1, found 1.5"),
        (
            [CONTACT.replace("floor", "flor")],
            "contact[0].shapes: expected two of ball, floor, found 'flor'; did you mean 'floor'",
        ),
        ([CONTACT.replace("newton", "newtn")], "contact[0].law: expected 'newton', 'poisson' or 'energetic'"),
        ([CONTACT, CONTACT], "contact[1].name: expected a name used once among contacts"),
        ([CONTACT, CONTACT.replace("ground", "g")], "contact[1].shapes: expected every pair once"),
        ([CONTACT.replace("friction", "fricton")], "did you mean 'friction'"),
        ([STRIKE.replace('"rests"', '"rsts"')], "switch[0].strike.rests: expected one of the system's constraints rests"),
        ([STRIKE.replace('"ball"', '"bal"')], "switch[0].strike.pairs: expected two of ball, floor, found 'bal'"),
        ([STRIKE.replace("0.2", "-1")], "switch[0].strike.friction: expected a number >= 0"),
    ],
)
def test_what_cannot_touch_is_refused_by_line_and_key(parts: list[str], words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission) as caught:
        mission(tmp_path, phase(rest=MEETS), *parts)
    assert words in str(caught.value), str(caught.value)


def test_shapes_inside_each_other_at_the_start_are_refused_by_how_much(tmp_path: Path) -> None:
    head = HEAD.replace("0.3", "0.06")
    with pytest.raises(
        InvalidMission, match=r"short.toml:4:1: initial: expected contact 'floor ball': 'ball' inside 'floor' by at most"
    ):
        mission(tmp_path, phase(), CONTACT, head=head)
    with pytest.raises(InvalidMission, match=r"found 0.04 m"):
        mission(tmp_path, phase(), CONTACT, head=head)


FOLDER = Path(__file__).parents[2] / "missions"


@pytest.fixture(scope="module")
def bumped() -> Run:
    return load_mission(FOLDER / "docking_bumper.toml").run()


@pytest.mark.slow
def test_a_bumper_takes_the_speed_of_a_client_and_a_latch_holds_it(bumped: Run) -> None:
    history = bumped.history
    assert bumped.passed and not bumped.open_points
    struck = [change for change in history.switches if change.struck]
    bounced = [change.impulses["plate head"][0] for change in struck]
    assert len(struck) == 4 and struck[-1].t - struck[0].t < 0.01
    ratios = np.array(bounced[1:]) / bounced[:-1]
    assert_allclose(ratios, 0.2, atol=0.05)  # of restitution, and the spring behind the head
    verdict = next(each for each in bumped.verdicts if each.name == "switch_impulse")
    assert verdict.value == pytest.approx(np.linalg.norm(struck[0].impulses["plate head"])) and verdict.limit == 0.1
    latched = history.switches[-1]
    assert latched.imposed == ("latch",) and np.linalg.norm(latched.impulses["latch"][:3]) < verdict.value
    assert not history.contact_push[history.t > latched.t].any()
    assert_allclose(history.P_by_tree.sum(axis=1), np.tile([-2.0, 0.5, 0.0], (len(history.t), 1)), atol=1e-10)


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize(("at_limit", "outcome"), [(_settling.AT_LIMIT, Outcome.COMPLETED), (-1.0, Outcome.STALLED)])
def test_friction_that_comes_to_its_limit_slips_and_what_changes_nothing_ends_in_words(
    at_limit: float, outcome: Outcome, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The head sticks while the base is pushed back, until the spring of its law lets go of it."""
    monkeypatch.setattr(_settling, "AT_LIMIT", at_limit)
    text = (FOLDER / "docking_bumper.toml").read_text().replace("t_s = 2.5", "t_s = 3.0")
    encounter = text[: text.index('[[phase]]\nname = "latched"')] + text[text.index("[[contact]]") : text.index("[limits]")]
    system = (FOLDER / "systems" / "docking_bumper.toml").read_text()
    run = load_mission(written(tmp_path, encounter.replace("systems/docking_bumper.toml", "arm.toml"), system)).run()
    assert run.outcome is outcome
    if outcome is Outcome.STALLED:
        assert "'plate head' switch again and again" in run.histories[-1].advice
    else:
        assert run.history.switches[-1].contacts == {"plate head": "open"} and not run.broken_laws
