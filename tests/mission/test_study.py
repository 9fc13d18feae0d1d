"""Studies of a short mission: what is varied arrives, rows are the same however they are made, and mistakes are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats

from scmanip.campaign import Study, load_study
from scmanip.campaign.flight._numbers import numbers_of
from scmanip.campaign.variation._documents import Documents
from scmanip.errors import InvalidInput
from scmanip.mission import Run
from scmanip.study import Case, Row, Status, dispersed, levels, uniform_ball

MISSION = """
schema = "scmanip.mission/1"
name = "short"
system = "model:planar_four_link"
[initial]
q_deg = [10.0, -20.0, 30.0, 40.0]
omega_0_deg_s = [0.0, 0.0, 0.1]
[[phase]]
name = "slew"
mode = "floating"
controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0 }
guidance = { type = "cycloid", q_deg = { joint1 = 30.0 }, duration_s = 6.0 }
[[phase]]
name = "rest"
mode = "floating"
controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0 }
guidance = { type = "hold" }
until = { t_s = 2.0 }
"""
METRICS = {
    "base_rotation_deg": "max(degrees(base_rotation_rad))",
    "peak_torque_Nm": "max(abs(joint_torque_Nm))",
    "final_error_deg": "max(abs(final(degrees(joint_error_rad))))",
    "momentum_Nms": "max(norm(angular_momentum_Nms))",
    "energy_J": "final(kinetic_energy_J) - initial(kinetic_energy_J) - final(work_J)",
}
CHANCE = {
    "system.body.*.mass_kg": dispersed(stats.norm(1, 0.02), how="scale"),
    "system.body.*.com_m": uniform_ball(0.01),
    "phase.slew.controller.K_P": dispersed(stats.uniform(3, 2)),
    "initial.omega_0_deg_s": dispersed(stats.norm(0, 0.1), size=3),
}


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "short.toml"
    path.write_text(MISSION, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chance(mission: Path) -> Study:
    return Study(mission, seed=5, repeats=40, dispersion=CHANCE, metrics=METRICS)


def study(mission: Path, **changes: Any) -> Study:
    return Study(mission, **{"seed": 5, "repeats": 1, "metrics": METRICS, **changes})


def rows(of: Study, *numbers: int) -> list[Row]:
    return of.recipe.evaluator().rows([of.case(number) for number in numbers])


def finely_flown(of: Study, number: int) -> Run:
    """The run of a case with samples so close that its peaks are among them."""
    mission = of.mission(number)
    return replace(mission, integration=replace(mission.integration, output_step_s=1e-3)).run()


def metrics(row: Row) -> Mapping[str, float]:
    assert row.status is Status.COMPLETED, row.reason
    return row.metrics


@pytest.mark.battery(0, judged=5)
@pytest.mark.parametrize(
    ("path", "values", "metric"),
    [
        ("system.body.base.mass_kg", (100.0, 200.0), "base_rotation_deg"),
        ("system.body.link2.mass_kg", (1.0, 30.0), "base_rotation_deg"),
        ("system.body.base.inertia_kg_m2", ((9.0, 9.0, 9.0), (30.0, 30.0, 30.0)), "base_rotation_deg"),
        ("estimate.body.link1.mass_kg", (1.0, 30.0), "peak_torque_Nm"),
        ("phase.slew.controller.K_D", (1.0, 8.0), "final_error_deg"),
        ("phase.slew.guidance.duration_s", (4.0, 8.0), "peak_torque_Nm"),
        ("system.joint.joint1.damping_Nms_rad", (0.0, 5.0), "peak_torque_Nm"),
        ("initial.omega_0_deg_s", ((0.0, 0.0, 0.1), (0.0, 0.0, 2.0)), "momentum_Nms"),
        ("initial.q_deg", ((10.0, -20.0, 30.0, 40.0), (0.0, 0.0, 0.0, 0.0)), "peak_torque_Nm"),
    ],
)
def test_what_is_chosen_changes_what_it_should(mission: Path, path: str, values: tuple[Any, ...], metric: str) -> None:
    made = study(mission, design={path: levels(*values)})
    first, second = (metrics(row)[metric] for row in rows(made, 0, 1))
    assert abs(first - second) > 1e-3 * max(abs(first), abs(second))


@pytest.mark.slow
def test_one_draw_alone_changes_the_rows(mission: Path) -> None:
    made = study(mission, repeats=2, dispersion={"system.body.link3.com_m": uniform_ball(0.05)})
    first, second = rows(made, 0, 1)
    assert metrics(first)["base_rotation_deg"] != metrics(second)["base_rotation_deg"]
    assert first.case.values["system.body.link3.com_m"] != second.case.values["system.body.link3.com_m"]


def test_controllers_know_what_is_chosen_and_not_what_is_dispersed(mission: Path) -> None:
    chosen = study(mission, design={"system.body.link1.mass_kg": levels(10.0, 14.0)})
    drawn = study(mission, repeats=2, dispersion={"system.body.link1.mass_kg": dispersed(stats.uniform(10, 4))})
    for made, knows in ((chosen, True), (drawn, False)):
        case = made.case(1)
        flown = made.mission(1)
        believed = flown.phases[0].controller.estimate.system.bodies[1].mass_kg  # type: ignore[attr-defined]
        assert flown.system.bodies[1].mass_kg == case.values["system.body.link1.mass_kg"]
        assert (believed == flown.system.bodies[1].mass_kg) is knows


@pytest.mark.slow
def test_numbers_of_a_case_are_those_of_a_mission_that_is_loaded_with_them(mission: Path) -> None:
    design = {"system.body.base.mass_kg": levels(100.0, 120.0), "phase.rest.controller.K_D": levels(2.0, 3.0)}
    made = study(mission, design=design, dispersion=CHANCE, repeats=3)
    group, _ = made.evaluator._group(made.case(0))
    for number in range(made.plan.cases):
        case = made.case(number)
        known = made.recipe.design(case)
        files = made.recipe.variation.files(case.values, known)
        loaded = numbers_of(files.built(*group.shelf.makers), files)
        quick = group.numbers(case.values, known)
        assert np.array_equal(quick.initial, loaded.initial)
        assert np.array_equal(quick.flies["inertia"], loaded.flies["inertia"])
        assert np.array_equal(quick.believed["inertia"], loaded.believed["inertia"])
        for phase, other in zip(quick.phases, loaded.phases, strict=True):
            for gain in ("K_P", "K_D"):
                assert np.array_equal(getattr(phase.controller, gain), getattr(other.controller, gain))
        assert not np.array_equal(quick.flies["inertia"], quick.believed["inertia"])


@pytest.mark.slow
def test_rows_do_not_depend_on_the_cases_beside_them(chance: Study) -> None:
    together = rows(chance, *range(40))
    for numbers in ((0,), (39,), (7, 3), range(13, 30)):
        assert rows(chance, *numbers) == [together[number] for number in numbers]


@pytest.mark.slow
def test_cases_flown_together_are_the_runs_of_their_missions(chance: Study) -> None:
    assert chance.recipe.together
    for number in (0, 17):
        together, (alone,) = rows(chance, number)[0], [chance.evaluator._alone(chance.case(number))]
        for name, value in metrics(alone).items():
            assert metrics(together)[name] == pytest.approx(value, rel=1e-5, abs=1e-6)
        assert abs(metrics(together)["energy_J"]) < 1e-6


@pytest.mark.slow
def test_metrics_of_a_case_are_those_of_its_history(chance: Study) -> None:
    run = finely_flown(chance, 3)
    row = chance.evaluator._alone(chance.case(3))
    history = run.history
    assert metrics(row)["peak_torque_Nm"] == pytest.approx(np.abs(history.tau).max(), rel=1e-6)
    assert metrics(row)["momentum_Nms"] == pytest.approx(np.linalg.norm(history.L_C, axis=1).max(), rel=1e-12)
    turned = np.degrees(next(v.value for v in run.verdicts if v.name == "base_rotation"))
    assert metrics(row)["base_rotation_deg"] == pytest.approx(turned, rel=1e-6)


@pytest.mark.slow
def test_a_study_gives_the_same_however_it_is_run(chance: Study, tmp_path: Path) -> None:
    serial = chance.run(tmp_path / "serial", executor="serial", cases=12)
    local = chance.run(tmp_path / "local", workers=2, block=5, cases=12)
    assert serial.hash == local.hash
    for number in (0, 11):
        again = chance.replay(number).row
        assert {name: float(column[number]) for name, column in serial.table.metrics.items()} == dict(again.metrics)
    assert load_study(tmp_path / "local").recipe.key == load_study(tmp_path / "serial").recipe.key


@pytest.mark.slow
def test_a_folder_builds_the_study_that_made_it(chance: Study, tmp_path: Path) -> None:
    result = chance.run(tmp_path / "one", executor="serial", cases=3)
    again = load_study(tmp_path / "one")
    assert again.recipe.key == chance.recipe.key
    assert again.run(tmp_path / "one", executor="serial", cases=3).hash == result.hash


@pytest.mark.slow
def test_what_a_study_and_its_result_cannot_be_asked_is_named(chance: Study, tmp_path: Path) -> None:
    result, anything = chance.run(tmp_path / "one", executor="serial", cases=3), cast(Any, None)
    asked: dict[str, Callable[[], object]] = {
        "Study mission: expected a text or a path or a Mission, found None": lambda: Study(anything, seed=1, metrics=METRICS),
        "replay case: expected a whole number, found 1.5": lambda: chance.replay(cast(Any, 1.5)),
        "run executor: expected": lambda: chance.run(tmp_path / "two", executor=cast(Any, 5)),
        "percentile metric: expected a text, found None": lambda: result.percentile(anything, 0.9),
        "compare other: expected a StudyResult, found None": lambda: result.compare(anything, "energy_J"),
        "senses energy_J: expected one of min, max, found 'least'": lambda: result.pareto({"energy_J": "least"}),
        "input name: expected a text, found None": lambda: result.table.input(anything),
    }
    for words, ask in asked.items():
        with pytest.raises(InvalidInput, match=words):
            ask()


@pytest.mark.slow
def test_a_case_that_goes_wrong_is_a_row_with_its_reason(mission: Path) -> None:
    gains = {"phase.slew.controller.K_D": levels(*range(1, 9), 3e3, 1e9)}
    made = study(mission, design=gains, output_step_s=0.1)
    *good, stiff, bad = rows(made, *range(10))
    assert all(row.status is Status.COMPLETED and not row.reason for row in good[:8])
    assert (stiff.status, stiff.reason) == (Status.COMPLETED, "flown by itself: diverged with the steps of all")
    assert bad.status is Status.FAILED
    assert "step" in bad.reason.partition("; flown by itself: ")[0]
    assert "'slew' is stiff: its fastest motion, of joint 'joint2'" in bad.reason
    assert np.isnan(bad.metrics["base_rotation_deg"])


@pytest.mark.slow
def test_an_inertia_that_no_body_has_refuses_the_case(mission: Path) -> None:
    path = "system.body.base.inertia_kg_m2"
    made = study(mission, repeats=9, dispersion={path: dispersed(stats.uniform(5, 5), size=3)})
    bad = Case(0, 0, 0, {path: (1.0, 2.0, 9.0)})
    (row,) = made.evaluator.rows([bad])
    assert row.status is Status.REFUSED
    assert "none exceeds the sum" in row.reason


@pytest.mark.slow
@pytest.mark.parametrize("path", ["phase.slew.controller.K_P", "phase.slew.guidance.duration_s", "phase.rest.until.t_s"])
def test_a_draw_that_no_mission_takes_refuses_the_case_by_its_key(mission: Path, path: str) -> None:
    made = study(mission, repeats=9, dispersion={path: dispersed(stats.uniform(5, 5))})
    (row,) = made.evaluator.rows([Case(0, 0, 0, {path: -1.0})])
    assert row.status is Status.REFUSED
    assert f"{path.rpartition('.')[2]}: expected a number >" in row.reason


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("system.body.link9.mass_kg", "base, link1"),
        ("system.body.link2.mas_kg", "did you mean 'system.body.link2.mass_kg'?"),
        ("phase.slow.controller.K_P", "did you mean 'phase.slew.controller.K_P'?"),
        ("initial.omega_deg_s", "did you mean 'initial.omega_0_deg_s'?"),
        ("initial.r_0_m.x", "expected initial.r_0_m and nothing behind it"),
        ("limits.base_rotation_deg", "one of system, estimate, initial, phase, integration"),
    ],
)
def test_a_misspelt_path_is_refused_with_the_nearest(mission: Path, path: str, hint: str) -> None:
    with pytest.raises(InvalidInput, match="no such key") as caught:
        study(mission, design={path: levels(1.0, 2.0)})
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("integration.output_step_s", (0.1, 0.2)),
        ("system.joint.joint1.upper_deg", (100.0, 120.0)),
    ],
)
def test_a_value_that_changes_no_flight_is_refused(mission: Path, path: str, values: tuple[Any, ...]) -> None:
    text = mission.read_text(encoding="utf-8")
    system = Documents.read(mission).source.text
    (mission.parent / "arm.toml").write_text(system, encoding="utf-8")
    other = mission.parent / "other.toml"
    other.write_text(text.replace("model:planar_four_link", "arm.toml"), encoding="utf-8")
    with pytest.raises(InvalidInput, match="changes the flight"):
        study(other, design={path: levels(*values)})


def test_an_estimate_that_no_controller_has_is_refused(mission: Path) -> None:
    text = mission.read_text(encoding="utf-8").replace("K_D = 4.0 }", 'K_D = 4.0, estimate = "model:planar_four_link" }')
    other = mission.parent / "own_estimate.toml"
    other.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match="a controller that believes in it"):
        study(other, design={"estimate.body.link1.mass_kg": levels(9.0, 11.0)})


def test_two_values_of_the_same_do_not_hide_each_other(mission: Path) -> None:
    both = {
        "initial.omega_0_deg_s": levels((0.0, 0.0, 1.0), (0.0, 0.0, 2.0)),
        "initial.omega_0_rad_s": levels((0.0, 0.0, 0.1), (0.0, 0.0, 0.2)),
    }
    with pytest.raises(InvalidInput, match="another key of the files overrides it"):
        study(mission, design=both)


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("max(wheel_torque_Nm)", "a series"),
        ("__import__('os')", "expected"),
        ("joint_torque_Nm", "one number"),
    ],
)
def test_a_metric_that_cannot_be_is_refused_before_anything_runs(mission: Path, metric: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        study(mission, design={"system.body.base.mass_kg": levels(100.0, 110.0)}, metrics={"torque_Nm": metric})


@pytest.mark.slow
def test_a_metric_that_is_no_number_fails_its_case(mission: Path) -> None:
    made = study(
        mission,
        design={"system.body.base.mass_kg": levels(100.0, 110.0)},
        metrics={"none_ratio": "max(base_rotation_rad) / (max(base_rotation_rad) - max(base_rotation_rad))"},
    )
    (row,) = rows(made, 0)
    assert row.status is Status.FAILED
    assert row.reason == "not a finite number: none_ratio"


def test_every_system_of_a_study_must_have_its_paths(mission: Path) -> None:
    design = {"system": levels("model:planar_four_link", "model:ets7"), "system.body.link4.mass_kg": levels(1.0, 2.0)}
    with pytest.raises(InvalidInput):
        study(mission, design={**design, "system.joint.joint9.damping_Nms_rad": levels(1.0, 2.0)})


@pytest.mark.slow
def test_a_result_is_shown_in_figures(mission: Path, tmp_path: Path) -> None:
    masses = {"system.body.*.mass_kg": dispersed(stats.norm(1, 0.02), how="scale")}
    limits = {"base_rotation_deg": {"max": 100.0, "unit": "deg"}}
    result = study(mission, repeats=30, dispersion=masses, limits=limits).run(tmp_path / "s", executor="serial")
    (values, shares) = result.plot_distribution("base_rotation_deg").axes
    assert sum(bar.get_height() for bar in values.patches) == 30
    assert any(line.get_xdata()[0] == 100.0 for line in shares.lines)  # type: ignore[index]
    (axis,) = result.plot_sensitivity("base_rotation_deg", ["system.body.link1.mass_kg"]).axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["system.body.link1.mass [kg]"]
    assert (
        result.plot_pareto({"base_rotation_deg": "min", "peak_torque_Nm": "min"}).axes[0].get_xlabel() == "base rotation [deg]"
    )
    same = result.compare_success(result)
    assert (same.both, same.gained, same.lost) == (30, 0, 0)


@pytest.mark.slow
def test_a_frame_that_is_led_sets_out_where_it_is_in_each_case(tmp_path: Path) -> None:
    """Flown together, with forces of the motion that each of them followed."""
    reach = '{ type = "reach", displacement_m = [0.05, -0.05, 0.0], duration_s = 3.0 }'
    law = '{ type = "resolved_rate", K = 1.0, K_D = 4.0 }'
    rest = '{ type = "computed_torque", K_P = 4.0, K_D = 4.0 }\nguidance = { type = "hold" }'
    path = tmp_path / "short.toml"
    path.write_text(MISSION.replace(rest, f"{law}\nguidance = {reach}"), encoding="utf-8")
    metrics_of = {name: METRICS[name] for name in ("peak_torque_Nm", "momentum_Nms")}
    made = study(path, repeats=40, dispersion={"initial.omega_0_deg_s": CHANCE["initial.omega_0_deg_s"]}, metrics=metrics_of)
    assert made.recipe.together and made.recipe.evaluator().steps(made.case(3)) is not None
    run = made.evaluator.run(made.case(3))
    planned = run.mission.phases[1].reference.at(0.0).position_m
    assert np.linalg.norm(run.flown[1].phase.reference.at(0.0).position_m - planned) > 1e-3
    found = metrics(rows(made, 3)[0])
    history = finely_flown(made, 3).history
    assert found["peak_torque_Nm"] == pytest.approx(np.abs(history.tau).max(), rel=1e-6)
    assert found["momentum_Nms"] == pytest.approx(np.linalg.norm(history.L_C, axis=1).max(), rel=1e-12)
