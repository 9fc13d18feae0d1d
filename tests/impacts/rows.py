"""Rows of contacts of small systems, by hand, and random ones."""

import numpy as np

from scmanip.impacts import Bilateral, ContactProblem, Contacts

GRAVITY = 9.81


class Rod:
    """A uniform rod of mass 1 kg and half length 1 m in a plane, one end on the floor, at angle th; u = [vx, vy, w]."""

    M = np.diag([1.0, 1.0, 1 / 3])
    weight = np.array([0.0, -GRAVITY, 0.0])

    def __init__(self, th, w=0.0, slip=0.0, drop=0.0):
        s, c = np.sin(th), np.cos(th)
        self.N, self.T = np.array([[0, 1.0, -c]]), np.array([[1.0, 0, s]])
        self.drift = [s * w * w], [c * w * w]
        self.u = np.array([slip - s * w, c * w + drop, w])

    def contacts(self, mu):
        return Contacts(self.N, self.T, mu, *self.drift)


def block_on_a_slope(angle, mu, speed):
    """Inertia, force, contacts and speeds of a block that may slide; the tangent points down the slope."""
    force = 3.0 * GRAVITY * np.array([np.sin(angle), -np.cos(angle)])
    return 3.0 * np.eye(2), force, Contacts(np.array([[0.0, 1]]), np.array([[1.0, 0]]), mu), np.array([speed, 0.0])


CORNERS = ((1, 1), (1, -1), (-1, -1), (-1, 1))


def table(legs=CORNERS, mu=0.5, height=1.0):
    """A table of mass 2 kg on legs at places in half metres, `height` below its middle; u = [v, omega]."""
    N, T = [], []
    for x, y in legs:
        arm = np.array([x / 2, y / 2, -height])
        for axis, rows in ((np.array([0, 0, 1.0]), N), (np.array([1.0, 0, 0]), T), (np.array([0, 1.0, 0]), T)):
            rows.append([*axis, *np.cross(arm, axis)])
    return np.diag([2.0, 2, 2, 0.3, 0.4, 0.5]), Contacts(np.array(N), np.array(T), mu)


def random_problem(rng, c, k, slides=False):
    """A problem whose contacts feel each other; with `slides` every second one has a direction of slip."""
    G = rng.normal(size=(c * (1 + k), c * (1 + k) + 2))
    b = rng.normal(size=c * (1 + k))
    b[:c] -= 0.5
    slip = rng.normal(size=(c, k)) * (np.arange(c) % 2 == 0)[:, None] * slides
    size = np.linalg.norm(slip, axis=1, keepdims=True)
    return ContactProblem(G @ G.T / len(b), b, rng.uniform(0, 0.5, c), slip / np.where(size > 0, size, 1), np.zeros(c))


def random_impact(rng, c, k, n=8):
    """Inertia, speeds, contacts and three bilateral rows, one of which repeats the others, that hold before."""
    B, A = rng.normal(size=(n, n)), rng.normal(size=(2, n))
    A = np.vstack([A, A[0] + A[1]])
    u = rng.normal(size=n)
    contacts = Contacts(rng.normal(size=(c, n)), rng.normal(size=(c * k, n)), rng.uniform(0, 1, c))
    return B @ B.T + np.eye(n), u - np.linalg.lstsq(A, A @ u, rcond=None)[0], contacts, Bilateral(A)
