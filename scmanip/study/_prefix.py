"""The rows from case 0 on without a gap, as far as they are on the disk: what a rule that stops a study may look at."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..spatial import Array
from ._folder import StudyFolder
from ._stop import Stop, Stopped
from ._table import Table

_GROWTH = 1.02


class Prefix:
    """Reads rows as they become unbroken and asks a rule about them."""

    def __init__(self, folder: StudyFolder, rule: Stop) -> None:
        self._folder = folder
        self._rule = rule
        self._blocks: list[tuple[Array, Mapping[str, Array]]] = []
        self._read = 0
        self._known = 0

    def stopped(self) -> Stopped | None:
        """Return where the study ends, if the rows say so; now and then, and always when there are no more rows to come."""
        unbroken = self._folder.unbroken
        if unbroken == self._known or (unbroken < _GROWTH * self._known and unbroken < len(self._folder.codes)):
            return None
        while self._read < unbroken:
            block = self._folder.block_at(self._read)
            self._blocks.append((np.array(block.statuses, str), block.metrics))
            self._read += len(block)
        ends = self._rule.stopped(self._table(), self._known)
        self._known = self._read
        return ends

    def _table(self) -> Table:
        names = {name: None for _, metrics in self._blocks for name in metrics}
        status = np.concatenate([status for status, _ in self._blocks])
        columns = {name: np.concatenate([m.get(name, np.full(len(s), np.nan)) for s, m in self._blocks]) for name in names}
        return Table(np.arange(len(status)), status, np.full(len(status), ""), {}, columns)
