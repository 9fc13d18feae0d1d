"""Families of kinds, which installed packages may extend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Generic, TypeVar

from ..errors import InvalidInput, Problem, misfits, refuse
from ._offered import broken, load, offered

K = TypeVar("K")


class Kinds(Mapping[str, K], Generic[K]):
    """The kinds of one family by name: our own, then those that installed packages offer, loaded when they are asked for.

    group : of entry points, whose names are theirs
    key : what a problem with one is called
    own : gives our own kinds
    made : (name, what a package offers under it) -> the kind, None where that is none
    expected : what a kind is, in words; `{name}` stands for its name

    Looking one up raises `KeyError`, and `InvalidInput` for one of a package that is none or has a name of ours.

    >>> laws = Kinds("example.laws", "law", lambda: {"hold": float}, lambda name, given: given, "a law called {name}")
    >>> list(laws), laws["hold"], "swing" in laws
    (['hold'], <class 'float'>, False)
    """

    def __init__(
        self,
        group: str,
        key: str,
        own: Callable[[], Mapping[str, K]],
        made: Callable[[str, Any], K | None],
        expected: str,
    ) -> None:
        self.group, self.key, self._own, self._made, self._expected = group, key, own, made, expected

    @property
    def own(self) -> Mapping[str, K]:
        """Those of this package."""
        return self._own()

    def __getitem__(self, name: str) -> K:
        """Return a kind; raises `KeyError`, and `InvalidInput` for one of a package that is none or has a name of ours."""
        ours = self.own.get(name)
        if name not in offered(self.group):
            return self.own[name] if ours is None else ours
        given = load(self.group, name, self.key)
        kind = None if ours is not None else self._made(name, given)
        if kind is None:
            expected = "a name that no kind of this package has" if ours is not None else self._expected.format(name=name)
            raise InvalidInput(Problem(self.key, expected, broken(self.group, name, repr(given))))
        wrong = [(f"{each.key} as {each.expected}", each.found) for each in misfits(kind)]
        refuse([Problem(self.key, expected, broken(self.group, name, found)) for expected, found in wrong])
        return kind

    @property
    def sound(self) -> dict[str, K]:
        """All that are kinds; what packages offer that is none is refused where it is named, and nowhere else."""
        found = dict[str, K]()
        for name in self:
            with suppress(InvalidInput):
                found[name] = self[name]
        return found

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in offered(self.group)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.own, *offered(self.group)]))

    def __len__(self) -> int:
        return sum(1 for _ in self)
