"""How SymPy's code printers write the operations of a program in a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..symbolic import operation

PLACE = re.compile(r"\barg_(\d)\b")
ARITY = {"add": 2, "sub": 2, "mul": 2, "div": 2, "atan2": 2, "min": 2, "max": 2, "select": 4}


class Spelling:
    """Operations in a language; SymPy prints each of them once, with places for its arguments.

    printer : gives the SymPy printer
    own : what is written otherwise, by operation, with `arg_0`, `arg_1`, ... in place of the arguments
    """

    def __init__(self, printer: Callable[[], Any], own: Mapping[str, str]) -> None:
        self._printer, self._own = printer, own
        self._pieces: dict[str, list[str]] = {}

    def __call__(self, op: str, args: Sequence[str]) -> str:
        """Return an operation on names, entries of arrays or numbers; `select` takes both sides of its comparison first."""
        pieces = self._pieces.get(op)
        if pieces is None:
            pieces = self._pieces[op] = PLACE.split(self._own.get(op) or self._printed(op))
        return "".join([args[int(piece)] if k % 2 else piece for k, piece in enumerate(pieces)])

    def _printed(self, op: str) -> str:
        import sympy

        args: list[Any] = [sympy.Symbol(f"arg_{k}", real=True) for k in range(ARITY.get(op, 1))]
        if op == "select":
            args = [args[0] < args[1], *args[2:]]
        return " ".join(self._printer().doprint(operation(op, *args)).split())
