"""The symbolic model: every quantity counted, shown, differentiated, and the same from run to run."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import mpmath
import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose

from scmanip.compiled import compile_program
from scmanip.dynamics import (
    FoldedInertia,
    Form,
    Partial,
    RunTimeInertia,
    by_form,
    by_sums,
    compile_model,
    derive,
    inertia_table,
)
from scmanip.dynamics.programs import _derivation
from scmanip.dynamics.programs._forms import recursive
from scmanip.dynamics.programs._quantities import AskedQuantity
from scmanip.dynamics.recursions._link_equations import OFFERED
from scmanip.errors import InvalidInput, UnknownName
from scmanip.spatial import DCM, Quaternion, dcm_from_quaternion, quaternion_rate
from scmanip.symbolic import Operations, Program
from scmanip.system import Body, Frame, Joint, State, System, load_system

from ..models import COUNTED
from ..oracles.random_systems import random_state, random_system
from .agreement import Inputs, check, reference
from .arms import long_arm, two_links

ROOT = Path(__file__).parents[2]
PLAIN = (
    "H0", "H0m", "Hm", "M", "H", "H0_inverse", "S_U", "r_0C", "Hdot", "dH_dq", "C", "c", "momentum_bias", "coriolis_matrix",
    "H0_dot", "H0m_dot", "Hm_dot", "dH0_dq", "dH0m_dq", "dHm_dq", "gravity_force", "kinetic_energy",
    "energy_by_body",
)  # fmt: skip
OF_A_FRAME = ("J0", "Jm", "J_star", "J_star_drift", "J_dot_u", "position", "attitude")
OF_PARTS = {
    "momentum": ("P", "L_0", "L_C"),
    "momentum_by_body": ("P", "L_C"),
    "inverse_dynamics": ("wrench", "tau"),
    "floating_inverse_dynamics": ("base_acceleration", "tau"),
}
EVERYTHING = (*PLAIN, *(f"{name}:tip" for name in OF_A_FRAME), *OF_PARTS, "forward_dynamics", "forward_dynamics:wrench")
packaged = pytest.mark.parametrize("name", COUNTED)


def model_file(name: str) -> System:
    return load_system(f"model:{name}")


# Names


ARM = two_links()
SHOWN = {
    "floating": ARM,
    "fixed": System("fixed", ARM.base, ARM.bodies[1:], ARM.frames, fixed=True),
    "no joint": System("no joint", ARM.base, [], [Frame("tip", "base", [1, 0, 0])]),
    "nothing moves": System("nothing moves", ARM.base, [], [Frame("tip", "base")], fixed=True),
}


# those of [Wilde2018]
LETTERS = {
    "H0": r"\mathbf{H}_0",
    "H0m": r"\mathbf{H}_{0m}",
    "Hm": r"\mathbf{H}_m",
    "H": r"\mathbf{H}",
    "S_U": r"\mathbf{S}_U",
    "J_star:tip": r"\mathbf{J}^{*\,\mathtt{tip}}",
}


@pytest.mark.slow
@pytest.mark.parametrize("system", SHOWN.values(), ids=SHOWN.keys())
def test_every_name_of_the_contract_is_counted_and_shown(system: System) -> None:
    symbolic = derive(system)
    for name in EVERYTHING:
        if system.fixed and name == "forward_dynamics:wrench":
            continue
        kind, _, frame = name.partition(":")
        quantity = symbolic.quantity(name)
        assert isinstance(quantity.program, Program), name
        assert isinstance(quantity.operations, Operations), name
        assert quantity.operations == quantity.program.operations, name
        letter = quantity.sympy().notation.letter(quantity.program.outputs[0].name).latex
        assert f"{letter} = " in quantity.latex(), name
        assert letter == LETTERS.get(name, letter), name
        shape = quantity.program.outputs[0].shape
        assert len(quantity.sympy().z) <= quantity.operations.total, name
        assert np.asarray(quantity.sympy().matrix).size == np.prod(shape), name
        if frame == "tip":
            assert getattr(symbolic, kind)("tip").program.text == quantity.program.text
        elif not frame:
            assert getattr(symbolic, kind).program.text == quantity.program.text
        assert kind in dir(symbolic)
        assert name in repr(quantity)


@pytest.mark.slow
def test_quantities_of_several_arrays_have_their_parts_as_attributes() -> None:
    symbolic = derive(two_links())
    for name, parts in OF_PARTS.items():
        whole = getattr(symbolic, name)
        assert [output.name for output in whole.program.outputs] == [f"{name}.{part}" for part in parts]
        for part in parts:
            alone = getattr(whole, part)
            assert [output.name for output in alone.program.outputs] == [f"{name}.{part}"]
            assert alone.operations.total <= whole.operations.total
    with pytest.raises(AttributeError, match="no part 'force'"):
        _ = symbolic.inverse_dynamics.force
    with pytest.raises(AttributeError, match="no part 'tau'"):
        _ = symbolic.H.tau


def test_names_that_do_not_exist_are_refused_and_the_nearest_one_suggested() -> None:
    symbolic = derive(two_links())
    with pytest.raises(UnknownName, match="did you mean 'tip'"):
        symbolic.J_star("tipp")
    with pytest.raises(UnknownName, match="did you mean 'Hdot'"):
        symbolic.quantity("Hdott")
    with pytest.raises(UnknownName):
        symbolic.program("H", "J_star")
    with pytest.raises(UnknownName):
        symbolic.program("J_star:tipp")
    with pytest.raises(AttributeError, match="no quantity 'Hdott'"):
        _ = symbolic.Hdott
    with pytest.raises(InvalidInput, match="derive"):
        compile_model(symbolic, kinematics=Quaternion())


def test_deriving_records_nothing_and_a_model_of_it_keeps_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*arguments: object) -> None:
        raise AssertionError("recorded")

    monkeypatch.setattr(_derivation, "record", refusing)
    symbolic = derive(two_links(), implementation=Partial(), kinematics=Quaternion(), inertia=RunTimeInertia())
    model = compile_model(symbolic)
    assert (model.implementation, model.kinematics, model.system) == (Partial(), Quaternion(), symbolic.system)
    assert "two links" in repr(symbolic)
    with pytest.raises(AssertionError, match="recorded"):
        _ = symbolic.H.operations


@pytest.mark.slow
def test_one_program_of_several_quantities_shares_what_they_have_in_common() -> None:
    symbolic = derive(model_file("bench_6r"))
    together = symbolic.program("H", "J_star:tip")
    assert [output.name for output in together.outputs] == ["H", "J_star:tip"]
    separate = symbolic.H.operations.total + symbolic.J_star("tip").operations.total
    assert together.operations.total < 0.8 * separate
    assert together.operations_of("H").total <= together.operations.total


def test_programs_have_only_the_inputs_that_matter() -> None:
    def inputs(name: str, **options: object) -> set[str]:
        return {i.name for i in derive(two_links(), **options).quantity(name).program.inputs}

    assert inputs("H") == inputs("J_star:tip") == inputs("position:tip") == {"q"}
    assert inputs("C") == inputs("Hdot") == {"q", "qdot"}
    assert inputs("kinetic_energy") == inputs("J_star_drift:tip") == {"q", "qdot", "v_0", "omega_0"}
    assert inputs("forward_dynamics") == {"q", "qdot", "omega_0", "tau"}  # nothing depends on how fast the base moves
    assert inputs("inverse_dynamics.tau") == {"q", "qdot", "omega_0", "udot"}
    assert inputs("H", inertia=RunTimeInertia()) == {"q", "inertia"}
    assert inputs("H", inertia=FoldedInertia(), kinematics=Quaternion()) == {"q"}


@pytest.mark.battery(0, judged=6)
@pytest.mark.parametrize("seed", range(700, 716))
def test_symbolic_programs_agree_with_the_sums_of_the_paper_in_base_axes(seed: int) -> None:
    system, form = random_system(seed, joints=seed % 4 + 1), (DCM(), Quaternion())[seed % 2]
    state, given = random_state(system, seed), Inputs.of(system, seed)
    if not system.fixed:
        state = State([0, 0, 0], [0, 0, 0, 1], state.q, state.v_0, state.omega_0, state.qdot)
    names = [name for name in EVERYTHING if not (system.fixed and name == "forward_dynamics:wrench")]
    model = compile_model(system)
    e, symbolic = (
        model.equations(state),
        derive(system, kinematics=form, inertia=(FoldedInertia(), RunTimeInertia())[seed // 2 % 2]),
    )
    arrays = {"inertia": inertia_table(symbolic.system), "q": state.q, "qdot": state.qdot} | vars(given)
    if not system.fixed:
        arrays |= {"v_0": state.v_0, "omega_0": state.omega_0}
    program = symbolic.program(*names)
    results = program.evaluate(*(arrays[i.name] for i in program.inputs))
    found = dict(zip([output.name for output in program.outputs], results, strict=True))
    check(f"system {seed}", e, reference(names, model, state, given), found)


# By hand


def lagrangian(base_mass: float = 64.0) -> Mapping[str, sympy.Matrix]:
    """H, C and J* of the arm of `two_links` in its plane, from kinetic energy by SymPy's own calculus."""
    q = sympy.symbols("q_1 q_2", real=True)
    qdot = sympy.symbols("qdot_1 qdot_2", real=True)
    x, y, phi, vx, vy, spin = sympy.symbols("x y phi v_x v_y spin", real=True)

    def turned(angle: sympy.Expr, a: sympy.Expr, b: sympy.Expr = 0) -> sympy.Matrix:
        return sympy.Matrix([sympy.cos(angle) * a - sympy.sin(angle) * b, sympy.sin(angle) * a + sympy.cos(angle) * b])

    half = sympy.Rational(1, 2)
    base = sympy.Matrix([x, y])
    shoulder = base + turned(phi, half, half / 2)
    upper = shoulder + turned(phi + q[0], 3 * half / 2)
    elbow = shoulder + turned(phi + q[0], 3 * half)
    lower, tip = elbow + turned(phi + q[0] + q[1], half), elbow + turned(phi + q[0] + q[1], 5 * half / 2)
    place, speed = sympy.Matrix([x, y, phi, *q]), sympy.Matrix([vx, vy, spin, *qdot])
    T = 0
    for m, I, r, omega in (
        (sympy.nsimplify(base_mass), 32, base, spin),
        (8, 5 * half, upper, spin + qdot[0]),
        (4, 5 * half / 2, lower, spin + qdot[0] + qdot[1]),
    ):
        v = r.jacobian(place) * speed
        T += half * m * (v.T * v)[0] + half * I * omega**2
    M = sympy.hessian(sympy.expand(T), list(speed)).subs(phi, 0)
    recoil = M[:3, :3].inv() * M[:3, 3:]
    H = M[3:, 3:] - M[3:, :3] * recoil
    C = sympy.zeros(2, 1)
    for i in range(2):
        for j in range(2):
            for k in range(2):
                C[i] += (sympy.diff(H[i, j], q[k]) - half * sympy.diff(H[j, k], q[i])) * qdot[j] * qdot[k]
    twist = sympy.Matrix([*tip, phi + q[0] + q[1]]).jacobian(place).subs(phi, 0)
    return {"H": H, "C": C, "J_star": twist[:, 3:] - twist[:, :3] * recoil}


