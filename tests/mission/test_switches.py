"""Constraints that come and go in missions: by phases, at times, by events, and from phase to phase."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from typer.testing import CliRunner

from scmanip.command._application import application
from scmanip.command._run_report import page_of
from scmanip.errors import InvalidMission
from scmanip.mission import Mission, Run, load_mission
from scmanip.report import constraint_forces_figure
from scmanip.report.pages._work_budget import work_budget
from scmanip.simulation import Outcome, Switch

from .files import HEAD, SYSTEM, phase_table, written

HELD = (
    SYSTEM
    + """
[[constraint]]
name = "brake"
type = "lock"
joint = "elbow"

[[constraint]]
name = "grip"
type = "weld"
frames = ["ground", "lower"]
"""
)
END = """
[integration]
rtol = 1e-9
output_step_s = 0.25
[output]
figures = ["joint_rates"]
"""


def phase(name: str, rest: str = "", t_s: float = 1.0) -> str:
    guidance = '{ type = "hold", q_rad = { shoulder = 0.4, elbow = 0.1 } }'
    return phase_table(name, f"until = {{ t_s = {t_s} }}\n{rest}", guidance=guidance)


def mission(folder: Path, *parts: str, system: str = HELD, head: str = HEAD) -> Mission:
    return load_mission(written(folder, head + "".join(parts) + END, system))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A lock from 0.5 s on, which lasts through two phases until the third lets it go and a grip comes."""
    switch = '[[switch]]\nname = "lock"\nt_s = 0.5\nimpose = "brake"\n'
    parts = phase("one"), phase("two"), phase("three", 'impose = ["grip"]\nrelease = "brake"'), switch
    return mission(tmp_path_factory.mktemp("run"), *parts).run()


@pytest.mark.slow
def test_what_is_imposed_holds_on_through_phases_and_keeps_its_pose(run: Run) -> None:
    history = run.history
    held = (history.t >= 0.5) & (history.t < 2.0)
    assert np.ptp(history.q[held, 1]) < 1e-13
    assert abs(history.qdot[held, 1]).max() < 1e-13
    assert run.flown[0].history.holding is not None
    assert run.histories[1].active[:, 0].min() == 1.0
    assert [(change.t, change.imposed, change.released) for change in history.switches] == [
        (0.5, ("brake",), ()),
        (2.0, ("grip",), ("brake",)),
    ]
    gripped = run.mission.model.batch.position(run.histories[2].states, "lower")
    assert np.ptp(gripped, axis=0).max() < 1e-12
    assert run.outcome is Outcome.COMPLETED and not run.broken_laws and run.passed


@pytest.mark.slow
def test_switches_are_in_events_summaries_and_files(run: Run, tmp_path: Path) -> None:
    lost = run.history.switches[0].energy_lost
    sentence = f"imposed 'brake' at t = 0.5 s, which took {lost:.3g} J"
    assert sentence in run.history.events and sentence in str(run.summary())
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / "mission.resolved.toml")
    assert again.resolved["switch"] == [{"name": "lock", "t_s": 0.5, "impose": ["brake"]}]
    assert again.resolved["phase"][2]["release"] == ["brake"]
    flown = again.run()
    assert_array_equal(flown.history.q, run.history.q)
    assert flown.history.events == run.history.events


def test_the_energy_that_switches_take_is_in_the_budget_under_their_name(run: Run) -> None:
    (table,) = work_budget(run.history)
    rows = {by: energy for kind, by, energy in table.rows if kind == "dissipated"}
    lost = sum(change.energy_lost for change in run.history.switches)
    assert rows["constraints as they are imposed or slip"] == f"{lost:.4g} J"
    assert "what pushes the base" not in rows


def test_a_second_flight_switches_as_the_first(run: Run) -> None:
    assert run.unsteady == ()
    assert run.verdicts


def test_a_phase_in_two_parts_moves_as_one(tmp_path: Path) -> None:
    switch = '[[switch]]\nt_s = 0.5\nimpose = "grip"\n[[switch]]\nt_s = 1.5\nrelease = "grip"\n'
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    whole = mission(tmp_path / "a", phase("one", t_s=2.0), switch).run().history
    parts = mission(tmp_path / "b", phase("one"), phase("two"), switch).run().history
    assert [change.t for change in parts.switches] == [change.t for change in whole.switches] == [0.5, 1.5]
    assert_allclose(parts.q[-1], whole.q[-1], atol=1e-9)
    assert_allclose(parts.external_impulse[-1], whole.external_impulse[-1], atol=1e-7)
    assert_allclose(parts.dissipated_by_switches[-1], whole.dissipated_by_switches[-1], rtol=1e-12)


