"""What the integrators accept and refuse, and what is kept between processes."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scmanip.compiled import compile_ode
from scmanip.compiled.kernel import _host
from scmanip.compiled.ode import _ode
from scmanip.compiled.ode import _ode_machine as machine
from scmanip.errors import InvalidInput, UnknownName
from scmanip.symbolic import record

from .equations import BOTH, built, kepler, oscillator, perihelion, watched

W = np.array(2.0)
START = np.array([0.3, -1.1])
GOOD = {"rtol": 1e-8, "atol": 1e-8}


@pytest.fixture
def compilations(monkeypatch):
    """The IR texts that were compiled since the test began; the integrators are forgotten before and after."""
    texts = []
    original = _host.Host.object_code

    def counting(self, source):
        texts.append(source)
        return original(self, source)

    machine._integrators.cache_clear()
    monkeypatch.setattr(_host.Host, "object_code", counting)
    yield texts
    machine._integrators.cache_clear()


# The program


@pytest.mark.parametrize(
    ("inputs", "function", "words"),
    [
        ({"y": (2,)}, lambda y: {"ydot": y}, r"input 't' of the program: expected shape \(\), found inputs y"),
        (
            {"t": (1,), "y": (2,)},
            lambda t, y: {"ydot": y},
            r"input 't' of the program: expected shape \(\), found shape \(1,\)",
        ),
        ({"t": (), "x": (2,)}, lambda t, x: {"ydot": x}, r"input 'y' of the program: .* found inputs t, x"),
        ({"t": (), "y": (2, 2)}, lambda t, y: {"ydot": y}, r"input 'y' of the program: expected shape \(n,\) .* \(2, 2\)"),
        ({"t": (), "y": ()}, lambda t, y: {"ydot": y}, r"input 'y' of the program: expected shape \(n,\)"),
        ({"t": (), "y": (0,)}, lambda t, y: {"ydot": y}, r"input 'y' of the program: expected shape \(n,\) with n > 0"),
        ({"t": (), "y": (2,)}, lambda t, y: {"rate": y}, r"output 'ydot' of the program: expected shape \(2,\).* outputs rate"),
        ({"t": (), "y": (2,)}, lambda t, y: {"ydot": y[:1]}, r"output 'ydot' of the program: .* found shape \(1,\)"),
    ],
)
def test_a_program_that_is_no_right_hand_side_is_refused(inputs, function, words):
    with pytest.raises(InvalidInput, match=words):
        compile_ode(record(inputs, function), cache=None)


def test_outputs_that_nobody_integrates_are_not_computed():
    program = kepler()
    alone = program.only("ydot")
    assert alone.operations == program.operations_of("ydot")
    assert alone.operations.functions < program.operations.functions
    assert [item.name for item in alone.inputs] == ["t", "y", "mu"]
    both = program.only("radius", "energy")
    arrays = np.array(0.3), perihelion(0.2), np.array(1.5)
    assert_array_equal(both.evaluate(*arrays)[0], program.evaluate(*arrays)[2])
    assert_array_equal(both.evaluate(*arrays)[1], program.evaluate(*arrays)[0])
    with pytest.raises(UnknownName, match="did you mean 'energy'"):
        program.only("energi")


def test_inputs_may_come_in_any_order_and_the_same_text_in_another_role_is_another_equation(cache):
    shapes = {"y": (3,), "p": (3,)}
    one = record({"t": (), **shapes}, lambda t, y, p: {"ydot": 2.0 * y})
    other = record({"t": (), "p": (3,), "y": (3,)}, lambda t, p, y: {"ydot": 2.0 * p})
    assert one.digest == other.digest
    y, p = np.array([1.0, 2.0, 3.0]), np.array([5.0, 6.0, 7.0])
    grown = compile_ode(one, cache=cache).fixed(0.0, y, 1e-3, 1, p, method="dop853")[-1]
    pushed = compile_ode(other, cache=cache).fixed(0.0, y, 1e-3, 1, p, method="dop853")[-1]
    np.testing.assert_allclose(grown, y * np.exp(2e-3), rtol=1e-14)
    np.testing.assert_allclose(pushed, y + 2e-3 * p, rtol=1e-14)


# Arguments


@BOTH
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"y_0": [0.3, -1.1]}, r"input 'y_0': expected float64 array of shape \(2,\), found list"),
        ({"y_0": np.ones(3)}, r"input 'y_0': .* found float64 array of shape \(3,\)"),
        ({"y_0": np.ones((1, 2))}, r"input 'y_0': .* shape \(1, 2\)"),
        ({"y_0": np.ones(2, dtype="f4")}, r"input 'y_0': .* found float32"),
        ({"y_0": np.array([1.0, np.nan])}, r"input 'y_0': expected finite numbers, found \[1.0, nan\]"),
        ({"w": 2.0}, r"input 'w': expected float64 array of shape \(\), found float"),
        ({"w": None}, r"input 'w': .* NoneType"),
        ({"t_0": np.inf}, r"t_0: expected a finite number, found inf"),
        ({"t_1": "3"}, r"t_1: expected a finite number, found '3'"),
        ({"t_1": True}, r"t_1: expected a finite number, found True"),
        ({"rtol": 0.0}, r"rtol: expected a number from 2.2e-14 to 1, found 0.0"),
        ({"rtol": np.nan}, r"rtol: .* found nan"),
        ({"atol": -1e-9}, r"atol: expected a number >= 0 .*, found -1e-09"),
        ({"atol": np.ones(3)}, r"atol: .* shape \(2,\), found float64 array of shape \(3,\)"),
        ({"atol": np.array([1.0, np.nan])}, r"atol: expected numbers >= 0, inf for what is left out"),
        ({"atol": [1e-8, 1e-8]}, r"atol: expected a number >= 0 or a float64 array of shape \(2,\), found \[1e-08, 1e-08\]"),
        ({"first_step": 0.0}, r"first_step: expected None or a finite number > 0, found 0.0"),
        ({"first_step": np.inf}, r"first_step: .* found inf"),
        ({"max_step": -1.0}, r"max_step: expected a number > 0, found -1.0"),
        ({"max_steps": 0}, r"max_steps: expected a whole number > 0, found 0"),
        ({"max_steps": 1e3}, r"max_steps: .* found 1000.0"),
        ({"samples": [0.0, 1.0]}, r"samples: expected float64 array of shape \(k,\), in order from 0.0 to 3.0, found list"),
        ({"samples": np.array([0.0, 2.0, 1.0])}, r"samples: .* found \[0.0, 2.0, 1.0\]"),
        ({"samples": np.array([0.0, 3.5])}, r"samples: .* found \[0.0, 3.5\]"),
        ({"samples": np.array([-0.5, 1.0])}, r"samples: .* found \[-0.5, 1.0\]"),
        ({"samples": np.array([np.nan])}, r"samples: .* found \[nan\]"),
        ({"samples": np.zeros((1, 1))}, r"samples: .* found float64 array of shape \(1, 1\)"),
    ],
)
def test_solve_refuses_what_does_not_fit(way, change, words):
    given = {"t_0": 0.0, "y_0": START, "t_1": 3.0, "w": W, **GOOD, **change}
    first = [given.pop(name) for name in ("t_0", "y_0", "t_1", "w")]
    with pytest.raises(InvalidInput, match=words):
        built(oscillator, way).solve(*first, **given)


@BOTH
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dt": 0.0}, r"dt: expected a finite number other than 0, found 0.0"),
        ({"dt": np.nan}, r"dt: .* found nan"),
        ({"steps": 0}, r"steps: expected a whole number > 0, found 0"),
        ({"steps": 2.0}, r"steps: .* found 2.0"),
        ({"every": -1}, r"every: expected a whole number > 0, found -1"),
        ({"every": 4}, r"every: expected a divisor of steps, 10, found 4; so that the last state is kept"),
        ({"method": "euler"}, r"method: expected one of rk4, dop853, found 'euler'"),
        ({"method": None}, r"method: .* found None"),
    ],
)
def test_fixed_steps_refuse_what_does_not_fit(way, change, words):
    given = {"t_0": 0.0, "y_0": START, "dt": 0.1, "steps": 10, "w": W, **change}
    first = [given.pop(name) for name in ("t_0", "y_0", "dt", "steps", "w")]
    ode = built(oscillator, way)
    with pytest.raises(InvalidInput, match=words):
        ode.fixed(*first, **given)
    with pytest.raises(InvalidInput, match=words):
        ode.ensemble(*first, **given)


@BOTH
def test_an_ensemble_refuses_cases_that_do_not_agree(way):
    ode = built(oscillator, way)
    with pytest.raises(InvalidInput, match=r"input 'y_0': expected float64 array of shape \(4, 2\), found .* \(3, 2\)"):
        ode.ensemble(0.0, np.ones((3, 2)), 0.1, 5, np.ones(4))
    with pytest.raises(InvalidInput, match=r"threads: expected a whole number > 0, found 0"):
        ode.ensemble(0.0, np.ones((3, 2)), 0.1, 5, W, threads=0)
    with pytest.raises(InvalidInput, match=r"arguments: expected 2 arrays \(input 'y_0', input 'w'\), found 1"):
        ode.ensemble(0.0, np.ones((3, 2)), 0.1, 5)


@BOTH
def test_all_that_is_wrong_is_named_at_once(way):
    with pytest.raises(InvalidInput) as caught:
        built(oscillator, way).solve(np.nan, START, 3.0, W, rtol=2.0, atol=1e-8, max_steps=-1)
    assert [problem.key for problem in caught.value.problems] == ["t_0", "rtol", "max_steps"]


@BOTH
def test_read_only_and_spaced_arrays_are_welcome(way):
    ode, spaced, frozen = built(oscillator, way), np.repeat(START, 2)[::2], START.copy()
    frozen.flags.writeable = False
    expected = ode.solve(0.0, START, 3.0, W, **GOOD)
    for y_0 in (spaced, frozen):
        assert_array_equal(ode.solve(0.0, y_0, 3.0, W, **GOOD).end_y, expected.end_y)
        assert_array_equal(ode.fixed(0.0, y_0, 0.1, 5, W), ode.fixed(0.0, START, 0.1, 5, W))
    times = np.linspace(0.0, 3.0, 20)[::2]
    assert_array_equal(
        ode.solve(0.0, START, 3.0, W, samples=times, **GOOD).y, ode.solve(0.0, START, 3.0, W, samples=times.copy(), **GOOD).y
    )


def test_numpy_numbers_are_numbers():
    ode = built(oscillator)
    one = ode.solve(
        np.float64(0.0), START, np.float64(3.0), W, rtol=np.float64(1e-8), atol=np.array(1e-8)[()], max_steps=np.int64(9)
    )
    assert_array_equal(one.end_y, ode.solve(0, START, 3, W, max_steps=9, **GOOD).end_y)
    assert_array_equal(ode.fixed(0, START, 1, np.int64(4), W, every=np.int32(2)), ode.fixed(0.0, START, 1.0, 4, W, every=2))


# What is kept


def _all(ode):
    results = ode.solve(0.0, START, 3.0, W, **GOOD).end_y, ode.fixed(0.0, START, 0.1, 5, W)
    return [*results, ode.ensemble(0.0, np.ones((9, 2)), 0.1, 5, W, method="dop853")]


def test_the_second_process_compiles_nothing(cache, compilations):
    first = _all(compile_ode(oscillator(), cache=cache))
    assert len(compilations) == 4  # right-hand side and integrators, for one and for lanes
    machine._integrators.cache_clear()  # as a new process would find it
    again = _all(compile_ode(oscillator(), cache=cache))
    assert len(compilations) == 4
    for a, b in zip(first, again, strict=True):
        assert_array_equal(a, b)


def test_another_equation_compiles_its_right_hand_side_alone(cache, compilations):
    _all(compile_ode(oscillator(), cache=cache))
    before = len(compilations)
    compile_ode(kepler(), cache=cache).solve(0.0, perihelion(0.1), 1.0, np.array(1.0), **GOOD)
    assert len(compilations) == before + 1


@pytest.mark.slow
def test_damaged_entries_are_made_again(cache, compilations):
    first = _all(compile_ode(oscillator(), cache=cache))
    for path in cache.folder.glob("*.o"):
        content = path.read_bytes()
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    machine._integrators.cache_clear()
    again = _all(compile_ode(oscillator(), cache=cache))
    assert len(compilations) == 8
    for a, b in zip(first, again, strict=True):
        assert_array_equal(a, b)


def test_text_is_the_same_in_every_run_and_names_nothing(cache):
    source = compile_ode(watched(), cache=cache).source
    assert source == compile_ode(watched(), cache=None).source
    assert "floor" not in source
    assert "limit" not in source


def test_an_equation_can_be_pickled():
    ode = compile_ode(oscillator(), cache=None)
    again = pickle.loads(pickle.dumps(ode))
    assert repr(again) == repr(ode) == "Ode(n=2, parameters=(w))"
    assert_array_equal(again.fixed(0.0, START, 0.1, 5, W), ode.fixed(0.0, START, 0.1, 5, W))


def test_without_llvm_numpy_integrates(monkeypatch):
    def missing():
        raise ImportError("llvmlite")

    monkeypatch.setattr(_ode, "host", missing)
    ode = compile_ode(oscillator(), cache=None)
    assert ode.source == ""
    for mine, theirs in zip(_all(ode), _all(built(oscillator)), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
