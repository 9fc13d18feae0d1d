"""What pushes an arm that nobody commanded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from ..actuators import Positive
from ..errors import checked
from ..spatial import Array
from ..system import State, System
from ._estimator import Estimator, Outlets
from ._instant import Instant
from ._quantities import SeriesName
from ._sensor import Labels, Sensor


class PushEstimate(NamedTuple):
    """The state that was known at the latest sample, None before the first, when that was [s], the residual (n,), and beyond
    what it counts as contact (n,).
    """

    state: State | None
    t: float
    residual: Array
    most: Array


@checked
@dataclass(frozen=True, eq=False)
class MomentumObserver(Estimator):
    """Generalized-momentum observer [DeLuca2003], [Haddadin2017]: the residual r with dr/dt = K (w - r), where w are the
    generalized forces that neither the command nor the equations of motion explain.

    With p = M u and M du/dt + h = F + w, dp/dt = F + (dM/dt) u - h + w for base and joints alike, so that accelerations are not
    asked for. From sample to sample r goes to the mean of w in between by exp(-K T), exactly where w is constant there; what F,
    (dM/dt) u and h are in between is the mean of both ends. Of free bodies it knows nothing: w has what they do to the arm.

    name : unique among sensors and estimators
    bandwidth_rad_s : K
    threshold_N, threshold_Nm : `contact` is 1 where a residual of that unit is beyond; no such residual counts if not said

    >>> from scmanip.control import Sampled
    >>> felt = MomentumObserver("felt", bandwidth_rad_s=5.0, threshold_Nm=0.5)
    >>> seen = Observation([], [felt])
    >>> run = scmanip.simulate(plant, Sampled(law, rate_Hz=50.0), state, reference=reference, t_end_s=1.0, observation=seen)
    >>> run.estimated_felt.shape[1], bool(run.estimated_felt[-1, -1])
    (11, False)
    """

    kind: ClassVar[str] = "momentum"

    name: SeriesName
    bandwidth_rad_s: Positive
    threshold_N: Positive = np.inf
    threshold_Nm: Positive = np.inf

    def labels(self, system: System, sensors: Mapping[str, Sensor]) -> Labels:
        layout = system.layout
        base = [("f_x", "N"), ("f_y", "N"), ("f_z", "N"), ("n_x", "N m"), ("n_y", "N m"), ("n_z", "N m")][: layout.n_base]
        joints = [(one.name, "N m" if one.turns else "N") for one in system.freedoms[: layout.N_tree]]
        return *base, *joints, ("contact", "1")

    def start(self, truth: Instant, outlets: Outlets, noise: Array) -> PushEstimate:
        layout, unit = truth.system.layout, [unit for _, unit in self.labels(truth.system, {})[:-1]]
        most = np.array([self.threshold_N if each == "N" else self.threshold_Nm for each in unit])
        return PushEstimate(None, truth.now_s, np.zeros(layout.n_base + layout.N_tree), most)

    def step(self, known: Instant, outlets: Outlets, memory: PushEstimate) -> PushEstimate:
        T = known.now_s - memory.t
        if memory.state is None or not T:
            return memory._replace(state=known.state, t=known.now_s)
        before, left = replace(known, state=memory.state), np.exp(-self.bandwidth_rad_s * T)
        (p_before, F_before), (p, F) = _momentum(before), _momentum(known)
        pushed = (p - p_before) / T - (F_before + F) / 2
        return memory._replace(state=known.state, t=known.now_s, residual=left * memory.residual + (1 - left) * pushed)

    def values(self, memory: PushEstimate) -> Array:
        return np.append(memory.residual, float((abs(memory.residual) > memory.most).any()))


def _momentum(instant: Instant) -> tuple[Array, Array]:
    """Return p (n,) of the base and what it carries, and dp/dt less w: F + (dM/dt) u - h, under the command that is held."""
    model, state, layout = instant.model, instant.state, instant.system.layout
    u, force, n = state.u[: layout.n_base + layout.N_tree], instant.force, layout.N_tree
    needed = model.inverse_dynamics(state, np.zeros(layout.n_u))
    M, M_dot, given = model.Hm(state), model.Hm_dot(state), force.tau[:n] - needed.tau[:n]
    if not layout.fixed:
        H0m, H0m_dot = model.H0m(state), model.H0m_dot(state)
        M = np.block([[model.H0(state), H0m], [H0m.T, M]])
        M_dot = np.block([[model.H0_dot(state), H0m_dot], [H0m_dot.T, M_dot]])
        wrench = -needed.wrench if force.wrench is None else force.wrench - needed.wrench
        given = np.concatenate([wrench, given])
    return M @ u, given + M_dot @ u
