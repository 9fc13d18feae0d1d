"""Families of tables that say by `type` which kind they are."""

from __future__ import annotations

from abc import ABC
from contextlib import suppress
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, TypeVar, get_args

from pydantic import Field

from ...errors import InvalidInput
from ...guidance import JointReference, PoseReference
from ...plugins import Kinds, offered
from ._sound import PartTable

SampleKind = type[JointReference] | type[PoseReference]
K = TypeVar("K", bound="Kind")


class Kind(PartTable, ABC):
    """A table of which one field, `type` unless `named_by` says another, takes one word, that of its kind."""

    named_by: ClassVar[str] = "type"

    @classmethod
    def word(cls) -> str:
        """Return that word."""
        words = get_args(cls.model_fields[cls.named_by].annotation)
        return str(words[0]) if len(words) == 1 else ""


class TableKinds(Kinds[type[K]]):
    """The kinds of one family of tables by their words.

    base : what all of them are made of
    group : of entry points, whose names are the words
    objects : the kind for objects of Python, which files name and cannot hold, and which is therefore not among `own`
    """

    def __init__(self, base: Any, group: str, *own: type[K], objects: type[K] | None = None) -> None:
        key, kinds = base.named_by, {kind.word(): kind for kind in own}

        def made(word: str, given: Any) -> type[K] | None:
            return given if isinstance(given, type) and issubclass(given, self.base) and given.word() == word else None

        self.base: type[K] = base
        self._objects = {} if objects is None else {objects.word(): objects}
        super().__init__(group, key, lambda: kinds, made, f'a {base.__name__} with {key}: Literal["{{name}}"]')

    def __getitem__(self, name: str) -> type[K]:
        return self._objects[name] if name in self._objects else super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        return name in self._objects or super().__contains__(name)

    def named(self, word: object) -> dict[str, type[K]]:
        """Return the kind of a word, by that; of an unknown one all kinds that can be loaded, of which a reader may mean one.

        Raises `InvalidInput` as they are looked up.
        """
        if isinstance(word, str) and word in self:
            return {word: self[word]}
        found = dict(self.own)
        for other in offered(self.group):
            with suppress(InvalidInput):
                found[other] = self[other]
        return found


def listed(given: Any) -> list[Any]:
    """Return the tables of a key that takes one of them or a list.

    >>> listed({"type": "hold"}), listed([1, 2])
    ([{'type': 'hold'}], [1, 2])
    """
    return given if isinstance(given, list) else [given]


def one_of(kinds: tuple[Any, ...]) -> Any:
    """Return what pydantic takes for a table of one of several kinds."""
    return kinds[0] if len(kinds) == 1 else Annotated[reduce(or_, kinds), Field(discriminator=kinds[0].named_by)]