POINTS = [(0, 0, 1, 0), ("1/3", "-2/5", "1/7", 2), ("7/4", "9/8", "-3/2", "1/2"), (-3, 2, "5/3", "-7/9")]


@pytest.fixture(scope="module")
def by_hand() -> Mapping[str, sympy.Matrix]:
    return lagrangian()


@pytest.mark.slow
@pytest.mark.parametrize("numbers", POINTS, ids=str)
def test_two_links_worked_out_by_hand_are_what_sympy_shows(
    by_hand: Mapping[str, sympy.Matrix], numbers: tuple[object, ...]
) -> None:
    values = dict(zip(sympy.symbols("q_1 q_2 qdot_1 qdot_2", real=True), map(sympy.Rational, numbers), strict=True))

    def digits(matrix: sympy.Matrix) -> np.ndarray:
        """Evaluate with 15 digits more than a float has."""
        function = sympy.lambdify([*values], matrix, "mpmath")
        with mpmath.workdps(30):
            return np.array(function(*map(mpmath.mpmathify, values.values())).tolist(), dtype=float)

    symbolic = derive(two_links())
    assert_allclose(digits(symbolic.H.sympy().expanded()), digits(by_hand["H"]), rtol=1e-14)
    J_star = digits(symbolic.J_star("tip").sympy().expanded())
    assert_allclose(J_star[[0, 1, 5]], digits(by_hand["J_star"]), rtol=1e-14, atol=1e-15)
    assert not J_star[2:5].any()
    wanted, form = digits(by_hand["C"]), symbolic.C.sympy()
    for symbol, expression in form.z:  # Z by Z, as a reader would
        values[symbol] = expression.evalf(30, subs=values)
    assert_allclose(digits(form.matrix), wanted, rtol=1e-13, atol=1e-14)


