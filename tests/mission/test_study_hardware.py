"""Whatever numbers of hardware a study disperses, cases are flown together and have the rows of cases flown alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from scmanip.campaign import Study
from scmanip.campaign.flight._numbers import numbers_of
from scmanip.campaign.variation._documents import Documents
from scmanip.campaign.variation._paths import every_target
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.study import Status, dispersed

from .files import MISSION, SYSTEM, written
from .test_study_events import alone, assert_same, rows

FRAMES = """
[[frame]]
name = "hand"
body = "lower"
origin_m = [0.8, 0.0, 0.1]
[[frame]]
name = "lug"
body = "base"
origin_m = [0.5, 0.5, 0.2]
[[spring_damper]]
name = "rope"
between = ["lug", "hand"]
stiffness_N_m = 0.3
damping_Ns_m = 0.2
length_m = 0.6
"""
SPRUNG = (
    SYSTEM.replace("upper_rad = 2.0", "stiffness_Nm_rad = 0.4, damping_Nms_rad = 0.3")
    .replace("axis = [0, 1, 0] }", "axis = [0, 1, 0], damping_Nms_rad = 0.2 }")
    .replace("inertia_kg_m2 = [4.0, 5.0, 6.0]", "inertia_kg_m2 = [4.0, 5.0, 6.0]\ncom_m = [0.1, 0.0, 0.0]")
)
WHEELS = "".join(
    f'[[wheel]]\nname = "w{k}"\naxis = {axis}\ninertia_kg_m2 = 0.05\ntorque_Nm = 5.0\nspeed_rpm = 900.0\n'
    "momentum_Nms = 7.0\ndamping_Nms_rad = 1e-3\n"
    for k, axis in enumerate(([1, 0, 0], [0, 1, 0], [0.6, 0, 0.8]))
)
MOTORS = "".join(
    f'[[motor]]\njoint = "{joint}"\ntorque_Nm = 40.0\nrate_rad_s = 3.0\ngear_ratio = 50.0\nrotor_inertia_kg_m2 = 1e-4\n'
    "damping_Nms_rad = 0.2\ncoulomb_Nm = 0.3\ncoulomb_width_rad_s = 0.05\n"
    for joint in ("shoulder", "elbow")
)
THRUSTERS = "".join(
    f'[[thruster]]\nname = "{sign}{axis}{way}"\nposition_m = {place}\ndirection = {along}\nforce_N = 60.0\nisp_s = 220.0\n'
    for axis in range(3)
    for sign in (1, -1)
    for way in (1, -1)
    for along, place in [
        (
            [float(sign) if k == axis else 0.0 for k in range(3)],
            [way * 1.0 if k == (axis + 1) % 3 else -sign * 1.0 if k == axis else 0.1 for k in range(3)],
        )
    ]
)
LAW = next(line for line in MISSION.splitlines() if line.startswith("controller"))
GUIDE = next(line for line in MISSION.splitlines() if line.startswith("guidance"))
SMOOTH = MISSION.replace(GUIDE, 'guidance = { type = "cycloid", q_rad = { shoulder = 0.5, elbow = -0.1 }, duration_s = 4.0 }')
WHEELED = SMOOTH.replace('"floating"', '"rotation_floating"').replace(
    LAW, 'controller = { type = "coordinated", K_P = 4.0, K_D = 4.0, base_K_P = 0.2, base_K_D = 0.5 }'
)
HELD = SMOOTH.replace('"floating"', '"fixed_base"').replace("momentum_relative = 1e-8\nsystem_com_drift_m = 1e-9\n", "")
PUSHED = WHEELED.replace('"rotation_floating"', '"flying"')
HANGING = SPRUNG.replace("[base]\n", "[base]\nfixed = true\n").replace(
    'name = "two-link"', 'name = "two-link"\ngravity_m_s2 = [0.0, 0.3, -9.0]'
)
METRICS = {
    "torque_Nm": "max(abs(joint_torque_Nm))",
    "error_deg": "max(abs(degrees(joint_error_rad)))",
    "tip_m": "max(hand_error_m)",
    "energy_J": "final(stored_energy_J)",
    "kinetic_J": "max(kinetic_energy_J)",
    "work_J": "final(work_J)",
    "lost_J": "final(dissipated_J)",
}
STORED = {"stored_Nms": "max(abs(wheel_momentum_Nms))", "motor_Nm": "max(abs(wheel_torque_Nm))"}
SIZES = {"origin_m": 0.01, "com_m": 0.01, "position_m": 0.01}
CASES = 8
FLIGHTS = {
    "wheels": (WHEELED, SPRUNG + FRAMES + WHEELS, METRICS | STORED),
    "motors": (SMOOTH, SPRUNG + FRAMES + MOTORS, METRICS),
    "a held base": (HELD, HANGING + FRAMES + MOTORS, METRICS),
}


def chance_of(path: Path, left: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a dispersion of every number that the system of a mission has, but for those that are left."""
    documents, found = Documents.read(path), dict[str, Any]()
    known = documents.source.system.numbers()
    for target in every_target(documents):
        if target.document != "system" or target.number not in known or target.path in left:
            continue
        key = target.path.rpartition(".")[2]
        if key != target.number.rpartition(".")[2]:
            continue  # another unit of the same
        size = known[target.number].shape
        if key in SIZES:
            found[target.path] = dispersed(stats.norm(0, SIZES[key]), size=3, how="add")
        elif size == () and not known[target.number].value:
            found[target.path] = dispersed(stats.uniform(0, 0.01), how="add")
        elif size in ((), (6,)):
            found[target.path] = dispersed(stats.uniform(0.97, 0.06), how="scale")
        else:
            found[target.path] = dispersed(stats.norm(0, 0.01), size=size[0], how="add")
    return found


