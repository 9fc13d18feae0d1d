"""What models whose equations say the same have in common."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from ...compiled import CompiledProgram
from ._derivation import Derivation
from ._implementation import Implementation


class Family:
    """Models of one description, which may differ in numbers that are inputs of programs; equal only to itself.

    compiled : programs by the names of their quantities
    kept : whatever else was made for all of them, such as compiled runs; all of it goes when they go
    alive : the families that there are, by what their models say
    """

    alive: ClassVar[WeakValueDictionary[Hashable, Family]] = WeakValueDictionary()

    def __init__(self) -> None:
        self.compiled: dict[tuple[str, ...], CompiledProgram] = {}
        self.kept: dict[Hashable, Any] = {}

    @staticmethod
    def of(derivation: Derivation, implementation: Implementation) -> Family:
        """Return that of the models alive, or a new one."""
        return Family.alive.setdefault((derivation.description, implementation), Family())
