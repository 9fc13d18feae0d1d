"""Quantities of a system of several trees, put together from those of every tree alone; over any scalar, in N.

Nothing joins the trees: their equations share no term, M is block diagonal, and each tree is a base with arms of its own. What
differs is how the pose of a free root is said: by the origin of its body frame, where a base is told by its CoM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from ...errors import InvalidInput, Problem
from ...spatial import Array, cross, dcm_from_quaternion, present, scalar_type, skew
from ...system import System, SystemTree
from ..sums._inertia import system_inertia
from ..sums._parameters import Parameters
from ._forest_derivatives import FreeTree
from ._quantities import AskedQuantity, Inputs

Outputs: TypeAlias = Mapping[str, Array]
Ask: TypeAlias = Callable[[int, str, Array, Inputs], Outputs]
OF_BASE = ("J_star", "J_star_drift")  # of frames on the base's tree alone
_OF_MASS = {
    "r_0C": ("r_0C",),
    "momentum": ("momentum.P", "momentum.L_0", "momentum.L_C"),
    "momentum_by_body": ("momentum_by_body.P", "momentum_by_body.L_C"),
}


@dataclass(frozen=True, eq=False)
class TreeState:
    """One tree at one instant.

    x : packed state of the tree as a system of its own
    c : (3,) from the origin of a free root's body frame to its CoM, in N; zero of the base, which is told by its CoM
    omega : (3,) angular velocity of the root, in N
    """

    x: Array
    c: Array
    omega: Array

    @classmethod
    def of(cls, system: System, tree: SystemTree, x: Array, com: Array) -> TreeState:
        """Return that of a tree from the packed state x of the whole; com : (3,) of a free root in its axes."""
        layout, zero = system.layout, np.zeros(3)
        q, u = x[layout.x_q], x[layout.x_u]
        qdot = u[layout.joints]
        if not tree.pose.stop:
            head = x[: layout.x_q.start]
            own = [head, q[tree.q], u[layout.base], qdot[tree.qdot], x[layout.x_actuators]]
            return cls(np.concatenate(own), zero, zero)
        pose, v, omega = q[tree.pose], qdot[tree.twist][:3], qdot[tree.twist][3:]
        c = dcm_from_quaternion(pose[3:]) @ com
        return cls(np.concatenate([pose[:3] + c, pose[3:], q[tree.q], v + cross(omega, c), omega, qdot[tree.qdot]]), c, omega)

    @property
    def centripetal(self) -> Array:
        """(3,) acceleration of the root's CoM from its body frame's origin that the turning alone makes."""
        return cross(self.omega, cross(self.omega, self.c))

    @property
    def T(self) -> Array:
        """(6, 6) from [v; omega] of the origin of the root's body frame to those of its CoM."""
        E = np.eye(3, dtype=int)
        return np.block([[E, -skew(self.c)], [0 * E, E]])


