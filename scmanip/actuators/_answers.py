"""What actuators answer, by its shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..spatial import real
from ._hardware import Flaw


def answer_flaw(answers: Mapping[str, tuple[tuple[int, ...], Callable[[], Any]]]) -> Iterator[Flaw]:
    """Yield the first answer, in any unit, that is no numbers of its shape; answers : shape, and what answers, by method.

    >>> [flaw.expected for flaw in answer_flaw({"power": ((), lambda: 0.5), "gains": ((1,), lambda: 0.02)})]
    ['numbers of shape (1,)']
    """
    for name, (shape, asked) in answers.items():
        answer = asked()
        try:
            fits = real(answer).shape == shape
        except (TypeError, ValueError):
            fits = False
        if not fits:
            yield Flaw(name, f"numbers of shape {shape}" if shape else "a number", repr(answer))
            return
