"""Forces of contacts of which each does what is assumed of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..spatial import Array
from ._choice import ContactChoice, Grip
from ._problem import ContactProblem

RANK = 1e-11  # of the largest singular value: what is less tells nothing about forces
_ITERATIONS = 24  # of Newton's method, which doubles the digits; a third of them has to come near
_LARGEST_TURN = 0.6  # rad of one iteration
_NEAR = 0.05  # rad: what still steps farther after a third of the iterations is left
_STILL = 1e-12  # rad: the next step of Newton would be its square
_DAMPING = 1e-14  # of the squared size of a Jacobian; it delays convergence by as much where it is regular


@dataclass(frozen=True, eq=False)
class Modes:
    """One choice for every contact: linear equations in the forces once all directions of slip are known.

    equations : rows of W f + b = 0 that hold; turning : contacts whose direction of slip is sought
    """

    problem: ContactProblem
    choices: Sequence[ContactChoice]

    @property
    def equations(self) -> list[int]:
        """Rows of a that are zero: normals of closed contacts, tangents of those that stick."""
        normals = [i for i, choice in enumerate(self.choices) if choice.closed]
        return normals + [
            j for i in self._with(Grip.STICK) for j in range(*self.problem.tangents(i).indices(len(self.problem.b)))
        ]

    @property
    def turning(self) -> list[int]:
        """Contacts whose direction of slip is sought."""
        return self._with(Grip.TURN)

    def _with(self, grip: Grip) -> list[int]:
        return [i for i, choice in enumerate(self.choices) if choice.grip is grip]

    def forces(self, starts: Array) -> Array:
        """Return forces (s, d) that these modes ask for; starts (s, m): angles of slip of the m turning contacts to begin from.

        Forces are the smallest where the equations leave some open. What does not satisfy the conditions is not left out.
        """
        angles = starts
        for iteration in range(_ITERATIONS if self.turning else 0):
            step = self._newton(angles)
            angles = angles + step
            size = np.max(abs(step), axis=1, initial=0.0)
            if iteration == _ITERATIONS // 3:
                angles, size = angles[size < _NEAR], size[size < _NEAR]
            if np.all(size < _STILL):
                break
        return self._forces_at(angles)

    def _forces_at(self, angles: Array) -> Array:
        """Return forces (s, d) with slip in directions that are given by angles (s, m)."""
        rows = self.equations
        fixed, B = self._basis(self._directions(angles))
        W, b = self.problem.W[rows], self.problem.b[rows]
        return fixed + _times(B, least_norm(W @ B, -(fixed @ W.T + b)))

    def _newton(self, angles: Array) -> Array:
        """Return a step of the angles (s, m) of slip towards those in which friction opposes the acceleration of slip."""
        problem, rows, m = self.problem, self.equations, len(self.turning)
        S = self._directions(angles)
        fixed, B = self._basis(S)
        f = fixed + _times(B, _damped(problem.W[rows] @ B, -(fixed @ problem.W[rows].T + problem.b[rows])))
        across = np.stack([-S[..., 1], S[..., 0]], axis=-1)
        dF, P = np.zeros((*f.shape, m)), np.zeros((len(f), m, len(problem.b)))
        for j, i in enumerate(self.turning):
            dF[:, problem.tangents(i), j] = -(problem.mu[i] * f[:, i, None]) * across[:, i]
            P[:, j, problem.tangents(i)] = across[:, i]
        a = f @ problem.W.T + problem.b
        along = np.stack([np.sum(S[:, i] * a[:, problem.tangents(i)], axis=1) for i in self.turning], axis=1)
        E = np.broadcast_to(np.eye(len(problem.b))[rows], (len(f), len(rows), len(problem.b)))
        R = np.concatenate([E, P], axis=1)
        jacobian = R @ problem.W @ np.concatenate([B, dF], axis=2)
        jacobian[:, len(rows) :, B.shape[2] :] -= along[:, :, None] * np.eye(m)
        step = _damped(jacobian, -_times(R, a))[:, B.shape[2] :]
        return step * np.minimum(1, _LARGEST_TURN / np.maximum(np.max(abs(step), axis=1, keepdims=True), 1e-300))

    def _directions(self, angles: Array) -> Array:
        """Return directions of slip (s, c, k)."""
        S = np.repeat(np.array([choice.direction for choice in self.choices])[None], len(angles), axis=0)
        for j, i in enumerate(self.turning):
            S[:, i] = np.stack([np.cos(angles[:, j]), np.sin(angles[:, j])], axis=-1)
        return S

    def _basis(self, S: Array) -> tuple[Array, Array]:
        """Return f0 (s, d) and B (s, d, y) of f = f0 + B y, as slip in directions S (s, c, k) has it."""
        problem = self.problem
        fixed, columns = np.zeros((len(S), len(problem.b))), []
        for i, choice in enumerate(self.choices):
            column = np.zeros((len(S), len(problem.b)))
            column[:, i] = 1
            column[:, problem.tangents(i)] = -problem.mu[i] * S[:, i]
            if choice.closed:
                columns.append(column)
            else:
                fixed += problem.floor[i] * column
        for i in self._with(Grip.STICK):
            columns += list(
                np.broadcast_to(np.eye(len(problem.b))[problem.tangents(i)][:, None], (problem.k, len(S), len(problem.b)))
            )
        return fixed, np.stack(columns, axis=-1) if columns else np.zeros((len(S), len(problem.b), 0))


def least_norm(K: Array, r: Array) -> Array:
    """Return the smallest of the y (s, m) that come nearest to K y = r; K (s, l, m), r (s, l); once refined."""
    U, sizes, V = np.linalg.svd(K, full_matrices=False)
    kept = sizes > RANK * np.max(sizes, axis=-1, keepdims=True, initial=0.0)
    weights = np.where(kept, 1 / np.where(kept, sizes, 1), 0)
    y = np.zeros((len(K), K.shape[2]))
    for _ in range(2):
        y = y + _times(V.swapaxes(-1, -2), weights * _times(U.swapaxes(-1, -2), r - _times(K, y)))
    return y


def _damped(K: Array, r: Array) -> Array:
    """Return about what `least_norm` does, as good as a step of an iteration has to be."""
    K_T = K.swapaxes(-1, -2)
    size = np.einsum("slm,slm->s", K, K)
    S = K_T @ K + (_DAMPING * size + np.finfo(float).tiny)[:, None, None] * np.eye(K.shape[2])
    return np.linalg.solve(S, _times(K_T, r)[..., None])[..., 0]


def _times(A: Array, x: Array) -> Array:
    """Return A x of every case: (s, l, m) and (s, m) give (s, l)."""
    return np.einsum("slm,sm->sl", A, x)
