"""Rotations and small linear algebra: against SciPy, exact symbols, derivatives and the printed equations."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from scmanip.errors import InvalidInput
from scmanip.spatial import (
    DCM,
    Quaternion,
    RotationForm,
    attitude_xyzw,
    cos,
    cross,
    dcm_from_axis_angle,
    dcm_from_euler,
    dcm_from_quaternion,
    dcm_rate,
    dh_transform,
    euler_from_dcm,
    euler_rates,
    euler_to_angular_velocity,
    inverse_symmetric_3,
    mrp_from_quaternion,
    pivots,
    quaternion_conjugate,
    quaternion_from_axis_angle,
    quaternion_from_dcm,
    quaternion_from_mrp,
    quaternion_in_order,
    quaternion_product,
    quaternion_rate,
    rotate_by_quaternion,
    sin,
    skew,
    solve,
    sqrt,
    transpose,
)

from .dh_steps import dh_quaternion, dh_transform_gradient, dh_translation

STEP = 1e-40  # complex step: no subtraction, so no loss
EPS = np.finfo(float).eps


def random_quaternions(count: int, seed: int = 0) -> np.ndarray:
    q = np.random.default_rng(seed).normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def matrix_of(q: np.ndarray) -> np.ndarray:
    """SciPy's matrix of a quaternion x, y, z, w."""
    return Rotation.from_quat(q).as_matrix()


# --- quaternions and matrices ----------------------------------------------------------------------------------------


def test_the_matrix_of_a_quaternion_is_scipys() -> None:
    for q in random_quaternions(50):
        assert_allclose(dcm_from_quaternion(q), matrix_of(q), atol=4 * EPS)


def test_columns_of_a_rotation_are_the_turned_axes() -> None:
    quarter = dcm_from_axis_angle(np.array([0, 0, 1.0]), np.pi / 2)
    assert_allclose(quarter @ [1, 0, 0], [0, 1, 0], atol=EPS)
    assert_allclose(dcm_from_quaternion(np.array([0, 0, np.sqrt(0.5), np.sqrt(0.5)])), quarter, atol=2 * EPS)


def test_a_matrix_gives_back_its_quaternion_with_positive_scalar() -> None:
    hard = [np.eye(4)[i] for i in range(4)] + [q / np.linalg.norm(q) for q in ([1, 1, 0, 0], [1, 0, 0, 1e-9], [1, 1, 1, 1e-12])]
    for q in (*random_quaternions(200), *hard):
        again = quaternion_from_dcm(dcm_from_quaternion(q))
        assert again[3] >= 0
        assert_allclose(again, q if q[3] >= 0 else -q, atol=1e-14)


def test_the_quaternion_product_is_the_product_of_rotations() -> None:
    for p, q in random_quaternions(100).reshape(50, 2, 4):
        assert_allclose(dcm_from_quaternion(quaternion_product(p, q)), matrix_of(p) @ matrix_of(q), atol=8 * EPS)


def test_the_conjugate_is_the_inverse_rotation() -> None:
    q = random_quaternions(1)[0]
    assert_allclose(quaternion_product(q, quaternion_conjugate(q)), [0, 0, 0, 1], atol=2 * EPS)
    assert_allclose(dcm_from_quaternion(quaternion_conjugate(q)), matrix_of(q).T, atol=4 * EPS)


def test_a_vector_rotated_by_quaternion_is_the_matrix_times_the_vector() -> None:
    rng = np.random.default_rng(1)
    for q in random_quaternions(20):
        v = rng.normal(size=3)
        assert_allclose(rotate_by_quaternion(q, v), matrix_of(q) @ v, atol=8 * EPS)
        threefold = quaternion_product(quaternion_product(q, np.array([*v, 0])), quaternion_conjugate(q))  # eq. 21
        assert_allclose(rotate_by_quaternion(q, v), threefold[:3], atol=8 * EPS)


def test_axis_and_angle_give_the_same_rotation_in_both_forms() -> None:
    rng = np.random.default_rng(2)
    for angle in rng.uniform(-7, 7, 20):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        wanted = Rotation.from_rotvec(angle * axis).as_matrix()
        assert_allclose(dcm_from_axis_angle(axis, angle), wanted, atol=8 * EPS)
        assert_allclose(dcm_from_quaternion(quaternion_from_axis_angle(axis, angle)), wanted, atol=8 * EPS)


