"""What a study varies of laws, events and switches arrives in what flies, through whatever wraps it; refusals say why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from scmanip.campaign import Study
from scmanip.campaign.variation._read_back import read_back
from scmanip.campaign.variation._target import Target
from scmanip.control import ComputedTorque, CoordinatedComputedTorque, ResolvedRate, Sampled, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.mission import load_mission
from scmanip.modes import Flying
from scmanip.study import Status, dispersed, levels, read_table

from .files import MISSION, written

LAW = 'controller = { type = "computed_torque", K_P = 4.0, K_D = [4.0, 4.0], feedforward = true }'
SAMPLED = MISSION.replace("feedforward = true }", "feedforward = true, rate_Hz = 20.0 }").replace("rtol = 1e-10", "rtol = 1e-8")
REACH = SAMPLED.replace(
    next(line for line in SAMPLED.splitlines() if line.startswith("controller")),
    'controller = { type = "resolved_rate", K = 0.5, K_D = 4.0, rate_Hz = 20.0 }',
).replace(
    next(line for line in SAMPLED.splitlines() if line.startswith("guidance")),
    'guidance = { type = "reach", frame = "hand", displacement_m = [0.0, 0.02, 0.01], duration_s = 1.0 }\n'
    'events = [{ name = "near", type = "approach", frame = "hand", point_m = [2.13, 9.0, 0.236], distance_m = 0.1 }]',
)
METRICS = {"work_J": "final(work_J)", "torque_Nm": "max(abs(joint_torque_Nm))"}
FRAME = '\n[[frame]]\nname = "hand"\nbody = "lower"\norigin_m = [0.8, 0.0, 0.0]\n'


def study(folder: Path, text: str, **varied: Any) -> Study:
    from .files import SYSTEM

    path = written(folder, text, SYSTEM + FRAME)
    return Study(path, seed=3, metrics=METRICS, output_step_s=0.1, **varied)


def flown(study: Study, case: int) -> np.ndarray:
    return study.mission(case).run().history.states.x


def edited(folder: Path, text: str, old: str, new: str) -> np.ndarray:
    """Return the flight of a file with a value in the place of another one."""
    from .files import SYSTEM

    assert old in text
    (folder / "edited").mkdir(exist_ok=True)
    return load_mission(written(folder / "edited", text.replace(old, new), SYSTEM + FRAME)).run().history.states.x


@pytest.mark.battery(1)
@pytest.mark.parametrize(
    ("text", "path", "value", "old", "new"),
    [
        (SAMPLED, "phase.move.controller.rate_Hz", 25.0, "rate_Hz = 20.0", "rate_Hz = 25.0"),
        (REACH, "phase.move.controller.rate_Hz", 25.0, "rate_Hz = 20.0", "rate_Hz = 25.0"),
        (REACH, "phase.move.controller.sigma_0", 0.9, "K = 0.5", "K = 0.5, sigma_0 = 0.9"),
        (REACH, "phase.move.controller.K", 0.9, "K = 0.5", "K = 0.9"),
        (SAMPLED, "phase.move.controller.feedforward", False, "feedforward = true", "feedforward = false"),
        (REACH, "phase.move.guidance.hold_attitude", True, "duration_s = 1.0", "duration_s = 1.0, hold_attitude = true"),
        (REACH, "phase.move.events.near.distance_m", 8.545, "distance_m = 0.1", "distance_m = 8.545"),
        (MISSION, "phase.move.coordinates", "full", "[integration]", 'coordinates = "full"\n[integration]'),
        (MISSION, "phase.move.guidance.cruise_s", (0.1, 0.2, 0.1), "[0.1, 0.4, 0.1]", "[0.1, 0.2, 0.1]"),
    ],
)
def test_a_case_flies_as_the_file_with_its_value(text: str, path: str, value: Any, old: str, new: str, tmp_path: Path) -> None:
    made = study(tmp_path, text, design={path: levels(value)})
    varied = flown(made, 0)
    assert_allclose(varied, edited(tmp_path, text, old, new), rtol=1e-9, atol=1e-12)
    before = edited(tmp_path, text, old, old)
    assert varied.shape != before.shape or not np.array_equal(varied, before)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "key", "reaches"),
    [
        ("rotation_floating", "base_K_P", True),
        ("rotation_floating", "base_K_D", True),
        ("flying", "base_K_P", True),
        ("floating", "base_K_P", False),
    ],
)
def test_gains_of_a_base_that_is_held_where_it_is_found_reach_the_flight_where_the_mode_drives_it(
    mode: str, key: str, reaches: bool, tmp_path: Path
) -> None:
    text = MISSION.replace("feedforward = true", "base_K_P = 2.0, base_K_D = 3.0").replace('"floating"', f'"{mode}"')
    text = text.replace("[initial]", "[initial]\nomega_0_deg_s = [0.0, 0.0, 1.0]").replace("rtol = 1e-10", "rtol = 1e-8")
    path = f"phase.move.controller.{key}"
    if not reaches:
        with pytest.raises(InvalidInput, match="nothing that flies depends on it"):
            study(tmp_path, text, design={path: levels(4.0)})
        return
    old = {"base_K_P": "base_K_P = 2.0", "base_K_D": "base_K_D = 3.0"}[key]
    varied = flown(study(tmp_path, text, design={path: levels(4.0)}), 0)
    assert_allclose(varied, edited(tmp_path, text, old, f"{key} = 4.0"), rtol=1e-9, atol=1e-12)
    assert np.abs(varied - edited(tmp_path, text, old, old)).max() > 1e-5


@pytest.mark.slow
def test_true_and_false_are_levels_and_columns(tmp_path: Path) -> None:
    made = study(tmp_path, SAMPLED, design={"phase.move.controller.feedforward": [True, False]})
    assert [made.case(i).values["phase.move.controller.feedforward"] for i in (0, 1)] == [True, False]
    made.run(tmp_path / "out", executor="serial")
    table = read_table(tmp_path / "out")
    assert table.inputs["phase.move.controller.feedforward"].tolist() == ["true", "false"]
    fed, printed = table.metric("torque_Nm")
    assert fed != printed
    assert "feedforward,status" in (tmp_path / "out" / "cases.csv").read_text(encoding="utf-8").splitlines()[0]


def test_true_is_no_number_and_no_text_is_a_switch(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"K_P: expected a number >= 0"):
        study(tmp_path, SAMPLED, design={"phase.move.controller.K_P": [True, False]})
    with pytest.raises(InvalidInput, match="feedforward"):
        study(tmp_path, SAMPLED, design={"phase.move.controller.feedforward": ["yes", "no"]})


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", "rate_Hz = 20.0", "feedforward = true", "feedforward = true, rate_Hz = 20.0"])
def test_what_controllers_believe_is_dispersed_whatever_wraps_their_law(options: str, tmp_path: Path) -> None:
    text = MISSION.replace("feedforward = true", options or "feedforward = false")
    dispersion = {"estimate.body.upper.mass_kg": dispersed(stats.uniform(0.8, 0.1), how="scale")}
    made = study(tmp_path, text, dispersion=dispersion, repeats=2)
    believed = made.mission(1).phases[0].controller.believed
    assert believed is not None
    assert believed.system.bodies[1].mass_kg == made.case(1).values["estimate.body.upper.mass_kg"]
    assert made.mission(1).system.bodies[1].mass_kg == 5.0
    first, second = made.evaluator.rows([made.case(0), made.case(1)])
    assert first.status is second.status is Status.COMPLETED
    assert first.metrics["torque_Nm"] != second.metrics["torque_Nm"]


@pytest.mark.parametrize("options", ["", "rate_Hz = 20.0", "feedforward = true", "feedforward = true, rate_Hz = 20.0"])
@pytest.mark.parametrize("mode", ["floating", "flying"])
def test_gains_are_read_back_through_whatever_wraps_their_law(options: str, mode: str, tmp_path: Path) -> None:
    text = MISSION.replace("feedforward = true", options or "feedforward = false").replace('"floating"', f'"{mode}"')
    mission = load_mission(written(tmp_path, text))
    for key, value in (("K_P", 4.0), ("K_D", 4.0), ("feedforward", "feedforward = true" in options)):
        assert read_back(Target("x", "mission", ("phase", 0, "controller", key)), mission) == value
    rate = read_back(Target("x", "mission", ("phase", 0, "controller", "rate_Hz")), mission)
    assert rate == (20.0 if "rate_Hz" in options else None)


def test_a_law_says_its_settings_its_belief_and_its_equations_through_what_wraps_it(tmp_path: Path) -> None:
    model = compile_model(load_mission(written(tmp_path)).system)
    plain = ComputedTorque(model, K_P=2.0, K_D=3.0)
    wrapped = Sampled(WithFeedforward(plain), rate_Hz=10.0)
    assert wrapped.believed is model
    assert {name: np.unique(value).tolist() for name, value in wrapped.settings.items()} == {
        **{"K_P": [2.0], "K_D": [3.0], "feedforward": [True], "rate_Hz": [10.0]}
    }
    assert wrapped.equations == ("errors", "computed_torque", "feedforward")
    led = Sampled(ResolvedRate(CoordinatedComputedTorque(model, Flying(), K_D=7.0), K=0.3), rate_Hz=5.0)
    assert led.believed is not None and led.believed.system.bodies[1].mass_kg == 5.0
    assert led.equations == ("resolved_rate", "errors", "computed_torque", "feedforward")
    assert set(led.settings) == {"K", "sigma_0", "K_D", "base_K_P", "base_K_D", "pose", "rate_Hz"}


def test_cases_of_phases_that_events_may_end_are_run_by_themselves(tmp_path: Path) -> None:
    """What is flown together knows no events."""
    seen = 'events = [{ type = "joint_limits" }]\n[integration]'
    late = 'events = [{ type = "joint_limits", then = "log" }]\n[integration]'
    gains = {"phase.move.controller.K_P": levels(*range(1, 10))}
    assert not study(tmp_path, MISSION.replace("[integration]", seen), design=gains).recipe.together
    assert study(tmp_path, MISSION.replace("[integration]", late), design=gains).recipe.together


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("limits.momentum_relative", 1.0, "a study has|give the study a metric and a limit"),
        ("output.figures", "energy", "cases have no figures"),
        ("name", "other", "a name changes no flight"),
        ("phase.move.modes", "flying", "vary its mode"),
        ("integration.output_step_s", 0.2, "an output_step_s of its own"),
        ("phase.move.controller.K_P.elbow", 2.0, "where the file has one"),
        ("phase.move.controller.base_K_P", 2.0, "nothing that flies depends on it"),
        ("phase.move.controller.rate_Hz", -1.0, "a number > 0"),
        ("system.body.upper.parent", "base", "levels of several system files"),
    ],
)
def test_a_refusal_gives_its_true_reason(path: str, value: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=words):
        study(tmp_path, SAMPLED, design={path: levels(value)})
