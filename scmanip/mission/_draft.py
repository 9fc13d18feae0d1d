"""One `[[phase]]` table, read as far as it can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel

from ..system import TomlDocument
from ._findings import KeyPath, table_at
from ._schema import (
    ComputedTorqueTable,
    ControllerTable,
    CoordinatedTable,
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
GivenMode = str | dict[str, str]

_KEYS = {"name", "mode", "modes", "controller", "guidance"}
CONTROLLERS: dict[object, type[ControllerTable]] = {
    "computed_torque": ComputedTorqueTable,
    "joint_regulator": JointRegulatorTable,
    "coordinated": CoordinatedTable,
}
GUIDANCE: dict[object, type[GuidanceTable]] = {
    "joint_sequence": JointSequenceTable,
    "cycloid": CycloidTable,
    "line": LineTable,
    "hold": HoldTable,
}


@dataclass(frozen=True, eq=False)
class PhaseDraft:
    """The parts of a phase; one that is missing or wrong, which the schema reports, is None.

    mode, mode_at : how it is flown, and the key that says so
    modes : of the phase's runs, where it is to be flown in several
    until_s : end of the phase [s]
    is_open : whether the file gives no end, not even a wrong or misspelt one
    """

    name: str | None
    mode: GivenMode | None
    modes: tuple[GivenMode, ...]
    mode_at: KeyPath
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
            mode=_mode(data.get("mode")),
            modes=_modes(data.get("modes")),
            mode_at=("mode",),
            controller=_typed(document, (*path, "controller"), CONTROLLERS),
            guidance=_typed(document, (*path, "guidance"), GUIDANCE),
            until_s=None if until is None else until.table.t_s,
            is_open=data.keys() <= _KEYS,
        )

    def in_run(self, number: int) -> PhaseDraft:
        """Return the phase as it is in one of several runs: in that one of its `modes`, or in its `mode`."""
        if not self.modes:
            return self
        return replace(self, mode=self.modes[number], mode_at=("modes", number))


def _typed(document: TomlDocument, path: KeyPath, kinds: Mapping[object, type[T]]) -> Sound[T] | None:
    """Return what is right of a table that says its own type; None where it says none of `kinds`."""
    kind = table_at(document, path).get("type")
    return Sound.of(document, path, kinds[kind]) if isinstance(kind, str) and kind in kinds else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _mode(value: object) -> GivenMode | None:
    if isinstance(value, dict) and value and all(isinstance(text, str) and text for text in value.values()):
        return value
    return _text(value)


def _modes(value: object) -> tuple[GivenMode, ...]:
    """Return the modes of a list that has no mistake in it; none otherwise."""
    given = [_mode(entry) for entry in value] if isinstance(value, list) else []
    return () if None in given or len(given) < 2 else tuple(mode for mode in given if mode is not None)
