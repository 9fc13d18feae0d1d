"""A user's function as equations: what it does to recorded scalars, compared with what it does to numbers."""

from __future__ import annotations

import inspect
import linecache
import traceback
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..dynamics import Model
from ..errors import InvalidInput, NotRecordable, Problem, expect
from ..guidance import JointReference, PoseReference, Sample
from ..modes import FixedBase, Floating, ManoeuvreMode
from ..spatial import Array
from ..symbolic import Program, record
from ..system import State, with_unit_quaternions
from ._controller import Controller
from ._recorded_law import RecordedLaw

STATES, SEED = 8, 5  # at which both are compared, and how these are drawn
CLOSE = 1e-9  # relative
WANTED = "q", "qdot", "qddot"


def recorded(function: Callable[..., Any], model: Model | None = None, mode: ManoeuvreMode | None = None) -> Controller:
    """Return a law (t, state) -> command, or (t, state, reference) -> command, as one that runs in machine code.

    function : over numbers and recorded scalars alike, as `symbolic.record` has it: no branches on values, no memory, no
        chance; it gives (N,) joint forces or (6 + N,) [f; n; tau]. The reference is a `JointReference`. Gains become constants
    model, mode : for which it is tried at once, as lanes and `program_of` need it; otherwise before the run. Without a mode
        that in which only joints are driven

    Raises `NotRecordable` with the line at which recording stopped, or with what differs where equations and function do;
    `InvalidInput` for what is no such function.

    >>> spring = recorded(lambda t, state, reference: 2.0 * (reference.q - state.q) - state.qdot, model)
    >>> np.round(spring.command(0.0, state, reference.at(0.0), None)[0], 3).tolist()
    [0.0, -0.6, 0.4, -0.2]
    """
    law = Traced(function)
    expect("model", model, Model | None, "a Model or None")
    expect("mode", mode, ManoeuvreMode | None, "a mode such as Floating(), or None")
    if model is None:
        return law
    law.check(model, mode or (FixedBase() if model.layout.fixed else Floating()))
    return law.begun(State.at_rest(model.system, model.layout.neutral()))


@dataclass(frozen=True)
class Traced(Controller):
    """The law of `function`; `like` is a state of the run, whose parts it knows once it has begun."""

    function: Callable[..., Any]
    like: State | None = None

    def __post_init__(self) -> None:
        try:
            inspect.signature(self.function).bind(*range(2 + self.sees))
        except (TypeError, ValueError):
            raise InvalidInput(Problem("function", "(t, state) or (t, state, reference)", repr(self.function))) from None

    @property
    def kind(self) -> str:
        return str(getattr(self.function, "__name__", self.function))

    @property
    def written(self) -> Any:
        return self.function

    @property
    def sees(self) -> bool:
        """Whether it is told what is wanted."""
        try:
            kinds = [each.kind for each in inspect.signature(self.function).parameters.values() if each.default is each.empty]
        except (TypeError, ValueError):
            return False
        return len([kind for kind in kinds if kind in (kind.POSITIONAL_ONLY, kind.POSITIONAL_OR_KEYWORD)]) > 2

    @property
    def follows(self) -> tuple[type[JointReference] | type[PoseReference], ...]:
        return (JointReference,) if self.sees else (JointReference, PoseReference)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Any, Any]:
        """Return what the function returns, and the memory unchanged."""
        return self.said(t, state, reference), memory

    def said(self, t: Any, state: State, reference: Any) -> Any:
        """Return what the function returns, over any scalar."""
        return self.function(t, state, reference) if self.sees else self.function(t, state)

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `NotRecordable` where it is not what it was recorded as."""
        rng, layout = np.random.default_rng(SEED), model.layout
        program = self.program(State.at_rest(model.system, layout.neutral()))
        for _ in range(STATES):
            x = rng.normal(size=layout.n_x)
            state = State.of_unit(with_unit_quaternions(x, layout.x_quaternions), layout)
            t, wanted = float(rng.uniform(0.0, 10.0)), [rng.normal(size=size) for size in (layout.n_q, layout.N, layout.N)]
            said, again = (np.array(self.said(t, state, JointReference(*wanted)), dtype=np.float64) for _ in range(2))
            mode.check_command(layout, said, t)
            self._compare(said, again, program.evaluate(np.array(t), state.x, *wanted)[0], t)

    def program(self, like: State) -> Program:
        """Return what the function does, recorded for states like one."""
        sizes = len(like.q), len(like.qdot), len(like.qdot)
        shapes = {"t": (), "x": like.x.shape, **{name: (size,) for name, size in zip(WANTED, sizes, strict=True)}}

        def said(t: Any, x: Array, **wanted: Array) -> Mapping[str, Any]:
            return {"command": np.asarray(self.said(t, like.repacked(np.array(x)), JointReference(**wanted)))}

        try:
            return record(shapes, said)
        except Exception as error:  # of whatever the function calls
            raise NotRecordable(f"{self.kind} is no equation: {_place(self.function, error)}{error}") from error

    def _compare(self, said: Array, again: Array, equations: Array, t: float) -> None:
        if not np.array_equal(said, again, equal_nan=True):
            found = f"asked twice the same it says {said.tolist()}, then {again.tolist()}"
        elif equations.shape != said.shape or not np.allclose(equations, said, rtol=CLOSE, atol=CLOSE, equal_nan=True):
            found = f"at t = {t:.3g} s it says {said.tolist()}, its equations {equations.tolist()}: "
            found += "it remembers something, or decides on what it is given"
        else:
            return
        raise NotRecordable(f"{self.kind} is no equation: {found}")

    def begun(self, state: State) -> Controller:
        """Return the law for states like this."""
        return replace(self, like=state)

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, once it knows states."""
        return None if self.like is None else _Recorded(self, self.like, self.program(self.like))

    def __repr__(self) -> str:
        return f"recorded({self.kind})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: Traced
    like: State
    program: Program
    t: Any = None

    @property
    def takes(self) -> tuple[type[JointReference] | type[PoseReference], ...]:
        return (JointReference,) if self.law.sees else ()

    @property
    def key(self) -> Hashable:
        return "traced", self.program.digest

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {}

    def at(self, t: Any) -> RecordedLaw:
        return replace(self, t=t)

    def force(self, x: Array, wanted: Any, numbers: Mapping[str, Array]) -> Array:
        del numbers
        if self.t is None and "t" in self.program.used_inputs:
            raise InvalidInput(Problem("controller", "a law whose equations know no time", repr(self.law)))
        state = self.like.repacked(np.array(x[: len(self.like.x)]))
        return np.asarray(self.law.said(0.0 if self.t is None else self.t, state, wanted))


def _place(function: Callable[..., Any], error: Exception) -> str:
    """Return the line of the user's where an error came from, with a colon; empty where none is known."""
    code = getattr(function, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if code is not None and frame.filename == code.co_filename]
    if not own:
        return ""
    line = (own[-1].line or linecache.getline(own[-1].filename, own[-1].lineno or 0)).strip()
    return f"line {own[-1].lineno} of {own[-1].filename}, `{line}`: "
