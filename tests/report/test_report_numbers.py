"""What tables and figures of a run say is what NumPy makes of its series, in the units and columns they claim."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import numpy as np
import pytest
from matplotlib.axes import Axes
from numpy.testing import assert_allclose

from scmanip.analysis import TipTrack
from scmanip.modes import Flying
from scmanip.report import (
    Limits,
    PhaseAccount,
    ReportPage,
    Verdict,
    comparison,
    comparison_figure,
    compliance_of_run,
    equations_used,
    figures,
    run_page,
    summary,
    tip_error_figure,
    verdicts,
)
from scmanip.report.pages._phase_account import gain_table, phase_table
from scmanip.simulation import BaseDisturbance, History, LimitPassage
from scmanip.system import Motor, System, Thruster, Wheel
from tests.command.pages import Tables

from .histories import arm, history
from .test_gimbals_and_spherical_joints import tree

TURNS, SLIDES = "revolute", "prismatic"
T = np.array([0.0, 1.0, 2.0, 4.0, 8.0])
WHEELS = [Wheel(name, axis, inertia) for name, axis, inertia in (("w1", [1, 0, 0], 0.5), ("w2", [0, 1, 0], 2.0))]
THRUSTERS = [Thruster(name, [0, 0, 0], [1, 0, 0], force, 50.0) for name, force in (("t1", 3.0), ("t2", 7.0))]


def series(seed: int, *shape: int) -> np.ndarray:
    """Numbers without a pattern, from -9 to 9."""
    return np.random.default_rng(seed).uniform(-9, 9, (len(T), *shape))


def turned_by(degrees: np.ndarray) -> np.ndarray:
    """Attitudes about z."""
    half = np.radians(degrees) / 2
    return np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], axis=1)


TURN_DEG = np.array([0.0, 10.0, -40.0, 25.0, 5.0])


def flight(system: System | None = None, **other: object) -> History:
    """Return a history of a base that is pushed, wheels, a joint that turns and one that slides: every number is another."""
    given: dict[str, object] = {
        "q": series(1, 2), "qdot": series(2, 2), "tau": series(3, 2) * [0.5, 1], "r_0": series(4, 3), "omega_0": series(5, 3),
        "wrench": series(6, 6), "impulse": series(7, 6), "h_wheels": series(8, 3), "wheel_rad_s": series(9, 2),
        "wheel_torque": series(10, 2), "attitude_xyzw": turned_by(TURN_DEG), "propellant_kg": np.array([0, 1, 2, 4, 6.5]),
        "thrust_N": abs(series(11, 2)), "impulse_by_thruster": np.cumsum(abs(series(12, 2)), axis=0),
        "work_by_joint": series(13, 2), "work_by_wheel": series(14, 2), "work_on_base": series(15), "work": series(16),
        "dissipated_by_joint": series(17, 2), "dissipated_by_wheel": series(18, 2), "dissipated": series(19),
        "kinetic_energy_by_body": abs(series(20, 3)), "kinetic_energy_by_wheel": abs(series(21, 2)),
        "stored_energy": series(22), "turn_by_joint": series(23, 3, 2), "turn_by_momentum": series(24, 3),
        "shift_by_joint": series(25, 3, 2), "shift_by_momentum": series(26, 3),
    }  # fmt: skip
    run = history(system or arm(TURNS, SLIDES, wheels=WHEELS, thrusters=THRUSTERS), T, **{**given, **other})
    vars(run)["mode"] = Flying()
    return run


@pytest.fixture(scope="module")
def run() -> History:
    return flight()


def size(vectors: np.ndarray) -> np.ndarray:
    return np.sqrt((vectors**2).sum(axis=1))


def named(run: History, limits: Limits | None = None, **more: object) -> Mapping[str, Verdict]:
    return {verdict.name: verdict for verdict in verdicts(run, limits or Limits(), **more)}  # type: ignore[arg-type]


def says(cell: str, value: float, unit: str) -> bool:
    """Whether a cell has a number in a unit, be it with its error."""
    return cell.split(maxsplit=1)[0] == f"{value:.4g}" and cell.endswith(f" {unit}")


def limited(found: Mapping[str, Verdict]) -> set[str]:
    """What is judged: laws that made-up numbers break are, whatever was asked."""
    return {name for name, verdict in found.items() if verdict.limit is not None}


# --- verdicts -------------------------------------------------------------------------------------------------------------


TIPS = [
    TipTrack("first", T, np.full(5, 0.2), np.full(5, 0.1), np.full(5, 0.9), np.full(5, 0.9), np.zeros(5), "J*"),
    TipTrack("far", T, np.array([0.5, 0.9, 0.1, 0.1, 0.3]), np.array([0.1, 0.2, 0.3, 0.2, 0.1]), series(30) * 0 + 0.5,
             np.full(5, 0.7), np.zeros(5), "J*"),
    TipTrack("near", T + 8, np.array([0.05, 0.04, 0.03, 0.02, 0.01]), np.array([0.02, 0.02, 0.02, 0.02, 0.04]),
             np.array([0.4, 0.3, 0.01, 0.2, 0.6]), np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([0, 0.02, 0.03, 0, 0]), "J*"),
]  # fmt: skip
VALUES = {
    "base_rotation_rad": ("base_rotation", "rad", lambda run: np.radians(40.0)),
    "base_displacement_m": ("base_displacement", "m", lambda run: size(run.r_0 - run.r_0[0]).max()),
    "base_rate_rad_s": ("base_rate", "rad/s", lambda run: size(run.omega_0).max()),
    "final_joint_error_rad": ("final_joint_error", "rad", lambda run: abs(run.q[-1, 0] - 0.25)),
    "final_joint_error_m": ("final_joint_extension_error", "m", lambda run: abs(run.q[-1, 1] + 0.5)),
    "base_force_N": ("base_force", "N", lambda run: size(run.wrench[:, :3]).max()),
    "base_torque_Nm": ("base_torque", "N m", lambda run: size(run.wrench[:, 3:]).max()),
    "impulse_Ns": ("impulse", "N s", lambda run: size(run.impulse[:, :3]).max()),
    "angular_impulse_Nms": ("angular_impulse", "N m s", lambda run: size(run.impulse[:, 3:]).max()),
    "propellant_kg": ("propellant", "kg", lambda run: 6.5),
    "tip_error_m": ("tip_error", "m", lambda run: 0.01),
    "tip_error_rad": ("tip_turn", "rad", lambda run: 0.04),
}


@pytest.mark.parametrize(
    ("value", "error", "word"),
    [
        (0.9, 0.0, "ok"), (0.9, 0.05, "ok"), (0.9, 0.2, "not shown"), (1.1, 0.2, "not shown"), (1.1, 0.05, "FAILED"),
        (1.3, 0.2, "FAILED"), (float("nan"), 0.0, "FAILED"), (0.9, float("inf"), "not shown"),
    ],
)  # fmt: skip
def test_a_limit_is_kept_or_broken_where_that_holds_for_all_values_within_the_error(
    value: float, error: float, word: str
) -> None:
    """The limit is 1 m: 0.9 +- 0.2 and 1.1 +- 0.2 may lie on either side of it."""
    verdict = Verdict("x", "x", value, "m", 1.0, error=error)
    assert (verdict.word, verdict.passed) == (word, word == "ok")


def test_a_second_flight_adds_twice_its_difference_to_what_is_unseen_between_samples() -> None:
    """It is half as wrong itself at most, as of a method that is at least of first order in its tolerance."""
    first, second = (Verdict("x", "x", value, "m", 2.0, unseen=0.01) for value in (1.0, 1.1))
    assert first.beside(second).error == pytest.approx(0.01 + 2 * 0.1)
    assert first.beside(None).error == np.inf


def test_errors_are_shown_in_the_unit_of_their_number() -> None:
    rows = [
        Verdict("a", "a", np.radians(10.0), "rad", error=np.radians(1.5)),
        Verdict("b", "b", 0.02, "m", None, "", "mm", error=1e-3),
    ]
    assert [row.value for row in summary("", rows).rows] == ["10 +- 1.5 deg", "20 +- 1 mm"]


@pytest.mark.parametrize("key", VALUES)
@pytest.mark.parametrize("part", [0.5, 2.0])
def test_each_limit_judges_its_own_quantity_and_no_other(run: History, key: str, part: float) -> None:
    name, unit, of = VALUES[key]
    value = float(of(run))
    found = named(run, Limits(**{key: part * value}), goal=np.array([0.25, -0.5]), tips=TIPS)
    assert (found[name].value, found[name].unit) == (pytest.approx(value, rel=1e-12), unit)
    assert found[name].limit == part * value
    assert found[name].passed is (part > 1)
    assert limited(found) - limited(named(run, tips=TIPS)) == {name}


JOINTS = {
    "joint_effort": (("joint_torque", "N m", 0), ("joint_force", "N", 1), lambda run: run.tau),
    "joint_rate": (("joint_rate", "rad/s", 0), ("joint_speed", "m/s", 1), lambda run: run.qdot),
    "joint_power": (("joint_power", "W", 0), ("joint_power", "W", 1), lambda run: run.tau * run.qdot),
}


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("joint", [0, 1])
def test_each_joint_limit_judges_effort_rate_or_power_of_its_joint(run: History, kind: str, joint: int) -> None:
    name, unit, place = JOINTS[kind][joint]
    peak = abs(JOINTS[kind][2](run)[:, place]).max()
    found = named(run, Limits(**{kind: {f"joint{joint + 1}": 0.9 * peak}}))
    assert (found[name].value, found[name].unit) == (pytest.approx(peak, rel=1e-12), unit)
    assert not found[name].passed
    assert limited(found) - limited(named(run)) == {name}


def test_what_is_said_of_a_freedom_goes_before_what_is_said_of_its_joint() -> None:
    system = tree()
    names = [freedom.name for freedom in system.freedoms]
    tau = np.zeros((len(T), len(names)))
    tau[2, names.index("mast.2")] = 3.0
    found = named(history(system, T, tau=tau), Limits(joint_effort={"mast": 10.0, "mast.2": 2.0}))["joint_torque"]
    assert (found.value, found.limit, found.passed) == (3.0, 2.0, False)


LAWS = {
    "momentum_relative": {"linear_momentum_relative": 1e-10 / np.sqrt(12), "angular_momentum_relative": 2e-10 / np.sqrt(12)},
    "energy_relative": {"energy_relative": 1e-9},
    "system_com_drift_m": {"system_com_drift": 5e-10},
}


@pytest.mark.parametrize("key", LAWS)
def test_momentum_energy_and_drift_have_limits_of_their_own(key: str) -> None:
    drift, peak = np.zeros((5, 3)), np.full((5, 3), 2.0)
    drift[3, 0] = 1e-10
    energy = 1 + np.array([0, 0, 0, 1e-9, 0])
    made = history(arm(TURNS), T, P=drift, L_C=2 * drift, P_arm=peak, L_arm=peak, r_C=5 * drift, kinetic_energy=energy)
    found = named(made, Limits(**{key: 1e-20}))
    assert {name for name, verdict in found.items() if verdict.limit == 1e-20} == set(LAWS[key])
    for name, value in LAWS[key].items():
        assert found[name].value == pytest.approx(value, rel=1e-6)
        assert not found[name].passed


@pytest.mark.parametrize(("q", "excess"), [([0.1, 0.9, -0.2], 0.4), ([0.1, 0.2, -0.9], 0.6)])
def test_a_joint_may_leave_its_range_at_either_end(q: list[float], excess: float) -> None:
    made = history(arm(TURNS, lower=-0.3, upper=0.5), [0.0, 1.0, 2.0], q=np.array(q)[:, None])
    found = named(made)["joint_range"]
    assert found.value == pytest.approx(excess)
    assert not found.passed


def test_the_farthest_passage_beyond_a_range_is_told() -> None:
    made = history(arm(TURNS, upper=0.5), [0.0, 1.0, 2.0], q=np.array([[0.1], [0.6], [0.2]]))
    passages = [
        LimitPassage("joint1", "upper", 0.5, "rad", start, start + 0.2, excess, start + 0.1)
        for start, excess in ((0.3, 0.02), (0.9, 0.12), (1.5, 0.05))
    ]
    vars(made)["passages"] = tuple(passages)
    found = named(made)["joint_range"]
    assert (found.value, found.where) == (0.12, "joint1, t = 1 s, beyond from t = 0.9 s")


def test_a_frame_is_judged_at_its_end_and_told_where_it_was_worst(run: History) -> None:
    found = named(run, Limits(tip_error_m=0.02, tip_error_rad=0.03), tips=TIPS)
    assert (found["tip_error"].value, found["tip_error"].passed) == (0.01, True)
    assert (found["tip_turn"].value, found["tip_turn"].passed) == (0.04, False)
    assert (found["tip_path"].value, found["tip_path"].where) == (0.9, "far, t = 1 s")
    damping = found["tip_damping"]
    assert damping.value == 0.03
    assert damping.where.startswith("smallest singular value 0.01, manipulability 3 at t = 10 s")
    assert "damped from t = 9 s to t = 10 s" in damping.where


def test_the_motor_nearest_to_its_limit_is_named_whatever_the_larger_torque_is() -> None:
    plain = arm(TURNS, TURNS)
    motors = [Motor("joint1", torque_Nm=100.0), Motor("joint2", torque_Nm=1.0)]
    system = System("two motors", plain.bodies[0], plain.bodies[1:], actuators=motors)
    found = named(history(system, T, tau=np.outer(T, [1.0, 0.1])))["motor_torque"]
    assert (found.value, found.limit) == (pytest.approx(0.8), 1.0)
    assert found.where == "joint2, 80 % at t = 8 s"


def test_wheels_are_judged_in_their_own_quantities() -> None:
    wheel = Wheel("w", [1, 0, 0], 0.5, speed_rad_s=10.0, torque_Nm=3.0, momentum_Nms=20.0)
    speeds, torques = np.array([0.0, 2.0, -8.0, 1.0, 1.0]), np.array([0.0, 1.0, 1.5, 2.0, 0.5])
    made = history(arm(TURNS, wheels=[wheel]), T, wheel_rad_s=speeds[:, None], wheel_torque=torques[:, None])
    found = named(made)
    kinds = ("speed", "torque", "momentum")
    assert [found[f"wheel_{kind}"].value for kind in kinds] == [8.0, 2.0, 4.0]
    assert [found[f"wheel_{kind}"].limit for kind in kinds] == [10.0, 3.0, 20.0]
    assert [found[f"wheel_{kind}"].unit for kind in kinds] == ["rad/s", "N m", "N m s"]
    cells = {row.quantity: (row.value, row.limit) for row in summary("", list(found.values())).rows}
    rpm = 60 / (2 * np.pi)
    for kind, value, limit, unit in (
        ("speed", 8 * rpm, 10 * rpm, "rpm"),
        ("torque", 2, 3, "N m"),
        ("momentum", 4, 20, "N m s"),
    ):
        shown, allowed = cells[f"wheel {kind}"]
        assert says(shown, value, unit)
        assert allowed == f"{limit:.4g} {unit}"


# --- tables ---------------------------------------------------------------------------------------------------------------


def test_the_summary_converts_to_the_units_it_names() -> None:
    rows = [
        Verdict("a", "angle", np.radians(12.0), "rad", np.radians(24.0)),
        Verdict("b", "distance", 0.0125, "m", 0.025, shown_in="mm"),
        Verdict("c", "speed", 2 * np.pi, "rad/s", 4 * np.pi, shown_in="rpm"),
        Verdict("d", "rate", np.radians(3.0), "rad/s"),
    ]
    cells = [row.cells[:3] for row in summary("", rows).rows]
    assert cells == [
        ("angle", "12 deg", "24 deg"), ("distance", "12.5 mm", "25 mm"), ("speed", "60 rpm", "120 rpm"), ("rate", "3 deg/s", "")
    ]  # fmt: skip


def disturbed(n: int = 5) -> BaseDisturbance:
    """Two joints; both turn the base most at sample 3."""
    omega = np.zeros((n, 3, 2))
    omega[1, 0] = [0.5, -0.45]
    omega[3, 2] = [0.1, 0.3]
    omega[3, 1] = [0.0, 0.0]
    push = np.zeros((n, 3, 2))
    push[2, 0] = [7.0, 5.0]
    return BaseDisturbance(("joint1", "joint2"), push, omega, np.zeros((n, 3)), np.zeros((n, 3)))


def test_the_summary_tells_the_turn_of_the_worst_joint_and_its_push_where_none_turns() -> None:
    assert summary("", [], disturbed()).rows[0].cells[1] == f"{np.degrees(0.5):.4g} deg/s"
    still = disturbed()
    only_pushed = BaseDisturbance(still.joint_names, still.v_0, 0 * still.omega_0, np.zeros((5, 3)), np.zeros((5, 3)))
    assert summary("", [], only_pushed).rows[0].cells[1] == "7 m/s"


@pytest.fixture(scope="module")
def page(run: History) -> ReportPage:
    asked = named(run, Limits(base_force_N=4.0, impulse_Ns=1e3))
    return run_page("made up", run, list(asked.values()), disturbance=disturbed(), provenance={"what": "which"})


def cells(page: ReportPage, name: str) -> list[tuple[str, ...]]:
    return list(next(table for table in page.tables if table.name == name).rows)


def number(cell: str) -> float:
    return float(cell.split(maxsplit=1)[0])


def test_what_each_joint_does_to_the_base_is_told_when_all_do_most(page: ReportPage, run: History) -> None:
    """At t = 4 s the joints turn it by 0.1 and 0.3 rad/s about z, each a part of 0.4; before, their sum was 0.05."""
    rows = {row[0]: row[1:] for row in cells(page, "base_rate_by_joint")}
    own = {"joint1": 0.5, "joint2": 0.45}
    for joint, part in (("joint1", 0.1), ("joint2", 0.3)):
        assert rows[joint] == (
            f"{np.degrees(part):.4g} deg/s", f"{100 * part / 0.4:.4g} %", f"{np.degrees(own[joint]):.4g} deg/s"
        )  # fmt: skip
    assert rows["all joints"][0] == f"{np.degrees(0.4):.4g} deg/s"
    whole = np.degrees(run.omega_0[3, 2])
    assert rows["the base's own rate along that axis"][0] == f"{whole:.4g} deg/s"
    assert number(rows["initial momentum and base actuators"][0]) == pytest.approx(whole - np.degrees(0.4), rel=1e-3)
    assert "t = 4 s" in next(table.caption for table in page.tables if table.name == "base_rate_by_joint")


def test_the_budget_is_the_end_of_every_ledger_and_its_rows_sum_to_the_totals(page: ReportPage, run: History) -> None:
    rows = cells(page, "work_by_actuator")
    given = {by: number(energy) for kind, by, energy in rows if kind == "work"}
    taken = {by: number(energy) for kind, by, energy in rows if kind == "dissipated"}
    close = {"rel": 1e-3, "abs": 1e-3}
    assert given["joint1"] == pytest.approx(run.work_by_joint[-1, 0], **close)
    assert given["joint2"] == pytest.approx(run.work_by_joint[-1, 1], **close)
    assert given["w2"] == pytest.approx(run.work_by_wheel[-1, 1], **close)
    assert given["what pushes the base"] == pytest.approx(run.work_on_base[-1], **close)
    assert given["all actuators"] == pytest.approx(run.work[-1], **close)
    assert taken["joint1"] == pytest.approx(run.dissipated_by_joint[-1, 0], **close)
    assert taken["w1"] == pytest.approx(run.dissipated_by_wheel[-1, 0], **close)
    assert taken["all dampers and friction"] == pytest.approx(run.dissipated[-1], **close)
    for parts, total in ((given, "all actuators"), (taken, "all dampers and friction")):
        rest = sum(value for by, value in parts.items() if by != total)
        assert rest == pytest.approx(parts[total], abs=0.02)


def test_the_compliance_matrix_shows_value_limit_and_what_is_left_of_it(page: ReportPage, run: History) -> None:
    """The margin is in parts of the limit, and negative beyond it."""
    force, push = size(run.wrench[:, :3]).max(), size(run.impulse[:, :3]).max()
    rows = {row[1].partition(" at most")[0]: row for row in cells(page, "compliance")}
    for words, value, limit, unit in (("force on base", force, 4.0, "N"), ("impulse from outside", push, 1e3, "N s")):
        row = rows[words]
        assert says(row[3], value, unit)
        assert row[4] == f"{limit:.4g} {unit}"
        assert float(row[5].removesuffix(" %")) == pytest.approx(100 * (limit - value) / limit, rel=6e-3)
    (alone,) = compliance_of_run([Verdict("x", "x", 2.0, "m", 5.0)], "")
    assert alone[2:5] == ("2 m", "5 m", "+60 %")


def test_laws_are_told_with_their_own_numbers() -> None:
    moved = np.zeros((5, 3))
    moved[2, 1] = 0.03
    made = history(arm(TURNS), T, P=moved, P_arm=np.full((5, 3), 4.0))
    rows = {row[0]: row for row in cells(run_page("", made, []), "laws")}
    for residual in made.residuals.values():
        row = rows[residual.meaning]
        assert row[1] == f"{residual.value:.3e} {residual.unit}"
        assert float(row[2]) == pytest.approx(residual.relative, rel=1e-3)
        assert row[4] == f"{residual.most:.3e} {residual.unit}"
    linear = made.residuals["momentum"]
    assert linear.value == pytest.approx(0.03)
    assert linear.relative == pytest.approx(0.03 / np.sqrt(48))
    assert linear.most != linear.most_relative


def test_page_and_csv_have_every_row_of_every_table(page: ReportPage) -> None:
    read = Tables(page.html()).tables
    for table in page.tables:
        rows = [list(table.headings), *map(list, table.rows)]
        assert list(csv.reader(io.StringIO(table.csv(), newline=""))) == rows
        assert read[table.name] == rows


def test_a_comparison_has_each_quantity_under_its_heading(run: History) -> None:
    still = history(arm(TURNS), T, tau=np.full((5, 1), -2.0))
    headings, moved, other = comparison("two", {"a": run, "b": still}).rows
    row = dict(zip(headings, moved, strict=True))
    assert row["base rotation"] == "40 deg"
    assert row["base displacement"] == f"{size(run.r_0 - run.r_0[0]).max():.4g} m"
    assert row["joint torque"] == f"{abs(run.tau[:, 0]).max():.4g} N m"
    assert abs(run.tau[:, 1]).max() > abs(run.tau[:, 0]).max()  # the force of the joint that slides
    assert row["stored momentum"] == f"{size(run.h_wheels).max():.4g} N m s"
    assert row["impulse"] == f"{size(run.impulse[:, :3]).max():.4g} N s"
    assert row["angular impulse"] == f"{size(run.impulse[:, 3:]).max():.4g} N m s"
    assert dict(zip(headings, other, strict=True))["joint torque"] == "2 N m"
    assert dict(zip(headings, other, strict=True))["impulse"] == "-"


def test_phases_stand_under_their_headings() -> None:
    phase = PhaseAccount("slew", "floating", "computed torque", "Cycloid", "K_P = 4", (), 1.5, 9.25, "its time was up")
    ((row,), (own,)) = (
        [dict(zip(t.headings, cells, strict=True)) for cells in t.rows] for t in (phase_table([phase]), gain_table([phase]))
    )
    wanted = {
        "phase": "slew",
        "mode": "floating",
        "law": "computed torque",
        "motion": "cycloid",
    }
    assert own == {"phase": "slew", "gains and settings": "K_P = 4"}
    assert row == {**wanted, "from": "1.5 s", "to": "9.25 s", "how it ended": "its time was up"}


def test_equations_are_those_of_the_base() -> None:
    held = [source for _, _, source in equations_used(fixed=True)]
    free = [source for _, _, source in equations_used(fixed=False)]
    assert len(held) == 1 and "eq. 50" in held[0]
    assert [source.split("2018, ")[1] for source in free] == ["eq. 42", "eq. 45", "eqs 44 to 50", "eq. 110"]


# --- figures --------------------------------------------------------------------------------------------------------------


def curves(axis: Axes) -> list[np.ndarray]:
    """The curves of a panel, without lines across."""
    lines = [np.asarray(line.get_ydata(), dtype=float) for line in axis.get_lines()]
    return [line for line in lines if len(line) == len(T)]


def across(axis: Axes) -> list[float]:
    return sorted(float(np.asarray(line.get_ydata())[0]) for line in axis.get_lines() if line.get_linestyle() == ":")


def legend(axis: Axes) -> list[str]:
    return [text.get_text() for text in axis.get_legend().get_texts()]


def panels(run: History, name: str, limits: Limits | None = None) -> dict[str, Axes]:
    figure = figures(run, [name], limits=limits)[name]
    return {axis.get_ylabel().replace("\n", " "): axis for axis in figure.axes}


def distance(run: History) -> np.ndarray:
    return size(run.r_0 - run.r_0[0])


SPIN = np.array([0.5, 2.0])
DRAWN = {
    "joint_rates": {
        "joint rates [deg/s]": lambda run: np.degrees(run.qdot[:, :1].T),
        "joint rates [m/s]": lambda run: run.qdot[:, 1:].T,
        "base angular velocity [deg/s]": lambda run: np.degrees(run.omega_0.T),
    },
    "joint_forces": {
        "joint torques [N m]": lambda run: run.tau[:, :1].T,
        "joint forces [N]": lambda run: run.tau[:, 1:].T,
    },
    "joint_power": {
        "power [W]": lambda run: (run.tau * run.qdot).T,
        "work [J]": lambda run: run.work_by_joint.T,
    },
    "base_wrench": {
        "force [N]": lambda run: run.wrench[:, :3].T,
        "torque [N m]": lambda run: run.wrench[:, 3:].T,
        "impulse [N s]": lambda run: run.impulse[:, :3].T,
        "angular impulse [N m s]": lambda run: run.impulse[:, 3:].T,
    },
    "base_excursion": {
        "base turned [deg]": lambda run: [abs(TURN_DEG)],
        "base moved [m]": lambda run: [distance(run)],
    },
    "wheel_momentum": {
        "momentum by wheel [N m s]": lambda run: (run.states.wheel_rad_s * SPIN).T,
        "all wheels [N m s]": lambda run: run.h_wheels.T,
    },
    "wheel_torque": {
        "motor torque [N m]": lambda run: run.wheel_torque.T,
        "speed [rpm]": lambda run: run.states.wheel_rad_s.T * 60 / (2 * np.pi),
    },
    "propellant": {
        "force [N]": lambda run: run.thrust_N.T,
        "burnt by thruster [kg]": lambda run: run.impulse_by_thruster.T / (50.0 * 9.80665),
        "burnt by all [kg]": lambda run: [run.propellant_kg],
    },
    "energy": {
        "kinetic energy [J]": lambda run: np.hstack([run.kinetic_energy_by_body, run.kinetic_energy_by_wheel]).T,
        "energy since the start [J]": lambda run: [
            run.work_by_joint.sum(axis=1), run.work_by_wheel.sum(axis=1), run.work_on_base, run.dissipated,
            run.stored_energy - run.stored_energy[0],
        ],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWN)
def test_every_panel_shows_the_series_that_its_label_names(run: History, name: str) -> None:
    shown = panels(run, name)
    assert set(shown) >= set(DRAWN[name])
    for label, of in DRAWN[name].items():
        assert_allclose(curves(shown[label]), of(run), rtol=1e-12, atol=1e-12, err_msg=label)


def test_what_turned_and_moved_the_base_adds_up_along_its_farthest_direction(run: History) -> None:
    shown = panels(run, "base_disturbance")
    for label, joints, momentum in (
        ("turned by joint [deg]", np.degrees(run.turn_by_joint), np.degrees(run.turn_by_momentum)),
        ("moved by joint [m]", run.shift_by_joint, run.shift_by_momentum),
    ):
        whole = joints[..., 0] + joints[..., 1] + momentum
        along = whole[np.argmax(size(whole))] / size(whole).max()
        wanted = [joints[..., 0] @ along, joints[..., 1] @ along, momentum @ along, whole @ along]
        assert_allclose(curves(shown[label]), wanted, rtol=1e-9)


def test_limits_of_motors_and_wheels_are_drawn_in_their_own_panels() -> None:
    plain = arm(TURNS, SLIDES)
    wheel = Wheel("w", [1, 0, 0], 0.5, speed_rad_s=10.0, torque_Nm=11.0, momentum_Nms=5.0)
    system = System(
        "limited", plain.bodies[0], plain.bodies[1:], actuators=[Motor("joint1", torque_Nm=12.0, rate_rad_s=13.0), wheel]
    )
    made = flight(system, wheel_rad_s=series(9, 1), wheel_torque=series(10, 1), work_by_wheel=series(14, 1),
                  dissipated_by_wheel=series(18, 1), kinetic_energy_by_wheel=series(21, 1), thrust_N=np.zeros((5, 0)),
                  impulse_by_thruster=np.zeros((5, 0)))  # fmt: skip
    motors, momentum, torque = (panels(made, name) for name in ("motor_use", "wheel_momentum", "wheel_torque"))
    assert across(motors["joint torque [N m]"]) == [-12.0, 12.0]
    assert_allclose(across(motors["joint rate [deg/s]"]), np.degrees([-13.0, 13.0]))
    assert_allclose(curves(motors["joint torque [N m]"]), [made.tau[:, 0]])
    assert_allclose(curves(motors["joint rate [deg/s]"]), [np.degrees(made.qdot[:, 0])])
    assert across(momentum["momentum by wheel [N m s]"]) == [-5.0, 5.0]
    assert across(torque["motor torque [N m]"]) == [-11.0, 11.0]
    assert_allclose(across(torque["speed [rpm]"]), np.array([-600, 600]) / (2 * np.pi))


def test_limits_are_drawn_once_more_than_a_fifth_of_them_is_used(run: History) -> None:
    force, torque = size(run.wrench[:, :3]).max(), size(run.wrench[:, 3:]).max()
    shown = panels(run, "base_wrench", Limits(base_force_N=2 * force, base_torque_Nm=3 * torque))
    assert across(shown["force [N]"]) == [2 * force]
    assert across(shown["torque [N m]"]) == [3 * torque]
    peak = abs(run.tau[:, 0]).max()
    assert across(panels(run, "joint_forces", Limits(joint_effort={"joint1": 4 * peak}))["joint torques [N m]"]) == [
        -4 * peak, 4 * peak
    ]  # fmt: skip
    assert across(panels(run, "joint_forces", Limits(joint_effort={"joint1": 6 * peak}))["joint torques [N m]"]) == []


def test_legends_tell_the_numbers_at_the_end(run: History) -> None:
    work = panels(run, "joint_power")["work [J]"]
    assert legend(work) == [f"joint{k + 1}, at end {run.work_by_joint[-1, k]:.3g}" for k in range(2)]
    burnt = panels(run, "propellant")["burnt by thruster [kg]"]
    total = run.impulse_by_thruster[-1] / (50.0 * 9.80665)
    assert legend(burnt) == [f"t{k + 1}, at end {total[k]:.3g}" for k in range(2)]


def test_a_comparison_draws_each_quantity_in_its_panel(run: History) -> None:
    figure = comparison_figure("two", {"a": run, "b": history(arm(TURNS), T, r_0=series(40, 3))})
    shown = {axis.get_ylabel().replace("\n", " "): curves(axis) for axis in figure.axes}
    moved = size(series(40, 3) - series(40, 3)[0])
    assert_allclose(shown["base turned [deg]"], [abs(TURN_DEG), 0 * T], atol=1e-9)
    assert_allclose(shown["base moved [m]"], [distance(run), moved])
    assert_allclose(shown["stored [N m s]"], [size(run.h_wheels)])
    assert_allclose(shown["impulse [N s]"], [size(run.impulse[:, :3])])
    assert_allclose(shown["angular impulse [N m s]"], [size(run.impulse[:, 3:])])


def test_errors_of_frames_are_drawn_in_millimetres_and_degrees_with_their_limits(run: History) -> None:
    figure = tip_error_figure(run, TIPS[2:], Limits(tip_error_m=0.02, tip_error_rad=0.05))
    shown = {axis.get_ylabel().replace("\n", " "): axis for axis in figure.axes}
    assert_allclose(curves(shown["tip error [mm]"]), [1e3 * TIPS[2].away_m])
    assert across(shown["tip error [mm]"]) == [20.0]
    assert TIPS[2].turned_rad is not None
    assert_allclose(curves(shown["tip angle [deg]"]), [np.degrees(TIPS[2].turned_rad)])
    assert_allclose(across(shown["tip angle [deg]"]), [np.degrees(0.05)])
    assert_allclose(curves(shown["base turned [deg]"]), [abs(TURN_DEG)], atol=1e-9)
    assert_allclose(curves(shown["base moved [m]"]), [distance(run)])
    assert_allclose(curves(shown["singular value [SI]"]), [TIPS[2].singular_value, TIPS[2].damping])
