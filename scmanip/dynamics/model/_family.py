"""What models of one geometry have in common."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


class Family:
    """Models that differ in the numbers of run-time inertias alone; equal only to itself.

    kept : whatever was made for all of them, such as compiled runs, and goes when they go
    """

    def __init__(self) -> None:
        self.kept: dict[Hashable, Any] = {}
