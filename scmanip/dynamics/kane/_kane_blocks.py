"""Omega and V of [Stoneking2008], read off the path tables: the blocks that are printed are the blocks that run.

Every block is a product of few factors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import matmul

import numpy as np

from ...spatial import Array, scalar_type
from ._kane_factors import Cosines, Factor, KanePartial, Lever, Placement, Unit
from ._path_tables import PathTables
from ._text import aligned

NOTHING = "0"
Product = tuple[Factor, ...]


@dataclass(frozen=True, eq=False)
class BlockMatrix:
    """Omega or V: (body, number of a column of `tables.columns`) to the products whose sum the block is; zero elsewhere.

    >>> Omega = partial_angular_velocities(PathTables.of(system))
    >>> print(Omega.text)
        omega_1  sigma_1      sigma_2      sigma_3      sigma_4  v_1
    B1  U        0            0            0            0        0
    B2  2C1      Gamma_1      0            0            0        0
    B3  3C1      3C2 Gamma_1  Gamma_2      0            0        0
    B4  4C1      4C2 Gamma_1  4C3 Gamma_2  Gamma_3      0        0
    B5  5C1      5C2 Gamma_1  5C3 Gamma_2  5C4 Gamma_3  Gamma_4  0
    """

    tables: PathTables
    blocks: dict[tuple[int, int], list[Product]]

    def value(self, at: Placement) -> Array:
        """Return the matrix (3 n_b, n_u), of angular velocities or velocities per speed in SI."""
        matrix = np.zeros((len(self.tables.bodies), 3, self.tables.n_u), dtype=scalar_type(at.R, at.r, *at.twists))
        for (k, column), products in self.blocks.items():
            place = self.tables.columns[column].place
            for factors in products:
                matrix[k][:, place] = matrix[k][:, place] + reduce(matmul, [factor.value(at) for factor in factors])
        return matrix.reshape(3 * len(matrix), self.tables.n_u)

    def entry(self, body: int, column: int) -> str:
        """Return one block in letters, such as "4C3 Gamma_2"."""
        products = self.blocks.get((body, column), ())
        return " + ".join(" ".join(factor.text for factor in factors) for factors in products) or NOTHING

    @cached_property
    def levers(self) -> tuple[Lever, ...]:
        """Every rho and beta in it, once."""
        products = (factors for products in self.blocks.values() for factors in products)
        found = [factor for factors in products for factor in factors if isinstance(factor, Lever)]
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
        rows = [" & ".join(_sum(self.blocks.get((k, c), [])) for c in columns) for k in self._bodies]
        return "\\begin{bmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{bmatrix}"

    @property
    def _bodies(self) -> range:
        return range(len(self.tables.bodies))


def partial_angular_velocities(tables: PathTables) -> BlockMatrix:
    """Omega: in the row of body k, kC1 for omega_1 and kCo Gamma_j for every joint j on its path, with outer body o.

    >>> Omega = partial_angular_velocities(PathTables.of(system))
    >>> Omega.entry(2, 1), Omega.entry(2, 2), Omega.entry(1, 2)
    ('3C2 Gamma_1', 'Gamma_2', '0')
    """
    blocks: dict[tuple[int, int], list[Product]] = {}
    for k, on_path in enumerate(tables.joint_path):
        for number, column in enumerate(tables.columns):
            j = column.joint
            if column.name == "omega_1":
                blocks[k, number] = [(_turn(k, 0) or Unit(),)]
            elif j is not None and on_path[1 + j] and tables.joints[j].turns:
                turn = _turn(k, int(tables.outer[j]))
                blocks[k, number] = [(*([turn] if turn else []), KanePartial(j))]
    return BlockMatrix(tables, blocks)


def partial_velocities(tables: PathTables) -> BlockMatrix:
    """V: in the row of body k, beta~_k NC1 for omega_1, rho~_kj NCo Gamma_j for every joint on its path, and U for v_1.

    What slides adds NCo Lambda_j, beyond the paper.

    >>> V = partial_velocities(PathTables.of(system))
    >>> V.entry(1, 1), len(V.levers)
    ('rho~_21 NC2 Gamma_1', 14)
    """
    blocks: dict[tuple[int, int], list[Product]] = {}
    for k, on_path in enumerate(tables.joint_path):
        for number, column in enumerate(tables.columns):
            j = column.joint
            if column.name == "v_1":
                blocks[k, number] = [(Unit(),)]
            elif j is None and k > 0:
                blocks[k, number] = [(Lever(k, None, tables.way(k, None)), Cosines(None, 0))]
            elif j is not None and on_path[1 + j]:
                turn, lever = Cosines(None, int(tables.outer[j])), Lever(k, j, tables.way(k, j))
                turning: list[Product] = [(lever, turn, KanePartial(j))] if tables.joints[j].turns else []
                blocks[k, number] = turning + ([(turn, KanePartial(j, slides=True))] if tables.joints[j].slides else [])
    return BlockMatrix(tables, blocks)


def _turn(k: int, i: int) -> Cosines | None:
    return None if k == i else Cosines(k, i)


def _sum(products: list[Product]) -> str:
    return " + ".join(" ".join(factor.latex for factor in factors) for factors in products) or NOTHING
