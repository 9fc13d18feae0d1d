"""A newcomer's load, which needs velocities: drag of a plate in the upper atmosphere, in public names and one file."""

from dataclasses import dataclass

import numpy as np
from numpy.testing import assert_allclose

import scmanip
from scmanip.control import ComputedTorque
from scmanip.guidance import Hold
from scmanip.loads import Bodies, BodyWrenches, Gravity, Load, Orbit
from scmanip.simulation import ensemble, simulate
from scmanip.spatial import cross
from scmanip.system import Body, Joint, State, System


@dataclass(frozen=True)
class PlateDrag(Load):
    """Free molecules that stick to both sides of a plate on a body: f = -1/2 rho C_D A |n . v| v at its centre."""

    body: str
    area_m2: float
    centre_m: tuple[float, float, float]
    normal: tuple[float, float, float]
    rho_kg_m3: float = 4e-12
    drag_coefficient: float = 2.2

    def wrenches(self, bodies: Bodies, t: float) -> BodyWrenches:
        """Return drag by the velocity of the plate's centre through air that does not turn with the Earth."""
        k = bodies.number(self.body)
        arm, n = bodies.R[k] @ np.array(self.centre_m), bodies.R[k] @ np.array(self.normal)
        v = bodies.orbit_velocity + bodies.v[k] + cross(bodies.omega[k], arm)
        drag = (-0.5 * self.rho_kg_m3 * self.drag_coefficient * self.area_m2 * abs(n @ v)) * v
        return bodies.on(self.body, drag, at=bodies.r[k] + arm)


def craft() -> System:
    hinge = Joint("hinge", "revolute", [0, 0, 1.0], origin_m=[0.5, 0, 0])
    panel = Body("panel", 5.0, [0.1, 2.0, 2.0], [1.5, 0, 0], parent="base", joint=hinge)
    return System("sail", Body("base", 100.0, [10.0, 12.0, 14.0]), [panel])


ORBIT = Orbit.circular(altitude_m=300e3)
DRAG = PlateDrag("panel", 3.0, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))
MODEL = scmanip.compile_model(craft(), inertia=scmanip.dynamics.RunTimeInertia())
PLANT = scmanip.Plant(MODEL, scmanip.Floating(), loads=[Gravity(ORBIT), DRAG])
START, LAW = State.at_rest(MODEL.system, [0.0]), ComputedTorque(MODEL)


def test_drag_pushes_with_the_speed_of_the_orbit_and_adds_up_with_gravity():
    drag = scmanip.Plant(MODEL, scmanip.Floating(), [Gravity(ORBIT), DRAG]).rates(START, [0.0])
    free = scmanip.Plant(MODEL, scmanip.Floating(), [Gravity(ORBIT)]).rates(START, [0.0])
    lost = MODEL.M(START) @ (drag - free)[MODEL.layout.x_u]
    speed = np.linalg.norm(ORBIT.velocity(0.0))
    assert 7.6e3 < speed < 7.8e3
    assert_allclose(lost[:3], -0.5 * 4e-12 * 2.2 * 3.0 * speed * ORBIT.velocity(0.0), rtol=1e-9, atol=1e-12)


def test_a_run_in_machine_code_is_the_run_in_python_and_an_ensemble():
    options = {"reference": Hold([0.0]), "t_end_s": 60.0, "rtol": 1e-11, "output_step_s": 30.0}
    native = simulate(PLANT, LAW, START, **options)
    python = simulate(
        PLANT, lambda t, state: LAW.command(t, state, Hold([0.0]).at(t), None)[0], START, **(options | {"reference": None})
    )
    many = ensemble(PLANT, LAW, START, reference=Hold([0.0]), t_end_s=60.0, step_s=0.5)  # machine code or refused
    assert_allclose(python.states.x, native.states.x, atol=1e-9)
    assert_allclose(many.x[0, -1], native.states.x[-1], atol=1e-9)
    assert native.external.impulse[-1, 1] < 0 < native.residuals["momentum"].broken
    assert native.channels["external_impulse"].unit == "N s" and np.array_equal(
        native.external_impulse, native.external.impulse
    )
    assert native.residuals["momentum"].kept and native.residuals["energy"].kept
