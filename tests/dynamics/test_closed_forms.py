"""The equations of systems as formulas that a person reads."""

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose

from scmanip import Body, Joint, System, derive, load_system
from scmanip.dynamics import RunTimeInertia, inertia_table
from scmanip.dynamics.notation._numbers import number_names
from scmanip.dynamics.notation._parallel_turns import parallel_turns
from scmanip.errors import InvalidInput
from scmanip.symbolic import AngleSums

from ..oracles.random_systems import random_system


def groups_of(system):
    return parallel_turns(derive(system).derivation.parameters)


LENGTHS = ("joint.joint1.origin_m[0]", "joint.*.child_origin_m[0]")
AXES = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1], "-z": [0, 0, -1]}


def bar(name, parent, axis="z", **joint):
    kind = joint.pop("kind", "revolute")
    return Body(
        name,
        2.0,
        [0.1, 0.2, 0.2],
        [0.5, 0, 0],
        parent,
        Joint(f"to_{name}", kind, **({} if kind == "spherical" else {"axis": AXES[axis]}), **joint),
    )


@pytest.fixture(scope="module")
def planar():
    return derive(load_system("model:planar_four_link"))


@pytest.mark.battery(1)
@pytest.mark.parametrize("name", ["H", "C", "J_star:tip", "Hdot", "dH_dq", "S_U"])
def test_the_planar_four_link_arm_prints_and_evaluates(planar, name):
    quantity, rng = planar.quantity(name), np.random.default_rng(3)
    form, program = quantity.closed_form(), quantity.program
    assert max(e.count_ops() for _, e in form.lines) < 100
    assert_same(form.function(), program, rng)


def test_the_planar_four_link_arm_is_written_out_in_its_angles(planar):
    written = planar.H.sympy().expanded()
    q = sympy.symbols("q_1:5", real=True)
    assert written.free_symbols == set(q)
    numbers = np.array([0.3, -0.5, 0.7, 1.1])
    found = np.array(sympy.lambdify(q, written)(*numbers))
    assert_allclose(found, planar.H.program.evaluate(numbers)[0], rtol=1e-12)


@pytest.mark.slow
def test_papers_parts_are_printed_with_the_numbers_of_their_equations(planar):
    form = planar.closed_form("H0", "H0m", "Hm", "S_U", "H")
    assert [name for name, _ in form.outputs] == ["H0", "H0m", "Hm", "S_U", "H"]
    text = form.latex()
    assert all(f"[Wilde2018] eq. {number}" in text for number in (28, 31, 36, 53, 45))
    assert r"{[\mathbf{H}_{0m}]}_{61} &= " in text and r"\mathbf{H}_{11} &= " in text
    assert "S_U33 = " in str(form), "what divides has the name of what it is"
    assert r"\partial\mathbf{H}_{11}/\partial q_{2}" in planar.dH_dq.closed_form().latex()
    assert r"{[\mathbf{J}^{*\,\mathtt{tip}}]}_{61}" in planar.J_star("tip").closed_form().latex()


@pytest.mark.slow
def test_inertias_that_are_inputs_have_names_and_say_what_they_are():
    form = derive(load_system("model:spatial_six_link"), inertia=RunTimeInertia()).H.sympy()
    assert form.paths["I_3zz"] == "body.link3, inertia[3][6]" and form.paths["a_0x"] == "body.base, inertia[0][1]"
    used = {str(s) for _, e in form.z for s in e.free_symbols}
    assert {"m_1", "I_3zz", "q_2"} <= used and r"I_{3zz} &:\; " in form.latex()
    with pytest.raises(InvalidInput, match="longer ones"):
        form.expanded(simplify=AngleSums())


@pytest.mark.parametrize("inertia", [None, RunTimeInertia()], ids=["folded", "inputs"])
def test_quantities_are_functions_of_arrays(inertia):
    quantity, rng = derive(load_system("model:spatial_six_link"), inertia=inertia).H, np.random.default_rng(4)
    table = inertia_table(load_system("model:spatial_six_link"))
    inputs = quantity.program.inputs
    given = [np.tile(table, (3, 1, 1)) if i.name == "inertia" else rng.normal(size=(3, *i.shape)) for i in inputs]
    (wanted,) = quantity.program.evaluate(*given)
    assert_allclose(quantity.function()(*given), wanted, rtol=1e-12, atol=1e-12 * np.abs(wanted).max())


