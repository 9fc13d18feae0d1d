"""What is of another kind is refused by name, each of many and what only looked as if it would do."""

import pytest

from scmanip import System
from scmanip.errors import InvalidInput, checked


@checked
def joined(first: str, *others: str) -> str:
    return first + "".join(others)


@checked
def mass_of(system: System) -> float:
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
