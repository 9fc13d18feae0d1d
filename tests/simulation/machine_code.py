"""Runs of which no part may be left to Python, and runs of which all is."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import scmanip.simulation.loop._advance as advance_file
from scmanip.simulation.equations._pair import LawAndReference
from scmanip.simulation.loop._native import NativeLoop


@contextmanager
def all_in_machine_code() -> Iterator[None]:
    """Fail unless runs inside go through machine code, and those that do are nowhere handed over by it."""
    handed_over = []

    class Watched(NativeLoop):
        def _judge(self, *args):
            done = super()._judge(*args)
            handed_over.append(self.stuck)
            return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advance_file, "NativeLoop", Watched)
        yield
    assert bool(handed_over) and not any(handed_over)


@contextmanager
def without_machine_code() -> Iterator[None]:
    """Fly step by step in Python whatever is flown inside."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LawAndReference, "of", lambda *args: None)
        yield
