"""A differential equation that integrates itself."""

from __future__ import annotations

import functools
from contextlib import suppress
from math import inf
from typing import Any, cast

import numpy as np

from ...symbolic import MAKING, Program
from ..kernel._arguments import Arguments, Array, many, single
from ..kernel._cache import Cache
from ..kernel._compiled_program import STANDARD
from ..kernel._host import host
from ._ode_arguments import FixedTask, OdeTask, fixed_task, ode_slots, task, thread_count
from ._ode_asked import SLOTS, Answer
from ._ode_fixed_run import FixedRun
from ._ode_machine import OdeMachineCode
from ._ode_numpy import OdeNumpy, evaluated
from ._ode_rate import ALARM, RATE, OdeProgram
from ._ode_result import OdeResult
from ._ode_run import OdeRun

Integrators = OdeMachineCode | OdeNumpy


class Ode:
    """y' = f(t, y, parameters) with the integration loop around it, in machine code.

    Arrays are float64; parameters come in the order of the program's inputs. Equal calls give equal bits. Anything that
    does not fit raises InvalidInput. Times, states and parameters are in any units throughout, those of the program.

    program : what was given
    head : (SLOTS,) what the first parameter begins with where it is `asking`

    >>> from scmanip.symbolic import record
    >>> inputs = {"t": (), "y": (2,), "wn": ()}
    >>> ode = compile_ode(record(inputs, lambda t, y, wn: {"ydot": np.array([y[1], -wn * wn * y[0]])}), cache=None)
    >>> ode.fixed(0.0, np.array([1.0, 0.0]), 0.1, 10, np.array(2.0)).shape  # ten steps of RK4
    (11, 2)
    >>> result = ode.solve(0.0, np.array([1.0, 0.0]), np.pi, np.array(2.0), rtol=1e-10, atol=1e-12)
    >>> result.end_y.round(8).tolist()[0]
    1.0
    """

    def __init__(self, program: Program, ode: OdeProgram, integrators: Integrators, cache: Cache | None) -> None:
        self.program, self._ode, self._integrators, self._cache = program, ode, integrators, cache
        self._slots = ode_slots(ode)
        self._told: Answer | None = None
        self.head: Array = np.zeros(SLOTS)

    def __repr__(self) -> str:
        parameters = ", ".join(item.name for item in self._ode.parameters)
        return f"Ode(n={self._ode.n}, parameters=({parameters}))"

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(compile_ode, cache=self._cache), (self.program,)

    @property
    def source(self) -> str:
        """LLVM IR of the right-hand side for one trajectory; empty without LLVM."""
        return self._integrators.source()

    def asking(self, answer: Answer) -> Ode:
        """Return the same equation, of one trajectory, which asks for numbers before every evaluation of its rates.

        answer : (t, y (n,)) -> (k,), what comes in the first parameter (SLOTS + k,) behind what it must begin with, `head`

        Machine code calls it and goes on. What it raises comes out of `solve` and its kin, with the run where it was last well.
        """
        integrators, head = self._integrators.asking(answer)
        made = Ode(self.program, self._ode, integrators, self._cache)
        made._told, made.head = answer, head
        return made

    def solve(
        self,
        t_0: float,
        y_0: Array,
        t_1: float,
        *parameters: Array,
        rtol: float,
        atol: float | Array,
        first_step: float | None = None,
        max_step: float = inf,
        max_steps: int = 100_000,
        samples: Array | None = None,
    ) -> OdeResult:
        """Integrate from y_0 (n,) at `t_0` to `t_1`, either way, with DOP853 [Hairer1993] and the step control of SciPy.

        rtol, atol : allowed error per step, relative and absolute; atol also (n,), with inf for what is left out
        first_step : size to try first; None lets the integrator choose
        max_steps : accepted steps
        samples : times (k,) in order from `t_0` to `t_1` at which y is wanted; None for none
        """
        limits = {"first_step": first_step, "max_step": max_step, "max_steps": max_steps}
        ready = single(self._slots, (y_0, *parameters))
        given = task(ready, t_0, t_1, rtol=rtol, atol=atol, samples=samples, **limits)
        return self._integrators.solve(given)

    def begin(
        self,
        t_0: float,
        y_0: Array,
        t_end: float,
        *parameters: Array,
        rtol: float,
        atol: float | Array,
        max_step: float = inf,
        samples: Array | None = None,
        even: bool = False,
        checked: bool = False,
    ) -> OdeRun:
        """Return a run from y_0 (n,) at `t_0` that goes `to` one time after the other, at most to `t_end`.

        Between stops y and the parameters may be changed. Arguments as for `solve`; samples lie between `t_0` and `t_end`.

        even : whether the last few steps before a stop are equal; otherwise they are SciPy's, a sliver at the end
        checked : the caller knows that the arguments fit; `atol` and `samples` are arrays
        """
        if checked:
            ready, allowed, times = Arguments((y_0, *parameters), ()), cast(Array, atol), cast(Array, samples)
            return self._integrators.begin(OdeTask(ready, t_0, t_end, rtol, allowed, 0.0, max_step, 1, times, even))
        limits = {"first_step": None, "max_step": max_step, "max_steps": 1}
        given = task(single(self._slots, (y_0, *parameters)), t_0, t_end, rtol=rtol, atol=atol, samples=samples, **limits)
        return self._integrators.begin(given._replace(even=even))

    def begin_fixed(self, t_0: float, y_0: Array, step: float, *parameters: Array, samples: Array | None = None) -> FixedRun:
        """Return a run like that of `begin` by steps of length `step` of the method "rk4" from y_0 (n,); samples by cubics."""
        times = np.empty(0) if samples is None else samples

        def advance(t: float, y: Array, dt: float, steps: int, parameters: tuple[Array, ...]) -> Array:
            return self.fixed(t, y, dt, steps, *parameters)

        return FixedRun(advance, self._evaluated, t=t_0, y=y_0, parameters=parameters, step=step, times=times)

    def _evaluated(self, t: Array, y: Array, parameters: tuple[Array, ...]) -> tuple[Array, Array]:
        """Return rates (k, n) and alarms (k, m) at times (k,) and states (k, n)."""
        given = tuple(np.broadcast_to(p, (len(t), *p.shape)) for p in parameters)
        if self._told is not None:
            told = [np.concatenate([self.head, self._told(*row)]) for row in zip(t.tolist(), y.copy(), strict=True)]
            given = np.array(told), *given[1:]
        outputs = evaluated(self._ode, t, y, given)
        return outputs[RATE], outputs.get(ALARM, t[:, None][:, :0]).reshape(len(t), -1)

    def fixed(
        self, t_0: float, y_0: Array, dt: float, steps: int, *parameters: Array, method: str = "rk4", every: int = 1
    ) -> Array:
        """Return y (steps / every + 1, n) at t_0, t_0 + every dt, ... by `steps` steps of length `dt` from y_0 (n,).

        method : "rk4" or "dop853", the latter of order 8 with 12 evaluations per step
        every : steps from one sample to the next, a divisor of `steps`
        """
        given = fixed_task(single(self._slots, (y_0, *parameters)), t_0, dt, steps, every, method)
        return self._fixed(given, None, None)[0]

    def ensemble(
        self,
        t_0: float,
        y_0: Array,
        dt: float,
        steps: int,
        *parameters: Array,
        method: str = "rk4",
        every: int = 1,
        threads: int = 1,
        errors: Array | None = None,
    ) -> Array:
        """Return y (cases, steps / every + 1, n) of many trajectories with common steps, several per instruction.

        y_0 : (cases, n)
        parameters : each of its own shape, shared by all cases, or with the cases in front; y_0 (n,) is shared too
        threads : how many work at once, with the interpreter lock released
        errors : (cases, n), filled with what the estimated errors of all steps add up to; NaN with "rk4", which has no estimate

        Other arguments as for `fixed`. A case that ceases to be finite stays so and disturbs no other.
        """
        given = fixed_task(many(self._slots, (y_0, *parameters)), t_0, dt, steps, every, method)
        return self._fixed(given, thread_count(threads), errors)

    def _fixed(self, given: FixedTask, threads: int | None, errors: Array | None) -> Array:
        results = np.empty((given.arguments.cases, given.samples + 1, self._ode.n))
        found = np.zeros((given.arguments.cases, self._ode.n))
        self._integrators.fixed(given, results, found, threads)
        if errors is not None:
            errors[...] = found if given.method == "dop853" else np.nan
        return results


