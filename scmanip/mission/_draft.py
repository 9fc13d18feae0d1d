"""One `[[phase]]` table, read as far as it can be."""

from __future__ import annotations

from dataclasses import dataclass

from ..system import TomlDocument
from ._findings import KeyPath, table_at
from ._schema import ComputedTorqueTable, HoldTable, JointSequenceTable, LineTable, UntilTable
from ._sound import Sound

_KEYS = {"name", "mode", "controller", "guidance"}


@dataclass(frozen=True, eq=False)
class PhaseDraft:
    """The parts of a phase; one that is missing or wrong, which the schema reports, is None.

    until_s : end of the phase [s]
    is_open : whether the file gives no end, not even a wrong or misspelt one
    """

    name: str | None
    mode: str | None
    controller: Sound[ComputedTorqueTable] | None
    guidance: Sound[JointSequenceTable] | Sound[LineTable] | Sound[HoldTable] | None
    until_s: float | None
    is_open: bool

    @classmethod
    def read(cls, document: TomlDocument, path: KeyPath) -> PhaseDraft:
        """Return what can be read of the table at `path`."""
        data = table_at(document, path)
        until = Sound.of(document, (*path, "until"), UntilTable)
        return cls(
            name=_text(data.get("name")),
            mode=_text(data.get("mode")),
            controller=Sound.of(document, (*path, "controller"), ComputedTorqueTable),
            guidance=_guidance(document, (*path, "guidance")),
            until_s=None if until is None else until.table.t_s,
            is_open=data.keys() <= _KEYS,
        )


def _guidance(document: TomlDocument, path: KeyPath) -> Sound[JointSequenceTable] | Sound[LineTable] | Sound[HoldTable] | None:
    if table_at(document, path).get("type") == "hold":
        return Sound.of(document, path, HoldTable)
    if table_at(document, path).get("type") == "line":
        return Sound.of(document, path, LineTable)
    return Sound.of(document, path, JointSequenceTable)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
