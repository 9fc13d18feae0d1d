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
        spans.learn(len(span), seconds, first=not found)
        found.append((len(span), seconds))
    return found


@pytest.mark.parametrize("first_s", [0.0, 8.0])
def test_blocks_of_quick_cases_take_about_two_seconds(first_s: float) -> None:
    took = [seconds for _, seconds in blocks(0.01, 0.004, first_s=first_s)][6:-20]
    assert min(took) > 0.4 * TARGET_S and max(took) < 2 * TARGET_S


def test_blocks_of_slow_cases_are_short() -> None:
    lengths = [length for length, _ in blocks(0.01, 1.0, cases=200)]
    assert max(lengths[2:]) <= 4


@pytest.mark.parametrize("slow", [1.0, 4.0, 8.0, 50.0])
@pytest.mark.parametrize("first_s", [0.0, 8.0])
def test_what_a_block_takes_beside_its_cases_does_not_make_blocks_short(slow: float, first_s: float) -> None:
    found = blocks(0.5 * slow, 0.01 * slow, first_s=first_s, cases=4000)
    total, least = sum(seconds for _, seconds in found), 0.01 * slow * 4000
    assert total < 2 * least
    assert max(seconds for _, seconds in found[1:]) < max(2 * LONGEST_S, 1.2 * slow)


def test_blocks_are_as_long_where_workers_take_long_to_get_ready() -> None:
    total = sum(seconds for _, seconds in blocks(2.0, 0.04, first_s=30.0, cases=4000))
    assert total < 2 * 0.04 * 4000


def test_the_last_blocks_are_as_short_as_is_worth_it() -> None:
    """What a block takes beside its cases is as much as fifty of them."""
    lengths = [length for length, _ in blocks(0.5, 0.01, cases=4000)]
    assert lengths[-2] >= 48
    assert [length for length, _ in blocks(0.0, 0.01, cases=4000)][-1] <= 8


def test_chance_in_what_blocks_take_does_not_make_them_short() -> None:
    rng, spans, total = np.random.default_rng(5), Spans(np.zeros(4000)), 0.0
    while (span := spans.next(2)) is not None:
        total += 2.0 + 0.04 * len(span)
        spans.learn(len(span), (2.0 + 0.04 * len(span)) * float(np.exp(0.3 * rng.normal())))
    assert total < 2 * 0.04 * 4000


def test_blocks_stay_as_they_are_where_all_are_of_one_length() -> None:
    spans = Spans(np.zeros(100_000))
    for cases in (4096, 4095, *[4096] * 100):
        spans.learn(cases, 1.0 + cases * 2.5e-4)
    assert 2000 <= len(spans.next(2) or ()) <= 8192
