"""A law is kept or broken, whatever anybody asked for: a thousandth of what it balances, or rounding where nothing moves."""

import numpy as np
import pytest

from scmanip.modes import Floating, Flying, Residual, RotationFlying
from tests.modes.books import books


def test_a_law_of_ones_own_is_kept_to_a_thousandth_of_its_scale():
    for deviation, kept in ((0.0, True), (0.0019, True), (0.0021, False), (np.nan, False), (np.inf, False)):
        residual = Residual.of("mine", "", "m", np.array([0.0, deviation]), 2.0, "")
        assert residual.kept is kept
        assert residual.most == 0.002
        assert residual.most_relative == pytest.approx(1e-3)


@pytest.mark.parametrize(
    ("law", "series", "largest"),
    [
        ("momentum", "P", 5.0),  # the base's: P less the arm's, at the end sqrt(3^2 + 4^2 + 1) and a bit
        ("angular_momentum", "L_C", 8.0),  # the arm's at the end
        ("energy", "work", 7.0),  # what moves at the end
    ],
)
def test_a_law_breaks_between_half_and_twice_a_thousandth_of_the_largest_part_of_its_balance(law, series, largest):
    for size, kept in ((0.5e-3 * largest, True), (2e-3 * largest, False)):
        off = np.array(getattr(books(), series))
        off[3] += size / np.sqrt(off[3].size)
        assert Floating().contract(books(**{series: off}))[law].kept is kept


def test_what_flows_counts_where_little_moves():
    """A slow lift: 100 J of work, all of it stored, and a microjoule of motion."""
    t = np.linspace(0.0, 1.0, 5)
    lift = {"kinetic_energy": np.full(5, 1e-6), "stored_energy": 100 * t, "dissipated": 0 * t}
    for error, kept in ((1e-5, True), (0.2, False)):
        energy = Floating().contract(books(**lift, work=(100 + error) * t))["energy"]
        assert energy.relative == pytest.approx(error / 100)
        assert energy.kept is kept


def test_rounding_of_a_run_in_which_nothing_moves_breaks_no_law():
    places = {name: 1e-17 * np.outer(np.arange(5.0), np.ones(3)) for name in ("r_0", "r_C", "P", "P_arm", "L_C", "L_arm")}
    energies = {name: np.zeros(5) for name in ("kinetic_energy", "stored_energy", "dissipated")}
    noise = places | energies | {"work": 1e-33 * np.arange(5.0), "impulse": 1e-17 * np.outer(np.arange(5.0), np.ones(6))}
    for mode in (Floating(), RotationFlying(), Flying()):
        assert all(residual.kept for residual in mode.contract(books(**noise)).values())
        moved = noise | {name: 1e9 * noise[name] for name in ("P", "L_C")}
        assert not all(residual.kept for residual in mode.contract(books(**moved)).values())