def test_angles_about_parallel_axes_are_added():
    base = Body("base", 9.0, [1, 1, 1])
    slide = [bar("a", "base"), bar("b", "a", kind="prismatic", axis="x"), bar("c", "b"), bar("d", "c", axis="x"), bar("e", "d")]
    assert groups_of(System("s", base, slide)) == [(0, 2), (3,), (4,)]
    two_arms = [bar("a", "base"), bar("b", "a", axis="y"), bar("c", "base", axis="-z"), bar("d", "c")]
    assert groups_of(System("s", base, two_arms)) == [(0, 2, 3), (1,)]
    ball = [bar("a", "base", kind="spherical"), bar("b", "a"), bar("c", "b")]
    assert groups_of(System("s", base, ball)) == [(4, 5)]
    assert groups_of(load_system("model:stanford_arm")) == [(0,), (1,), (3,), (4,), (5,)]


@pytest.mark.slow
def test_open_numbers_have_the_letters_of_textbooks_and_their_paths():
    system = load_system("model:spatial_six_link")
    symbolic = derive(system, symbols=("body.*.mass_kg", "body.link3.com_m", "joint.*.origin_m", "frame.*.origin_m"))
    form = symbolic.J_star("tip").sympy()
    assert form.paths["m_0"] == "body.base.mass_kg" and form.paths["a_3y"] == "body.link3.com_m[1]"
    assert form.paths["l_2z"].endswith(".origin_m[2]") and form.paths["r_1x"].endswith(".origin_m[0]")
    program, rng = symbolic.J_star("tip").program, np.random.default_rng(5)
    given = [symbolic.symbols[i.name].value if i.name in symbolic.symbols else rng.normal(size=i.shape) for i in program.inputs]
    (wanted,) = derive(system).J_star("tip").program.evaluate(given[-1])
    assert_allclose(symbolic.J_star("tip").function()(*given), wanted, rtol=1e-12, atol=1e-12 * np.abs(wanted).max())


def test_a_number_without_a_letter_has_its_path_for_a_name():
    names = number_names(load_system("model:stanford_arm"), {"wheel.w.inertia_kg_m2": (), "gravity_m_s2": (3,)})
    assert names["wheel.w.inertia_kg_m2"] == [("wheel.w.inertia_kg_m2", "wheel.w.inertia_kg_m2")]
    assert [letter for letter, _ in names["gravity_m_s2"]] == ["g_x", "g_y", "g_z"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["H", "C", "J_star:tip", "dH_dq"])
def test_the_planar_four_link_arm_prints_with_all_numbers_open(name):
    symbolic = derive(
        load_system("model:planar_four_link"),
        symbols=("body.*.mass_kg", "body.*.com_m[0]", "body.*.inertia_kg_m2[2]", *LENGTHS),
    )
    quantity, rng = symbolic.quantity(name), np.random.default_rng(6)
    form = quantity.closed_form()
    assert max(e.count_ops() for _, e in form.lines) < 60 and max(e.count_ops() for _, e in form.legend) < 60
    assert_same(form.function(), quantity.program, rng)


def assert_same(function, program, rng):
    """Assert that a formula and a program agree at random numbers."""
    given = {i.name: rng.uniform(0.5, 1.5, i.shape) for i in (*function.inputs, *program.inputs)}
    found = function(*(given[i.name] for i in function.inputs))
    (wanted,) = program.evaluate(*(given[i.name] for i in program.inputs))
    assert_allclose(found, wanted, rtol=1e-12, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("seed", range(700, 704))
@pytest.mark.parametrize("name", ["H", "J_star:tip", "coriolis_matrix"])
def test_formulas_of_systems_in_space_evaluate_as_their_programs_do(seed, name):
    quantity = derive(random_system(seed, joints=seed % 3 + 1)).quantity(name)
    try:
        function = quantity.closed_form().function()
    except InvalidInput as error:
        assert "longer ones" in str(error)
    else:
        assert_same(function, quantity.program, np.random.default_rng(seed))
