"""Derivatives of forces and accelerations: against complex step, against Pinocchio, in all doors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import product

import numpy as np
import pinocchio as pin
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.dynamics import Model, Partial, Reference, compile_model, derive
from scmanip.dynamics.programs._forms import recursive
from scmanip.errors import InvalidInput, InvalidState, SingularInertia
from scmanip.interop import PinocchioTwin
from scmanip.spatial import quaternion_rate
from scmanip.symbolic import record
from scmanip.system import Body, Joint, State, System, coordinate_rates, load_system

from ..oracles.random_systems import FIRST_FOREST, FIRST_OF_ALL, FIRST_TREE, random_case, random_state, random_system
from .agreement import EPS
from .motors import with_motors
from .wheels import with_wheels

STEP = 1e-30
SEEDS = [*range(1000, 1040), *range(FIRST_TREE, FIRST_TREE + 20), *range(FIRST_OF_ALL, FIRST_OF_ALL + 20)]
SEEDS += range(FIRST_FOREST, FIRST_FOREST + 20)


class Case:
    """A model in a state, and what acts on it."""

    def __init__(self, system: System, seed: int, state: State | None = None) -> None:
        self.derivation, rng = derive(system).derivation, np.random.default_rng(seed)
        self.state = random_state(system, seed) if state is None else state
        self.layout = system.layout
        self.tau, self.udot = rng.normal(size=self.layout.N), rng.normal(size=self.layout.n_u)
        self.wrench = None if system.fixed else rng.normal(size=6)

    def directions(self) -> dict[str, np.ndarray]:
        """Rates of the packed state (n, n_x) along which there are derivatives."""
        layout, state = self.layout, self.state
        q = [coordinate_rates(layout, state.q, unit) for unit in np.eye(layout.N)]
        found = {"q": self._rates(layout.x_q, q), "u": self._rates(layout.x_u, np.eye(layout.n_u))}
        if layout.fixed:
            return found
        turns = [quaternion_rate(state.attitude_xyzw, axis) for axis in np.eye(3)]
        return found | {"r_0": self._rates(layout.x_r_0, np.eye(3)), "attitude": self._rates(layout.x_attitude, turns)}

    def _rates(self, at: slice, rows: Sequence[np.ndarray]) -> np.ndarray:
        entries = np.array(rows).reshape(len(rows), at.stop - at.start)
        rates = np.zeros((len(entries), self.layout.n_x))
        rates[:, at] = entries
        return rates

    def numbers(self, quantity: str, *inputs: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs of a quantity by their parts, as its program says."""
        program = self.derivation.packed_program([quantity], recursive)
        found = program.evaluate(self.state.hardware, *inputs)
        return {o.name.rpartition(".")[2]: array for o, array in zip(program.outputs, found, strict=True)}

    def exact(self, quantity: str, *inputs: np.ndarray) -> dict[str, np.ndarray]:
        """Derivatives of all outputs of a quantity in a row, by complex step through its program."""
        program = self.derivation.packed_program([quantity], recursive)
        found = {}
        for name, rates in self.directions().items():
            given = [np.tile(array, (len(rates), 1)) for array in inputs]
            outputs = program.evaluate(self.state.hardware + 1j * STEP * rates, *given)
            found[name] = np.concatenate([output.imag / STEP for output in outputs], axis=1).T
        return found

    @property
    def M(self) -> np.ndarray:
        (M,) = self.numbers("M").values()
        return M


def same(ours: dict[str, np.ndarray], exact: dict[str, np.ndarray], allowed: float) -> None:
    for name, theirs in exact.items():
        found = ours[name]
        assert found.shape == theirs.shape, name
        assert_allclose(found, theirs, rtol=0, atol=allowed * max(1e-300, abs(theirs).max(initial=0.0)), err_msg=name)


