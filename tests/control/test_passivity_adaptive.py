"""Tracking with masses that are wrong: the promise is a Lyapunov function that falls as it says, and errors that vanish."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import PassivityAdaptive
from scmanip.control.base._passivity_adaptive import _learning, _pseudo_inertia, _reference, _regressor
from scmanip.dynamics import Model, compile_model, inertial_parameters
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Cycloid, Hold
from scmanip.modes import FixedBase, Floating, Flying, ManoeuvreMode, RotationFloating, RotationFlying, Situation
from scmanip.simulation import RK4, History, ensemble, simulate
from scmanip.system import State, System, load_system

from .flown_systems import Flown, flown


def wrong(system: System, part: float = 0.3) -> Model:
    """A model whose masses are off by a part, one too large, the next too small."""
    signs = [part * (-1) ** k for k in range(len(system.bodies))]
    pairs = zip(system.bodies, signs, strict=True)
    return compile_model(system.with_numbers({f"body.{body.name}.mass_kg": body.mass_kg * (1 + sign) for body, sign in pairs}))


def missed(law: PassivityAdaptive, history: History, reference: Hold) -> np.ndarray:
    """u - u_r (k, n_u) of what is led."""
    k, rows = len(law.free), []
    for t, state, memory in zip(history.t, history.states, history.law_states, strict=True):
        u_r, _ = _reference(law, Situation.of(law.estimate, state), reference.at(t), law.numbers)
        rows.append(state.u - np.concatenate([memory[len(memory) - k :], u_r[k:]]))
    return np.array(rows)


def lyapunov(law: PassivityAdaptive, model: Model, history: History, s: np.ndarray) -> np.ndarray:
    """V (k,) of a run, of the true masses."""
    own, believed = (inertial_parameters(each.system).reshape(-1, 10) for each in (model, law.estimate))
    values = []
    for row, memory, M in zip(s, history.law_states, model.batch.M(history.states), strict=True):
        learnt = believed + memory[: believed.size].reshape(-1, 10)
        pairs = [(_pseudo_inertia(p), _pseudo_inertia(p_hat)) for p, p_hat in zip(own, learnt, strict=True)]
        away = [np.linalg.slogdet(Q)[1] - np.linalg.slogdet(P)[1] + np.trace(np.linalg.solve(Q, P)) - 4 for P, Q in pairs]
        values.append(row @ M @ row / 2 + sum(away) / law.gamma)
    return np.array(values)


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize("mode", [Floating(), RotationFlying(), Flying()], ids=repr)
def test_it_tracks_with_masses_that_are_wrong_by_30_percent(mode: ManoeuvreMode) -> None:
    case = flown("planar")
    start, model = case.state(), case.model
    law = PassivityAdaptive(wrong(case.system), mode, K_D=60.0, base_K_D=60.0, gamma=0.05).begun(start)
    reference = Hold(start.q + 0.3)
    history = simulate(model, mode, law, start, reference=reference, t_end_s=40.0, rtol=1e-9, output_step_s=0.02)
    s = missed(law, history, reference)
    V, lost = lyapunov(law, model, history, s), (60.0 * s**2).sum(axis=1)
    assert (np.diff(V) < 0).all()
    fallen = np.concatenate([[0.0], np.cumsum((lost[:-2:2] + 4 * lost[1:-1:2] + lost[2::2]) * 0.02 / 3)])
    later = slice(25, None)  # by then what changes within a sample has
    assert_allclose((V[::2] + fallen)[later], (V[::2] + fallen)[25], atol=1e-6 * fallen[-1])  # dV/dt = -s' K s
    assert abs(s[-1]).max() < 1e-2 * abs(s[0]).max()
    assert abs(history.q[-1] - start.q - 0.3).max() < 5e-3
    assert not history.broken_laws


@pytest.mark.slow
def test_the_arm_with_its_base_held_carries_a_weight_that_it_learns() -> None:
    free = load_system("model:bench_6r")
    system = System("held", free.base, free.bodies[1:], free.frames, fixed=True, gravity_m_s2=(0.0, 0.0, -9.81))
    start = State(q=flown("spatial").q, qdot=np.zeros(6))
    law = PassivityAdaptive(wrong(system), FixedBase(), K_D=30.0, base_K_D=0.0, gamma=0.1)
    history = simulate(compile_model(system), FixedBase(), law, start, reference=Hold(start.q), t_end_s=30.0, output_step_s=1.0)
    off = abs(history.q - start.q).max(axis=1)
    assert off.max() > 0.01 and off[-1] < 0.1 * off.max()


@pytest.mark.slow
def test_its_regressor_is_that_of_forces_and_makes_a_passive_system() -> None:
    case = flown("spatial")
    now, layout = Situation.of(case.model, case.state()), case.system.layout
    rng = np.random.default_rng(1)
    pi, a, u_r, h = inertial_parameters(case.system), rng.normal(size=12), rng.normal(size=12), 1e-4
    assert_allclose(_regressor(now, now.u, a) @ pi, now.needed(a), rtol=1e-12, atol=1e-9)

    def M(way: float) -> np.ndarray:
        rates = case.state().x.copy()
        x = rates + way * np.concatenate([now.v_0, turned(now), now.qdot, np.zeros(12)])
        return case.model.M(State.renormalised(x, layout))

    Mdot = (8 * (M(h) - M(-h)) - M(2 * h) + M(-2 * h)) / (12 * h)
    C = np.array([_regressor(now, unit, 0 * unit) @ pi for unit in np.eye(12)]).T
    assert_allclose(u_r @ (Mdot / 2 - C) @ u_r, 0.0, atol=1e-8 * abs(C).max())


def turned(now: Situation) -> np.ndarray:
    from scmanip.spatial import quaternion_rate

    return quaternion_rate(now.attitude_xyzw, now.omega_0)


def test_it_learns_along_the_power_that_parameters_have() -> None:
    """trace(L dP) is the slope along dpi, and P^ stays what it is where nothing is asked of it."""
    rng = np.random.default_rng(2)
    pi, slope, other = inertial_parameters(flown("spatial").system)[:10], rng.normal(size=10), rng.normal(size=10)
    rate, P = _pseudo_inertia(_learning(pi, slope)), _pseudo_inertia(pi)
    L = -np.linalg.solve(P, np.linalg.solve(P, rate).T)
    assert_allclose(np.trace(L @ _pseudo_inertia(other)), slope @ other, rtol=1e-9)


@pytest.mark.slow
def test_each_case_in_lanes_has_masses_of_its_own() -> None:
    case, mode = flown("planar"), Floating()
    start, options = case.state(), {"reference": Cycloid(case.q, np.add(case.q, 0.2), duration_s=1.0), "t_end_s": 0.4}
    gammas = [0.01, 0.1]
    laws = [PassivityAdaptive(wrong(case.system), mode, K_D=60.0, base_K_D=60.0, gamma=gamma).begun(start) for gamma in gammas]
    lanes = ensemble(
        case.model, mode, laws[0], start, step_s=0.02, method="rk4", parameters={"gamma": np.array([gammas]).T}, **options
    )
    for x, law in zip(lanes.x[:, -1], laws, strict=True):
        alone = simulate(case.model, mode, law, start, integrator=RK4(0.02), **options)
        assert_allclose(x, alone.final.x, atol=1e-10)


def test_what_it_cannot_do_is_refused_by_a_sentence() -> None:
    case: Flown = flown("planar")
    with pytest.raises(ModeMismatch, match=r"PassivityAdaptive knows forces.*RotationFloating.*choose FixedBase, Floating"):
        PassivityAdaptive(case.model, RotationFloating(), K_D=1.0, base_K_D=1.0, gamma=0.1)
    with pytest.raises(InvalidInput, match=r"gamma.*a finite number >= 0"):
        PassivityAdaptive(case.model, Floating(), K_D=1.0, base_K_D=1.0, gamma=-1.0)
    with pytest.raises(InvalidInput, match="pose: expected a BasePose, or None, found 0"):
        PassivityAdaptive(case.model, Floating(), K_D=1.0, base_K_D=1.0, gamma=0.1, pose=0)  # type: ignore[arg-type]