def made(path: Path, metrics: dict[str, str], left: tuple[str, ...] = ()) -> Study:
    """Return the study of all numbers that change a flight."""
    return Study(path, seed=5, repeats=CASES, dispersion=chance_of(path, left), metrics=metrics, output_step_s=0.05)


def without_idle(path: Path, metrics: dict[str, str]) -> Study:
    """Return the study without numbers on which nothing depends, such as damping of what cannot turn."""
    try:
        return made(path, metrics)
    except InvalidInput as error:
        assert all("one that does not reach it" in str(problem) for problem in error.problems), str(error)
        return made(path, metrics, tuple(problem.key for problem in error.problems))


@pytest.mark.slow
@pytest.mark.parametrize("which", FLIGHTS)
def test_every_number_of_a_system_flies_together(which: str, tmp_path: Path) -> None:
    text, system, metrics = FLIGHTS[which]
    study = without_idle(written(tmp_path, text, system), metrics)
    targets, variation = study.recipe.variation.targets, study.recipe.variation
    assert {path for path in targets if not variation.is_number(path)} == set()
    assert len(targets) > 20 and len(variation.opened) > 10
    assert study.evaluator.steps(study.case(0)) is not None  # together
    found = rows(study, range(CASES))
    assert {row.status for row in found} == {Status.COMPLETED}
    assert not any(row.reason for row in found)
    for row, other in zip(found[:3], alone(study, range(3)), strict=True):
        for name, value in other.metrics.items():
            assert row.metrics[name] == pytest.approx(value, rel=1e-3), (row.case.number, name)
    for some in ([3], [6, 0]):
        for row in rows(study, some):
            assert_array_equal([*row.metrics.values()], [*found[row.case.number].metrics.values()])
    numbers_are_those_of_loaded_missions(study)
    states_are_those_of_single_runs(study)


def states_are_those_of_single_runs(study: Study) -> None:
    """Metrics may miss what a number does; where a flight ends nothing hides."""
    group, steps = study.evaluator._group(study.case(0))
    assert steps is not None
    numbers = [group.numbers(study.case(k).values, {}) for k in range(2)]
    flight = group.block(numbers, steps)
    for k in range(2):
        alone = study.mission(k).run().history.final
        assert_allclose(flight._x[k], alone.x, rtol=0, atol=2e-6 * max(1.0, abs(alone.x).max()))


