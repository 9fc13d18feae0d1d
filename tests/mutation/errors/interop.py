"""Errors in the twins in other codes: where both tools see the same system, they must say the same."""

from ..planted import Planted

TESTS = ("dynamics/test_against_pinocchio_and_mujoco.py", "dynamics/test_springs.py")

ERRORS = (
    Planted(
        "Pinocchio's base stands at its centre of mass",
        "interop/_pinocchio.py",
        "origin = state.r_0 - _attitude(state) @ self.system.base.com_m",
        "origin = state.r_0",
        tests=TESTS,
    ),
    Planted(
        "Pinocchio's base speeds are in inertial axes",
        "interop/_pinocchio.py",
        "np.block([[R.T, R.T @ lever], [np.zeros((3, 3)), R.T]])",
        "np.block([[R.T, R.T @ lever], [np.zeros((3, 3)), np.eye(3)]])",
        tests=TESTS,
    ),
    Planted(
        "Pinocchio leaves out the drift of turning axes",
        "interop/_pinocchio.py",
        "np.concatenate([-_attitude(state).T @",
        "np.concatenate([0 * _attitude(state).T @",
        tests=TESTS,
    ),
    Planted(
        "Pinocchio's springs push",
        "interop/_pinocchio.py",
        "passive += pull * gradient",
        "passive -= pull * gradient",
        tests=TESTS,
    ),
    Planted(
        "Pinocchio's joints have no stiffness",
        "interop/_pinocchio.py",
        "self.system.freedoms[j].stiffness * state.q[i]",
        "0.0 * state.q[i]",
        tests=TESTS,
    ),
    Planted(
        "Pinocchio's moments of wrenches are about their points",
        "interop/_pinocchio.py",
        "moment + np.cross(x, force)",
        "moment",
        tests=TESTS,
    ),
    Planted(
        "MuJoCo's quaternions are scalar last",
        "interop/_mujoco.py",
        "data.qpos[3:7] = state.attitude_xyzw[[3, 0, 1, 2]]",
        "data.qpos[3:7] = state.attitude_xyzw",
        tests=TESTS,
    ),
    Planted(
        "MuJoCo's bodies weigh 1 kg",
        "interop/_mujoco.py",
        "model.body_mass[number] = body.mass_kg",
        "model.body_mass[number] = 1.0",
        tests=TESTS,
    ),
    Planted(
        "MuJoCo's springs have no rest length", "interop/_mujoco.py", "repr(float(spring.length_m))", "repr(0.0)", tests=TESTS
    ),
    Planted(
        "MuJoCo's joints have no dampers",
        "interop/_mujoco.py",
        'added.set("damping", repr(own[0].damping))',
        'added.set("damping", "0")',
        tests=TESTS,
    ),
    Planted(
        "MuJoCo's torque on a held base is about the centre of mass",
        "interop/_mujoco.py",
        "n + np.cross(data.subtree_com[1], f)",
        "n",
        tests=TESTS,
    ),
    Planted(
        "wheels are left out of a twin without a word",
        "interop/_refusals.py",
        "if system.turners:",
        "if len(system.wheels) > 99:",
        tests=(*TESTS, "dynamics/test_wheels.py", "command/test_verify.py"),
    ),
    Planted(
        "a newton has no seconds",
        "interop/fmu/_description.py",
        '"N": {"kg": 1, "m": 1, "s": -2}',
        '"N": {"kg": 1, "m": 1}',
    ),
    Planted(
        "outputs of version 2 are counted from 0",
        "interop/fmu/_description.py",
        "index=str(variable.number + 1)",
        "index=str(variable.number)",
    ),
    Planted(
        "gains cannot be set",
        "interop/fmu/_variables.py",
        'yield "parameter", name',
        'yield "output", name',
    ),
)
