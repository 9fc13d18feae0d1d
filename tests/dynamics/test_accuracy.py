"""Compiled programs against the paper's sums evaluated with 64 bits of mantissa instead of 53, and those against 40 digits.

Errors are relative to the largest entry of a quantity.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest

from scmanip.dynamics import Equations, Model, Parameters, compile_model
from scmanip.spatial import DCM, Cholesky, Quaternion, RotationForm
from scmanip.system import State, System, load_system

from ..oracles.random_systems import random_state
from .agreement import Inputs

BENCH = load_system("model:bench_6r")
CASES = range(200)
ALLOWED = 5e-14
NUMBERS = ("m", "com", "inertia", "origin", "dcm", "child_origin", "child_dcm", "stiffness", "damping", "gravity")

Exact = Callable[[np.ndarray], np.ndarray]  # brings floats into another arithmetic


def wide(array: np.ndarray) -> np.ndarray:
    return np.asarray(array).astype(np.longdouble)


def equations(system: System, state: State, exact: Exact) -> Equations:
    """Return the paper's sums in another arithmetic; the constants are those of the system, untouched."""
    parameters = Parameters.of(system)
    given = {name: exact(getattr(state, name)) for name in ("q", "qdot", "r_0", "v_0", "omega_0")}
    constants = {name: exact(getattr(parameters, name)) for name in NUMBERS}
    constants["motions"] = tuple(replace(motion, twists=exact(motion.twists)) for motion in parameters.motions)
    return Equations(replace(parameters, **constants), DCM(), attitude=exact(state.attitude_xyzw), **given)


def reference(system: System, state: State, given: Inputs, model: Model, exact: Exact) -> dict[str, np.ndarray]:
    e, tip = equations(system, state, exact), model.point("tip")
    inverse, floating = e.inverse_dynamics(exact(given.udot)), e.floating_inverse_dynamics(exact(given.qddot))
    momentum = e.momentum
    return {
        "H": e.H,
        "C": e.C,
        "Hdot": e.Hdot,
        "J_star": e.J_star(tip),
        "momentum.P": momentum.P,
        "momentum.L_C": momentum.L_C,
        "kinetic energy": np.asarray(e.kinetic_energy),
        "inverse_dynamics.wrench": inverse.wrench,
        "inverse_dynamics.tau": inverse.tau,
        "floating_inverse_dynamics.base_acceleration": floating.base_acceleration,
        "floating_inverse_dynamics.tau": floating.tau,
        "forward_dynamics": Cholesky.of(e.M).solve(e.applied(exact(given.tau), None, ()) - e.rest),
        "forward_dynamics:wrench": Cholesky.of(e.M).solve(e.applied(exact(given.tau), exact(given.wrench), ()) - e.rest),
    }


def compiled(model: Model, state: State, given: Inputs) -> dict[str, np.ndarray]:
    inverse, floating = model.inverse_dynamics(state, given.udot), model.floating_inverse_dynamics(state, given.qddot)
    momentum = model.momentum(state)
    return {
        "H": model.H(state),
        "C": model.C(state),
        "Hdot": model.Hdot(state),
        "J_star": model.J_star(state, "tip"),
        "momentum.P": momentum.P,
        "momentum.L_C": momentum.L_C,
        "kinetic energy": np.asarray(model.kinetic_energy(state)),
        "inverse_dynamics.wrench": inverse.wrench,
        "inverse_dynamics.tau": inverse.tau,
        "floating_inverse_dynamics.base_acceleration": floating.base_acceleration,
        "floating_inverse_dynamics.tau": floating.tau,
        "forward_dynamics": model.forward_dynamics(state, given.tau),
        "forward_dynamics:wrench": model.forward_dynamics(state, given.tau, given.wrench),
    }


def error(found: np.ndarray, exact: np.ndarray) -> float:
    return float(abs(found - exact).max() / abs(exact).max())


