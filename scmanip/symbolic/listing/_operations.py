"""Operation counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Operations:
    """How many operations a program carries out: a subtraction is an addition, a negation is free.

    >>> counted = Operations.of(["mul", "mul", "sub", "neg", "sin"])
    >>> counted.total, counted.additions
    (4, 1)
    """

    multiplications: int
    additions: int
    divisions: int
    functions: int

    @classmethod
    def of(cls, ops: Iterable[str]) -> Operations:
        """Count operations by their names."""
        n = Counter(ops)
        functions = n.total() - n["mul"] - n["add"] - n["sub"] - n["div"] - n["neg"]
        return cls(n["mul"], n["add"] + n["sub"], n["div"], functions)

    @property
    def total(self) -> int:
        """All of them."""
        return self.multiplications + self.additions + self.divisions + self.functions

    def __str__(self) -> str:
        return (
            f"{self.multiplications} multiplications, {self.additions} additions, "
            f"{self.divisions} divisions, {self.functions} functions"
        )
