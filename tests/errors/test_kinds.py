"""What is of another kind is refused by name: each of many, what only looked as if it would do, and after what was right."""

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


@checked
def joined(first: str, *others: str) -> str:
    return first + "".join(others)


@checked
def mass_of(system: scmanip.System) -> float:
    return system.mass_kg


def test_each_of_many_is_of_its_kind():
    assert joined("a", "b", "c") == "abc"
    with pytest.raises(InvalidInput, match=r"^joined others: expected a text, found 5$"):
        joined("a", "b", 5)
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        checked(lambda one: one)(5, 6)


def test_what_a_function_cannot_use_after_all_is_named():
    with pytest.raises(InvalidInput, match=r"^mass_of system: expected a System, found range\(0, 3\)$"):
        mass_of(range(3))
