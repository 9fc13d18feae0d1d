"""Five hundred of the files that `python -m tests.fuzz` makes: refused in words, or read alike twice."""

import math
from types import SimpleNamespace

import pytest

from . import rooms

COUNTS = {"system": 150, "mission": 50, "study": 110, "expression": 190}


@pytest.mark.slow
@pytest.mark.parametrize("room", COUNTS)
def test_damaged_files_are_refused_in_words_or_read_as_they_are(room: str) -> None:
    tally = rooms.tried(room, COUNTS[room], seed=2)
    assert not tally.failures, "\n".join(tally.failures)
    assert tally.refused + tally.accepted == COUNTS[room]
    assert tally.accepted > COUNTS[room] / 10


def test_the_second_reader_notices_when_a_system_is_read_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = SimpleNamespace(degrees=math.degrees, radians=lambda degrees: degrees * math.pi / 200)
    monkeypatch.setattr("scmanip.system.joints._kind.math", wrong)
    tally = rooms.tried("system", 12, seed=2)
    assert any("Disagreement" in failure and "limit" in failure for failure in tally.failures)


@pytest.mark.slow
def test_no_verdict_on_an_altered_folder_is_green() -> None:
    tally = rooms.tried("folders", 30, seed=2)
    assert not tally.failures, "\n".join(tally.failures)
    assert tally.refused == 30
