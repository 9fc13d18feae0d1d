"""From a system to programs: the equations are run once on recorded scalars."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...compiled import described
from ...spatial import Array, RotationForm
from ...symbolic import Program, count, record
from ...system import Number, System, given_values
from ..recursions._composite_bodies import NOT_TURNED
from ..recursions._links import Links
from ..sums._equations import Equations
from ..sums._parameters import Parameters, with_inertias
from ..sums._points import body_offset, frame_point
from ..sums._results import Point
from ._base_turn import BaseTurn
from ._choice import Choice, chosen
from ._door import no_base_wrench
from ._forms import Form, FormOf, rivals
from ._implementation import FoldedInertia, Inertia
from ._memory import keep, key_of, recalled
from ._quantities import INPUT_ORDER, AskedQuantity, input_sizes
from ._sources import Sources

NOTHING: Mapping[str, Array] = {}
INERTIA = "inertia"  # the input that is a table of inertias


@dataclass(frozen=True, eq=False)
class Derivation:
    """The equations of one system, ready to be recorded.

    Whatever is recorded is evaluated in base axes with the base not turned, which saves operations; where the state's
    attitude is an input, what goes in is turned into base axes and what comes out is turned back.

    symbols : paths of the numbers of the system that are inputs of the programs
    table : (n_b, 10) inertias in place of the system's own, over any scalar
    """

    system: System
    kinematics: RotationForm
    inertia: Inertia
    symbols: tuple[str, ...] = ()
    table: Array | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "_made"}  # that holds recorded scalars

    @cached_property
    def numbers(self) -> dict[str, Array]:
        """What is an input of every program, by its name, with the values of this system: inertias first, then the symbols."""
        table = self.inertia.table(self.system)
        return {**({} if table is None else {INERTIA: table}), **{path: n.value for path, n in self.open_numbers.items()}}

    @cached_property
    def open_numbers(self) -> dict[str, Number]:
        """The numbers of the system that are inputs, by their paths."""
        return self.system.numbers(self.symbols)

    def given_numbers(self, given: Mapping[str, Array]) -> dict[str, Array]:
        """Return those of some inputs that are numbers of the system."""
        return {name: np.asarray(given[name]) for name in self.numbers if name in given}

    def opened(self, numbers: Mapping[str, Array]) -> Derivation:
        """Return the equations in which numbers of the system, by the names of their inputs, are of any scalar.

        Forms and programs are chosen by the equations that these are made of.
        """
        if all(value is self.numbers[name] for name, value in numbers.items()):
            return self
        entries = tuple(entry for array in numbers.values() for entry in np.asarray(array).flat)
        for known, made in self._made:
            if len(known) == len(entries) and all(map(is_, known, entries)):
                return made
        made = self._opened(numbers)
        self._made[:] = [(entries, made)]
        return made

    def _opened(self, numbers: Mapping[str, Array]) -> Derivation:
        values, table = {name: value for name, value in numbers.items() if name != INERTIA}, numbers.get(INERTIA)
        base = {} if table is None else {"body.base.com_m": table[0, 1:4]}  # about which actuators of the base push
        system = self.system.opened({**values, **base})
        made = replace(self, system=system, symbols=(), inertia=FoldedInertia(), table=table)
        if table is not None and not values and len(self.system.trees) == 1:
            vars(made)["parameters"] = with_inertias(self.parameters, table)  # all else is known
        return made

    @cached_property
    def _made(self) -> list[tuple[tuple[Any, ...], Derivation]]:
        """The last equations that were opened, with the entries of the numbers: a program asks for the same ones often."""
        return []

    def with_values(self, values: Mapping[str, ArrayLike]) -> Derivation:
        """Return the same with other values of open numbers; raises `InvalidInput`, `InvalidSystem`."""
        found = given_values(self.open_numbers, values)
        other = replace(self, system=self.system.with_numbers(found))
        vars(other).update(structure=self.structure, description=self.description)  # nothing else is other
        return other

    @cached_property
    def structure(self) -> Derivation:
        """The equations with NaN for all that is an input: what they look like whatever its value, which counts as not zero."""
        if not self.numbers:
            return self
        paths = [*self.system.numbers(self.inertia.patterns), *self.symbols]
        nothing = {path: np.full(n.shape, np.nan) for path, n in self.system.numbers(paths).items()}
        return replace(self, system=self.system.opened(nothing))

    @cached_property
    def parameters(self) -> Parameters:
        """The system's constants."""
        own = Parameters.of(self.system)
        return own if self.table is None else with_inertias(own, self.table)

    @cached_property
    def links(self) -> Links:
        """The system's constants in link axes, regrouped where they are known."""
        return Links.of(self.parameters)

    @cached_property
    def inertia_program(self) -> Program:
        """H as a program of q, from which its derivatives are made."""
        return self.open_program(["H"])

    @cached_property
    def written_inertia_program(self) -> Program:
        """The same as a person writes H."""
        return self.open_program(["H"], lambda _: Form.COMPLEMENT)

    def same_geometry(self, other: Derivation) -> bool:
        """Whether another system differs in what is an input at most."""
        return self.structure._geometry == other.structure._geometry

    @cached_property
    def _geometry(self) -> Hashable:
        frames = sorted(self.system.frames, key=lambda frame: frame.name)
        bodies = [body.name for body in self.system.bodies]
        return described((self.parameters, self.system.springs, bodies, frames))

    @cached_property
    def description(self) -> Hashable:
        """All that system and options say, less what is an input of programs and ranges of joints, which no equation knows."""
        return described(self.structure, {"range"})

    def at(self, x: Array, numbers: Mapping[str, Array] = NOTHING) -> Equations:
        """Return the equations by the paper's sums at a packed state x (n_x,), in N, over any scalar.

        numbers : what is an input, of any scalar, in place of the system's own
        """
        layout = self.system.layout
        u, zero = x[layout.x_u], np.zeros(3)
        return Equations(
            self.opened(numbers).parameters,
            self.kinematics,
            q=x[layout.x_q],
            qdot=u[layout.joints],
            attitude=NOT_TURNED.astype(float) if layout.fixed else x[layout.x_attitude],
            r_0=zero if layout.fixed else x[layout.x_r_0],
            v_0=zero if layout.fixed else u[layout.base_linear],
            omega_0=zero if layout.fixed else u[layout.base_angular],
            actuator_states=x[layout.x_actuators],
        )

    def asked(self, names: Sequence[str]) -> list[AskedQuantity]:
        """Return what the names ask for; raises `UnknownName`, and `InvalidState` for a wrench on a base that is held."""
        asked = [AskedQuantity.of(name) for name in names]
        if any("wrench" in a.quantity.inputs for a in asked):
            no_base_wrench(self.system.layout)
        return asked

    def choice(self, asked: AskedQuantity) -> Choice:
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

    def form(self, asked: AskedQuantity) -> Form:
        """Return the form that gives a quantity: the one with the fewest operations."""
        forms = self._rivals(asked)
        return forms[0] if len(forms) == 1 else self.choice(asked).form

    def _rivals(self, asked: AskedQuantity) -> tuple[Form, ...]:
        """Return the forms that give a quantity of this system; articulated bodies know no rotors of motors."""
        known = rivals(asked, self.system.layout.N)
        rotors = self.structure.parameters.rotors
        return tuple(form for form in known if form is not Form.ARTICULATED_BODIES) if rotors else known

    def _forms(self, asked: Sequence[AskedQuantity]) -> FormOf:
        """Return which form gives which of some quantities, with nothing left to count while they are recorded."""
        return {a: self.form(a) for a in asked}.__getitem__

    @cached_property
    def _choices(self) -> dict[str, Choice]:
        return {}

    def _key(self, asked: AskedQuantity) -> str:
        """Return the digest of all that decides what the forms of a quantity cost."""
        layout, structure = self.system.layout, self.structure
        what = (asked.name, asked.part, asked.body is not None, structure.point(asked, {"point": np.zeros(3)}))
        sizes = layout.n_q, layout.N, layout.n_u
        return key_of(what, self.kinematics, self.inertia, self.symbols, structure.parameters, sizes)

    def _total(self, asked: AskedQuantity, form: Form, most: int | None) -> int | None:
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
        still |= {**self.numbers, "q": self.system.layout.neutral()}
        missing = {name: still[name] for name in shapes if name not in used}
        return record(kept, lambda **given: self._outputs(asked, {**missing, **given}, None, form_of))

    def packed_program(self, names: Sequence[str], form_of: FormOf | None = None) -> Program:
        """Return the program of the packed state x (n_x,) and the inputs of the names, in inertial components.

        form_of : which form gives which quantity; None for those with the fewest operations
        """
        asked = self.asked(names)
        shapes: dict[str, tuple[int, ...]] = {**self.shapes, "x": (self.system.layout.n_x,), **self._extra(asked)}
        form_of = form_of or self._forms(asked)
        return record(shapes, lambda x, **given: self.packed_outputs(names, x, given, form_of))

    def packed_outputs(
        self, names: Sequence[str], x: Array, given: Mapping[str, Array], form_of: FormOf | None = None
    ) -> dict[str, Array]:
        """Return the outputs of the names, in inertial components, for a packed state x (n_x,) and inputs of any scalar.

        form_of : which form gives which quantity; None for those with the fewest operations
        """
        asked, layout = [AskedQuantity.of(name) for name in names], self.system.layout
        u = x[layout.x_u]
        state = {"q": x[layout.x_q], "qdot": u[layout.joints]}
        if layout.fixed:
            return self._outputs(asked, {**state, **given}, None, form_of)
        turn = BaseTurn(x[layout.x_r_0], x[layout.x_attitude])
        state |= {"v_0": turn.inward(u[layout.base_linear]), "omega_0": turn.inward(u[layout.base_angular])}
        state |= {"actuator_states": x[layout.x_actuators]} if layout.states else {}
        return self._outputs(asked, {**state, **given}, turn, form_of)

    def _open_shapes(self, asked: Sequence[AskedQuantity]) -> dict[str, tuple[int, ...]]:
        layout = self.system.layout
        base: dict[str, tuple[int, ...]] = {} if layout.fixed else {"v_0": (3,), "omega_0": (3,)}
        base |= {"actuator_states": (layout.n_a,)} if layout.states else {}
        return {**self.shapes, "q": (layout.n_q,), "qdot": (layout.N,), **base, **self._extra(asked)}

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Names and shapes of the numbers that are inputs, which come before all others."""
        return {name: np.shape(value) for name, value in self.numbers.items()}

    def _extra(self, asked: Sequence[AskedQuantity]) -> dict[str, tuple[int, ...]]:
        return {key: (size,) for key, size in input_sizes(self.system.layout, asked).items()}

    def _outputs(
        self, asked: Sequence[AskedQuantity], given: Mapping[str, Any], turn: BaseTurn | None, form_of: FormOf | None = None
    ) -> dict[str, Array]:
        given = {key: np.asarray(value) for key, value in given.items()}
        form_of, here = form_of or self.form, self.opened(self.given_numbers(given))
        sources = self._sources(here, given, NOT_TURNED if turn is None else turn.attitude)
        inputs = {key: given[key] for key in INPUT_ORDER if key in given}
        if turn is not None:
            inputs |= {key: turn.turned(inputs[key], (0,), inward=True) for key in ("wrench", "udot") if key in inputs}
        result: dict[str, Array] = {}
        for a in asked:
            for name, array, axes in a.outputs(sources.of(form_of(a)), here.point(a, given), inputs):
                result[name] = array if turn is None else turn.outward(name.partition(":")[0].partition("@")[0], array, axes)
        return result

    def point(self, a: AskedQuantity, given: Mapping[str, Any]) -> Point | None:
        """Return the point that a quantity belongs to."""
        if a.body is not None:
            return body_offset(self.system, a.body, given["point"])
        if a.frame is None:
            return None
        point = frame_point(self.system, a.frame)
        if self.table is not None and a.frame == f"{self.system.frame(a.frame).body}.com":  # moves with the inertias
            return replace(point, offset=self.table[point.body, 1:4])
        return point

    def _sources(self, here: Derivation, given: Mapping[str, Array], attitude: Array) -> Sources:
        """Return the equations of all forms at recorded inputs; here : these equations, opened by the numbers among them."""
        zero = np.zeros(3)
        state = {"q": given["q"], "qdot": given["qdot"], "v_0": given.get("v_0", zero), "omega_0": given.get("omega_0", zero)}
        state |= {"actuator_states": given["actuator_states"]} if "actuator_states" in given else {}

        def inertia_program(form: Form) -> tuple[Program, Mapping[str, Array]]:
            program = self.written_inertia_program if form is Form.WRITTEN else self.inertia_program
            return program, {i.name: given[i.name] for i in program.inputs}

        return Sources(here.links, self.kinematics, self.system.layout, state, inertia_program, attitude)
