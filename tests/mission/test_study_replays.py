"""A study passes nothing that its replay fails: metrics are the peaks by which runs are judged, within their errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scmanip.campaign import load_study

FOLDER = Path(__file__).parents[2] / "missions"
SAME = {
    "base_rotation_deg": ("base_rotation", 180 / np.pi),
    "base_displacement_m": ("base_displacement", 1.0),
    "wheel_torque_Nm": ("wheel_torque", 1.0),
    "peak_torque_Nm": ("joint_torque", 1.0),
}


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize(("name", "case"), [("wheel_sizing", 5), ("trade_base_mass_and_mode", 9), ("monte_carlo_slew", 3)])
def test_metrics_of_a_packaged_study_are_the_peaks_of_its_replay(name: str, case: int) -> None:
    study = load_study(FOLDER / f"{name}.toml")
    (row,) = study.evaluator.rows([study.case(case)])
    verdicts = study.mission(case).run().verdicts
    compared = [(metric, *SAME[metric]) for metric in row.metrics if metric in SAME]
    assert len(compared) >= 2
    for metric, key, size in compared:
        verdict = max((one for one in verdicts if one.name == key), key=lambda one: one.value)
        allowed = size * max(verdict.error, 1e-6 * verdict.value, 1e-12)
        assert abs(row.metrics[metric] - size * verdict.value) <= allowed, metric
