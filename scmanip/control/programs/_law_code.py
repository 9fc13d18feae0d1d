"""A control law as source text of another language."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import checked
from ...export import Code, code, function_name
from ...guidance import Sample
from ...spatial import Array
from ...symbolic import Program
from ...system import Layout, State, with_unit_quaternions
from .._controller import Controller
from .._foreign import Law
from .._sampled import Sampled, as_controller
from ._law_program import known_model, program_of

STATES = 40  # twice as many as a self-test needs
JOINTS = "of the joints"
WORDS = {
    "q_D": f"wanted coordinates {JOINTS} [rad or m; quaternions x, y, z, w]",
    "qdot_D": f"wanted rates {JOINTS} [rad/s or m/s]",
    "qddot_D": f"wanted accelerations {JOINTS} [rad/s^2 or m/s^2]",
    "position_m": "wanted place of the frame [m]",
    "attitude_xyzw": "wanted attitude of the frame, a quaternion x, y, z, w of norm 1",
    "twist": "wanted velocity (3) [m/s] and angular velocity (3) [rad/s] of the frame",
    "twist_dot": "their rates [m/s^2, rad/s^2]",
    "memory": "what the call before gave as next_memory, or the integral of memory_rate; zeros, or first_memory, at the first",
    "next_memory": "for the next call",
    "memory_rate": "how memory changes [1/s]",
    "first_memory": "memory where it begins in this state",
}


@checked
def code_of(
    controller: Controller | Law | Callable[[float, State], ArrayLike],
    language: str,
    model: Model | None = None,
    *,
    sample: Sample | None = None,
    symbols: Collection[str] = (),
    name: str | None = None,
) -> Code:
    """Return a control law, or one sample of a sampled one, as one function of another language.

    Arguments are those of `program_of`, in its order, as are the arrays that go in and come out.

    language : "c", "matlab", "python" or "rust"
    name : of the function; those of the system and of the law if None

    Raises `InvalidInput` as `program_of` and `export.code` do.

    >>> code = code_of(law, "c")
    >>> code.name, list(code.files)[:2]
    ('planar_four_link_ComputedTorque', ['planar_four_link_ComputedTorque.c', 'planar_four_link_ComputedTorque.h'])
    """
    program = program_of(controller, model, sample=sample, symbols=symbols)
    whole, layout = as_controller(controller), known_model(controller, model).layout
    system = known_model(controller, model).system
    inside = whole.law if isinstance(whole, Sampled) else whole
    called = f", called {whole.rate_Hz:g} times a second, its command held in between" if isinstance(whole, Sampled) else ""
    return code(
        program,
        language,
        name=function_name([system.name, type(inside).__name__]) if name is None else name,
        title=f"command of {inside.kind}{called}; inertial axes, SI units",
        words={**WORDS, "x": _state(layout), "command": _command(program, layout)},
        examples=_examples(program, layout),
    )


def _state(layout: Layout) -> str:
    free = not layout.fixed
    pose, speeds = "r_0 (3) [m], attitude x, y, z, w (4), " * free, "v_0 (3) [m/s], omega_0 (3) [rad/s], " * free
    actuators = ", states of actuators" if layout.states else ""
    return f"state: {pose}q {JOINTS} [rad or m], {speeds}their rates{actuators}"


def _command(program: Program, layout: Layout) -> str:
    base = "force (3) [N] and moment (3) [N m] on the base, " if len(program.output("command").values) > layout.N else ""
    return f"{base}forces {JOINTS} [N m or N]"


def _examples(program: Program, layout: Layout) -> dict[str, Array]:
    """Return states with quaternions of norm 1, and attitudes."""
    rng = np.random.default_rng(0)
    x = with_unit_quaternions(rng.normal(size=(STATES, layout.n_x)), layout.x_quaternions)
    attitude = with_unit_quaternions(rng.normal(size=(STATES, 4)), (0,))
    q_D = with_unit_quaternions(rng.normal(size=(STATES, layout.n_q)), tuple(i for i, _ in layout.quaternions))
    known = {"x": x, "attitude_xyzw": attitude, "q_D": q_D}
    return {item.name: known[item.name] for item in program.inputs if item.name in known}
