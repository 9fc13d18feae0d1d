"""Normal and frictional forces, or impulses, that contacts give together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array

TOLERANCE = 1e-9  # of the largest number of its kind: by how much a condition of contact may be missed


@dataclass(frozen=True, eq=False)
class ContactProblem:
    """Find f with a = W f + b, in SI throughout, such that every contact is closed, open, sticks or slides as Coulomb has it.

    Contact as complementarity [Pfeiffer1996], of forces or of impulses. Contact i has the normal entry i and the k
    tangential entries c + k i ...; a_n >= 0, f_n >= floor, one of them with equality; f_t = -mu f_n s where s is
    the direction of slip, otherwise |f_t| <= mu f_n where a_t = 0 and f_t = -mu f_n a_t / |a_t| where it is not.

    W : (d, d) symmetric, semi-definite; b : (d,); mu : (c,)
    slip : (c, k) unit vectors s of contacts that slide already, zero where a contact rests
    floor : (c,) least normal entries of f, 0 for forces

    >>> problem = ContactProblem.at_rest(W=np.eye(2), b=np.array([-1.0, 2.0]), mu=np.array([0.5]))
    >>> problem.c, problem.k, bool(problem.misses(np.array([[1.0, -0.5]]))[0] < 1e-9)  # it slides
    (1, 1, True)
    """

    W: Array
    b: Array
    mu: Array
    slip: Array
    floor: Array

    @classmethod
    def at_rest(cls, W: Array, b: Array, mu: Array, floor: Array | None = None) -> ContactProblem:
        """Return the problem in which no direction of slip (c, k) is given, as it is for impulses."""
        c = len(mu)
        k = len(b) // c - 1
        return cls(W, b, mu, np.zeros((c, k)), np.zeros(c) if floor is None else floor)

    @property
    def c(self) -> int:
        """How many contacts there are."""
        return len(self.mu)

    @property
    def k(self) -> int:
        """How many tangents each has."""
        return self.slip.shape[1]

    @property
    def slides(self) -> Array:
        """(c,) which contacts slide already."""
        return np.any(self.slip != 0, axis=1)

    def tangents(self, i: int) -> slice:
        """Return where the tangential entries of contact i are."""
        return slice(self.c + self.k * i, self.c + self.k * (i + 1))

    def split(self, f: Array) -> tuple[Array, Array]:
        """Return the normal (..., c) and the tangential (..., c, k) entries of f (..., d)."""
        return f[..., : self.c], f[..., self.c :].reshape(*f.shape[:-1], self.c, self.k)

    def units(self, f: Array) -> tuple[Array, Array]:
        """Return the largest numbers (s,) that enter a = W f + b and f (s, d), 1 where all are zero."""
        of_a = np.max(abs(self.b), initial=0.0) + np.max(abs(f) @ abs(self.W).T, axis=1, initial=0.0)
        of_f = np.max(abs(f), axis=1, initial=0.0) + np.max(self.floor, initial=0.0)
        return np.where(of_a > 0, of_a, 1.0), np.where(of_f > 0, of_f, 1.0)

    def misses(self, f: Array) -> Array:
        """Return by how much candidates f (s, d) miss their worst conditions, in parts of the largest number: (s,)."""
        a = f @ self.W.T + self.b
        unit_a, unit_f = (unit[:, None] for unit in self.units(f))
        (f_n, f_t), (a_n, a_t) = self.split(f), self.split(a)
        normal = abs(np.minimum(a_n / unit_a, (f_n - self.floor) / unit_f))
        friction = self._friction(f_n / unit_f, f_t / unit_f[..., None], a_t / unit_a[..., None])
        return np.max(np.maximum(normal, friction), axis=1, initial=0.0)

    def _friction(self, f_n: Array, f_t: Array, a_t: Array) -> Array:
        """Return by how much friction misses Coulomb's law, from scaled numbers: (s, c)."""
        most = self.mu * f_n
        sliding = np.max(abs(f_t + most[..., None] * self.slip), axis=2, initial=0.0)
        beyond = np.linalg.norm(f_t, axis=2) - most
        speed = np.linalg.norm(a_t, axis=2)
        opposed = np.max(abs(f_t * speed[..., None] + most[..., None] * a_t), axis=2, initial=0.0)
        return np.where(self.slides, sliding, np.maximum(beyond, opposed))
