"""What examples make and call refuses, by the name of a parameter, what is of another kind or below a bound it tells.

Each is made and called again as in its example, with one parameter wrong.
"""

import contextlib
import copy
import doctest
import importlib
import inspect
import os
import re
import signal
import sys
import warnings
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

import numpy as np
import pytest

from scmanip.errors import ScmanipError

from .test_examples_of_names import MORE, OPTIONS, beginning, named

__all__ = ["beginning"]  # the fixture

ROOMS = (
    *("actuators", "analysis", "constraints", "control", "guidance", "impacts", "live", "loads"),
    *("mission", "navigation", "plant", "shapes", "simulation", "storage", "study", "system"),
)  # those whose parts users make; formulas over any scalar trust what they are given
LONGEST_S = 4.0
LEFT = {
    "constraints": "Rows beyond",
    "control": "Resolution believed_name believed_of outer_name",
    "guidance": "JointReference",
    "loads": "Bodies body_gravity differential_gravity eccentric_anomaly gravity_gradient_torque",
    "navigation": "Instant",
    "plant": "plant_numbers state_rates",
    "simulation": "default_atol sample_problems sets_after switch_problems unknown_problems",
    "system": "coordinate_difference coordinate_rates quaternion_problems state_problems visible with_unit_quaternions",
}  # names that do not yet; nothing is added
UNTRIED = {"Page"}  # opens a port
ARRAYS = {"Array", "ArrayLike", "FloatArray", "NDArray"}
MANY = {"Sequence", "tuple", "list", "Iterable", "Mapping", "dict", "Path", "Callable", "frozenset", "Collection", "set"}


def examples_of(room, found):
    """Yield what the examples of a room make and call themselves: (name, thing, what it was given), the first of each."""
    module, publics, calls = importlib.import_module(f"scmanip.{room}"), dict(named(room)), {}
    codes = {}
    for name, value in publics.items():
        code = getattr(inspect.unwrap(value.__init__ if inspect.isclass(value) else value), "__code__", None)
        codes.setdefault(code, []).append((name, value))

    def seen(frame, event, arg):
        del arg
        if event == "call" and frame.f_code in codes and _from_example(frame):
            given = inspect.getargvalues(frame)
            values = {name: given.locals[name] for name in given.args if name in given.locals}
            for name, value in codes[frame.f_code]:
                made = values.pop(given.args[0], None) if inspect.isclass(value) else None
                if (not inspect.isclass(value) or type(made) is value) and not given.varargs and not given.keywords:
                    calls.setdefault(name, (value, values))

    for name, value in publics.items():
        names = {**vars(module), **found, **publics}
        for example in doctest.DocTestFinder().find(value, name, globs=copy.copy(names)):
            with silence():
                sys.setprofile(seen)
                try:
                    doctest.DocTestRunner(optionflags=OPTIONS).run(example, out=lambda text: None, clear_globs=False)
                finally:
                    sys.setprofile(None)
    return sorted((name, *call) for name, call in calls.items() if call[0].__module__.split(".")[1] == room)


def _from_example(frame):
    back = frame.f_back
    if back is not None and back.f_code.co_name == "door" and back.f_code.co_filename.endswith("_kinds.py"):
        back = back.f_back
    return back is not None and back.f_code.co_filename.startswith("<doctest")


@contextlib.contextmanager
def silence():
    with open(os.devnull, "w", encoding="utf-8") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            yield


def spelled(kind):
    """Return a kind as annotations have it, without what is said beside it for files."""
    if get_origin(kind) is Annotated:
        return spelled(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(map(spelled, get_args(kind)))
    return "None" if kind is type(None) else getattr(kind, "__name__", str(kind))


def annotated(thing, parameter):
    """Return the annotation of a parameter, that of an alias of `Annotated` in full."""
    written = parameter.annotation if isinstance(parameter.annotation, str) else ""
    owners = [each for each in getattr(thing, "__mro__", ()) if parameter.name in vars(each).get("__annotations__", {})]
    try:
        kind = eval(written or "None", dict(vars(sys.modules[(owners or [thing])[0].__module__])))
    except (NameError, TypeError, AttributeError):
        return written
    return spelled(kind) if "Annotated" in repr(kind) else written


def wrong_for(kind, parameter, words):
    """Return what is no value of a parameter, by its annotation and its line in a docstring."""
    kinds = {re.split(r"\[", part)[0].split(".")[-1].strip() for part in re.split(r"\|(?![^\[]*\])", kind)}
    if not kind or kinds & {"Any", "object"} or len(kind) == 1:
        return []
    nothing = [] if "None" in kind or parameter.default is None else [None]
    line = next((line for line in words.splitlines() if re.match(rf"\s*([\w, ]+, )?{parameter.name}\b[\w, ]* : ", line)), "")
    below = [-1] if re.search(r">=? ?0\b", line) and kinds & {"float", "int"} else []
    if kinds & ARRAYS:
        return [*nothing, "x"]
    for family, values in {"float": ["x", np.nan], "int": ["x", 1.5], "bool": ["x"], "str": [5]}.items():
        if family in kinds:
            return [*nothing, *below, *([5.5] if family == "str" and len(kinds) > 1 else values)]
    return [*nothing, 5] if kinds & MANY else [*nothing, 5, "x"]


def is_refused(thing, values, name, given):
    """Return whether a parameter is refused in words, in time."""

    def late(number, frame):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        with silence():
            thing(**{**values, name: given})
    except ScmanipError:
        return True
    except (TypeError, ValueError) as error:
        return re.search(rf"\b{name}\b", str(error)) is not None
    except Exception:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return False


def refuses_all(thing, values):
    parameters, words = inspect.signature(thing).parameters, inspect.getdoc(thing) or ""
    return all(
        is_refused(thing, values, name, given)
        for name, parameter in parameters.items()
        for given in wrong_for(annotated(thing, parameter), parameter, words)
        if parameter.kind is not parameter.VAR_KEYWORD
    )


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_what_is_given_is_of_its_kind_or_refused_by_name(room, beginning, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = beginning | {name: value for more in MORE.get(room, ()) for name, value in more().items()}
    met = [each for each in examples_of(room, found) if each[0] not in UNTRIED]
    assert met
    assert {name for name, thing, values in met if not refuses_all(thing, values)} <= set(LEFT.get(room, "").split())
