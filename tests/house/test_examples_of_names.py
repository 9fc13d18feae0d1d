"""Every public name says how it is used: its docstring has an example, and what the example shows is so.

Before the example its words tell shapes, units, axes, what is raised and where formulas come from. Methods and properties of
public classes tell shapes, units and axes too.

Examples begin where `beginning` ends; `docs` tells readers the same.
"""

import ast
import contextlib
import copy
import doctest
import functools
import importlib
import inspect
import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import scmanip
from scmanip.actuators import Actuator
from scmanip.channels import unit_of
from scmanip.constraints import Constraint
from scmanip.control import ComputedTorque, Controller
from scmanip.guidance import JointSequence, Reach
from scmanip.impacts import Restitution
from scmanip.loads import ContactFriction, Load, NormalLaw
from scmanip.modes import ManoeuvreMode
from scmanip.navigation import Estimator, Sensor
from scmanip.study import Case, Plan, Row, Status, Table, levels, run_study

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.REPORT_ONLY_FIRST_FAILURE
SHAPES = re.compile(r"\([^()]*,[^()]*\)|entry by entry|arrays?\b")
CHECKS = re.compile(r"\braise [A-Z]|\b_?(refuse|expect|check)\w*\(|\b(as_controller|controller_of|task_fields)\(")
PACKAGE = os.path.dirname(scmanip.__file__)

SYMBOL = r"(?:s|min|h|m|mm|km|g|kg|rad|mrad|deg|N|mN|kN|Nm|J|mJ|kJ|W|Hz|rpm|A|V|K|1|%)(?:\^-?\w+)?"
UNIT = re.compile(rf"\[(?:\(?{SYMBOL}\)?(?:,? or |, |/| )?)+\]")  # [N m/rad or N/m]
IN_WORDS = re.compile(
    r"\bSI\b|\bunits?\b|\b(?:bare|plain|whole) numbers?\b|\btruths?\b|\b[Ww]hether\b|\btexts\b|\"(?:rad|m|1|N|s)\b[^\" ]*\""
    r"|\b(?:relative|ratios?|fractions?|shares?|parts? of|factors?|probability|probabilities|confidence|percent|degrees)\b"
    r"|\b[Qq]uaternions?\b|\brotation\b|\bdirections?\b|\b(?:counts?|number of|index|indices)\b"
    r"|\bas (?:of|in|for|to|given)\b|\bas \w+ has\b|\bas `|\bthose of `"  # what another name tells
)
OF_ALL = re.compile(r"\bSI\b|\bany (?:axes and )?units?\b|\bone unit\b")  # in words about the whole
WITHOUT = re.compile(r"(^|_)(xyzw|dcm)$")  # quaternions and matrices of rotations
NEWTONS = re.compile(r"(force|thrust|largest)\w*_N$")  # as the end of other names N is the inertial frame
ITEM, NEXT = re.compile(r"^\w+(?:, \w+)* : "), re.compile(r"[;,] (\w+(?:, \w+)*) : ")

SPATIAL = re.compile(r"\((?:[^()\[\]=]*, )?[36]\)|\([36],\)|\(4,\)|\([^()]*, 3, 3\)")
AXES = re.compile(r"(?<!leading )(?<!last )(?<!two )(?<!first )\baxes\b|\b[Ff]rames?\b|\bin [NBO]\b|\binertial\b|\bR_[A-Z]+\b")
OF_ALL_AXES = re.compile(r"\b(?:one|same) (?:frame|axes)\b")
THROUGHOUT = re.compile(r"\bthroughout\b|\bunless said otherwise\b")  # what a class says of all that it has
LIKE = re.compile(r"\bas (?:in|those of) `([A-Z]\w+)`")

KINDS = (Actuator, Constraint, ContactFriction, Controller, Estimator, Load, ManoeuvreMode, NormalLaw, Restitution, Sensor)
FORMULAS = "actuators analysis constraints control guidance live modes navigation plant simulation spatial study system"
MECHANICS = ("dynamics", "impacts", "loads")  # rooms in which all that has numbers says where they come from
REFERENCES = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "references.md")
SIGNS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow)