def check(case: Case) -> None:
    """Hold both kinds of derivatives to 1e-11 of the largest entry, or to what solving with M leaves."""
    M, n = case.M, case.layout.n_base
    solved = max(1e-11, 100 * np.linalg.cond(M) * EPS) if M.size else 1e-11
    inverse = np.linalg.inv(M)
    on_base = () if case.wrench is None else (case.wrench,)
    pushed = ":wrench" * len(on_base)
    forward = case.exact(f"forward_dynamics{pushed}", case.tau, *on_base) | {"tau": inverse[:, n:], "wrench": inverse[:, :n]}
    same(case.numbers(f"forward_dynamics_derivatives{pushed}", case.tau, *on_base), forward, solved)
    needed = case.exact("inverse_dynamics.tau" if case.layout.fixed else "inverse_dynamics", case.udot) | {"udot": M}
    same(case.numbers("inverse_dynamics_derivatives", case.udot), needed, 1e-11)


@pytest.mark.battery(0, judged=16)
@pytest.mark.parametrize("seed", SEEDS)
def test_derivatives_equal_the_complex_step(seed: int) -> None:
    check(Case(random_case(seed), seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1000, 1003, 1007, 1012, FIRST_TREE + 1, FIRST_OF_ALL + 3])
def test_derivatives_with_rotors_of_motors_equal_the_complex_step(seed: int) -> None:
    system = with_motors(seed)
    assert system is not None
    check(Case(system, seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1001, 1005, 1006])
def test_derivatives_with_wheels_equal_the_complex_step(seed: int) -> None:
    state, rng = random_state(random_system(seed, fixed=False), seed), np.random.default_rng(seed)
    system = with_wheels(seed)
    moving = State(*(getattr(state, name) for name in PARTS), wheel_rad_s=rng.normal(size=4) * 10)
    check(Case(system, seed, moving))


PARTS = ("r_0", "attitude_xyzw", "q", "v_0", "omega_0", "qdot")


@pytest.mark.battery(2, judged=10)
@pytest.mark.parametrize("seed", range(3000, 3030))
def test_derivatives_are_those_of_pinocchio(seed: int) -> None:
    """Its speeds are S u, with the base's in base axes, and its accelerations S udot + drift(u), quadratic in u."""
    case = Case(random_system(seed, springs=False), seed)
    state, n = case.state, case.layout.n_base
    twin = PinocchioTwin(case.derivation.system)
    theirs, data, q, S = twin.model[0], twin.model[0].createData(), twin._q(state), twin._S(state)
    back, on_base = np.linalg.inv(S), () if case.wrench is None else (case.wrench,)
    pin.computeABADerivatives(theirs, data, q, S @ state.u, back.T @ np.concatenate([*on_base, case.tau]))
    by_u = back @ (data.ddq_dv @ S - drift_by_u(state, n, S))
    exact = {"u": by_u, "q": (back @ data.ddq_dq)[:, n:], "tau": (back @ full(data.Minv) @ back.T)[:, n:]}
    pushed = ":wrench" * len(on_base)
    solved = max(1e-10, 100 * np.linalg.cond(case.M) * EPS) if case.M.size else 1e-10
    same(case.numbers(f"forward_dynamics_derivatives{pushed}", case.tau, *on_base), exact, solved)
    pin.computeRNEADerivatives(theirs, data, q, S @ state.u, S @ case.udot + twin._drift(state))
    by_u = S.T @ (data.dtau_dv @ S + full(data.M) @ drift_by_u(state, n, S))
    needed = {"u": by_u, "q": (S.T @ data.dtau_dq)[:, n:], "udot": S.T @ full(data.M) @ S}
    same(case.numbers("inverse_dynamics_derivatives", case.udot), needed, 1e-10)


def full(upper: np.ndarray) -> np.ndarray:
    return np.triu(upper) + np.triu(upper, 1).T


def drift_by_u(state: State, n: int, S: np.ndarray) -> np.ndarray:
    """Derivative of -R' (omega x v) by u, in Pinocchio's rows."""
    found = np.zeros_like(S)
    if n:
        R = S[:3, :3].T
        found[:3, :3] = -R.T @ np.cross(state.omega_0, np.eye(3)).T
        found[:3, 3:6] = R.T @ np.cross(state.v_0, np.eye(3)).T
    return found


