"""One `[[phase]]` table, read as far as it can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from ..system import TomlDocument
from ._findings import KeyPath, table_at
from ._schema import (
    ComputedTorqueTable,
    ControllerTable,
    CycloidTable,
    GuidanceTable,
    HoldTable,
    JointRegulatorTable,
    JointSequenceTable,
    LineTable,
    UntilTable,
)
from ._sound import Sound

T = TypeVar("T", bound=BaseModel)

_KEYS = {"name", "mode", "controller", "guidance"}
_CONTROLLERS: dict[object, type[ControllerTable]] = {
    "computed_torque": ComputedTorqueTable,
    "joint_regulator": JointRegulatorTable,
}
_GUIDANCE: dict[object, type[GuidanceTable]] = {
    "joint_sequence": JointSequenceTable,
    "cycloid": CycloidTable,
    "line": LineTable,
    "hold": HoldTable,
}


@dataclass(frozen=True, eq=False)
class PhaseDraft:
    """The parts of a phase; one that is missing or wrong, which the schema reports, is None.

    until_s : end of the phase [s]
    is_open : whether the file gives no end, not even a wrong or misspelt one
    """

    name: str | None
    mode: str | None
    controller: Sound[ControllerTable] | None
    guidance: Sound[GuidanceTable] | None
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
            controller=_typed(document, (*path, "controller"), _CONTROLLERS),
            guidance=_typed(document, (*path, "guidance"), _GUIDANCE),
            until_s=None if until is None else until.table.t_s,
            is_open=data.keys() <= _KEYS,
        )


def _typed(document: TomlDocument, path: KeyPath, kinds: Mapping[object, type[T]]) -> Sound[T] | None:
    """Return what is right of a table that says its own type; None where it says none of `kinds`."""
    kind = table_at(document, path).get("type")
    return Sound.of(document, path, kinds[kind]) if isinstance(kind, str) and kind in kinds else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
