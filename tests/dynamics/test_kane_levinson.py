"""The listing of [Kane1983] for the Stanford arm against our recursion and Pinocchio, as corrected and as printed.

The generalized forces are (tau_1, -tau_2 ... -tau_5, -sigma): the paper's act from the outer on the inner body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from scmanip.dynamics import Model, compile_model
from scmanip.system import State, load_system
from tests.oracles.pinocchio_oracle import PinocchioOracle

from .kane_levinson_listing import (
    PRINTED,
    SENSE,
    X_of,
    accelerations,
    driving_forces,
    quantities,
    speed_rates,
    speeds,
)

SYSTEM = load_system("model:stanford_arm")
CHAIN = [SYSTEM.layout.joint_names.index(f"q{r}") for r in range(1, 7)]  # ours[CHAIN] is in the paper's order
EPS = np.finfo(float).eps


@cache
def model() -> Model:
    return compile_model(SYSTEM)


@dataclass(frozen=True, eq=False)
class Motion:
    """A configuration, rates and accelerations in the paper's order, away from its singularity s2 = 0."""

    q: np.ndarray
    qdot: np.ndarray
    qddot: np.ndarray

    @property
    def state(self) -> State:
        return State(q=chained(self.q), qdot=chained(self.qdot))


def chained(paper: np.ndarray) -> np.ndarray:
    """Entries in the paper's order, put into the order of the chain."""
    ours = np.empty(6)
    ours[CHAIN] = paper
    return ours


def _motions(count: int = 40) -> list[Motion]:
    rng = np.random.default_rng(1983)
    found = []
    for _ in range(count):
        q, qdot, qddot = rng.uniform(-3, 3, 6), rng.normal(size=6), rng.normal(size=6)
        q[1] = rng.uniform(0.4, 2.7)
        found.append(Motion(q, qdot, qddot))
    return found


MOTIONS = _motions()


def generalized(motion: Motion, **options: Collection[str]) -> np.ndarray:
    """The listing's driving forces as generalized forces, in the paper's order."""
    return SENSE * driving_forces(motion.q, motion.qdot, motion.qddot, **options)


def ours(motion: Motion) -> np.ndarray:
    """The same by our recursion."""
    return model().inverse_dynamics(motion.state, chained(motion.qddot)).tau[CHAIN]


def momentum_about_the_vertical(motion: Motion) -> float:
    """H . n2 about A*; any point of the vertical through A* will do."""
    return float(model().momentum(motion.state).L_0[1])


def worst(found: Iterable[np.ndarray], wanted: Iterable[np.ndarray]) -> np.ndarray:
    """Largest error of each entry, relative to the largest size of that entry."""
    a, b = np.array(list(found)), np.array(list(wanted))
    return abs(a - b).max(axis=0) / abs(b).max(axis=0)


def test_the_corrected_listing_gives_the_driving_forces_of_our_recursion() -> None:
    assert worst(map(generalized, MOTIONS), map(ours, MOTIONS)).max() < 1e-12


def test_the_corrected_listing_gives_the_driving_forces_of_pinocchio() -> None:
    twin = PinocchioOracle(SYSTEM)
    theirs = [twin.inverse_dynamics(m.state, chained(m.qddot))[1][CHAIN] for m in MOTIONS]
    assert worst(map(generalized, MOTIONS), theirs).max() < 1e-12


def test_eqs_118_to_123_give_the_accelerations_of_our_forward_dynamics() -> None:
    rng = np.random.default_rng(118)
    for m in MOTIONS:
        tau = rng.normal(size=6) * [5, 50, 1, 1, 0.01, 50]
        udot = accelerations(m.q, m.qdot, SENSE * tau)
        qddot = model().forward_dynamics(m.state, chained(tau))[CHAIN]
        wanted = speed_rates(m.q, m.qdot, qddot)
        X = X_of(quantities(m.q, speeds(m.q, m.qdot)))
        assert abs(udot - wanted).max() < max(1e-12, 10 * np.linalg.cond(X) * EPS) * abs(wanted).max()


def test_appendix_2_is_the_inertia_matrix_in_the_papers_speeds_with_a_minus() -> None:
    """K_r* = X_rs udot_s + ..., so M = -T' X T, where u = T qdot."""
    for m in MOTIONS:
        X = X_of(quantities(m.q, speeds(m.q, m.qdot)))
        T = np.array([speeds(m.q, unit) for unit in np.eye(6)]).T
        M = model().M(m.state)[np.ix_(CHAIN, CHAIN)]
        assert abs(M + T.T @ X @ T).max() < 1e-12 * abs(M).max()


def test_appendix_4_is_the_angular_momentum_about_the_vertical() -> None:
    listed = [np.array(quantities(m.q, speeds(m.q, m.qdot))["W31"]) for m in MOTIONS]
    assert worst(listed, [np.array(momentum_about_the_vertical(m)) for m in MOTIONS]) < 1e-12


def test_the_generalized_momentum_of_q1_is_the_angular_momentum_about_the_vertical() -> None:
    for m in MOTIONS:
        p = model().M(m.state)[CHAIN[0]] @ m.state.qdot
        assert p == pytest.approx(momentum_about_the_vertical(m), rel=1e-12)


@pytest.mark.parametrize("name", ["Z90", "Z139", "Z149", "Z193"])
def test_a_misprinted_Z_spoils_the_driving_forces(name: str) -> None:
    """The smallest misprint, Z139, is off by 0.3 % of the largest tau_1."""
    assert worst((generalized(m, as_printed={name}) for m in MOTIONS), map(ours, MOTIONS)).max() > 1e-3


def test_Z92_is_printed_twice_and_Z93_never() -> None:
    with pytest.raises(NameError, match="'Z93'"):
        generalized(MOTIONS[0], as_printed={"Z93"})


def test_the_moment_arm_of_D_is_printed_as_a_W_that_does_not_exist() -> None:
    """The list of Appendix 4 ends with W31; W38 for Z38 in W18 is a slip."""
    with pytest.raises(NameError, match="'W38'"):
        quantities(MOTIONS[0].q, np.ones(6), as_printed={"W18"})


def test_all_misprints_together_are_off_by_what_no_rounding_explains() -> None:
    """With everything as printed but the Z93 that the print lacks."""
    together = PRINTED.keys() - {"Z93", "W18"}
    errors = worst((generalized(m, as_printed=together) for m in MOTIONS), map(ours, MOTIONS))
    assert errors.max() > 0.01
