"""Contact of bodies that nothing holds: balls that meet in free space, and one that slides until it rolls."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import FixedBase, Floating, Plant, State, compile_model
from scmanip.control import JointRegulator
from scmanip.guidance import Hold
from scmanip.loads import Contact, Coulomb, HuntCrossley, KelvinVoigt
from scmanip.shapes import Box, Plane, Sphere
from scmanip.simulation import ensemble, simulate
from scmanip.system import Body, Joint, System
from tests.simulation.machine_code import all_in_machine_code

UPRIGHT = [0.0, 0.0, 0.0, 1.0]


def ball(name: str, mass_kg: float, radius_m: float) -> Body:
    return Body(name, mass_kg, [0.4 * mass_kg * radius_m**2] * 3, parent="ground", joint=Joint(name, "free"))


def coast(model, mode, loads, start, t_end_s):
    """What happens without actuators, in machine code."""
    own = model.system
    light = compile_model(System(own.name, own.base, own.bodies[1:], fixed=own.fixed))  # a law that knows of no gravity
    hold = Hold(start.q, layout=own.layout)
    law = JointRegulator(light, K_P=0.0, K_D=0.0)
    return simulate(Plant(model, mode, loads), law, start, reference=hold, t_end_s=t_end_s, rtol=1e-10)


@pytest.mark.slow
def test_bodies_that_meet_keep_the_momenta_of_all_and_exchange_those_of_each():
    shapes = [Sphere("a", "one", 0.2), Sphere("b", "two", 0.3), Box("hull", "base", [1.0, 1.0, 1.0])]
    bodies = [ball("one", 2.0, 0.2), ball("two", 2.0, 0.3)]
    system = System("three", Body("base", 10.0, [1.0, 2.0, 3.0]), bodies, shapes=shapes)
    model, law = compile_model(system), HuntCrossley.bouncing(1e5, restitution=0.5, speed_m_s=1.0)
    pairs = (("a", "b"), ("hull", "a"))
    loads = [Contact(*map(system.shape, pair), law, Coulomb(0.3), name="-".join(pair)) for pair in pairs]
    q = [2.0, 0.02, 0.03, *UPRIGHT, 4.0, 0.05, 0.0, *UPRIGHT]
    qdot = [-0.2, 0, 0, 0, 0, 0.5, -1.2, 0, 0, 0.1, 0.2, 0.3]
    start = State([0, 0, 0], UPRIGHT, q, [0, 0, 0], [0, 0, 0], qdot)
    run = coast(model, Floating(), loads, start, 3.0)
    assert [each.phrase.split("'")[1] for each in run.occurrences[::2]] == ["gap of a-b", "gap of hull-a"]
    before, after = model.momentum_by_body(start), model.momentum_by_body(run.final)
    assert_allclose(after.P.sum(axis=0), before.P.sum(axis=0), atol=1e-13)
    assert_allclose(after.L_C.sum(axis=0), before.L_C.sum(axis=0), atol=1e-10)
    assert abs(after.P - before.P).max() > 0.1
    energy = run.kinetic_energy[0] - run.kinetic_energy[-1]
    assert run.dissipated[-1] == pytest.approx(energy, rel=1e-6) and energy > 0.1


def test_a_ball_that_slides_on_a_floor_rolls_at_five_sevenths_of_its_speed():
    r, mass, g, mu, speed = 0.2, 2.0, 9.81, 0.2, 1.0
    shapes = [Sphere("ball", "ball", r), Plane("floor", "ground")]
    system = System(
        "roll", Body("base", 0.0, np.zeros((3, 3))), [ball("ball", mass, r)], fixed=True, gravity_m_s2=[0, 0, -g], shapes=shapes
    )
    stiffness = 1e6
    contact = Contact(system.shape("floor"), system.shape("ball"), KelvinVoigt(stiffness, 1000.0), Coulomb(mu, 1e-3))
    start = State(q=[0, 0, r - mass * g / stiffness, *UPRIGHT], qdot=[speed, 0, 0, 0, 0, 0])
    run = coast(compile_model(system), FixedBase(), [contact], start, 0.25)  # it rolls after 2/7 v / (mu g) = 0.146 s
    assert run.qdot[-1, 0] == pytest.approx(5 / 7 * speed, rel=1e-3)
    assert run.qdot[-1, 4] == pytest.approx(5 / 7 * speed / r, rel=1e-3)
    assert run.dissipated[-1] == pytest.approx(mass * speed**2 / 7, rel=2e-3)


def thrown(floor, **options):
    """A box that is thrown on a floor, with its contact."""
    brick = Body("brick", 2.0, [0.05, 0.06, 0.07], parent="ground", joint=Joint("flight", "free"))
    shapes = [Box("brick", "brick", [0.4, 0.2, 0.3]), floor]
    base = Body("base", 0.0, np.zeros((3, 3)))
    model = compile_model(System("thrown", base, [brick], fixed=True, gravity_m_s2=[0, 0, -9.81], shapes=shapes))
    law = HuntCrossley.bouncing(1e5, restitution=0.3, speed_m_s=1.0)
    return model, Contact(*map(model.system.shape, ("floor", "brick")), law, Coulomb(0.4, 1e-3), **options)


@pytest.mark.slow
def test_a_box_that_is_thrown_on_a_box_does_what_it_does_on_a_plane_in_machine_code_and_in_lanes():
    start = State(q=[0, 0, 0.3, 0.1, 0.2, 0.3, np.sqrt(0.86)], qdot=[0.5, 0.2, -1.0, 1.0, -0.5, 0.8])
    ends = []
    for floor in (Plane("floor", "ground"), Box("floor", "ground", [3.0, 3.0, 1.0], origin_m=[0.11, 0.07, -0.5])):
        model, contact = thrown(floor)
        with all_in_machine_code():
            run = coast(model, FixedBase(), [contact], start, 0.3)
        model, smooth = thrown(floor, noted=False)
        law = JointRegulator(
            compile_model(System("light", model.system.base, model.system.bodies[1:], fixed=True)), K_P=0.0, K_D=0.0
        )
        hold, plant = Hold(start.q, layout=model.layout), Plant(model, FixedBase(), [smooth])
        many = ensemble(plant, law, State.stack([start] * 2), reference=hold, t_end_s=0.3, step_s=5e-4)
        assert_allclose(many.x[:, -1], [run.final.x] * 2, atol=1e-3)
        assert len(run.occurrences) > 3 and all(residual.kept for residual in run.residuals.values())
        ends.append(run.final.x)
    assert_allclose(*ends, atol=1e-7)
