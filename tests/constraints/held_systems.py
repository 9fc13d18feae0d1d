"""Random systems at random states with random constraints of every kind that there is, loops by joints of every kind."""

from functools import cache, partial

import numpy as np

from scmanip.constraints import GROUND, FramePose
from scmanip.dynamics import derive
from scmanip.dynamics.constraints._sight import Sight
from scmanip.spatial import DCM, quaternion_rate
from scmanip.system import CONSTRAINT_KINDS, KINDS, Frame, Loop, System, coordinate_rates
from tests.oracles.complex_step import STEP
from tests.oracles.random_systems import FIRST_FOREST, FIRST_OF_ALL, random_joint, random_rotation, random_state, random_tree


@cache
def held_system(seed):
    """Return a tree with joints of all kinds and constraints of each kind that fits it, called as the kind, and a state.

    In that state loops are closed.
    """
    rng = np.random.default_rng(seed)
    tree = random_tree((FIRST_FOREST if seed % 2 else FIRST_OF_ALL) + seed, springs=False)
    carriers = [body.name for body in tree.bodies]
    made = [Frame(f"port{k}", str(rng.choice(carriers)), rng.normal(size=3), random_rotation(rng)) for k in range(3)]
    system, state = with_parts(tree, frames=[*tree.frames, *made]), random_state(tree, seed)
    examples = {kind: EXAMPLES.get(kind, partial(required, kind=kind)) for kind in CONSTRAINT_KINDS if kind != Loop.kind}
    tables = {kind: example(rng, system) for kind, example in examples.items()}
    held = [CONSTRAINT_KINDS[kind].of_table({"name": kind, **table}) for kind, table in tables.items() if table]
    loops = [_closed(rng, system, state, random_joint(rng, name, name)) for name in CLOSING]
    frames = [*system.frames, *(frame for frame, _ in loops)]
    return with_parts(system, frames=frames, constraints=[*held, *(loop for _, loop in loops)]), state


def closed_by(name, frames, joint):
    """Return a loop that moves as a joint does."""
    axis = {"axis": joint.axis} if "axis" in joint.kind.keys else {}
    return Loop(name, frames, joint.kind.name, **axis, own=dict(joint.own) or None)


def pose_of(joint, q):
    """Return origin (3,) and axes (3, 3) of the moved frame of a joint in its joint frame."""
    p, R, at = np.zeros(3), np.eye(3), 0
    for motion in joint.motions:
        own, at = q[at : at + motion.n_q], at + motion.n_q
        slide, turn = motion.slide(own), motion.rotation(DCM(), own)
        p = p if slide is None else p + R @ slide
        R = R if turn is None else R @ turn
    return p, R


def _closed(rng, system, state, joint):
    """Return a frame on some body, which joins port0 as the joint says, and the loop of the two."""
    q = np.concatenate([rng.normal(size=m.n_q) if m.n_q == m.dof else _unit(rng, m.n_q) for m in joint.motions])
    p, R = pose_of(joint, q)
    body = str(rng.choice([body.name for body in system.bodies]))
    port = Sight(system, equations_at(system, state)).relative(body, "port0")
    name = f"end_{joint.kind.name}"
    frame = Frame(name, body, port.d + port.C @ p, port.C @ R)
    return frame, closed_by(f"loop_{joint.kind.name}", ("port0", name), joint)


def equations_at(system, state, form=None):
    """Return the paper's sums at a state, in N."""
    return _at(system, form, state.x)


def rate(system, state, quantity, udot=None):
    """Return the time derivative along the motion of a quantity of equations, the speeds changing at `udot` or held."""
    layout, x = system.layout, np.array(state.x, dtype=complex)
    u = state.x[layout.x_u]
    x[layout.x_q] += 1j * STEP * coordinate_rates(layout, state.x[layout.x_q], u[layout.joints])
    x[layout.x_u] += 1j * STEP * (0 * u if udot is None else udot)
    if not layout.fixed:
        x[layout.x_r_0] += 1j * STEP * u[layout.base_linear]
        x[layout.x_attitude] += 1j * STEP * quaternion_rate(state.attitude_xyzw, u[layout.base_angular])
    return np.imag(quantity(_at(system, None, x))) / STEP


