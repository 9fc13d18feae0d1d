"""Tables of masses by which a study draws bodies: what they set in a mission, and whether it flies what they say."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Problem
from ..study import Definition, MassTable
from .variation._documents import Documents
from .variation._paths import targets_of
from .variation._read_back import same

_HINT = "masses = ... of a side table has the system fly what the table says"


def paths_of(pattern: str, given: object, documents: Documents) -> list[str]:
    """Return the paths that an entry of a study sets."""
    if isinstance(given, MassTable):
        return list(given.drawn(pattern, lambda each: _matches(each, documents)).dispersion)
    return _matches(pattern, documents)


def table_problems(definition: Definition, documents: Documents) -> Iterator[Problem]:
    """Yield where the bodies of a system are not what a table says, about which it has them scatter."""
    for pattern, given in definition.dispersion.items():
        if isinstance(given, MassTable):
            drawn = given.drawn(pattern, lambda each: _matches(each, documents))
            for path, mean in drawn.means.items():
                (target,) = targets_of(path, documents)
                row, found = drawn.rows[path.rpartition(".")[0]], target.nominal(documents)
                if found is None or not same(target, mean, found):
                    system = documents.source.given
                    yield Problem(path, f"{found}, as {system!r} has", f"{mean}", row.file, row.line, 1, _HINT)


def _matches(pattern: str, documents: Documents) -> list[str]:
    return [target.path for target in targets_of(pattern, documents)]