def told(value: Any) -> tuple[str, str, str]:
    """Return the types of a public name, the words of its docstring before the example, and what it does.

    Of a class these are the types of its own fields, and what it does where it is made, be it by a class above it.
    """
    words, own = (inspect.getdoc(value) or "").partition(">>>")[0], inspect.unwrap(value)
    if not inspect.isclass(own):
        head, _, tail = inspect.getsource(own).partition('"""')
        return head, words, tail.partition('"""')[2]
    types = [str(kind) for name, kind in vars(own).get("__annotations__", {}).items() if not name.startswith("_")]
    making = [inspect.unwrap(getattr(own, name)) for name in ("__init__", "__post_init__") if hasattr(own, name)]
    written = [each for each in making if inspect.isfunction(each) and each.__code__.co_filename.startswith(PACKAGE)]
    return " ".join(types), words, "".join(map(inspect.getsource, written))


def kinds_of(value: Any) -> dict[str, str]:
    """Return the annotations of a public name: of a class those of its own fields, of a function arguments and `return`."""
    own = inspect.unwrap(value)
    if inspect.isclass(own):
        fields = vars(own).get("__annotations__", {}).items()
        return {name: str(kind) for name, kind in fields if not name.startswith("_") and "ClassVar" not in str(kind)}
    signature = inspect.signature(own)
    given = {name: str(argument.annotation) for name, argument in signature.parameters.items()}
    return given | {"return": str(signature.return_annotation)}


def is_numbers(kind: str) -> bool:
    """Return whether an annotation is one of floats or an array of them; what functions take is theirs to tell."""
    return bool(re.search(r"\bfloat\b|Array", re.sub(r"Callable\[.*|NDArray\[np\.(?:int|bool)\w*\]", "", kind)))


def told_one_by_one(words: str) -> tuple[str, dict[str, str]]:
    """Return the words of a docstring that are about all of it, and those about each name, `a, b : words; c : words`."""
    prose, items = list[str](), list[str]()
    for line in words.splitlines():
        if ITEM.match(line):
            items.append(line)
        elif items and line.startswith("    "):
            items[-1] += " " + line.strip()
        else:
            prose.append(line)
    told = dict[str, str]()
    for item in items:
        parts = NEXT.split(f"; {item}")[1:]
        told |= {name: text for names, text in zip(parts[::2], parts[1::2], strict=True) for name in names.split(", ")}
    return "\n".join(prose), told


def without_unit(value: Any, words: str | None = None) -> list[str]:
    """Return the numbers of a public name whose unit neither their name nor the words, its own if not said, tell."""
    words = told(value)[1] if words is None else words
    prose, items = told_one_by_one(words)
    numbers = [] if OF_ALL.search(prose) else [name for name, kind in kinds_of(value).items() if is_numbers(kind)]

    def tells(name: str) -> bool:
        called = inspect.unwrap(value).__name__ if name == "return" else name
        text = f"{called.replace('_', ' ')} {items.get(name, words if name == 'return' else prose)}"
        ends = WITHOUT.search(called) or NEWTONS.search(called) or unit_of(called) not in (None, "N")
        return bool(ends or UNIT.search(text) or IN_WORDS.search(text))

    return [name for name in numbers if not tells(name)]


def without_axes(value: Any, words: str | None = None) -> list[str]:
    """Return what of a public name is a vector, wrench, rotation or inertia by its shape without words that tell its axes."""
    words, kinds = told(value)[1] if words is None else words, kinds_of(value)
    prose, items = told_one_by_one(words)
    numbers = [name for name, kind in kinds.items() if is_numbers(kind)]
    if not numbers or OF_ALL_AXES.search(words):
        return []
    spatial = [name for name in numbers if name.endswith("_xyzw") or SPATIAL.search(items.get(name, ""))]
    missing = [name for name in spatial if not AXES.search(items.get(name, "")) and not AXES.search(prose)]
    return missing + (["all of it"] if SPATIAL.search(prose) and not AXES.search(words) else [])


def has_formula(room: str, value: Any) -> bool:
    """Return whether a name is a kind of something that moves or is reckoned, or a function that reckons numbers."""
    own, kinds = inspect.unwrap(value), kinds_of(value)
    if inspect.isclass(own):
        is_reference = room == "guidance" and hasattr(own, "at") and not getattr(own, "_is_protocol", False)
        is_kind = (is_reference or issubclass(own, KINDS)) and own not in KINDS and not inspect.isabstract(own)
        return is_kind or (room in MECHANICS and any(map(is_numbers, kinds.values())))
    result = vars(sys.modules[own.__module__]).get(kinds["return"])  # a named one of numbers
    gives = is_numbers(kinds["return"]) or (inspect.isclass(result) and any(map(is_numbers, kinds_of(result).values())))
    signs = (node.op for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(own)))) if isinstance(node, ast.BinOp))
    return gives and (room in MECHANICS or any(isinstance(sign, SIGNS) for sign in signs))


