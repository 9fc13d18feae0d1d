"""A law of impact of another package, with public names alone: files name it, and a ball bounces by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from scmanip.errors import InvalidMission
from scmanip.impacts import Newton
from tests.house.packages import installed
from tests.mission.test_rigid_contacts import CONTACT, bounces, mission, phase


@dataclass(frozen=True)
class Tired(Newton):
    """Newton's, of what gives back half of what it is said to."""

    kind: ClassVar[str] = "tired"

    def coefficients(self, v_n: np.ndarray) -> np.ndarray:
        """Return half of them."""
        return super().coefficients(v_n) / 2


def test_a_mission_names_it_and_a_ball_bounces_by_it(tmp_path, monkeypatch):
    tired = CONTACT.replace('"newton"', '"tired"')
    with pytest.raises(InvalidMission, match=r"contact\[0\].law: expected 'newton', 'poisson' or 'energetic', found 'tired'"):
        mission(tmp_path, phase(), tired)
    code = "from tests.impacts.test_a_law_of_ones_own import Tired\n"
    installed(tmp_path, monkeypatch, "house_law", "[scmanip.restitutions]\ntired = house_law:Tired\n", code)
    made = mission(tmp_path, phase("fall", 0.32), tired)
    assert made.resolved["contact"][0]["law"] == "tired" and isinstance(made.contacts[0].law, Tired)
    first, second = (change.t for change in made.run().history.switches)
    assert first == pytest.approx(bounces()[0], abs=1e-7)
    assert second == pytest.approx(first + 2 * 0.25 * first, abs=1e-7)
