"""The motion with dependent speeds substituted before partial velocities are read off [Gillespie2003] eqs 16-17, 21-27, 35.

The paper's longer way: it sees every body and no matrix of the system, and agrees with the recombined equations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...spatial import Array, cross, solve, transpose
from ..constraints._embedding import Embedding
from ._body_partials import Partials, Placements, accelerations, of_mass_centres, origin_partials
from ._speeds import Place, SpeedMap


@dataclass(frozen=True, eq=False)
class Substituted:
    """A system at a place whose speeds u (n_u,) are those of an embedding, over any scalar; without turners and rotors."""

    place: Place
    u: Array
    embedding: Embedding

    @cached_property
    def placements(self) -> Placements:
        """How links stand to their parents."""
        return Placements.of(self.place.parameters, self.place)

    @cached_property
    def partials(self) -> Partials:
        """Constrained partial velocities of the mass centres, eqs 26-27, in the axes of the bodies."""
        parameters, speeds = self.place.parameters, SpeedMap(self.embedding.W, self.embedding.X)
        return of_mass_centres(parameters, origin_partials(parameters, self.placements, speeds))

    @cached_property
    def inertia(self) -> Array:
        """(p, p) of the independent speeds: the coefficients of udot_ind in -F~*_r."""
        parameters, p = self.place.parameters, len(self.embedding.independent)
        total = np.zeros((p, p))
        for m, I, w, v in zip(parameters.m, parameters.inertia, self.partials.omega_r, self.partials.v_r, strict=True):
            total = total + transpose(w) @ (I @ w) + m * (transpose(v) @ v)
        return total

    def inertia_forces(self, udot: Array) -> Array:
        """Return F~*_r (p,), eqs 17, 33 with the constrained partial velocities, less the weights' F~_r."""
        parameters = self.place.parameters
        motion = accelerations(parameters, self.placements, self.u, udot, -parameters.gravity)
        rows = zip(self.partials.omega_r, self.partials.v_r, motion.omega, motion.alpha, motion.a, strict=True)
        total = np.zeros(len(self.embedding.independent))
        for m, I, (w, v, omega, alpha, a) in zip(parameters.m, parameters.inertia, rows, strict=True):
            total = total - transpose(w) @ (I @ alpha + cross(omega, I @ omega)) - m * (transpose(v) @ a)
        return total

    def accelerations(self, F: Array) -> Array:
        """Return udot (n_u,) of F~_r + F~*_r = 0 under generalized forces F (n_u,), springs and dampers included."""
        W, remainder = self.embedding.W, self.embedding.remainder
        if not self.embedding.independent:
            return remainder
        return W @ solve(self.inertia, transpose(W) @ F + self.inertia_forces(remainder)) + remainder
