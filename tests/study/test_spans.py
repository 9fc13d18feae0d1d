"""How long the blocks are in which cases of a study are run."""

from __future__ import annotations

import numpy as np
import pytest

from scmanip.study.execution._spans import LONGEST_S, TARGET_S, Spans


def blocks(beside_s: float, each_s: float, *, first_s: float = 0.0, cases: int = 20_000) -> list[tuple[int, float]]:
    """Lengths of blocks and what they took, where a block takes a time beside its cases; the first takes more."""
    spans, found = Spans(np.zeros(cases)), []
    while (span := spans.next(2)) is not None:
        seconds = beside_s + each_s * len(span) + (0.0 if found else first_s)
        spans.learn(len(span), seconds)
        found.append((len(span), seconds))
    return found


@pytest.mark.parametrize("first_s", [0.0, 8.0])
def test_blocks_of_quick_cases_take_about_two_seconds(first_s: float) -> None:
    took = [seconds for _, seconds in blocks(0.01, 0.004, first_s=first_s)][6:-20]
    assert min(took) > 0.4 * TARGET_S and max(took) < 2 * TARGET_S


def test_blocks_of_slow_cases_are_short() -> None:
    lengths = [length for length, _ in blocks(0.01, 1.0, cases=200)]
    assert max(lengths[2:]) <= 4


@pytest.mark.parametrize("slow", [1.0, 4.0, 8.0])
@pytest.mark.parametrize("first_s", [0.0, 8.0])
def test_what_a_block_takes_beside_its_cases_does_not_make_blocks_short(slow: float, first_s: float) -> None:
    found = blocks(0.5 * slow, 0.01 * slow, first_s=first_s, cases=4000)
    total, least = sum(seconds for _, seconds in found), 0.01 * slow * 4000
    assert total < 2 * least
    assert max(seconds for _, seconds in found[1:]) < 2 * LONGEST_S
