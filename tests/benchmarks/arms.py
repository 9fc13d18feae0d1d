"""The arms that are timed: `bench_6r`, and arms of any length made of its links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scmanip.system import Body, Frame, State, System, load_system


def bench_6r() -> System:
    """Return the base with six revolute joints, in general motion, on which everything is compared."""
    return load_system("model:bench_6r")


def arm_of(joints: int) -> System:
    """Return the base of `bench_6r` with its six links repeated until there are `joints` of them."""
    pattern = bench_6r()
    links, tip = pattern.bodies[1:], pattern.frame("tip")
    bodies = [_link(links, tip.origin_m, k) for k in range(joints)]
    end = Frame("tip", bodies[-1].name, tip.origin_m)
    return System(f"arm of {joints}", pattern.base, bodies, [end])


def _link(links: tuple[Body, ...], end: np.ndarray, k: int) -> Body:
    link = links[k % len(links)]
    origin = end if k and k % len(links) == 0 else link.joint.origin_m
    parent = f"link{k}" if k else "base"
    return replace(link, name=f"link{k + 1}", parent=parent, joint=replace(link.joint, name=f"j{k + 1}", origin_m=origin))


def states(system: System, count: int, seed: int = 6) -> State:
    """Return a batch of states anywhere: turned base, all joints bent, everything moving."""
    rng, N = np.random.default_rng(seed), system.layout.N
    attitude = rng.normal(size=(count, 4))
    return State(
        r_0=rng.normal(size=(count, 3)),
        attitude_xyzw=attitude / np.linalg.norm(attitude, axis=1, keepdims=True),
        q=rng.uniform(-np.pi, np.pi, (count, N)),
        v_0=rng.normal(size=(count, 3)),
        omega_0=rng.normal(size=(count, 3)),
        qdot=rng.normal(size=(count, N)),
    )


def forces(system: System, count: int, seed: int = 7) -> np.ndarray:
    """Return joint forces (count, N) [N m]."""
    return np.random.default_rng(seed).normal(size=(count, system.layout.N)) * 10


def accelerations(system: System, count: int, seed: int = 8) -> np.ndarray:
    """Return accelerations udot (count, n_u)."""
    return np.random.default_rng(seed).normal(size=(count, system.layout.n_u))