def test_a_pendulum_costs_what_its_formula_costs() -> None:
    """tau = I qddot - m g l sin q, with gravity along x."""
    bob = Body("bob", 2.0, [0.1, 0.2, 0.3], [0.5, 0, 0], "base", Joint("hinge", "revolute"))
    pendulum = derive(System("pendulum", Body("base", 1.0, [1, 1, 1]), [bob], fixed=True, gravity_m_s2=[9.81, 0, 0]))
    tau = pendulum.inverse_dynamics.tau
    assert tau.operations == Operations(multiplications=2, additions=1, divisions=0, functions=1)
    (found,) = tau.program.evaluate(*({"q": np.array([0.3]), "udot": np.array([2.0])}[i.name] for i in tau.program.inputs))
    assert found == pytest.approx((0.3 + 2 * 0.25) * 2.0 + 2 * 9.81 * 0.5 * np.sin(0.3), rel=1e-15)
    assert pendulum.H.operations.total == pendulum.C.operations.total == 0


# Operation counts


def test_inverse_dynamics_of_known_arms_costs_less_than_published() -> None:
    """Stanford arm: 646 + 394 by Kane & Levinson, 142 + 99 at best; any six revolute joints: 450 + 386 at best."""
    for name, most in (("stanford_arm", 239), ("general_6r", 836)):
        operations = derive(model_file(name)).inverse_dynamics.tau.operations
        assert operations.multiplications + operations.additions <= most
        assert operations.divisions == 0


