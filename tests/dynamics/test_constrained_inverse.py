"""Inverse dynamics under constraints: of some joints, with torques and constraint forces shared by a named choice."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Weld
from scmanip.dynamics import LeastTorques, NearestForces, Reference, compile_model
from scmanip.errors import InvalidState, NumericalFailure, UnknownName
from scmanip.system import Body, Frame, Joint, State, System

from .linkage import closed, square


def two_arms() -> System:
    """Two planar arms of three joints on one base, which hold a bar between them."""
    bodies, frames = [], []
    for arm, y in (("left", 0.6), ("right", -0.6)):
        for k in range(3):
            parent, at = (f"{arm}{k - 1}", [1.0, 0, 0]) if k else ("base", [0, y, 0])
            bodies.append(
                Body(f"{arm}{k}", 2.0, [0.1, 0.3, 0.3], [0.5, 0, 0], parent, Joint(f"{arm}_j{k}", "revolute", origin_m=at))
            )
        frames += [Frame(f"{arm}_tip", f"{arm}2", [1.0, 0, 0]), Frame(f"{arm}_end", "bar", [0, y, 0])]
    bodies.append(Body("bar", 5.0, [1.0, 0.2, 1.0], parent="base", joint=Joint("bar", "planar")))
    grasps = [Weld(arm, (f"{arm}_tip", f"{arm}_end")) for arm in ("left", "right")]
    return System("two arms", Body("base", 0, [0, 0, 0]), bodies, frames, fixed=True, constraints=grasps)


def test_torques_and_squeeze_of_a_redundant_grasp_are_a_named_choice():
    system = two_arms()
    model, rng = compile_model(system, implementation=Reference()), np.random.default_rng(4)
    held = model.constrained("left", "right")
    q = [0.5, -1.0, 0.5, 0.5, -1.0, 0.5, 1 + 2 * np.cos(0.5), 0, 0]
    state = held.imposed(State(q=q, qdot=rng.normal(size=9))).state
    actuated = [joint.name for joint in system.joints if joint.name != "bar"]
    udot = held.forward_dynamics(state, rng.normal(size=9))
    squeeze = {"left": [0, 20.0, 0, 0, 0, 0], "right": [0, -20.0, 0, 0, 0, 0]}
    lifting = {"left": [7.0, 3.0, 0, 0, 0, 1.0]}  # does work on the bar, and cannot be had as it is
    sharings = LeastTorques(), NearestForces(), NearestForces(squeeze), NearestForces(lifting)
    ways = [held.inverse_dynamics(state, udot, actuated, sharing) for sharing in sharings]
    for tau, forces in ways:
        assert_allclose(held.forward_dynamics(state, tau), udot, atol=1e-11)
        assert (tau[6:] == 0).all()
        on_ends = [(f"{arm}_end", forces[arm]) for arm in forces] + [(f"{arm}_tip", -forces[arm]) for arm in forces]
        assert_allclose(model.forward_dynamics(state, tau, None, on_ends), udot, atol=1e-11)
    torques = [np.linalg.norm(way.tau) for way in ways]
    pressed = [np.linalg.norm(np.concatenate([*way.forces.values()])) for way in ways]
    assert torques[0] < min(torques[1:]) and pressed[1] < min(pressed[0], *pressed[2:])
    _, loose, tight, _ = (way.forces for way in ways)
    assert_allclose([(tight[arm] - loose[arm])[1] for arm in ("left", "right")], [20, -20], rtol=1e-10)


def test_inverse_dynamics_undoes_forward_dynamics_of_one_driven_joint_and_refuses_what_cannot_be():
    system = square()
    fixed = System(
        "held", Body("base", 0, [0, 0, 0]), system.bodies[1:], system.frames, fixed=True, constraints=system.constraints
    )
    model = compile_model(fixed, implementation=Reference())
    loop, tau = model.constrained("loop"), np.array([3.0, 0, 0])
    state = loop.imposed(State(q=closed(0.3), qdot=[0.4, -0.1, 0.2])).state
    udot = loop.forward_dynamics(state, tau)
    found = loop.inverse_dynamics(state, udot, ["j1"])
    assert_allclose(found.tau, tau, atol=1e-12)
    assert_allclose(found.forces["loop"], loop.constraint_forces(state, tau)["loop"], atol=1e-12)
    least = loop.inverse_dynamics(state, udot)
    assert np.linalg.norm(least.tau) < 3.0
    assert_allclose(loop.forward_dynamics(state, least.tau), udot, atol=1e-12)
    with pytest.raises(InvalidState, match="udot: expected accelerations that the constraints allow"):
        loop.inverse_dynamics(state, udot + np.array([1.0, 0, 0]))
    with pytest.raises(NumericalFailure, match="actuated joints cannot give these accelerations"):
        loop.inverse_dynamics(state, udot, [])
    with pytest.raises(UnknownName, match="j9"):
        loop.inverse_dynamics(state, udot, ["j9"])
    with pytest.raises(UnknownName, match="loops"):
        loop.inverse_dynamics(state, udot, ["j1"], NearestForces({"loops": [0, 0, 0]}))
