"""Two arms that hold one payload: a closed chain in space, redundant, carried to a port, berthed and let go."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Model, NearestForces, Reference, compile_model
from scmanip.mission import Run, load_mission
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import State

FILE = Path(__file__).parents[2] / "missions" / "dual_arm_berthing.toml"
GRASPS = "left", "right"


@pytest.fixture(scope="module")
def run() -> Run:
    return load_mission(FILE).run()


@pytest.fixture(scope="module")
def plain(run: Run) -> Model:
    """The system's sums as they are written, which nothing has to be compiled for."""
    return compile_model(run.mission.system, implementation=Reference())


@pytest.fixture(scope="module")
def carrying(run: Run) -> State:
    """While the arms work against each other."""
    return run.history.states[int(np.searchsorted(run.history.t, 20.0))]


def grasp_errors(run: Run, side: str, held: np.ndarray) -> np.ndarray:
    """Return (n, 3) where the handle is in axes of its hand, less where it was taken."""
    found = []
    for k in np.flatnonzero(held):
        state, model = run.history.states[int(k)], run.mission.model
        hand, handle = f"{side}_hand", f"{side}_handle"
        axes = dcm_from_quaternion(model.attitude(state, hand))
        found.append(axes.T @ (model.position(state, handle) - model.position(state, hand)))
    return np.array(found) - found[0]


@pytest.mark.slow
def test_the_chain_stays_closed_and_momenta_are_kept_from_grasp_to_berth_and_release(run: Run) -> None:
    history = run.history
    assert run.passed, run.summary()
    assert [(change.t, change.imposed, change.released) for change in history.switches] == [
        (0.0, GRASPS, ()),
        (50.0, ("berth",), ()),
        (55.0, (), GRASPS),
    ]
    for side in GRASPS:
        assert abs(grasp_errors(run, side, history.t < 55.0)).max() < 1e-10
    start = run.mission.model.momentum(history.switches[0].before)
    assert_allclose(history.P, np.tile(start.P, (len(history.t), 1)), atol=1e-10)
    assert_allclose(history.L_C, np.tile(start.L_C, (len(history.t), 1)), atol=1e-10)
    assert history.switches[0].energy_lost > 1e-6
    assert abs(history.constraint_forces["berth"][history.t > 60.0]).max() > 1e-4  # the base turns with the arms


@pytest.mark.slow
def test_the_second_grasp_says_three_things_twice_and_the_port_three_more(run: Run, plain: Model, carrying: State) -> None:
    held = plain.constrained(*GRASPS)
    held.choose(carrying)
    assert held.rank(carrying) == 9
    assert len(held.redundant) == 3
    berthed = plain.constrained(*GRASPS, "berth")
    state = run.history.switches[1].after
    berthed.choose(state)
    assert berthed.rank(state) == 12
    assert len(berthed.redundant) == 6


@pytest.mark.slow
def test_arms_that_follow_cycloids_squeeze_and_the_same_motion_can_be_had_without(
    run: Run, plain: Model, carrying: State
) -> None:
    history, held = run.history, plain.constrained(*GRASPS)
    k = int(np.searchsorted(history.t, 20.0))
    flown = {name: history.constraint_forces[name][k] for name in GRASPS}
    udot = held.forward_dynamics(carrying, history.tau[k])
    for name, force in held.constraint_forces(carrying, history.tau[k]).items():
        assert_allclose(flown[name], force, atol=1e-8)
    loose = held.inverse_dynamics(carrying, udot, sharing=NearestForces())
    assert_allclose(held.forward_dynamics(carrying, loose.tau), udot, atol=1e-9)
    assert size(flown) > 1.0 and size(loose.forces) < 0.01 * size(flown)


def size(forces: dict[str, np.ndarray]) -> float:
    return float(np.linalg.norm(np.concatenate([forces[name][:3] for name in GRASPS])))
