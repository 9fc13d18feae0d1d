"""What goes through joints and constraints: against Pinocchio's recursion, against balances by hand, and in runs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import KnifeEdge, Lock, PointOnPlane, PointOnPoint, Speed, Weld
from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.errors import UnknownName
from scmanip.guidance import Hold
from scmanip.impacts import Newton
from scmanip.interop import PinocchioTwin
from scmanip.loads import Contact, HuntCrossley
from scmanip.modes import FixedBase, Floating
from scmanip.plant import Plant
from scmanip.shapes import Plane, Sphere
from scmanip.simulation import RigidContact, Switch, simulate
from scmanip.system import Body, Frame, Joint, Loop, Motor, SpringDamper, State, System, load_system

from ..oracles.random_systems import FIRST_FOREST, FIRST_OF_ALL, FIRST_TREE, random_case, random_state

ARM = load_system("model:planar_four_link")
TIP = ARM.bodies[-1].name


def without_springs(system: System) -> System:
    return System(
        system.name,
        system.base,
        system.bodies[1:],
        system.frames,
        fixed=system.fixed,
        gravity_m_s2=system.gravity_m_s2,
    )


def plant_of(system: System, **options) -> Plant:
    return Plant(compile_model(system), FixedBase() if system.fixed else Floating(), **options)


def loads(plant: Plant, state: State, udot) -> dict[str, np.ndarray]:
    at = plant.interface_loads.at(state.x[None], np.zeros(1), udot[None], np.zeros((1, plant.layout.n_u)))[0][0]
    return dict(zip([each.name for each in plant.model.system.interfaces], at, strict=True))


@pytest.mark.battery(1)
@pytest.mark.parametrize("seed", [3, 8, FIRST_TREE, FIRST_TREE + 7, FIRST_OF_ALL + 1, FIRST_OF_ALL + 4])
def test_joints_carry_what_pinocchio_says(seed):
    import pinocchio as pin

    system = without_springs(random_case(seed))
    twin, state = PinocchioTwin(system), random_state(system, seed)
    udot = np.random.default_rng(seed).normal(size=system.layout.n_u)
    found = loads(plant_of(system), state, udot)
    model, places = twin.model
    data = model.createData()
    pin.forwardKinematics(model, data, twin._q(state))
    S, drift = twin._S(state), twin._drift(state)
    pin.rnea(model, data, twin._q(state), S @ state.u, S @ udot + drift)
    for body in system.bodies[1:]:
        if body.joint.dof == 0:
            continue
        joint, _ = places[body.name]
        R, force = data.oMi[joint].rotation, data.f[joint]
        expected = np.concatenate([R @ force.linear, R @ force.angular])
        assert_allclose(found[body.joint.name], expected, rtol=0, atol=1e-12 * max(1.0, abs(expected).max()))


def along_joints(system: System, model, state: State, found) -> dict[str, float]:
    """Return the moments about the axes of revolute joints, springs and dampers of these aside."""
    equations, moments = model.equations(state), {}
    for number, body in enumerate(system.bodies):
        if body.joint is None or body.joint.kind.name != "revolute":
            continue
        j, i = (names.index(body.joint.name) for names in (system.layout.qdot_names, system.layout.q_names))
        axis = equations.poses.R[equations.parameters.link_of[number]] @ body.joint.axis
        passive = system.friction.force(state.qdot)[j] + system.freedoms[j].stiffness * state.q[i]
        moments[body.joint.name] = found[body.joint.name][3:] @ axis + passive
    return moments


@pytest.mark.battery(1)
@pytest.mark.parametrize("seed", [FIRST_FOREST + 19, FIRST_FOREST + 28])
def test_joints_of_every_tree_carry_what_their_freedoms_are_given(seed):
    system = random_case(seed)
    plant, state = plant_of(system), random_state(system, seed)
    udot = np.random.default_rng(seed).normal(size=system.layout.n_u)
    tau = dict(zip(system.layout.qdot_names, plant.model.inverse_dynamics(state, udot).tau, strict=True))
    moments = along_joints(system, plant.model, state, loads(plant, state, udot))
    assert moments
    for name, moment in moments.items():
        assert moment == pytest.approx(tau[name], abs=1e-11)


def test_rotors_load_the_joint_of_their_carrier_and_springs_pass_joints_by():
    rotor = Motor("joint2", gear_ratio=40.0, rotor_inertia_kg_m2=2e-3)
    spring = SpringDamper("bungee", ("base", "link3"), 30.0, 2.0, 0.2)
    system = System(ARM.name, ARM.base, ARM.bodies[1:], ARM.frames, springs=[spring], actuators=[rotor])
    plant, state = plant_of(system), random_state(system, 1)
    udot = np.random.default_rng(2).normal(size=10)
    found, tau = loads(plant, state, udot), plant.model.inverse_dynamics(state, udot).tau
    moments = along_joints(system, plant.model, state, found)
    axis = plant.model.equations(state).poses.R[2][:, 2]
    alpha = udot[3:6] @ axis + udot[6]  # of link1, which carries the rotor
    reflected = 40.0 * 2e-3 * (alpha + 40.0 * udot[7])
    assert_allclose([moments[f"joint{k}"] for k in (1, 2, 3, 4)], tau - [0, reflected, 0, 0], atol=1e-11)


HOLDS = {
    "weld": Weld("hold", ("base", "eye")),
    "point": PointOnPoint("hold", ("ground", "eye"), tolerance_m=100.0),
    "loop": Loop("hold", ("link1", TIP), "revolute", axis=[0, 0, 1], tolerance_m=100.0, tolerance_rad=10.0),
    "plane": PointOnPlane("hold", ("eye", "ground"), [0, 1, 0], tolerance_m=100.0),
    "knife_edge": KnifeEdge("hold", [0, 1, 0], TIP),
    "lock": Lock("hold", "joint3"),
    "speed": Speed("hold", {"v_0.x": 1.0, "joint2": 0.3}),
}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "fixed"), [*((kind, False) for kind in HOLDS), ("weld", True), ("plane", True)])
def test_joints_carry_what_constraints_of_every_kind_leave_them(kind, fixed):
    hold, gravity = HOLDS[kind], [0.0, -1.2 * fixed, 0.0]
    frames = [*ARM.frames, Frame("eye", TIP, np.array([0.3, 0.1, 0.0]))]
    system = System(ARM.name, ARM.base, ARM.bodies[1:], frames, fixed=fixed, gravity_m_s2=gravity, constraints=[hold])
    state = random_state(system, 4)
    change = plant_of(system, constraints=("hold",)).under(["hold"], state)
    plant, state, tau = change.plant, change.state, np.array([0.3, -0.2, 0.5, 0.1])
    udot = plant.accelerations(state, tau)
    needed = plant.model.inverse_dynamics(state, udot)
    held = (needed.tau if fixed else np.concatenate([needed.wrench, needed.tau])) - np.concatenate([[0] * (6 - 6 * fixed), tau])
    found, base = plant.interface_loads.at(state.x[None], np.zeros(1), udot[None], held[None])
    found = dict(zip([each.name for each in system.interfaces], found[0], strict=True))
    moments, inside = along_joints(system, plant.model, state, found), np.zeros(4)
    if kind in ("lock", "speed"):  # it drives joints from inside
        inside = held[-4:]
    assert_allclose([moments[f"joint{k}"] for k in (1, 2, 3, 4)], tau + inside, atol=1e-11)
    forces = plant.model.constrained("hold").constraint_forces(state, tau)["hold"]
    if kind in ("weld", "point"):
        assert_allclose(found["hold"][: len(forces)], forces, atol=1e-11)
    if kind == "plane":
        assert_allclose(found["hold"][:3], [0, forces[0], 0], atol=1e-11)
    if not fixed and kind != "speed":
        assert_allclose(base[0], held[:6], atol=1e-11)
    assert ("hold" in found) is (kind not in ("lock", "speed"))


@pytest.mark.slow
def test_the_ground_holds_a_fixed_base_with_what_constraints_leave_it():
    holds = [Weld("grip", ("ground", TIP)), Lock("still", "joint1")]
    system = System(
        ARM.name, ARM.base, ARM.bodies[1:], ARM.frames, fixed=True, gravity_m_s2=[0, -1.5, 0], constraints=holds
    )  # fmt: skip
    model = compile_model(system)
    start = State(q=[0.3, 0.9, -0.4, 0.2])
    history = simulate(
        model, FixedBase(), lambda t, state: np.zeros(4), start, t_end_s=0.2, output_step_s=0.1,
        switches=[Switch(t_s=0.0, impose=["grip", "still"])],
    )  # fmt: skip
    grip, weight = history.interface_load("grip"), system.mass_kg * np.array([0, -1.5, 0])
    for k, state in enumerate(history.states[k] for k in range(3)):
        assert_allclose(history.wrench[k, :3] + grip[k, :3] + weight, 0, atol=1e-9)
        moments = np.cross(model.position(state, TIP), grip[k, :3]) + grip[k, 3:] + np.cross(model.r_0C(state), weight)
        assert_allclose(history.wrench[k, 3:] + moments, 0, atol=1e-9)
    assert np.linalg.norm(grip[-1]) > 0.1


@pytest.mark.slow
def test_a_grasp_and_all_joints_behind_it_show_in_runs():
    hand = Body("hand", 2.0, [0.1, 0.1, 0.1], parent=TIP, joint=Joint("wrist", "fixed", origin_m=np.array([0.5, 0, 0])))
    target = Body("target", 30.0, [3.0, 4.0, 5.0], [0.2, -0.1, 0.3], "ground", Joint("target", "free"))
    weld = Weld("wrist", ("target", "hand"))
    system = System("capture", ARM.base, [*ARM.bodies[1:], hand, target], ARM.frames, constraints=[weld])
    model = compile_model(system)
    start = State(
        r_0=np.zeros(3), q=[0.3, -0.5, 0.4, 0.2, 4.0, 0, 0, 0, 0, 0, 1],
        qdot=[0.1, 0, 0, 0, 0.01, -0.02, 0.03, 0.1, 0.05, -0.1],
    )  # fmt: skip
    law = JointRegulator(model, K_P=1.0, K_D=2.0)
    history = simulate(
        model, Floating(), law, start, reference=Hold(start.q, layout=system.layout), t_end_s=0.4, output_step_s=0.1,
        switches=[Switch(t_s=0.2, impose="wrist")],
    )  # fmt: skip
    assert [each.name for each in system.interfaces][-2:] == ["wrist", "constraint wrist"]
    held = history.t >= 0.2
    grasp = history.interface_load("constraint wrist")
    assert_allclose(grasp, history.constraint_forces["wrist"], atol=1e-11)
    assert not grasp[~held].any() and abs(grasp[held]).max() > 1e-2
    a = np.array([hand_acceleration(history, model, system, k) for k in np.flatnonzero(held)])
    passed = history.interface_load("wrist")[held][:, :3]
    assert_allclose(passed, 2.0 * a - grasp[held][:, :3], atol=1e-6)
    finer = history.finely
    assert finer.interface_wrench.shape == (len(finer.t), 6, 6)
    with pytest.raises(UnknownName, match="interface of system 'capture': expected one of joint1"):
        history.interface_load("elbow")


def hand_acceleration(history, model, system, k):
    """Return that (3,) of the CoM of the hand, by differences along the motion."""
    state, h = history.states[k], 1e-7
    x = np.array(state.x)
    rates = Plant(model, Floating(), constraints=("wrist",)).rates(state, history.tau[k])
    before, after = (State.renormalised((x + s * h * rates)[None], system.layout)[0] for s in (-1, 1))
    v = [model.J0(s, "hand.com")[:3] @ s.u[:6] + model.Jm(s, "hand.com")[:3] @ s.qdot for s in (before, after)]
    return (v[1] - v[0]) / (2 * h)


def test_compliant_contact_presses_on_the_joint_behind_it():
    system = load_system("missions/systems/probe_and_drogue.toml")
    touch = Contact(system.shape("back"), system.shape("tip"), HuntCrossley(2e4, 1.0), name="back")
    plant = plant_of(system, loads=[touch])
    state = State.at_rest(system, q=[-0.02, 1.005, 0, 0, 0, 0, 0, 1])
    udot = plant.accelerations(state, [0.0] * 7)
    found = loads(plant, state, udot)["probe"]
    deep = (1.0 - 0.02) + 0.03 - 1.005
    assert udot[6] == pytest.approx(udot[0] + (-2e4 * deep + 400.0 * 0.02), abs=50.0)  # pushed inwards
    assert_allclose(found, [400.0 * 0.02, 0, 0, 0, 0, 0], atol=1e-10)


def test_friction_of_a_rigid_contact_turns_what_a_joint_keeps_from_turning():
    mass, radius, mu, press = 2.0, 0.3, 0.2, 9.81
    lift = Body("lift", 0, [0, 0, 0], parent="base", joint=Joint("off", "prismatic", [0, 0, 1]))
    block = Body("block", mass, [0.1, 0.1, 0.1], parent="lift", joint=Joint("along", "prismatic", [1, 0, 0]))
    shapes = [Sphere("foot", "block", radius), Plane("floor", "ground")]
    base = Body("base", 10.0, [4.0, 5.0, 6.0])
    model = compile_model(System("court", base, [lift, block], shapes=shapes, fixed=True, gravity_m_s2=[0, 0, -press]))
    history = simulate(
        model, FixedBase(), lambda t, state: np.zeros(2), State(q=[radius, 0], qdot=[0, 2.0]), t_end_s=0.2, output_step_s=0.1,
        contacts=[RigidContact("floor", "foot", Newton(0.0), mu)],
    )  # fmt: skip
    for name in ("off", "along"):
        assert_allclose(history.interface_load(name)[:, :3], 0, atol=1e-9)
    assert_allclose(history.interface_load("along")[:, 3:], np.tile([0, -radius * mu * mass * press, 0], (3, 1)), atol=1e-9)
    assert_allclose(history.wrench[:, :3], np.tile([0, 0, 10.0 * press], (3, 1)), atol=1e-8)


def test_a_body_that_is_free_over_the_ground_has_nothing_to_cut():
    body = Body("disk", 2.0, [0.1, 0.1, 0.2], parent="ground", joint=Joint("way", "free"))
    spun = Speed("spun", {"way.wz": 1.0}, 0.5, active=True)
    system = System("d", Body("base", 3.0, [1, 1, 1]), [body], fixed=True, gravity_m_s2=[0, 0, -2.0], constraints=[spun])
    start = State(q=[0, 0, 1.0, 0, 0, 0, 1], qdot=[0, 0, 0, 0, 0, 0.5])
    history = simulate(compile_model(system), FixedBase(), lambda t, s: np.zeros(6), start, t_end_s=0.1, output_step_s=0.1)
    assert system.interfaces == () and "interface_wrench" not in history.channels
    assert_allclose(history.wrench, np.tile([0, 0, 6.0, 0, 0, 0], (2, 1)), atol=1e-12)
