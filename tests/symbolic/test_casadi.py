"""Programs as CasADi functions: the same numbers, the same derivatives, whatever inputs are called."""

import casadi
import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import State, compile_model, load_system
from scmanip.control import ComputedTorque, ResolvedRate, Sampled, Saturated, WithFeedforward, program_of
from scmanip.dynamics import derive
from scmanip.errors import InvalidInput
from scmanip.guidance import Reach
from scmanip.symbolic import record
from tests.symbolic.expressions import random_expression

SYSTEM = load_system("model:planar_four_link")
SYMBOLIC = derive(SYSTEM)


def numbers(program, seed=1):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=i.shape) for i in program.inputs]


def same(function, program, given):
    found = function(*[array.reshape(array.shape[0], -1) if array.ndim else array for array in given])
    found = found if isinstance(found, tuple) else (found,)
    for one, other in zip(found, program.evaluate(*given), strict=True):
        assert_allclose(np.array(one).reshape(other.shape), other, rtol=0, atol=1e-13 * max(1.0, abs(other).max()))


@pytest.mark.parametrize("name", ["H", "C", "dH_dq", "forward_dynamics"])
def test_quantities_of_a_model(name):
    quantity = getattr(SYMBOLIC, name)
    program, function = quantity.program, quantity.casadi(name)
    assert [function.name_in(k) for k in range(function.n_in())] == [i.name for i in program.inputs]
    same(function, program, numbers(program))


@pytest.mark.parametrize("seed", range(10))
def test_random_programs(seed):
    rng = np.random.default_rng(seed)
    program = record({"x": (4,)}, random_expression(rng, 40))
    for k in range(3):
        same(program.casadi(), program, numbers(program, k))


def test_a_whole_sampled_controller_and_what_it_does_to_mx():
    model = compile_model(SYSTEM)
    state = State.at_rest(SYSTEM, np.array([0.3, 0.4, -0.5, 0.6]))
    way = Reach.from_state(model, state, "tip", position_m=model.position(state, "tip") + 0.1, duration_s=10.0)
    law = Sampled(Saturated(ResolvedRate(WithFeedforward(ComputedTorque(model, K_P=0.0))), 3.0), rate_Hz=20)
    program = program_of(law, sample=way.at(0.0), symbols=("K_D",))
    given = numbers(program)
    same(program.casadi("law"), program, given)
    x = casadi.MX.sym("x", model.layout.n_x)
    others = [array for array, i in zip(given, program.inputs, strict=True) if i.name != "x"]
    command = casadi.Function("command", [x], [program.casadi("law")(others[0], x, *others[1:])])
    assert_allclose(np.array(command(given[1])).ravel(), program.evaluate(*given)[0], rtol=0, atol=1e-12)


def test_its_derivatives_are_those_of_the_program():
    program = SYMBOLIC.H.program
    given = numbers(program)
    q = given[0]
    assert program.inputs[0].name == "q"
    scalars = casadi.SX.sym("q", len(q))
    H = program.casadi()(scalars, *given[1:])
    slope = casadi.Function("slope", [scalars], [casadi.jacobian(casadi.vec(H.T), scalars)])
    (own,) = program.jacobian("H", "q").evaluate(*given)
    assert_allclose(np.array(slope(q)), own.reshape(-1, len(q)), rtol=0, atol=1e-12 * abs(own).max())


def test_names_become_words_that_differ():
    hostile = [
        "body.link2.mass_kg",
        "body link2 mass_kg",
        "body_link2_mass_kg",
        "",
        "null",
        '"; exit',
        "é",
        "x" * 300,
        "joint[0]",
    ]
    program = record({name: (2,) for name in hostile}, lambda **given: {"y.z": sum(given.values()), "null": given["é"][0]})
    function = program.casadi()
    words = [function.name_in(k) for k in range(len(hostile))] + [function.name_out(0), function.name_out(1)]
    assert words[:3] == ["body_link2_mass_kg", "body_link2_mass_kg2", "body_link2_mass_kg3"]
    assert len(set(words)) == len(words) and all(map(casadi.Function.check_name, words))
    same(function, program, numbers(program))
    for name in ("", "a b", "null", "a__b", "1"):
        with pytest.raises(InvalidInput, match="name: expected a letter"):
            program.casadi(name)


def test_numbers_and_nothing():
    program = record({"a": (), "none": (0,)}, lambda a, none: {"y": 2.0, "z": np.array([a, 1.0, 0.0]), "empty": none})
    function = program.casadi()
    y, z, empty = function(3.0, np.zeros((0, 1)))
    assert float(y) == 2 and np.array(z).ravel().tolist() == [3, 1, 0] and empty.shape[0] == 0


def test_arrays_keep_their_rows_and_columns():
    program = record({"M": (2, 3)}, lambda M: {"N": np.array([[M[0, 1], M[1, 0]], [M[0, 2], 2 * M[1, 1]], [M[1, 2], M[0, 0]]])})
    same(program.casadi(), program, numbers(program))