class Forest:
    """The quantities of `QUANTITIES` of a system of several trees at one packed state x (n_x,).

    ask : number of a tree, name of a quantity, packed state of the tree, inputs -> what its own derivation says
    parameters : the constants of every tree; gravity : (3,) uniform [m/s^2]
    """

    def __init__(self, system: System, x: Array, ask: Ask, parameters: Sequence[Parameters], gravity: Array) -> None:
        self._system, self._layout, self._trees, self._ask, self._gravity = system, system.layout, system.trees, ask, gravity
        self._masses = [sum(p.m[1:], start=p.m[0]) for p in parameters]
        self.states = [TreeState.of(system, tree, x, p.com[0]) for tree, p in zip(self._trees, parameters, strict=True)]
        self._bare = not present(self._masses[0]).any()  # a stand without mass has no CoM
        self._nothing = self._bare and not present(parameters[0].inertia).any()
        self._r_0 = np.zeros(3) if self._layout.fixed else x[self._layout.x_r_0]

    def outputs(self, a: AskedQuantity, inputs: Inputs) -> Outputs:
        """Return what is asked for, by names: of all trees, or of that of the base where it is about one."""
        if a.quantity.framed:
            return {a.text: self._framed(a, inputs)}
        source = a.name.partition(":")[0]
        if source not in COMBINED:
            return self._of(0, a.text, inputs)
        found = getattr(self, source)(*(inputs[key] for key in a.quantity.inputs))
        if not a.quantity.parts:
            return {a.text: found}
        return {f"{a.name}.{part}": found[part] for part in a.quantity.parts if a.part in (None, part)}

    def _of(self, k: int, name: str, inputs: Inputs = {}) -> Outputs:  # noqa: B006 - never changed
        if not k and self._bare and name in _OF_MASS:
            n_b = self._trees[0].bodies.stop
            return {text: np.zeros((n_b, 3) if "by_body" in text else 3) for text in _OF_MASS[name]}
        return self._ask(k, name, self.states[k].x, inputs)

    def _one(self, k: int, name: str, inputs: Inputs = {}) -> Array:  # noqa: B006 - never changed
        (found,) = self._of(k, name, inputs).values()
        return found

    def _each(self, name: str) -> list[Array]:
        return [self._one(k, name) for k in range(len(self._trees))]

    def _all(self, name: str) -> list[Outputs]:
        return [self._of(k, name) for k in range(len(self._trees))]

    # Points

    def _framed(self, a: AskedQuantity, inputs: Inputs) -> Array:
        """Return a quantity of a frame, or of a point on a body, by the tree that it is on."""
        k, name = in_tree(self._system, a)
        if a.name in OF_BASE:
            check_on_base(a.text, self._system, k)
        found = self._one(k, name, inputs)
        if a.name == "J_dot_u":  # udot of a free root is that of its body frame's origin
            return found + np.concatenate([self.states[k].centripetal, np.zeros(3)]) if k else found
        if a.name == "Jm":
            return self.in_whole(k, self._one(k, f"J0{name[2:]}", inputs) if k else found, found)
        return 0 * found[:, : self._layout.n_base] if k and a.name == "J0" else found

    def in_whole(self, k: int, J0: Array, Jm: Array) -> Array:
        """Return Jm (6, N) of a point on tree k from J0 and Jm of the tree alone: the twist of a free root is among qdot."""
        tree = self._trees[k]
        root = J0 @ self.states[k].T if k else Jm[:, :0]
        whole = np.zeros((6, self._layout.N), dtype=scalar_type(Jm, root))
        whole[:, tree.twist], whole[:, tree.qdot] = root, Jm
        return whole

    # Inertia

    def _inertias(self) -> list[Array]:
        """M of every tree, (6 + n, 6 + n), of a free one in speeds of the origin of its root's body frame."""
        return [self._one(0, "M"), *(self._free_inertia(k) for k in range(1, len(self._trees)))]

    def _free_inertia(self, k: int) -> Array:
        m, c = self._masses[k], self.states[k].c
        S_U, r, H0m, Hm = (self._one(k, name) for name in ("S_U", "r_0C", "H0m", "Hm"))
        x = skew(c + r)
        coupling = m * x
        H0 = np.block([[m * np.eye(3, dtype=int), -coupling], [coupling, S_U - coupling @ x]])
        return system_inertia(H0, np.concatenate([H0m[:3], H0m[3:] + skew(c) @ H0m[:3]]), Hm)

    def M(self) -> Array:
        """(n_u, n_u): a block for every tree."""
        blocks = self._inertias()
        M, end = np.zeros((self._layout.n_u, self._layout.n_u), dtype=scalar_type(*blocks)), 0
        for block in blocks:
            at = slice(end, end + len(block))
            M[at, at], end = block, at.stop
        return M

    @cached_property
    def _centres(self) -> list[Array]:
        """(3,) CoM of every tree from the base CoM."""
        offsets = self._each("r_0C")
        roots = [state.x[:3] - self._r_0 for state in self.states[1:]]
        return [offsets[0], *(root + offset for root, offset in zip(roots, offsets[1:], strict=True))]

    def r_0C(self) -> Array:
        """(3,) from the base CoM to the CoM of all trees together."""
        moments = [m * r for m, r in zip(self._masses, self._centres, strict=True)]
        return sum(moments[1:], start=moments[0]) * (1 / sum(self._masses))

    # Momentum and energy

    @cached_property
    def _momenta(self) -> list[Outputs]:
        return self._all("momentum")

    def momentum(self) -> Outputs:
        """That of all trees together."""
        P, r_0C = [each["momentum.P"] for each in self._momenta], self.r_0C()
        spins = [each["momentum.L_C"] + cross(r, p) for each, r, p in zip(self._momenta, self._centres, P, strict=True)]
        total, L_0 = sum(P[1:], start=P[0]), sum(spins[1:], start=spins[0])
        return {"P": total, "L_0": L_0, "L_C": L_0 - cross(r_0C, total)}

    def momentum_by_tree(self) -> Outputs:
        """P, and L_C about the CoM of each."""
        return {part: np.array([each[f"momentum.{part}"] for each in self._momenta]) for part in ("P", "L_C")}

    def momentum_by_body(self) -> Outputs:
        """P and L_C of every body about the CoM of all."""
        each, r_0C = self._all("momentum_by_body"), self.r_0C()
        P = [found["momentum_by_body.P"] for found in each]
        L = [found["momentum_by_body.L_C"] for found in each]
        shifted = [l + cross(r - r_0C, p) for l, r, p in zip(L, self._centres, P, strict=True)]
        return {"P": np.concatenate(P), "L_C": np.concatenate(shifted)}

    def kinetic_energy(self) -> Any:
        """That of all trees."""
        return sum(self._each("kinetic_energy"))

    def energy_by_body(self) -> Array:
        """(n_b,) in the order of the bodies."""
        return np.concatenate(self._each("energy_by_body"))

    # Forces

    def gravity_force(self) -> Array:
        """(N,) that holds the bodies against gravity: of a free one the wrench at the origin of its body frame."""
        g, own = self._gravity, self._one(0, "gravity_force")
        if not present(g).any():
            return np.concatenate([own, np.zeros(self._layout.N - len(own))])
        return np.concatenate([own, *(-(M[:, :3] @ g) for M in self._inertias()[1:])])

    def forward_dynamics(self, tau: Array, wrench: Array | None = None) -> Array:
        """(n_u,) accelerations: those of every tree alone. Free trees fall as gravity says, whatever else moves them."""
        on_base = {} if wrench is None else {"wrench": wrench}
        name = "forward_dynamics" if wrench is None else "forward_dynamics:wrench"
        own = self._one(0, name, {"tau": tau[self._trees[0].qdot], **on_base})
        return np.concatenate([own, *(self._free_accelerations(k, tau) for k in range(1, len(self._trees)))])

    def _free_accelerations(self, k: int, tau: Array) -> Array:
        tree, state = self._trees[k], self.states[k]
        f, n = tau[tree.twist][:3], tau[tree.twist][3:]
        wrench = np.concatenate([f, n - cross(state.c, f)])
        udot = self._one(k, "forward_dynamics:wrench", {"tau": tau[tree.qdot], "wrench": wrench})
        a = udot[:3] - cross(udot[3:6], state.c) - state.centripetal
        return np.concatenate([a + self._gravity if present(self._gravity).any() else a, udot[3:]])

    def inverse_dynamics(self, udot: Array) -> Outputs:
        """Wrench on the base, which moves its own tree alone, and tau (N,)."""
        n = self._layout.n_base
        wrench, tau = np.zeros(6), np.zeros(self._layout.N_tree)
        if not self._nothing:
            own = self._of(0, "inverse_dynamics", {"udot": udot[: n + self._layout.N_tree]})
            wrench, tau = own["inverse_dynamics.wrench"], own["inverse_dynamics.tau"]
        free = [self._free_forces(k, udot[n:]) for k in range(1, len(self._trees))]
        return {"wrench": wrench, "tau": np.concatenate([tau, *free])}

    def _free_forces(self, k: int, qddot: Array) -> Array:
        tree, state = self._trees[k], self.states[k]
        udot = self._of_com(k, np.concatenate([qddot[tree.twist], qddot[tree.qdot]]))
        found = self._of(k, "inverse_dynamics", {"udot": udot})
        f, n = found["inverse_dynamics.wrench"][:3], found["inverse_dynamics.wrench"][3:]
        return np.concatenate([f, n + cross(state.c, f), found["inverse_dynamics.tau"]])

    def floating_inverse_dynamics(self, qddot: Array) -> Outputs:
        """That of the base's tree; what the others do is not commanded, and no force is given to them."""
        own = self._of(0, "floating_inverse_dynamics", {"qddot": qddot[self._trees[0].qdot]})
        base, tau = (own[f"floating_inverse_dynamics.{part}"] for part in ("base_acceleration", "tau"))
        return {"base_acceleration": base, "tau": np.concatenate([tau, np.zeros(self._layout.N - len(tau))])}

    # Derivatives

    def regressor(self, udot: Array) -> Array:
        """(n_u, 10 n_b) of wrench and tau: a block for every tree."""
        blocks = [self._one(0, "regressor", {"udot": udot[self._speeds_of(0)]})]
        for k in range(1, len(self._trees)):
            found = self._one(k, "regressor", {"udot": self._of_com(k, udot[self._speeds_of(k)])})
            moment = found[3:6] + skew(self.states[k].c) @ found[:3]
            blocks.append(np.concatenate([found[:3], moment, found[6:]]))
        whole = np.zeros((self._layout.n_u, sum(block.shape[1] for block in blocks)), dtype=scalar_type(*blocks))
        for k, block in enumerate(blocks):
            first = 10 * self._trees[k].bodies.start
            whole[self._speeds_of(k), first : first + block.shape[1]] = block
        return whole

    def momentum_regressor(self) -> Array:
        """(6, 10 n_b) of P and of L_0 about the base CoM."""
        blocks = self._each("momentum_regressor")
        for k in range(1, len(self._trees)):
            lever = self.states[k].x[:3] - self._r_0
            blocks[k] = np.concatenate([blocks[k][:3], blocks[k][3:] + skew(lever) @ blocks[k][:3]])
        return np.hstack(blocks)

    def inverse_dynamics_derivatives(self, udot: Array) -> Outputs:
        """Of wrench and tau: a block for every tree; the base's turning is that of its own tree alone."""
        n, name = self._layout.n_base, "inverse_dynamics_derivatives"
        own = self._parts(0, name, {"udot": udot[: n + self._layout.N_tree]})
        forces, blocks = self.inverse_dynamics(udot)["tau"], [own]
        for k in range(1, len(self._trees)):
            at = self._speeds_of(k)
            found = self._parts(k, name, {"udot": self._of_com(k, udot[at])})
            blocks.append(self._free(k).inverse(found, udot[at], forces[at.start - n : at.stop - n]))
        return self._joined(blocks, "u", "udot") | self._turning(own)

    def forward_dynamics_derivatives(self, tau: Array, wrench: Array | None = None) -> Outputs:
        """Of udot: a block for every tree; the base's turning is that of its own tree alone."""
        n, on_base = self._layout.n_base, {} if wrench is None else {"wrench": wrench}
        name = "forward_dynamics_derivatives" if wrench is None else "forward_dynamics_derivatives:wrench"
        own = self._parts(0, name, {"tau": tau[self._trees[0].qdot], **on_base})
        udot, blocks = self.forward_dynamics(tau, wrench), [own]
        for k in range(1, len(self._trees)):
            at, tree = self._speeds_of(k), self._trees[k]
            forces = tau[at.start - n : at.stop - n]
            on_root = np.concatenate([forces[:3], forces[3:6] - cross(self.states[k].c, forces[:3])])
            found = self._parts(k, "forward_dynamics_derivatives:wrench", {"tau": tau[tree.qdot], "wrench": on_root})
            blocks.append(self._free(k).forward(found, udot[at], forces))
        by_wrench = self._below(own["wrench"])
        return self._joined(blocks, "u") | {"wrench": by_wrench} | self._turning(own)

    def _parts(self, k: int, name: str, inputs: Inputs) -> dict[str, Array]:
        return {text.rpartition(".")[2]: array for text, array in self._of(k, name, inputs).items()}

    def _speeds_of(self, k: int) -> slice:
        """Return the entries of u of a tree, a root's before those of its joints."""
        n, tree = self._layout.n_base, self._trees[k]
        return slice(n + tree.twist.start, n + tree.qdot.stop) if k else slice(0, n + tree.qdot.stop)

    def _free(self, k: int) -> FreeTree:
        """Return a free tree as it moves, in speeds of the origin of its root's body frame."""
        state, tree, layout = self.states[k], self._trees[k], self._layout
        u = state.x[tree.system.layout.x_u]
        origin = np.concatenate([u[:3] - cross(state.omega, state.c), u[3:]])
        return FreeTree(state.c, origin, self._gravity if layout.fixed else np.zeros(3, dtype=int))

    def _of_com(self, k: int, udot: Array) -> Array:
        """Return accelerations of a free tree, gravity taken off, in speeds of its root's CoM."""
        state, g = self.states[k], self._gravity
        a = udot[:3] + cross(udot[3:6], state.c) + state.centripetal
        return np.concatenate([a - g if present(g).any() else a, udot[3:]])

    def _joined(self, blocks: list[dict[str, Array]], *square: str) -> dict[str, Array]:
        """Return derivatives along freedoms (n_u, N), by tau (n_u, N) and the `square` ones (n_u, n_u) of all trees."""
        n_u, n = self._layout.n_u, self._layout.n_base
        found = {}
        for name in [part for part in ("q", "tau", *square) if part in blocks[0]]:
            whole = np.zeros((n_u, n_u if name in square else n_u - n), dtype=scalar_type(*(block[name] for block in blocks)))
            for k, block in enumerate(blocks):
                rows = self._speeds_of(k)
                columns = rows if name in square else slice(max(0, rows.start - n), rows.stop - n)
                whole[rows, columns] = block[name]
            found[name] = whole
        return found

    def _turning(self, own: Outputs) -> dict[str, Array]:
        return {name: self._below(own[name]) for name in ("r_0", "attitude")}

    def _below(self, rows: Array) -> Array:
        """Return rows (n_u, n) of which those of free trees are zero."""
        return np.concatenate([rows, np.zeros((self._layout.n_u - len(rows), rows.shape[1]), dtype=int)])

    # Places

    def springs(self) -> Outputs:
        """Length and rate of every spring, in the order of the file."""
        order = np.argsort([number for tree in self._trees for number in tree.springs])
        return {part: rows[order] for part, rows in self._stacked("springs", "length", "rate").items()}

    def transforms(self) -> Outputs:
        """R, p, r of all bodies."""
        return self._stacked("transforms", "R", "p", "r")

    def link_transforms(self) -> Outputs:
        """R, p, r of the links of all trees."""
        return self._stacked("link_transforms", "R", "p", "r")

    def _stacked(self, name: str, *parts: str) -> Outputs:
        each = self._all(name)
        return {part: np.concatenate([found[f"{name}.{part}"] for found in each]) for part in parts}


def check_on_base(key: str, system: System, k: int) -> None:
    """Raise `InvalidInput` for what belongs to frames of the base's tree, of a frame on another tree k."""
    if k:
        found, hint = f"one on {system.trees[k].root!r}, which is free", "Jm gives the twist of any frame"
        raise InvalidInput(Problem(key, "a frame on the base or on what it carries", found, hint=hint))


def in_tree(system: System, a: AskedQuantity) -> tuple[int, str]:
    """Return the tree on which the frame of a quantity is, and how it is asked for in it; that of the base without a frame."""
    if not a.quantity.framed:
        return 0, a.text
    k = system.tree_of(a.body or system.frame(a.frame or "").body)
    tree = system.trees[k]
    on = f":{tree.frame_name(a.frame)}" if a.frame is not None else f"@{tree.frame_name(a.body or '')}"
    return k, a.name + on


COMBINED = frozenset(name for name in vars(Forest) if not name.startswith("_")) - {"outputs", "in_whole"}
