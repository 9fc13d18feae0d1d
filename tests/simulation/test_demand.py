"""A run whose momentum is kept by construction: what full inverse dynamics asks for along it tells whether that was right."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, CoordinatedComputedTorque, Sampled, WithFeedforward
from scmanip.dynamics import RunTimeInertia, compile_model
from scmanip.guidance import Hold, JointSequence
from scmanip.loads import Gravity, Orbit
from scmanip.modes import Floating, RotationFloating, Situation
from scmanip.simulation import RK4, FullState, MomentumReduced, simulate
from tests.simulation.arms import moving_state, two_joints
from tests.simulation.ledgers import WHEELS, plant, start
from tests.simulation.trees import moving_tree_state, two_balls_and_a_gimbal

SEQUENCE = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)
LAWS = ("momentum", "angular_momentum", "com_drift", "energy")


def flown(model=None, state=None, **options):
    """A run of reduced coordinates; of a model of its own, so that programs of other runs are not used again."""
    model = model or compile_model(two_joints(stiffness=2.0, damping=0.4))
    given = {"reference": SEQUENCE, "t_end_s": 2.0, "rtol": 1e-12, "output_step_s": 0.125, "coordinates": MomentumReduced()}
    law = options.pop("law", WithFeedforward(ComputedTorque(model)))
    return simulate(model, Floating(), law, moving_state() if state is None else state, **given | options)


def push(t, state):
    """A law in Python."""
    return [np.sin(t), 0.3 * state.qdot[0]]


@pytest.mark.battery(1)
@pytest.mark.parametrize(
    "run",
    [
        flown,
        lambda: flown(compile_model(two_joints(), inertia=RunTimeInertia())),
        lambda: flown(law=push, reference=None),
        lambda: flown(law=Sampled(push, rate_Hz=20.0), reference=None),
        lambda: flown(integrator=RK4(0.002)),
        lambda: flown(rtol=1e-4),
        lambda: flown(plant(actuators=WHEELS), start(plant(actuators=WHEELS))),
        lambda: flown(
            compile_model(two_balls_and_a_gimbal(damping=0.1)),
            moving_tree_state(),
            law=lambda t, state: np.sin(t + np.arange(9)),
            reference=None,
            t_end_s=1.0,
        ),
    ],
    ids=["law", "inertias at run time", "Python", "sampled", "RK4", "coarse", "wheels", "balls and a gimbal"],
)
def test_nothing_is_asked_for_where_the_equations_hold(run):
    history = run()
    books, energy = history.demand, history.kinetic_energy.max()
    arm = [np.linalg.norm(series, axis=1).max() for series in (history.P_arm, history.L_arm)]
    assert_allclose(books.impulse, 0.0, atol=1e-12 * arm[0])
    assert_allclose(books.angular_impulse, 0.0, atol=1e-12 * arm[1])
    assert_allclose(books.displacement, 0.0, atol=1e-12)
    assert_allclose(books.work, 0.0, atol=1e-11 * energy)
    for name in LAWS[:3]:
        assert history.residuals[name].relative < 1e-10


@pytest.mark.battery(1)
@pytest.mark.parametrize("wrong", ["momentum.P", "momentum.L_C", "S_U", "r_0C"])
def test_a_wrong_map_to_the_speeds_of_the_base_is_seen(wrong, monkeypatch):
    right = MomentumReduced.packed

    def packed(self, layout, t, y, constants, quantities):
        def off(names, x):
            return [
                value * (1 + 1e-6) if name == wrong else value for name, value in zip(names, quantities(names, x), strict=True)
            ]

        return right(self, layout, t, y, constants, off)

    monkeypatch.setattr(MomentumReduced, "packed", packed)
    history = flown()
    asked = [abs(series).max() for series in (history.demand.impulse, history.demand.angular_impulse)]
    assert max(asked) > 1e-7
    assert max(history.residuals[name].relative for name in LAWS[:3]) > 1e-8


@pytest.mark.parametrize("joint", [0, 1])
def test_wrong_forward_dynamics_are_seen(joint, monkeypatch):
    recorded = type(Situation.recorded(compile_model(two_joints()), np.zeros(1), {}))
    right = recorded.forward_dynamics

    def off(self, tau, wrench):
        udot = right(self, tau, wrench)
        udot[6 + joint] = udot[6 + joint] * (1 + 1e-6)
        return udot

    monkeypatch.setattr(recorded, "forward_dynamics", off)
    history = flown()
    assert history.demand.work[-1] > 1e-7
    assert history.residuals["energy"].relative > 1e-8
    assert history.residuals["momentum"].relative < 1e-12  # whatever the joints do, the base follows


def test_work_of_forces_that_are_not_there_counts_where_it_does_not_show_in_the_energy(monkeypatch):
    """An acceleration that is off, and at right angles to the momenta of the joints, leaves the kinetic energy alone."""
    model = compile_model(two_joints())
    recorded = type(Situation.recorded(model, np.zeros(1), {}))
    right = recorded.forward_dynamics

    def off(self, tau, wrench):
        H = self._quantities("H")[0]
        momenta, udot = H @ self.qdot, right(self, tau, wrench)
        udot[6:] = udot[6:] + 1e-5 * np.array([-momenta[1], momenta[0]])
        return udot

    monkeypatch.setattr(recorded, "forward_dynamics", off)
    history = flown(model)
    energy = history.kinetic_energy + history.stored_energy
    assert history.residuals["energy"].value > 1e-8
    assert history.residuals["energy"].value > 10 * abs(energy - energy[0] - history.work + history.dissipated).max()


@pytest.mark.slow
def test_it_is_the_default_where_it_holds_and_all_of_the_run_is_in_machine_code():
    model = compile_model(two_joints())
    law, orbit = ComputedTorque(model), Gravity(Orbit.circular(altitude_m=500e3))
    options = {"coordinates": None, "t_end_s": 0.2, "rtol": 1e-8}
    assert flown(model, law=law, **options).demand is not None
    for other in ({"law": push}, {"law": Sampled(law, rate_Hz=20.0)}, {"environment": orbit}, {"coordinates": FullState()}):
        assert flown(model, **options | {"law": law} | other).demand is None
    both = CoordinatedComputedTorque(model, RotationFloating())
    still = simulate(model, RotationFloating(), both, moving_state(), reference=Hold([0.1, 0.2]), t_end_s=0.2, rtol=1e-8)
    assert still.demand is None


def test_a_push_that_is_not_there_is_asked_for_through_the_system_s_centre_of_mass(monkeypatch):
    """All bodies together accelerate by the same amount: that takes m a and no moment about the centre."""
    push, right = np.array([0.02, -0.01, 0.03]), MomentumReduced.packed

    def packed(self, layout, t, y, constants, quantities):
        x = right(self, layout, t, y, constants, quantities)
        v = layout.x_u.start
        return np.concatenate([x[:3] + push * (t * t / 2), x[3:v], x[v : v + 3] + push * t, x[v + 3 :]])

    monkeypatch.setattr(MomentumReduced, "packed", packed)
    history = flown(t_end_s=1.0)
    books, mass, t = history.demand, history.mass_kg, history.t[:, np.newaxis]
    assert abs(history.r_C - history.r_0).max() > 0.1
    assert_allclose(books.impulse, mass * push * t, atol=1e-11)
    assert_allclose(books.angular_impulse, 0 * books.angular_impulse, atol=1e-11)
    assert_allclose(books.displacement, push * t**2 / 2, atol=1e-12)
