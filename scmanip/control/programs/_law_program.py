"""A control law as a program of its own, to be exported, differentiated or evaluated elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import InvalidInput, Problem, UnknownName, checked, expect, refuse
from ...guidance import JointReference, PoseReference, Sample
from ...modes import FixedBase, Floating
from ...spatial import Array
from ...symbolic import Program, record
from ...system import Layout, State
from .._controller import Controller
from .._foreign import Law
from .._recorded_law import NOTHING, RecordedLaw, recorded_law
from .._sampled import as_controller, at_a_look

Shapes = dict[str, tuple[int, ...]]


@checked
def program_of(
    controller: Controller | Law | Callable[[float, State], ArrayLike],
    model: Model | None = None,
    *,
    sample: Sample | None = None,
    symbols: Collection[str] = (),
) -> Program:
    """Return a control law as one program: what it is told, and what it remembers, into its command and what it remembers next.

    Of a law that is `Sampled` it is what the law says at one sample, to be held until the next; `Delayed` ones remember
    their commands, one a sample. Inputs, in this order:

    - the numbers of the law that stay open (`symbols`), under their names; the others are folded into the program
    - `x` (n_x,) the packed state [r_0; attitude_xyzw; q; u; actuators] of `model`, with quaternions of norm 1
    - the sample of the reference: `q_D` (n_q,), `qdot_D` (N,), `qddot_D` (N,) of the joints, or of a frame `position_m` (3,),
      `attitude_xyzw` (4,) where it is given, `twist` (6,) and `twist_dot` (6,)
    - `memory` (k,), where the law remembers anything: zeros before the first command, unless it gives `first_memory`

    Outputs: `command`, (N,) joint forces or (6 + N,) [f; n; tau], and where it remembers anything `next_memory` (k,), or of
    what is part of the state, without samples, `memory_rate` (k,); and `first_memory` (k,) with which it begins in such a
    state, if that is not zero.

    model : whose states it is told; that in which the law believes, unless said
    sample : for laws that lead a frame, one of the samples that they shall follow, such as `reach.at(0.0)`: which frame it is,
        relative to what, and whether it has an attitude
    symbols : names of gains and other numbers of the law, as `control.recorded_law(law).numbers` has them, with * for any text

    Raises `InvalidInput` for a law that is not there as equations, or `Delayed` without being sampled.

    >>> program = program_of(law)
    >>> [(given.name, given.shape) for given in program.inputs]
    [('x', (21,)), ('q_D', (4,)), ('qdot_D', (4,)), ('qddot_D', (4,))]
    >>> [(output.name, output.shape) for output in program.outputs]
    [('command', (4,))]
    """
    whole, known = as_controller(controller), known_model(controller, model)
    law, layout = _equations(whole, known), known.layout
    told: Shapes = {"x": (layout.n_x,), **_sample_shapes(law, layout, sample)}
    told |= {"memory": (law.remembers,)} if law.remembers else {}
    numbers = law.numbers
    refuse(
        [Problem(name, f"a name that is none of {', '.join(told)}", "a number of the law") for name in numbers if name in told]
    )
    opened = _opened(numbers, symbols)

    def said(x: Array, memory: Array = NOTHING, **given: Array) -> dict[str, Array]:
        current = {**numbers, **{name: given.pop(name) for name in opened}}
        command, after = law.said(x, _wanted(given, sample), current, memory)
        first = law.begins(x, current)
        named = {("memory_rate" if law.flows else "next_memory"): after} if law.remembers else {}
        return {"command": command, **named, **({} if _is_nothing(first) else {"first_memory": first})}

    return record({**{name: numbers[name].shape for name in opened}, **told}, said)


def _is_nothing(first: Array) -> bool:
    """Whether all numbers are the number 0, recorded or not."""
    return all(isinstance(entry, int | float | np.number) and not entry for entry in first)


def known_model(controller: Controller | Law | Callable[[float, State], ArrayLike], model: Model | None) -> Model:
    """Return the model whose states a law is told; raises `InvalidInput` where none is known."""
    whole = as_controller(controller)
    known = whole.believed if model is None else model
    if known is None:
        raise InvalidInput(Problem("model", "the model whose states the law is told", "None", hint=f"{whole.kind} knows none"))
    expect("model", known, Model, "a Model")
    return known


def _equations(whole: Controller, model: Model) -> RecordedLaw:
    """Return a law as equations with all that it remembers; raises `InvalidInput` where there are none."""
    mode = whole.made_for or (FixedBase() if model.layout.fixed else Floating())
    whole.check(model, mode)
    found = recorded_law(at_a_look(whole, mode.command_size(model.layout)))
    if found is None:
        raise InvalidInput(Problem("controller", "a law that is there as equations", whole.kind, hint=_advice(whole)))
    return found


def _advice(law: Controller) -> str:
    if law is not law.at_samples(1.0, 1):
        return "what a delay remembers is known where it is sampled: Sampled(..., rate_Hz=...)"
    return "functions and objects of Python are not recorded; see `Controller.recorded`"


def _sample_shapes(law: RecordedLaw, layout: Layout, sample: Sample | None) -> Shapes:
    """Return the inputs that are a sample of what a law follows, if it follows anything."""
    if not law.takes:
        return {}
    if JointReference in law.takes and not isinstance(sample, PoseReference):
        return {"q_D": (layout.n_q,), "qdot_D": (layout.N,), "qddot_D": (layout.N,)}
    if PoseReference not in law.takes:
        raise InvalidInput(Problem("sample", "one of the joints, or none", "one of a frame"))
    if not isinstance(sample, PoseReference):
        hint = "sample=guidance.Reach(...).at(0.0)"
        raise InvalidInput(Problem("sample", "a PoseReference, which says what frame is led", repr(sample), hint=hint))
    attitude: Shapes = {} if sample.attitude_xyzw is None else {"attitude_xyzw": (4,)}
    return {"position_m": (3,), **attitude, "twist": (6,), "twist_dot": (6,)}


def _wanted(given: Mapping[str, Any], sample: Sample | None) -> Sample | None:
    """Return a sample of what is given, over any scalar; None where nothing is."""
    if not given:
        return None
    if isinstance(sample, PoseReference):
        return replace(sample, **given)
    return JointReference(given["q_D"], given["qdot_D"], given["qddot_D"])


def _opened(numbers: Mapping[str, Array], symbols: Collection[str]) -> list[str]:
    """Return the names of the numbers that stay open; raises `UnknownName` for a pattern that fits none."""
    for pattern in symbols:
        if not any(fnmatchcase(name, pattern) for name in numbers):
            raise UnknownName("number", pattern, "the law", numbers)
    return [name for name in numbers if any(fnmatchcase(name, pattern) for pattern in symbols)]
