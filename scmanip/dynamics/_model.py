"""A system's equations behind one door: states in, arrays out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidState, Problem, SingularInertia
from ..spatial import DCM, Array, RotationForm
from ..system import Layout, State, System
from ._batch import Batch
from ._door import (
    Wrenches,
    body_point,
    check_rank,
    check_regular,
    check_state,
    checked,
    checked_wrenches,
    frame_point,
)
from ._equations import BodyMomentum, Equations, FloatingInverseDynamics, InverseDynamics, Momentum, Point
from ._jacobians import resolved_joint_rates
from ._kernel import Kernel
from ._parameters import Parameters
from ._quantities import quantity

ZERO, IDENTITY = np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0])


class Model:
    """Numbers from states. Made by `compile_model`; every method takes a `State` and returns fresh arrays.

    Components are inertial (N), speeds u = [v_0; omega_0; qdot], twists [v; omega], wrenches [f; n]. With a fixed base
    the six base rows and columns are absent. `system`, `layout` and `kinematics` say what it was made from.
    Equation numbers are those of [Wilde2018]. Every method raises `InvalidState` for a state of another system and
    `UnknownName` for a frame or body that does not exist.
    """

    def __init__(self, system: System, kinematics: RotationForm) -> None:
        self.system, self.kinematics = system, kinematics
        self._parameters = Parameters.of(system)
        self._last: tuple[State, Equations] | None = None
        self.batch = Batch(lambda name, state, **inputs: getattr(self, name)(state, **inputs))

    @property
    def layout(self) -> Layout:
        """Order and names of q, qdot, u and x."""
        return self.system.layout

    def equations(self, state: State) -> Equations:
        """Return the lazily evaluated equations of one checked state; those of the latest state are kept."""
        last = self._last
        if last is not None and last[0] is state:
            return last[1]
        check_state(state, self.layout)
        fixed = state.fixed
        equations = Equations(
            self._parameters,
            self.kinematics,
            q=state.q,
            qdot=state.qdot,
            attitude=IDENTITY if fixed else state.attitude_xyzw,
            r_0=ZERO if fixed else state.r_0,
            v_0=ZERO if fixed else state.v_0,
            omega_0=ZERO if fixed else state.omega_0,
        )
        self._last = (state, equations)
        return equations

    def point(self, frame: str | None, body: str | None = None, point_m: ArrayLike | None = None) -> Point:
        """Return a named frame, or a run-time point `point_m` (3,) [m] in axes of `body` from its frame's origin."""
        if frame is not None and body is None and point_m is None:
            return frame_point(self.system, frame)
        if frame is None and body is not None:
            return body_point(self.system, body, ZERO if point_m is None else point_m)
        raise InvalidState(Problem("point", "a frame, or body= and point_m=", f"frame={frame!r}, body={body!r}"))

    def evaluate(self, name: str, state: State, **inputs: ArrayLike) -> tuple[Array, ...]:
        """Return the arrays of a quantity by its name, such as "H", "J_star:tip" or "forward_dynamics" with tau=..."""
        what, frame = quantity(name)
        sizes = {"tau": self.layout.N, "wrench": 6, "udot": self.layout.n_u, "qddot": self.layout.N}
        given = {key: checked(key, inputs[key], (sizes[key],)) for key in what.inputs}
        equations = self.equations(state)
        if "tau" in what.inputs:
            check_regular(equations, self.system, "in this state")
        point = None if frame is None else self.point(frame)
        return tuple(np.array(a) for a in what.evaluate(equations, point, given))

    def kernel(self, *names: str) -> Kernel:
        """Return the fast door, one callable `(x, inputs..., outputs...)` for one or several quantities.

        names : such as "H", "J_star:tip", "forward_dynamics:wrench". Inputs tau, wrench, udot, qddot come once each, in
        this order, then one array per output in the order of the names.
        """
        return Kernel(self.layout, names, self.evaluate)

    # Inertia

    def H0(self, state: State) -> Array:
        """Base inertia (6, 6), eq. 28."""
        return np.array(self.equations(state).H0)

    def H0m(self, state: State) -> Array:
        """Coupling inertia (6, N), eq. 31."""
        return np.array(self.equations(state).H0m)

    def Hm(self, state: State) -> Array:
        """Arm inertia (N, N), eq. 36."""
        return np.array(self.equations(state).Hm)

    def M(self, state: State) -> Array:
        """Whole inertia (n_u, n_u), eq. 27."""
        return np.array(self.equations(state).M)

    def H(self, state: State) -> Array:
        """Generalized inertia (N, N) of the arm on a freely reacting base, eq. 45."""
        return np.array(self.equations(state).H)

    def H0_inverse(self, state: State) -> Array:
        """Inverse of H0 (6, 6), eq. 52."""
        return np.array(self.equations(state).H0_inverse)

    def S_U(self, state: State) -> Array:
        """Inertia of the system about its CoM (3, 3) [kg m^2], eq. 53."""
        return np.array(self.equations(state).S_U)

    def r_0C(self, state: State) -> Array:
        """From the base CoM (fixed base: its frame origin) to the system CoM (3,) [m], eq. 14."""
        return np.array(self.equations(state).r_0C)

    # Derivatives

    def H0_dot(self, state: State) -> Array:
        """Time derivative of H0 (6, 6) with the state's omega_0, eq. 74."""
        return np.array(self.equations(state).H0_dot)

    def H0m_dot(self, state: State) -> Array:
        """Time derivative of H0m (6, N) with the state's omega_0, eq. 77."""
        return np.array(self.equations(state).H0m_dot)

    def Hm_dot(self, state: State) -> Array:
        """Time derivative of Hm (N, N), eq. 66."""
        return np.array(self.equations(state).Hm_dot)

    def Hdot(self, state: State) -> Array:
        """Time derivative of H (N, N), eq. 65."""
        return np.array(self.equations(state).Hdot)

    def dH0_dq(self, state: State) -> Array:
        """Gradient of H0 (6, 6, N), base attitude held, eq. 99."""
        return np.moveaxis(np.array(self.equations(state).dH0_dq), 0, -1)

    def dH0m_dq(self, state: State) -> Array:
        """Gradient of H0m (6, N, N), base attitude held, eq. 95."""
        return np.moveaxis(np.array(self.equations(state).dH0m_dq), 0, -1)

    def dHm_dq(self, state: State) -> Array:
        """Gradient of Hm (N, N, N), last axis the joint, eq. 82."""
        return np.moveaxis(np.array(self.equations(state).dHm_dq), 0, -1)

    def dH_dq(self, state: State) -> Array:
        """Gradient of H (N, N, N), last axis the joint, eq. 81."""
        return np.moveaxis(np.array(self.equations(state).dH_dq), 0, -1)

    def c(self, state: State) -> Array:
        """c = -1/2 qdot' dH/dq qdot (N,), eq. 48."""
        return np.array(self.equations(state).c)

    def C(self, state: State) -> Array:
        """C = Hdot qdot + c (N,), velocity forces without momentum, eq. 49."""
        return np.array(self.equations(state).C)

    def momentum_bias(self, state: State) -> Array:
        """What the state's own P and L add (N,): H qddot + C + momentum_bias = tau, zero without momentum."""
        return np.array(self.equations(state).momentum_bias)

    def coriolis_matrix(self, state: State) -> Array:
        """Matrix (N, N) with matrix @ qdot = C and Hdot - 2 matrix skew-symmetric."""
        return np.array(self.equations(state).coriolis_matrix)

    def gravity_force(self, state: State) -> Array:
        """Joint forces (N,) that hold the bodies against gravity; zero with a floating base."""
        return np.array(self.equations(state).gravity_force)

    # Points

    def position(
        self, state: State, frame: str | None = None, *, body: str | None = None, point_m: ArrayLike | None = None
    ) -> Array:
        """Position (3,) [m] of a frame, or of `point_m` (3,) on `body`, from the inertial origin."""
        return np.array(self.equations(state).position(self.point(frame, body, point_m)))

    def attitude(self, state: State, frame: str) -> Array:
        """Unit quaternion (4,) x, y, z, w of a frame, frame to inertial."""
        return np.array(self.equations(state).attitude_of(self.point(frame)))

    def J0(self, state: State, frame: str | None = None, *, body: str | None = None, point_m: ArrayLike | None = None) -> Array:
        """Base Jacobian (6, 6) of a frame, or of `point_m` (3,) on `body`, eq. 105; (6, 0) with a fixed base."""
        return np.array(self.equations(state).J0(self.point(frame, body, point_m)))

    def Jm(self, state: State, frame: str | None = None, *, body: str | None = None, point_m: ArrayLike | None = None) -> Array:
        """Arm Jacobian (6, N) of a frame, or of `point_m` (3,) on `body`, eq. 104."""
        return np.array(self.equations(state).Jm(self.point(frame, body, point_m)))

    def J_star(
        self, state: State, frame: str | None = None, *, body: str | None = None, point_m: ArrayLike | None = None
    ) -> Array:
        """Generalized Jacobian (6, N) of a frame, or of `point_m` (3,) on `body`, eq. 110."""
        return np.array(self.equations(state).J_star(self.point(frame, body, point_m)))

    def J_star_drift(
        self, state: State, frame: str | None = None, *, body: str | None = None, point_m: ArrayLike | None = None
    ) -> Array:
        """Twist (6,) that the state's momentum adds: twist = J_star qdot + J_star_drift."""
        return np.array(self.equations(state).J_star_drift(self.point(frame, body, point_m)))

    def resolved_joint_rates(self, state: State, frame: str, twist: ArrayLike) -> Array:
        """Joint rates (N,) that give `frame` the twist (6,) [v; omega] while the base reacts freely, eq. 111.

        Raises `NumericalFailure` where J_star has lost rank.
        """
        equations, point = self.equations(state), self.point(frame)
        wanted = checked("twist", twist, (6,)) - equations.J_star_drift(point)
        J_star = equations.J_star(point)
        check_rank(J_star, frame)
        return np.array(resolved_joint_rates(J_star, wanted))

    # Momentum and energy

    def momentum(self, state: State) -> Momentum:
        """P (3,) [N s], L_0 about the base CoM and L_C about the system CoM (3,) [N m s], eq. 42."""
        momentum = self.equations(state).momentum
        return Momentum(np.array(momentum.P), np.array(momentum.L_0), np.array(momentum.L_C))

    def momentum_by_body(self, state: State) -> BodyMomentum:
        """P (n_b, 3) and L_C (n_b, 3) about the system CoM of every body, base first."""
        momentum = self.equations(state).momentum_by_body
        return BodyMomentum(np.array(momentum.P), np.array(momentum.L_C))

    def kinetic_energy(self, state: State) -> float:
        """T [J], eq. 26."""
        return float(self.equations(state).kinetic_energy)

    # Dynamics

    def forward_dynamics(self, state: State, tau: ArrayLike, wrench: ArrayLike | None = None, wrenches: Wrenches = ()) -> Array:
        """Accelerations udot (n_u,) under joint forces, a base wrench and wrenches at points, eq. 39.

        tau : (N,) actuator forces [N m or N]; the file's springs, dampers and gravity are added
        wrench : (6,) [f; n] on the base at its CoM (not with a fixed base)
        wrenches : pairs (frame or (body, point_m), [f; n] about that point)

        Raises `SingularInertia`, naming the joint, where M cannot be inverted.
        """
        equations = self.equations(state)
        if wrench is not None and self.layout.fixed:
            raise InvalidState(Problem("wrench", "none with a fixed base", "a base wrench", hint="use wrenches="))
        forces = checked("tau", tau, (self.layout.N,))
        base = None if wrench is None else checked("wrench", wrench, (6,))
        check_regular(equations, self.system, "in this state")
        return np.array(equations.forward_dynamics(forces, base, checked_wrenches(self.system, wrenches)))

    def inverse_dynamics(self, state: State, udot: ArrayLike) -> InverseDynamics:
        """`.wrench` (6,) on the base and `.tau` (N,) that produce udot (n_u,), eq. 39.

        `.wrench` acts at the base CoM; with a fixed base it is what the ground applies at the base frame's origin.
        """
        return self.equations(state).inverse_dynamics(checked("udot", udot, (self.layout.n_u,)))

    def floating_inverse_dynamics(self, state: State, qddot: ArrayLike) -> FloatingInverseDynamics:
        """`.tau` (N,) for joint accelerations qddot (N,) of a freely reacting base, and `.base_acceleration` (6,)."""
        return self.equations(state).floating_inverse_dynamics(checked("qddot", qddot, (self.layout.N,)))

    def __repr__(self) -> str:
        return f"Model({self.system!r}, kinematics={self.kinematics!r})"


def compile_model(system: System, *, kinematics: RotationForm | None = None, quantities: Sequence[str] = ()) -> Model:
    """Return the model of a system.

    kinematics : `DCM()` (the default) or `Quaternion()`, how rotations are carried along the chain
    quantities : names to prepare ahead of their first use, such as ("H", "forward_dynamics")

    Raises `SingularInertia`, naming the joint, when M is singular in every configuration, and `UnknownName`.
    """
    model = Model(system, DCM() if kinematics is None else kinematics)
    for name in quantities:
        quantity(name)
    _check_structure(model)
    return model


def _check_structure(model: Model) -> None:
    """Raise `SingularInertia` when M is singular at three configurations that share no symmetry."""
    failure: SingularInertia | None = None
    for k in (1, 2, 3):
        q = np.array([((j + 1) * k * 0.6180339887498949) % 1 + 0.1 for j in range(model.layout.n_q)])
        try:
            check_regular(model.equations(State.at_rest(model.system, q)), model.system, "in every configuration")
        except SingularInertia as singular:
            failure = singular
        else:
            return
    if failure is not None:
        raise failure
