"""Figures of margins and poles over configurations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scmanip.analysis import margins, root_loci
from scmanip.control import JointRegulator, Sampled
from scmanip.errors import InvalidInput
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.report import margins_figure, root_loci_figure
from scmanip.system import State

from ..simulation.arms import model

STATE = State([0, 0, 0], [0, 0, 0, 1], [0.4, -0.7])


@pytest.fixture(scope="module")
def loop() -> tuple[Plant, Any]:
    return Plant(model(), Floating()), JointRegulator(model(), K_P=[40.0, 20.0], K_D=[30.0, 10.0])


def test_margins_over_a_grid_are_curves_or_a_map_with_the_worst_by_name(loop: tuple[Plant, Any]) -> None:
    plant, law = loop
    grid = {"elbow": [0.0, 1.0, 2.0], "shoulder": [0.0, 0.5, 1.0]}
    whole, one = (margins(plant, STATE, law, grid={name: grid[name] for name in names}) for names in (grid, ["elbow"]))
    for found, kind in ((whole, "phase_deg"), (one, "phase_deg"), (whole, "gain"), (one, "modulus")):
        axis, *bars = margins_figure(found, kind, "an $arm$").axes
        assert axis.get_xlabel() == "elbow" and len(bars) == (found is whole)
    worst = whole.worst["phase_deg"]
    title = margins_figure(whole).axes[0].get_title()
    assert title.startswith(f"worst: {abs(worst.value):.3g} deg of {worst.loop} at elbow = ")
    assert len(margins_figure(one).axes[0].lines) == 3  # the worst is marked
    late = margins(plant, STATE, Sampled(law, rate_Hz=1.0), grid={"elbow": [0.0, 1.0]})
    assert "not stable at 2 of 2 points" in margins_figure(late).axes[0].get_title()


def test_root_loci_are_points_in_the_plane_with_the_least_damped_by_name(loop: tuple[Plant, Any]) -> None:
    plant, law = loop
    found = root_loci(plant, STATE, law, grid={"elbow": [0.0, 1.0, 2.0]}, momenta="remove")
    axis = root_loci_figure(found, within_rad_s=4.0).axes[0]
    beyond = np.count_nonzero(abs(found.poles) > 4.0)
    assert axis.get_title().startswith("least damped: ") and f"{beyond} faster poles" in axis.get_xlabel()
    looked = root_loci(plant, STATE, Sampled(law, rate_Hz=50.0), grid={"elbow": [0.0, 1.0]}, momenta="remove")
    assert root_loci_figure(looked).axes[0].get_xlabel() == "real part, from sample to sample"


def test_one_point_is_no_figure(loop: tuple[Plant, Any]) -> None:
    plant, law = loop
    with pytest.raises(InvalidInput, match="margins over a grid"):
        margins_figure(margins(plant, STATE, law))
    with pytest.raises(InvalidInput, match="poles over a grid"):
        root_loci_figure(root_loci(plant, STATE, law, grid={}))
