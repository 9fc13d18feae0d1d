"""Energy that springs and weights hold, body by body, also of hardware that differs from case to case."""

import numpy as np
from numpy.testing import assert_allclose

from scmanip.dynamics import RunTimeInertia, compile_model, inertia_table
from scmanip.simulation import ModelStates
from scmanip.system import Body, Frame, Joint, SpringDamper, State, System

GRAVITY = np.array([1.0, -2.0, -9.81])
NAMES = ("base", "upper", "slider")


def system(masses=(5.0, 3.0, 2.0), centres=((0.1, 0.2, 0.3), (0.4, 0.1, 0.0), (0.0, 0.2, -0.1))):
    """A hinge and a slide with springs, and a spring to the ground."""
    joints = [
        Joint("hinge", "revolute", [0, 1.0, 0], stiffness=7.0),
        Joint("slide", "prismatic", [0, 0, 1.0], origin_m=[0.8, 0, 0], stiffness=30.0),
    ]
    base, *links = (Body(name, m, m * np.ones(3) / 10, c) for name, m, c in zip(NAMES, masses, centres, strict=True))
    bodies = [
        Body(link.name, link.mass_kg, link.inertia_kg_m2, link.com_m, parent, joint)
        for link, parent, joint in zip(links, NAMES, joints, strict=False)
    ]
    frames = [Frame("hook", "base", [0.5, 1.0, 0]), Frame("tip", "slider", [0, 0, 0.4])]
    tie = [SpringDamper("tie", ("hook", "tip"), 11.0, 0.0, 0.6)]
    return System("lift", base, bodies, frames, fixed=True, gravity_m_s2=GRAVITY, springs=tie)


def by_hand(made, q):
    """Springs of the joints, of the tie, and weights at the centres of mass."""
    model, state = compile_model(made), State(q=q, qdot=[0, 0])
    span = np.linalg.norm(model.position(state, "tip") - model.position(state, "hook"))
    weights = sum(body.mass_kg * GRAVITY @ model.position(state, f"{body.name}.com") for body in made.bodies)
    return 7.0 * q[0] ** 2 / 2 + 30.0 * q[1] ** 2 / 2 + 11.0 * (span - 0.6) ** 2 / 2 - weights


PLACES = np.array([[0.3, 0.1], [-0.8, 0.4], [2.0, -0.2]])


def states():
    return State(q=PLACES, qdot=np.zeros((3, 2)))


def test_springs_and_weights_add_up_body_by_body():
    found = ModelStates(compile_model(system()), states()).page("stored_energy")["stored_energy"]
    assert_allclose(found, [by_hand(system(), q) for q in PLACES], rtol=1e-12)


def test_masses_and_centres_that_differ_from_case_to_case_count_in_each_case():
    hardware = [
        system((5.0, 3.0 + k, 2.0 + 3 * k), ((0.1, 0.2, 0.3), (0.4, 0.1 * k, 0.0), (0.0, 0.2, -0.1 * k))) for k in range(3)
    ]
    model = compile_model(system(), inertia=RunTimeInertia())
    tables = np.array([inertia_table(made) for made in hardware])
    found = ModelStates(model, states(), {"inertia": tables}).page("stored_energy")["stored_energy"]
    assert_allclose(found, [by_hand(made, q) for made, q in zip(hardware, PLACES, strict=True)], rtol=1e-12)
    nominal = ModelStates(model, states()).page("stored_energy")["stored_energy"]
    assert abs(found - nominal)[1:].min() > 1.0