def test_an_event_of_any_phase_switches(tmp_path: Path) -> None:
    frame = '\n[[frame]]\nname = "hand"\nbody = "lower"\norigin_m = [0.8, 0.0, 0.0]\n'
    plain = mission(tmp_path, phase("one"), phase("two"), system=HELD + frame).run()
    there = plain.mission.model.position(plain.histories[1].states[2], "hand").tolist()
    event = (
        f'events = [{{ name = "near", type = "approach", frame = "hand", point_m = {there}, distance_m = 0.01, then = "log" }}]'
    )
    switch = '[[switch]]\nevent = "near"\nimpose = ["brake"]\n'
    run = mission(tmp_path, phase("one", event), phase("two", event), switch, system=HELD + frame).run()
    (change,) = run.history.switches
    assert change.imposed == ("brake",) and 1.0 < change.t < 2.0
    assert abs(run.history.qdot[run.history.t > change.t, 1]).max() < 1e-13


def test_what_is_active_holds_from_the_start(tmp_path: Path) -> None:
    system = HELD.replace('name = "brake"', 'name = "brake"\nactive = true')
    one = mission(tmp_path, phase("one"), phase("two", 'release = "brake"'), system=system)
    history = one.run().history
    assert np.ptp(history.q[history.t < 1.0, 1]) < 1e-13
    assert abs(history.qdot[-1, 1]) > 1e-3
    with pytest.raises(InvalidMission, match=r"short.toml:5:1: initial: expected speeds that obey 'brake', found speeds that"):
        mission(tmp_path, phase("one"), system=system, head=f"{HEAD}qdot_rad_s = [0.0, 0.1]\n")


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (['[[switch]]\nt_s = 0.5\nimpose = "brke"'], "switch[0].impose: expected one of the system's constraints brake, grip"),
        (['[[switch]]\nt_s = 0.5\nimpose = "brke"'], "did you mean 'brake'"),
        (['[[switch]]\nimpose = "brake"'], "switch[0].t_s: expected one of t_s and event, found neither"),
        (
            ['[[switch]]\nt_s = 0.5\nevent = "x"\nimpose = "brake"'],
            "switch[0].event: expected one of t_s and event, found both",
        ),
        (
            ["[[switch]]\nt_s = 0.5"],
            "switch[0].impose: expected something to impose, release, engage or inhibit, or a strike, found",
        ),
        (['[[switch]]\nt_s = 1.0\nimpose = "brake"'], "switch[0].t_s: expected a time before the end of the mission, 1 s"),
        (['[[switch]]\nevent = "touch"\nimpose = "brake"'], "switch[0].event: expected an event of a phase"),
        (['[[switch]]\nt_s = 0.5\nimpose = ["brake"]\nrelease = ["brake"]'], "switch[0].release: expected constraints that"),
        (
            ['[[switch]]\nname = "a"\nt_s = 0.5\nimpose = "brake"\n'] * 2,
            "switch[1].name: expected a name used once among switches",
        ),
        (["[[switch]]\nt_s = 0.5\nimpose = [1]"], "switch[0].impose: expected a name, or a list of different names"),
        (['[[switch]]\nt_s = 0.5\nimpos = "brake"'], "did you mean 'impose'"),
    ],
)
def test_switches_that_cannot_be_are_refused_by_their_keys(parts: list[str], words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission) as caught:
        mission(tmp_path, phase("one"), *parts)
    assert words in str(caught.value), str(caught.value)


def test_phases_name_constraints_and_switches_events_that_let_a_run_go_on(tmp_path: Path) -> None:
    with pytest.raises(InvalidMission, match=r"short.toml:14:1: phase\[0\].impose: expected one of the system's constraints"):
        mission(tmp_path, phase("one", 'impose = "grp"'))
    events = 'events = [{ name = "far", type = "joint_limits" }]'
    with pytest.raises(InvalidMission, match=r"switch\[0\].event: expected an event that lets the run go on"):
        mission(tmp_path, phase("one", events), '[[switch]]\nevent = "far"\nimpose = "brake"')


def test_switches_that_a_run_never_comes_to_are_told(tmp_path: Path) -> None:
    frame = '\n[[frame]]\nname = "hand"\nbody = "lower"\norigin_m = [0.8, 0.0, 0.0]\n'
    near = '{ name = "far", type = "approach", frame = "hand", point_m = [9.0, 0.0, 0.0], distance_m = 0.1, then = "log" }'
    stop = '{ type = "saturation", torque_Nm = 1e-3, then = "stop" }'
    switches = '[[switch]]\nevent = "far"\nimpose = "brake"\n[[switch]]\nt_s = 0.75\nrelease = "brake"\n'
    rest = f"events = [{near}, {stop}]"
    run = mission(tmp_path, phase("one", rest), switches, system=HELD + frame).run()
    assert "'brake' was not switched: event 'far' did not happen" in str(run.summary())
    early = replace(run, flown=(replace(run.flown[0], history=run.history.changed(t=run.history.t * 0.5)),))
    assert "'brake' at t = 0.75 s was not switched: the run ended before" in str(early.summary())


