"""Random spacecraft with arms and random states, reproducible from a seed.

Bugs in multibody codes hide at welds, rotated inertia frames, offset centres of mass, branches and massless links, so
these are frequent here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

import numpy as np
from scipy.spatial.transform import Rotation

from scmanip.spatial import dh_transform
from scmanip.system import KINDS, Body, Frame, Joint, State, System, with_unit_quaternions

FIRST_TREE, FIRST_OF_ALL, FIRST_FOREST = 10_000, 20_000, 30_000
PAIRS = [a + b for a, b in permutations("xyz", 2)]
SEQUENCES = [*"xyz", *PAIRS, *(pair + c for pair in PAIRS for c in "xyz" if c != pair[1])]
MASSIVE, ROD, PARTICLE, MASSLESS = "massive", "rod", "particle", "massless"
ODDS = {"revolute": 0.7, "prismatic": 0.3}
OF_TREES = {"revolute": 0.25, "prismatic": 0.15, "gimbal": 0.3, "spherical": 0.3}
OWN = {"sequence": lambda rng: str(rng.choice(SEQUENCES)), "pitch_m_rad": lambda rng: rng.uniform(-0.5, 0.5)}
SEVERAL = {name for name, kind in KINDS.items() if kind.dof({"sequence": "xyz"}) > 1}
MOVING = [name for name, kind in KINDS.items() if kind.dof({"sequence": "xyz"})]
FREE = [name for name in MOVING if KINDS[name].grounded]
CARRIED = [name for name in MOVING if name not in FREE]


@dataclass(frozen=True)
class Skeleton:
    """Tree before masses: entry i describes body i + 1; parents count from 0, the base."""

    parents: tuple[int, ...]
    types: tuple[str, ...]

    def has_children(self, body: int) -> bool:
        return body in self.parents


def random_case(seed: int) -> System:
    """Return a system of hinges and slides; for seeds from `FIRST_TREE` on a tree with gimbals and spherical joints too.

    From `FIRST_OF_ALL` on it is a tree with joints of every kind by which one body carries another, each as often as the
    others; from `FIRST_FOREST` on there are free bodies too, which may carry others.
    """
    return random_tree(seed) if seed >= FIRST_TREE else random_system(seed)


def random_tree(seed: int, *, fixed: bool | None = None, joints: int | None = None, springs: bool = True) -> System:
    """Return a system of 2-6 joints (or `joints`) of which about half are gimbals and spherical joints.

    From seed `FIRST_OF_ALL` on they are of every kind.
    """
    joints = 2 + seed % 5 if joints is None else joints
    kinds = CARRIED if seed < FIRST_FOREST else [*CARRIED, *FREE, *FREE]
    odds = OF_TREES if seed < FIRST_OF_ALL else {kind: kinds.count(kind) / len(kinds) for kind in kinds}
    return random_system(seed, fixed=fixed, joints=joints, springs=springs, odds=odds)


def random_system(
    seed: int,
    *,
    fixed: bool | None = None,
    joints: int | None = None,
    springs: bool = True,
    odds: dict[str, float] = ODDS,
) -> System:
    """Return a system of 0-10 joints (or `joints`), a quarter of them on a fixed base unless `fixed` says which.

    `springs=False` gives the same system without springs and dampers; `odds` are those of the kinds of joint.
    """
    return _drawn(seed, fixed, joints, springs, tuple(odds.items()))


@lru_cache(300)  # the cases of one test are those of the next
def _drawn(seed: int, fixed: bool | None, joints: int | None, springs: bool, odds: tuple[tuple[str, float], ...]) -> System:
    rng = np.random.default_rng(seed)
    fixed_draw, joints_draw = rng.random() < 0.25, int(rng.integers(0, 11))
    fixed = fixed_draw if fixed is None else fixed
    skeleton = random_skeleton(rng, joints_draw if joints is None else joints, dict(odds))
    if seed >= FIRST_FOREST and not {*FREE} & {*skeleton.types}:
        skeleton = replace(skeleton, types=(FREE[0], *skeleton.types[1:]))
    kinds = random_kinds(rng, skeleton)
    decades = rng.choice([0.0, 1.0, 3.0])  # the largest mass ratio is 10^decades
    base_mass = 0.0 if fixed and MASSIVE in kinds and rng.random() < 0.5 else 30 * 10 ** rng.uniform(-decades / 2, decades / 2)
    base = Body("base", base_mass, random_inertia(rng, base_mass, MASSIVE), rng.normal(size=3) * 0.3)
    names = ["base", *(f"body{i + 1}" for i in range(len(kinds)))]
    bodies = []
    for i, kind in enumerate(kinds):
        mass = 0.0 if kind == MASSLESS else 5 * 10 ** rng.uniform(-decades / 2, decades / 2)
        joint = random_joint(rng, f"joint{i + 1}", skeleton.types[i], springs=springs)
        inertia = random_inertia(rng, mass, kind)
        parent = "ground" if joint.kind.grounded else names[skeleton.parents[i]]
        bodies.append(Body(names[i + 1], mass, inertia, rng.normal(size=3) * 0.4, parent, joint))
    frames = [Frame(f"frame{i}", names[rng.integers(len(names))], rng.normal(size=3), random_rotation(rng)) for i in range(2)]
    frames.append(Frame("tip", names[-1], rng.normal(size=3), random_rotation(rng)))
    if rng.random() < 0.5:
        bodies = [bodies[i] for i in rng.permutation(len(bodies))]
    gravity = rng.normal(size=3) * 5 if fixed else np.zeros(3)
    return System(f"random {seed}", base, bodies, frames, fixed=fixed, gravity_m_s2=gravity)


def random_state(system: System, seed: int) -> State:
    """Return a state in which everything moves; angles anywhere, prismatic joints within 1 m."""
    rng = np.random.default_rng([seed, 1])
    N = system.layout.N
    turns = np.array([coordinate.unit == "rad" for coordinate in system.coordinates], dtype=bool)
    n_q = system.layout.n_q
    q = np.where(turns, rng.uniform(-np.pi, np.pi, n_q), rng.uniform(-1, 1, n_q))
    q = with_unit_quaternions(q, [i for i, _ in system.layout.quaternions])
    qdot = rng.normal(size=N)
    if system.fixed:
        return State(q=q, qdot=qdot)
    attitude = rng.normal(size=4)
    attitude /= np.linalg.norm(attitude)
    return State(rng.normal(size=3) * 2, attitude, q, rng.normal(size=3), rng.normal(size=3), qdot)


def random_skeleton(rng: np.random.Generator, joints: int, odds: dict[str, float]) -> Skeleton:
    """Return a chain, several arms on the base, or any tree, with welded bodies between and at the ends."""
    topology = rng.choice(["chain", "arms", "tree"])
    welds = int(rng.integers(0, 4)) if rng.random() < 0.5 else 0
    moving = rng.choice(list(odds), size=joints, p=list(odds.values()))
    types = [str(t) for t in rng.permutation([*moving, *["fixed"] * welds])]
    arms = int(rng.integers(2, 4))
    parents = []
    for i in range(len(types)):
        previous = {"chain": i, "arms": max(0, i + 1 - arms), "tree": int(rng.integers(0, i + 1))}
        parents.append(previous[str(topology)])
    return Skeleton(tuple(parents), tuple(types))


def random_kinds(rng: np.random.Generator, skeleton: Skeleton) -> list[str]:
    """Return what each body is made of; the massless, particles and rods follow massive bodies, so M stays regular.

    A massless body always carries a massive one, and so do joints of several freedoms.
    """
    unusual = rng.random() < 0.5
    kinds: list[str] = []
    for i, parent in enumerate(skeleton.parents):
        kind = str(rng.choice([MASSIVE, ROD, PARTICLE, MASSLESS], p=[0.55, 0.1, 0.15, 0.2])) if unusual else MASSIVE
        follows_massive = (parent == 0 or kinds[parent - 1] == MASSIVE) and skeleton.types[i] not in SEVERAL
        bare_end = kind == MASSLESS and skeleton.types[i] != "fixed" and not skeleton.has_children(i + 1)
        kinds.append(kind if follows_massive and not bare_end else MASSIVE)
    return kinds


def random_inertia(rng: np.random.Generator, mass: float, kind: str) -> np.ndarray:
    """Return an inertia (3, 3) about the CoM that some rigid body of this mass has: five, two, or one point masses."""
    points = rng.normal(size=({MASSIVE: 5, ROD: 2, PARTICLE: 1, MASSLESS: 1}[kind], 3)) * 0.4
    points -= points.mean(axis=0)
    each = mass / len(points)
    inertia = sum(each * ((p @ p) * np.eye(3) - np.outer(p, p)) for p in points)
    return np.asarray((inertia + inertia.T) / 2)


def random_joint(rng: np.random.Generator, name: str, kind: str, *, springs: bool = True) -> Joint:
    """Return a joint in general position; a third are placed as Denavit-Hartenberg links are; a third have springs."""
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    placed = {"origin_m": rng.normal(size=3) * 0.6, "dcm": random_rotation(rng)}
    if rng.random() < 1 / 3:
        child = dh_transform(rng.uniform(-3, 3), rng.uniform(-0.5, 0.5), rng.uniform(-3, 3), rng.uniform(0, 1))
        axis = np.array([0.0, 0.0, 1.0])
        placed |= {"child_origin_m": child[:3, 3], "child_dcm": child[:3, :3]}
    placed = {} if KINDS[kind].grounded else placed
    sprung, passive = rng.random() < 1 / 3, {"stiffness": rng.uniform(0, 20), "damping": rng.uniform(0, 5)}
    own = {key: OWN[key](rng) for key in KINDS[kind].keys if key != "axis"}
    freedoms = len(KINDS[kind].freedoms)
    if freedoms > 1:
        passive = {what: rng.uniform(0, most, freedoms) for what, most in (("stiffness", 20), ("damping", 5))}
    taken = {what: value for what, value in passive.items() if springs and sprung and freedoms and what in KINDS[kind].passive}
    return Joint(name, kind, axis, **placed, **own, **taken)


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """Return a rotation matrix (3, 3), uniform over all attitudes."""
    return np.asarray(Rotation.from_quat(rng.normal(size=4)).as_matrix())
