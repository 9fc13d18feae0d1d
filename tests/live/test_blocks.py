"""Long sessions are looked into block by block: the same numbers, in the memory of one block."""

from importlib import import_module

import numpy as np
import pytest

from .arms import session

BLOCKS = import_module("scmanip.simulation.stepping._blocks")


@pytest.fixture(scope="module")
def flown():
    """A session whose hand wanders against firm joints, one of which is locked on the way."""
    live = session()
    live.then("firm")
    place, attitude = live.link.pose()
    for k in range(500):
        if k % 100 == 0:
            live.drag(place + 0.05 * np.array([np.sin(k / 100), np.cos(k / 70) - 1.0, 0.0]), attitude)
        if k == 235:
            live.impose("stiff")
        assert live.step()
    return live


@pytest.fixture
def histories(flown, monkeypatch):
    """It as it is, and in blocks of 0.1 s."""
    whole = flown.history()
    monkeypatch.setattr(BLOCKS, "BLOCK_STEPS", 100)
    return whole, flown.history()


def test_blocks_have_the_series_of_the_whole(histories):
    whole, blocks = histories
    assert np.array_equal(blocks.t, whole.t) and blocks.steps == whole.steps == 500
    for name in set(whole.channels) - {"joint_impulse"}:  # whose integrals begin anew in every piece
        expected, found = (np.asarray(getattr(each, name), dtype=float) for each in (whole, blocks))
        np.testing.assert_allclose(
            found, expected, rtol=0, atol=1e-12 * max(1.0, np.abs(expected).max(initial=0.0)), err_msg=name
        )
    assert blocks.external_displacement[-1, 0] != 0 and abs(whole.work).max() > 1e-3
    assert blocks.residuals["joint_motion"].relative < 1e-9 and not blocks.broken_laws
    assert (np.diff(blocks.joint_impulse, axis=0) >= 0).all() and (blocks.joint_impulse[-1] > 0).any()


def test_blocks_are_flown_again_to_the_last_bit(histories):
    whole, blocks = histories
    assert np.array_equal(np.unique(blocks.finely.t), np.unique(whole.finely.t))
    for each in histories:
        at = np.searchsorted(each.finely.t, each.t)
        assert np.array_equal(each.finely.q[at], whole.q)


def test_a_settled_history_has_all_series_and_nothing_behind_them(histories):
    _, blocks = histories
    settled = blocks.settled()
    assert str(settled) == str(blocks) and settled.finely.t.size < 2 * settled.t.size
    assert all(np.array_equal(getattr(settled, name), getattr(blocks, name)) for name in blocks.channels)
