"""Resolved motion rate control of a frame in inertial space [Umetani1989], [Wilde2018] eq. 111."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import Model
from ..errors import ModeMismatch, Problem, refuse
from ..guidance import JointReference, PoseReference, Sample
from ..modes import BaseDriven, CentroidalDynamics, ManoeuvreMode, Situation
from ..spatial import Array, is_number
from ..system import State
from ._believing import AroundEstimate
from ._controller import Controller
from ._estimate import pose_sample
from ._gains import row, row_problems
from ._moving_frame import in_space
from ._pose_error import pose_error_of
from ._recorded_law import RecordedLaw, RecordedWrapper, believed_of, recorded_law
from ._resolution import Resolution


@dataclass(frozen=True, eq=False, init=False, repr=False)
class ResolvedRate(AroundEstimate):
    """Lead a frame along a reference in N: joint rates from the twist that it shall have, and a joint law that follows them.

        qdot_D = J# (t_D + K e - d),   qddot_D = J# (tdot_D + K (t_D - t))

    J and d say what the joints do to the twist of the frame, t = J qdot + d: on a base that nothing drives J is the generalized
    Jacobian J* [Wilde2018] eq. 110 and d what the momentum adds; on a held base J is that of the arm; where the mode drives
    the base, its commanded speeds count as given and the others react (`CentroidalDynamics`). J# is the inverse by least
    squares, damped near singularities (`Resolution`). e is the error of the position and, where the reference has an
    attitude, 2 sin(angle / 2) about the axis of the shorter turn; without one only the first three rows of J count. The
    derivative of J is left out of qddot_D, so that errors remain while the frame moves which vanish when it is at rest.

    law : follows qdot_D and qddot_D, its position gains having nothing to pull at; its estimate gives J
    K : gains of the pose [1/s], one number or (6,), first those of the position, finite and >= 0
    sigma_0 : singular values of J below which it is damped, in SI, > 0; no joint rate exceeds |t_D + K e - d| / sigma_0

    Raises `InvalidInput` for a law that follows no joints or believes in no model, and numbers out of range; `command` where
    there is no reference of a frame.

    >>> leads = ResolvedRate(law, K=1.0)
    >>> tau, _ = leads.command(2.5, state, reach.at(2.5), None)
    >>> resolution = leads.resolution(state, reach.at(2.5))
    >>> tau.shape, resolution.J.shape
    ((4,), (3, 4))
    """

    K: Array
    sigma_0: float
    follows = (PoseReference,)

    def __init__(self, law: Controller, *, K: ArrayLike = 0.5, sigma_0: float = 0.05) -> None:
        given: Any = law
        problems = row_problems("K", K, 6)
        if not (isinstance(given, Controller) and JointReference in given.follows and given.believed is not None):
            problems.append(Problem("law", "a law that follows joints by an estimate, such as ComputedTorque", repr(law)))
        if not (is_number(sigma_0) and sigma_0 > 0):
            problems.append(Problem("sigma_0", "a finite number > 0", repr(sigma_0)))
        refuse(problems)
        vars(self).update(law=law, K=row(K, 6), sigma_0=float(sigma_0))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its own, and those of the law inside but for what that says of a place and of accelerations, which it never sees."""
        inner = {key: value for key, value in self.law.settings.items() if key not in ("K_P", "feedforward")}
        return {"K": self.K, "sigma_0": self.sigma_0, **inner}

    @property
    def equations(self) -> tuple[str, ...]:
        """Its own, and those of the law inside."""
        return ("resolved_rate", *self.law.equations)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command of the law inside for the joint rates that move the frame, and its next memory."""
        pose = pose_sample("ResolvedRate", reference, f" at t = {t:g} s")
        return self.law.command(t, state, self.joints(state, pose), memory)

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return those of the law inside, which follows these joint rates."""
        pose = pose_sample("ResolvedRate", reference, f" at t = {t:g} s")
        return self.law.state_rate(t, state, self.joints(state, pose), memory)

    def joints(self, state: State, pose: PoseReference) -> JointReference:
        """Return what the joints should do in `state`: be where they are, with the rates that lead the frame to `pose`."""
        now = Situation.of(self.estimate, state)
        return _joints(now, in_space(now, pose), self.resolution(state, pose), self.K)

    def resolution(self, state: State, pose: PoseReference) -> Resolution:
        """Return J, d and how well J can be inverted in `state`; of the position alone where `pose` has no attitude."""
        return _resolution(self.law, Situation.of(self.estimate, state), pose, self.sigma_0)

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` where the law inside does, and for a system without joints."""
        super().check(model, mode)
        if not model.layout.N:
            raise ModeMismatch(f"ResolvedRate moves a frame by joints, and system '{model.system.name}' has none")

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        inner = recorded_law(self.law)
        return None if inner is None else _Recorded(self, inner)

    def __repr__(self) -> str:
        return f"ResolvedRate({self.law!r}, K={self.K.tolist()}, sigma_0={self.sigma_0:g})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedWrapper):
    """The law, and the one inside as equations."""

    law: ResolvedRate
    inner: RecordedLaw

    @property
    def follows(self) -> type[PoseReference]:
        return PoseReference

    @property
    def takes(self) -> tuple[type[PoseReference]]:
        return (PoseReference,)

    @property
    def key(self) -> Hashable:
        return "resolved rate", self.inner.key

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {"K": self.law.K, "sigma_0": np.array([self.law.sigma_0]), **self.inner.numbers}

    def said(self, x: Array, wanted: PoseReference, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        now = Situation.recorded(self.law.estimate, x, believed_of(numbers))
        wanted = in_space(now, wanted)
        resolved = _resolution(self.law.law, now, wanted, numbers["sigma_0"][0])
        return self.inner.said(x, _joints(now, wanted, resolved, numbers["K"]), numbers, memory)


def _joints(now: Situation, pose: PoseReference, resolved: Resolution, K: Array) -> JointReference:
    """Return what the joints should do, over any scalar."""
    error = pose_error_of(now, pose)
    rows = len(error)
    gains, twist = K[:rows], pose.twist[:rows]
    wanted = twist + gains * error - resolved.drift
    layout = now.system.layout
    change = pose.twist_dot[:rows] + gains * (twist - resolved.J @ now.qdot[: layout.N_tree] - resolved.drift)
    rates, accelerations = layout.among_all(resolved.rates(np.column_stack([wanted, change])).T)
    return JointReference(now.q, rates, accelerations)


def _resolution(law: Controller, now: Situation, pose: PoseReference, sigma_0: Any) -> Resolution:
    J, drift = _joint_jacobian(law, now, pose.frame)
    rows = 3 if pose.attitude_xyzw is None else 6
    return Resolution(J[:rows], drift[:rows], sigma_0)


def _joint_jacobian(law: Controller, now: Situation, frame: str) -> tuple[Array, Array]:
    """Return J (6, N_tree) and d (6,) with t = J qdot + d, qdot of the joints that the base carries, over any scalar."""
    mode = law.made_for
    if not isinstance(mode, BaseDriven):
        J, drift = now.of_frame(frame, "J_star", "J_star_drift")
        return J, drift
    whole, N = np.hstack(now.of_frame(frame, "J0", "Jm")), now.system.layout.N_tree
    J = whole[:, 6 : 6 + N]
    if not mode.places_base:
        driven = CentroidalDynamics.at(now).driven(mode.actuated(now.system.layout))
        J = driven.jacobian(whole)[:, -N:]
    return J, whole @ now.u - J @ now.qdot[:N]
