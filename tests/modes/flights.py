"""Small random spacecraft, flown in every mode."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from scmanip.control import BasePose, CoordinatedComputedTorque
from scmanip.dynamics import Model, compile_model
from scmanip.guidance import Cycloid, Hold, ReferenceMotion
from scmanip.modes import Floating, Flying, ManoeuvreMode, RotationFloating, RotationFlying, TranslationFlying
from scmanip.simulation import FullState, History, simulate
from scmanip.spatial import Array
from scmanip.system import Layout, State

from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_state, random_system, random_tree

MODES: dict[str, ManoeuvreMode] = {
    "floating": Floating(),
    "rotation floating": RotationFloating(),
    "rotation flying": RotationFlying(),
    "translation flying": TranslationFlying(),
    "translation flying with wheels": TranslationFlying(RotationFloating()),
    "flying": Flying(),
}
PLANTS = {
    "three hinges": 4,
    "hinges and a slide": 7,
    "gimbal and spherical": FIRST_TREE + 5,
    "two spherical": FIRST_TREE + 10,
    "two of any kind": FIRST_OF_ALL + 1,
}
ALL_MODES = pytest.mark.parametrize("mode", MODES.values(), ids=MODES.keys())
ALL_PLANTS = pytest.mark.parametrize("name", PLANTS)
K_P, K_D, POSE = 4.0, 4.0, BasePose([0.0, 0.6, 0.0, 0.8], [0.2, -0.1, 0.3])


@cache
def plant(name: str) -> tuple[Model, State]:
    """Return a model and a state in which everything moves, slowly enough for a test."""
    seed = PLANTS[name]
    build = random_tree if seed >= FIRST_TREE else random_system
    system = build(seed, fixed=False, joints=3 if seed < FIRST_TREE else 2)
    whole = random_state(system, seed)
    state = State(whole.r_0, whole.attitude_xyzw, whole.q, 0.1 * whole.v_0, 0.3 * whole.omega_0, 0.3 * whole.qdot)
    return compile_model(system), state


def push(mode: ManoeuvreMode, N: int) -> Callable[[float, State], Array]:
    """Return a law that knows nothing of the motion and pushes whatever the mode may push."""

    def law(t: float, state: State) -> Array:
        del state
        tau = 0.5 * np.sin(2 * t + np.arange(N))
        if not mode.commands_base:
            return tau
        f = np.array([3 * np.sin(t), 2.0, np.cos(3 * t)]) if mode.moves else np.zeros(3)
        n = np.array([1.0, np.sin(2 * t), -np.cos(t)]) if mode.turns else np.zeros(3)
        return np.concatenate([f, n, tau])

    return law


def errand(model: Model, state: State) -> ReferenceMotion:
    """Return a motion of all joints from where they are."""
    return Cycloid(state.q, moved(model.layout, state.q, 0.4), duration_s=1.5, layout=model.layout)


def moved(layout: Layout, q: Array, step: float) -> Array:
    """Return another place (n_q,) of the joints: angles and lengths by `step` [rad or m], spherical joints turned."""
    goal = np.array(q)
    for i, _ in layout.single():
        goal[i] += step
    for i, _ in layout.quaternions:
        turned = np.add(goal[i : i + 4], [0.3, -0.2, 0.1, 0.2])
        goal[i : i + 4] = turned / np.linalg.norm(turned)
    return goal


@cache
def pushed(name: str, mode: ManoeuvreMode, **options: float) -> History:
    """Return 2 s under `push`."""
    model, state = plant(name)
    return simulate(model, mode, push(mode, model.layout.N), state, t_end_s=2.0, output_step_s=0.1, **options)


@cache
def guided(name: str, mode: ManoeuvreMode, **options: float) -> History:
    """Return 2 s of `errand` under coordinated computed torque, the base driven to where it is not."""
    model, state = plant(name)
    law = CoordinatedComputedTorque(model, mode, K_P=K_P, K_D=K_D, pose=POSE)
    return simulate(model, mode, law, state, reference=errand(model, state), t_end_s=2.0, output_step_s=0.1, **options)


MINUTES = {"two hinges and a slide": 13, "gimbal, ball and slide": FIRST_TREE + 72, "ball on a slide, gimbal": FIRST_TREE + 94}
WEAK = {"K_P": 0.25, "K_D": 0.05, "base_K_P": 0.25, "base_K_D": 0.05}  # so that all goes on swinging


@cache
def drifter(name: str) -> tuple[Model, State, Array]:
    """Return a model, a state in which everything drifts slowly, and a goal (n_q,) of the joints."""
    seed = MINUTES[name]
    system = (random_tree if seed >= FIRST_TREE else random_system)(seed, fixed=False, joints=3)
    whole = random_state(system, seed)
    state = State(whole.r_0, whole.attitude_xyzw, whole.q, 0.02 * whole.v_0, 0.02 * whole.omega_0, 0.05 * whole.qdot)
    return compile_model(system), state, moved(system.layout, state.q, 0.6)


@cache
def minute(name: str, mode: ManoeuvreMode, rtol: float) -> History:
    """Return 60 s in which joints, and what the mode commands of the base, swing about their goals."""
    model, state, goal = drifter(name)
    law = CoordinatedComputedTorque(model, mode, **WEAK, pose=POSE)
    hold = Hold(goal, layout=model.layout)
    options = {"t_end_s": 60.0, "output_step_s": 1.0, "rtol": rtol, "coordinates": FullState()}
    return simulate(model, mode, law, state, reference=hold, **options)
