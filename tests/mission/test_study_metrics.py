"""A metric is one number: of a case flown with others, of the same flown by itself, in its verdicts, and calculated apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from scmanip.campaign import Study
from scmanip.campaign.flight._steps import CLOSE
from scmanip.mission import Mission, Run
from scmanip.simulation import History
from scmanip.spatial import Array
from scmanip.study import Row, Status, dispersed
from scmanip.system import State

from .test_study import MISSION

FINE = 4001  # samples of the calculation apart, on straight lines
Calculation = Callable[[History, Mission], float]


def turned(history: History) -> Array:
    """The base's angle [rad] from its first attitude, by the quaternions' product."""
    q = history.attitude_xyzw
    return np.asarray(2 * np.arctan2(np.linalg.norm(_vector(q[0], q), axis=1), np.abs(q @ q[0])))


def _vector(a: Array, b: Array) -> Array:
    return np.asarray(a[3] * b[:, :3] - b[:, 3:] * a[:3] - np.cross(a[:3], b[:, :3]))


def astray(history: History, mission: Mission) -> Array:
    """How far the tip is from where it would be with the joints on their reference [m]."""
    model, wanted = mission.model, []
    for t, state in zip(history.t, history.states, strict=True):
        start_s, phase = (0.0, mission.phases[0]) if t <= mission.phases[0].t_end_s else (6.0, mission.phases[-1])
        x = state.x.copy()
        x[model.layout.x_q] = phase.reference.at(t - start_s).q
        there = State.renormalised(x, model.layout)
        wanted.append(np.linalg.norm(model.position(state, "tip") - model.position(there, "tip")))
    return np.array(wanted)


def mean(values: Array, history: History) -> float:
    """Over the time of the mission, from 0."""
    return float(np.trapezoid(values, history.t) / history.t[-1])


def norms(rows: Array) -> Array:
    return np.asarray(np.linalg.norm(rows, axis=1))


KINDS: dict[str, tuple[str, Calculation]] = {
    "turn_deg": ("max(degrees(base_rotation_rad))", lambda h, m: np.degrees(turned(h).max())),
    "turn_rate_deg_s": ("max(degrees(base_rate_rad_s))", lambda h, m: np.degrees(norms(h.omega_0).max())),
    "shift_mm": ("1e3 * max(base_displacement_m)", lambda h, m: 1e3 * norms(h.r_0 - h.r_0[0]).max()),
    "place_m": ("max(abs(base_position_m[0]))", lambda h, m: np.abs(h.r_0[:, 0]).max()),
    "speed_m_s": ("max(norm(base_velocity_m_s))", lambda h, m: norms(h.v_0).max()),
    "effort_Nm": ("max(abs(joint_torque_Nm))", lambda h, m: np.abs(h.tau).max()),
    "least_effort_Nm": ("min(joint_torque_Nm[1])", lambda h, m: h.tau[:, 1].min()),
    "rate_deg_s": ("max(abs(degrees(joint_rate_rad_s)))", lambda h, m: np.degrees(np.abs(h.qdot).max())),
    "rate_rpm": ("max(abs(joint_rate_rad_s)) * 9.549296585513721", lambda h, m: np.abs(h.qdot).max() * 30 / np.pi),
    "angle_deg": ("max(degrees(joint_angle_rad[0]))", lambda h, m: np.degrees(h.q[:, 0].max())),
    "power_W": ("max(abs(joint_power_W))", lambda h, m: np.abs(h.tau * h.qdot).max()),
    "mean_power_W": ("sum(mean(abs(joint_power_W)))", lambda h, m: mean(np.abs(h.tau * h.qdot).sum(axis=1), h)),
    "rms_Nm": ("rms(joint_torque_Nm[0])", lambda h, m: np.sqrt(mean(h.tau[:, 0] ** 2, h))),
    "effort_Nms": ("integral(norm(joint_torque_Nm))", lambda h, m: mean(norms(h.tau), h) * h.t[-1]),
    "error_mm": ("1e3 * max(tip_error_m)", lambda h, m: 1e3 * astray(h, m).max()),
    "momentum_Nms": ("max(norm(angular_momentum_Nms))", lambda h, m: norms(h.L_C).max()),
    "energy_J": ("max(kinetic_energy_J)", lambda h, m: h.kinetic_energy.max()),
    "work_J": ("max(work_J)", lambda h, m: h.work.max()),
    "half_deg": ("at(degrees(base_rotation_rad), 3.21)", lambda h, m: np.degrees(np.interp(3.21, h.t, turned(h)))),
    "end_deg": ("final(degrees(joint_angle_rad[0]))", lambda h, m: np.degrees(h.q[-1, 0])),
}
WHEELS: dict[str, tuple[str, Calculation]] = {
    "wheel_rpm": ("max(abs(wheel_speed_rad_s)) * 9.549296585513721", lambda h, m: np.abs(speeds(h)).max() * 30 / np.pi),
    "wheel_Nm": ("max(abs(wheel_torque_Nm))", lambda h, m: np.abs(h.wheel_torque).max()),
    "wheel_Nms": ("max(abs(wheel_momentum_Nms))", lambda h, m: (np.abs(speeds(h)) * spins(m)).max()),
    "effort_Nm": ("max(abs(joint_torque_Nm))", lambda h, m: np.abs(h.tau).max()),
    "base_Nm": ("max(norm(base_torque_Nm))", lambda h, m: norms(h.wrench[:, 3:]).max()),
}
VERDICTS = {
    "turn_deg": ("base_rotation", 180 / np.pi),
    "turn_rate_deg_s": ("base_rate", 180 / np.pi),
    "shift_mm": ("base_displacement", 1e3),
    "effort_Nm": ("joint_torque", 1.0),
    "rate_deg_s": ("joint_rate", 180 / np.pi),
    "power_W": ("joint_power", 1.0),
    "wheel_Nm": ("wheel_torque", 1.0),
    "wheel_Nms": ("wheel_momentum", 1.0),
}


def speeds(history: History) -> Array:
    return np.asarray(history.states.wheel_rad_s)


def spins(mission: Mission) -> Array:
    return np.array([wheel.inertia_kg_m2 for wheel in mission.system.wheels])


def made(path: Path, kinds: dict[str, tuple[str, Calculation]], chance: dict[str, object], **options: float) -> Study:
    metrics = {name: expression for name, (expression, _) in kinds.items()}
    return Study(path, seed=3, repeats=16, dispersion=chance, metrics=metrics, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def slew(tmp_path_factory: pytest.TempPathFactory) -> Study:
    path = tmp_path_factory.mktemp("metrics") / "short.toml"
    path.write_text(MISSION, encoding="utf-8")
    chance = {
        "phase.*.controller.K_P": dispersed(stats.uniform(3, 30)),
        "system.body.*.mass_kg": dispersed(stats.norm(1, 0.1), how="scale"),
        "initial.omega_0_deg_s": dispersed(stats.norm(0, 0.2), size=3),
    }
    return made(path, KINDS, chance, output_step_s=0.4)


def flown_apart(study: Study, case: int) -> Run:
    """The mission of a case at a fine tolerance, with many samples."""
    mission = study.mission(case)
    output_step_s = mission.t_end_s / (FINE - 1)
    integration = replace(mission.integration, rtol=1e-12, atol=1e-12, output_step_s=output_step_s)
    return replace(mission, integration=integration).run()


def agree(study: Study, kinds: dict[str, tuple[str, Calculation]], case: int) -> None:
    """Assert that all ways to a metric give it."""
    (row,), alone = study.evaluator.rows([study.case(case)]), study.evaluator._alone(study.case(case))
    run, apart = study.replay(case).run, flown_apart(study, case)
    assert row.status is Status.COMPLETED and not row.reason
    judged = {verdict.name: verdict.value for verdict in run.verdicts}
    for name, (_, calculation) in kinds.items():
        true = float(calculation(apart.history, apart.mission))  # type: ignore[arg-type]
        assert row.metrics[name] == pytest.approx(alone.metrics[name], rel=CLOSE), name
        assert row.metrics[name] == pytest.approx(true, rel=CLOSE), name
        assert alone.metrics[name] == pytest.approx(true, rel=CLOSE / 10), name
        if name in VERDICTS:
            verdict, size = VERDICTS[name]
            assert judged[verdict] * size == pytest.approx(row.metrics[name], rel=5 * CLOSE), name


@pytest.mark.slow
@pytest.mark.parametrize("case", [0, 5])
def test_every_kind_of_metric_is_the_same_number_on_every_way_to_it(slew: Study, case: int) -> None:
    agree(slew, KINDS, case)


@pytest.mark.slow
def test_metrics_of_wheels_are_too() -> None:
    path = Path(__file__).parents[2] / "missions" / "ets7_wheels.toml"
    chance = {"system.body.*.mass_kg": dispersed(stats.norm(1, 0.05), how="scale")}
    agree(made(path, WHEELS, chance), WHEELS, 2)  # type: ignore[arg-type]


@pytest.mark.slow
def test_peaks_do_not_depend_on_the_distance_of_samples(slew: Study) -> None:
    finer = made(Path(slew.definition.mission), KINDS, dict(slew.definition.dispersion), output_step_s=0.02)
    for case in (1, 2):
        found = [study.evaluator.rows([study.case(case)])[0].metrics for study in (slew, finer)]
        for name in KINDS:
            assert found[0][name] == pytest.approx(found[1][name], rel=CLOSE), name


@pytest.mark.slow
def test_rows_do_not_depend_on_the_cases_beside_them(slew: Study) -> None:
    together: list[Row] = slew.evaluator.rows([slew.case(number) for number in range(16)])
    for numbers in ((0,), (9, 2), range(4, 11)):
        assert slew.evaluator.rows([slew.case(number) for number in numbers]) == [together[number] for number in numbers]


@pytest.mark.slow
def test_samples_are_put_closer_where_metrics_need_it(slew: Study) -> None:
    kinds = {"effort_Nm": KINDS["effort_Nm"]}
    study = made(Path(slew.definition.mission), kinds, dict(slew.definition.dispersion), output_step_s=3.0)
    steps = study.evaluator.steps(study.case(0))
    assert steps is not None and steps.output_step_s < 3.0
    for row in study.evaluator.rows([study.case(0), study.case(1)]):
        assert row.metrics["effort_Nm"] == pytest.approx(slew.evaluator._alone(row.case).metrics["effort_Nm"], rel=CLOSE)
