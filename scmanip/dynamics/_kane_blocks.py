"""Omega and V of [Stoneking2008], read off the path tables: the blocks that are printed are the blocks that run.

Every block is a product of few factors, and every factor knows its value at a placement and its letters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import matmul

import numpy as np

from ..spatial import Array, scalar_type, skew
from ..system import JointType
from ._path_tables import PathTables
from ._text import aligned

NOTHING = "0"


@dataclass(frozen=True, eq=False)
class Placement:
    """Where the bodies and joints of a tree are; N is the inertial frame.

    R : (n_b, 3, 3) body axes to N; r : (n_b, 3) mass centres; p : (n_g, 3) joints by their labels, in N [m]
    Gamma, Lambda : (3, dof) per joint, its rotation and translation partials in outer axes
    """

    R: Array
    r: Array
    p: Array
    Gamma: tuple[Array, ...]
    Lambda: tuple[Array, ...]


class Factor(ABC):
    """One letter of a block."""

    @abstractmethod
    def value(self, at: Placement) -> Array:
        """Return its matrix."""

    @property
    @abstractmethod
    def text(self) -> str:
        """Its letter in plain text."""

    @property
    @abstractmethod
    def latex(self) -> str:
        """Its letter in LaTeX."""


@dataclass(frozen=True)
class Unit(Factor):
    """U, the identity."""

    text = "U"
    latex = "U"

    def value(self, at: Placement) -> Array:
        return np.eye(3)


@dataclass(frozen=True)
class Turn(Factor):
    """kCi, the direction cosines from axes of body i to those of body k, or to N where k is None."""

    k: int | None
    i: int

    @property
    def text(self) -> str:
        return f"{'N' if self.k is None else self.k + 1}C{self.i + 1}"

    @property
    def latex(self) -> str:
        return f"{{}}^{{{'N' if self.k is None else self.k + 1}}}C^{{{self.i + 1}}}"

    def value(self, at: Placement) -> Array:
        return at.R[self.i] if self.k is None else at.R[self.k].T @ at.R[self.i]


@dataclass(frozen=True)
class Lever(Factor):
    """The cross-product matrix of rho_kj, or of beta_k where j is None; `way` is its sum of +-r_ij."""

    k: int
    j: int | None
    way: tuple[tuple[int, int, int], ...]

    @property
    def text(self) -> str:
        return f"beta~_{self.k + 1}" if self.j is None else f"rho~_{_pair(self.k, self.j)}"

    @property
    def latex(self) -> str:
        if self.j is None:
            return rf"\tilde{{\beta}}_{{{self.k + 1}}}"
        return rf"\tilde{{\rho}}_{{{_pair(self.k, self.j)}}}"

    @property
    def written_out(self) -> str:
        """The vector as a sum, "beta_4 = r_43 - r_33 + r_32 - r_12"."""
        terms = [f"{'+' if sign > 0 else '-'} r_{_pair(i, j)}" for sign, i, j in self.way]
        return f"{self.text.replace('~', '')} = {' '.join(terms).removeprefix('+ ')}"

    def value(self, at: Placement) -> Array:
        vector = np.zeros(3)
        for sign, i, j in self.way:
            vector = vector + sign * (at.p[j] - at.r[i])
        return skew(vector)


@dataclass(frozen=True)
class Partial(Factor):
    """Gamma_j, or Lambda_j of a joint that slides."""

    j: int
    slides: bool = False

    @property
    def text(self) -> str:
        return f"{'Lambda' if self.slides else 'Gamma'}_{self.j + 1}"

    @property
    def latex(self) -> str:
        return rf"\{'Lambda' if self.slides else 'Gamma'}_{{{self.j + 1}}}"

    def value(self, at: Placement) -> Array:
        return (at.Lambda if self.slides else at.Gamma)[self.j]


@dataclass(frozen=True, eq=False)
class BlockMatrix:
    """Omega or V: (body, number of a column of `tables.columns`) to the factors of the block; zero elsewhere."""

    tables: PathTables
    blocks: dict[tuple[int, int], tuple[Factor, ...]]

    def value(self, at: Placement) -> Array:
        """Return the matrix (3 n_b, n_u)."""
        matrix = np.zeros((len(self.tables.bodies), 3, self.tables.n_u), dtype=scalar_type(at.R, at.r, *at.Gamma))
        for (k, column), factors in self.blocks.items():
            matrix[k][:, self.tables.columns[column].place] = reduce(matmul, [factor.value(at) for factor in factors])
        return matrix.reshape(3 * len(matrix), self.tables.n_u)

    def entry(self, body: int, column: int) -> str:
        """Return one block in letters, such as "4C3 Gamma_2"."""
        return " ".join(factor.text for factor in self.blocks.get((body, column), ())) or NOTHING

    @cached_property
    def levers(self) -> tuple[Lever, ...]:
        """Every rho and beta in it, once."""
        found = [factor for factors in self.blocks.values() for factor in factors if isinstance(factor, Lever)]
        return tuple(dict.fromkeys(found))

    @property
    def text(self) -> str:
        """The blocks in letters, one line per body, the speeds above."""
        rows = [[f"B{k + 1}", *(self.entry(k, c) for c in range(len(self.tables.columns)))] for k in self._bodies]
        return aligned([["", *(column.name for column in self.tables.columns)], *rows], left=1 + len(self.tables.columns))

    @property
    def latex(self) -> str:
        """The blocks in LaTeX."""
        columns = range(len(self.tables.columns))
        rows = [" & ".join(_product(self.blocks.get((k, c), ())) for c in columns) for k in self._bodies]
        return "\\begin{bmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{bmatrix}"

    @property
    def _bodies(self) -> range:
        return range(len(self.tables.bodies))


def partial_angular_velocities(tables: PathTables) -> BlockMatrix:
    """Omega: in the row of body k, kC1 for omega_1 and kCo Gamma_j for every joint j on its path, with outer body o."""
    blocks: dict[tuple[int, int], tuple[Factor, ...]] = {}
    for k, on_path in enumerate(tables.joint_path):
        for number, column in enumerate(tables.columns):
            j = column.joint
            if column.name == "omega_1":
                blocks[k, number] = (_turn(k, 0) or Unit(),)
            elif j is not None and on_path[1 + j] and tables.joints[j].type.turns:
                turn = _turn(k, int(tables.outer[j]))
                blocks[k, number] = (*([turn] if turn else []), Partial(j))
    return BlockMatrix(tables, blocks)


def partial_velocities(tables: PathTables) -> BlockMatrix:
    """V: in the row of body k, beta~_k NC1 for omega_1, rho~_kj NCo Gamma_j for every joint on its path, and U for v_1.

    A joint that slides has NCo Lambda_j, beyond the paper.
    """
    blocks: dict[tuple[int, int], tuple[Factor, ...]] = {}
    for k, on_path in enumerate(tables.joint_path):
        for number, column in enumerate(tables.columns):
            j = column.joint
            if column.name == "v_1":
                blocks[k, number] = (Unit(),)
            elif j is None and k > 0:
                blocks[k, number] = (Lever(k, None, tables.way(k, None)), Turn(None, 0))
            elif j is not None and on_path[1 + j]:
                turn, slides = Turn(None, int(tables.outer[j])), tables.joints[j].type is JointType.PRISMATIC
                lever = () if slides else (Lever(k, j, tables.way(k, j)),)
                blocks[k, number] = (*lever, turn, Partial(j, slides))
    return BlockMatrix(tables, blocks)


def _turn(k: int, i: int) -> Turn | None:
    return None if k == i else Turn(k, i)


def _product(factors: tuple[Factor, ...]) -> str:
    return " ".join(factor.latex for factor in factors) or NOTHING


def _pair(first: int, second: int) -> str:
    comma = "," if max(first, second) >= 9 else ""
    return f"{first + 1}{comma}{second + 1}"
