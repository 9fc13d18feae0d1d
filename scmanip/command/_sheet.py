"""What lines and tables are written on: the screen, or a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Sheet(Protocol):
    """Takes lines and tables in order."""

    def say(self, line: str, style: str = "") -> None:
        """Take a line of the result."""

    def note(self, line: str, style: str = "") -> None:
        """Take a line beside the result."""

    def table(self, rows: Iterable[tuple[str, ...]]) -> None:
        """Take rows of cells, the first of them headings."""
