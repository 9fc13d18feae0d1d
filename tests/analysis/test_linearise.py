"""Linear systems about states: against derivatives by complex numbers, small nonlinear runs, and poles known beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from scmanip.analysis import Linearisation, linearisation, linearise, linearise_along
from scmanip.analysis.linear._held_motion import independent
from scmanip.constraints import Coupling, KnifeEdge, Lock, PointOnPoint
from scmanip.control import (
    ComputedTorque,
    CoordinatedComputedTorque,
    Delayed,
    JointRegulator,
    Sampled,
    WithFeedforward,
)
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch, UnknownName
from scmanip.guidance import Hold, JointSequence
from scmanip.loads import Gravity, Orbit
from scmanip.modes import FixedBase, Floating, Flying, ManoeuvreMode, RotationFloating, RotationFlying
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.spatial import Array, cross, dcm_from_quaternion, quaternion_from_axis_angle, skew
from scmanip.system import Body, State, System, load_system

from ..modes.clusters import box, tug
from ..modes.flights import ALL_MODES, MODES, PLANTS, plant, push
from ..simulation.arms import model, moving_state, two_joints
from ..simulation.trees import turned
from .complex_steps import STEP, by_complex_step, moved, same

REST = State([0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.4, -0.7])


@pytest.mark.parametrize("name", PLANTS)
@ALL_MODES
@pytest.mark.battery(4, each=1)
def test_an_open_plant_changes_as_complex_steps_say(name: str, mode: ManoeuvreMode) -> None:
    made, state = plant(name)
    flown = Plant(made, mode)
    state = flown.at_rest(state)
    command = push(mode, made.layout.N)(0.7, state)
    found = linearisation(flown, state, command)
    same(found.A, by_complex_step(flown, state, None, command, None))
    assert list(found.inputs)[-made.layout.N :] == [f"tau[{each.replace('.', '_')}]" for each in made.layout.qdot_names]


@pytest.mark.parametrize("name", PLANTS)
@ALL_MODES
@pytest.mark.battery(1, each=1)
def test_a_closed_loop_changes_as_complex_steps_say(name: str, mode: ManoeuvreMode) -> None:
    made, state = plant(name)
    flown = Plant(made, mode)
    state = flown.at_rest(state)
    law = CoordinatedComputedTorque(made, mode, K_P=2.0, K_D=1.5).begun(state)
    reference = Hold(state.q, layout=made.layout)
    found = linearisation(flown, state, np.zeros(6 * mode.commands_base + made.layout.N), controller=law, reference=reference)
    same(found.A, by_complex_step(flown, state, law, np.zeros(0), reference))


@pytest.mark.parametrize("kind", [ComputedTorque, JointRegulator])
def test_laws_of_joints_on_a_floating_and_on_a_fixed_base(kind: Any) -> None:
    for fixed, mode in ((False, Floating()), (True, FixedBase())):
        made = model(fixed=fixed, stiffness=2.0, damping=0.3)
        state = moving_state()
        state = State(q=state.q, qdot=state.qdot) if fixed else state
        law, reference = kind(made, K_P=[2.0, 3.0], K_D=1.5), Hold([0.5, -0.6])
        found = linearisation(Plant(made, mode), state, [0.0, 0.0], controller=law, reference=reference)
        same(found.A, by_complex_step(Plant(made, mode), state, law, np.zeros(0), reference))


def flown_from(flown: Plant, state: State, command: Array, t_end_s: float) -> Array:
    return simulate(flown, lambda t, state: command, state, t_end_s=t_end_s, rtol=1e-13, output_step_s=t_end_s).states[-1].x


@pytest.mark.parametrize("mode", ["floating", "rotation floating", "flying"])
@pytest.mark.slow
def test_small_changes_of_runs_are_those_of_the_linear_system_to_their_second_order(mode: str) -> None:
    made, at = plant("two spherical")
    flown = Plant(made, MODES[mode])
    state = State(at.r_0, at.attitude_xyzw, at.q, qdot=np.zeros(made.layout.N))
    state = flown.at_rest(state)
    layout, rng = flown.layout, np.random.default_rng(3)
    linear = linearisation(flown, state, np.zeros(6 * flown.mode.commands_base + layout.N), outputs=("q",), rate_Hz=5.0)
    z, c = rng.normal(size=len(linear.A)), rng.normal(size=linear.B.shape[1]) * (abs(linear.B).sum(axis=0) > 0)
    still, wrong = flown_from(flown, state, 0 * c, 0.2), []
    for size in (1e-4, 5e-5):
        start = State.renormalised(moved(layout, state.x, size * z), layout)
        expected = moved(layout, still, size * (linear.A @ z + linear.B @ c))
        wrong.append(abs(flown_from(flown, start, size * c, 0.2) - State.renormalised(expected, layout).x).max())
    assert wrong[1] < 1e-7
    assert wrong[0] / wrong[1] == pytest.approx(4.0, rel=0.1)


CHAIN = [PointOnPoint("pin", ("ground", "tip"), tolerance_m=10.0), Coupling("belt", joint="joint2", of="joint1", ratio=-0.5)]
EDGE = [KnifeEdge("edge", frame="base", blocked_axis=[0.0, 1.0, 0.0]), Lock("brake", "joint3")]


@pytest.mark.parametrize("held, places, speeds", [(CHAIN, 6, 6), (EDGE, 9, 8)], ids=["places", "speeds"])
def test_under_constraints_as_many_states_are_left_as_are_independent(held: list[Any], places: int, speeds: int) -> None:
    arm = load_system("model:planar_four_link")
    made = compile_model(System(arm.name, arm.base, arm.bodies[1:], arm.frames, constraints=held))
    flown = Plant(made, Floating(), constraints=[one.name for one in held])
    off = State([0, 0, 0], turned([0, 0, 1], 0.3), [0.5, -0.25, 0.7, 0.4], [0.02, 0, 0], [0, 0, 0.1], [0.1, 0.2, 0, -0.1])
    change = flown.under(flown.constraints, off)
    plant, state, tau = change.plant, change.state, np.array([0.3, -0.2, 0.1, 0.2])
    linear, (W, kept) = linearisation(flown, state, tau), independent(plant, state, 0.0)
    assert linear.A.shape == (places + speeds, places + speeds)
    same(linear.A, (by_complex_step(plant, state, None, tau, None) @ W)[kept])
    program, holding = plant.recorded_rows.only("broken"), plant.holding
    assert holding is not None
    for direction in W.T:
        x = moved(plant.layout, state.x, 1j * STEP * direction)
        (broken,) = program.evaluate(x, holding.kept, 0.0)
        assert abs(broken.imag / STEP).max() < 1e-12


def test_poles_of_computed_torque_are_those_of_its_gains() -> None:
    made = model()
    K_P = np.array([1.0, 4.0])
    law = ComputedTorque(made, K_P=K_P, K_D=2 * 0.7 * np.sqrt(K_P))
    poles = linearise(Plant(made, Floating()), REST, [0.0, 0.0], controller=law, momenta="remove").poles()
    wanted = np.concatenate([np.roots([1.0, 1.4 * w, w * w]) for w in np.sqrt(K_P)])
    assert_allclose(np.sort_complex(poles), np.sort_complex(wanted), rtol=0, atol=1e-11)


def test_at_critical_damping_a_loop_has_its_companion_blocks() -> None:
    made = model()
    law = ComputedTorque(made, K_P=[1.0, 4.0], K_D=[2.0, 4.0])
    found = linearisation(Plant(made, Floating()), REST, [0.0, 0.0], controller=law, momenta="remove")
    same(found.A, np.array([[0.0, 0, 1, 0], [0, 0, 0, 1], [-1, 0, -2, 0], [0, -4, 0, -4]]))


def test_twelve_states_of_a_floating_plant_are_kept_by_name_or_removed() -> None:
    flown, rest = Plant(model(stiffness=2.0), Floating()), State([0, 0, 0], [0, 0, 0, 1], [0, 0])
    whole, part = (linearise(flown, rest, [0.0, 0.0], momenta=how, outputs=("attitude", "q")) for how in ("keep", "remove"))
    assert whole.nstates == 16 and part.nstates == 4
    assert part.state_labels == ["shoulder", "elbow", "shoulder[rate]", "elbow[rate]"]
    assert whole.state_labels[:8] == [*(f"r_0[{k}]" for k in "xyz"), *(f"attitude[{k}]" for k in "xyz"), "shoulder", "elbow"]
    for s in (0.3j, 1.0 + 2.0j):
        assert_allclose(whole(s), part(s), rtol=1e-11)


def test_momenta_stay_where_loads_commands_or_motion_change_them() -> None:
    made = model()
    gravity = Gravity(Orbit.circular(altitude_m=4e5))
    moving = moving_state()
    for flown, state, said in (
        (Plant(made, Floating(), [gravity]), REST, "no load changes"),
        (Plant(made, Flying()), REST, "nothing commands"),
        (Plant(made, Floating()), moving, "at rest"),
        (Plant(model(stiffness=2.0), Floating()), REST, "stays at rest"),
    ):
        with pytest.raises(InvalidInput, match=said):
            linearise(flown, state, np.zeros(2), momenta="remove")


def test_a_spin_does_not_change_in_axes_of_the_base() -> None:
    """The same motion, a third of a turn later, has another linear system in N and the same in axes of the base."""
    system = two_joints(stiffness=20.0, damping=1.0)
    flown = Plant(compile_model(system), Flying())
    first = State([0.1, 0.2, -0.1], [0, 0, 0, 1], [0.4, -0.7], [0.1, 0.0, 0.2], [0.1, -0.3, 0.8], [0.2, 0.1])
    turn = quaternion_from_axis_angle(np.array([0.0, 0.6, 0.8]), 2.0)
    R = dcm_from_quaternion(turn)
    later = State(R @ first.r_0, turn, first.q, R @ first.v_0, R @ first.omega_0, first.qdot)
    force = np.array([1.0, -2.0, 0.5, 0.3, 0.2, -0.4, 0.1, 0.2])
    turned = np.concatenate([R @ force[:3], R @ force[3:6], force[6:]])
    shown = ("r_0", "attitude", "v_0", "position:fore")
    in_n, in_b = (
        [linearisation(flown, *at, axes=axes, outputs=shown) for at in ((first, force), (later, turned))]
        for axes in ("inertial", "base")
    )
    assert abs(in_n[0].A - in_n[1].A).max() > 0.1
    assert abs(in_b[0].A[8:, :6]).max() < 1e-12  # speeds of a craft that is turned with all that pushes it change as before
    for part in ("A", "B", "C", "D", "rates"):
        one, other = (getattr(each, part) for each in in_b)
        assert_allclose(one, other, rtol=0, atol=1e-11 * max(1.0, abs(one).max()))


def test_in_axes_of_the_base_free_rotation_is_eulers_equation() -> None:
    """A brick spins about z: I domega' = (I omega) x domega - omega x (I domega), of which attitude is no part."""
    inertia = np.diag([6.0, 7.0, 5.0])
    flown = Plant(compile_model(System("brick", Body("base", 10.0, inertia))), Floating())
    turn = quaternion_from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.5)
    state = State([0, 0, 0], turn, [], [0, 0, 0], [0, 0, 0.8])
    A = linearisation(flown, state, np.zeros(0), axes="base").A
    omega = np.array([0.0, 0.0, 0.8])
    wanted = [np.linalg.solve(inertia, cross(inertia @ omega, e) - cross(omega, inertia @ e)) for e in np.eye(3)]
    assert_allclose(A[9:, 9:], np.array(wanted).T, atol=1e-13)
    assert_allclose(A[3:6], np.hstack([np.zeros((3, 3)), -skew(omega), np.zeros((3, 3)), np.eye(3)]), atol=1e-13)
    assert abs(A[9:, :9]).max() < 1e-13


