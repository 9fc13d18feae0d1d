"""The names under which a model's quantities are asked for, with what goes in and what comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, UnknownName, expect
from ...spatial import Array
from ...system import Layout
from ..sums._results import Point

Inputs = Mapping[str, Array]
INPUT_ORDER = ("tau", "wrench", "udot", "qddot", "point")


@dataclass(frozen=True, eq=False)
class ModelQuantity:
    """One name: what it needs beside the state, and what it gives.

    source : the name in `Equations` and `LinkEquations` that gives it
    spatial : per output, the axes that hold vectors in N (3), pairs of vectors (6) or the base's six and then joints
    words : what it is, with its shape, of those whose methods are made from this table
    inputs : of "tau" (N,), "wrench" (6,), "udot" (n_u,), "qddot" (N,)
    framed : whether it belongs to a point or frame
    parts : names of several outputs, such as ("P", "L_0", "L_C"); empty for one output
    gradient : whether `source` has the joint axis first, which comes last
    by_body : whether `source` has a row per link, of which those of bodies are meant
    """

    source: str
    spatial: tuple[tuple[int, ...], ...] = ((),)
    words: str = ""
    inputs: tuple[str, ...] = ()
    framed: bool = False
    parts: tuple[str, ...] = ()
    gradient: bool = False
    by_body: bool = False

    def evaluate(self, e: Any, point: Point | None, given: Inputs) -> tuple[Array, ...]:
        """Return the arrays, from equations, a point where it is `framed`, and the inputs, in the order of the contract."""
        found = getattr(e, self.source)
        if self.framed or self.inputs:
            found = found(point) if self.framed else found(*(given[key] for key in self.inputs))
        arrays = [np.asarray(array) for array in ([getattr(found, part) for part in self.parts] or [found])]
        if self.by_body:
            arrays = [array[e.parameters.link_of] for array in arrays]
        return tuple(np.moveaxis(array, 0, -1) if self.gradient else array for array in arrays)


def _plain(name: str, words: str, *axes: int) -> ModelQuantity:
    return ModelQuantity(name, (axes,), words)


def _gradient(name: str, words: str, *axes: int) -> ModelQuantity:
    return ModelQuantity(name, (axes,), words, gradient=True)


def _framed(name: str, words: str, *axes: int) -> ModelQuantity:
    return ModelQuantity(name, (axes,), words, framed=True)


def _several(
    name: str, parts: str, *spatial: tuple[int, ...], inputs: tuple[str, ...] = (), by_body: bool = False
) -> ModelQuantity:
    return ModelQuantity(name, spatial, inputs=inputs, parts=tuple(parts.split()), by_body=by_body)


QUANTITIES: dict[str, ModelQuantity] = {
    "H0": _plain("H0", "Base inertia (6, 6), eq. 28", 0, 1),
    "H0m": _plain("H0m", "Coupling inertia (6, N), eq. 31", 0),
    "Hm": _plain("Hm", "Arm inertia (N, N), eq. 36"),
    "M": _plain("M", "Whole inertia (n_u, n_u), eq. 27", 0, 1),
    "H": _plain("H", "Generalized inertia (N, N) of the arm on a freely reacting base, eq. 45"),
    "H0_inverse": _plain("H0_inverse", "Inverse of H0 (6, 6), eq. 52", 0, 1),
    "S_U": _plain("S_U", "Inertia of the system about its CoM (3, 3) [kg m^2], eq. 53", 0, 1),
    "r_0C": _plain("r_0C", "From the base CoM (fixed base: its frame origin) to the system CoM (3,) [m], eq. 14", 0),
    "Hdot": _plain("Hdot", "Time derivative of H (N, N), eq. 65"),
    "dH_dq": _gradient("dH_dq", "Gradient of H (N, N, N), last axis the joint, eq. 81"),
    "C": _plain("C", "C = Hdot qdot + c (N,), velocity forces without momentum, eq. 49"),
    "c": _plain("c", "c = -1/2 qdot' dH/dq qdot (N,), eq. 48"),
    "momentum_bias": _plain(
        "momentum_bias", "What the state's own P and L add (N,): H qddot + C + momentum_bias = tau, zero without momentum"
    ),
    "coriolis_matrix": _plain("coriolis_matrix", "Matrix (N, N) with matrix @ qdot = C and Hdot - 2 matrix skew-symmetric"),
    "gravity_force": _plain(
        "gravity_force", "Joint forces (N,) that hold the bodies against gravity; zero with a floating base"
    ),
    "kinetic_energy": _plain("kinetic_energy", "T () [J], eq. 26"),
    "energy_by_body": _plain(
        "energy_by_body",
        "T_i (n_b,) [J] of every body, base first; wheels locked in the base, rotors with the bodies that carry them",
    ),
    "H0_dot": _plain("H0_dot", "Time derivative of H0 (6, 6) with the state's omega_0, eq. 74", 0, 1),
    "H0m_dot": _plain("H0m_dot", "Time derivative of H0m (6, N) with the state's omega_0, eq. 77", 0),
    "Hm_dot": _plain("Hm_dot", "Time derivative of Hm (N, N), eq. 66"),
    "dH0_dq": _gradient("dH0_dq", "Gradient of H0 (6, 6, N), base attitude held, eq. 99", 0, 1),
    "dH0m_dq": _gradient("dH0m_dq", "Gradient of H0m (6, N, N), base attitude held, eq. 95", 0),
    "dHm_dq": _gradient("dHm_dq", "Gradient of Hm (N, N, N), last axis the joint, eq. 82"),
    "J0": _framed("J0", "Base Jacobian (6, 6), eq. 105, (6, 0) with a fixed base", 0, 1),
    "Jm": _framed("Jm", "Arm Jacobian (6, N), eq. 104", 0),
    "J_star": _framed("J_star", "Generalized Jacobian (6, N), eq. 110", 0),
    "J_star_drift": _framed("J_star_drift", "Twist (6,) that the state's momentum adds: twist = J_star qdot + J_star_drift", 0),
    "J_dot_u": _framed("J_dot_u", "Rate (6,) of the twist where udot = 0: twist_dot = [J0 Jm] udot + J_dot_u", 0),
    "position": _framed("position", "Position (3,) [m], from the inertial origin", 0),
    "attitude": _framed("attitude_of", "Unit quaternion (4,) x, y, z, w, to inertial"),
    "transforms": _several("poses", "R p r", (1,), (1,), (1,), by_body=True),
    "link_transforms": _several("poses", "R p r", (1,), (1,), (1,)),
    "momentum": _several("momentum", "P L_0 L_C", (0,), (0,), (0,)),
    "springs": _several("springs", "length rate", (), ()),
    "momentum_by_body": _several("momentum_by_body", "P L_C", (1,), (1,)),
    "momentum_by_tree": _several("momentum_by_tree", "P L_C", (1,), (1,)),
    "forward_dynamics": ModelQuantity("forward_dynamics", ((0,),), inputs=("tau",)),
    "forward_dynamics:wrench": ModelQuantity("forward_dynamics", ((0,),), inputs=("tau", "wrench")),
    "regressor": ModelQuantity("regressor", ((0,),), inputs=("udot",)),
    "momentum_regressor": _plain(
        "momentum_regressor", "Matrix (6, 10 n_b) with [P; L_0] = matrix @ inertial_parameters, without wheels and rotors", 0
    ),
    "forward_dynamics_derivatives": _several(
        "forward_dynamics_derivatives", "q u tau wrench r_0 attitude", *[()] * 6, inputs=("tau",)
    ),
    "forward_dynamics_derivatives:wrench": _several(
        "forward_dynamics_derivatives", "q u tau wrench r_0 attitude", *[()] * 6, inputs=("tau", "wrench")
    ),
    "inverse_dynamics_derivatives": _several(
        "inverse_dynamics_derivatives", "q u udot r_0 attitude", (0,), *[(0, 1)] * 4, inputs=("udot",)
    ),
    "inverse_dynamics": _several("inverse_dynamics", "wrench tau", (0,), (), inputs=("udot",)),
    "floating_inverse_dynamics": _several("floating_inverse_dynamics", "base_acceleration tau", (0,), (), inputs=("qddot",)),
}


@dataclass(frozen=True)
class AskedQuantity:
    """One quantity asked for: its name and, for framed ones, a frame or a body whose point comes as an input.

    text : as written: "H", "inverse_dynamics.tau" (one part), "J_star:tip" (a frame), "J_star@link3" (a point of a body)

    >>> asked = AskedQuantity.of("J_star:tip")
    >>> asked.name, asked.frame
    ('J_star', 'tip')
    >>> AskedQuantity.of("J_star")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.UnknownName: quantity of a model: expected one ... did you mean 'J_star:FRAME'?
    """

    text: str
    name: str
    frame: str | None = None
    body: str | None = None
    part: str | None = None

    @classmethod
    def of(cls, text: str) -> AskedQuantity:
        """Read a name; raises `UnknownName`."""
        expect("quantity", text, str, "the name of a quantity")
        if text in QUANTITIES and not QUANTITIES[text].framed:
            return cls(text, text)
        head, _, part = text.partition(".")
        if head in QUANTITIES and part in QUANTITIES[head].parts:
            return cls(text, head, part=part)
        for mark in ":@":
            head, found, rest = text.partition(mark)
            if found and rest and head in QUANTITIES and QUANTITIES[head].framed:
                return cls(text, head, frame=rest) if mark == ":" else cls(text, head, body=rest)
        valid = [f"{n}:FRAME" if q.framed else n for n, q in QUANTITIES.items()]
        raise UnknownName("quantity", text, "a model", valid)

    @property
    def quantity(self) -> ModelQuantity:
        """What is known about it."""
        return QUANTITIES[self.name]

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of what it needs beside the state, the point of a body included."""
        return (*self.quantity.inputs, "point") if self.body is not None else self.quantity.inputs

    def outputs(self, e: Any, point: Point | None, inputs: Inputs) -> list[tuple[str, Array, tuple[int, ...]]]:
        """Return name, array, in the unit of the quantity, and spatial axes of every output that is asked for."""
        parts, arrays = self.quantity.parts, self.quantity.evaluate(e, point, inputs)
        if not parts:
            return [(self.text, arrays[0], self.quantity.spatial[0])]
        rows = zip(parts, arrays, self.quantity.spatial, strict=True)
        return [(f"{self.name}.{part}", array, axes) for part, array, axes in rows if self.part in (None, part)]


def wanted(key: str, names: Sequence[str], *, fixed: bool) -> tuple[str, ...]:
    """Return names of quantities of packed states; raises `UnknownName`, and `InvalidInput` for none or for one twice.

    fixed : whether the base is held, of which inverse dynamics then know no wrench
    """
    if not names:
        raise InvalidInput(Problem(key, "one or more names of quantities", "none"))
    for name in names:
        AskedQuantity.of(name)
    found = tuple("inverse_dynamics.tau" if fixed and name == "inverse_dynamics" else name for name in names)
    if len(set(found)) < len(found):
        raise InvalidInput(Problem(key, "every name once", ", ".join(found)))
    return found


def input_sizes(layout: Layout, asked: Iterable[AskedQuantity]) -> dict[str, int]:
    """Return name and length of every input beside the state that is needed, in the order of the contract."""
    sizes = {"tau": layout.N, "wrench": 6, "udot": layout.n_u, "qddot": layout.N, "point": 3}
    needed = {key for a in asked for key in a.inputs}
    return {key: sizes[key] for key in INPUT_ORDER if key in needed}
