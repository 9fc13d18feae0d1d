"""Quantities differentiated by numbers of the system and by the state: against complex step, and against other systems."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Partial, RunTimeInertia, compile_model, derive
from scmanip.dynamics.programs._derivation import Derivation
from scmanip.dynamics.programs._design_derivatives import DesignDerivatives
from scmanip.dynamics.programs._forms import recursive
from scmanip.errors import InvalidInput
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import State, System

from ..oracles.random_systems import FIRST_FOREST, FIRST_OF_ALL, FIRST_TREE, random_case, random_state, random_system

STEP = 1e-30
SEEDS = [*range(1000, 1080), *range(FIRST_TREE, FIRST_TREE + 40), *range(FIRST_OF_ALL, FIRST_OF_ALL + 40)]
SEEDS += range(FIRST_FOREST, FIRST_FOREST + 40)  # two hundred
QUANTITIES = ("M", "H", "C", "kinetic_energy", "momentum.P", "momentum.L_C", "position:tip", "inverse_dynamics.tau", "r_0C")
PATTERNS = ("body.body*.mass_kg", "body.body*.com_m", "body.*.inertia_kg_m2", "joint.*.origin_m", "joint.*.stiffness*")


def patterns_of(system: System) -> tuple[str, ...]:
    """Those of `PATTERNS` that name a number of the system."""
    found = []
    for pattern in PATTERNS:
        try:
            found += [pattern] if system.numbers([pattern]) else []
        except InvalidInput:
            continue
    return tuple(found)


def given_of(program: object, numbers: dict[str, np.ndarray], state: State) -> dict[str, np.ndarray]:
    inputs = {i.name: np.linspace(-1, 1, int(np.prod(i.shape))).reshape(i.shape) for i in program.inputs}  # type: ignore[attr-defined]
    return {name: numbers.get(name, state.hardware if name == "x" else value) for name, value in inputs.items()}


def stepped(program: object, given: dict[str, np.ndarray], name: str) -> np.ndarray:
    """The derivative of the one output by an input, whose axes come last, by complex step."""
    columns = []
    for unit in np.eye(max(1, given[name].size)).reshape(-1, *given[name].shape):
        moved = {**given, name: given[name] + 1j * STEP * unit}
        columns.append(program.evaluate(*moved.values())[0].imag / STEP)  # type: ignore[attr-defined]
    return np.stack(columns, axis=-1).reshape((*columns[0].shape, *given[name].shape))


@pytest.fixture
def forms(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have forms counted for one system in five, for that takes most of the time, and recursions elsewhere."""
    if seed % 5:
        monkeypatch.setattr(Derivation, "form", lambda self, asked: recursive(asked))


@pytest.mark.usefixtures("forms")
@pytest.mark.battery(0, judged=20)
@pytest.mark.parametrize("seed", SEEDS)
def test_derivatives_by_open_numbers_equal_the_complex_step(seed: int) -> None:
    system, rng = random_case(seed), np.random.default_rng(seed)
    derivation, state = derive(system, symbols=patterns_of(system)).derivation, random_state(system, seed)
    if not derivation.numbers:
        return
    paths = rng.choice([*derivation.numbers], 3)
    for name, path in zip(rng.choice(QUANTITIES, 3), paths, strict=True):
        program = DesignDerivatives(derivation).program(name, path)
        given = given_of(program, derivation.numbers, state)
        exact = stepped(derivation.packed_program([name]), given, path)
        scale = max(abs(exact).max(initial=0.0), 1e-3)
        assert_allclose(program.evaluate(*given.values())[0], exact, rtol=0, atol=1e-11 * scale, err_msg=f"{name} by {path}")


