"""Recursive Kane [Angeles1989] against the sums of [Wilde2018], Pinocchio, and the paper's own equations without recursion."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Parameters, Reference, compile_model, recursive_inverse_dynamics
from scmanip.dynamics.recursions._recursive_kane import base_motion, driving_forces, link_motions, link_placements
from scmanip.spatial import dcm_from_quaternion
from tests.dynamics.partial_rates import driving_forces_by_sums, link_poses, partial_rates

from ..oracles.pinocchio_oracle import PinocchioOracle
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_case, random_state

SEEDS = [*range(80), *range(FIRST_TREE, FIRST_TREE + 20), *range(FIRST_OF_ALL, FIRST_OF_ALL + 12)]
every_system = pytest.mark.parametrize("seed", SEEDS)


class Case:
    """A random system in random motion, and its forces by the recursion."""

    def __init__(self, seed):
        self.system = random_case(seed)
        self.state = random_state(self.system, seed)
        self.e = compile_model(self.system, implementation=Reference()).equations(self.state)
        self.parameters, self.fixed = self.e.parameters, self.system.fixed
        self.udot = np.random.default_rng([seed, 5]).normal(size=self.system.layout.n_u)

    @property
    def base(self):
        return {} if self.fixed else {"attitude": self.state.attitude_xyzw, "omega_0": self.state.omega_0}

    @property
    def forces(self):
        given = self.base | {"dissipative": self.e.passive_force}
        return recursive_inverse_dynamics(self.parameters, self.state.q, self.state.qdot, self.udot, **given)

    def stages(self):
        """Placements and motions of all links."""
        p, state = self.parameters, self.state
        R = np.eye(3) if self.fixed else dcm_from_quaternion(state.attitude_xyzw)
        base = base_motion(p, R, np.zeros(3) if self.fixed else state.omega_0, self.udot[: len(self.udot) - len(state.qdot)])
        placements = link_placements(p, state.q)
        qddot = self.udot[len(self.udot) - len(state.qdot) :]
        return placements, link_motions(p, placements, base, state.qdot, qddot)


def check(forces, wrench, tau):
    found, wanted = np.concatenate([forces.wrench, forces.tau]), np.concatenate([wrench, tau])
    assert_allclose(found, wanted, rtol=0, atol=1e-12 * abs(wanted).max())


@pytest.mark.battery(8)
@every_system
def test_three_stages_give_the_forces_of_the_sums_over_links(seed):
    case = Case(seed)
    wanted = case.e.inverse_dynamics(case.udot)
    check(case.forces, wanted.wrench, wanted.tau)


@pytest.mark.battery(2)
@every_system
def test_three_stages_give_the_forces_of_pinocchio(seed):
    case = Case(seed)
    check(case.forces, *PinocchioOracle(case.system).inverse_dynamics(case.state, case.udot))


@pytest.mark.battery(2)
@every_system
def test_the_recursion_of_section_5_is_the_sum_of_section_4(seed):
    case = Case(seed)
    placements, motions = case.stages()
    _, _, tau = driving_forces(case.parameters, placements, motions)
    sums = driving_forces_by_sums(case.parameters, placements, motions)
    assert_allclose(tau, sums, rtol=0, atol=1e-12 * abs(sums).max(initial=1e-300))


@pytest.mark.parametrize("seed", range(20))
def test_partial_rates_are_the_derivatives_of_the_velocities_by_the_joint_rates(seed):
    case = Case(seed)
    A, B = partial_rates(case.parameters, *link_poses(case.parameters, case.stages()[0]))
    R_0 = case.e.poses.R[0]
    assert_allclose(R_0 @ A, case.e.geometry.J_R, atol=1e-12)
    assert_allclose(R_0 @ B, case.e.geometry.J_T, atol=1e-12 * (1 + abs(case.e.geometry.J_T).max(initial=0)))


@pytest.mark.parametrize("seed", [0, 3, 4, 8])
def test_a_joint_that_rubs_takes_that_much_more_from_its_actuator(seed):
    case = Case(seed)
    rub = -np.random.default_rng(seed).uniform(1, 2, len(case.e.qdot)) * np.sign(case.e.qdot)
    smooth, rough = (
        recursive_inverse_dynamics(case.parameters, case.state.q, case.state.qdot, case.udot, dissipative=phi_d, **case.base)
        for phi_d in (None, rub)
    )
    assert_allclose(rough.tau - smooth.tau, -rub, atol=1e-10)
    assert_allclose(rough.wrench, smooth.wrench, atol=0)
    assert (rough.tau - smooth.tau) @ case.e.qdot > 0  # the actuators work against it


def test_the_recursion_is_differentiable_by_complex_step():
    case = next(c for c in map(Case, range(20)) if not c.fixed and len(c.e.qdot) > 2)
    p, state, h = case.parameters, case.state, 1e-30
    forces = recursive_inverse_dynamics(p, state.q, state.qdot, case.udot + 1j * h * np.eye(len(case.udot))[-1], **case.base)
    assert_allclose(forces.tau.imag / h, case.e.M[6:, -1], atol=1e-12 * abs(case.e.M).max())


def test_a_held_base_carries_the_weight_of_everything():
    case = next(c for c in map(Case, range(40)) if c.fixed)
    p = Parameters.of(case.system)
    still = np.zeros(len(case.e.qdot))
    weight = recursive_inverse_dynamics(p, case.state.q, still, still).wrench[:3]
    assert_allclose(weight, -case.system.mass_kg * case.system.gravity_m_s2, rtol=1e-12)