def test_a_sampled_loop_with_delay_is_what_runs_do() -> None:
    """Ten samples of a small motion: held commands of a law that is told 0.13 s ago, one period and a third."""
    made = model()
    state = State([0, 0, 0], [0, 0, 0, 1], [0.4, -0.7])
    law = Sampled(ComputedTorque(made, K_P=1.0, K_D=1.4), rate_Hz=10.0)
    found = linearisation(Plant(made, Floating()), state, [0, 0], controller=law, delay_s=0.13, momenta="remove")
    assert list(found.states)[4:] == [f"tau[{name}][-{age}]" for age in (1, 2) for name in ("shoulder", "elbow")]
    size, h = 1e-5, 0.1
    offset = np.array([1.0, -0.5])
    start = State([0, 0, 0], [0, 0, 0, 1], state.q + size * offset)
    asked: list[Array] = []

    def late(t: float, now: State) -> Array:
        told = law.law.command(t, now, Hold(state.q).at(t), None)[0]
        if abs(round(t / h) * h - t) < 1e-9:
            asked.append(told)
        k = int(np.floor((t - 0.13) / h + 1e-9))
        return asked[k] if k >= 0 else 0 * told

    history = simulate(made, Floating(), Sampled(late, rate_Hz=100.0), start, t_end_s=1.0, rtol=1e-12, output_step_s=h)
    z = np.concatenate([size * offset, np.zeros(6)])
    for q in history.q:
        assert_allclose(q - state.q, z[:2], rtol=0, atol=1e-4 * size)
        z = found.A @ z


