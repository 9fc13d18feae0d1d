"""What `checked` lets in is looked at anew where values of its type may be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

import scmanip
from scmanip.errors import InvalidInput, checked

if TYPE_CHECKING:
    from scmanip.simulation import Integrator
    from scmanip.system import System


@checked
def asked(width_m: float = 1.0, count: int = 1, side: Literal["left", 2] = "left", names: tuple[str, ...] = ()) -> int:
    return count


@checked
def flown(system: System, *, by: Integrator | None = None) -> System:
    return system


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ({"width_m": 2.0}, {"width_m": np.nan}, "asked width_m: expected a number, found nan"),
        ({"width_m": np.float64(2.0)}, {"width_m": np.float64("nan")}, "asked width_m: expected a number, found"),
        ({"width_m": np.array(2.0)}, {"width_m": np.array([2.0])}, "asked width_m: expected a number, found array"),
        ({"count": 2}, {"count": 2.0}, "asked count: expected a whole number, found 2.0"),
        ({"count": np.int64(2)}, {"count": np.array([2])}, "asked count: expected a whole number, found array"),
        ({"side": "left"}, {"side": "right"}, "asked side: expected 'left' or 2, found 'right'"),
        ({"side": 2}, {"side": 3}, "asked side: expected 'left' or 2, found 3"),
        ({"names": ["a"]}, {"names": "a"}, "asked names: expected a sequence, found 'a'"),
    ],
)
def test_what_was_right_once_lets_nothing_wrong_in(right, wrong, words):
    for _ in range(2):
        asked(**right)
        with pytest.raises(InvalidInput) as told:
            asked(**wrong)
        assert str(told.value).startswith(words)


def test_kinds_of_rooms_that_type_checkers_alone_see_are_known():
    planar = scmanip.load_system("model:planar_four_link")
    assert flown(planar) is planar
    for wrong, words in ((5, "found 5"), (None, "found None"), ("arm.toml", "found 'arm.toml'")):
        with pytest.raises(InvalidInput, match=f"flown system: expected a System, {words}"):
            flown(wrong)
    with pytest.raises(InvalidInput, match="flown by: expected an Integrator or None, found 5"):
        flown(planar, by=5)
