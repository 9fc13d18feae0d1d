"""The numbers of a system by their paths: which there are, and systems in which they are others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..channels import PLAIN, unit_of
from ..errors import InvalidInput, InvalidSystem, Problem, checked, checked_as, expect, nearest, refuse
from ..spatial import Array, FloatArray, Numbered, array_problems, opened, real, scalar_type

if TYPE_CHECKING:
    from ._system import System

GRAVITY = "gravity_m_s2"
CLOSED = "names, axes, rotations, gimbal sequences, limits of joints and options never stay open"
_COMPONENT = re.compile(r"(.+)\[(\d+)\]", re.DOTALL)
_SHOWN = 6  # keys or paths that a refusal lists


@dataclass(frozen=True, eq=False)
class Number:
    """A number of a system, or an array of some that have one path.

    shape : () of one; (3,) of a vector; (6,) of an inertia, as xx yy zz xy xz yz
    unit : as names end in it, such as "kg_m2"; "1" of what has none
    value : what the system has, in that unit; vectors and inertias in the axes that the field of that name has

    >>> mass = system.numbers()["body.base.mass_kg"]
    >>> mass.shape, mass.unit, float(mass.value)
    ((), 'kg', 100.0)
    """

    shape: tuple[int, ...]
    unit: str
    value: FloatArray


Parts = Mapping[tuple[str, str], Numbered]


def parts_of(system: System) -> dict[tuple[str, str], Numbered]:
    """Return the parts that have numbers, by the words of their tables in files and their names."""
    bodies = [(("body", body.name), body) for body in system.bodies]
    joints = [(("joint", body.joint.name), body.joint) for body in system.bodies if body.joint is not None]
    frames = [(("frame", frame.name), frame) for frame in system.frames]
    springs = [(("spring_damper", spring.name), spring) for spring in system.springs]
    actuators = [((actuator.kind, actuator.called), actuator) for actuator in system.actuators]
    constraints = [(("constraint", constraint.name), constraint) for constraint in system.constraints]
    shapes = [(("shape", shape.name), shape) for shape in system.shapes]
    return dict([*bodies, *joints, *frames, *springs, *actuators, *constraints, *shapes])


def numbers_of(system: System, kinds: Collection[str] | None = None) -> dict[str, Number]:
    """Return every number of a system by its path; gravity only where it can act, with a fixed base.

    kinds : the first words of the paths that are wanted, all where nothing is said
    """
    found = {GRAVITY: _number(GRAVITY, system.gravity_m_s2)} if system.fixed else {}
    for (kind, name), part in parts_of(system).items():
        if kinds is None or kind in kinds:
            found |= {f"{kind}.{name}.{key}": _number(key, value) for key, value in part.numbers.items()}
    return found


def _number(key: str, value: Array) -> Number:
    array = np.array(value)
    array.flags.writeable = False
    return Number(array.shape, unit_of(key) or PLAIN, array)


def chosen_numbers(system: System, patterns: Iterable[str]) -> dict[str, Number]:
    """Return the numbers that patterns name, in the order of the system; raises `InvalidInput` for those that name none.

    A pattern is a path, `*` in it stands for any name or a part of one; `[k]` behind it opens one component.
    """
    expect("symbols", patterns, list | tuple, 'paths of numbers in a sequence, such as ("body.*.mass_kg",)')
    for pattern in patterns:
        expect("symbols", pattern, str, 'the path of a number, such as "body.base.mass_kg"')
    given = [pattern.removeprefix("system.") for pattern in patterns]
    kinds = {pattern.partition(".")[0] for pattern in given}
    every = numbers_of(system, None if any("*" in kind for kind in kinds) else kinds)
    wanted, problems = dict[str, set[int | None]](), list[Problem]()
    for pattern in given:
        whole, component = _split(pattern, every)
        paths = [path for path in every if _matches(path, whole)]
        problems += [] if paths else [_unknown(pattern, whole, system)]
        problems += [p for path in paths for p in _component_problems(pattern, path, component, every[path])]
        for path in paths:
            wanted.setdefault(path, set()).add(component)
    refuse(problems, InvalidInput)
    return {name: number for path in every if path in wanted for name, number in _opened(path, every[path], wanted[path])}


def _opened(path: str, number: Number, components: set[int | None]) -> Iterator[tuple[str, Number]]:
    """Yield a number as a whole where anything asks for that, else the components that are asked for."""
    if None in components:
        yield path, number
        return
    for k in sorted(k for k in components if k is not None):
        yield f"{path}[{k}]", Number((), number.unit, number.value[k : k + 1].reshape(()))


def _split(pattern: str, every: Mapping[str, Number]) -> tuple[str, int | None]:
    """Return the path or pattern of a whole number, and which component of it is meant."""
    found = None if pattern in every else _COMPONENT.fullmatch(pattern)
    return (pattern, None) if found is None else (found[1], int(found[2]))


def _matches(path: str, pattern: str) -> bool:
    """Whether a pattern names a path; its wildcards stand for names, not for keys."""
    (start, _, key), (its_start, _, its_key) = pattern.rpartition("."), path.rpartition(".")
    if "*" not in pattern or key != its_key:
        return path == pattern
    return re.fullmatch(".*".join(map(re.escape, start.split("*"))), its_start, re.DOTALL) is not None


def _component_problems(pattern: str, path: str, component: int | None, number: Number) -> list[Problem]:
    if component is None or (number.shape and component < number.shape[0]):
        return []
    expected = f"one of {path}[0] to {path}[{number.shape[0] - 1}]" if number.shape else f"{path}, which is one number"
    return [Problem(pattern, expected, f"[{component}]")]


def _unknown(pattern: str, path: str, system: System) -> Problem:
    """Return what is wrong with a path that names no number: its key never opens, or nothing is called so."""
    every = numbers_of(system)
    kind, _, rest = path.partition(".")
    name, _, key = rest.rpartition(".")
    part = parts_of(system).get((kind, name))
    if part is not None:
        return Problem(
            pattern, f"one of {', '.join(part.numbers) or 'none: it has no numbers'}", repr(key), hint=_closed(part, key)
        )
    kinds = list(dict.fromkeys(each.partition(".")[0] for each in every))
    if kind not in kinds:
        hint = "gravity acts where the base is held" if path == GRAVITY else nearest(path, every)
        return Problem(pattern, f"a path that begins with one of {', '.join(kinds)}", repr(kind), hint=hint)
    names = list(dict.fromkeys(called for table, called in parts_of(system) if table == kind))
    keys = list(dict.fromkeys(each.rpartition(".")[2] for each in every if each.startswith(f"{kind}.")))
    if not name:
        return Problem(pattern, f"{kind}.NAME.KEY, with one of the keys {_listed(keys)}", repr(path), hint=nearest(path, every))
    if name not in names and "*" not in name:
        return Problem(pattern, f"one of {_listed(names)}", repr(name), hint=nearest(path, every))
    return Problem(pattern, f"one of the keys {_listed(keys)}", repr(key), hint=nearest(key, keys) or CLOSED)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")


def _closed(part: Numbered, key: str) -> str:
    """Return why a key of a part is no number."""
    said = part.said(key)
    if key in part.number_fields() and said is not None:
        return "it is infinite: a limit that is not there has no number"
    return nearest(key, part.numbers) if said is None and nearest(key, part.numbers) else CLOSED


def given_values(numbers: Mapping[str, Number], values: Mapping[str, ArrayLike]) -> dict[str, FloatArray]:
    """Return values of numbers, by paths, as floats of their shapes, (), (3,) or (6,), in the unit and axes of each.

    Raises `InvalidInput` for unknown names and wrong shapes.

    >>> numbers = system.numbers(["body.link*.mass_kg"])
    >>> given_values(numbers, {"body.link1.mass_kg": 5})
    {'body.link1.mass_kg': array(5.)}
    >>> given_values(numbers, {"body.link7.mass_kg": 5})
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: values: expected one of ... you mean 'body.link4.mass_kg'?
    """
    expect("numbers", numbers, Mapping, "numbers by their paths")
    expect("values", values, Mapping, "values by the paths of numbers")
    given = {str(name).removeprefix("system."): value for name, value in values.items()}
    problems = unknown_values(given, numbers)
    for name, shape in ((name, numbers[name].shape) for name in given if name in numbers):
        hint = "xx, yy, zz, xy, xz, yz" if shape == (6,) else ""
        problems += [replace(problem, hint=hint) for problem in array_problems(name, given[name], shape)]
    refuse(problems, InvalidInput)
    return {name: real(value) for name, value in given.items()}


@checked
def unknown_values(values: Iterable[str], numbers: Iterable[str]) -> list[Problem]:
    """Return which names are none of those of some numbers, with near ones.

    >>> print(*unknown_values(["body.link1.mass"], ["body.link1.mass_kg"]))
    values: expected one of body.link1.mass_kg, found body.link1.mass; did you mean 'body.link1.mass_kg'?
    """
    names = list(numbers)
    expected = f"one of {_listed(names)}" if names else "no numbers: none is open"
    return [Problem("values", expected, name, hint=nearest(name, names)) for name in values if name not in names]


def whole_values(system: System, values: Mapping[str, Any]) -> dict[str, Array]:
    """Return values of whole numbers, of any scalar, from those of numbers and of components."""
    every, whole = numbers_of(system, {name.partition(".")[0] for name in values}), dict[str, Array]()
    for name, value in values.items():
        path, component = _split(name, every)
        if component is None:
            whole[path] = np.asarray(value)
        else:
            before = whole.get(path, every[path].value)
            whole[path] = np.array(before, dtype=scalar_type(before, value))
            whole[path][component] = np.asarray(value)[()]
    return whole


def by_part(values: Mapping[str, Array]) -> dict[tuple[str, str], dict[str, Array]]:
    """Return values of whole numbers by the parts that have them."""
    found: dict[tuple[str, str], dict[str, Array]] = {}
    for path, value in values.items():
        start, _, key = path.rpartition(".")
        kind, _, name = start.partition(".")
        if path != GRAVITY:
            found.setdefault((kind, name), {})[key] = value
    return found


@checked_as(InvalidSystem)
def check_cases(system: System, values: Mapping[str, Array]) -> None:
    """Raise `InvalidSystem` for numbers of many cases that hardware cannot have; names that are no path of one are left out.

    values : (n, ...) or one for all, by paths, in SI

    >>> check_cases(system, {"body.link1.mass_kg": np.array([4.0, -1.0])})
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidSystem: body 'link1' mass_kg: expected a number >= 0, found -1
    """
    every = parts_of(system)
    known = {path: cases for path, cases in values.items() if path.count(".") > 1 and "[" not in path and cases.size}
    for at, own in by_part(known).items():
        if at in every:
            for key, cases in own.items():
                for case in every[at].extremes(key, cases.reshape(-1, *every[at].numbers[key].shape)):
                    every[at].with_numbers({key: case})


def with_parts(system: System, changed: Parts, gravity: Array) -> System:
    """Return a copy of a system with some parts replaced and with this gravity; nothing is checked, nothing cached."""
    bodies = []
    for body in system.bodies:
        own = changed.get(("body", body.name), body)
        joint = body.joint and changed.get(("joint", body.joint.name), body.joint)
        bodies.append(own if joint is body.joint else opened(own, {"joint": joint}))
    fields: dict[str, Any] = {"bodies": tuple(bodies), GRAVITY: gravity}
    for kind, field in (("frame", "frames"), ("spring_damper", "springs"), ("constraint", "constraints"), ("shape", "shapes")):
        fields[field] = tuple(changed.get((kind, part.name), part) for part in getattr(system, field))
    fields["actuators"] = tuple(changed.get((part.kind, part.called), part) for part in system.actuators)
    return opened(system, fields)