def test_what_does_not_fit_is_refused_by_name() -> None:
    made = model()
    flown, law = Plant(made, Floating()), ComputedTorque(made)
    sampled_law = Sampled(law, rate_Hz=10.0)
    for said, options in (
        ("delay_s: expected none without rate_Hz", {"delay_s": 0.1}),
        ("rate_Hz: expected that of the sampled law, 10", {"controller": sampled_law, "rate_Hz": 20.0}),
        ("momenta: expected", {"momenta": "some"}),
        ("axes: expected", {"axes": "body"}),
        ("reference: expected none", {"reference": Hold([0, 0])}),
        ("remembers from look to look", {"controller": Delayed(law, delay_s=0.1)}),
        (
            "controller: expected a law and a reference that are",
            {"controller": lambda t, state: np.zeros(2), "reference": Hold([0, 0])},
        ),
        ("outputs", {"outputs": "q"}),
    ):
        with pytest.raises(InvalidInput, match=said):
            linearise(flown, REST, [0, 0], **options)
    with pytest.raises(UnknownName, match="position:FRAME"):
        linearise(flown, REST, [0, 0], outputs=("speed",))
    with pytest.raises(UnknownName):
        linearise(flown, REST, [0, 0], outputs=("position:nowhere",))
    with pytest.raises(InvalidInput, match="state"):
        linearise(flown, State(q=[0, 0]), [0, 0])
    with pytest.raises(ModeMismatch):
        linearise(Plant(made, RotationFlying()), REST, [1.0, 0, 0, 0, 0, 0, 0, 0])
    with pytest.raises(InvalidInput, match="2 joint forces"):
        linearise(flown, REST, [0, 0, 0])


