"""Phases that follow one another as one history, in modes that are pushed and with wheels."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.modes import Flying, ManoeuvreMode, RotationFloating, TranslationFlying
from scmanip.simulation import joined, simulate
from scmanip.system import State

from ..simulation.arms import model, moving_state


@pytest.mark.battery(1)
@pytest.mark.parametrize("mode", [Flying(), TranslationFlying(RotationFloating()), RotationFloating()], ids=repr)
def test_impulse_runs_on_so_that_the_contract_of_the_whole_is_that_of_its_phases(mode: ManoeuvreMode) -> None:
    plant = model()

    def law(t: float, state: State) -> np.ndarray:
        del t, state
        return np.array([3.0 * mode.pushed, 0, 0, 0, 0.5, 0, 0.2, -0.1])

    first = simulate(plant, mode, law, moving_state(), t_end_s=1.0, output_step_s=0.25, rtol=1e-11)
    second = simulate(plant, mode, law, first.final, t_end_s=1.0, output_step_s=0.25, rtol=1e-11)
    whole = joined([first, second])
    through = simulate(plant, mode, law, moving_state(), t_end_s=2.0, output_step_s=0.25, rtol=1e-11)
    assert_allclose(whole.impulse[5:], through.impulse[4:], atol=1e-9)
    assert_allclose(whole.h_wheels[5:], through.h_wheels[4:], atol=1e-9)
    for residual in whole.residuals.values():
        assert residual.relative < 1e-8, residual
