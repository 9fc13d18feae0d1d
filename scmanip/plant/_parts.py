"""What a plant is made of, as a user gives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..dynamics import Model
from ..errors import InvalidInput, ModeMismatch, Problem, UnknownName, expect
from ..loads import Load
from ..modes import ManoeuvreMode
from ..system import Layout, System
from ._said import load_problems


class PlantParts(NamedTuple):
    """A model, a mode and loads that nobody has looked at yet; `called` is what the loads were given as.

    >>> [problem.expected for problem in PlantParts(model, scmanip.Floating).problems]
    ['a mode object such as Floating()']
    """

    model: Any
    mode: Any
    loads: Any = ()
    called: str = "loads"

    @property
    def problems(self) -> list[Problem]:
        """A problem for every part of the wrong kind; the most common is a class instead of an object."""
        found = []
        if not isinstance(self.model, Model):
            found.append(Problem("model", "a Model, made by compile_model(system)", repr(self.model)))
        if not isinstance(self.mode, ManoeuvreMode):
            found.append(Problem("mode", "a mode object such as Floating()", repr(self.mode)))
        if not isinstance(self.loads, Sequence):
            return [*found, Problem(self.called, "a sequence of loads such as [Gravity(orbit)]", repr(self.loads))]
        expected = "a load such as Gravity(Orbit.circular(altitude_m=500e3))"
        others = [Problem(self.called, expected, repr(load)) for load in self.loads if not isinstance(load, Load)]
        return found + (others or [problem for load in self.loads for problem in load_problems(load)])


def refuse_equal_names(layout: Layout) -> None:
    """Raise `InvalidInput` where states of loads cannot be told apart from others by name."""
    names = [name for name, _ in layout.states + layout.loads]
    if layout.loads and len(set(names)) < len(names):
        hint = "`called` of a load says its name"
        raise InvalidInput(Problem("loads", "names that differ, of all that has states", ", ".join(names), hint=hint))


def refuse_two_orbits(loads: Sequence[Load]) -> None:
    """Raise `ModeMismatch` where two loads have orbits that differ."""
    orbits = [(load, load.origin_orbit) for load in loads if load.origin_orbit is not None]
    for load, orbit in orbits[1:]:
        if orbit != orbits[0][1]:
            raise ModeMismatch(
                f"the origin of N moves on one orbit, and {orbits[0][0]!r} and {load!r} have two that differ; give all loads "
                "the same orbit, or leave it out of all but one"
            )


def constraints_of(system: System, given: Any) -> tuple[str, ...]:
    """Return the names of the constraints that hold; raises `UnknownName`."""
    if given is None:
        return tuple(one.name for one in system.constraints if one.active)
    expect("constraints", given, Sequence, "names of constraints")
    return tuple(system.constraint(name).name for name in given)


def inhibited_of(loads: Sequence[Load], given: Any) -> tuple[str, ...]:
    """Return the names of the loads that do not act; raises `UnknownName`."""
    if given is None:
        return tuple(load.called for load in loads if not load.acts)
    known = [load.called for load in loads]
    expect("inhibited", given, Sequence, "names of loads")
    for name in given:
        if name not in known:
            raise UnknownName("load", name, "this plant", known)
    return tuple(given)
