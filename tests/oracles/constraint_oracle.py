"""Frames held to frames: multipliers over Pinocchio's M and bias, and Pinocchio's own constraint and impulse dynamics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from scmanip.constraints import PointOnPoint, Weld
from scmanip.spatial import Array
from scmanip.system import State, System

from .pinocchio_oracle import PinocchioOracle

Held = Sequence[Weld | PointOnPoint]


@dataclass(frozen=True, eq=False)
class Solution:
    """udot (n_u,) or u after a jump, and lambda (k,) of each constraint, on b in N."""

    u: Array
    forces: dict[str, Array]


class ConstraintOracle:
    """Welds and points between frames of a system, rows in N."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.twin = PinocchioOracle(system)

    def by_multipliers(self, state: State, held: Held, tau: Array, wrench: Array | None) -> Solution:
        """Return the smallest forces that give admissible accelerations; the state obeys the constraints."""
        M, (A, drift) = self.twin.M(state), self._rows(state, held)
        rest = np.concatenate(self.twin.inverse_dynamics(state, np.zeros(len(M))))[-len(M) :]
        F = tau if self.system.fixed else np.concatenate([wrench, tau])
        free = np.linalg.solve(M, F - rest)
        return self._answer(M, A, free, A @ free + drift, held)

    def jump(self, state: State, held: Held) -> Solution:
        """Return the speeds after the constraints begin to hold, and impulses."""
        A, _ = self._rows(state, held)
        return self._answer(self.twin.M(state), A, state.u, A @ state.u, held)

    def _answer(self, M: Array, A: Array, u: Array, miss: Array, held: Held) -> Solution:
        """Return u + M^-1 A' lambda with A of that = A u - miss; rank and smallest lambda by singular values."""
        L_inverse = np.linalg.inv(np.linalg.cholesky(M))
        scaled = A @ L_inverse.T
        U, s, Vt = np.linalg.svd(scaled, full_matrices=False)
        m = int((s > max(1e-9 * s[0], 1e-13)).sum())
        move = -(Vt[:m].T @ ((U[:, :m].T @ miss) / s[:m]))  # L'(u+ - u)
        force = L_inverse.T @ move
        lambdas = U[:, :m] @ ((Vt[:m] @ move) / s[:m])
        ends = np.cumsum([_count(one) for one in held])[:-1]
        return Solution(u + force, dict(zip((one.name for one in held), np.split(lambdas, ends), strict=True)))

    def _rows(self, state: State, held: Held) -> tuple[Array, Array]:
        """Return A (k, n_u) and drift (k,) of b's velocity relative to a, in N."""
        rows, drifts = [], []
        for one in held:
            a, b = (self._frame(state, name) for name in one.frames)
            r = b.p - a.p
            J = np.concatenate([b.J[:3] - a.J[:3] + pin.skew(r) @ a.J[3:], b.J[3:] - a.J[3:]])
            va, vb = a.J @ state.u, b.J @ state.u
            linear = b.drift[:3] - a.drift[:3] - np.cross(a.drift[3:], r) - np.cross(va[3:], vb[:3] - va[:3])
            rows.append(J[: _count(one)])
            drifts.append(np.concatenate([linear, b.drift[3:] - a.drift[3:]])[: _count(one)])
        return np.concatenate(rows), np.concatenate(drifts)

    def _frame(self, state: State, name: str) -> _Frame:
        n = self.system.layout.n_u
        if name == "ground":
            return _Frame(np.zeros(3), np.zeros((6, n)), np.zeros(6))
        frame = self.system.frame(name)
        (model, places), twin = self.twin.free, self.twin
        data, (joint, placement) = model.createData(), places[frame.body]
        own = np.concatenate([np.zeros(6), twin._drift(state)]) if self.system.fixed else twin._drift(state)
        pin.forwardKinematics(model, data, twin._free_q(state), twin._free_v(state), own)
        a = pin.classicAcceleration(data.v[joint], data.a[joint], placement * pin.SE3(np.eye(3), frame.origin_m))
        R = data.oMi[joint].rotation @ placement.rotation
        alpha = data.oMi[joint].rotation @ data.a[joint].angular
        p = (data.oMi[joint] * placement).act(frame.origin_m)
        return _Frame(p, twin.jacobian(state, frame.body, frame.origin_m), np.concatenate([R @ a, alpha]))

    # Pinocchio's own

    def by_pinocchio(self, state: State, held: Held, tau: Array, wrench: Array | None) -> Array:
        """Return udot (n_u,) of `constraintDynamics`, which iterates where rows are redundant."""
        (model, _), twin = self.twin.model, self.twin
        data, contacts, S = model.createData(), self._contacts(state, held), twin._S(state)
        generalized = tau - twin._passive(state)
        if not self.system.fixed:
            generalized = np.concatenate([wrench, generalized])
        datas, settings = _datas(contacts), pin.ProximalSettings(1e-15, 1e-15, 1e-10, 100)
        later = int(pin.__version__.split(".")[0]) >= 4  # earlier releases take no data of the constraints here
        pin.initConstraintDynamics(model, data, contacts, *([datas] if later else []))
        force = np.linalg.solve(S.T, generalized)
        a = pin.constraintDynamics(model, data, twin._q(state), S @ state.u, force, contacts, datas, settings)
        return np.linalg.solve(S, a - twin._drift(state))

    def jump_by_pinocchio(self, state: State, held: Held) -> Array:
        """Return u (n_u,) after `impulseDynamics`, given rows that are orthogonal in place of redundant ones."""
        (model, _), twin, S = self.twin.model, self.twin, self.twin._S(state)
        _, s, Vt = np.linalg.svd(np.linalg.solve(S.T, self._rows(state, held)[0].T).T, full_matrices=False)
        J = Vt[s > max(1e-9 * s[0], 1e-13)]
        if not len(J):
            return state.u
        return np.linalg.solve(S, pin.impulseDynamics(model, model.createData(), twin._q(state), S @ state.u, J, 0.0, 0.0))

    def _contacts(self, state: State, held: Held) -> pin.StdVec_RigidConstraintModel:
        """Return contacts between what is at b's origin on both bodies, where the constraints find it."""
        (model, places), contacts = self.twin.model, pin.StdVec_RigidConstraintModel()
        data = model.createData()
        pin.forwardKinematics(model, data, self.twin._q(state))
        for one in held:
            a, b = ((0, pin.SE3.Identity()) if n == "ground" else self._place(places, n) for n in one.frames)
            met = data.oMi[b[0]] * b[1]
            first, second = ((k, data.oMi[k].actInv(met)) for k in (a[0], b[0]))
            ends = (*second, *first) if not first[0] else (*first, *second)  # the ground comes second
            kind = pin.ContactType.CONTACT_6D if _count(one) == 6 else pin.ContactType.CONTACT_3D
            contacts.append(pin.RigidConstraintModel(kind, model, *ends, pin.ReferenceFrame.LOCAL))
        return contacts

    def _place(self, places: dict[str, tuple[int, pin.SE3]], name: str) -> tuple[int, pin.SE3]:
        frame = self.system.frame(name)
        joint, placement = places[frame.body]
        return joint, placement * pin.SE3(np.array(frame.dcm), np.array(frame.origin_m))


@dataclass(frozen=True, eq=False)
class _Frame:
    p: Array
    J: Array
    drift: Array


def _count(one: Weld | PointOnPoint) -> int:
    return 6 if isinstance(one, Weld) else 3


def _datas(contacts: pin.StdVec_RigidConstraintModel) -> pin.StdVec_RigidConstraintData:
    datas = pin.StdVec_RigidConstraintData()
    datas.extend([contact.createData() for contact in contacts])
    return datas
