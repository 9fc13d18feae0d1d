"""Families of tables that say by `type` which kind they are."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, Generic, TypeVar, get_args

from pydantic import Field

from ..guidance import JointReference, PoseReference
from ._fields import Table

SampleKind = type[JointReference] | type[PoseReference]
K = TypeVar("K", bound="Kind")


class Kind(Table, ABC):
    """A table whose `type` field takes one word, that of its kind."""

    type: str

    @classmethod
    def word(cls) -> str:
        """Return that word."""
        return str(get_args(cls.model_fields["type"].annotation)[0])


class Kinds(Mapping[str, type[K]], Generic[K]):
    """The kinds of one family by their words."""

    def __init__(self, *own: type[K]) -> None:
        self._own = {kind.word(): kind for kind in own}

    def __getitem__(self, word: str) -> type[K]:
        return self._own[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)

    def annotation(self, words: Iterable[str]) -> Any:
        """Return what pydantic takes for a table of one of these kinds."""
        return Annotated[reduce(or_, [self[word] for word in words]), Field(discriminator="type")]
