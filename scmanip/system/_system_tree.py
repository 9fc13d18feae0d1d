"""A tree of bodies that hangs on nothing, as a system of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..spatial import opened
from .parts._body import Body
from .parts._spring_damper import SpringDamper

if TYPE_CHECKING:
    from ._system import System


@dataclass(frozen=True, eq=False)
class SystemTree:
    """The base, or a free body, and all that it carries.

    system : the tree alone, its root as the base; free trees have neither actuators nor gravity
    root : name of the root in the whole system
    bodies, q, qdot : places of its bodies, and of the coordinates and speeds of its joints, in those of the whole
    pose, twist : places in q (7) and in qdot (6) of a free root; empty for the base
    springs : numbers of its springs between points in those of the whole

    >>> (tree,) = system.trees
    >>> tree.root, tree.bodies, tree.q
    ('base', slice(0, 5, None), slice(0, 4, None))
    """

    system: System
    root: str
    bodies: slice
    q: slice
    qdot: slice
    pose: slice
    twist: slice
    springs: tuple[int, ...]

    def paths(self, paths: Iterable[str]) -> dict[str, str]:
        """Return those of some numbers of the whole system that are of this tree, by their paths in it."""
        every = self.system.numbers()
        called = {path: path.replace(f"body.{self.root}.", "body.base.", 1) for path in paths}
        own = {called[path]: path for path in paths if self.root == "base" or not path.startswith("body.base.")}
        return {name: path for name, path in own.items() if name.removesuffix("]").rpartition("[")[0] in every or name in every}

    def frame_name(self, name: str) -> str:
        """Return what a frame of the whole system, which lies in this tree, is called in it."""
        return {self.root: "base", f"{self.root}.com": "base.com"}.get(name, name)


def system_trees(system: System) -> tuple[SystemTree, ...]:
    """Return the trees of a system, that of the base first."""
    roots = [number for number, body in enumerate(system.bodies) if number == 0 or body.grounded]
    n_q = n_u = 0
    trees = []
    for first, end in zip(roots, [*roots[1:], len(system.bodies)], strict=True):
        own, root = system.bodies[first:end], system.bodies[first]
        pose, twist = slice(n_q, n_q + 7 * bool(first)), slice(n_u, n_u + 6 * bool(first))
        joints = [body.joint for body in own[1:] if body.joint is not None]
        q = slice(pose.stop, pose.stop + sum(joint.n_q for joint in joints))
        qdot = slice(twist.stop, twist.stop + sum(joint.dof for joint in joints))
        n_q, n_u = q.stop, qdot.stop
        names = {body.name for body in own}
        springs = tuple(k for k, spring in enumerate(system.springs) if system.frame(spring.between[0]).body in names)
        alone = _alone(system, own, [system.springs[k] for k in springs])
        trees.append(SystemTree(alone, root.name, slice(first, end), q, qdot, pose, twist, springs))
    return tuple(trees)


def _alone(system: System, bodies: Sequence[Body], springs: Sequence[SpringDamper]) -> System:
    """Return a tree as a system whose base is its root; the system itself where it is one tree."""
    if len(bodies) == len(system.bodies):
        return system
    root, names = bodies[0], {body.name for body in bodies}
    called = {root.name: "base", f"{root.name}.com": "base.com"}
    base = root if root.joint is None else opened(root, {"name": "base", "parent": None, "joint": None})
    others = [opened(body, {"parent": called.get(body.parent or "", body.parent)}) for body in bodies[1:]]
    frames = [opened(frame, {"body": called.get(frame.body, frame.body)}) for frame in system.frames if frame.body in names]
    ends = [
        opened(spring, {"between": (called.get(a, a), called.get(b, b))}) for spring in springs for a, b in [spring.between]
    ]
    parts = {
        "bodies": (base, *others),
        "frames": (*frames,),
        "springs": (*ends,),
        "shapes": (),
        "constraints": (),
        "visuals": (),
    }
    on_base = root is system.base
    held = {"fixed": system.fixed and on_base, "gravity_m_s2": system.gravity_m_s2 if on_base else np.zeros(3)}
    return opened(system, {**parts, **held, "actuators": system.actuators if on_base else ()})