@pytest.mark.battery(1, judged=4)
@pytest.mark.usefixtures("forms")
@pytest.mark.parametrize("seed", [1004, *SEEDS[::8]])
def test_accelerations_and_forces_by_open_numbers_equal_the_complex_step(seed: int) -> None:
    system = random_case(seed)
    derivation, state = derive(system, symbols=patterns_of(system)).derivation, random_state(system, seed)
    pushed = not system.fixed
    for name, program_of in (
        ("forward_dynamics", "forward_dynamics:wrench" if pushed else "forward_dynamics"),
        ("inverse_dynamics", "inverse_dynamics.tau"),
    ):
        program = DesignDerivatives(derivation).by_numbers(name, pushed=pushed and name == "forward_dynamics")
        given, original = given_of(program, derivation.numbers, state), derivation.packed_program([program_of])
        found = dict(zip(derivation.numbers, program.evaluate(*given.values()), strict=True))
        (M,) = derive(system).derivation.packed_program(["M"]).evaluate(state.hardware)
        solved = max(1e-11, 1e-14 * np.linalg.cond(M)) if M.size else 1e-11
        for path in [*found][:: max(1, len(found) // 4)]:
            exact = stepped(original, given, path)
            ours = found[path][len(found[path]) - len(exact) :]
            scale = max(abs(exact).max(initial=0.0), 1e-3)
            assert_allclose(ours, exact, rtol=0, atol=solved * scale, err_msg=f"{name} by {path}")


@pytest.mark.slow
def test_derivatives_by_the_state_are_those_that_there_are() -> None:
    system = random_system(61, fixed=False, joints=2)
    model, state = compile_model(system), random_state(system, 61)
    H_by_q = model.derivative("H", "q")
    assert_allclose(H_by_q(state), model.dH_dq(state), rtol=0, atol=1e-12)
    assert model.derivative("H", "q").program is H_by_q.program
    tau = np.array([1.0, -2.0])
    whole, by_turn = model.forward_dynamics_derivatives(state, tau), model.derivative("forward_dynamics", "attitude")
    assert_allclose(by_turn(state, tau), whole.attitude, rtol=0, atol=1e-11 * abs(whole.attitude).max())
    assert_allclose(
        model.derivative("forward_dynamics", "tau")(state, tau), whole.tau, rtol=0, atol=1e-12 * abs(whole.tau).max()
    )


def test_a_number_is_opened_for_its_derivative_and_its_value_is_the_models() -> None:
    system = random_system(61, fixed=False, joints=2)
    state, path, h = random_state(system, 61), "body.body2.mass_kg", 1e-4
    value = float(system.numbers([path])[path].value)
    ours = compile_model(system).derivative("H", f"system.{path}")(state)
    more, less = (compile_model(system.with_numbers({path: value + way})).H(state) for way in (h, -h))
    assert_allclose(ours, (more - less) / (2 * h), rtol=0, atol=1e-7 * abs(ours).max())
    opened = compile_model(system, symbols=(path,)).with_values({path: value + 1})
    elsewhere = compile_model(system.with_numbers({path: value + 1})).derivative("H", path)(state)
    assert_allclose(opened.derivative("H", path)(state), elsewhere, rtol=1e-11, atol=1e-11 * abs(elsewhere).max())


def test_a_number_of_a_table_of_inertias_is_opened_too() -> None:
    system, path = random_system(61, fixed=False, joints=1), "body.body1.mass_kg"
    state, folded = random_state(system, 61), compile_model(system).derivative("H", path)
    tabled = compile_model(system, inertia=RunTimeInertia())
    exact = folded(state)
    assert_allclose(tabled.derivative("H", path)(state), exact, rtol=1e-11)
    assert_allclose(tabled.derivative("H", "inertia")(state)[..., 1, 0], exact, rtol=1e-11)
    other = system.with_numbers({path: 9.0, "body.body1.com_m[0]": 2.0})
    elsewhere = compile_model(other).derivative("H", path)(state)
    assert_allclose(tabled.with_inertia_of(other).derivative("H", path)(state), elsewhere, rtol=1e-11)


BY_COM = ("M", "H0", "H0m", "H0_inverse", "H", "r_0C", "J0:tip", "momentum.L_C", "kinetic_energy", "inverse_dynamics.wrench")


def told_about(name: str, value: np.ndarray, d: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """What a quantity is, told about a point of the base from which its centre of mass is at d (3,)."""
    twist = np.eye(len(value) if value.ndim and len(value) > 5 else 6)
    twist[:3, 3:6] = -np.array([[0, -d[2], d[1]], [d[2], 0, -d[0]], [-d[1], d[0], 0]])
    if name in ("M", "H0"):
        return twist.T @ value @ twist
    if name == "forward_dynamics":
        return np.linalg.solve(twist, value - np.concatenate([np.cross(omega, np.cross(omega, d)), np.zeros(len(value) - 3)]))
    turned = {"H0m": twist[:6, :6].T @ value if name == "H0m" else None, "r_0C": value + d if name == "r_0C" else None}
    if name == "H0_inverse":
        return np.linalg.inv(twist) @ value @ np.linalg.inv(twist).T
    if name == "J0:tip":
        return value @ twist
    if name == "inverse_dynamics.wrench":
        return twist.T @ value
    return value if turned.get(name) is None else turned[name]


@pytest.mark.slow
def test_by_the_base_s_own_centre_of_mass_speeds_and_wrench_belong_to_a_point_that_stays() -> None:
    system, h = random_system(61, fixed=False, joints=2), 1e-5
    state, model, path = random_state(system, 61), compile_model(system), "body.base.com_m"
    R, omega, tau = dcm_from_quaternion(state.attitude_xyzw), state.omega_0, np.array([1.0, -2.0])
    wrench, udot = np.linspace(1, 2, 6), np.linspace(-1, 1, 8)

    def at(name: str, way: np.ndarray) -> np.ndarray:
        d = R @ way
        moved = compile_model(system.with_numbers({path: system.base.com_m + way}))
        there = State(state.r_0 + d, state.attitude_xyzw, state.q, state.v_0 + np.cross(omega, d), omega, state.qdot)
        drift = np.cross(omega, np.cross(omega, d))
        inputs = {
            "forward_dynamics": (tau, np.concatenate([wrench[:3], wrench[3:] + np.cross(wrench[:3], d)])),
            "inverse_dynamics.wrench": (udot + np.concatenate([np.cross(udot[3:6], d) + drift, np.zeros(5)]),),
        }.get(name, ())
        called = "forward_dynamics:wrench" if name == "forward_dynamics" else name
        (value,) = moved.symbolic.derivation.packed_program([called]).evaluate(there.hardware, *inputs)
        return told_about(name, value, d, omega)

    for name in (*BY_COM, "forward_dynamics"):
        given = {"forward_dynamics": (tau, wrench), "inverse_dynamics.wrench": (udot,)}.get(name, ())
        ours = model.derivative("forward_dynamics:wrench" if name == "forward_dynamics" else name, path)(state, *given)
        columns = [(at(name, h * axis) - at(name, -h * axis)) / (2 * h) for axis in np.eye(3)]
        assert_allclose(ours, np.stack(columns, axis=-1), rtol=0, atol=1e-7 * max(abs(ours).max(), 1e-2), err_msg=name)
    opened = compile_model(system, symbols=(path,)).forward_dynamics_derivatives(state, tau, wrench)
    ours = model.derivative("forward_dynamics:wrench", path)(state, tau, wrench)
    assert_allclose(opened.values[path], ours, rtol=0, atol=1e-11 * abs(ours).max())


def test_derivatives_that_there_are_not_are_refused() -> None:
    system = random_system(61, fixed=False, joints=2)
    model = compile_model(system)
    for name, by in (("momentum", "q"), ("H", "tau"), ("H", "body.*.mass_kg"), ("H", "body.body9.mass_kg"), ("H", "x")):
        with pytest.raises(InvalidInput):
            model.derivative(name, by)
    with pytest.raises(InvalidInput, match="a quantity that goes by the base's own centre of mass"):
        model.derivative("momentum.L_0", "body.base.com_m")
    with pytest.raises(InvalidInput, match=r"a model with Full\(\)"):
        compile_model(system, implementation=Partial()).derivative("H", "q")


def test_derivatives_of_many_states_are_those_of_each() -> None:
    system = random_system(3)
    path = f"body.{system.bodies[1].name}.mass_kg"
    model, rng = compile_model(system, symbols=[path]), np.random.default_rng(3)
    states = State.stack([random_state(system, seed) for seed in range(3)])
    masses, tau = model.symbols[path].value * np.array([0.9, 1.0, 1.2]), rng.normal(size=(3, model.layout.N))
    for name, by, inputs in (("H", path, ()), ("kinetic_energy", "u", ()), ("forward_dynamics", path, (tau,))):
        many = model.batch.derivative(name, by)
        found, filled = many(states, *inputs, values={path: masses}), np.empty((3, *model.derivative(name, by).shape))
        assert many(states, *(tau[0] for _ in inputs), out=filled, threads=2) is filled
        for k, mass in enumerate(masses):
            one = model.with_values({path: mass}).derivative(name, by)
            assert_allclose(found[k], one(states[k], *(array[k] for array in inputs)), rtol=1e-14, atol=1e-14)
            assert_allclose(filled[k], model.derivative(name, by)(states[k], *(tau[0] for _ in inputs)), rtol=1e-14, atol=1e-14)
    with pytest.raises(InvalidInput, match="one for each of 3 states"):
        many(states, tau, values={path: masses[:2]})
    with pytest.raises(InvalidInput):
        many(states, tau, values={"body.base.colour": masses})