def compile_ode(program: Program, *, cache: Cache | None = STANDARD) -> Ode:
    """Return the differential equation that a program states, as machine code, or on NumPy where llvmlite is missing.

    program : inputs t () and y (n,), in any place, all others are parameters; output ydot (n,); an output alarm of any
        shape, if there is one, stops `solve` at the first accepted step where an entry is not <= 0, and before the first
        one where an entry is > 1e300; others are left out
    cache : keeps object code between processes; None keeps nothing

    Raises `InvalidInput` if the program has no such inputs and outputs.

    >>> from scmanip.symbolic import record
    >>> ode = compile_ode(record({"t": (), "y": (1,)}, lambda t, y: {"ydot": -y}), cache=None)
    >>> round(float(ode.solve(0.0, np.ones(1), 1.0, rtol=1e-10, atol=1e-12).end_y[0]), 8)  # exp(-1)
    0.36787944
    >>> compile_ode(record({"t": ()}, lambda t: {"ydot": t}), cache=None)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: input 'y' of the program: expected shape (n,) with n > 0, found inputs t
    """
    ode = OdeProgram.of(program)
    with MAKING:
        return Ode(program, ode, _integrators(ode, cache), cache)


def order_ode(program: Program, *, cache: Cache | None = STANDARD) -> None:
    """Have a thread make the machine code that `compile_ode` will need.

    >>> from scmanip.symbolic import record
    >>> program = record({"t": (), "y": (1,)}, lambda t, y: {"ydot": -2.0 * y})
    >>> order_ode(program, cache=None)  # a thread begins
    >>> compile_ode(program, cache=None)
    Ode(n=1, parameters=())
    """
    ode = OdeProgram.of(program)
    with suppress(ImportError, OSError):  # no LLVM, no code
        OdeMachineCode.order(ode, host(), cache)


def _integrators(ode: OdeProgram, cache: Cache | None) -> Integrators:
    try:
        here = host()
    except (ImportError, OSError):  # absent, or its library cannot be loaded
        return OdeNumpy(ode)
    return OdeMachineCode(ode, here, cache)
