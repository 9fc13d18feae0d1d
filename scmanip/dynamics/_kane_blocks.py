"""Omega and V of [Stoneking2008], read off the path tables: the blocks that are printed are the blocks that run.

Every block is a product of few factors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import matmul

import numpy as np

from ..spatial import Array, scalar_type
from ..system import JointType
from ._kane_factors import Factor, Lever, Partial, Placement, Turn, Unit
from ._path_tables import PathTables
from ._text import aligned

NOTHING = "0"


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
