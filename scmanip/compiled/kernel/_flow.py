"""Loops and decisions around straight-line code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._code import KernelCode, Value


class Flow(KernelCode):
    """The body of one function, whose names are its own."""

    def function(self, name: str, parameters: str) -> list[str]:
        """Return what was written as the lines of a function."""
        head = [f"define void @{name}({parameters}) nounwind {{", "entry:", *self.places]
        return [*head, *self.lines, "  ret void", "}"]

    @contextmanager
    def loop(self, end: Any, first: Any = 0, step: int = 1) -> Iterator[Value]:
        """Repeat what is written inside for `first`, `first` + `step`, ... below `end`."""
        number, following, before = self.temporary(), self.temporary(), self.block
        test, body, after = self._labels("test", "body", "after")
        self.line(f"br label %{test}")
        self.start(test)
        self.line("")
        start, place = self.typed(first, "i64").name, len(self.lines) - 1
        counter = Value(self, number, "i64")
        self._branch(counter < self.typed(end, "i64"), body, after)
        self.start(body)
        yield counter
        self.line(f"{following} = add i64 {number}, {step}")
        self.lines[place] = f"  {number} = phi i64 [ {start}, %{before} ], [ {following}, %{self.block} ]"
        self.line(f"br label %{test}")
        self.start(after)

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """Do what is written inside if the condition holds."""
        inside, after = self._labels("then", "after")
        self._branch(condition, inside, after)
        self.start(inside)
        yield
        self.line(f"br label %{after}")
        self.start(after)

    @contextmanager
    def during(self, condition: Callable[[], Value]) -> Iterator[None]:
        """Repeat what is written inside as long as the condition, written anew, holds."""
        test, body, after = self._labels("test", "body", "after")
        self.line(f"br label %{test}")
        self.start(test)
        self._branch(condition(), body, after)
        self.start(body)
        yield
        self.line(f"br label %{test}")
        self.start(after)

    def _branch(self, condition: Value, yes: str, no: str) -> None:
        self.line(f"br i1 {condition.name}, label %{yes}, label %{no}")

    def _labels(self, *kinds: str) -> list[str]:
        number = self.temporary()[1:]
        return [f"{kind}_{number}" for kind in kinds]
