"""A spacecraft and its arms: bodies in depth-first order, frames, and the tables made from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidSystem, Problem, UnknownName, nearest
from ._arrays import FloatArray, array_problems, frozen
from ._body import Body, triangle_problems
from ._frame import Frame
from ._joint import Joint
from ._layout import Layout
from ._tree import Tree


class System:
    """Hardware without a state. Bodies are renumbered depth-first, siblings in the order given; the base is number 0.

    name : free text
    base : `Body` named "base", without parent; its mass may be 0 only when `fixed`
    bodies : the other bodies, in any order
    frames : named points; bodies (`name`), their centres of mass (`name.com`) and frames share one namespace
    fixed : hold the base in the inertial frame
    gravity_m_s2 : (3,) uniform gravity, only with a fixed base

    Raises `InvalidSystem` with every problem at once.
    """

    def __init__(
        self,
        name: str,
        base: Body,
        bodies: Iterable[Body] = (),
        frames: Iterable[Frame] = (),
        *,
        fixed: bool = False,
        gravity_m_s2: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        given, frames = list(bodies), list(frames)
        problems = _problems(base, given, frames, fixed, gravity_m_s2)
        if problems:
            raise InvalidSystem(problems)
        self.name = name
        self.bodies = (base, *_depth_first(base.name, given))
        self.frames = tuple(frames)
        self.fixed = fixed
        self.gravity_m_s2: FloatArray = frozen(gravity_m_s2)

    @property
    def base(self) -> Body:
        """The spacecraft that carries the arms, body number 0."""
        return self.bodies[0]

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The moving joints in depth-first order (welds are not numbered)."""
        return tuple(body.joint for body in self.bodies if body.joint is not None and body.joint.dof)

    @cached_property
    def tree(self) -> Tree:
        """Path tables."""
        return Tree.of(self.bodies)

    @cached_property
    def layout(self) -> Layout:
        """Order of q, u and x."""
        return Layout.of(self.joints, fixed=self.fixed, n_b=len(self.bodies))

    @property
    def mass_kg(self) -> float:
        """Total mass [kg]."""
        return sum(body.mass_kg for body in self.bodies)

    @cached_property
    def frame_names(self) -> tuple[str, ...]:
        """Every name that `frame` understands."""
        bodies = [body.name for body in self.bodies]
        return (*bodies, *(f"{name}.com" for name in bodies), *(frame.name for frame in self.frames))

    def body_number(self, name: str) -> int:
        """Return the depth-first number of a body; raises `UnknownName`."""
        for number, body in enumerate(self.bodies):
            if body.name == name:
                return number
        raise UnknownName("body", name, f"system '{self.name}'", [b.name for b in self.bodies])

    def frame(self, name: str) -> Frame:
        """Return the frame called `name`: a `[[frame]]`, a body, or a body's `.com`; raises `UnknownName`."""
        for frame in self.frames:
            if frame.name == name:
                return frame
        for body in self.bodies:
            if name == body.name:
                return Frame(name, body.name)
            if name == f"{body.name}.com":
                return Frame(name, body.name, body.com_m)
        raise UnknownName("frame", name, f"system '{self.name}'", self.frame_names)

    def warnings(self) -> list[Problem]:
        """Return what is unusual but legal: inertias that break the triangle inequality."""
        return [p for b in self.bodies for p in triangle_problems(f"body '{b.name}' inertia_kg_m2", b.inertia_kg_m2)]

    def __repr__(self) -> str:
        return f"System({self.name!r}, bodies={len(self.bodies)}, n_u={self.layout.n_u}, mass_kg={self.mass_kg:g})"


def _depth_first(root: str, bodies: Sequence[Body]) -> list[Body]:
    order: list[Body] = []
    waiting = [root]
    while waiting:
        name = waiting.pop()
        order += [body for body in bodies if body.name == name]
        waiting += [body.name for body in reversed(bodies) if body.parent == name]
    return order


def _problems(base: Body, bodies: Sequence[Body], frames: Sequence[Frame], fixed: bool, gravity: ArrayLike) -> list[Problem]:
    problems = array_problems("gravity_m_s2", gravity, (3,))
    if not problems and not fixed and np.any(np.asarray(gravity)):
        problems = [Problem("gravity_m_s2", "zero with a floating base", str(gravity), hint="[base] fixed = true")]
    if base.parent is not None:
        problems.append(Problem("base", "a body without parent", f"parent '{base.parent}'"))
    if base.name != "base":
        problems.append(Problem("base", "the name 'base'", repr(base.name)))
    if not fixed and not base.mass_kg > 0:
        problems.append(Problem("base mass_kg", "a number > 0 for a floating base", str(base.mass_kg)))
    return problems + _name_problems(base, bodies, frames) + _tree_problems(base, bodies, frames)


def _name_problems(base: Body, bodies: Sequence[Body], frames: Sequence[Frame]) -> list[Problem]:
    problems = []
    seen: set[str] = set()
    body_names = [b.name for b in (base, *bodies)]
    for name in (*body_names, *(f"{n}.com" for n in body_names), *(f.name for f in frames)):
        if name in seen:
            problems.append(Problem(f"name '{name}'", "a name used once among bodies, their .com and frames", "used twice"))
        seen.add(name)
    joints = [b.joint.name for b in bodies if b.joint is not None]
    for name in sorted({n for n in joints if joints.count(n) > 1}):
        problems.append(Problem(f"joint name '{name}'", "a name used once among joints", "used twice"))
    return problems


def _tree_problems(base: Body, bodies: Sequence[Body], frames: Sequence[Frame]) -> list[Problem]:
    problems = []
    names = {base.name, *(b.name for b in bodies)}
    for body in bodies:
        if body.parent is None:
            problems.append(Problem(f"body '{body.name}' parent", "the name of a body (the base is the only root)", "nothing"))
        elif body.parent not in names:
            hint = nearest(body.parent, names)
            problems.append(Problem(f"body '{body.name}' parent", "the name of a body", repr(body.parent), hint=hint))
    for frame in frames:
        if frame.body not in names:
            hint = nearest(frame.body, names)
            problems.append(Problem(f"frame '{frame.name}' body", "the name of a body", repr(frame.body), hint=hint))
    if not problems:
        reached = {base.name, *(b.name for b in _depth_first(base.name, bodies))}
        loose = [b.name for b in bodies if b.name not in reached]
        if loose:
            problems.append(
                Problem(f"body '{loose[0]}' parent", "a chain that ends at the base", f"a cycle of {', '.join(loose)}")
            )
    return problems
