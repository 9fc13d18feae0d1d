"""Errors in vectors, rotations and small linear algebra."""

from ..planted import Planted

ERRORS = (
    Planted(
        "negatives of rows of the identity are taken for these",
        "spatial/_linear.py",
        "return int(sum(plain)) if whole else 0",
        "return 1 if whole else 0",
    ),
    Planted(
        "a left-handed matrix counts as a rotation",
        "spatial/_rotation_checks.py",
        "or np.linalg.det(R) < 0",
        "or np.linalg.det(R) == 0",
        tests=("system",),
    ),
    Planted(
        "an attitude given as wxyz is read as xyzw shifted the wrong way",
        "spatial/_attitude.py",
        "given[..., [1, 2, 3, 0]]",
        "given[..., [3, 0, 1, 2]]",
    ),
    Planted(
        "an attitude off norm 1 by 1e-3 is taken", "spatial/_attitude.py", "abs(norm - 1) <= 1e-6", "abs(norm - 1) <= 1e-2"
    ),
    Planted("an attitude from outside is not normalised", "spatial/_attitude.py", "xyzw, xyzw / norm)", "xyzw, xyzw)"),
    Planted(
        "a quaternion of norm NaN is taken",
        "spatial/_attitude.py",
        "if not np.all(abs(norm - 1) <= 1e-6)",
        "if np.any(abs(norm - 1) > 1e-6)",
    ),
    Planted(
        "Rodrigues parameters are those of the long way round",
        "spatial/_attitude.py",
        "xyzw if xyzw[3] >= 0 else -xyzw",
        "xyzw if xyzw[3] < 0 else -xyzw",
    ),
    Planted(
        "Rodrigues parameters are those of half the modified ones",
        "spatial/_attitude.py",
        "xyzw[:3] / (1 + xyzw[3])",
        "xyzw[:3] / xyzw[3]",
    ),
    Planted(
        "units decide which conditions count",
        "spatial/_selection.py",
        "unit[heard] = scaled[heard] / lengths[heard, None]",
        "unit[heard] = scaled[heard]",
        tests=("dynamics/test_constraint_embedding.py",),
    ),
    Planted(
        "of rows that say nearly the same the second is taken as well",
        "spatial/_selection.py",
        "sizes > WELL * sizes.max()",
        "sizes > 1e-6 * sizes.max()",
        tests=("dynamics/test_constraint_embedding.py",),
    ),
    Planted(
        "speeds that depend keep what others of them say",
        "spatial/_selection.py",
        "left -= np.outer(left @ along, along)",
        "left -= 0.5 * np.outer(left @ along, along)",
        tests=("dynamics/test_constraint_embedding.py",),
    ),
    Planted(
        "the elimination of a factorisation misses the last column",
        "spatial/_cholesky.py",
        "for j in range(k + 1, i + 1)",
        "for j in range(k + 1, i)",
    ),
    Planted(
        "the backward substitution misses the last row",
        "spatial/_cholesky.py",
        "reversed(range(len(b) - 1))",
        "reversed(range(len(b) - 2))",
    ),
    Planted(
        "the twist alpha of a Denavit-Hartenberg matrix is turned back",
        "spatial/_dh.py",
        "[0, s_a, c_a, d]",
        "[0, -s_a, c_a, d]",
    ),
    Planted(
        "the offset along x of a link is taken along y",
        "spatial/_dh.py",
        "[s_t, c_t * c_a, -c_t * s_a, c * s_t]",
        "[s_t, c_t * c_a, -c_t * s_a, c * c_t]",
    ),
    Planted(
        "a row is turned the wrong way in a rotation of rows",
        "spatial/_jacobi.py",
        "c * (rows[q] + t * rows[p])",
        "c * (rows[q] - t * rows[p])",
    ),
    Planted(
        "singular values are sought in two rounds too few",
        "spatial/_jacobi.py",
        "range(k + 1 if k > 2 else k - 1)",
        "range(k - 1)",
    ),
    Planted(
        "elimination does not exchange the right-hand side's rows",
        "spatial/_linear.py",
        "A[[k, pivot]], B[[k, pivot]] = A[[pivot, k]], B[[pivot, k]]",
        "A[[k, pivot]] = A[[pivot, k]]",
    ),
    Planted(
        "the inverse of a two by two matrix has one sign wrong",
        "spatial/_linear.py",
        "np.array([[d, -b], [-c, a]])",
        "np.array([[d, -b], [c, a]])",
    ),
    Planted(
        "the third cofactor of a symmetric inverse has the wrong sign",
        "spatial/_linear.py",
        "s12 * s23 - s13 * s22",
        "s13 * s22 - s12 * s23",
    ),
    Planted(
        "least squares of symbols take the other normal equations",
        "spatial/_linear.py",
        "A_T @ solve(A @ A_T, b) if A.shape[1] > A.shape[0]",
        "A_T @ solve(A @ A_T, b) if A.shape[1] >= A.shape[0]",
        survives="of a square matrix of full rank both give A^-1 b",
    ),
    Planted(
        "pivots go on after the first that is not positive", "spatial/_linear.py", "if not A[k, k] > 0:", "if A[k, k] < 0:"
    ),
    Planted("Rodrigues' formula lacks its factor 1 - cos", "spatial/_rotation.py", "(1 - cos(angle)) * (a @ a)", "(a @ a)"),
    Planted(
        "a matrix of a quaternion is transposed in one pair",
        "spatial/_rotation.py",
        "2 * (x * z + y * w)],",
        "2 * (x * z - y * w)],",
    ),
    Planted(
        "quaternions are multiplied in the other order",
        "spatial/_rotation.py",
        "n2 * e1 + cross(e1, e2)",
        "n2 * e1 + cross(e2, e1)",
    ),
    Planted("a vector is turned by half", "spatial/_rotation.py", "t = 2 * cross(q[..., :3], v)", "t = cross(q[..., :3], v)"),
    Planted(
        "the rate of a quaternion takes omega as in the body",
        "spatial/_rotation.py",
        "quaternion_product(np.array([x, y, z, 0 * x]), q) / 2",
        "quaternion_product(q, np.array([x, y, z, 0 * x])) / 2",
    ),
    Planted(
        "the rate of a matrix takes omega as in the body",
        "spatial/_rotation.py",
        "return skew(omega) @ R",
        "return R @ skew(omega)",
    ),
    Planted(
        "Euler angles turn in the order x, y, z",
        "spatial/_rotation.py",
        "dcm_from_axis_angle(z, psi) @ dcm_from_axis_angle(y, theta) @ dcm_from_axis_angle(x, phi)",
        "dcm_from_axis_angle(x, phi) @ dcm_from_axis_angle(y, theta) @ dcm_from_axis_angle(z, psi)",
    ),
    Planted(
        "the pitch of a matrix has the wrong sign",
        "spatial/_rotation.py",
        "np.arctan2(-R[2, 0], np.hypot",
        "np.arctan2(R[2, 0], np.hypot",
    ),
    Planted(
        "yaw at a pitch of 90 deg has the wrong sign",
        "spatial/_rotation.py",
        "np.arctan2(-R[0, 1], R[1, 1])",
        "np.arctan2(R[0, 1], R[1, 1])",
    ),
    Planted(
        "a quaternion of a turn near 180 deg has the wrong scalar",
        "spatial/_rotation.py",
        "q[3] = R[k, j] - R[j, k]",
        "q[3] = R[j, k] - R[k, j]",
    ),
    Planted(
        "a quaternion of a matrix may have a negative scalar",
        "spatial/_rotation.py",
        "return -q if q[3] < 0 else q",
        "return q",
    ),
    Planted(
        "the cross product has its second entry's sign wrong",
        "spatial/_vector.py",
        "a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]",
        "a[..., 0] * b[..., 2] - a[..., 2] * b[..., 0]",
    ),
    Planted(
        "a momentum limit of zero is taken",
        "spatial/_arrays.py",
        'value > 0 else [Problem(key, "a finite number > 0"',
        'value >= 0 else [Problem(key, "a finite number > 0"',
        tests=("system",),
    ),
)