@pytest.mark.parametrize("form", [DCM(), Quaternion()], ids=["DCM", "Quaternion"])
def test_every_rotation_form_walks_a_chain_alike(form: RotationForm) -> None:
    rng = np.random.default_rng(3)
    start, v = random_quaternions(1)[0], rng.normal(size=3)
    axis = np.array([0.6, 0.0, 0.8])
    placed = matrix_of(random_quaternions(1, seed=9)[0])
    rotation = form.compose(
        form.compose(form.from_quaternion(start), form.from_matrix(placed)), form.from_axis_angle(axis, 0.7)
    )
    wanted = matrix_of(start) @ placed @ Rotation.from_rotvec(0.7 * axis).as_matrix()
    assert_allclose(form.matrix(rotation), wanted, atol=8 * EPS)
    assert_allclose(form.rotate(rotation, v), wanted @ v, atol=8 * EPS)


# --- rates -----------------------------------------------------------------------------------------------------------


def test_rates_of_both_forms_are_derivatives_of_a_turning_body() -> None:
    """R(t) = exp(t omega^x) R and its quaternion, by complex step at t = 0; omega in the outer frame."""
    rng = np.random.default_rng(5)
    for q in random_quaternions(10):
        omega = rng.normal(size=3)
        rate = np.linalg.norm(omega)
        turned = quaternion_product(quaternion_from_axis_angle(omega / rate, 1j * STEP * rate), q)
        assert_allclose(quaternion_rate(q, omega), turned.imag / STEP, atol=4 * EPS * rate)
        matrix = dcm_from_axis_angle(omega / rate, 1j * STEP * rate) @ dcm_from_quaternion(q)
        assert_allclose(dcm_rate(dcm_from_quaternion(q), omega), matrix.imag / STEP, atol=8 * EPS * rate)


def test_a_quaternion_keeps_its_norm_while_it_turns() -> None:
    q = random_quaternions(1)[0]
    assert q @ quaternion_rate(q, np.array([1.0, -2.0, 3.0])) == pytest.approx(0, abs=4 * EPS)


# --- Euler angles of eq. 6 -------------------------------------------------------------------------------------------


def test_euler_angles_turn_about_fixed_x_y_z_as_in_urdf() -> None:
    rng = np.random.default_rng(6)
    for angles in rng.uniform(-3, 3, (20, 3)):
        assert_allclose(dcm_from_euler(*angles), Rotation.from_euler("xyz", angles).as_matrix(), atol=8 * EPS)


def test_euler_angles_come_back_from_their_matrix() -> None:
    rng = np.random.default_rng(7)
    for angles in rng.uniform([-np.pi, -np.pi / 2, -np.pi], [np.pi, np.pi / 2, np.pi], (100, 3)):
        assert_allclose(euler_from_dcm(dcm_from_euler(*angles)), angles, atol=1e-12)


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2])
def test_at_vertical_pitch_the_angles_still_give_the_matrix(pitch: float) -> None:
    R = dcm_from_euler(0.4, pitch, 1.1)
    angles = euler_from_dcm(R)
    assert angles[0] == 0
    assert_allclose(dcm_from_euler(*angles), R, atol=4 * EPS)


