"""Loads between two bodies and loads with switching functions: a slide that runs onto a spring and leaves it again."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import Floating, Plant, State, compile_model
from scmanip.control import JointRegulator
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.loads import Bodies, BodyWrenches, Load
from scmanip.simulation import RK4, ensemble, simulate
from scmanip.symbolic import maximum
from scmanip.system import Body, Joint, System

STIFFNESS, M, m, GAP, SPEED = 40.0, 6.0, 2.0, 0.3, 0.5
SLIDE = Joint("slide", "prismatic", [1.0, 0, 0])
MODEL = compile_model(
    System("buffer", Body("base", M, [1.0, 2.0, 3.0]), [Body("cart", m, [0.1, 0.1, 0.1], [0, 0, 0], "base", SLIDE)])
)
START = State([0, 0, 0], [0, 0, 0, 1.0], [GAP], [0, 0, 0], [0, 0, 0], [-SPEED])


@dataclass(frozen=True)
class Buffer(Load):
    """A spring on the base that pushes a cart which runs onto it; it does not pull."""

    name: str = "gap"

    def wrenches(self, bodies: Bodies, t: float) -> BodyWrenches:
        """Return its push, along the slide through the cart's CoM."""
        cart = bodies.number("cart")
        push = STIFFNESS * maximum(-self._gap(bodies), 0.0) * bodies.R[0][:, 0]
        return bodies.between("base", "cart", push, at=bodies.r[cart])

    def switches(self, bodies: Bodies, t: float) -> dict[str, float]:
        """Return how far the cart is away."""
        return {self.name: self._gap(bodies)}

    def _gap(self, bodies: Bodies) -> float:
        return (bodies.r[bodies.number("cart")] - bodies.r[0]) @ bodies.R[0][:, 0]


IDLE = JointRegulator(MODEL, K_P=0.0, K_D=0.0)


@pytest.mark.parametrize("law", [IDLE, lambda t, state: np.zeros(1)], ids=["in machine code", "in Python"])
def test_a_cart_leaves_a_spring_as_fast_as_it_came_and_the_run_says_when(law) -> None:
    plant, omega = Plant(MODEL, Floating(), [Buffer()]), np.sqrt(STIFFNESS * (M + m) / (M * m))
    options = {"reference": Hold([0.0])} if law is IDLE else {}
    run = simulate(plant, law, START, t_end_s=2.0, output_step_s=0.1, rtol=1e-12, **options)
    touched, left = GAP / SPEED, GAP / SPEED + np.pi / omega
    assert [(each.phrase, pytest.approx(each.first_s, abs=1e-9)) for each in run.occurrences] == [
        ("'gap' fell below zero", touched),
        ("'gap' rose above zero", left),
    ]
    assert_allclose(run.qdot[-1], [SPEED], atol=1e-9)
    assert_allclose(run.q[-1], [SPEED * (2.0 - left)], atol=1e-9)
    deepest = run.finely.q.min()
    assert deepest == pytest.approx(-SPEED / omega, rel=1e-3)
    assert_allclose(run.external.impulse, 0.0, atol=1e-14)
    assert all(residual.kept for residual in run.residuals.values())


def test_a_force_between_two_bodies_is_equal_and_opposite_through_one_point() -> None:
    state = State([0, 0, 0], [0.1, 0.3, 0.3, 0.9], [0.4], [1.0, 2.0, 3.0], [0.1, 0.2, 0.3], [0.5])
    bodies = Bodies(MODEL.system, MODEL.symbolic.derivation.at(state.x))
    f, n, at = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.1, -0.7]), np.array([2.0, 1.0, -1.0])
    pair = bodies.between("base", "cart", f, n, at=at)
    assert_allclose(pair.f, [-f, f])
    assert_allclose(pair.n[1], n + np.cross(at - bodies.r[1], f), atol=1e-14)
    assert_allclose(pair.resultant(bodies.geometry), 0.0, atol=1e-14)
    assert_allclose(bodies.on("cart", f).n, 0.0)


@pytest.mark.slow
def test_switching_functions_have_names_of_their_own_and_variable_steps() -> None:
    law, hold = IDLE, {"reference": Hold([0.0]), "t_end_s": 1.0}
    with pytest.raises(InvalidInput, match="names differ"):
        simulate(Plant(MODEL, Floating(), [Buffer(), Buffer()]), law, START, **hold)
    both = simulate(Plant(MODEL, Floating(), [Buffer(), Buffer("other")]), law, START, integrator=RK4(1e-3), **hold)
    assert [each.phrase for each in both.occurrences][:2] == ["'gap' fell below zero", "'other' fell below zero"]
    with pytest.raises(InvalidInput, match="switching functions"):
        ensemble(Plant(MODEL, Floating(), [Buffer()]), law, START, step_s=0.1, **hold)
