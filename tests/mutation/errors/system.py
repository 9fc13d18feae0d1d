"""Errors in hardware, states, order and files."""

from ..planted import Planted

ERRORS = (
    Planted(
        "the base's centre of mass moves as the cross product says the other way",
        "system/_state.py",
        "v_0 = origin.v_0 + cross(origin.omega_0, offset)",
        "v_0 = origin.v_0 - cross(origin.omega_0, offset)",
    ),
    Planted(
        "the centre of mass of the base is given in inertial axes",
        "system/_state.py",
        "offset = _rotated(origin.attitude_xyzw, system.base.com_m)",
        "offset = _rotated(origin.attitude_xyzw * [0, 0, 0, 1], system.base.com_m)",
    ),
    Planted(
        "every case of a batch is turned as the first",
        "system/_state.py",
        "[dcm_from_quaternion(q) @ v for q in attitude.reshape(-1, 4)]",
        "[dcm_from_quaternion(attitude.reshape(-1, 4)[0]) @ v for q in attitude.reshape(-1, 4)]",
    ),
    Planted(
        "a drifted quaternion is divided by the square of its norm",
        "system/_state.py",
        "math.hypot(*attitude.tolist()) if single",
        "math.hypot(*attitude.tolist()) ** 2 if single",
    ),
    Planted(
        "joint quaternions of a packed state are not made unit",
        "system/_state.py",
        "packed[..., layout.x_q] = _unit_joints(packed[..., layout.x_q], layout)",
        "_unit_joints(packed[..., layout.x_q], layout)",
    ),
    Planted(
        "the packed state of a caller is changed",
        "system/_state.py",
        'packed = np.array(_checked("x", x, layout.n_x))',
        'packed = _checked("x", x, layout.n_x)',
    ),
    Planted("states of two kinds are stacked", "system/_state.py", "if all(map(kind.admits, kinds))", ""),
    Planted(
        "wheel speeds stand before the rates",
        "system/_layout.py",
        "self.u, self.qdot = (..., slice(u, end)), (..., slice(u + 2 * speed, end))",
        "self.u, self.qdot = (..., slice(u, end)), (..., slice(u + 2 * speed, None))",
    ),
    Planted(
        "velocity and angular velocity are exchanged in a state",
        "system/_layout.py",
        "self.v_0, self.omega_0 = (..., slice(u, u + speed)), (..., slice(u + speed, u + 2 * speed))",
        "self.omega_0, self.v_0 = (..., slice(u, u + speed)), (..., slice(u + speed, u + 2 * speed))",
    ),
    Planted(
        "a neutral quaternion is a turn about x", "system/joints/_spherical.py", "[0.0, 0.0, 0.0, 1.0]", "[1.0, 0.0, 0.0, 0.0]"
    ),
    Planted(
        "the term of a spherical joint has its factors exchanged",
        "system/joints/_spherical.py",
        "return cross(qdot, p)",
        "return cross(p, qdot)",
        tests=("dynamics/test_sums_on_floats.py", "dynamics/test_tree_kane.py"),
    ),
    Planted(
        "coordinates after a spherical joint have the rate one further",
        "system/_layout.py",
        "speeds = {j for _, _, u in self.quasi_places for j in range(u.start, u.stop)}",
        "speeds = {j for _, _, u in self.quasi_places for j in range(u.start + 1, u.stop + 1)}",
    ),
    Planted(
        "the rate of a joint quaternion takes its angular velocity in the parent",
        "system/joints/_spherical.py",
        "quaternion_product(q, np.append(qdot, 0)) / 2",
        "quaternion_product(np.append(qdot, 0), q) / 2",
    ),
    Planted(
        "the difference of two attitudes goes the long way round",
        "system/joints/_spherical.py",
        "select(turn[3] < 0, -1.0, 1.0)",
        "select(turn[3] < 0, 1.0, -1.0)",
    ),
    Planted(
        "the difference of two attitudes is seen from the end",
        "system/joints/_spherical.py",
        "quaternion_product(quaternion_conjugate(q_from), q)",
        "quaternion_product(q, quaternion_conjugate(q_from))",
    ),
    Planted(
        "friction of motors is added to no joint's",
        "system/_system.py",
        "freedom.damping + fitting.damping",
        "(fitting.damping or freedom.damping)",
    ),
    Planted(
        "Coulomb friction saturates at twice the width",
        "system/_friction.py",
        "np.tanh(qdot / self.width)",
        "np.tanh(qdot / (2 * self.width))",
    ),
    Planted(
        "the power of friction is a mean",
        "system/_friction.py",
        "float(self.force(qdot) @ qdot)",
        "float(self.force(qdot) @ qdot) / 2",
    ),
    Planted(
        "children of a body come in the reverse order",
        "system/_system.py",
        "for body in reversed(bodies) if body.parent == name",
        "for body in bodies if body.parent == name",
    ),
    Planted(
        "a frame called by a body's centre of mass is the body's origin",
        "system/_system.py",
        "return Frame(name, body.name, body.com_m)",
        "return Frame(name, body.name)",
    ),
    Planted(
        "actuators put in another's place lose the gravity",
        "system/_system.py",
        "            gravity_m_s2=self.gravity_m_s2,\n            springs=self.springs,\n            actuators=actuators",
        "            springs=self.springs,\n            actuators=actuators",
        survives="wheels need a base that floats, and gravity one that is fixed",
    ),
    Planted(
        "actuators put in another's place lose the springs",
        "system/_system.py",
        "            springs=self.springs,\n            actuators=actuators,\n        )",
        "            actuators=actuators,\n        )",
    ),
    Planted(
        "joints on the path of a body are those of its parent's parent",
        "system/_tree.py",
        "body_path[i] |= body_path[parent[i]]",
        "body_path[i] |= body_path[max(parent[parent[i]], 0)]",
    ),
    Planted("welds count as moving", "system/_tree.py", "b.joint is not None and b.joint.dof > 0", "b.joint is not None"),
    Planted(
        "a stiffness per degree is divided by the degrees of a radian",
        "system/joints/_kind.py",
        "math.degrees if what in",
        "math.radians if what in",
    ),
    Planted(
        "roll, pitch and yaw in degrees are taken as radians",
        "system/_angles.py",
        "angles = np.radians(in_deg) if in_deg is not None",
        "angles = in_deg if in_deg is not None",
    ),
    Planted(
        "the centre of mass of a link lies beyond its far end",
        "system/_dh_arm.py",
        "[-link.b_m, 0.0, 0.0] if link.com_m is None",
        "[link.b_m, 0.0, 0.0] if link.com_m is None",
    ),
    Planted(
        "a prismatic joint of Angeles' arm slides along its axis",
        "system/_hd_arm.py",
        '1.0 if kind.freedoms[0][1] == "rad" else -1.0',
        "1.0",
    ),
    Planted(
        "a link of Angeles' arm is offset the other way",
        "system/_hd_arm.py",
        "- link.b_m * twist[:, 2]",
        "+ link.b_m * twist[:, 2]",
    ),
    Planted(
        "the largest principal moment may be any",
        "system/_body.py",
        "moments[2] > (moments[0] + moments[1]) * (1 + 1e-6)",
        "moments[0] > (moments[2] + moments[1]) * (1 + 1e-6)",
    ),
    Planted(
        "an inertia may have a negative moment",
        "system/_body.py",
        "np.linalg.eigvalsh(tensor)[0]",
        "np.linalg.eigvalsh(tensor)[2]",
    ),
    Planted(
        "a left-handed matrix counts as a rotation", "system/_joint.py", "or np.linalg.det(R) < 0", "or np.linalg.det(R) == 0"
    ),
    Planted(
        "equal limits leave room to move",
        "system/_joint.py",
        "return [] if lower < upper else",
        "return [] if lower <= upper else",
    ),
    Planted(
        "neighbours in the sequence of a gimbal may be equal",
        "system/joints/_gimbal.py",
        "all(a != b for a, b in pairwise(str(sequence)))",
        "any(a != b for a, b in pairwise(str(sequence)))",
    ),
    Planted(
        "the second axis of a gimbal is the first",
        "system/joints/_gimbal.py",
        'np.eye(3)["xyz".index(letter)]',
        'np.eye(3)["xyz".index(joint.own["sequence"][0])]',
    ),
    Planted(
        "a spring between a weld and its carrier is not idle",
        "system/_spring_damper.py",
        "        while (parent := carriers.get(name)) is not None:\n            name = parent\n",
        "",
    ),
)