@pytest.mark.slow
def test_derivatives_of_a_batch_and_of_a_kernel_are_those_of_the_method() -> None:
    for fixed in (False, True):
        system = random_system(51, fixed=fixed, joints=2)
        model, states = compile_model(system), State.stack([random_state(system, seed) for seed in (1, 2, 3)])
        tau, udot = np.ones(2), np.linspace(1, 2, model.layout.n_u)
        each = model.forward_dynamics_derivatives(states[1], tau)
        batch = model.batch.forward_dynamics_derivatives(states, tau)
        named = [field.name for field in fields(each) if field.name != "values"]
        outs = [np.empty(getattr(each, name).shape) for name in named]
        model.kernel("forward_dynamics_derivatives")(states[1].x, tau, *outs)
        for name, out in zip(named, outs, strict=True):
            value = getattr(each, name)
            assert_array_equal(out, value)
            assert_allclose(getattr(batch, name)[1], value, rtol=1e-13, atol=1e-13 * abs(value).max(initial=0.0))
        inverse = model.inverse_dynamics_derivatives(states[1], udot)
        assert_allclose(model.batch.inverse_dynamics_derivatives(states, udot).u[1], inverse.u, rtol=1e-12, atol=1e-12)
    floating = random_system(51, fixed=False, joints=2)
    model, state = compile_model(floating), random_state(floating, 1)
    pushed = model.batch.forward_dynamics_derivatives(State.stack([state]), tau, wrench=np.ones(6))
    assert_allclose(pushed.attitude[0], model.forward_dynamics_derivatives(state, tau, np.ones(6)).attitude, rtol=1e-12)


@pytest.mark.slow
def test_joint_forces_are_looked_at_before_derivatives_are_handed_out() -> None:
    for fixed in (False, True):
        system = random_system(53, fixed=fixed, joints=2)
        model, state = compile_model(system), random_state(system, 1)
        assert_array_equal(
            model.forward_dynamics_derivatives(state, [1, 2]).q,
            model.forward_dynamics_derivatives(state, np.array([1.0, 2.0])).q,
        )
        for tau, what in (
            ([1.0, np.nan], "finite"),
            (np.array([np.nan, 1.0]), "finite"),
            (np.ones(3), "shape"),
            ("ab", "numbers"),
        ):
            with pytest.raises(InvalidState, match=f"tau: expected {what}"):
                model.forward_dynamics_derivatives(state, tau)


def test_what_derivatives_do_not_cover_is_refused() -> None:
    system = random_system(52, fixed=True, joints=2)
    model, state = compile_model(system), random_state(system, 1)
    with pytest.raises(InvalidState, match="wrench"):
        model.forward_dynamics_derivatives(state, np.zeros(2), np.zeros(6))
    with pytest.raises(InvalidState, match="udot"):
        model.inverse_dynamics_derivatives(state, np.zeros(3))
    for implementation in (Partial(), Reference()):
        other: Model = compile_model(system, implementation=implementation)
        with pytest.raises(InvalidInput, match=r"expected a model with Full\(\)"):
            other.forward_dynamics_derivatives(state, np.zeros(2))
    bare = System(
        "bare", Body("base", 5.0, np.eye(3)), [Body("a", 0.0, np.zeros((3, 3)), parent="base", joint=Joint("j", "revolute"))]
    )
    with pytest.raises(SingularInertia, match="'j' can move without moving mass"):
        compile_model(bare).forward_dynamics_derivatives(random_state(bare, 1), np.ones(1))


@pytest.mark.slow
def test_the_closed_form_takes_fewer_operations_than_the_chain_rule() -> None:
    symbolic = derive(load_system("model:bench_6r"))
    inverse, parts = symbolic.program("inverse_dynamics"), product(("wrench", "tau"), ("q", "qdot", "omega_0"))
    rows = [inverse.jacobian(f"inverse_dynamics.{part}", name) for part, name in parts]

    def by_chain_rule(**given: np.ndarray) -> dict[str, np.ndarray]:
        return {row.outputs[0].name: row.evaluate(*(given[i.name] for i in row.inputs))[0] for row in rows}

    closed = symbolic.program("inverse_dynamics_derivatives.q", "inverse_dynamics_derivatives.u")
    chain = record({i.name: i.shape for i in inverse.inputs}, by_chain_rule)
    assert closed.operations.total < 0.85 * chain.operations.total
