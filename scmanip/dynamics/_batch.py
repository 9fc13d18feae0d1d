"""Many states at once: the names of `Model` with a leading axis of cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidState, Problem
from ..spatial import Array
from ..system import State
from ._door import Wrenches
from ._equations import BodyMomentum, FloatingInverseDynamics, InverseDynamics, Momentum


class Batch:
    """Every quantity of a `Model` for a batch of n states (`State.stack`).

    Inputs carry a leading axis n or are shared by all cases; results carry it. `out` receives the result when given;
    `threads` is how many threads may share the cases (the reference functions use one).
    """

    def __init__(self, single: Callable[..., Any]) -> None:
        self._single = single

    def _map(self, name: str, states: State, out: Array | None, **inputs: Any) -> Any:
        if states.x.ndim != 2 or not len(states):
            found = f"shape {states.x.shape}"
            raise InvalidState(Problem("states", "a batch of one or more cases", found, hint="use State.stack"))
        cases = [{key: _case(value, i) for key, value in inputs.items()} for i in range(len(states))]
        result = _stacked([self._single(name, states[i], **case) for i, case in enumerate(cases)])
        if out is None:
            return result
        if out.shape != result.shape:
            raise InvalidState(Problem("out", f"shape {result.shape}", f"shape {out.shape}"))
        out[...] = result
        return out

    def H0(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Base inertia (n, 6, 6), as `Model.H0`."""
        return self._map("H0", states, out)

    def H0m(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Coupling inertia (n, 6, N), as `Model.H0m`."""
        return self._map("H0m", states, out)

    def Hm(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Arm inertia (n, N, N), as `Model.Hm`."""
        return self._map("Hm", states, out)

    def M(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Whole inertia (n, n_u, n_u), as `Model.M`."""
        return self._map("M", states, out)

    def H(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Generalized inertia (n, N, N), as `Model.H`."""
        return self._map("H", states, out)

    def H0_inverse(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Inverse of H0 (n, 6, 6), as `Model.H0_inverse`."""
        return self._map("H0_inverse", states, out)

    def S_U(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """System inertia about its CoM (n, 3, 3), as `Model.S_U`."""
        return self._map("S_U", states, out)

    def r_0C(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """From the base CoM to the system CoM (n, 3), as `Model.r_0C`."""
        return self._map("r_0C", states, out)

    def Hdot(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Time derivative of H (n, N, N), as `Model.Hdot`."""
        return self._map("Hdot", states, out)

    def dH_dq(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Gradient of H (n, N, N, N), as `Model.dH_dq`."""
        return self._map("dH_dq", states, out)

    def C(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Velocity forces without momentum (n, N), as `Model.C`."""
        return self._map("C", states, out)

    def c(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Convective vector (n, N), as `Model.c`."""
        return self._map("c", states, out)

    def momentum_bias(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """What momentum adds to C (n, N), as `Model.momentum_bias`."""
        return self._map("momentum_bias", states, out)

    def coriolis_matrix(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Coriolis matrix (n, N, N), as `Model.coriolis_matrix`."""
        return self._map("coriolis_matrix", states, out)

    def H0_dot(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Time derivative of H0 (n, 6, 6), as `Model.H0_dot`."""
        return self._map("H0_dot", states, out)

    def H0m_dot(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Time derivative of H0m (n, 6, N), as `Model.H0m_dot`."""
        return self._map("H0m_dot", states, out)

    def Hm_dot(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Time derivative of Hm (n, N, N), as `Model.Hm_dot`."""
        return self._map("Hm_dot", states, out)

    def dH0_dq(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Gradient of H0 (n, 6, 6, N), as `Model.dH0_dq`."""
        return self._map("dH0_dq", states, out)

    def dH0m_dq(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Gradient of H0m (n, 6, N, N), as `Model.dH0m_dq`."""
        return self._map("dH0m_dq", states, out)

    def dHm_dq(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Gradient of Hm (n, N, N, N), as `Model.dHm_dq`."""
        return self._map("dHm_dq", states, out)

    def gravity_force(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Joint forces against gravity (n, N), as `Model.gravity_force`."""
        return self._map("gravity_force", states, out)

    def kinetic_energy(self, states: State, out: Array | None = None, threads: int = 1) -> Array:
        """Kinetic energy (n,), as `Model.kinetic_energy`."""
        return self._map("kinetic_energy", states, out)

    def J0(
        self,
        states: State,
        frame: str | None = None,
        *,
        body: str | None = None,
        point_m: ArrayLike | None = None,
        out: Array | None = None,
        threads: int = 1,
    ) -> Array:
        """Base Jacobians (n, 6, 6) of a frame or of a point on a body, as `Model.J0`."""
        return self._map("J0", states, out, frame=frame, body=body, point_m=_shared(point_m))

    def Jm(
        self,
        states: State,
        frame: str | None = None,
        *,
        body: str | None = None,
        point_m: ArrayLike | None = None,
        out: Array | None = None,
        threads: int = 1,
    ) -> Array:
        """Arm Jacobians (n, 6, N) of a frame or of a point on a body, as `Model.Jm`."""
        return self._map("Jm", states, out, frame=frame, body=body, point_m=_shared(point_m))

    def J_star(
        self,
        states: State,
        frame: str | None = None,
        *,
        body: str | None = None,
        point_m: ArrayLike | None = None,
        out: Array | None = None,
        threads: int = 1,
    ) -> Array:
        """Generalized Jacobians (n, 6, N) of a frame or of a point on a body, as `Model.J_star`."""
        return self._map("J_star", states, out, frame=frame, body=body, point_m=_shared(point_m))

    def J_star_drift(
        self,
        states: State,
        frame: str | None = None,
        *,
        body: str | None = None,
        point_m: ArrayLike | None = None,
        out: Array | None = None,
        threads: int = 1,
    ) -> Array:
        """Twists that momentum adds (n, 6) of a frame or of a point on a body, as `Model.J_star_drift`."""
        return self._map("J_star_drift", states, out, frame=frame, body=body, point_m=_shared(point_m))

    def position(
        self,
        states: State,
        frame: str | None = None,
        *,
        body: str | None = None,
        point_m: ArrayLike | None = None,
        out: Array | None = None,
        threads: int = 1,
    ) -> Array:
        """Positions (n, 3) of a frame or of a point on a body, as `Model.position`."""
        return self._map("position", states, out, frame=frame, body=body, point_m=_shared(point_m))

    def attitude(self, states: State, frame: str, out: Array | None = None, threads: int = 1) -> Array:
        """Unit quaternions (n, 4) of a frame, as `Model.attitude`."""
        return self._map("attitude", states, out, frame=frame)

    def momentum(self, states: State, threads: int = 1) -> Momentum:
        """`.P .L_0 .L_C` (n, 3), as `Model.momentum`."""
        return self._map("momentum", states, None)

    def momentum_by_body(self, states: State, threads: int = 1) -> BodyMomentum:
        """`.P .L_C` (n, n_b, 3), as `Model.momentum_by_body`."""
        return self._map("momentum_by_body", states, None)

    def forward_dynamics(
        self,
        states: State,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        wrenches: Wrenches = (),
        out: Array | None = None,
        threads: int = 1,
    ) -> Array:
        """Accelerations (n, n_u), as `Model.forward_dynamics`; tau (n, N) or (N,), wrenches (n, 6) or (6,)."""
        tau, wrench = np.asarray(tau, dtype=float), None if wrench is None else np.asarray(wrench, dtype=float)
        return self._map("forward_dynamics", states, out, tau=tau, wrench=wrench, wrenches=wrenches)

    def inverse_dynamics(self, states: State, udot: ArrayLike, threads: int = 1) -> InverseDynamics:
        """`.wrench` (n, 6) and `.tau` (n, N), as `Model.inverse_dynamics`; udot (n, n_u) or (n_u,)."""
        return self._map("inverse_dynamics", states, None, udot=np.asarray(udot, dtype=float))

    def floating_inverse_dynamics(self, states: State, qddot: ArrayLike, threads: int = 1) -> FloatingInverseDynamics:
        """`.base_acceleration` (n, 6) and `.tau` (n, N), as `Model.floating_inverse_dynamics`."""
        return self._map("floating_inverse_dynamics", states, None, qddot=np.asarray(qddot, dtype=float))


def _shared(value: ArrayLike | None) -> list[float] | None:
    """Return a point as a list, which `_case` hands to every case unchanged."""
    return None if value is None else list(np.asarray(value, dtype=float))


def _case(value: Any, i: int) -> Any:
    """Return what case i sees: row i of an array with a leading axis, anything else as it is."""
    if isinstance(value, np.ndarray) and value.ndim == 2:
        return value[i]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [(item[0], _case(np.asarray(item[1], dtype=float), i)) if isinstance(item, tuple) else item for item in value]
    return value


def _stacked(results: list[Any]) -> Any:
    """Return arrays, or dataclasses of arrays, with a leading axis."""
    first = results[0]
    if not is_dataclass(first):
        return np.array(results)
    columns = {f.name: np.array([getattr(r, f.name) for r in results]) for f in fields(first)}
    return type(first)(**columns)  # type: ignore[misc]
