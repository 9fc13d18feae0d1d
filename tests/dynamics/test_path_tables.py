"""Path tables and what is read off them: Omega and V of the five-body example as [Stoneking2008] prints them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.dynamics import (
    PathTables,
    Reference,
    compile_model,
    kane_page,
    kane_system,
    partial_angular_velocities,
    partial_velocities,
)
from scmanip.errors import InvalidInput
from tests.dynamics.paper_tree import IN_ORDER, SWAPPED, five_bodies
from tests.oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_case, random_state

PRINTED_OMEGA = [
    ["U", "0", "0", "0", "0", "0"],
    ["2C1", "Gamma_1", "0", "0", "0", "0"],
    ["3C1", "0", "Gamma_2", "0", "0", "0"],
    ["4C1", "0", "4C3 Gamma_2", "Gamma_3", "0", "0"],
    ["5C1", "0", "5C3 Gamma_2", "0", "Gamma_4", "0"],
]
PRINTED_V = [
    ["0", "0", "0", "0", "0", "U"],
    ["beta~_2 NC1", "rho~_21 NC2 Gamma_1", "0", "0", "0", "U"],
    ["beta~_3 NC1", "0", "rho~_32 NC3 Gamma_2", "0", "0", "U"],
    ["beta~_4 NC1", "0", "rho~_42 NC3 Gamma_2", "rho~_43 NC4 Gamma_3", "0", "U"],
    ["beta~_5 NC1", "0", "rho~_52 NC3 Gamma_2", "0", "rho~_54 NC5 Gamma_4", "U"],
]


def entries(matrix):
    return [[matrix.entry(k, c) for c in range(len(matrix.tables.columns))] for k in range(len(matrix.tables.bodies))]


def tables(order=None, **options):
    return PathTables.of(five_bodies(**options), order)


def test_the_body_path_table_is_the_printed_one():
    assert tables().body_table.splitlines() == [
        "    B1  B2  B3  B4  B5",
        "B1  x",
        "B2  x   x",
        "B3  x       x",
        "B4  x       x   x",
        "B5  x       x       x",
    ]


def test_the_joint_path_table_is_the_printed_one():
    assert tables().joint_table.splitlines() == [
        "    (B1)  G1  G2  G3  G4",
        "B1  x",
        "B2  x     x",
        "B3  x         x",
        "B4  x         x   x",
        "B5  x         x       x",
    ]


def test_omega_and_v_are_the_printed_block_matrices_entry_by_entry():
    assert entries(partial_angular_velocities(tables())) == PRINTED_OMEGA
    assert entries(partial_velocities(tables())) == PRINTED_V


def test_beta_and_rho_are_written_out_as_in_the_examples():
    shown = {lever.written_out for lever in partial_velocities(tables()).levers}
    assert {"beta_4 = r_43 - r_33 + r_32 - r_12", "rho_42 = r_43 - r_33 + r_32", "rho_21 = r_21"} <= shown


def test_the_blocks_have_the_papers_letters_in_latex():
    lines = partial_velocities(tables()).latex.splitlines()
    assert lines[4] == (
        r"\tilde{\beta}_{4} {}^{N}C^{1} & 0 & \tilde{\rho}_{42} {}^{N}C^{3} \Gamma_{2} & "
        r"\tilde{\rho}_{43} {}^{N}C^{4} \Gamma_{3} & 0 & U \\"
    )
    assert r"{}^{4}C^{3} \Gamma_{2}" in partial_angular_velocities(tables()).latex


def test_a_page_shows_tables_blocks_vectors_and_partials():
    page = kane_page(tables(slides=True))
    for line in (
        "joints: G1 G1 (B1-B2)",
        "beta_4 = r_43",
        "rho_42 = r_43",
        "[c2 s3, c3, 0]",
        "Lambda_3, of G3",
        "NC4 Lambda_3",
    ):
        assert line in page, line


def test_swapped_labels_change_the_joint_table_and_leave_the_body_table():
    ours, swapped = tables(IN_ORDER), tables(SWAPPED)
    assert_array_equal(ours.body_path, swapped.body_path)
    assert_array_equal(ours.body_path, ours.joint_path)  # "the tables look the same for this example"
    assert not np.array_equal(swapped.body_path, swapped.joint_path)  # "but they differ in general"
    assert_array_equal(swapped.joint_path, ours.joint_path[:, [0, 1, 2, 4, 3]])
    Omega = entries(partial_angular_velocities(swapped))
    assert Omega[3] == ["4C1", "0", "4C3 Gamma_2", "0", "Gamma_4", "0"]
    assert Omega[4] == ["5C1", "0", "5C3 Gamma_2", "Gamma_3", "0", "0"]


@pytest.mark.parametrize("options", [{}, {"slides": True}, {"fixed": True}])
def test_swapped_labels_permute_the_equations_and_leave_the_motion(options):
    system = five_bodies(**options)
    state = random_state(system, 3)
    e = compile_model(system, implementation=Reference()).equations(state)
    tau = np.random.default_rng(3).normal(size=system.layout.N)
    ours, swapped = (kane_system(PathTables.of(system, order), e, tau) for order in (IN_ORDER, SWAPPED))
    P = ours.T.T @ swapped.T
    assert_array_equal(abs(P).round(9) @ np.ones(len(P)), np.ones(len(P)))
    assert not np.allclose(ours.COEF, swapped.COEF)
    assert_allclose(P.T @ ours.COEF @ P, swapped.COEF, rtol=0, atol=1e-12 * abs(ours.COEF).max())
    one, other = (kane.T @ np.linalg.solve(kane.COEF, kane.RHS) for kane in (ours, swapped))
    assert_allclose(one, other, rtol=0, atol=1e-12 * abs(one).max())


def test_an_order_that_is_not_of_all_joints_is_refused():
    with pytest.raises(InvalidInput, match=r"joint_order: expected every joint once: G1, G2, G3, G4, found G1, G2, G3"):
        tables(["G1", "G2", "G3"])


@pytest.mark.parametrize("seed", [*range(20), *range(FIRST_TREE, FIRST_TREE + 20), *range(FIRST_OF_ALL, FIRST_OF_ALL + 10)])
def test_the_columns_of_any_tree_fill_u_without_gap(seed):
    system = random_case(seed)
    order = np.random.default_rng(seed).permutation([body.joint.name for body in system.bodies[1:]])
    t = PathTables.of(system, list(order))
    stops = [column.place.stop for column in t.columns]
    assert [column.place.start for column in t.columns] == [0, *stops][: len(stops)]
    assert t.n_u == system.layout.n_u
    assert sorted(k for speeds in t.speeds for k in speeds) == list(range(system.layout.N))
    assert sorted(i for entries in t.coordinates for i in entries) == list(range(system.layout.n_q))