def test_names_units_and_wheels() -> None:
    made = model()
    found: Linearisation = linearisation(
        Plant(made, RotationFloating()), REST, np.zeros(8), outputs=("omega_0", "actuators", "command")
    )
    assert [*found.inputs.items()][:4] == [("f[x]", "N"), ("f[y]", "N"), ("f[z]", "N"), ("n[x]", "N m")]
    assert [*found.states.values()][-3:] == ["rad/s"] * 3
    assert not found.B[:, :3].any() and found.B[:, 3:].any(axis=0).all()
    assert found.outputs["command_tau[elbow]"] == "N m"
    assert not found.rates.any()
    pulled = linearisation(Plant(made, Floating()), REST, [1.0, 0.0])
    assert pulled.rates[:8].any() == np.False_ and pulled.rates[8:].any()


def test_thrusters_push_by_the_set_that_a_command_asks_for() -> None:
    """Where they give all of it, a wrench does what one of ideal actuators does, from none on."""
    made = compile_model(tug(box()))
    state, plain = moving_state(), Plant(model(), Flying())
    plant = Plant(made, Flying())
    for command in (np.zeros(8), np.array([1.0, -0.5, 0.2, 0.1, 0.3, -0.2, 0.1, 0.2])):
        mine, ideal = (linearisation(each, state, command) for each in (plant, plain))
        same(mine.A, ideal.A)
        same(mine.B, ideal.B)


def test_along_a_run_there_is_a_linear_system_at_every_output() -> None:
    """What a small change at the start becomes is the product of the changes from output to output, to the first order."""
    made = model()
    law, hold = JointRegulator(made, K_P=[2.0, 3.0], K_D=1.5), Hold([0.5, -0.6])
    flown, start = Plant(made, Floating()), State([0, 0, 0], [0, 0, 0, 1], [0.2, -0.3], qdot=[0.2, 0.1])
    times = {"reference": hold, "t_end_s": 1.0, "rtol": 1e-12, "output_step_s": 0.02}
    history = simulate(flown, law, start, **times)
    found = linearise_along(flown, history, law, hold, every=5)
    assert [at.t for at in found] == pytest.approx(history.t[::5])
    assert found[0].system.nstates == 16
    size, z = 1e-6, np.zeros(16)
    z[6] = 1.0
    off = simulate(flown, law, State.renormalised(moved(flown.layout, start.x, size * z), flown.layout), **times)
    expected = z
    for k in range(50):
        A = (found[k // 5].system.A * (5 - k % 5) + found[min(k // 5 + 1, 10)].system.A * (k % 5)) / 5
        half = A + 0.1 * (found[min(k // 5 + 1, 10)].system.A - found[k // 5].system.A)  # in the middle of a step
        expected = expm(0.02 * half) @ expected
    assert_allclose((off.q[-1] - history.q[-1]) / size, expected[6:8], rtol=1e-2, atol=1e-3)
    with pytest.raises(InvalidInput, match="every: expected a whole number from 1"):
        linearise_along(flown, history, law, hold, every=0)


def test_along_a_reference_a_law_is_linear_about_what_it_follows() -> None:
    made = model()
    law = WithFeedforward(ComputedTorque(made, K_P=1.0, K_D=1.4))
    sequence = JointSequence([0.4, -0.7], rate_rad_s=0.3, ramp_s=0.5, cruise_s=(0.5, 0.5, 0.5), rest_s=0.2, settle_s=0.2)
    at = sequence.at(0.6)
    state = State([0, 0, 0], [0, 0, 0, 1], at.q, qdot=at.qdot)
    found = linearisation(Plant(made, Floating()), state, [0, 0], controller=law, reference=sequence, t=0.6)
    same(
        found.A[[6, 7, 14, 15]][:, [6, 7, 14, 15]], np.array([[0, 0, 1.0, 0], [0, 0, 0, 1], [-1, 0, -1.4, 0], [0, -1, 0, -1.4]])
    )