def test_what_cannot_hold_where_a_mission_begins_is_refused(tmp_path: Path) -> None:
    system = HELD.replace('frames = ["ground", "lower"]', 'frames = ["ground", "lower"]\ntolerance_m = 0.1')
    for first, rest in (('impose = "grip"', ""), ("", '[[switch]]\nt_s = 0\nimpose = "grip"\n')):
        with pytest.raises(
            InvalidMission,
            match=r"short.toml:5:1: initial: expected constraint 'grip' tolerance_m: frames that meet within 0.1 m",
        ):
            mission(tmp_path, phase("one", first), rest, system=system)


def test_a_check_shows_what_is_switched(tmp_path: Path) -> None:
    switch = '[[switch]]\nname = "lock"\nt_s = 0.5\nimpose = "brake"\n'
    path = written(tmp_path, HEAD + phase("one", 'impose = ["grip"]') + switch + END, HELD)
    told = CliRunner().invoke(application, ["check", str(path)])
    assert told.exit_code == 0, told.output
    assert "switch lock: t_s 0.5, impose brake" in told.output
    cells = [line.split() for line in told.output.splitlines()]
    assert ["one", "floating", "qdot", "v_C,", "omega_0", "grip", "grip", "Hold", "1", "s"] in cells
    assert "grip: rank 6 of 6 rows" in told.output and ["brake", "lock", "elbow", "1"] in cells


def test_a_check_of_a_system_says_which_rows_follow_from_others(tmp_path: Path) -> None:
    again = '\n[[constraint]]\nname = "hold"\ntype = "weld"\nframes = ["ground", "lower"]\nactive = true\n'
    (tmp_path / "arm.toml").write_text(HELD + again)
    told = CliRunner().invoke(application, ["check", str(tmp_path / "arm.toml")])
    assert told.exit_code == 0, told.output
    assert "hold: rank 6 of 6 rows" in told.output
    assert "brake and grip and hold: rank 7 of 13 rows, in general" in told.output and ".x follows from" in told.output


def test_a_page_tells_of_constraints_and_of_what_switches_did(run: Run) -> None:
    page = page_of(run, {})
    tables = {table.name: table for table in page.tables}
    assert tables["constraints"].rows == (("brake", "lock", "elbow", "1", ""), ("grip", "weld", "ground, lower", "6", ""))
    locked, gripped = run.switches
    assert tables["switches"].rows[0][:4] == ("0.5 s", "imposed 'brake'", "brake", "")
    assert gripped.holding == ("grip",) and [unit for unit, _ in gripped.impulses["grip"]] == ["N s", "N m s"]
    (jumped,) = gripped.momenta_after - gripped.momenta_before
    assert_allclose(np.linalg.norm(jumped[:3]), gripped.impulses["grip"][0][1], rtol=1e-9)  # from the ground
    lost = run.mission.model.kinetic_energy(run.history.switches[0].before) - locked.kinetic_J
    assert abs(lost) < 1e-15 and abs(locked.momenta_after - locked.momenta_before).max() < 1e-13
    assert [row[-1] for row in tables["phases"].rows] == ["", "brake", "grip"]
    events = [row[0] for row in tables["events"].rows]
    assert [event.split()[0] for event in events] == ["imposed", "phase", "phase", "imposed", "phase"]
    assert "constrained by 'brake'" in str(run.summary())


@pytest.mark.slow
def test_the_figure_of_constraint_forces_has_rows_that_are_something(run: Run) -> None:
    forces, moments = run.plot(["constraint_forces"])["constraint_forces"].axes
    assert {text.get_text().split(",")[0] for text in moments.get_legend().get_texts()} >= {"brake.elbow", "grip.turn_z"}
    (nothing,) = constraint_forces_figure(run.history.changed(constraint_force=0 * run.history.constraint_force)).axes
    assert nothing.get_ylabel() == "force of constraints [N]" and nothing.texts[0].get_text() == "nothing to show"
    assert {text.get_text().split(",")[0] for text in forces.get_legend().get_texts()} == {"grip.x", "grip.y", "grip.z"}


def test_switches_of_python_are_checked_and_not_stored(run: Run, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission, match="from 0 to less than 3"):
        replace(run.mission, switches=(Switch(t_s=4.0, impose="brake"),))
    assert replace(run.mission, switches=()).unsaid == ("switches",)


