"""Quantities as source text of another language, with words for what goes in and comes out and with states for a self-test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...export import Code, code, function_name, is_plain
from ...spatial import Array
from ...symbolic import Program
from ...system import with_unit_quaternions
from ._derivation import Derivation
from ._words import inputs_in_words, numbers_in_words, outputs_in_words

STATES = 40  # twice as many as a self-test needs
AXES = {False: "in base axes with the base not turned", True: "in inertial axes"}  # whether programs take packed states x


def exported(
    derivation: Derivation,
    program: Program,
    language: str,
    names: Sequence[str],
    *,
    name: str | None,
    axes: str,
    outputs: Mapping[str, str] | None = None,
) -> Code:
    """Return a program of quantities of a system in a language.

    name : of the function; that of the system and of the quantities if None
    axes : in which it is, in words; outputs : what comes out, likewise, of what no model is asked for

    >>> symbolic = derive(system)
    >>> code = exported(symbolic.derivation, symbolic.H.program, "c", ["H"], name=None, axes="base axes")
    >>> code.name
    'planar_four_link_H'
    """
    system = derivation.system
    of = f" of system {system.name}" if is_plain(system.name) else ""
    given = [i.name for i in program.inputs]
    words = inputs_in_words(system) | numbers_in_words(system, derivation.open_numbers)
    outputs = outputs_in_words(system, [output.name for output in program.outputs]) if outputs is None else outputs
    return code(
        program,
        language,
        name=function_name([system.name, *names]) if name is None else name,
        title=f"{', '.join(text for text in names if is_plain(text)) or 'quantities'}{of}, {axes}, SI units",
        words=words | {**outputs},
        examples={key: array for key, array in _examples(derivation).items() if key in given},
    )


def _examples(derivation: Derivation) -> dict[str, Array]:
    """Return states, whole and in parts, and other hardware: the entries of inputs that cannot be any numbers."""
    layout, rng = derivation.system.layout, np.random.default_rng(0)
    x = with_unit_quaternions(rng.normal(size=(STATES, layout.n_x)), layout.x_quaternions)
    others = {name: own * rng.uniform(0.95, 1.05, size=(STATES, *own.shape)) for name, own in derivation.numbers.items()}
    return {"x": x, "q": x[:, layout.x_q], **others}
