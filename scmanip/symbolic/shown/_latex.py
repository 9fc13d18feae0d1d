"""Symbols in LaTeX: names are data and cannot become commands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any


def latex_of(expression: Any, order: str | None = None) -> str:
    r"""Return a SymPy expression in LaTeX; symbols whose names could be commands are written as text, primes behind them.

    order : of the terms of sums, as SymPy's printer takes it

    >>> import sympy
    >>> print(latex_of(sympy.Symbol("q_1") ** 2 / 3))
    \frac{q_{1}^{2}}{3}
    """
    import sympy

    return str(sympy.latex(expression, symbol_names=hostile(expression.free_symbols), order=order))


def hostile(symbols: Iterable[Any]) -> dict[Any, str]:
    """Return how to write the symbols whose names are not words."""
    texts = {s: str(s) for s in symbols if not re.fullmatch(r"\w+", str(s))}
    stems = {s: text.rstrip("'") for s, text in texts.items()}
    return {s: _letters(stem) + "'" * (len(texts[s]) - len(stem)) for s, stem in stems.items()}


def _letters(name: str) -> str:
    """Return a word as SymPy typesets it, any other name as typewriter text."""
    import sympy

    return str(sympy.latex(sympy.Symbol(name))) if re.fullmatch(r"\w+", name) else typewriter(name)


def typewriter(name: str) -> str:
    r"""Return a name as LaTeX text that cannot be mistaken for commands; characters that could be are given by number.

    >>> print(typewriter("link_1"))
    \mathtt{link\_1}
    """
    harmless = re.sub(r"[^A-Za-z0-9_ .:@+\-\[\]]", lambda m: f"[{ord(m.group()):X}]", name)
    return r"\mathtt{" + harmless.replace("_", r"\_") + "}"
