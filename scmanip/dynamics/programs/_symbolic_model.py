"""A system's equations as programs: counted, shown, differentiated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, expect, refuse
from ...export import Code
from ...spatial import DCM, RotationForm, present
from ...symbolic import ClosedForm, NumpyFunction, Operations, Program, ZForm, z_form
from ...system import Number, System
from ._choice import Choice
from ._derivation import Derivation
from ._exported import AXES, exported
from ._forest_derivation import ForestDerivation
from ._implementation import FoldedInertia, Full, Implementation, Inertia, Partial
from ._quantities import QUANTITIES, AskedQuantity, wanted
from ._written import notation, written


@dataclass(frozen=True, eq=False)
class SymbolicQuantity:
    """One quantity as a program in base axes with the base not turned; the base's place and attitude do not matter.

    name : such as "H", "J_star:tip" or "inverse_dynamics.tau"

    >>> H = derive(system).H
    >>> H.program.outputs[0].shape, H.operations.total == derive(system).quantity("H").operations.total
    ((4, 4), True)
    """

    derivation: Derivation
    name: str

    @cached_property
    def program(self) -> Program:
        """The straight-line program, recorded when first asked for."""
        return self.derivation.open_program([self.name])

    @property
    def operations(self) -> Operations:
        """What one evaluation costs."""
        return self.program.operations

    @cached_property
    def hoisted(self) -> tuple[Program, Program]:
        """What the open numbers alone decide, to be done once for many states, and the rest; see `Program.hoisted`."""
        return self.program.hoisted([name for name in self.derivation.numbers if name in self.program.used_inputs])

    @property
    def choice(self) -> Choice:
        """How it is computed, and what that and every other way would cost."""
        (asked,) = self.derivation.asked([self.name])
        return self.derivation.choice(asked)

    def sympy(self, output: str | None = None) -> ZForm:
        """Return the Kane-Levinson form of an output, of the first unless said: `.z`, the list of Z's, and `.matrix` in them.

        Numbers that are inputs have the names of `.paths`; `.expanded(simplify=AngleSums())` is `closed_form()`.
        """
        program = self.program
        chosen = program.outputs[0] if output is None else program.output(output)
        return z_form(program, chosen, notation(self.derivation, program), lambda: written(self.derivation, [chosen.name]))

    def closed_form(self) -> ClosedForm:
        """Return the formulas that a person writes; raises `InvalidInput` where they are too long."""
        return written(self.derivation, [self.name])

    def function(self) -> NumpyFunction:
        """Return a function of NumPy arrays, one per input of `.program` in order, as `Program.function` does."""
        return self.program.function()

    def latex(self) -> str:
        """Return the Z's and the matrix in LaTeX."""
        return self.sympy().latex()

    def code(self, language: str, *, name: str | None = None) -> Code:
        """Return the program as a function of "c", "matlab", "python" or "rust"; see `export.code`."""
        return exported(self.derivation, self.program, language, [self.name], name=name, axes=AXES[False])

    def casadi(self, name: str = "quantity") -> Any:
        """Return it as a `casadi.Function` of that name, as `Program.casadi` does."""
        return self.program.casadi(name)

    def __getattr__(self, part: str) -> SymbolicQuantity:
        """Return one part of a quantity with several, such as `inverse_dynamics.tau`."""
        if part.startswith("_") or part in ("derivation", "name"):  # an object that is being unpickled has no name yet
            raise AttributeError(part)
        if part not in AskedQuantity.of(self.name).quantity.parts:
            raise AttributeError(f"'{self.name}' has no part '{part}'")
        return SymbolicQuantity(self.derivation, f"{self.name}.{part}")

    def __repr__(self) -> str:
        return f"SymbolicQuantity('{self.name}')"

    def _repr_html_(self) -> str:
        return self.program._repr_html_()


@dataclass(frozen=True, eq=False)
class SymbolicModel:
    """The equations of a system, each recorded when it is first asked for: `symbolic.H`, `symbolic.J_star("tip")`, ...

    Names are those of `Model`; a quantity with several parts has them as attributes (`inverse_dynamics.tau`). Made by
    `derive`.

    >>> symbolic = derive(system)
    >>> print(symbolic.H.operations)
    90 multiplications, 103 additions, 1 divisions, 14 functions
    >>> [output.name for output in symbolic.program("H", "S_U").outputs]
    ['H', 'S_U']
    """

    derivation: Derivation
    implementation: Implementation

    @property
    def system(self) -> System:
        """The hardware."""
        return self.derivation.system

    @property
    def symbols(self) -> dict[str, Number]:
        """The numbers that are inputs of every program, by their names there: `.shape .unit .value`."""
        return self.derivation.open_numbers

    def program(self, *names: str) -> Program:
        """Return one program of several quantities, which share what they have in common."""
        return self.derivation.open_program(names)

    def closed_form(self, *names: str) -> ClosedForm:
        """Return quantities as the formulas that a person writes, in one set of parts and coefficients.

        `closed_form("H0", "H0m", "Hm", "S_U", "H")` is [Wilde2018] eqs 28-53 of this system. Raises `InvalidInput` where they
        are too long.
        """
        return written(self.derivation, wanted("closed_form", names, fixed=False))

    def code(self, language: str, *names: str, name: str | None = None) -> Code:
        """Return one program of several quantities as a function of "c", "matlab", "python" or "rust"; see `export.code`.

        name : of the function; that of the system and of the quantities if None
        """
        program = self.program(*wanted("code", names, fixed=False))
        return exported(self.derivation, program, language, names, name=name, axes=AXES[False])

    def quantity(self, name: str) -> SymbolicQuantity:
        """Return a quantity by its name, such as "H" or "J_star:tip"; raises `UnknownName`."""
        asked = AskedQuantity.of(name)
        if asked.frame is not None:
            self.system.frame(asked.frame)
        return SymbolicQuantity(self.derivation, name)

    def __getattr__(self, name: str) -> Any:
        """Return a quantity as an attribute, or for those of a frame a function of its name."""
        if name not in QUANTITIES:
            raise AttributeError(f"a symbolic model has no quantity '{name}'")
        if QUANTITIES[name].framed:
            return lambda frame: self.quantity(f"{name}:{frame}")
        return self.quantity(name)

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *(name for name in QUANTITIES if ":" not in name)])

    def __repr__(self) -> str:
        return f"SymbolicModel({self.system!r}, {self.implementation!r}, kinematics={self.derivation.kinematics!r})"