def test_programs_of_the_benchmark_arm_stay_within_their_budgets() -> None:
    symbolic = derive(model_file("bench_6r"))
    assert symbolic.program("H", "J_star:tip").operations.total <= 1040
    assert symbolic.forward_dynamics.operations.total <= 1850


@pytest.mark.battery(0, judged=3)
@packaged
def test_recursions_never_cost_more_than_the_sums_of_the_paper(name: str) -> None:
    symbolic = derive(model_file(name))
    either = {"J_dot_u"}  # one path, along which no composite body saves anything: which is shorter depends on the axes
    asked = [text for text in EVERYTHING if AskedQuantity.of(text).quantity.source in OFFERED - either]
    for text in asked:
        if not (symbolic.system.fixed and text == "forward_dynamics:wrench"):
            recursion = by_form(symbolic, text, Form.ELIMINATION if text.startswith("forward") else Form.RECURSION)
            assert recursion.operations.total <= by_sums(symbolic, text).operations.total, text
    assert len(asked) > 15


@packaged
def test_h_as_a_person_writes_it_is_h(name: str) -> None:
    symbolic = derive(model_file(name))
    q = random_state(symbolic.system, 4).q
    written, H = by_form(symbolic, "H", Form.COMPLEMENT).evaluate(q)[0], symbolic.H.program.evaluate(q)[0]
    np.testing.assert_allclose(written, H, rtol=0, atol=1e-13 * abs(H).max(initial=0.0))


