"""The command `scmanip derive`: programs counted and shown, by name, for the shell and for pipes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from typer.testing import CliRunner, Result

import scmanip
from scmanip.command._application import application
from scmanip.command._derive import all_quantities, both_tasks
from scmanip.dynamics import SymbolicModel, by_sums
from scmanip.symbolic import Operations, Program
from tests.mission.files import FIXED, MISSION, SINGULAR, SLIDER, SYSTEM

INERTIA = ["H0", "H0m", "Hm", "M", "H", "H0_inverse", "S_U", "r_0C"]
RATES = ["Hdot", "dH_dq", "H0_dot", "H0m_dot", "Hm_dot", "dH0_dq", "dH0m_dq", "dHm_dq"]
FORCES = ["c", "C", "momentum_bias", "coriolis_matrix", "gravity_force"]
POINTS = ["J0:lower", "Jm:lower", "J_star:lower", "J_star_drift:lower", "J_dot_u:lower", "position:lower", "attitude:lower"]
MOTION = ["momentum", "momentum_by_body", "kinetic_energy", "energy_by_body"]
TASKS = ["forward_dynamics", "forward_dynamics:wrench", "inverse_dynamics", "floating_inverse_dynamics"]
SYSTEMS = {"floating": SYSTEM, "sliding": SLIDER, "fixed": "gravity_m_s2 = [0.0, 1.0, -9.81]\n" + FIXED}
SPRUNG = SYSTEM.replace("upper_rad = 2.0", "stiffness_Nm_rad = 3.0, damping_Nms_rad = 0.2")


def shown(*arguments: object) -> Result:
    return CliRunner().invoke(application, ["derive", *(str(argument) for argument in arguments)])


def symbolic(text: str) -> SymbolicModel:
    return scmanip.derive(scmanip.System.from_toml_text(text))


def rows(result: Result) -> dict[str, list[int]]:
    """Return the numbers of every row, those of several forms under "name recursion", "name sums" and so on."""
    found, name = {}, ""
    for line in result.stdout.splitlines()[2:]:
        if not line[-1:].isdigit():
            name = line
            found[name] = []
            continue
        label, numbers = line[:25].strip(), [int(word) for word in line[25:].split()]
        if line.startswith("  "):
            found[f"{name} {label}"] = numbers
        else:
            name = label.removesuffix(", sums")
            found[name] = numbers
    return found


def counts(operations: Operations) -> list[int]:
    o = operations
    return [o.multiplications, o.additions, o.divisions, o.functions, o.total]


def values(program: Program, seed: int) -> list[np.ndarray]:
    """Return the outputs of a program for numbers that depend on the names of its inputs only."""
    inputs = [np.random.default_rng([seed, *i.name.encode()]).uniform(0.2, 0.9, i.shape) for i in program.inputs]
    return [*program.evaluate(*inputs)]


@pytest.mark.slow
def test_the_stanford_arm_takes_fewer_operations_than_published_alone_and_from_one_set() -> None:
    result = shown("model:stanford_arm", "--quantity", "inverse_dynamics.tau")
    assert result.exit_code == 0, result.output
    found = rows(result)
    alone, one_set = found["inverse dynamics alone"], found["M and bias, one set inverse dynamics by it"]
    assert sum(alone[:2]) <= 142 + 99
    assert alone == found["inverse_dynamics.tau recursion"]
    assert alone[4] < one_set[4] < 646 + 394
    added = [n - m for n, m in zip(one_set, found["M and bias, one set"], strict=True)]
    assert 0 < added[0] <= 36
    assert added[2:4] == [0, 0]


@pytest.mark.slow
def test_all_quantities_are_counted_without_a_name(tmp_path: Path) -> None:
    (tmp_path / "arm.toml").write_text(SYSTEM, encoding="utf-8")
    result = shown(tmp_path / "arm.toml")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "system two-link: floating base, 2 joint freedoms, rotations by DCM()"
    assert lines[1].split() == ["multiplications", "additions", "divisions", "functions", "total"]
    assert max(map(len, lines)) <= 80
    found = rows(result)
    assert {*INERTIA, *RATES, *FORCES, *POINTS, *MOTION, *TASKS} <= set(found)
    for label, numbers in found.items():
        assert not numbers or numbers[4] == sum(numbers[:4]), label
    equations = symbolic(SYSTEM)
    assert found["H recursion"] == counts(equations.H.operations)
    assert found["dHm_dq moving"] == counts(equations.dHm_dq.operations)
    assert "sums over links" in result.stderr


def test_a_fixed_base_takes_no_wrench() -> None:
    names = [quantity.name for quantity in all_quantities(symbolic(SYSTEMS["fixed"]))]
    assert "forward_dynamics" in names
    assert "forward_dynamics:wrench" not in names


@pytest.mark.slow
@pytest.mark.parametrize("text", [*SYSTEMS.values(), SPRUNG], ids=[*SYSTEMS, "sprung"])
def test_the_sums_and_the_recursion_are_two_programs_of_the_same_quantity(text: str) -> None:
    equations = symbolic(text)
    for quantity in all_quantities(equations):
        if "sums" not in {count.form.word for count in quantity.choice.counts}:
            continue  # regressors and derivatives, which are tested against sums where they are
        sums = by_sums(equations, quantity.name)
        assert [(o.name, o.shape) for o in sums.outputs] == [(o.name, o.shape) for o in quantity.program.outputs]
        for ours, other in zip(values(quantity.program, 1), values(sums, 1), strict=True):
            assert_allclose(ours, other, rtol=0, atol=1e-12 * abs(other).max(initial=1.0), err_msg=quantity.name)


@pytest.mark.parametrize("text", [*SYSTEMS.values(), SPRUNG], ids=[*SYSTEMS, "sprung"])
def test_one_set_of_equations_does_both_tasks_as_a_program_for_each_does(text: str) -> None:
    programs = both_tasks(symbolic(text))
    (forces,) = values(programs["  inverse dynamics by it"], 2)
    assert_allclose(forces, np.concatenate(values(programs["inverse dynamics alone"], 2)), rtol=1e-11, atol=1e-12)
    (udot,) = values(programs["  forward dynamics by it"], 2)
    assert_allclose(udot, values(programs["forward dynamics alone"], 2)[0], rtol=1e-10, atol=1e-12)
    M, bias = values(programs["M and bias, one set"], 2)
    tau = np.random.default_rng([2, *b"tau"]).uniform(0.2, 0.9, 2)
    assert_allclose(M @ udot + bias, np.concatenate([np.zeros(len(udot) - 2), tau]), rtol=1e-10, atol=1e-11)


def test_the_list_of_zs_can_be_read_back_and_gives_the_numbers_of_the_program() -> None:
    result = shown("model:planar_four_link", "--quantity", "momentum", "--format", "sympy")
    assert result.exit_code == 0, result.output
    program = scmanip.derive(scmanip.load_system("model:planar_four_link")).momentum.program
    given = {i.name: np.linspace(0.2, 0.7, i.size) for i in program.inputs}
    known = {f"{name}_{k + 1}": x for name, array in given.items() for k, x in enumerate(array)}
    known |= {name: getattr(sympy, name) for name in ("sin", "cos", "Matrix")}
    arrays = []
    for statement in result.stdout.replace("[\n", "[").replace(",\n", ",").splitlines():
        name, _, text = statement.partition(" = ")
        value = eval(text, {"__builtins__": {}}, dict(known))
        if name.startswith("z"):
            known[name] = value
        else:
            arrays.append((name, np.array(value, dtype=float)[:, 0]))
    assert [name for name, _ in arrays] == ["momentum.P", "momentum.L_0", "momentum.L_C"]
    for (_, array), expected in zip(arrays, program.evaluate(*given.values()), strict=True):
        assert_allclose(array, expected, rtol=1e-15, atol=1e-15 * abs(expected).max())
    assert "momentum, system planar-four-link" in result.stderr


def test_latex_is_one_list_and_one_array_per_output() -> None:
    result = shown("model:planar_four_link", "--quantity", "J_star:tip", "--quantity", "momentum", "--format", "latex")
    assert result.exit_code == 0, result.output
    assert result.stdout.count(r"\begin{aligned}") == result.stdout.count(r"\end{aligned}") == 4
    assert r"\mathbf{J}^{*\,\mathtt{tip}} = \left[\begin{matrix}" in result.stdout
    assert r"\mathtt{momentum.L\_C} = " in result.stdout


@pytest.mark.slow
def test_formulas_are_shown_as_a_person_writes_them() -> None:
    asked = (
        "model:planar_four_link",
        "--quantity",
        "S_U",
        "--quantity",
        "H",
        "--format",
        "formulas",
        "--symbols",
        "body.*.mass_kg",
    )
    result = shown(*asked)
    assert result.exit_code == 0, result.output
    assert "S_U_33 = S_U33 = h_" in result.stdout and "H_12 = H_21 = h_" in result.stdout
    assert "\nm_2: body.link2.mass_kg\n" in result.stdout
    assert "S_U, H, system planar-four-link" in result.stderr


def test_several_quantities_are_also_counted_as_one_program() -> None:
    found = rows(shown("model:ets7", "-q", "H", "-q", "J_star:tip"))
    program = scmanip.derive(scmanip.load_system("model:ets7")).program("H", "J_star:tip")
    assert found["together, one program"] == counts(program.operations)
    assert program.operations.total < found["H recursion"][4] + found["J_star:tip recursion"][4]


def test_quaternions_and_matrices_are_different_programs() -> None:
    matrices, quaternions = (shown("model:ets7", "-q", "H", "--kinematics", form) for form in ("dcm", "quaternion"))
    assert "rotations by Quaternion()" in quaternions.stdout
    assert rows(matrices)["H recursion"] != rows(quaternions)["H recursion"]
    assert shown("model:ets7", "--kinematics", "euler").exit_code == 2


WRONG = {
    "HH": "did you mean 'H'?",
    "J_star": "did you mean 'J_star:FRAME'?",
    "J_star:tpi": "did you mean 'tip'?",
    "J_star@link7": "did you mean 'link4'?",
    "inverse_dynamics.tua": "did you mean 'inverse_dynamics",
    "": "expected one of H0, H0m",
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("form", ["counts", "sympy", "latex", "formulas"])
def test_an_unknown_name_is_bad_input_and_the_nearest_is_offered(name: str, form: str) -> None:
    result = shown("model:planar_four_link", "--quantity", "H", "--quantity", name, "--format", form)
    assert result.exit_code == 2
    assert WRONG[name] in result.stderr
    assert "1 problem, nothing was derived" in result.stderr
    assert result.stdout == ""


def test_programs_are_shown_in_full_only_by_name() -> None:
    result = shown("model:planar_four_link", "--format", "sympy")
    assert result.exit_code == 2
    assert "--quantity: expected a quantity to show, found none" in result.stderr
    assert result.stdout == ""


UNUSABLE = {
    "a mission": (MISSION, "this is a mission file"),
    "a mistake": (SYSTEM.replace("mass_kg = 5.0", "mass_kg = -5.0"), "arm.toml:11:1: body[0].mass_kg"),
}


@pytest.mark.parametrize(("text", "words"), UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_file_that_is_no_system_is_bad_input(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "arm.toml").write_text(text, encoding="utf-8")
    result = shown(tmp_path / "arm.toml")
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.output


def test_a_system_that_can_never_move_is_refused_in_a_sentence(tmp_path: Path) -> None:
    massless = SYSTEM.replace("mass_kg = 4.0", "mass_kg = 0.0").replace("[0.01, 0.3, 0.3]", "[0.0, 0.0, 0.0]")
    (tmp_path / "arm.toml").write_text(massless, encoding="utf-8")
    result = shown(tmp_path / "arm.toml")
    assert result.exit_code == 2
    assert "joint 'elbow' can move without moving mass" in result.stderr
    (tmp_path / "arm.toml").write_text(SINGULAR, encoding="utf-8")
    assert shown(tmp_path / "arm.toml", "-q", "forward_dynamics").exit_code == 0


def test_names_in_a_file_do_not_drive_the_terminal(tmp_path: Path) -> None:
    hostile = "elbow]31m __import__('os')"
    (tmp_path / "arm.toml").write_text(SYSTEM.replace('name = "lower"', f'name = "{hostile}"'), encoding="utf-8")
    for form in ("counts", "sympy", "formulas", "latex"):
        result = shown(tmp_path / "arm.toml", "-q", f"J_star:{hostile}", "-f", form)
        assert result.exit_code == 0, result.output
    assert "__import__(" not in result.stdout
    (tmp_path / "arm.toml").write_text(SYSTEM.replace('name = "lower"', 'name = "el\\u001b[31mbow"'), encoding="utf-8")
    result = shown(tmp_path / "arm.toml")
    assert (result.exit_code, "\x1b" in result.output) == (2, False)


def test_kanes_equations_of_a_tree_are_shown_in_the_letters_of_their_paper() -> None:
    result = shown("model:planar_four_link", "--method", "kane-tree")
    assert result.exit_code == 0
    assert "alpha_r_3 = alpha_r_2 + omega_3 x Gamma_2 sigma_2" in result.stdout
    assert "COEF = Omega_k' I_k Omega_k + m_k V_k' V_k" in result.stdout
    assert "sigma_3  B4 B5           B4 B5        B4 B5     B4 B5    B5       B4 B5" in result.stdout


def test_recursive_kane_is_shown_by_its_stages() -> None:
    result = shown("model:stanford_arm", "--method", "recursive-kane")
    assert result.exit_code == 0
    assert "p_2-ddot = Q_2' [p_1-ddot + W_1 (a_2 - rho_1)] + W_2 rho_2  (18)" in result.stdout
    assert "2 omega_3 x (b_3-dot d_3)" in result.stdout  # which slides
    assert "recorded: 195 multiplications, 149 additions" in result.stdout  # as docs/recursive-kane.md


@pytest.mark.parametrize(("method", "quantity"), [("kane-tree", "RHS"), ("recursive-kane", "tau")])
def test_quantities_of_a_method_are_counted_and_shown(method: str, quantity: str) -> None:
    counted = shown("model:planar_four_link", "--method", method, "--quantity", quantity)
    assert counted.stdout.startswith(f"{quantity}: ")
    letters = shown("model:planar_four_link", "--method", method, "--quantity", quantity, "--format", "sympy")
    assert f"{quantity} = " in letters.stdout


def test_what_a_method_does_not_know_is_refused() -> None:
    unknown = shown("model:planar_four_link", "--method", "kane-tree", "--quantity", "H")
    assert "expected one of Omega, V, alpha_r, a_r, COEF, RHS, found 'H'" in unknown.stderr
    turned = shown("model:planar_four_link", "--method", "recursive-kane", "--kinematics", "quaternion")
    assert "--kinematics: expected nothing beside --method recursive-kane" in turned.stderr
    opened = shown("model:planar_four_link", "--method", "recursive-kane", "--symbols", "gravity_m_s2")
    assert "--symbols: expected nothing beside --method recursive-kane" in opened.stderr
    unasked = shown("model:planar_four_link", "--method", "kane-tree", "--format", "latex")
    assert "--quantity: expected a quantity to show" in unasked.stderr


@pytest.mark.slow
def test_what_open_numbers_alone_decide_is_counted_apart() -> None:
    paths = [part for path in ("mass_kg", "com_m", "inertia_kg_m2") for part in ("--symbols", f"body.*.{path}")]
    result = shown("model:stanford_arm", "--quantity", "inverse_dynamics.tau", *paths)
    counts = {line[:25].strip(): [int(word) for word in line[25:].split()] for line in result.stdout.splitlines()[2:6]}
    whole, alone = counts["recursion"], counts["by the symbols alone"]
    assert [a - b for a, b in zip(whole[:2], alone[:2], strict=True)] == [258, 246]  # as in the README
    misspelt = shown("model:stanford_arm", "--quantity", "H", "--symbols", "body.*.mas_kg")
    assert "did you mean" in misspelt.stderr


@pytest.mark.slow
def test_formulas_of_a_method_are_shown_too() -> None:
    shown_V = shown("model:planar_four_link", "--method", "kane-tree", "--quantity", "V", "--format", "formulas")
    assert shown_V.exit_code == 0 and "V_18 = V_29 = " in shown_V.stdout