def derive(
    system: System,
    *,
    implementation: Implementation | None = None,
    kinematics: RotationForm | None = None,
    inertia: Inertia | None = None,
    symbols: Sequence[str] = (),
) -> SymbolicModel:
    """Return the equations of a system, ready to be recorded; nothing is recorded yet.

    implementation : `Full()` (the default) or `Partial()` [Wilde2018] Figure 3
    kinematics : `DCM()` (the default) or `Quaternion()`, how rotations are carried along the chain
    inertia : `FoldedInertia()` (the default) or `RunTimeInertia()`, whether inertial parameters are constants or inputs
    symbols : paths of numbers of the system that are inputs of every program, such as "body.*.mass_kg", as `System.numbers`
        takes them; all others are constants. Raises `InvalidInput` for what never opens.

    >>> symbolic = derive(system, symbols=["body.link4.mass_kg"])
    >>> symbolic, list(symbolic.symbols)
    (SymbolicModel(System('planar-four-link', bodies=5, n_u=10, ... ['body.link4.mass_kg'])
    >>> derive(system, symbols=["body.link9.mass_kg"])
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: body.link9.mass_kg: expected one ... you mean 'body.link4.mass_kg'?
    """
    expect("system", system, System, "a System")
    expect("implementation", implementation, Implementation | None, "Full() or Partial()")
    expect("kinematics", kinematics, RotationForm | None, "DCM() or Quaternion()")
    expect("inertia", inertia, Inertia | None, "FoldedInertia() or RunTimeInertia()")
    inertia = FoldedInertia() if inertia is None else inertia
    opened = system.numbers(symbols)
    refuse([*_twice_open(inertia, opened), *_closed_problems(system, opened)], InvalidInput)
    several, full = len(system.trees) > 1, implementation is None or not isinstance(implementation, Partial)
    if several and not full:
        raise InvalidInput(Problem("implementation", "Full() of a system with free bodies", repr(implementation)))
    derivation = (ForestDerivation if several else Derivation)(
        system, DCM() if kinematics is None else kinematics, inertia, tuple(opened)
    )
    return SymbolicModel(derivation, Full() if implementation is None else implementation)


def _twice_open(inertia: Inertia, symbols: Iterable[str]) -> list[Problem]:
    """Return which symbols are in the table of inertias already."""
    beside = inertia.beside([*symbols])
    twice = [path for path in symbols if path not in beside]
    return [Problem("symbols", "numbers that are not in the table of RunTimeInertia()", path) for path in twice]


def _closed_problems(system: System, symbols: Iterable[str]) -> list[Problem]:
    """Return which symbols say where shapes are and how large, or how axes stand."""
    closed = closed_numbers(system, symbols)
    hint = "contacts take shapes, and the frames on which they sit, as they are; recursions run along axes that are known"
    return [Problem("symbols", "numbers on which no shape and no axis of a joint depends", path, hint=hint) for path in closed]


def closed_numbers(system: System, paths: Iterable[str]) -> list[str]:
    """Return which of some numbers programs cannot have as inputs: those of shapes and those that turn axes of joints.

    >>> from scmanip.shapes import Sphere
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], system.frames, shapes=[Sphere("ball", "tip", 0.1)])
    >>> closed_numbers(arm, ["body.base.mass_kg", "shape.ball.radius_m", "frame.tip.origin_m"])
    ['shape.ball.radius_m', 'frame.tip.origin_m']
    """
    frames = {f"frame.{shape.frame}.origin_m" for shape in system.shapes}
    return [
        path
        for path in paths
        if path.startswith("shape.") or path.partition("[")[0] in frames or (path.startswith("joint.") and _turns(system, path))
    ]


def _turns(system: System, path: str) -> bool:
    """Whether an axis of a joint depends on a number, by an imaginary part of the number."""
    (name,) = own = system.numbers((path,))
    moved = system.opened({name: np.asarray(own[name].value) + 1j})
    motions = (motion for joint in moved.joints for motion in joint.motions)
    axes = (motion.angular if present(motion.angular).any() else motion.linear for motion in motions)
    return any(np.imag(axis).any() for axis in axes)