@pytest.mark.slow
@pytest.mark.parametrize("joints", [10, 20])
def test_long_arms_run_by_articulated_bodies_and_the_card_says_so(joints: int) -> None:
    system = long_arm(joints)
    model, state, given = compile_model(system), random_state(system, 1), Inputs.of(system, 1)
    names = ("forward_dynamics", "forward_dynamics:wrench")
    found = {
        "forward_dynamics": model.forward_dynamics(state, given.tau),
        "forward_dynamics:wrench": model.forward_dynamics(state, given.tau, given.wrench),
    }
    check(f"{joints} joints", model.equations(state), reference(names, model, state, given), found)
    assert model.card().count("by articulated bodies") == 2
    assert str(model.symbolic.derivation.packed_program(["forward_dynamics"]).operations) in model.card()


@pytest.mark.slow
def test_short_arms_run_by_elimination_and_the_card_says_so() -> None:
    model = compile_model(model_file("bench_6r"), quantities=("forward_dynamics", "H", "Hdot", "attitude:tip"))
    programs = [line for line in model.card().splitlines()[2:] if not line.startswith("  ")]
    assert [line.partition(": ")[2].partition(",")[0] for line in programs] == [
        "by composite bodies and elimination of the base",
        "by recursion in link axes",
        "by differentiation of the program of H",
        "by sums over links [Wilde2018]",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("joints", [7, 8, 9])
def test_the_cheaper_way_to_forward_dynamics_is_taken(joints: int) -> None:
    for system in (long_arm(joints), random_system(800 + joints, joints=joints)):
        symbolic = derive(system)
        ways = (Form.ELIMINATION, Form.ARTICULATED_BODIES)
        cheaper = min(by_form(symbolic, "forward_dynamics", form).operations.total for form in ways)
        assert symbolic.forward_dynamics.operations.total == cheaper


# Derivatives


@pytest.mark.battery(1)
@pytest.mark.parametrize("seed", range(720, 732))
def test_derivatives_of_the_programs_are_eqs_65_to_102(seed: int) -> None:
    """The chain rule through the recorded recursion knows nothing of the paper's formulas for the rates."""
    system = random_system(seed, joints=seed % 4 + 1)
    state, N = random_state(system, seed), system.layout.N
    model = compile_model(system)
    e, layout = model.equations(state), system.layout
    motion = np.zeros(layout.n_x)
    motion[layout.x_q] = state.qdot
    if not system.fixed:
        motion[layout.x_r_0], motion[layout.x_attitude] = state.v_0, quaternion_rate(state.attitude_xyzw, state.omega_0)
    program = derive(system).derivation.packed_program(["H0", "H0m", "Hm", "H"], recursive)
    for name, rate, gradient in (
        ("H0", "H0_dot", "dH0_dq"),
        ("H0m", "H0m_dot", "dH0m_dq"),
        ("Hm", "Hm_dot", "dHm_dq"),
        ("H", "Hdot", "dH_dq"),
    ):
        (along,) = program.tangent(name, ["x"]).evaluate(state.x, motion)
        (per_coordinate,) = program.jacobian(name, "x").evaluate(state.x)
        found = {rate: along, gradient: per_coordinate[..., layout.x_q]}
        wanted = {rate: getattr(e, rate), gradient: np.moveaxis(getattr(e, gradient), 0, -1)}
        assert wanted[gradient].shape == (*along.shape, N)
        check(f"system {seed}", e, wanted, found)


# The same from run to run

SCRIPT = """
from hashlib import sha256
import scmanip
from scmanip.compiled import compile_program
from scmanip.dynamics import RunTimeInertia, derive
system = scmanip.load_system("model:bench_6r")
for options in ({}, {"inertia": RunTimeInertia()}):
    derivation = derive(system, **options).derivation
    for program in (derivation.open_program(["H", "J_star:tip", "Hdot"]), derivation.packed_program(["forward_dynamics", "C"])):
        print(program.digest, sha256(program.text.encode()).hexdigest())
compiled = compile_program(program)
for code in (compiled.evaluator.one_object, compiled.evaluator.many_object, compiled.evaluator.one_source().encode()):
    assert code
    print(sha256(code).hexdigest())
"""


@pytest.mark.slow
def test_program_text_and_machine_code_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    printed = []
    for seed in ("0", "1", "4242"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "SCMANIP_CACHE": str(tmp_path / seed)}  # each compiles anew
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        printed.append(run.stdout)
        assert len(run.stdout.splitlines()) == 7
    assert printed[0] == printed[1] == printed[2]


@pytest.mark.slow
def test_recording_twice_gives_the_same_text() -> None:
    one, other = (derive(model_file("ets7")).program("H", "forward_dynamics", "dH_dq").text for _ in range(2))
    assert one == other


HOSTILE = (
    "__import__('os').system('touch hacked')",
    "quote \" then ' then \\",
    r"line\nbreak; \"",
    "} ret void } define i32 @main() {",
    "%0",
    "z1",
)


def named(names: tuple[str, ...]) -> System:
    """Return one small arm with bodies, joints and frames of the given names."""
    shoulder, elbow = Joint(names[2], "revolute"), Joint(names[3], "revolute", [0, 1, 0], [1, 0, 0])
    bodies = [
        Body(names[0], 5.0, [1, 2, 2], [0.5, 0, 0], "base", shoulder),
        Body(names[1], 2.0, [1, 1, 1], [0.2, 0, 0], names[0], elbow),
    ]
    frames = [Frame(names[4], names[1], [0.4, 0, 0]), Frame(names[5], "base", [0.1, 0, 0])]
    return System(names[0], Body("base", 50.0, [10, 20, 30]), bodies, frames)


def test_hostile_names_appear_nowhere_in_programs_or_code() -> None:
    innocent = ("upper", "lower", "shoulder", "elbow", "tip", "antenna")
    texts, codes = [], []
    for names in (HOSTILE, innocent):
        symbolic = derive(named(names))
        program = symbolic.derivation.packed_program(
            [f"J_star:{names[4]}", f"position:{names[5]}", f"Jm@{names[1]}", "forward_dynamics"]
        )
        assert f"J_star:{names[4]}" in [output.name for output in program.outputs]
        compiled = compile_program(program, cache=None)
        texts.append((program.text, compiled.evaluator.one_source(), compiled.evaluator.many_source()))
        codes.append((compiled.evaluator.one_object, compiled.evaluator.many_object))
    assert texts[0] == texts[1]  # the names are nowhere
    assert codes[0] == codes[1]
    assert all(texts[0])
    assert all(codes[0])
    for fragment in ("__import__", "hacked", "then", "@main"):
        assert all(fragment not in text for text in texts[0])
        assert all(fragment.encode() not in code for code in codes[0])


def test_hostile_names_are_shown_as_text_and_compute() -> None:
    symbolic = derive(named(HOSTILE))
    for frame in HOSTILE[4:]:
        assert symbolic.J_star(frame).sympy().matrix.shape == (6, 2)
        assert symbolic.J_star(frame).latex()
    model, state = compile_model(symbolic), State([0, 0, 0], q=[0.1, 0.2])
    assert_allclose(model.position(state, "z1"), [0.1, 0, 0], atol=1e-15)
    assert model.J_star(state, body=HOSTILE[2 - 1], point_m=[0, 0, 0]).shape == (6, 2)
    assert not (ROOT / "hacked").exists()


# Turned states


def test_the_base_may_be_turned_and_placed_anywhere() -> None:
    """What is recorded with the base not turned holds in every attitude, once turned."""
    system = model_file("bench_6r")
    state, derivation = random_state(system, 5), derive(system).derivation
    R = dcm_from_quaternion(state.attitude_xyzw)
    (in_base_axes,) = derivation.open_program(["J_star:tip"]).evaluate(state.q)
    (in_N,) = derivation.packed_program(["J_star:tip"]).evaluate(state.x)
    turn = np.kron(np.eye(2), R)
    assert_allclose(in_N, turn @ in_base_axes, rtol=0, atol=1e-14 * abs(in_N).max())


def test_a_quantity_travels_to_another_process_recorded_or_not() -> None:
    quantity = derive(random_system(41, fixed=False, joints=2)).inverse_dynamics.tau
    assert pickle.loads(pickle.dumps(quantity)).operations == quantity.operations
    assert pickle.loads(pickle.dumps(quantity)).operations == quantity.operations