def numbers_are_those_of_loaded_missions(study: Study) -> None:
    """The short way to the numbers of a case gives what loading its mission gives."""
    group, _ = study.evaluator._group(study.case(0))
    assert group._quick.serves({})
    for case in map(study.case, range(3)):
        files = study.recipe.variation.files(case.values, {})
        loaded, quick = numbers_of(files.built(*group.shelf.makers), files), group.numbers(case.values, {})
        assert loaded.flies.keys() == quick.flies.keys() == {"inertia", *study.recipe.variation.symbols}
        for name, value in loaded.flies.items():
            assert_array_equal(quick.flies[name], value)
        for name, value in loaded.believed.items():
            assert_array_equal(quick.believed[name], value)


def test_a_thruster_whose_force_is_dispersed_is_flown_by_itself(tmp_path: Path) -> None:
    """Active sets are looked for among numbers that all cases have."""
    path = written(tmp_path, PUSHED, SYSTEM + FRAMES + THRUSTERS)
    chance = {"system.thruster.111.force_N": dispersed(stats.uniform(0.9, 0.2), how="scale")}
    pushed = Study(path, seed=5, repeats=CASES, dispersion=chance, metrics=METRICS)
    why = "system.thruster.111.force_N may change equations, and fewer than 8 cases have them in common"
    assert not pushed.recipe.together and pushed.recipe.alone == why
    assert pushed._about()["step_s"] == f"each case by itself: {why}"
    wheel = {"system.frame.hand.origin_m": dispersed(stats.norm(0, 0.01), size=3, how="add")}
    assert Study(path, seed=5, repeats=CASES, dispersion=wheel, metrics=METRICS).recipe.together


@pytest.mark.slow
def test_what_controllers_believe_of_geometry_is_dispersed_together(tmp_path: Path) -> None:
    path = written(tmp_path, SMOOTH, SYSTEM + FRAMES)
    chance = {
        "estimate.joint.elbow.origin_m": dispersed(stats.norm(0, 0.01), size=3, how="add"),
        "system.joint.elbow.origin_m": dispersed(stats.norm(0, 0.01), size=3, how="add"),
    }
    study = Study(path, seed=5, repeats=CASES, dispersion=chance, metrics=METRICS, output_step_s=0.1)
    assert study.evaluator.steps(study.case(0)) is not None
    assert_same(rows(study, range(3)), alone(study, range(3)))
    first = study.mission(0)
    believed = first.phases[0].controller.believed
    assert believed is not None
    assert np.array_equal(believed.system.joints[1].origin_m, study.case(0).values["estimate.joint.elbow.origin_m"])
    assert np.array_equal(first.system.joints[1].origin_m, study.case(0).values["system.joint.elbow.origin_m"])


@pytest.mark.slow
def test_thrusters_push_about_the_centre_of_mass_that_a_base_has(tmp_path: Path) -> None:
    """They do in cases whose masses are inputs of the programs, too, and are flown by themselves."""
    path = written(tmp_path, PUSHED, SYSTEM + FRAMES + THRUSTERS)
    chance = {
        "system.body.base.com_m": dispersed(stats.norm(0, 0.05), size=3, how="add"),
        "system.body.upper.mass_kg": dispersed(stats.uniform(0.9, 0.2), how="scale"),
    }
    study = Study(path, seed=5, repeats=CASES, dispersion=chance, metrics=METRICS)
    assert "system.body.base.com_m" in study.recipe.alone
    for case in map(study.case, range(2)):
        folded = study.recipe.variation.files(case.values, {}).built(compile_model).run().history
        run = study.evaluator.run(case).history
        assert_allclose(run.final.x, folded.final.x, rtol=0, atol=1e-7)
        assert_allclose(run.propellant_kg[-1], folded.propellant_kg[-1], rtol=1e-6)
