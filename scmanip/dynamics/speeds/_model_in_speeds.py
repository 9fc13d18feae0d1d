"""A model in other generalized speeds: states in, arrays out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...compiled import CompiledProgram, compile_program
from ...errors import InvalidInput, InvalidState, NumericalFailure, Problem, checked_as
from ...spatial import Array, least_squares, singular_values
from ...symbolic import Operations, Program
from ...system import State, System
from ..model._model import Model
from ..programs._door import Wrenches, check_state, checked, no_base_wrench, where_of
from ..programs._implementation import Full
from ..programs._symbolic_model import SymbolicModel
from ..sums._motors import bodies_alone
from ..sums._results import Point
from ._generalized_forces import GeneralizedForces, Loads, PartialVelocities, generalized_forces
from ._speed_change import SpeedChange
from ._speed_equations import ByPartialVelocities, ProjectedSums
from ._speed_quantities import Ways, evaluated, speed_program
from ._speeds import SpeedMap, Speeds

LEAST = 1e-10  # of the largest singular value


class ModelInSpeeds:
    """The equations of a model in generalized speeds s: u = W s + X, M_s sdot + bias_s = F. Made by `change_speeds`.

    Every method takes a `State`, whose u must be possible in these speeds, and the time `t` [s], 0 unless W or X depend on
    it; it returns fresh arrays. Forces F (p,) do work on s. Programs are recorded and compiled at their first use with
    `Full()`; with the other implementations the paper's sums are evaluated on floats. Every method raises `InvalidState`
    for a state that does not fit and `NumericalFailure`, naming the speeds, where they lose rank.

    In SI throughout; speeds of one's own have the units that W gives them, so that F s is a power [W], and u, udot, tau and
    wrenches are those of `Model`, in N.

    model : the same system in u; speeds : the choice, change : its equations over any scalar; names : of the speeds (p)

    >>> changed = change_speeds(model, JointRates())
    >>> changed.names[6:], changed.W(state).shape
    (('joint1', 'joint2', 'joint3', 'joint4'), (10, 10))
    """

    def __init__(self, model: Model, speeds: Speeds) -> None:
        self.model, self.speeds = model, speeds
        if model.system.turners:
            turners = model.system.turners
            hint, expected = f"write the {turners.each[0].kind}s as bodies on revolute joints", f"one without {turners.tables}"
            raise InvalidInput(Problem("system", f"{expected} for a change of speeds", repr(model.system), hint=hint))
        self.change = SpeedChange(model.symbolic.derivation, speeds)
        self.names = self.change.names
        self._programs: dict[tuple[str, ...], tuple[Program, Ways]] = {}
        self._compiled: dict[tuple[str, ...], CompiledProgram] = {}
        self._maps: list[CompiledProgram] = []

    @property
    def system(self) -> System:
        """The hardware."""
        return self.model.system

    def with_values(self, values: Mapping[str, ArrayLike]) -> ModelInSpeeds:
        """Return the same with other values, () or arrays, of numbers in `model.symbols`, as `Model.with_values`."""
        other = ModelInSpeeds(self.model.with_values(values), self.speeds)
        other._programs, other._compiled, other._maps = self._programs, self._compiled, self._maps
        return other

    def __reduce__(self) -> tuple[type[ModelInSpeeds], tuple[Model, Speeds]]:
        return ModelInSpeeds, (self.model, self.speeds)

    def __repr__(self) -> str:
        return f"ModelInSpeeds({self.model!r}, {self.speeds!r})"

    # Programs

    def program(self, *names: str) -> Program:
        """Return one program of some quantities: W X Wdot Xdot rates accelerations forces M bias inverse_dynamics
        forward_dynamics partial_velocities generalized_forces.

        Inputs are the open numbers of the model, r_0 and attitude_xyzw of a floating base, q, t, s, and f (n_u,), F (p,),
        sdot (p,) where needed. Of the ways that there are the one with the fewest operations is taken.
        """
        return self._recorded(names)[0]

    def operations(self, *names: str) -> Operations:
        """Return what one evaluation of these quantities costs."""
        return self.program(*names).operations

    def kernel(self, *names: str) -> Callable[..., None]:
        """Return the fast door: one callable `(inputs..., outputs...)` of `program`, which checks nothing but shapes."""
        return self._compiled_program(names).function

    def card(self) -> str:
        """Return the speeds and, of every program recorded so far, the way taken and its operations, as text."""
        lines = [repr(self), f"s = ({', '.join(self.names)})"]
        for names, (program, way) in self._programs.items():
            lines.append(f"{', '.join(names)}: by {way.form}, {program.operations}")
        return "\n".join(lines)

    def _recorded(self, names: tuple[str, ...]) -> tuple[Program, Ways]:
        if names not in self._programs:
            self._programs[names] = speed_program(self.change, names)
        return self._programs[names]

    def _compiled_program(self, names: tuple[str, ...]) -> CompiledProgram:
        if names not in self._compiled:
            self._compiled[names] = compile_program(self._recorded(names)[0])
        return self._compiled[names]

    # Between s and u

    def speeds_of(self, state: State, t: float = 0.0) -> Array:
        """Return s (p,) of the state's own u.

        Raises `InvalidState` where no s gives this u: the speeds hold a motion constraint that the state breaks.
        """
        return self._given(state, t)["s"]

    def state(self, state: State, s: ArrayLike, t: float = 0.0) -> State:
        """Return the state at the same place that moves with the speeds s (p,)."""
        given = {**self._place(state, t), "s": checked("s", s, (len(self.names),))}
        self._map(given)
        x = np.array(state.hardware)
        x[self.model.layout.x_u] = self._value("rates", given)
        return State.unpack(x, self.model.layout)

    def accelerations(self, state: State, sdot: ArrayLike, t: float = 0.0) -> Array:
        """Return udot (n_u,) [m/s^2, rad/s^2] = W sdot + Wdot s + Xdot."""
        return self._value("accelerations", self._given(state, t, sdot=sdot))

    def W(self, state: State, t: float = 0.0) -> Array:
        """W (n_u, p) of u = W s + X."""
        return self._value("W", self._given(state, t))

    def X(self, state: State, t: float = 0.0) -> Array:
        """X (n_u,) [m/s, rad/s] of u = W s + X."""
        return self._value("X", self._given(state, t))

    def Wdot(self, state: State, t: float = 0.0) -> Array:
        """Time derivative of W (n_u, p) along the motion."""
        return self._value("Wdot", self._given(state, t))

    def Xdot(self, state: State, t: float = 0.0) -> Array:
        """Time derivative of X (n_u,) [m/s^2, rad/s^2] along the motion."""
        return self._value("Xdot", self._given(state, t))

    # Dynamics

    def M(self, state: State, t: float = 0.0) -> Array:
        """M_s (p, p) = W' M W."""
        return self._value("M", self._given(state, t))

    def bias(self, state: State, t: float = 0.0) -> Array:
        """bias_s (p,): the forces F that sdot = 0 takes, against gravity, springs and dampers too."""
        return self._value("bias", self._given(state, t))

    def forces(
        self,
        state: State,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        wrenches: Wrenches = (),
        t: float = 0.0,
    ) -> Array:
        """F (p,) = W' f of joint forces, a base wrench and wrenches at points, given as for `Model.forward_dynamics`."""
        return self._value("forces", self._given(state, t, f=self._applied(state, tau, wrench, wrenches)))

    def forward_dynamics(
        self,
        state: State,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        wrenches: Wrenches = (),
        t: float = 0.0,
    ) -> Array:
        """sdot (p,), in units of s per second, under joint forces, a base wrench and wrenches at points.

        tau, wrench, wrenches : as of `Model.forward_dynamics`

        Raises `SingularInertia`, naming the joint, where M cannot be inverted; fewer speeds than u may not need that.
        """
        check_state(state, self.model.layout)
        all_of_u = len(self.names) == self.model.layout.n_u
        if all_of_u:
            self.model._check_gimbals(state.hardware)
        given = self._given(state, t, f=self._applied(state, tau, wrench, wrenches))
        sdot = self._value("forward_dynamics", {**given, "F": self._value("forces", given)})
        if all_of_u or not np.isfinite(sdot).all():
            self.model._judge(state, tau, sdot)
        return sdot

    def inverse_dynamics(self, state: State, sdot: ArrayLike, t: float = 0.0) -> Array:
        """F (p,), in [W] per unit of each speed, that gives sdot (p,) beside gravity, springs and dampers."""
        return self._value("inverse_dynamics", self._given(state, t, sdot=sdot))

    # As in the paper's tables

    def partial_velocities(self, state: State, t: float = 0.0) -> PartialVelocities:
        """Partial angular velocities of all bodies and partial velocities of their mass centres, in N and SI, at t [s]."""
        return PartialVelocities.of(ByPartialVelocities(self.change, self._given(state, t)))

    def generalized_forces(
        self,
        state: State,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        wrenches: Wrenches = (),
        *,
        sdot: ArrayLike | None = None,
        t: float = 0.0,
    ) -> GeneralizedForces:
        """F_r and F_r* of every body, with sdot (p,) or, without it, the accelerations that the forces give.

        Then the sum of both over all bodies is zero.
        """
        if sdot is None:
            sdot = self.forward_dynamics(state, tau, wrench, wrenches, t)
        given = self._given(state, t, sdot=sdot)
        joints = checked("tau", tau, (self.model.layout.N,))
        if wrench is not None:
            no_base_wrench(self.model.layout)
        base = np.zeros(6) if wrench is None else checked("wrench", wrench, (6,))
        points = [(self._point(where), checked("wrenches", w, (6,))) for where, w in wrenches]
        return generalized_forces(ByPartialVelocities(self.change, given), given["sdot"], Loads(joints, base, points))

    # What goes in

    def _place(self, state: State, t: float) -> dict[str, Array]:
        check_state(state, self.model.layout)
        base = {} if state.fixed else {"r_0": state.r_0, "attitude_xyzw": state.attitude_xyzw}
        return {**self.change.derivation.numbers, **base, "q": state.q, "t": checked("t", t, ())}

    def _map(self, place: dict[str, Array]) -> SpeedMap:
        """Return the map at a place, of full rank."""
        if isinstance(self.model.implementation, Full):
            outs = {o.name: np.empty(o.shape) for o in self._map_program.program.outputs}
            self._map_program.function(*(place[i.name] for i in self._map_program.program.inputs), *outs.values())
            speeds = SpeedMap(**outs)
        else:
            speeds = self.change.map(place)
        check_rank(speeds, self.names, f"of system '{self.system.name}' at q = {place['q'].tolist()}")
        return speeds

    @property
    def _map_program(self) -> CompiledProgram:
        if not self._maps:
            self._maps.append(compile_program(self.change.map_program))
        return self._maps[0]

    def _given(self, state: State, t: float, **extra: ArrayLike) -> dict[str, Array]:
        """Return the inputs of a state; further ones are checked."""
        place = self._place(state, t)
        sizes = {"f": self.model.layout.n_u, "sdot": len(self.names)}
        more = {key: checked(key, value, (sizes[key],)) for key, value in extra.items()}
        return {**place, "s": self._speeds(place, state.u), **more}

    def _speeds(self, place: dict[str, Array], u: Array) -> Array:
        speeds = self._map(place)
        if speeds.A is not None and speeds.B is not None:
            return speeds.A @ u + speeds.B
        s = least_squares(speeds.W, u - speeds.X)
        miss = np.abs(speeds.W @ s + speeds.X - u)
        scale = max(np.abs(u).max(initial=0.0), np.abs(speeds.X).max(initial=0.0))
        if miss.max(initial=0.0) > 1e-9 * scale:
            hint = f"ModelInSpeeds.state(state, s) gives one that does, with s = {s.tolist()} the nearest"
            found = f"a difference of {miss.max():.3g} in u"
            raise InvalidState(Problem("state", f"u = W s + X for some s ({', '.join(self.names)})", found, hint=hint))
        return s

    def _applied(self, state: State, tau: ArrayLike, wrench: ArrayLike | None, wrenches: Wrenches) -> Array:
        """Return the generalized forces f (n_u,) that all given forces amount to."""
        joints, base = self.model._loaded(state, tau, wrench, wrenches)
        return joints if self.model.layout.fixed else np.concatenate([base, joints])

    def _point(self, where: str | tuple[str, ArrayLike]) -> Point:
        place = where_of(where)
        return self.model.point(place.pop("frame", None), **place)

    def _value(self, name: str, given: dict[str, Array]) -> Array:
        if not isinstance(self.model.implementation, Full):
            return np.asarray(evaluated(ProjectedSums(self.change, given), [name], given)[name], dtype=float)
        compiled = self._compiled_program((name,))
        out = np.empty(compiled.program.outputs[0].shape)
        compiled.function(*(np.asarray(given[i.name], dtype=np.float64) for i in compiled.program.inputs), out)
        return out