def named(room: str) -> Iterator[tuple[str, Any]]:
    """Yield the public classes and functions of a room."""
    module = importlib.import_module(f"scmanip.{room}")
    for name in dir(module):
        value = getattr(module, name)
        if not name.startswith("_") and (inspect.isclass(value) or inspect.isfunction(value)):
            yield name, value


def methods(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the functions behind public methods and properties of a class that are its own and written in the package."""
    for name, value in list(vars(kind).items()):
        behind = value.fget if isinstance(value, property) else getattr(value, "func", getattr(value, "__func__", value))
        own = inspect.unwrap(behind) if callable(behind) else None
        if not name.startswith("_") and inspect.isfunction(own) and own.__code__.co_filename.startswith(PACKAGE):
            yield name, own


@functools.cache
def classes() -> dict[str, type]:
    """Return the public classes of all rooms by their names, which no two share."""
    found = [inspect.unwrap(value) for room in scmanip._ROOMS for _, value in named(room)]
    own = {kind for kind in found if inspect.isclass(kind) and kind.__module__.startswith("scmanip")}
    assert len({kind.__name__ for kind in own}) == len(own)
    return {kind.__name__: kind for kind in own}


def told_of_method(kind: type, name: str) -> str:
    """Return the words of a method and of what it overrides, what classes say under its name, and of all that they have."""
    above = [base for base in kind.__mro__ if base.__module__.startswith("scmanip")]
    above += [classes()[like] for base in above for like in LIKE.findall(told(base)[1]) if like in classes()]
    own = [dict(methods(base)).get(name) for base in above]
    of_classes = [told_one_by_one(told(base)[1]) for base in above]
    items = [items[name] for _, items in of_classes if name in items]
    throughout = [part for prose, _ in of_classes for part in prose.split("\n\n") if THROUGHOUT.search(part)]
    return "\n\n".join([told(method)[1] for method in own if method is not None] + items + throughout)


@pytest.fixture(scope="module")
def beginning() -> dict[str, Any]:
    """Return what examples find: a planar arm on a free base, a state, a plant, a law, references of joints and tip, a run."""
    system = scmanip.load_system("model:planar_four_link")
    model = scmanip.compile_model(system)
    state = scmanip.State.at_rest(system, q=[0.0, 0.3, -0.2, 0.1])
    reference, law = JointSequence(4), ComputedTorque(model)
    tip = model.position(state, "tip")
    reach = Reach(frame="tip", start_m=tip, end_m=tip - [0.1, 0.0, 0.0], duration_s=5.0)
    start = scmanip.State.at_rest(system, q=[0.0] * 4)
    history = scmanip.simulate(model, scmanip.Floating(), law, start, reference=reference, t_end_s=2.0, output_step_s=0.5)
    return {
        "np": np,
        "scmanip": scmanip,
        "system": system,
        "model": model,
        "state": state,
        "plant": scmanip.Plant(model, scmanip.Floating()),
        "reference": reference,
        "reach": reach,
        "law": law,
        "history": history,
    }


class Squares:
    """A recipe of cases that need no mission: the area of a square by its side."""

    key = "squares"

    def evaluator(self) -> "Squares":
        return self

    def rows(self, cases: Sequence[Case]) -> list[Row]:
        return [Row(case, Status.COMPLETED, {"area_m2": float(case.values["side"]) ** 2}) for case in cases]  # type: ignore[arg-type]


def cases() -> dict[str, Any]:
    """Return what examples of studies find there too: a plan, its recipe, the folder where it was run, a table of 40 cases."""
    plan = Plan(seed=7, design={"side": levels(1.0, 2.0, 3.0)})
    run_study(plan, Squares(), "squares", executor="serial")
    mass, gain = np.linspace(8.0, 12.0, 40), np.arange(40) * 17 % 40 / 40
    metrics = {"base_rotation_deg": 5.0 + 0.5 * mass + 0.2 * gain, "propellant_kg": 3.0 - 0.1 * mass + 0.5 * gain}
    status, reason = np.full(40, "completed"), np.full(40, "")
    table = Table(np.arange(40), status, reason, {"mass_kg": mass, "gain": gain}, metrics, seed=7)
    return {"plan": plan, "recipe": Squares(), "folder": "squares", "cases": table}


def flown() -> dict[str, Any]:
    """Return what examples of missions find there too: a mission and a run of it."""
    mission = scmanip.load_mission("mission:planar_four_link")
    return {"mission": mission, "run": mission.run()}


def studied() -> dict[str, Any]:
    """Return what examples of campaigns find there too: a study of two cases and what became of them in the folder `gains`."""
    metrics = {"base_rotation_deg": "max(degrees(base_rotation_rad))"}
    gains = {"phase.joint_sequence.controller.K_P": [1.0, 2.0]}
    study = scmanip.Study("mission:planar_four_link", name="gains", seed=7, metrics=metrics, design=gains)
    return {"study": study, "result": study.run("gains", executor="serial")}


MORE = {
    "study": (cases,),
    "report": (cases,),
    "mission": (flown,),
    "campaign": (studied,),
}  # what rooms find beside `beginning`


@pytest.mark.slow
@pytest.mark.parametrize("room", tuple(scmanip._ROOMS))
def test_examples_say_what_is_so(room: str, beginning: dict[str, Any], tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=OPTIONS)
    told: list[str] = []
    found = beginning | {name: value for more in MORE.get(room, ()) for name, value in more().items()}
    for name, value in named(room):
        names = {**vars(importlib.import_module(f"scmanip.{room}")), **found, **dict(named(room))}
        for example in finder.find(value, f"{room}.{name}", globs=copy.copy(names)):
            with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stderr(nowhere):
                runner.run(example, out=told.append)
    assert not runner.failures, "".join(told)


@pytest.mark.parametrize("room", tuple(scmanip._ROOMS))
def test_every_public_name_has_an_example(room: str) -> None:
    """One of its own docstring: for the methods of a class that of the class will do."""
    assert [name for name, value in named(room) if ">>>" not in (value.__doc__ or "")] == []


@pytest.mark.parametrize("room", tuple(scmanip._ROOMS))
def test_docstrings_tell_shapes_of_arrays_and_what_is_raised(room: str) -> None:
    missing = []
    for name, value in named(room):
        types, words, body = told(value)
        missing += [f"{name}: shapes"] if "Array" in types and not SHAPES.search(words) else []
        missing += [f"{name}: errors"] if CHECKS.search(body) and "aise" not in words else []
    assert missing == []


@pytest.mark.parametrize("room", tuple(scmanip._ROOMS))
def test_docstrings_tell_units(room: str) -> None:
    assert {name: missing for name, value in named(room) if (missing := without_unit(value))} == {}


@pytest.mark.parametrize("room", tuple(scmanip._ROOMS))
def test_docstrings_tell_axes_of_vectors(room: str) -> None:
    assert {name: missing for name, value in named(room) if (missing := without_axes(value))} == {}


@pytest.mark.parametrize("room", tuple(scmanip._ROOMS))
def test_docstrings_of_methods_tell_shapes_units_and_axes(room: str) -> None:
    """In the words of a method or property, of what it overrides, or of its class under its name or about all of them."""
    missing = dict[str, list[str]]()
    for kind in {inspect.unwrap(value): None for _, value in named(room) if inspect.isclass(inspect.unwrap(value))}:
        for name, method in methods(kind):
            words = told_of_method(kind, name)
            lacks = [f"unit of {each}" for each in without_unit(method, words)]
            lacks += [f"axes of {each}" for each in without_axes(method, words)]
            arrays = any("Array" in each.partition("Callable")[0] for each in kinds_of(method).values())
            lacks += ["shapes"] if arrays and not SHAPES.search(words) else []
            missing |= {f"{kind.__name__}.{name}": lacks} if lacks else {}
    assert missing == {}


@pytest.mark.parametrize("room", (*FORMULAS.split(), *MECHANICS))
def test_docstrings_tell_where_formulas_come_from(room: str) -> None:
    """A work of `docs/references.md` or its equation, a definition, or ourselves; or another public name that says it."""
    with open(REFERENCES, encoding="utf-8") as file:
        keys = re.findall(r"^\| \[(\w+)\] \|", file.read(), re.MULTILINE)
    source = re.compile(rf"\[(?:{'|'.join(keys)})\]|\beqs? \d|\b[Bb]y definition\b|\bof our own\b|\bno formula of its own\b")

    def words(value: Any) -> str:
        module = inspect.getdoc(sys.modules[inspect.unwrap(value).__module__]) or ""
        return " ".join([*told(value)[1].split(), *module.split()])

    assert [name for name, value in named(room) if has_formula(room, value) and not source.search(words(value))] == []