def omega_of(angles: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Angular velocity in the outer frame from the definition R' R^T = omega^x, R' by complex step."""
    moving = dcm_from_euler(*(angles + 1j * STEP * rates))
    spin = moving.imag / STEP @ moving.real.T
    return np.array([spin[2, 1], spin[0, 2], spin[1, 0]])


def test_euler_rates_map_to_the_inertial_angular_velocity_and_back() -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        angles, rates = rng.uniform(-1.4, 1.4, 3), rng.normal(size=3)
        omega = omega_of(angles, rates)
        assert_allclose(euler_to_angular_velocity(*angles) @ rates, omega, atol=1e-14)
        assert_allclose(euler_rates(*angles, omega), rates, rtol=1e-12, atol=1e-13)


def test_the_rate_map_of_the_papers_nomenclature_gives_base_axes() -> None:
    """Printed: omega "inertial" = [1, 0, -s_theta; 0, c_phi, c_theta s_phi; 0, -s_phi, c_theta c_phi] (phi', theta', psi')."""
    angles, rates = np.array([0.3, -0.5, 0.9]), np.array([0.2, -0.7, 1.1])
    phi, theta, _ = angles
    s_p, c_p, s_t, c_t = np.sin(phi), np.cos(phi), np.sin(theta), np.cos(theta)
    printed = np.array([[1, 0, -s_t], [0, c_p, c_t * s_p], [0, -s_p, c_t * c_p]])
    omega = omega_of(angles, rates)
    assert_allclose(printed @ rates, dcm_from_euler(*angles).T @ omega, atol=1e-14)
    assert np.abs(printed @ rates - omega).max() > 0.05
    assert_allclose(euler_to_angular_velocity(*angles) @ rates, omega, atol=1e-14)


# --- Denavit-Hartenberg ----------------------------------------------------------------------------------------------


def test_the_dh_transformation_is_the_product_of_its_four_steps() -> None:
    theta, d, alpha, c = 0.7, 0.3, -1.2, 0.9
    step = np.eye(4)
    step[:3, :3] = Rotation.from_euler("z", theta).as_matrix()
    step[2, 3] = d
    tail = np.eye(4)
    tail[0, 3] = c
    tail[:3, :3] = Rotation.from_euler("x", alpha).as_matrix()
    assert_allclose(dh_transform(theta, d, alpha, c), step @ tail, atol=2 * EPS)


def test_the_dh_quaternion_form_is_the_matrix_form() -> None:
    """[Wilde2018] eqs 22 and 23 against eq. 2."""
    rng = np.random.default_rng(9)
    for theta, d, alpha, c in rng.uniform(-3, 3, (20, 4)):
        T = dh_transform(theta, d, alpha, c)
        assert_allclose(dcm_from_quaternion(dh_quaternion(theta, alpha)), T[:3, :3], atol=8 * EPS)
        assert_allclose(dh_translation(theta, d, c), T[:3, 3], atol=4 * EPS)


def test_the_dh_gradient_is_the_derivative_by_theta() -> None:
    theta, d, alpha, c = 0.7, 0.3, -1.2, 0.9
    slope = dh_transform(theta + 1j * STEP, d, alpha, c).imag / STEP
    assert_allclose(dh_transform_gradient(theta, alpha, c), slope, atol=2 * EPS)


# --- attitudes from outside -----------------------------------------------------------------------------------------


def test_orders_of_quaternions_are_converted_both_ways() -> None:
    q = random_quaternions(1)[0]
    rotation = Rotation.from_matrix(dcm_from_quaternion(q))
    xyzw, wxyz = rotation.as_quat(), rotation.as_quat(scalar_first=True)
    assert_allclose(attitude_xyzw(xyzw, order="xyzw"), attitude_xyzw(wxyz, order="wxyz"), atol=2 * EPS)
    assert_allclose(matrix_of(attitude_xyzw(wxyz, order="wxyz")), rotation.as_matrix(), atol=8 * EPS)
    assert_allclose(quaternion_in_order(attitude_xyzw(wxyz, order="wxyz"), "wxyz"), wxyz, atol=2 * EPS)
    assert_allclose(quaternion_in_order(xyzw, "xyzw"), xyzw, atol=0)


def test_a_quaternion_from_outside_is_normalised_only_when_it_nearly_is() -> None:
    q = -random_quaternions(2)
    near = attitude_xyzw(q * np.array([[1 + 9e-7], [1 - 9e-7]]), order="xyzw")
    assert_allclose(near, q, atol=2 * EPS)
    for bad in (q * (1 + 2e-6), np.zeros(4), np.full(4, np.nan)):
        with pytest.raises(InvalidInput, match="unit quaternion"):
            attitude_xyzw(bad, order="xyzw")
    with pytest.raises(InvalidInput, match='"xyzw" or "wxyz"'):
        attitude_xyzw(q, order="xyz")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="four numbers"):
        attitude_xyzw(q[:, :3], order="xyzw")


def test_an_unknown_order_is_refused_on_the_way_out_too() -> None:
    for order in ("wxzy", "WXYZ", None):
        with pytest.raises(InvalidInput, match='"xyzw" or "wxyz"'):
            quaternion_in_order(random_quaternions(1)[0], order)  # type: ignore[arg-type]


def test_lists_do_for_arrays() -> None:
    (q,) = random_quaternions(1, seed=5)
    listed = q.tolist()
    assert_allclose(attitude_xyzw(listed, order="xyzw"), q, atol=EPS)
    assert_allclose(quaternion_in_order(listed, "wxyz"), q[[3, 0, 1, 2]], atol=0)
    assert_allclose(quaternion_in_order([listed, listed], "wxyz"), [q[[3, 0, 1, 2]]] * 2, atol=0)
    for given in (q, -q):
        sigma = mrp_from_quaternion(given.tolist())
        assert_allclose(sigma, mrp_from_quaternion(given), atol=0)
        assert_allclose(quaternion_from_mrp(sigma.tolist()), quaternion_from_mrp(sigma), atol=0)


@pytest.mark.parametrize("bad", ["abc", ["1", "0", "0", "0"], None, 1.0, [], [1.0, 2.0], [[1.0], [2.0, 3.0]], [True] * 4])
def test_what_is_no_row_of_numbers_is_no_attitude(bad: object) -> None:
    doors = {
        "attitude": lambda q: attitude_xyzw(q, order="wxyz"),
        "quaternion": lambda q: quaternion_in_order(q, "xyzw"),
        "quaternion: expected four": mrp_from_quaternion,
        "sigma: expected three": quaternion_from_mrp,
    }
    for key, door in doors.items():
        with pytest.raises(InvalidInput, match=f"{key}.*numbers"):
            door(bad)  # type: ignore[arg-type]


def test_the_docstring_of_quaternion_from_dcm_asks_for_a_rotation() -> None:
    assert "must be a right-handed rotation" in (quaternion_from_dcm.__doc__ or "")


def test_modified_rodrigues_parameters_are_scipys() -> None:
    for q in random_quaternions(50):
        sigma = mrp_from_quaternion(q)
        assert np.linalg.norm(sigma) <= 1
        assert_allclose(sigma, Rotation.from_quat(q).as_mrp(), atol=4 * EPS)
        assert_allclose(matrix_of(quaternion_from_mrp(sigma)), matrix_of(q), atol=8 * EPS)
        assert np.linalg.norm(quaternion_from_mrp(sigma)) == pytest.approx(1, abs=4 * EPS)


# --- vectors and linear equations ------------------------------------------------------------------------------------


def test_skew_is_the_cross_product_also_over_leading_axes() -> None:
    rng = np.random.default_rng(10)
    a, b = rng.normal(size=(2, 5, 3))
    assert_allclose(cross(a, b), np.cross(a, b), atol=0)
    assert_allclose(np.einsum("nij,nj->ni", skew(a), b), np.cross(a, b), atol=2 * EPS)
    assert_allclose(transpose(skew(a)), -skew(a), atol=0)


def test_solve_undoes_a_product() -> None:
    rng = np.random.default_rng(11)
    A, B = rng.normal(size=(4, 4)), rng.normal(size=(4, 2))
    assert_allclose(A @ solve(A, B), B, atol=1e-13)
    assert_allclose(solve(A, B[:, 0]), solve(A, B)[:, 0], atol=1e-13)
    assert_allclose(A @ solve(A, B + 1j), B + 1j, atol=1e-13)


@pytest.mark.slow
def test_solve_is_exact_on_symbols_and_steps_over_a_zero_pivot() -> None:
    a, b = sympy.symbols("a b", positive=True)
    A = np.array([[0, a, 1], [b, 1, 0], [1, 0, a]], dtype=object)
    B = np.array([[1, 0], [a, b], [0, a]], dtype=object)
    X = solve(A, B)
    assert X.shape == (3, 2)
    assert all(sympy.simplify(entry) == 0 for entry in (A @ X - B).flat)
    x = solve(A, B[:, 0])
    assert x.shape == (3,)
    assert all(sympy.simplify(entry) == 0 for entry in A @ x - B[:, 0])


def test_solve_leaves_its_arguments_alone() -> None:
    A = np.array([[sympy.Integer(2), 1], [1, 3]], dtype=object)
    B = np.array([1, 2], dtype=object)
    before = A.copy(), B.copy()
    assert list(solve(A, B)) == [sympy.Rational(1, 5), sympy.Rational(3, 5)]
    assert (before[0] == A).all() and (before[1] == B).all()


def test_the_inverse_of_a_symmetric_matrix_holds_for_floats_and_symbols() -> None:
    S = np.array([[4.0, 1.0, -0.5], [1.0, 3.0, 0.2], [-0.5, 0.2, 2.0]])
    assert_allclose(inverse_symmetric_3(S) @ S, np.eye(3), atol=1e-15)
    entries = sympy.symbols("s11 s12 s13 s22 s23 s33")
    s11, s12, s13, s22, s23, s33 = entries
    T = np.array([[s11, s12, s13], [s12, s22, s23], [s13, s23, s33]], dtype=object)
    product = inverse_symmetric_3(T) @ T
    assert all(sympy.simplify(product[i, j] - int(i == j)) == 0 for i in range(3) for j in range(3))


def test_pivots_tell_whether_a_matrix_is_positive_definite() -> None:
    A = np.random.default_rng(12).normal(size=(4, 4))
    A = A @ A.T
    d = pivots(A)
    assert_allclose(np.prod(d), np.linalg.det(A), rtol=1e-10)
    assert_allclose(np.cumprod(d), [np.linalg.det(A[:k, :k]) for k in (1, 2, 3, 4)], rtol=1e-10)
    assert not (pivots(np.diag([1.0, 0.0, 2.0])) > 0).all()
    assert not (pivots(np.array([[1.0, 2.0], [2.0, 1.0]])) > 0).all()


# --- any scalar ------------------------------------------------------------------------------------------------------


def test_elementary_functions_serve_floats_complex_numbers_and_symbols() -> None:
    x = sympy.Symbol("x")
    for ours, numpys, sympys in ((sin, np.sin, sympy.sin), (cos, np.cos, sympy.cos), (sqrt, np.sqrt, sympy.sqrt)):
        assert ours(0.7) == numpys(0.7)
        assert ours(0.7 + 0.1j) == numpys(0.7 + 0.1j)
        assert_allclose(ours(np.array([0.1, 0.2])), numpys([0.1, 0.2]), atol=0)
        assert ours(x) == sympys(x)
        assert list(ours(np.array([x, 2 * x], dtype=object))) == [sympys(x), sympys(2 * x)]


@pytest.mark.slow
def test_rotations_are_exact_on_symbols() -> None:
    phi, theta, psi = sympy.symbols("phi theta psi", real=True)
    R = dcm_from_euler(phi, theta, psi)
    product = R.T @ R
    assert all(sympy.simplify(product[i, j] - int(i == j)) == 0 for i in range(3) for j in range(3))
    values = {phi: sympy.Rational(3, 10), theta: sympy.Rational(-2, 5), psi: sympy.Rational(1, 2)}
    numeric = np.array([[float(entry.subs(values)) for entry in row] for row in R])
    assert_allclose(numeric, dcm_from_euler(0.3, -0.4, 0.5), atol=4 * EPS)


@pytest.mark.slow
def test_the_rate_map_is_exact_on_symbols() -> None:
    """E (phi', theta', psi') = omega with omega^x = R' R^T, all by SymPy."""
    t = sympy.Symbol("t")
    angles = [sympy.Function(name)(t) for name in ("phi", "theta", "psi")]
    R = sympy.Matrix(dcm_from_euler(*angles))
    spin = R.diff(t) * R.T
    omega = euler_to_angular_velocity(*angles) @ np.array([angle.diff(t) for angle in angles])
    wanted = (spin[2, 1], spin[0, 2], spin[1, 0])
    assert all(sympy.simplify(ours - theirs) == 0 for ours, theirs in zip(omega, wanted, strict=True))


def test_what_was_normalised_stays_as_it_is_to_the_last_bit():
    rng = np.random.default_rng(4)
    given = rng.normal(size=(2000, 4))
    given = np.round(given / np.linalg.norm(given, axis=1, keepdims=True), 7)
    once = attitude_xyzw(given, order="xyzw")
    np.testing.assert_array_equal(attitude_xyzw(once, order="xyzw"), once)
    np.testing.assert_allclose(np.linalg.norm(once, axis=1), 1.0, rtol=4e-16)
