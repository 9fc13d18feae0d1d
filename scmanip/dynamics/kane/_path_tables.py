"""Path tables [Stoneking2008]: which body and which joint lies on the way from the root to each body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from ...errors import InvalidInput, Problem, refuse
from ...spatial import Array
from ...system import Joint, System
from ..sums._parameters import one_tree_problems
from ._text import aligned


@dataclass(frozen=True)
class SpeedColumn:
    """A block of columns: the speeds "omega_1", "sigma_j" or "v_1", the number of their joint, their place in u."""

    name: str
    joint: int | None
    place: slice


@dataclass(frozen=True, eq=False)
class PathTables:
    """Bodies and joints of a tree by their labels B1, B2, ... and G1, G2, ... , and who lies on whose path.

    Bodies are numbered as in the system, the root first. Joints, welds included, have labels of their own, in any order. The
    speeds of the paper are u = [omega_1; sigma_1 ... sigma_Ng; v_1]; with a fixed base the first and the last are absent.

    bodies : names, B1 first
    joints : G1 first
    inner, outer : (n_g,) whole numbers, the bodies that each joint joins
    body_path : (n_b, n_b) truths, row: moved body, column: body on its path, itself included
    joint_path : (n_b, 1 + n_g) truths, row: moved body, column: joint on its path; the root's mass centre serves as the first
    speeds, coordinates : per joint, its entries of qdot and of q
    fixed : whether the root is held

    >>> tables = PathTables.of(system)
    >>> tables.joint_path[2].astype(int).tolist(), [column.name for column in tables.columns]
    ([1, 1, 1, 0, 0], ['omega_1', 'sigma_1', 'sigma_2', 'sigma_3', 'sigma_4', 'v_1'])
    """

    bodies: tuple[str, ...]
    joints: tuple[Joint, ...]
    inner: Array
    outer: Array
    body_path: Array
    joint_path: Array
    speeds: tuple[tuple[int, ...], ...]
    coordinates: tuple[tuple[int, ...], ...]
    fixed: bool

    @classmethod
    def of(cls, system: System, joint_order: Sequence[str] | None = None) -> PathTables:
        """Return the tables of a system; `joint_order` names all joints, welds included, G1 first (default: as their bodies).

        Raises `InvalidInput` unless every joint is named once, and for free bodies.
        """
        refuse(one_tree_problems(system))
        joints = [body.joint for body in system.bodies if body.joint is not None]
        names = [joint.name for joint in joints]
        order = np.array([names.index(name) for name in _checked(names, joint_order)], dtype=np.intp)
        speeds, coordinates = _entries([j.dof for j in joints]), _entries([j.n_q for j in joints])
        body_path = system.tree.body_path
        outer = order + 1
        return cls(
            bodies=tuple(body.name for body in system.bodies),
            joints=tuple(joints[i] for i in order),
            inner=system.tree.parent[outer],
            outer=outer,
            body_path=body_path,
            joint_path=np.column_stack([body_path[:, 0], body_path[:, outer]]),
            speeds=tuple(speeds[i] for i in order),
            coordinates=tuple(coordinates[i] for i in order),
            fixed=system.fixed,
        )

    @cached_property
    def columns(self) -> tuple[SpeedColumn, ...]:
        """The blocks of the speeds u, in order; a weld has none."""
        n, result = 0, []
        sizes = [(f"sigma_{j + 1}", j, len(speeds)) for j, speeds in enumerate(self.speeds) if speeds]
        root = [] if self.fixed else [("omega_1", None, 3)]
        for name, joint, size in [*root, *sizes, *([] if self.fixed else [("v_1", None, 3)])]:
            result.append(SpeedColumn(name, joint, slice(n, n + size)))
            n += size
        return tuple(result)

    @property
    def n_u(self) -> int:
        """Number of speeds."""
        return self.columns[-1].place.stop if self.columns else 0

    def joint_of(self, body: int) -> int:
        """Return the joint that carries a body other than the root."""
        return int(np.flatnonzero(self.outer == body)[0])

    def way(self, body: int, joint: int | None) -> tuple[tuple[int, int, int], ...]:
        """Return rho_kj, from the mass centre of body k to joint j on its path, or beta_k, to that of the root (None).

        It is a sum of (sign, body i, joint j) for +-r_ij, the vector from the mass centre of body i to joint j.
        """
        terms: list[tuple[int, int, int]] = []
        while body > 0:
            own = self.joint_of(body)
            terms.append((1, body, own))
            if own == joint:
                return tuple(terms)
            body = int(self.inner[own])
            terms.append((-1, body, own))
        return tuple(terms)

    @property
    def body_table(self) -> str:
        """The body path table as the paper prints it."""
        labels = [f"B{i + 1}" for i in range(len(self.bodies))]
        return _marked(labels, self.body_path)

    @property
    def joint_table(self) -> str:
        """The joint path table as the paper prints it."""
        return _marked(["(B1)", *(f"G{j + 1}" for j in range(len(self.joints)))], self.joint_path)

    def __str__(self) -> str:
        bodies = ", ".join(f"B{i + 1} {name}" for i, name in enumerate(self.bodies))
        ends = zip(self.joints, self.inner, self.outer, strict=True)
        joints = ", ".join(f"G{j + 1} {joint.name} (B{i + 1}-B{o + 1})" for j, (joint, i, o) in enumerate(ends))
        return f"bodies: {bodies}\njoints: {joints}\n\n{self.body_table}\n\n{self.joint_table}"


def _checked(names: list[str], order: Sequence[str] | None) -> Sequence[str]:
    if order is None:
        return names
    if sorted(order) != sorted(names):
        raise InvalidInput(Problem("joint_order", f"every joint once: {', '.join(names)}", ", ".join(order)))
    return order


def _entries(sizes: list[int]) -> list[tuple[int, ...]]:
    """Return the numbers that entries of these sizes have when they follow each other."""
    return [tuple(range(stop - size, stop)) for size, stop in zip(sizes, accumulate(sizes), strict=True)]


def _marked(labels: list[str], path: Array) -> str:
    rows = [[f"B{i + 1}", *("x" if on else "" for on in row)] for i, row in enumerate(path)]
    return aligned([["", *labels], *rows], left=1 + len(labels))
