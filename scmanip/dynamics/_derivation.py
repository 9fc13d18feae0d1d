"""From a system to programs: the equations are run once on recorded scalars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..spatial import Array, RotationForm, dcm_from_quaternion, quaternion_product, transpose
from ..symbolic import Program, record
from ..system import System
from ._articulated_bodies import ArticulatedArm
from ._differentiated import DIFFERENTIATED, DifferentiatedEquations
from ._door import body_offset, frame_point
from ._equations import Equations, Point
from ._implementation import FoldedInertia, Inertia
from ._link_equations import OFFERED, LinkEquations
from ._links import Links
from ._parameters import Parameters
from ._quantities import Asked

INPUT_ORDER = ("tau", "wrench", "udot", "qddot", "point")
SHORT = 7  # joints; the two ways to forward dynamics cost the same at 8 to 10
PLACES = ("position", "transforms.p", "transforms.r")  # what moves with the base
NOT_TURNED = np.array([0, 0, 0, 1])


@dataclass(frozen=True, eq=False)
class Derivation:
    """The equations of one system, ready to be recorded.

    Whatever is recorded is evaluated in base axes with the base not turned, which saves operations; where the state's
    attitude is an input, what goes in is turned into base axes and what comes out is turned back.
    """

    system: System
    kinematics: RotationForm
    inertia: Inertia

    @cached_property
    def parameters(self) -> Parameters:
        """The system's constants."""
        return Parameters.of(self.system)

    @cached_property
    def links(self) -> Links:
        """The system's constants in link axes, regrouped."""
        return Links.of(self.parameters)

    @cached_property
    def long_arm(self) -> bool:
        """Whether forward dynamics takes fewer operations by articulated bodies than by eliminating the base.

        Below `SHORT` joints it never does, and nothing is counted.
        """
        if self.system.layout.N < SHORT:
            return False
        asked, layout = [Asked.of("forward_dynamics")], self.system.layout
        base = {} if layout.fixed else {"v_0": (3,), "omega_0": (3,)}
        shapes = {"q": (layout.n_q,), "qdot": (layout.N,), **base, **self._extra(asked)}
        totals = [
            record(shapes, lambda _long=long, **given: self._outputs(asked, given, None, long=_long)).operations.total
            for long in (False, True)
        ]
        return totals[1] < totals[0]

    @cached_property
    def inertia_program(self) -> Program:
        """H as a program of q, from which its derivatives are made."""
        return self.open_program(["H"])

    @cached_property
    def inertia_table(self) -> Array:
        """(n_b, 10) the run-time input: mass, centre of mass (3), inertia xx yy zz xy xz yz, in moved joint frames."""
        p, I = self.parameters, self.parameters.inertia
        six = [I[:, 0, 0], I[:, 1, 1], I[:, 2, 2], I[:, 0, 1], I[:, 0, 2], I[:, 1, 2]]
        return np.column_stack([p.m, p.com, *six])

    def same_geometry(self, other: Derivation) -> bool:
        """Whether another system differs in masses, centres of mass and inertias at most."""
        ours, theirs = self.parameters, other.parameters
        names = ("origin", "dcm", "child_origin", "child_dcm", "axis", "revolute", "stiffness", "damping", "gravity")
        alike = all(np.array_equal(getattr(ours, name), getattr(theirs, name)) for name in names)
        return alike and ours.fixed == theirs.fixed and np.array_equal(ours.tree.parent, theirs.tree.parent)

    def at(self, x: Array) -> Equations:
        """Return the equations by the paper's sums at a packed state x (n_x,), in N, over any scalar."""
        layout = self.system.layout
        u, zero = x[layout.x_u], np.zeros(3)
        return Equations(
            self.parameters,
            self.kinematics,
            q=x[layout.x_q],
            qdot=u[layout.joints],
            attitude=NOT_TURNED.astype(float) if layout.fixed else x[layout.x_attitude],
            r_0=zero if layout.fixed else x[layout.x_r_0],
            v_0=zero if layout.fixed else u[layout.base_linear],
            omega_0=zero if layout.fixed else u[layout.base_angular],
        )

    def open_program(self, names: Sequence[str]) -> Program:
        """Return the program of q, qdot, ... in base axes, with only the inputs that it uses."""
        asked = [Asked.of(name) for name in names]
        layout = self.system.layout
        base = {} if layout.fixed else {"v_0": (3,), "omega_0": (3,)}
        shapes: dict[str, tuple[int, ...]] = {"q": (layout.n_q,), "qdot": (layout.N,), **base, **self._extra(asked)}
        program = record(shapes, lambda **given: self._outputs(asked, given, None))
        used = program.used_inputs
        if len(used) == len(shapes):
            return program
        kept = {name: shape for name, shape in shapes.items() if name in used}
        missing = {name: np.zeros(shape) for name, shape in shapes.items() if name not in used}
        return record(kept, lambda **given: self._outputs(asked, {**missing, **given}, None))

    def packed_program(self, names: Sequence[str]) -> Program:
        """Return the program of the packed state x (n_x,) and the inputs of the names, in inertial components."""
        asked = [Asked.of(name) for name in names]
        extra = self._extra(asked)
        table = {"inertia": extra.pop("inertia")} if "inertia" in extra else {}
        shapes: dict[str, tuple[int, ...]] = {**table, "x": (self.system.layout.n_x,), **extra}

        def outputs(x: Array, **given: Array) -> Mapping[str, Array]:
            layout = self.system.layout
            u = x[layout.x_u]
            state = {"q": x[layout.x_q], "qdot": u[layout.joints]}
            if layout.fixed:
                return self._outputs(asked, {**state, **given}, None)
            turn = _Turn(x[layout.x_r_0], x[layout.x_attitude])
            state |= {"v_0": turn.inward(u[layout.base_linear]), "omega_0": turn.inward(u[layout.base_angular])}
            return self._outputs(asked, {**state, **given}, turn)

        return record(shapes, outputs)

    def _extra(self, asked: Sequence[Asked]) -> dict[str, tuple[int, ...]]:
        layout = self.system.layout
        sizes = {"tau": layout.N, "wrench": 6, "udot": layout.n_u, "qddot": layout.N, "point": 3}
        needed = {key for a in asked for key in (*a.quantity.inputs, *(("point",) if a.body is not None else ()))}
        table = {} if isinstance(self.inertia, FoldedInertia) else {"inertia": self.inertia_table.shape}
        return table | {key: (sizes[key],) for key in INPUT_ORDER if key in needed}

    def _outputs(
        self, asked: Sequence[Asked], given: Mapping[str, Any], turn: _Turn | None, *, long: bool | None = None
    ) -> dict[str, Array]:
        given = {key: np.asarray(value) for key, value in given.items()}
        if long is None:
            long = any(a.name == "forward_dynamics" for a in asked) and self.long_arm
        sources = self._sources(given, long)
        inputs = {key: given[key] for key in INPUT_ORDER if key in given}
        if turn is not None:
            inputs |= {key: turn.turned(inputs[key], (0,), inward=True) for key in ("wrench", "udot") if key in inputs}
        result: dict[str, Array] = {}
        for a in asked:
            for name, array, axes in a.outputs(sources.of(a), self.point(a, given), inputs):
                result[name] = array if turn is None else turn.outward(name.partition(":")[0].partition("@")[0], array, axes)
        return result

    def point(self, a: Asked, given: Mapping[str, Any]) -> Point | None:
        """Return the point that a quantity belongs to."""
        if a.body is not None:
            return body_offset(self.system, a.body, given["point"])
        return None if a.frame is None else frame_point(self.system, a.frame)

    def _sources(self, given: Mapping[str, Array], long: bool) -> _Sources:
        zero = np.zeros(3)
        state = {"q": given["q"], "qdot": given["qdot"], "v_0": given.get("v_0", zero), "omega_0": given.get("omega_0", zero)}
        if "inertia" not in given:
            return _Sources(self, self.parameters, self.links, given, state, long)
        table = given["inertia"]
        xx, yy, zz, xy, xz, yz = (table[:, k] for k in range(4, 10))
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        parameters = replace(self.parameters, m=table[:, 0], com=table[:, 1:4], inertia=np.moveaxis(tensor, -1, 0))
        return _Sources(self, parameters, Links.of(parameters), given, state, long)