def _at(system, form, x):
    return derive(system, kinematics=form or DCM()).derivation.at(x)


def with_parts(system, **parts):
    """Return a system with other frames or constraints."""
    own = {name: getattr(system, name) for name in ("frames", "fixed", "gravity_m_s2", "springs", "actuators", "constraints")}
    return System(system.name, system.base, system.bodies[1:], **{**own, **parts})


def _frames(rng, system, *, ground=True):
    names = [*(frame.name for frame in system.frames if frame.name.startswith("port")), *([GROUND] * ground)]
    return [str(name) for name in rng.choice(names, size=2, replace=False)]


def _unit(rng, size=3):
    axis = rng.normal(size=size)
    return axis / np.linalg.norm(axis)


def required(rng, system, kind):
    """Return a table with what a kind of constraint cannot do without; None where a system has nothing for it."""
    table = {key: _given(rng, system, of.quantity) for key, of in CONSTRAINT_KINDS[kind].keys().items() if of.required}
    return None if None in table.values() else {key: value for key, value in table.items() if key != "name"}


def _given(rng, system, quantity):
    """Return some value of a quantity; None where a system has none."""
    joints = [joint.name for joint in system.joints]
    single = [f.name for joint in system.joints if joint.n_q == joint.dof for f in joint.freedoms]
    of = {"frame": ["port0", "port1"], "joint": joints, "freedom": single, "speed": system.layout.u_names, "": ["one"]}
    names = of[quantity.refers]
    if not names:
        return None
    made = {
        "pair": lambda: _frames(rng, system),
        "name": lambda: str(rng.choice(names)),
        "names": lambda: names[0],
        "row": lambda: {str(name): rng.normal() for name in names[:3]},
        "vector": lambda: _unit(rng).tolist(),
        "numbers": lambda: [0.1, 0.2],
        "number": lambda: 0.3,
    }
    return made[quantity.form]()


def _lock(rng, system):
    return {"joint": str(rng.choice([joint.name for joint in system.joints]))} if system.joints else None


def _coupling(rng, system):
    single = [f.name for joint in system.joints if joint.n_q == joint.dof for f in joint.freedoms]
    if len(single) < 2:
        return None
    joint, of, *others = (str(name) for name in rng.choice(single, size=min(3, len(single)), replace=False))
    if others and rng.random() < 0.4:
        return {"joint": joint, "of": [of, *others], "ratio": [0.5, -0.7], "offset": 0.2}
    how = {"polynomial": list(rng.normal(size=4))} if rng.random() < 0.5 else {"ratio": -2.5, "offset": 0.3}
    return {"joint": joint, "of": of, **how}


def _speed(rng, system):
    names = [str(name) for name in rng.choice(system.layout.u_names, size=min(3, system.layout.n_u), replace=False)]
    return {"row": {name: rng.normal() for name in names}, "value": rng.normal()}


def _knife_edge(rng, system):
    where = {"frames": _frames(rng, system)} if rng.random() < 0.5 else {"frame": "port0"}
    return {**where, "blocked_axis": _unit(rng)}


def _round(rng, system):
    disk = {"axis": _unit(rng)} if rng.random() < 0.5 else {}
    return {"frames": _frames(rng, system), "normal": _unit(rng), "radius_m": 0.3, **disk}


EXAMPLES = {
    "lock": _lock,
    "weld": lambda rng, system: {"frames": _frames(rng, system), "pose": FramePose(rng.normal(size=3), random_rotation(rng))},
    "point": lambda rng, system: {"frames": _frames(rng, system)},
    "plane": _round,
    "coupling": _coupling,
    "knife_edge": _knife_edge,
    "rolling": _round,
    "speed": _speed,
}
JOINTS = {name: random_joint(np.random.default_rng(0), name, name) for name in KINDS}
CLOSING = [name for name, joint in JOINTS.items() if joint.kind.closings(joint) is not None]
