"""A joint quaternion of another norm is no state: models refuse it wherever they are asked, bare kernels take what comes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scmanip.dynamics import Full, Model, Partial, Reference, RunTimeInertia, compile_model
from scmanip.errors import InvalidState
from scmanip.system import State
from tests.simulation.trees import moving_tree_state, two_balls_and_a_gimbal

METHODS: dict[str, Callable[[Model, State], object]] = {
    "M": lambda model, state: model.M(state),
    "H": lambda model, state: model.H(state),
    "momentum": lambda model, state: model.momentum(state),
    "kinetic_energy": lambda model, state: model.kinetic_energy(state),
    "position": lambda model, state: model.position(state, "tip"),
    "position of a point": lambda model, state: model.position(state, body="hand", point_m=[0.1, 0, 0]),
    "J_star": lambda model, state: model.J_star(state, "tip"),
    "forward_dynamics": lambda model, state: model.forward_dynamics(state, np.zeros(9)),
    "inverse_dynamics": lambda model, state: model.inverse_dynamics(state, np.zeros(model.layout.n_u)),
    "floating_inverse_dynamics": lambda model, state: model.floating_inverse_dynamics(state, np.zeros(9)),
    "equations": lambda model, state: model.equations(state),
    "batch": lambda model, state: model.batch.H(State.stack([state, state])),
}
FLOATING = compile_model(two_balls_and_a_gimbal())


def stretched(factor: float, *, fixed: bool = False) -> State:
    """Return a state whose wrist has a quaternion of norm `factor`."""
    state = moving_tree_state(fixed=fixed)
    q = np.concatenate([state.q[:4], factor * state.q[4:8], state.q[8:]])
    return State(q=q, qdot=state.qdot) if fixed else State(state.r_0, state.attitude_xyzw, q, qdot=state.qdot)


@pytest.mark.battery(2)
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("factor", [2.0, 1.0 + 1.1e-6, 0.0])
def test_every_door_refuses_it_and_names_the_joint(name: str, factor: float) -> None:
    METHODS[name](FLOATING, stretched(1.0))  # so that a program prepared by a good state is met by a bad one
    with pytest.raises(InvalidState, match=r"states?: expected a unit quaternion x, y, z, w for joint 'wrist', found norm"):
        METHODS[name](FLOATING, stretched(factor))


@pytest.mark.battery(1)
@pytest.mark.parametrize("implementation", [Partial(), Reference()])
def test_so_do_other_implementations(implementation: Full | Partial | Reference) -> None:
    model = compile_model(two_balls_and_a_gimbal(), implementation=implementation)
    with pytest.raises(InvalidState, match="joint 'wrist'"):
        model.H(stretched(1.01))


def test_so_do_models_with_inertias_at_run_time_and_on_a_fixed_base() -> None:
    model = compile_model(two_balls_and_a_gimbal(fixed=True), inertia=RunTimeInertia())
    model.H(stretched(1.0, fixed=True))
    with pytest.raises(InvalidState, match="joint 'wrist'"):
        model.H(stretched(1.01, fixed=True))


@pytest.mark.battery(3)
@pytest.mark.parametrize("name", METHODS)
def test_rounding_of_the_norm_is_no_reason(name: str) -> None:
    METHODS[name](FLOATING, stretched(1.0 + 0.9e-6))


def test_states_of_the_wrong_shape_are_still_called_so() -> None:
    short = State([0, 0, 0], q=np.zeros(9), qdot=np.zeros(9))
    for model in (FLOATING, compile_model(two_balls_and_a_gimbal(), implementation=Partial())):
        with pytest.raises(InvalidState, match="11 joint coordinates q and 9 joint rates qdot"):
            model.H(short)
        with pytest.raises(InvalidState, match="one state, found a batch"):
            model.H(State.stack([stretched(1.0)] * 2))


@pytest.mark.parametrize("implementation", [Full(), Partial()])
def test_a_bare_kernel_looks_at_nothing(implementation: Full | Partial | Reference) -> None:
    model = compile_model(two_balls_and_a_gimbal(), implementation=implementation)
    H = np.empty((9, 9))
    model.kernel("H")(stretched(1.01).x, H)
    assert np.isfinite(H).all()
