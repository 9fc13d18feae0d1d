"""Errors in what cells of a notebook show."""

from ..planted import Planted

CELLS = ("cells/test_cells.py",)

ERRORS = (
    Planted(
        "words of tables are not escaped",
        "cells/_table.py",
        'return escape(f"{cell:.5g}" if isinstance(cell, float) else str(cell))',
        'return f"{cell:.5g}" if isinstance(cell, float) else str(cell)',
        tests=CELLS,
    ),
    Planted(
        "what a cell waited for stays in it",
        "cells/_waiting.py",
        'handle.update(shown.HTML(""))',
        "pass",
        tests=CELLS,
    ),
    Planted(
        "the words of what is over stay",
        "cells/_waiting.py",
        "self._words.pop()",
        "pass",
        tests=CELLS,
    ),
)
