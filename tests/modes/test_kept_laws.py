"""A law is kept or broken, whatever anybody asked for: a thousandth of what it balances, or rounding where nothing moves."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

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


@pytest.mark.parametrize("n", [1, 3, 40])
@pytest.mark.parametrize("asked", [False, True])
def test_laws_are_what_their_formulas_say_at_every_sample(n, asked):
    rng = np.random.default_rng(n)
    names = ("P", "P_arm", "L_C", "L_arm", "h_wheels", "r_C", "r_0")
    ledger = books(impulse=rng.normal(size=(n, 6)), **{name: rng.normal(size=(n, 3)) for name in names})
    ledger.t, ledger.tau = np.linspace(0.0, 2.0, n), np.ones((n, 2))
    energies = {name: rng.normal(size=n) ** 2 for name in ("kinetic_energy", "stored_energy", "work", "dissipated")}
    vars(ledger).update(energies)
    if asked:
        parts = {name: rng.normal(size=(n, 3)) for name in ("impulse", "angular_impulse", "displacement")}
        ledger.demand = SimpleNamespace(**parts, work=rng.normal(size=n))

    def larger(left, book):
        found = abs(left) if left.ndim == 1 else np.linalg.norm(left, axis=1)
        demanded = getattr(ledger.demand, book) if asked else np.zeros(n)
        return np.maximum(found, abs(demanded) if demanded.ndim == 1 else np.linalg.norm(demanded, axis=1))

    def peak(*series):
        return max(np.linalg.norm(each, axis=1).max() for each in series)

    drift = np.outer(ledger.t, ledger.P[0] / ledger.mass_kg)
    energy, stored = ledger.kinetic_energy + ledger.stored_energy, ledger.stored_energy - ledger.stored_energy[0]
    force, moment = ledger.impulse[:, :3], ledger.impulse[:, 3:]
    lever = np.cross(ledger.r_C - ledger.r_0, ledger.P)
    wheels = ledger.h_wheels - ledger.h_wheels[0]
    turned = ledger.L_arm, ledger.L_C - ledger.L_arm - ledger.h_wheels, ledger.h_wheels, lever
    expected = {
        "momentum": (ledger.P - ledger.P[0], "impulse", peak(ledger.P_arm), peak(ledger.P_arm, ledger.P - ledger.P_arm)),
        "angular_momentum": (ledger.L_C - ledger.L_C[0], "angular_impulse", peak(ledger.L_arm, wheels), peak(*turned)),
        "com_drift": (
            ledger.r_C - ledger.r_C[0] - drift,
            "displacement",
            peak(ledger.r_0 - ledger.r_0[0] - drift),
            peak(ledger.r_0 - ledger.r_0[0]),
        ),
        "energy": (
            energy - energy[0] - ledger.work + ledger.dissipated,
            "work",
            max(ledger.kinetic_energy.max(), abs(stored).max()),
            max(abs(each).max() for each in (ledger.kinetic_energy, stored, ledger.work, ledger.dissipated)),
        ),
        "momentum_balance": (
            ledger.P - ledger.P[0] - force,
            "impulse",
            peak(force, ledger.P_arm),
            peak(force, ledger.P_arm, ledger.P - ledger.P_arm),
        ),
        "angular_momentum_balance": (
            ledger.L_C - ledger.L_C[0] - moment,
            "angular_impulse",
            peak(moment, ledger.L_arm),
            peak(moment, *turned),
        ),
    }
    found = {**Floating().contract(ledger), **Flying().contract(ledger)}
    for law, (left, book, scale, largest) in expected.items():
        assert_allclose(found[law].series, larger(left, book), rtol=1e-12, atol=1e-14)
        assert found[law].scale == pytest.approx(scale, rel=1e-12, abs=1e-14)
        assert found[law].most == pytest.approx(1e-3 * largest, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("size", [1e160, 1e200, np.inf, np.nan])
def test_no_law_is_kept_of_what_is_not_finite(size):
    with np.errstate(all="ignore"):
        far = {name: size * getattr(books(), name) for name in ("P", "P_arm", "L_C", "L_arm", "r_C", "r_0")}
        laws = Floating().contract(books(**far))
    assert not any(laws[law].kept for law in ("momentum", "angular_momentum"))


def test_a_scale_that_is_no_number_is_not_replaced():
    arm = np.array(books().P_arm)
    arm[2] = np.nan
    assert np.isnan(Floating().contract(books(P_arm=arm))["momentum"].scale)
