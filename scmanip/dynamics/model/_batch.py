"""Many states at once: the names of `Model` with a leading axis of cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import InvalidInput, Problem, expect, refuse
from ...spatial import Array, real
from ...system import State, check_cases
from ..programs._derivation import INERTIA, NOTHING
from ..programs._design_derivatives import DesignDerivatives
from ..programs._door import Wrenches, checked_cases, loaded, no_base_wrench, point_of
from ..programs._implementation import Full
from ..programs._programs import Programs
from ..sums._results import (
    BodyMomentum,
    FloatingInverseDynamics,
    ForwardDynamicsDerivatives,
    InverseDynamics,
    InverseDynamicsDerivatives,
    Momentum,
    Springs,
)
from ._cases import case_problems, cases_of, check_counts, check_out, values_of_cases
from ._derivative import Derivative, DerivativeOfMany
from ._named_methods import Named, OfPoints, OfStates, Values, of_points, of_states


class Batch(Named[OfStates, OfPoints], of_state=of_states, of_point=of_points, which=", for n states: (n, ...)"):
    """Every quantity of a `Model` for a batch of n states (`State.stack`).

    Units and axes as in `Model`: in SI and components in N throughout.

    Inputs carry a leading axis n or are shared by all cases; results carry it. `out` (float64, of the result's shape;
    several such arrays where the result is several, as in `InverseDynamics(wrench, tau)`) receives the result when given;
    `threads` is how many threads share the cases. `values` gives every case numbers of its own of the system, for those that
    are inputs of programs (`Model.symbols`): by path an array (n, ...), or one of the number's own shape for all.

    Every method raises as that of `Model`, and `InvalidInput` for arrays that do not fit.

    >>> states = scmanip.State.stack([state, state, state])
    >>> model.batch.H(states).shape
    (3, 4, 4)
    """

    def __init__(self, programs: Programs, values: Mapping[str, Array] = NOTHING) -> None:
        self._programs, self._own, self.layout = programs, values, programs.derivation.system.layout

    def with_values(self, values: Mapping[str, ArrayLike]) -> Batch:
        """Return the batch whose case i has the numbers `values[path][i]`, of arrays (n, ...). Nothing is recompiled.

        Raises `InvalidInput` for unknown paths and wrong shapes, `InvalidSystem` for values that hardware cannot have.
        """
        if not isinstance(self._programs.implementation, Full):
            raise InvalidInput(Problem("values", "a model with Full()", repr(self._programs.implementation)))
        derivation = self._programs.derivation
        found = values_of_cases(derivation.numbers, values)
        check_cases(derivation.system, found)
        return Batch(self._programs, {**self._own, **found})

    def some(self, which: NDArray[np.intp]) -> Batch:
        """Return that of some of the cases, with the numbers that these have here; which : (m,)."""
        numbers = self._programs.derivation.numbers
        own = {name: rows[which] if rows.ndim > numbers[name].ndim else rows for name, rows in self._own.items()}
        return Batch(self._programs, own)

    def with_inertia(self, table: ArrayLike) -> Batch:
        """Return the batch whose case i has the inertias `table[i]`; table (n, n_b, 10) as `inertia_table` gives one.

        Only with `Full()` and `RunTimeInertia()`; nothing is recompiled.
        """
        programs = self._programs
        own = programs.derivation.numbers.get(INERTIA)
        if own is None or not isinstance(programs.implementation, Full):
            raise InvalidInput(
                Problem("with_inertia", "a model with Full() and RunTimeInertia()", repr(programs.derivation.inertia))
            )
        refuse(case_problems("table", table, own.shape, alone=False), InvalidInput)
        return Batch(programs, {**self._own, INERTIA: np.ascontiguousarray(real(table))})

    def _values(
        self, name: str, states: State, inputs: Sequence[Array] = (), outs: Sequence[Array] | None = None, threads: int = 1
    ) -> Sequence[Array]:
        check_counts(self._programs.derivation.numbers, self._own, cases_of(states, self.layout))
        call = self._programs.call((name,))
        shapes = [(len(states.hardware), *shape) for shape in call.shapes]
        if outs is None:
            outs = [np.empty(shape) for shape in shapes]
        else:
            for out, shape in zip(outs, shapes, strict=True):
                check_out(out, shape)
        self._programs.batch(call, states.hardware, inputs, outs, threads, self._own)
        return outs

    def _value(self, name: str, states: State, out: Array | None, threads: int, *inputs: Array) -> Array:
        return self._values(name, states, inputs, None if out is None else (out,), threads)[0]

    def _given(self, values: Values | None) -> Batch:
        return self if values is None else self.with_values(values)

    def _at_point(
        self,
        name: str,
        states: State,
        frame: str | None,
        body: str | None,
        point_m: ArrayLike | None,
        out: Array | None,
        threads: int,
    ) -> Array:
        where = point_of(self._programs.derivation.system, frame, body, point_m)
        return self._value(name + where.suffix, states, out, threads, *where.inputs)

    def derivative(self, name: str, by: str) -> DerivativeOfMany:
        """Return what `Model.derivative` is, for n states: (n, ...), and for what the quantity takes, of each state or of all.

        Called with `values` it has numbers of every case, as all that the batch is asked for.
        """
        self._programs.recorded_only("derivatives")
        one = Derivative.of(DesignDerivatives(self._programs.derivation), self._programs.family, name, by)
        return DerivativeOfMany(one, self._own)

    kinetic_energy: OfStates
    J_star: OfPoints

    def momentum(
        self, states: State, out: Momentum | None = None, threads: int = 1, *, values: Values | None = None
    ) -> Momentum:
        """`.P .L_0 .L_C` (n, 3), as `Model.momentum`."""
        outs = None if out is None else (out.P, out.L_0, out.L_C)
        return Momentum(*self._given(values)._values("momentum", states, (), outs, threads))

    def momentum_by_body(
        self, states: State, out: BodyMomentum | None = None, threads: int = 1, *, values: Values | None = None
    ) -> BodyMomentum:
        """`.P .L_C` (n, n_b, 3), as `Model.momentum_by_body`."""
        outs = None if out is None else (out.P, out.L_C)
        return BodyMomentum(*self._given(values)._values("momentum_by_body", states, (), outs, threads))

    def momentum_by_tree(
        self, states: State, out: BodyMomentum | None = None, threads: int = 1, *, values: Values | None = None
    ) -> BodyMomentum:
        """`.P .L_C` (n, n_t, 3), as `Model.momentum_by_tree`."""
        outs = None if out is None else (out.P, out.L_C)
        return BodyMomentum(*self._given(values)._values("momentum_by_tree", states, (), outs, threads))

    def springs(self, states: State, threads: int = 1, *, values: Values | None = None) -> Springs:
        """`.length .rate` (n, n_s), as `Model.springs`."""
        return Springs(*self._given(values)._values("springs", states, threads=threads))

    def forward_dynamics(
        self,
        states: State,
        tau: ArrayLike,
        out: Array | None = None,
        threads: int = 1,
        *,
        wrench: ArrayLike | None = None,
        wrenches: Wrenches = (),
        values: Values | None = None,
    ) -> Array:
        """Accelerations (n, n_u), as `Model.forward_dynamics`; tau (n, N) or (N,), wrenches (n, 6) or (6,).

        Where M is singular or an input is not finite the row is not finite.
        """
        n = cases_of(states, self.layout)
        own = self._given(values)
        joints, base = loaded(own, states, lambda key, value, size: checked_cases(key, value, n, size), tau, wrench, wrenches)
        if self.layout.fixed or (wrench is None and not wrenches):
            return own._value("forward_dynamics", states, out, threads, joints)
        return own._value("forward_dynamics:wrench", states, out, threads, joints, base)

    def inverse_dynamics(
        self,
        states: State,
        udot: ArrayLike,
        out: InverseDynamics | None = None,
        threads: int = 1,
        *,
        values: Values | None = None,
    ) -> InverseDynamics:
        """`.wrench` (n, 6) and `.tau` (n, N), as `Model.inverse_dynamics`; udot (n, n_u) or (n_u,)."""
        given = checked_cases("udot", udot, cases_of(states, self.layout), self.layout.n_u)
        expect("out", out, InverseDynamics | None, "InverseDynamics(wrench, tau), or None")
        outs = None if out is None else (out.wrench, out.tau)
        return InverseDynamics(*self._given(values)._values("inverse_dynamics", states, (given,), outs, threads))

    def floating_inverse_dynamics(
        self,
        states: State,
        qddot: ArrayLike,
        out: FloatingInverseDynamics | None = None,
        threads: int = 1,
        *,
        values: Values | None = None,
    ) -> FloatingInverseDynamics:
        """`.base_acceleration` (n, 6) and `.tau` (n, N), as `Model.floating_inverse_dynamics`; qddot (n, N) or (N,)."""
        given = checked_cases("qddot", qddot, cases_of(states, self.layout), self.layout.N)
        expect("out", out, FloatingInverseDynamics | None, "FloatingInverseDynamics(base_acceleration, tau), or None")
        outs = None if out is None else (out.base_acceleration, out.tau)
        return FloatingInverseDynamics(
            *self._given(values)._values("floating_inverse_dynamics", states, (given,), outs, threads)
        )

    def regressor(
        self, states: State, udot: ArrayLike, out: Array | None = None, threads: int = 1, *, values: Values | None = None
    ) -> Array:
        """Y (n, n_u, 10 n_b), as `Model.regressor`; udot (n, n_u) or (n_u,)."""
        given = checked_cases("udot", udot, cases_of(states, self.layout), self.layout.n_u)
        return self._given(values)._value("regressor", states, out, threads, given)

    def inverse_dynamics_derivatives(
        self,
        states: State,
        udot: ArrayLike,
        out: InverseDynamicsDerivatives | None = None,
        threads: int = 1,
        *,
        values: Values | None = None,
    ) -> InverseDynamicsDerivatives:
        """`.q .u .udot .r_0 .attitude` (n, n_u, ...), as of `Model`; udot (n, n_u) or (n_u,)."""
        given = checked_cases("udot", udot, cases_of(states, self.layout), self.layout.n_u)
        expect("out", out, InverseDynamicsDerivatives | None, "InverseDynamicsDerivatives(...), or None")
        outs = None if out is None else (out.q, out.u, out.udot, out.r_0, out.attitude)
        own = self._given(values)
        return InverseDynamicsDerivatives(*own._values("inverse_dynamics_derivatives", states, (given,), outs, threads))

    def forward_dynamics_derivatives(
        self,
        states: State,
        tau: ArrayLike,
        out: ForwardDynamicsDerivatives | None = None,
        threads: int = 1,
        *,
        wrench: ArrayLike | None = None,
        values: Values | None = None,
    ) -> ForwardDynamicsDerivatives:
        """`.q .u .tau .wrench .r_0 .attitude` (n, n_u, ...), as of `Model`; tau (n, N) or (N,), wrench (n, 6) or (6,).

        Where M is singular or an input is not finite the numbers are not finite.
        """
        given, name = [checked_cases("tau", tau, cases_of(states, self.layout), self.layout.N)], "forward_dynamics_derivatives"
        if wrench is not None:
            no_base_wrench(self.layout)
            given, name = [*given, checked_cases("wrench", wrench, len(states.hardware), 6)], f"{name}:wrench"
        expect("out", out, ForwardDynamicsDerivatives | None, "ForwardDynamicsDerivatives(...), or None")
        outs = None if out is None else (out.q, out.u, out.tau, out.wrench, out.r_0, out.attitude)
        return ForwardDynamicsDerivatives(*self._given(values)._values(name, states, given, outs, threads))
