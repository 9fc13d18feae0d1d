"""Models of Pinocchio as systems: the same inertia, places and joints."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from numpy.testing import assert_allclose

from scmanip import State, System, compile_model, load_system
from scmanip.errors import InvalidSystem
from scmanip.interop import PinocchioTwin
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import LeftOut, Motor
from tests.system.mujoco_files import any_state
from tests.system.test_urdf import BENCH, SERVICER, real_robots


def loaded(model: Any, **given: Any) -> System:
    """A system; what has no word in it is another test's matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LeftOut)
        return load_system(model, **given)


def speeds_and_places(model: Any, system: System, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Pinocchio's q (nq,), and S (nv, n_u) from u to its speeds: of the base's origin and omega in its axes."""
    q, S = pin.neutral(model), np.zeros((model.nv, system.layout.n_u))
    i, j, first = 0, 0, 1
    if not system.fixed:
        R, first, j = dcm_from_quaternion(state.attitude_xyzw), 2, 6
        q[:7] = [*(state.r_0 - R @ system.base.com_m), *state.attitude_xyzw]
        x, y, z = R @ system.base.com_m
        lever = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        S[:6, :6] = np.block([[R.T, R.T @ lever], [np.zeros((3, 3)), R.T]])
    moving = iter([joint for joint in system.joints if joint.dof])
    for joint in list(model.joints)[first:]:
        at, n, known = joint.idx_q, 0, np.zeros((0,))
        while n < joint.nv:
            own = next(moving)
            known = np.concatenate([known, state.q[i : i + own.n_q]])
            i, n = i + own.n_q, n + own.dof
        block = np.eye(n)
        if joint.shortname() == "JointModelPlanar":
            c, s = np.cos(known[2]), np.sin(known[2])
            known, block[:2, :2] = np.array([*known[:2], c, s]), [[c, s], [-s, c]]
        elif joint.nq == 2 and joint.nv == 1:
            known = np.array([np.cos(known[0]), np.sin(known[0])])
        q[at : at + joint.nq] = known
        S[joint.idx_v : joint.idx_v + n, j : j + n] = block
        j += n
    return q, S


def same_as_pinocchio(model: Any, system: System, seed: int) -> None:
    ours, rng = compile_model(system), np.random.default_rng(seed)
    for _ in range(2):
        state = any_state(system, rng)
        data = model.createData()
        q, S = speeds_and_places(model, system, state)
        pin.crba(model, data, q)
        M = np.triu(data.M) + np.triu(data.M, 1).T - np.diag(model.armature)
        expected = S.T @ M @ S
        assert_allclose(ours.M(state), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
        pin.framesForwardKinematics(model, data, q)
        for frame in system.frames:
            named = [k for k, each in enumerate(model.frames) if each.name == frame.name]
            if len(named) == 1:
                placed = data.oMf[named[0]]
                assert_allclose(ours.position(state, frame.name), placed.translation, rtol=0, atol=1e-12)


def chain(joints: list[Any], root: Any = None) -> Any:
    """A model of joints one after the other, with any inertias."""
    model, rng, parent = pin.Model(), np.random.default_rng(1), 0
    model.name = "chain"
    for k, kind in enumerate(([root] if root else []) + joints):
        placement = pin.SE3(pin.exp3(rng.normal(size=3)), rng.normal(size=3)) if k or not root else pin.SE3.Identity()
        parent = model.addJoint(parent, kind, placement, f"joint {k}")
        A = rng.normal(size=(3, 3)) / 10
        inertia = pin.Inertia(2.0 + k, rng.normal(size=3) / 5, A @ A.T + np.eye(3))
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    placed = pin.SE3(pin.exp3(np.ones(3)), np.array([0.1, 0.2, 0.3]))
    model.addFrame(pin.Frame("tool", parent, 0, placed, pin.FrameType.OP_FRAME))
    return model


AXIS = np.array([0.6, 0.0, 0.8])


def composite() -> Any:
    made = pin.JointModelComposite()
    made.addJoint(pin.JointModelRZ(), pin.SE3(pin.exp3(np.ones(3)), np.ones(3)))
    made.addJoint(pin.JointModelPX(), pin.SE3(np.eye(3), np.array([0.1, 0.0, 0.2])))
    return made


CHAINS = {
    "turns": lambda: [pin.JointModelRX(), pin.JointModelRY(), pin.JointModelRZ(), pin.JointModelRevoluteUnaligned(AXIS)],
    "unbounded": lambda: [pin.JointModelRUBX(), pin.JointModelRY(), pin.JointModelRUBZ()],
    "slides": lambda: [
        pin.JointModelPY(),
        pin.JointModelRX(),
        pin.JointModelPrismaticUnaligned(AXIS),
        pin.JointModelTranslation(),
    ],
    "balls": lambda: [pin.JointModelSpherical(), pin.JointModelSphericalZYX(), pin.JointModelRX()],
    "planes": lambda: [pin.JointModelPlanar(), pin.JointModelRX()],
    "others": lambda: [pin.JointModelHX(0.2), composite(), pin.JointModelUniversal(np.eye(3)[0], np.eye(3)[1])],
}


@pytest.mark.battery(3)
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("name", CHAINS)
def test_all_kinds_of_joints_have_pinocchios_inertia(name: str, floating: bool) -> None:
    model = chain(CHAINS[name](), pin.JointModelFreeFlyer() if floating else None)
    system = loaded(model)
    assert (system.fixed, system.name) == (not floating, "chain")
    assert system.gravity_m_s2.tolist() == ([0, 0, -9.81] if not floating else [0, 0, 0])
    same_as_pinocchio(model, system, 3)


def test_a_model_of_a_urdf_is_what_the_urdf_is() -> None:
    model = pin.buildModelFromUrdf(str(BENCH))
    system, own = loaded(model), loaded(BENCH)
    same_as_pinocchio(model, system, 4)
    assert (system.bodies[1].name, system.frame("world").body) == ("column", "base")
    assert [joint.upper for joint in system.joints] == [joint.upper for joint in own.joints]
    assert [motor.torque_Nm for motor in system.offering(Motor)] == [motor.torque_Nm for motor in own.offering(Motor)]


def test_what_our_twin_makes_of_a_model_has_the_same_inertia_again() -> None:
    system = loaded(pin.buildModelFromUrdf(str(SERVICER), pin.JointModelFreeFlyer()))
    plain = System("plain", system.base, system.bodies[1:])
    model, _ = PinocchioTwin(plain).free
    same_as_pinocchio(model, loaded(model), 5)
    state = any_state(plain, np.random.default_rng(6))
    assert_allclose(PinocchioTwin(plain).M(state), compile_model(system).M(state), rtol=0, atol=1e-10)


def test_what_has_no_word_is_told() -> None:
    model = chain([pin.JointModelRX(), pin.JointModelPX()])
    model.armature[:] = 0.1
    with pytest.warns(LeftOut, match="Pinocchio model 'chain': left out .*2 armature"):
        load_system(model)


@pytest.mark.skipif(not hasattr(pin, "JointModelEllipsoid"), reason="every kind of joint of this Pinocchio is known")
def test_a_kind_of_joint_that_has_no_word_is_refused_by_name() -> None:
    inner = chain([pin.JointModelEllipsoid(1.0, 1.0, 1.0)])
    with pytest.raises(InvalidSystem, match=r"joint 'joint 0': expected one of revolute.* found Ellipsoid"):
        load_system(inner)


def test_a_side_table_goes_with_a_model(tmp_path: Any) -> None:
    side = tmp_path / "side.toml"
    side.write_text('schema = "scmanip.side/1"\n[base]\nfixed = false\nmass_kg = 50.0\ninertia_kg_m2 = [9, 8, 7]\n')
    model = chain([pin.JointModelRX()])
    model.gravity.linear = np.zeros(3)
    assert loaded(model, side=side).base.mass_kg == 50.0


@pytest.mark.slow
def test_models_of_others_have_pinocchios_inertia() -> None:
    files, agree = real_robots(), 0
    if not files:
        pytest.skip("example-robot-data is not installed, which .ci/run does")
    for file in files:
        try:
            model = pin.buildModelFromUrdf(str(file), pin.JointModelFreeFlyer())
        except ValueError:  # a file that Pinocchio refuses itself
            continue
        try:
            system = loaded(model)
        except InvalidSystem as error:
            assert all(problem.file and problem.expected for problem in error.problems), file
            continue
        same_as_pinocchio(model, system, 7)
        agree += 1
    assert agree > 30


MIMICS = {
    "turns": pin.JointModelRY,
    "unaligned": lambda: pin.JointModelRevoluteUnaligned(AXIS),
    "unbounded": pin.JointModelRUBX,
    "slides": lambda: pin.JointModelPrismaticUnaligned(AXIS),
    "screws": lambda: pin.JointModelHZ(0.2),
}


has_mimics = pytest.mark.skipif(not hasattr(pin, "transformJointIntoMimic"), reason="this Pinocchio has no joints that mimic")


@has_mimics
@pytest.mark.parametrize("name", MIMICS)
def test_a_joint_that_mimics_another_is_a_coupling_that_holds(name: str) -> None:
    turns = pin.JointModelRUBZ() if name == "unbounded" else pin.JointModelRZ()
    whole = chain([turns, pin.JointModelPX(), MIMICS[name]()])
    model = pin.transformJointIntoMimic(whole, 1, 3, -1.5, 0.1)
    system = loaded(model)
    (coupling,) = system.constraints
    assert (coupling.name, coupling.of, coupling.ratio, coupling.active) == ("joint 2 mimics", "joint 0", -1.5, True)
    ours, state = compile_model(system), State.at_rest(system, q=[0.3, 0.2, -1.5 * 0.3 + 0.1])
    assert_allclose(coupling.offset, 0.1)
    same_as_pinocchio(whole, system, 8)
    q, data = np.array([0.3, 0.2]) if name != "unbounded" else np.array([np.cos(0.3), np.sin(0.3), 0.2]), model.createData()
    pin.framesForwardKinematics(model, data, q)
    tool = data.oMf[model.getFrameId("tool")]
    assert_allclose(ours.position(state, "tool"), tool.translation, rtol=0, atol=1e-12)
    if name != "screws":  # of which Pinocchio 4.1 has another inertia than of the same joint in `whole`
        pin.crba(model, data, q)
        M, G = np.triu(data.M) + np.triu(data.M, 1).T, np.array([[1.0, 0.0], [0.0, 1.0], [-1.5, 0.0]])
        assert_allclose(G.T @ ours.Hm(state) @ G, M, rtol=0, atol=1e-12 * np.abs(M).max())


@has_mimics
def test_a_urdf_read_by_pinocchio_with_its_mimics_is_what_the_urdf_is() -> None:
    system = loaded(pin.buildModelFromUrdf(str(SERVICER), pin.JointModelFreeFlyer(), True))
    own = loaded(SERVICER)
    assert system.constraints == own.constraints
    (right,) = (body.joint for body in system.bodies[1:] if body.joint.name == "right")
    assert_allclose(right.axis, [0, 0, -1], atol=1e-15)


@has_mimics
def test_a_mimic_that_pinocchio_cannot_move_is_refused_by_the_name_of_its_joint() -> None:
    helical = chain([pin.JointModelRZ(), pin.JointModelHelicalUnaligned(AXIS, 0.3)])
    still = chain([pin.JointModelRZ(), pin.JointModelRY()])
    for model, ratio in ((helical, 2.0), (still, 0.0)):
        with pytest.raises(InvalidSystem, match=r"joint 'joint 1'.* mimics .*found Mimic of .* scaled by"):
            loaded(pin.transformJointIntoMimic(model, 1, 2, ratio, 0.0))
