"""From a system to programs: the equations are run once on recorded scalars."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...compiled import described
from ...errors import expect
from ...spatial import Array, RotationForm
from ...symbolic import Program, count, record
from ...system import Body, System
from ..recursions._composite_bodies import NOT_TURNED
from ..recursions._links import Links
from ..sums._equations import Equations
from ..sums._parameters import Parameters, moved_mass
from ..sums._points import body_offset, frame_point
from ..sums._results import Point
from ._base_turn import BaseTurn
from ._choice import Choice, chosen
from ._door import no_base_wrench
from ._forms import Form, FormOf, rivals
from ._implementation import FoldedInertia, Inertia, RunTimeInertia
from ._memory import keep, key_of, recalled
from ._quantities import INPUT_ORDER, Asked, input_sizes
from ._sources import Sources


def inertia_table(system: System) -> Array:
    """Return (n_b, 10): per body mass [kg], centre of mass (3) [m], inertia xx yy zz xy xz yz about it [kg m^2].

    Components in the moved joint frame, which is the body's own frame except for Denavit-Hartenberg links.
    """
    expect("system", system, System, "a System")
    return np.array([inertia_row(body) for body in system.bodies])


def inertia_row(body: Body) -> Array:
    """Return the row (10,) of a body in `inertia_table`."""
    com, I = moved_mass(body)
    return np.array([body.mass_kg, *com, I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])


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
    def inertia_program(self) -> Program:
        """H as a program of q, from which its derivatives are made."""
        return self.open_program(["H"])

    @cached_property
    def inertia_table(self) -> Array:
        """(n_b, 10) the run-time input of this system."""
        return inertia_table(self.system)

    def same_geometry(self, other: Derivation) -> bool:
        """Whether another system differs in masses, centres of mass and inertias at most."""
        return self._geometry == other._geometry

    @cached_property
    def _geometry(self) -> Hashable:
        frames = sorted(self.system.frames, key=lambda frame: frame.name)
        bodies = [body.name for body in self.system.bodies]
        return described((self.parameters, self.system.springs, bodies, frames), RunTimeInertia.inputs)

    @cached_property
    def description(self) -> Hashable:
        """All that system and options say, less what is an input of programs and ranges of joints, which no equation knows."""
        return described(self, {*self.inertia.inputs, "range"})

    def at(self, x: Array, inertia: Array | None = None) -> Equations:
        """Return the equations by the paper's sums at a packed state x (n_x,), in N, over any scalar.

        inertia : (n_b, 10) in place of the system's own
        """
        layout = self.system.layout
        u, zero = x[layout.x_u], np.zeros(3)
        return Equations(
            self.parameters if inertia is None else self._parameters_of(inertia),
            self.kinematics,
            q=x[layout.x_q],
            qdot=u[layout.joints],
            attitude=NOT_TURNED.astype(float) if layout.fixed else x[layout.x_attitude],
            r_0=zero if layout.fixed else x[layout.x_r_0],
            v_0=zero if layout.fixed else u[layout.base_linear],
            omega_0=zero if layout.fixed else u[layout.base_angular],
            actuator_states=x[layout.x_actuators],
        )

    def asked(self, names: Sequence[str]) -> list[Asked]:
        """Return what the names ask for; raises `UnknownName`, and `InvalidState` for a wrench on a base that is held."""
        asked = [Asked.of(name) for name in names]
        if any("wrench" in a.quantity.inputs for a in asked):
            no_base_wrench(self.system.layout)
        return asked

    def choice(self, asked: Asked) -> Choice:
        """Return the counts of all forms that give a quantity, each alone, with the base not turned.

        Counted once; after that remembered, by this object and on disk.
        """
        known = self._choices.get(asked.text)
        if known is None:
            forms, key = self._rivals(asked), self._key(asked)
            known = recalled(key, forms)
            if known is None:
                known = chosen(forms, lambda form, most: self._total(asked, form, most))
                keep(key, known)
            self._choices[asked.text] = known
        return known

    def form(self, asked: Asked) -> Form:
        """Return the form that gives a quantity: the one with the fewest operations."""
        forms = self._rivals(asked)
        return forms[0] if len(forms) == 1 else self.choice(asked).form

    def _rivals(self, asked: Asked) -> tuple[Form, ...]:
        """Return the forms that give a quantity of this system; articulated bodies know no rotors of motors."""
        known = rivals(asked)
        return tuple(form for form in known if form is not Form.ARTICULATED_BODIES) if self.parameters.rotors else known

    def _forms(self, asked: Sequence[Asked]) -> FormOf:
        """Return which form gives which of some quantities, with nothing left to count while they are recorded."""
        return {a: self.form(a) for a in asked}.__getitem__

    @cached_property
    def _choices(self) -> dict[str, Choice]:
        return {}

    def _key(self, asked: Asked) -> str:
        """Return the digest of all that decides what the forms of a quantity cost."""
        layout, parameters, table = self.system.layout, self.parameters, self.inertia_table
        given = {"point": np.zeros(3)}
        if not isinstance(self.inertia, FoldedInertia):  # an input: no value of it matters
            parameters = replace(parameters, m=0 * parameters.m, com=0 * parameters.com, inertia=0 * parameters.inertia)
            given["inertia"] = 0 * table
        what = (asked.name, asked.part, asked.body is not None, self.point(asked, given))
        return key_of(what, self.kinematics, self.inertia, parameters, (layout.n_q, layout.N, layout.n_u))

    def _total(self, asked: Asked, form: Form, most: int | None) -> int | None:
        """Return the operations of one form of a quantity, or None once more than `most` scalars are recorded."""
        counted = count(self._open_shapes([asked]), lambda **given: self._outputs([asked], given, None, lambda _: form), most)
        return None if counted is None else counted.total

    def open_program(self, names: Sequence[str], form_of: FormOf | None = None) -> Program:
        """Return the program of q, qdot, ... in base axes, with only the inputs that it uses.

        form_of : which form gives which quantity; None for those with the fewest operations
        """
        asked = self.asked(names)
        shapes, form_of = self._open_shapes(asked), form_of or self._forms(asked)
        program = record(shapes, lambda **given: self._outputs(asked, given, None, form_of))
        used = program.used_inputs
        if len(used) == len(shapes):
            return program
        kept = {name: shape for name, shape in shapes.items() if name in used}
        still = {name: np.zeros(shape) for name, shape in shapes.items()}
        still |= {"inertia": self.inertia_table, "q": self.system.layout.neutral()}
        missing = {name: still[name] for name in shapes if name not in used}
        return record(kept, lambda **given: self._outputs(asked, {**missing, **given}, None, form_of))

    def packed_program(self, names: Sequence[str], form_of: FormOf | None = None) -> Program:
        """Return the program of the packed state x (n_x,) and the inputs of the names, in inertial components.

        form_of : which form gives which quantity; None for those with the fewest operations
        """
        asked = self.asked(names)
        extra = self._extra(asked)
        table = {"inertia": extra.pop("inertia")} if "inertia" in extra else {}
        shapes: dict[str, tuple[int, ...]] = {**table, "x": (self.system.layout.n_x,), **extra}
        form_of = form_of or self._forms(asked)
        return record(shapes, lambda x, **given: self.packed_outputs(names, x, given, form_of))

    def packed_outputs(
        self, names: Sequence[str], x: Array, given: Mapping[str, Array], form_of: FormOf | None = None
    ) -> dict[str, Array]:
        """Return the outputs of the names, in inertial components, for a packed state x (n_x,) and inputs of any scalar.

        form_of : which form gives which quantity; None for those with the fewest operations
        """
        asked, layout = [Asked.of(name) for name in names], self.system.layout
        u = x[layout.x_u]
        state = {"q": x[layout.x_q], "qdot": u[layout.joints]}
        if layout.fixed:
            return self._outputs(asked, {**state, **given}, None, form_of)
        turn = BaseTurn(x[layout.x_r_0], x[layout.x_attitude])
        state |= {"v_0": turn.inward(u[layout.base_linear]), "omega_0": turn.inward(u[layout.base_angular])}
        state |= {"actuator_states": x[layout.x_actuators]} if layout.states else {}
        return self._outputs(asked, {**state, **given}, turn, form_of)

    def _open_shapes(self, asked: Sequence[Asked]) -> dict[str, tuple[int, ...]]:
        layout = self.system.layout
        base: dict[str, tuple[int, ...]] = {} if layout.fixed else {"v_0": (3,), "omega_0": (3,)}
        base |= {"actuator_states": (layout.n_a,)} if layout.states else {}
        return {"q": (layout.n_q,), "qdot": (layout.N,), **base, **self._extra(asked)}

    def _extra(self, asked: Sequence[Asked]) -> dict[str, tuple[int, ...]]:
        table = {} if isinstance(self.inertia, FoldedInertia) else {"inertia": self.inertia_table.shape}
        return table | {key: (size,) for key, size in input_sizes(self.system.layout, asked).items()}

    def _outputs(
        self, asked: Sequence[Asked], given: Mapping[str, Any], turn: BaseTurn | None, form_of: FormOf | None = None
    ) -> dict[str, Array]:
        given = {key: np.asarray(value) for key, value in given.items()}
        form_of, sources = form_of or self.form, self._sources(given, NOT_TURNED if turn is None else turn.attitude)
        inputs = {key: given[key] for key in INPUT_ORDER if key in given}
        if turn is not None:
            inputs |= {key: turn.turned(inputs[key], (0,), inward=True) for key in ("wrench", "udot") if key in inputs}
        result: dict[str, Array] = {}
        for a in asked:
            for name, array, axes in a.outputs(sources.of(form_of(a)), self.point(a, given), inputs):
                result[name] = array if turn is None else turn.outward(name.partition(":")[0].partition("@")[0], array, axes)
        return result

    def point(self, a: Asked, given: Mapping[str, Any]) -> Point | None:
        """Return the point that a quantity belongs to."""
        if a.body is not None:
            return body_offset(self.system, a.body, given["point"])
        if a.frame is None:
            return None
        point = frame_point(self.system, a.frame)
        if "inertia" in given and a.frame == f"{self.system.frame(a.frame).body}.com":  # moves with the inertias
            return replace(point, offset=given["inertia"][point.body, 1:4])
        return point

    def _sources(self, given: Mapping[str, Array], attitude: Array) -> Sources:
        zero = np.zeros(3)
        state = {"q": given["q"], "qdot": given["qdot"], "v_0": given.get("v_0", zero), "omega_0": given.get("omega_0", zero)}
        state |= {"actuator_states": given["actuator_states"]} if "actuator_states" in given else {}
        links = Links.of(self._parameters_of(given["inertia"])) if "inertia" in given else self.links

        def inertia_program() -> tuple[Program, Mapping[str, Array]]:
            return self.inertia_program, {i.name: given[i.name] for i in self.inertia_program.inputs}

        return Sources(links, self.kinematics, self.system.layout, state, inertia_program, attitude)

    def _parameters_of(self, table: Array) -> Parameters:
        """Return the constants with the inertias of a table (n_b, 10) of any scalar."""
        xx, yy, zz, xy, xz, yz = (table[:, k] for k in range(4, 10))
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        p, given = self.parameters, {"m": table[:, 0], "com": table[:, 1:4], "inertia": np.moveaxis(tensor, -1, 0)}
        of_links = {name: np.zeros((p.n_l, *rows.shape[1:]), dtype=rows.dtype) for name, rows in given.items()}
        for name, rows in given.items():
            of_links[name][p.link_of] = rows
        return replace(p, m=of_links["m"], com=of_links["com"], inertia=of_links["inertia"])