def test_a_phase_whose_grasp_misses_is_an_end_with_a_reason(tmp_path: Path) -> None:
    system = HELD.replace('frames = ["ground", "lower"]', 'frames = ["ground", "lower"]\ntolerance_m = 0.1')
    run = mission(tmp_path, phase("one"), phase("two", 'impose = "grip"'), system=system).run()
    assert run.outcome is Outcome.UNMET and run.computed and not run.passed and len(run.flown) == 1
    assert "phase 'two' could not begin at t = 1 s: constraint 'grip' tolerance_m: expected" in run.history.advice
    assert run.history.t[-1] == 1.0 and "unmet" in str(run.summary())


def test_a_brake_slips_on_from_phase_to_phase(tmp_path: Path) -> None:
    switch = '[[switch]]\nname = "brake"\nt_s = 0.5\nimpose = "brake"\n'
    parts = phase("one"), phase("two"), switch
    run = mission(tmp_path, *parts, system=HELD.replace('joint = "elbow"', 'joint = "elbow"\nslip_Nm = 0.02')).run()
    history = run.history
    assert [change.slipped for change in history.switches] == [("brake",)]
    assert run.histories[0].constraints == ("brake",) and run.histories[0].holding is None
    dragged = history.constraint_forces["brake"][history.t > 0.5, 0]
    assert_allclose(dragged, -0.02 * np.sign(history.qdot[-1, 1]), rtol=1e-12)
    assert not history.broken_laws
    assert history.dissipated_by_switches[-1] > 1e-4


@pytest.mark.slow
def test_a_release_of_what_never_holds_is_refused_and_one_of_what_does_not_hold_yet_told(tmp_path: Path) -> None:
    switch = '[[switch]]\nt_s = 0.25\nrelease = ["brake", "brke"]\n'
    for wrong, where in ((phase("one", 'release = "brake"'), r"phase\[0\]"), (phase("one") + switch, r"switch\[0\]")):
        with pytest.raises(InvalidMission, match=rf"{where}.release: expected a constraint that holds at some time.*impose it"):
            mission(tmp_path, wrong.replace(', "brke"', ""))
    late = '[[switch]]\nt_s = 0.5\nimpose = "brake"\n[[switch]]\nt_s = 0.75\nimpose = ["brake", "grip"]\n'
    run = mission(tmp_path, phase("one"), switch.replace(', "brke"', ""), late).run()
    assert [change.idle for change in run.history.switches] == [("brake",), (), ("brake",)]
    assert run.history.events[0] == "did not change 'brake' at t = 0.25 s"
    assert run.history.events[2].startswith("imposed 'grip' and did not change 'brake' at t = 0.75 s")


FREE = """
[[body]]
name = "target"
parent = "ground"
mass_kg = 4.0
inertia_kg_m2 = [1.0, 1.0, 1.0]
joint = { name = "target", type = "free" }
"""


def test_rates_of_a_free_body_are_given_by_its_name_in_each_unit(tmp_path: Path) -> None:
    places = "q_rad = { shoulder = 0.2, elbow = -0.3 }\nq_m = { target = [1.0, 2.0, 3.0] }\n"
    rates = "qdot_m_s = { target = [0.1, 0.2, 0.3] }\nqdot_deg_s = { target = [1.0, 2.0, 3.0], shoulder = 4.0 }\n"
    head = HEAD.replace("q_rad = [0.2, -0.3]\n", places)
    initial = mission(tmp_path, phase("one"), system=HELD + FREE, head=head + rates).initial
    assert_allclose(initial.qdot, [np.radians(4.0), 0, 0.1, 0.2, 0.3, *np.radians([1.0, 2.0, 3.0])], rtol=1e-15)
    for given, words in (
        ("qdot_m_s = { target = [0.1, 0.2] }\n", "initial.qdot_m_s: expected 3 numbers for 'target', found 2"),
        ("qdot_m_s = { shoulder = 0.1 }\n", "initial.qdot_m_s: expected a joint in m, found 'shoulder', which is in rad"),
    ):
        with pytest.raises(InvalidMission, match=words):
            mission(tmp_path, phase("one"), system=HELD + FREE, head=head + given)
    with pytest.raises(
        InvalidMission, match=r"initial.q_m: expected a value for every joint, found none for target.y, target.z"
    ):
        mission(tmp_path, phase("one"), system=HELD + FREE, head=head.replace("target = [1.0, 2.0, 3.0]", '"target.x" = 0.1'))


def test_how_far_constraints_drift_is_a_law_with_a_verdict(run: Run) -> None:
    drift = run.history.residuals["constraint_drift"]
    assert 0 < drift.value < 1e-12 and drift.kept and drift.most == 1e-6
    assert "drift of what constraints hold" in str(run.summary())
    away = run.history.changed(constraint_drift=np.full(len(run.history.t), 1e-5))
    assert "constraint_drift" in away.broken_laws
