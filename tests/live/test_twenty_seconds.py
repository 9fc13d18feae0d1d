"""What `tests.benchmarks.live` times, without a clock: seven joints, a grasp and a wall that come and go, a far handle."""

import pytest

from scmanip.live import Impedance
from tests.benchmarks.live import STEP_S, SWITCH_S, far_handle, gained, seven_joints, switch

SECONDS = 20.0


@pytest.mark.slow
def test_a_hand_gets_no_energy_out_of_twenty_seconds_of_grasps_and_touches():
    session = seven_joints(Impedance(), far_handle())
    for turn in range(round(SECONDS / SWITCH_S)):
        assert switch(session, turn) == 2
        assert all(session.step() for _ in range(round(SWITCH_S / STEP_S)))
    (gain, stored), ledger = gained(session), session.link.observer
    assert session.t == pytest.approx(SECONDS)
    assert session.history().t[-1] == pytest.approx(SECONDS)
    assert stored > 0.1
    assert gain <= 1e-6
    assert ledger.damped > 0.1
    assert ledger.given + ledger.damped >= ledger.taken
