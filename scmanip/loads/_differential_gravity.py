"""Gravity relative to that of a point nearby, without the difference of two large numbers; any scalar."""

from __future__ import annotations

from typing import Any

from ..spatial import Array, cross, sqrt


def differential_gravity(R: Array, r: Array, mu: Any) -> Array:
    """Return g(R + r) - g(R) (..., 3) [m/s^2] of a point mass mu [m^3/s^2] by Battin's f(q) [Battin1999].

    R : (3,) from the attracting centre to the origin [m]; r : (..., 3) from there [m], of any length short of the centre;
    both in the axes of one frame
    With q = r . (r + 2 R) / R^2, so that |R + r|^2 = R^2 (1 + q), and f = (1 + q)^(3/2) - 1, written as
    q (3 + 3 q + q^2) / (1 + (1 + q)^(3/2)), it is -mu / R^3 (r - f R) / (1 + f): nothing cancels, however small r is.

    >>> R, r = np.array([7e6, 0, 0]), np.array([[10.0, 0, 0], [0, 10.0, 0]])
    >>> ((differential_gravity(R, r, EARTH.mu_m3_s2) * 1e6).round(3) + 0).tolist()  # 2 and -1 times mu / R^3 r
    [[23.242, 0.0, 0.0], [0.0, -11.621, 0.0]]
    """
    R2 = R @ R
    q = ((r * (r + 2 * R)).sum(axis=-1) / R2)[..., None]
    grown = (1 + q) * sqrt(1 + q)  # (|R + r| / R)^3
    f = q * (3 + q * (3 + q)) / (1 + grown)
    return (-mu / (R2 * sqrt(R2))) * ((r - f * R) / grown)


def gravity_gradient_torque(rho: Array, I: Array, mu: Any) -> Array:
    """Return 3 mu / rho^5 rho x I rho (..., 3) [N m], gravity's moment on a body about its own CoM [Hughes2004].

    rho : (..., 3) from the attracting centre to the CoM [m]; I : (..., 3, 3) inertia about the CoM [kg m^2], in one frame
    Moments of mass of third and higher order are left out: relative errors are of the order of size / rho.

    >>> rho = np.array([7e6, 7e6, 0]) / np.sqrt(2)
    >>> (gravity_gradient_torque(rho, np.diag([10.0, 100.0, 100.0]), EARTH.mu_m3_s2) * 1e6).round(2).tolist()
    [0.0, 0.0, 156.88]
    """
    rho_hat, scale = _direction_and_scale(rho, mu)
    return scale * cross(rho_hat, _times(I, rho_hat))


def body_gravity(R: Array, r: Array, m: Array, I: Array, mu: Any) -> Array:
    """Return gravity (..., 3) [N] on bodies less what would carry their masses along with the origin at R.

    R, r : as for `differential_gravity`, of the CoMs; m : (...,) [kg]
    I : (..., 3, 3) as for `gravity_gradient_torque`, in the axes of the same frame
    m (g(R + r) - g(R)) and the force on the second moments of mass, so that force and torque together are the gradient of
    MacCullagh's potential -mu / rho (m + (tr I - 3 rho^ . I rho^) / (2 rho^2)) [Hughes2004].

    >>> R, r = np.array([7e6, 0, 0]), np.array([[100.0, 0, 0]])
    >>> m, I = np.array([50.0]), np.eye(3)[None] * 4.0
    >>> (body_gravity(R, r, m, I, EARTH.mu_m3_s2).round(5) + 0).tolist()  # what is farther out is left behind
    [[0.01162, 0.0, 0.0]]
    """
    rho_hat, scale = _direction_and_scale(R + r, mu)
    spread = _times(I, rho_hat)
    trace = (I[..., 0, 0] + I[..., 1, 1] + I[..., 2, 2])[..., None]
    along = trace - 5 * (rho_hat * spread).sum(axis=-1)[..., None]
    rho = sqrt(((R + r) * (R + r)).sum(axis=-1))[..., None]
    return m[..., None] * differential_gravity(R, r, mu) - scale / (2 * rho) * (along * rho_hat + 2 * spread)


def _direction_and_scale(rho: Array, mu: Any) -> tuple[Array, Array]:
    """Return rho / |rho| (..., 3) and 3 mu / |rho|^3 (..., 1)."""
    rho2 = (rho * rho).sum(axis=-1)[..., None]
    size = sqrt(rho2)
    return rho / size, 3 * mu / (rho2 * size)


def _times(A: Array, v: Array) -> Array:
    """Return A v of stacks (..., 3, 3) and (..., 3)."""
    return (A @ v[..., None])[..., 0]
