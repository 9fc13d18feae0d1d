"""Root loci, flexible modes, margins of several loops at once, mu and H-infinity: against known answers and python-control."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.analysis import (
    bandwidth_separation,
    broken_loop,
    disk_margins,
    flexible_modes,
    linearise,
    root_loci,
    structured_singular_values,
)
from scmanip.analysis.linear import _disk_margins
from scmanip.analysis.linear._root_loci import _followed
from scmanip.analysis.linear._separation import Separation
from scmanip.control import ComputedTorque, JointRegulator, OutputFeedback, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, MissingExtra
from scmanip.modes import FixedBase, Floating
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.system import Body, Joint, State, System

from ..simulation.arms import model

REST = State([0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.4, -0.7])


@cache
def arm() -> tuple[Plant, Any]:
    """A floating arm under springs and dampers."""
    return Plant(model(), Floating()), JointRegulator(model(), K_P=[40.0, 20.0], K_D=[30.0, 10.0])


def test_root_loci_are_poles_of_linear_systems_and_go_on_from_point_to_point() -> None:
    plant, law = arm()
    grid = {"shoulder": [0.1, 0.2], "elbow": np.linspace(-2.5, 2.5, 41)}
    found = root_loci(plant, REST, law, grid=grid, momenta="remove")
    assert found.poles.shape == (2, 41, 4)
    for place in ((0, 0), (1, 7), (1, 40)):
        q = [grid["shoulder"][place[0]], grid["elbow"][place[1]]]
        linear = linearise(plant, State([0, 0, 0], [0, 0, 0, 1], q), [0, 0], controller=law, momenta="remove")
        assert_allclose(np.sort_complex(found.poles[place]), np.sort_complex(linear.poles()), rtol=1e-8)
    assert abs(np.diff(found.poles, axis=1)).max() < 0.35 * np.ptp(abs(found.poles))
    worst = found.worst
    assert worst.damping == found.damping.min() and worst.at["elbow"] in grid["elbow"]
    assert worst.damping == pytest.approx(-worst.pole.real / abs(worst.pole))


def test_poles_in_any_order_go_on_from_the_nearest() -> None:
    rng, along = np.random.default_rng(1), np.linspace(0, 1, 6)
    ways = np.array([-1 + 2 * along, 1 - 2 * along + 0.3j, 2j + along]).T  # two pass each other
    shuffled = np.array([row[rng.permutation(3)] for row in ways])
    assert abs(np.diff(_followed(shuffled), axis=0)).max() < 0.41


def test_poles_of_computed_torque_stay_where_they_are_and_samples_move_them() -> None:
    plant, _ = arm()
    law = ComputedTorque(model(), K_P=1.0, K_D=1.4)
    still = root_loci(plant, REST, law, grid={"elbow": np.linspace(-1, 1, 5)}, momenta="remove")
    assert abs(np.ptp(still.poles, axis=0)).max() < 1e-7
    assert_allclose(still.damping, 0.7, rtol=1e-6)
    looked = root_loci(plant, REST, Sampled(law, rate_Hz=10.0), grid={"elbow": [0.3, 0.4]}, momenta="remove", delay_s=0.1)
    assert looked.period_s == 0.1 and (abs(looked.poles) < 1).all()
    assert 0.5 < looked.worst.damping < 0.7


def panelled(stiffness: float) -> tuple[Plant, State, Any]:
    """A held base with a hinge that is commanded, and a panel on a spring; nothing couples them."""
    hinge, spring = (
        Joint("hinge", "revolute", [0, 0, 1]),
        Joint("root", "revolute", [0, 0, 1], stiffness=stiffness, damping=0.2),
    )
    bodies = [
        Body("arm", 4.0, [0.3, 1.0, 1.0], [0.5, 0, 0], "base", hinge),
        Body("panel", 3.0, [0.1, 0.5, 0.5], [1.0, 0, 0], "base", spring),
    ]
    system = System("panelled", Body("base", 40.0, [6.0, 7.0, 5.0]), bodies, fixed=True)
    made = compile_model(system)
    return Plant(made, FixedBase()), State(q=[0.3, 0.0]), JointRegulator(made, K_P=[8.0, 0.0], K_D=[6.0, 0.0])


def test_a_panel_on_a_spring_swings_as_the_formula_says_and_loops_stay_below() -> None:
    import control

    plant, state, law = panelled(350.0)
    (mode,) = flexible_modes(plant, state)
    inertia = 0.5 + 3.0 * 1.0**2
    assert mode.omega_rad_s == pytest.approx(10.0) and mode.state == "root"
    assert mode.damping == pytest.approx(0.2 / (2 * np.sqrt(350.0 * inertia)))
    found = bandwidth_separation(plant, state, law)
    crossing = control.margin(control.tf([6.0, 8.0], [2.0, 0, 0]))[3]
    assert found.bandwidth_rad_s == {"tau[hinge]": pytest.approx(crossing)}
    assert found.ratio[found.worst] == pytest.approx(10.0 / crossing)
    assert Separation((mode,), {}, {"slow": 9.0, "fast": 2.0}).worst == "fast"
    with pytest.raises(InvalidInput, match="plant: expected one that swings by itself"):
        bandwidth_separation(*arm()[:1], REST, arm()[1])


def test_disk_margins_of_one_loop_are_those_of_python_control() -> None:
    import control

    plant, law = arm()
    found = disk_margins(plant, REST, law, "tau[elbow]", momenta="remove")
    L = broken_loop(plant, REST, law, "tau[elbow]", momenta="remove")
    disk, gain_dB, phase = control.disk_margins(L, np.geomspace(1e-2, 1e3, 4000))
    assert_allclose([found.disk, 20 * np.log10(found.gain), found.phase_deg], [disk, gain_dB, phase], rtol=1e-3)
    with pytest.raises(InvalidInput, match="omega_rad_s: expected finite numbers"):
        disk_margins(plant, REST, law, "tau[elbow]", omega_rad_s=[0.0])
    fallen = Plant(model(fixed=True, gravity=(-9.81, 0.0, 0.0)), FixedBase())
    with pytest.raises(InvalidInput, match="one whose loop is stable, found a pole at"):
        disk_margins(fallen, State(q=[0.3, 0.2]), JointRegulator(model(fixed=True), K_P=1.0, K_D=1.0), "tau[elbow]")


def test_without_slycot_several_loops_at_once_are_refused_by_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    plant, law = arm()
    monkeypatch.setattr(_disk_margins, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'needs the \'robust\' extra: pip install "scmanip\[robust\]"'):
        disk_margins(plant, REST, law)
    with pytest.raises(MissingExtra, match="structured singular value"):
        structured_singular_values(broken_loop(plant, REST, law), [1, 1], [1.0])


def test_disk_margins_of_all_loops_at_once_are_no_larger_than_those_of_each() -> None:
    pytest.importorskip("slycot")
    plant, law = arm()
    together = disk_margins(plant, REST, law, momenta="remove")
    apart = [disk_margins(plant, REST, law, name, momenta="remove") for name in ("tau[shoulder]", "tau[elbow]")]
    assert 0 < together.disk <= min(each.disk for each in apart) * (1 + 1e-6)
    assert together.gain > 1 and 0 < together.phase_deg < 90


def test_mu_is_the_size_of_one_block_and_the_largest_of_many_that_are_apart() -> None:
    slycot = pytest.importorskip("slycot")
    import control

    del slycot
    one = control.ss(-1.0, 1.0, 3.0, 0.0)
    omega = np.array([0.1, 1.0, 10.0])
    size = abs(3 / (1j * omega + 1))
    assert_allclose(structured_singular_values(one, [1], omega), size, rtol=1e-6)
    both = control.append(one, 0.5 * one)
    assert_allclose(structured_singular_values(both, [1, 1], omega), size, rtol=1e-6)
    plant, law = arm()
    L = broken_loop(plant, REST, law, momenta="remove")
    T = control.feedback(L, np.eye(2))
    full, apart = (structured_singular_values(T, blocks, omega) for blocks in ([2], [1, 1]))
    values = T.frequency_response(omega).complex
    assert_allclose(full, [np.linalg.norm(values[:, :, k], 2) for k in range(3)], rtol=1e-6)
    assert (apart <= full * (1 + 1e-6)).all()
    assert (apart >= [abs(np.linalg.eigvals(values[:, :, k])).max() * (1 - 1e-6) for k in range(3)]).all()
    with pytest.raises(InvalidInput, match="blocks: expected whole numbers > 0 whose sum is the size of the system, 2 x 2"):
        structured_singular_values(T, [1], omega)


def test_what_h_infinity_designs_flies() -> None:
    """Mixed sensitivity of both joints, from sample to sample: the arm goes where it is to be."""
    pytest.importorskip("slycot")
    import control

    plant, _ = arm()
    linear = linearise(plant, REST, [0, 0], momenta="remove", outputs=("q",))
    shifted = control.ss(linear.A + 0.05 * np.eye(4), linear.B, linear.C, linear.D)  # no poles on the axis
    weight = control.ss(control.tf([0.5, 0.5], [1.0, 0.005]))
    one, none = np.eye(2), np.zeros((2, 2))
    told = np.hstack([np.zeros((4, 2)), shifted.B])  # [wanted; command] in, [error; command; error] out
    shown, through = (
        np.vstack([-shifted.C, np.zeros((2, 4)), -shifted.C]),
        np.block([[one, none], [none, 0.01 * one], [one, none]]),
    )
    whole = control.append(weight, weight, control.ss([], [], [], np.eye(4))) * control.ss(shifted.A, told, shown, through)
    K, _, gamma, _ = control.hinfsyn(whole, 2, 2)
    assert 0 < gamma < 10
    K = control.ss(K.A - 0.05 * np.eye(K.nstates), K.B, K.C, K.D)
    sampled = control.sample_system(K, 0.02, method="bilinear")
    made = control.ss(-sampled, inputs=linear.output_labels, outputs=linear.input_labels)
    law = OutputFeedback(plant, REST, [0, 0], made)
    start = State([0, 0, 0], [0, 0, 0, 1], REST.q + 0.05)
    run = simulate(plant, law, start, t_end_s=20.0, output_step_s=1.0, rtol=1e-8)
    assert abs(run.q[-1] - REST.q).max() < 2e-3
