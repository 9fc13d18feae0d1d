"""Every public name says how it is used: its docstring has an example, and what the example shows is so.

Examples begin where `beginning` ends; `docs` tells readers the same.
"""

import contextlib
import copy
import doctest
import importlib
import inspect
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import scmanip
from scmanip.control import ComputedTorque
from scmanip.guidance import JointSequence, Reach
from scmanip.study import Case, Plan, Row, Status, Table, levels, run_study

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.REPORT_ONLY_FIRST_FAILURE
SHAPES = re.compile(r"\([^()]*,[^()]*\)|entry by entry|arrays?\b")
CHECKS = re.compile(r"\braise [A-Z]|\b_?(refuse|expect|check)\w*\(|\b(as_controller|controller_of|task_fields)\(")
PACKAGE = os.path.dirname(scmanip.__file__)


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


def named(room: str) -> Iterator[tuple[str, Any]]:
    """Yield the public classes and functions of a room."""
    module = importlib.import_module(f"scmanip.{room}")
    for name in dir(module):
        value = getattr(module, name)
        if not name.startswith("_") and (inspect.isclass(value) or inspect.isfunction(value)):
            yield name, value


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
