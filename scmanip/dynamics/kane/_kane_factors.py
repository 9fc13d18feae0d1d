"""The letters of Omega and V [Stoneking2008]: every factor knows its value at a placement and how it is written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ...spatial import Array, skew


@dataclass(frozen=True, eq=False)
class Placement:
    """Where the bodies and joints of a tree are; N is the inertial frame.

    R : (n_b, 3, 3) body axes to N; r : (n_b, 3) mass centres; p : (n_g, 3) joints by their labels, in N [m]
    twists : (dof, 6) per joint, velocity of the outer body at the joint and angular velocity per speed, in outer axes
    """

    R: Array
    r: Array
    p: Array
    twists: tuple[Array, ...]


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
class Cosines(Factor):
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
class KanePartial(Factor):
    """Gamma_j (3, dof), or Lambda_j of what slides."""

    j: int
    slides: bool = False

    @property
    def text(self) -> str:
        return f"{'Lambda' if self.slides else 'Gamma'}_{self.j + 1}"

    @property
    def latex(self) -> str:
        return rf"\{'Lambda' if self.slides else 'Gamma'}_{{{self.j + 1}}}"

    def value(self, at: Placement) -> Array:
        return at.twists[self.j][:, slice(0, 3) if self.slides else slice(3, 6)].T


def _pair(first: int, second: int) -> str:
    comma = "," if max(first, second) >= 9 else ""
    return f"{first + 1}{comma}{second + 1}"