@pytest.mark.slow
@pytest.mark.parametrize("kinematics", [DCM(), Quaternion()], ids=["DCM", "Quaternion"])
def test_compiled_programs_of_the_benchmark_arm_err_by_a_few_hundred_roundings_at_most(kinematics: RotationForm) -> None:
    model, worst = compile_model(BENCH, kinematics=kinematics), dict[str, float]()
    for case in CASES:
        state, given = random_state(BENCH, case), Inputs.of(BENCH, case)
        exact = reference(BENCH, state, given, model, wide)
        for name, found in compiled(model, state, given).items():
            worst[name] = max(worst.get(name, 0.0), error(found, exact[name]))
    assert max(worst.values()) <= ALLOWED, worst


@pytest.mark.slow
def test_lanes_are_as_accurate_as_one_state() -> None:
    model = compile_model(BENCH)
    states = [random_state(BENCH, case) for case in CASES]
    given = [Inputs.of(BENCH, case) for case in CASES]
    batch = State.stack(states)
    udot = model.batch.forward_dynamics(batch, np.stack([g.tau for g in given]))
    tau = model.batch.inverse_dynamics(batch, np.stack([g.udot for g in given])).tau
    H = model.batch.H(batch)
    for case in CASES:
        exact = reference(BENCH, states[case], given[case], model, wide)
        assert error(udot[case], exact["forward_dynamics"]) <= ALLOWED
        assert error(tau[case], exact["inverse_dynamics.tau"]) <= ALLOWED
        assert error(H[case], exact["H"]) <= ALLOWED


def _binary(operation: Callable[[Any, Any], Any], *, swapped: bool = False) -> Callable[[Number, Any], Any]:
    def method(self: Number, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented  # NumPy goes through the entries
        pair = (self.value, Number(other).value)
        return Number(operation(*(reversed(pair) if swapped else pair)))

    return method


class Number:
    """A real number of mpmath with the methods that NumPy asks of an object."""

    def __init__(self, value: Any) -> None:
        self.value = value.value if isinstance(value, Number) else mpmath.mpf(value)

    __add__ = __radd__ = _binary(operator.add)
    __mul__ = __rmul__ = _binary(operator.mul)
    __sub__, __rsub__ = _binary(operator.sub), _binary(operator.sub, swapped=True)
    __truediv__, __rtruediv__ = _binary(operator.truediv), _binary(operator.truediv, swapped=True)

    def __pow__(self, exponent: int) -> Number:
        return Number(self.value**exponent)

    def __neg__(self) -> Number:
        return Number(-self.value)

    def sin(self) -> Number:
        return Number(mpmath.sin(self.value))

    def cos(self) -> Number:
        return Number(mpmath.cos(self.value))

    def sqrt(self) -> Number:
        return Number(mpmath.sqrt(self.value))

    def __float__(self) -> float:
        return float(self.value)


def many_digits(array: np.ndarray) -> np.ndarray:
    return np.frompyfunc(Number, 1, 1)(np.asarray(array))


@pytest.mark.slow
@pytest.mark.parametrize("case", range(3))
def test_the_reference_agrees_with_forty_digits(case: int) -> None:
    model, state, given = compile_model(BENCH), random_state(BENCH, case), Inputs.of(BENCH, case)
    ours = reference(BENCH, state, given, model, wide)
    with mpmath.workdps(40):
        exact = reference(BENCH, state, given, model, many_digits)
        for name, value in ours.items():
            difference, largest = _split(value) - exact[name], abs(np.asarray(exact[name]).astype(float)).max()
            assert abs(np.asarray(difference).astype(float)).max() <= ALLOWED / 100 * largest, name


def _split(array: np.ndarray) -> np.ndarray:
    """Bring wide numbers into many digits without loss, as a float and what it leaves."""
    head = array.astype(float)
    return many_digits(head) + many_digits((array - head).astype(float))
