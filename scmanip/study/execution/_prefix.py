"""The rows from case 0 on without a gap, as far as they are on the disk: what a rule that stops a study may look at."""

from __future__ import annotations

from dataclasses import replace

from ..definition._stop import Stop, Stopped
from ..rows._block import Block
from ..rows._table import table_of
from ._folder import StudyFolder

_GROWTH = 1.02


class Prefix:
    """Reads rows as they become unbroken and asks a rule about them."""

    def __init__(self, folder: StudyFolder, rule: Stop) -> None:
        self._folder = folder
        self._rule = rule
        self._blocks: list[Block] = []
        self._read = 0
        self._known = 0

    def stopped(self) -> Stopped | None:
        """Return where the study ends, if the rows say so; now and then, and always when there are no more rows to come."""
        unbroken = self._folder.unbroken
        if unbroken == self._known or (unbroken < _GROWTH * self._known and unbroken < len(self._folder.codes)):
            return None
        while self._read < unbroken:
            block = self._folder.block_at(self._read)
            self._blocks.append(replace(block, reasons=("",) * len(block), inputs={}))
            self._read += len(block)
        ends = self._rule.stopped(table_of(self._blocks, ()), self._known)
        self._known = self._read
        return ends
