"""Random systems with random constraints of every kind that there is."""

import numpy as np

from scmanip.constraints import CONSTRAINT_KINDS, GROUND, Pose
from scmanip.system import Frame, System
from tests.oracles.random_systems import FIRST_OF_ALL, random_rotation, random_tree


def held_system(seed, kinds=tuple(CONSTRAINT_KINDS), *, fixed=None):
    """Return a tree with joints of all kinds, three frames and a constraint of each kind that fits it, called as the kind."""
    rng = np.random.default_rng(seed)
    tree = random_tree(FIRST_OF_ALL + seed, fixed=fixed, springs=False)
    carriers = [body.name for body in tree.bodies]
    made = [Frame(f"port{k}", str(rng.choice(carriers)), rng.normal(size=3), random_rotation(rng)) for k in range(3)]
    system = with_parts(tree, frames=[*tree.frames, *made])
    tables = {kind: EXAMPLES[kind](rng, system) for kind in kinds}
    made = [CONSTRAINT_KINDS[kind].of_table({"name": kind, **table}) for kind, table in tables.items() if table]
    return with_parts(system, constraints=made)


def with_parts(system, **parts):
    """Return a system with other frames or constraints."""
    own = {name: getattr(system, name) for name in ("frames", "fixed", "gravity_m_s2", "springs", "actuators", "constraints")}
    return System(system.name, system.base, system.bodies[1:], **{**own, **parts})


def _frames(rng, system, *, ground=True):
    names = [*(frame.name for frame in system.frames if frame.name.startswith("port")), *([GROUND] * ground)]
    return [str(name) for name in rng.choice(names, size=2, replace=False)]


def _unit(rng):
    axis = rng.normal(size=3)
    return axis / np.linalg.norm(axis)


def _lock(rng, system):
    return {"joint": str(rng.choice([joint.name for joint in system.joints]))} if system.joints else None


def _coupling(rng, system):
    single = [f.name for joint in system.joints if joint.n_q == joint.dof for f in joint.freedoms]
    if len(single) < 2:
        return None
    joint, of = (str(name) for name in rng.choice(single, size=2, replace=False))
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
    "weld": lambda rng, system: {"frames": _frames(rng, system), "pose": Pose(rng.normal(size=3), random_rotation(rng))},
    "point": lambda rng, system: {"frames": _frames(rng, system)},
    "plane": _round,
    "coupling": _coupling,
    "knife_edge": _knife_edge,
    "rolling": _round,
    "speed": _speed,
}
