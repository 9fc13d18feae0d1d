"""The entries of `[design]` and `[dispersion]` in a study file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ...errors import InvalidInput, Problem, nearest
from ..rows._checks import refuse_others
from ._dispersions import Dispersion, dispersed, uniform_ball
from ._distribution import Distribution
from ._mass_table import MassTable, mass_table
from ._variables import Levels, Span, Variable, grid, levels, span
from ._written import Place

DESIGN_KEYS = ("levels", "span", "grid", "count", "log")
DISPERSION_KEYS = ("distribution", "uniform_ball", "mass_table", "size", "how", "loc", "scale")
_DESIGN = "a list of values, { span = [low, high] } or { grid = [low, high], count = number }, as levels, span and grid give"
_DISPERSION = 'a table such as { distribution = "norm", loc = 0.0, scale = 1.0 }'


def entries(table: Mapping[str, Any], start: Place) -> Iterator[tuple[str, Any, Place]]:
    """Give each entry of a table with its path, in quotes or written as keys within keys, and its place in the file."""
    for key, value in table.items():
        place = (*start, key)
        if isinstance(value, dict) and value and not _is_entry(value):
            for path, inner, deeper in entries(value, place):
                yield f"{key}.{path}", inner, deeper
        else:
            yield key, value, place


def variable_of(given: Any) -> Variable:
    """Return a design variable, that of a table, or the levels of a plain list; raises `InvalidInput`."""
    if isinstance(given, Levels | Span):
        return given
    if isinstance(given, str) or not isinstance(given, Iterable):
        hint = "one value is no choice: set it in the mission, or write a list"
        raise InvalidInput(Problem("design", _DESIGN, repr(given), hint=hint))
    if not isinstance(given, dict):
        return levels(*given)
    (kind,) = _one_of(given, ("levels", "span", "grid"), _DESIGN)
    refuse_others(given, {"levels": (kind,), "span": (kind, "log"), "grid": (kind, "count", "log")}[kind])
    log = given.get("log", False)
    if not isinstance(log, bool):
        raise InvalidInput(Problem("log", "true or false", repr(log)))
    if kind == "levels":
        return _levels(given["levels"])
    low, high = _ends(given[kind], kind)
    if kind == "span":
        return span(low, high, log=log)
    return grid(low, high, given.get("count", 0), log=log)


def dispersion_of(given: Any, tables: Callable[[Any], MassTable] = mass_table) -> Dispersion | MassTable:
    """Return a dispersion, that of a table, or of a frozen distribution of SciPy which sets a single number.

    tables : what reads a table of masses that is named
    """
    if not isinstance(given, dict):
        return given if isinstance(given, Dispersion | MassTable) else dispersed(given)
    (kind,) = _one_of(given, ("distribution", "uniform_ball", "mass_table"), _DISPERSION)
    if kind == "mass_table":
        refuse_others(given, ("mass_table",))
        return tables(given["mass_table"])
    if kind == "uniform_ball":
        refuse_others(given, ("uniform_ball", "how"))
        return uniform_ball(given["uniform_ball"], how=given.get("how", "add"))
    rest = {key: value for key, value in given.items() if key not in ("distribution", "size", "how")}
    made = Distribution.named(given["distribution"], rest)
    return dispersed(made, size=given.get("size"), how=given.get("how", "set"))


def _is_entry(table: Mapping[str, Any]) -> bool:
    """Whether a table says what is varied, perhaps with a misspelt key, rather than being a part of a path."""
    known = (*DESIGN_KEYS, *DISPERSION_KEYS)
    return any(not isinstance(value, dict | list) or nearest(key, known) for key, value in table.items())


def _levels(given: Any) -> Levels:
    if not isinstance(given, list):
        raise InvalidInput(Problem("levels", "a list of values", repr(given)))
    return levels(*given)


def _ends(given: Any, kind: str) -> tuple[float, float]:
    if not (isinstance(given, list) and len(given) == 2):
        raise InvalidInput(Problem(kind, "a list [low, high]", repr(given)))
    return given[0], given[1]


def _one_of(given: Mapping[str, Any], kinds: tuple[str, ...], expected: str) -> list[str]:
    found = [kind for kind in kinds if kind in given]
    if len(found) != 1:
        hint = next((text for key in given if key not in kinds and (text := nearest(key, kinds))), "")
        raise InvalidInput(Problem(kinds[0], expected, " and ".join(found) or f"the keys {', '.join(given)}", hint=hint))
    return found