class _Sources:
    """Where quantities come from at one recorded state: the recursions where they exist, the paper's sums elsewhere."""

    def __init__(
        self,
        derivation: Derivation,
        parameters: Parameters,
        links: Links,
        given: Mapping[str, Array],
        state: Mapping[str, Array],
        long: bool,
    ) -> None:
        self._derivation, self._parameters, self._links = derivation, parameters, links
        self._given, self._state, self._long = given, state, long

    def of(self, asked: Asked) -> Equations | LinkEquations | ArticulatedArm | DifferentiatedEquations:
        """Return the equations that give a quantity."""
        source = asked.quantity.source
        if self._long and source == "forward_dynamics":
            return ArticulatedArm(self.recursion)
        if source in DIFFERENTIATED:
            return self.differentiated
        return self.recursion if source in OFFERED else self.sums

    @cached_property
    def differentiated(self) -> DifferentiatedEquations:
        program = self._derivation.inertia_program
        given = {i.name: self._given[i.name] for i in program.inputs}
        return DifferentiatedEquations(program, given, self._state["qdot"], self.recursion.C)

    @cached_property
    def recursion(self) -> LinkEquations:
        return LinkEquations(self._links, self._derivation.kinematics, **self._state)

    @cached_property
    def sums(self) -> Equations:
        return Equations(self._parameters, self._derivation.kinematics, attitude=NOT_TURNED, r_0=np.zeros(3), **self._state)


class _Turn:
    """The base's place and attitude, between base axes and N.

    r_0 : (3,); attitude : (4,) x, y, z, w
    """

    def __init__(self, r_0: Array, attitude: Array) -> None:
        self.r_0, self.attitude = r_0, attitude
        self.R = dcm_from_quaternion(attitude)

    def inward(self, v: Array) -> Array:
        """Return a vector (3,) of N in base axes."""
        return transpose(self.R) @ v

    def outward(self, name: str, array: Array, axes: tuple[int, ...]) -> Array:
        """Return a quantity of base axes in N."""
        if name == "attitude":
            return quaternion_product(self.attitude, array)
        turned = self.turned(array, axes, inward=False)
        return self.r_0 + turned if name in PLACES else turned

    def turned(self, array: Array, axes: tuple[int, ...], *, inward: bool) -> Array:
        """Turn the first three or six entries along every axis in `axes`: one vector or two."""
        R = transpose(self.R) if inward else self.R
        for axis in axes:
            rows = np.moveaxis(array, axis, 0)
            vectors = [rows[:3]] if len(rows) == 3 else [rows[:3], rows[3:6]]
            turned = [np.tensordot(R, v, axes=1) for v in vectors]
            array = np.moveaxis(np.concatenate([*turned, rows[3 * len(vectors) :]]), 0, axis)
        return array
