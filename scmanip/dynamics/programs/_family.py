"""What models whose equations say the same have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from ...compiled import CompiledProgram, described, kept_program, lasting_key
from ...symbolic import Program
from ._derivation import Derivation
from ._implementation import Implementation


class Family:
    """Models of one description, which may differ in numbers that are inputs of programs; equal only to itself.

    compiled : programs by the names of their quantities
    kept : whatever else was made for all of them, such as compiled runs; all of it goes when they go
    said : what its models say
    alive : the families that there are, by what their models say
    """

    alive: ClassVar[WeakValueDictionary[Hashable, Family]] = WeakValueDictionary()

    def __init__(self, said: Hashable) -> None:
        self.said = said
        self.compiled: dict[tuple[str, ...], CompiledProgram] = {}
        self.kept: dict[Hashable, Any] = {}

    @staticmethod
    def of(derivation: Derivation, implementation: Implementation) -> Family:
        """Return that of the models alive, or a new one."""
        said = derivation.description, implementation
        return Family.alive.setdefault(said, Family(said))

    @cached_property
    def lasting_key(self) -> str:
        """That of what its models say; raises `TypeError` where parts of other packages say something."""
        return lasting_key(described(self.said))

    def program(self, key: Hashable, made: Callable[[], Program], *within: Any) -> Program:
        """Return a program that a key decides for models of this family, recorded unless another process has recorded it.

        Arguments as for `kept_program`.
        """
        return kept_program((self, key), made, *within)
