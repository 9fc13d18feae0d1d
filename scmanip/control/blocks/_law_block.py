"""A law as a block of python-control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...dynamics import Model
from ...errors import InvalidInput, Problem, expect
from ...guidance import JointReference, ReferenceMotion
from ...modes import FixedBase, Floating
from ...plant import LAW, command_units, packed_units, plain
from ...spatial import Array
from ...system import Layout, State

if TYPE_CHECKING:
    from .._controller import Controller

WANTED = ("q_D", "qdot_D", "qddot_D")


def law_block(law: Controller, model: Model | None, reference: ReferenceMotion | None, name: str) -> Any:
    """Return what `Controller.to_nonlinear_io_system` does."""
    import control

    expect("name", name, str, "a name")
    expect("reference", reference, ReferenceMotion | None, "a reference, or None")
    whole: Any = law.believed if model is None else model
    expect("model", whole, Model, f"the model whose states {law.kind} is told")
    mode = law.made_for or (FixedBase() if whole.layout.fixed else Floating())
    law.check(whole, mode)
    _refuse_memory(law, whole)
    layout, rate = whole.layout, law.settings.get("rate_Hz")
    wanted = _wanted_names(law, layout) if reference is None else _followed(law, layout, reference)
    outputs = [*command_units(layout, mode, [freedom.unit for freedom in whole.system.freedoms])]

    def told(t: float, given: Array) -> tuple[float, State, Any]:
        state = State.renormalised(np.array(given[: layout.n_x], dtype=np.float64), layout)
        return float(t), state, _sample(layout, given[layout.n_x :]) if reference is None else reference.at(float(t))

    def unknown(given: Array) -> bool:
        """Whether python-control asks with zeros, which it does before it knows what comes in."""
        return any(not np.any(given[place : place + 4]) for place in layout.x_quaternions)

    def rates(t: float, x: Array, given: Array, params: Any) -> Array:
        return np.zeros(len(x)) if unknown(given) else law.state_rate(*told(t, given), np.asarray(x))

    def said(t: float, x: Array, given: Array, params: Any) -> Array:
        if unknown(given):
            return np.zeros(len(outputs))
        command, _ = law.command(*told(t, given), np.asarray(x) if law.states else None)
        return np.concatenate([np.zeros(len(outputs) - len(command)), command])

    inputs = [*packed_units(whole.system, layout), *wanted]
    named: dict[str, Any] = {"inputs": inputs, "outputs": outputs, "name": name}
    if law.states:
        return control.nlsys(rates, said, states=[plain(LAW + each) for each in law.states], **named)
    return control.nlsys(None, said, dt=0 if rate is None else 1 / rate, **named)


def _refuse_memory(law: Controller, model: Model) -> None:
    """Raise `InvalidInput` for a law that remembers anything from command to command."""
    if law.start(State.at_rest(model.system, model.layout.neutral())) is not None:
        raise InvalidInput(Problem("controller", "a law whose memory, if any, is part of the state", law.kind))


def _wanted_names(law: Controller, layout: Layout) -> list[str]:
    """Return the names of the inputs that are a sample of what the law follows."""
    if JointReference not in law.follows:
        raise InvalidInput(Problem("reference", f"a reference that {law.kind} follows, which names a frame", "None"))
    names = (layout.q_names, layout.qdot_names, layout.qdot_names)
    return [f"{word}[{plain(each)}]" for word, own in zip(WANTED, names, strict=True) for each in own]


def _followed(law: Controller, layout: Layout, reference: ReferenceMotion) -> list[str]:
    """Return no names; raises `InvalidInput` for a reference that the law does not follow."""
    sample = reference.at(0.0)
    if type(sample) not in law.follows or (isinstance(sample, JointReference) and sample.q.shape != (layout.n_q,)):
        expected = f"one that {law.kind} follows, of {layout.n_q} joint coordinates or a frame"
        raise InvalidInput(Problem("reference", expected, repr(reference)))
    return []


def _sample(layout: Layout, given: Array) -> JointReference:
    """Return the sample of inputs (n_q + 2 N,)."""
    n, N = layout.n_q, layout.N
    return JointReference(given[:n], given[n : n + N], given[n + N :])