@checked_as(InvalidInput)
def change_speeds(model: Model | SymbolicModel, speeds: Speeds) -> ModelInSpeeds:
    """Return the model in other generalized speeds [Kane1983] eq. 1; nothing is recorded yet.

    speeds : `JointRates()`, `BodyAngularVelocity(body, joints)`, `DecouplingSpeeds()`, or one's own as
        `SpeedsFromRates(names, A, B)` or `RatesFromSpeeds(names, W, X)`

    Raises `InvalidInput` where the choice does not fit the system, and for turners and rotors of motors.

    >>> changed = change_speeds(compile_model(system, implementation=Reference()), DecouplingSpeeds())
    >>> M = changed.M(state)
    >>> changed.names[6:], bool(np.allclose(M, np.diag(np.diag(M))))
    (('joint1*', 'joint2*', 'joint3*', 'joint4*'), True)
    """
    model = Model(model) if isinstance(model, SymbolicModel) else model
    changed = ModelInSpeeds(model, speeds)
    bodies_alone(model.symbolic.derivation.parameters, "change_speeds")
    return changed


def check_rank(speeds: SpeedMap, names: Sequence[str], where: str) -> None:
    """Raise `NumericalFailure`, naming the speeds, where A cannot be solved for u or columns of W depend on each other."""
    matrix, rows = ("W", speeds.W.T) if speeds.A is None else ("A", speeds.A)
    if full_rank(rows):
        return
    dependent = ", ".join(f"'{names[k]}'" for k in dependent_rows(rows))
    raise NumericalFailure(
        f"the generalized speeds {dependent} {where} depend on each other: {matrix} has lost rank; "
        "stay away from this place or choose other speeds"
    )


def full_rank(rows: Array) -> bool:
    """Whether the rows (k, n), each scaled to length 1, are independent."""
    lengths = np.sqrt((rows * rows).sum(axis=-1))
    if not len(rows):
        return True
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        return False
    sizes = singular_values(rows / lengths[:, None])
    return bool(len(rows) <= rows.shape[1] and sizes[-1] > LEAST * sizes[0])


def dependent_rows(rows: Array) -> Sequence[int]:
    """Return the fewest rows that depend on each other: the first that depends on those before it, and those it needs."""
    last = next(k for k in range(len(rows)) if not full_rank(rows[: k + 1]))
    needed = list(range(last))
    for k in range(last):
        without = [j for j in needed if j != k]
        if not full_rank(rows[[*without, last]]):
            needed = without
    return [*needed, last]
