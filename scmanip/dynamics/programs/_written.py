"""The equations of a system as their readers see them: named numbers, angle sums, letters and numbers of equations."""

from __future__ import annotations

from collections.abc import Sequence

from ...symbolic import ClosedForm, Notation, Program, closed_form
from ..notation._letters import letter_of
from ..notation._numbers import number_names
from ..notation._parallel_turns import parallel_turns
from ._derivation import Derivation
from ._forms import Form, rivals
from ._quantities import AskedQuantity

PARTS = ("S_U", "H0")  # quantities that others are divided by entries of
KNOWN = {f"S_U{i + 1}{j + 1}": ("S_U", 3 * i + j) for i in range(3) for j in range(i, 3)} | {"m": ("H0", 0)}


def notation(derivation: Derivation, program: Program) -> Notation:
    """Return how a program of a system is to be read."""
    system = derivation.system
    numbers = {i.name: i.shape for i in program.inputs if i.name in derivation.numbers}
    names = number_names(system, numbers)
    groups = [] if len(system.trees) > 1 else parallel_turns(derivation.parameters)
    return Notation(
        names={name: [letter for letter, _ in rows] for name, rows in names.items()},
        constants=frozenset(numbers),
        paths={letter: path for rows in names.values() for letter, path in rows},
        groups={"q": groups},
        letters={o.name: letter_of(o.name, AskedQuantity.of(o.name).quantity.words) for o in program.outputs},
        known=KNOWN,
    )


def readable_program(derivation: Derivation, names: Sequence[str]) -> Program:
    """Return a program of quantities that gives short formulas, with the quantities that have names for what divides."""
    if len(derivation.system.trees) > 1:
        return derivation.open_program(names)
    return derivation.open_program([*names, *(part for part in PARTS if part not in names)], _short)


def _short(asked: AskedQuantity) -> Form:
    """Return the form whose formulas are short: that of H as a Schur complement, differentiated for its derivatives."""
    forms = rivals(asked)
    written = Form.WRITTEN if Form.DIFFERENTIATION in forms else forms[0]
    return Form.COMPLEMENT if asked.quantity.source == "H" else written


def written(derivation: Derivation, names: Sequence[str]) -> ClosedForm:
    """Return quantities as formulas in one set of parts and coefficients."""
    program = readable_program(derivation, names)
    asked = {a.name for a in map(AskedQuantity.of, names)}
    outputs = [o for o in program.outputs if AskedQuantity.of(o.name).name in asked]
    return closed_form(program, outputs, notation(derivation, program))
