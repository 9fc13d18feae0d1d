"""What is right in a table of which other keys may be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from ...system import TomlDocument
from ._findings import KeyPath, table_at

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, eq=False)
class Sound(Generic[T]):
    """A table with its wrong keys left out, so that the others can be checked all the same.

    whole : whether none was left out; otherwise what is missing is not to be blamed on the file
    """

    table: T
    whole: bool

    @classmethod
    def of(cls, document: TomlDocument, path: KeyPath, kind: type[T], **usual: Any) -> Sound[T] | None:
        """Return what is right of the table at `path`, None where a required key is not; the schema reports the rest.

        usual : what it means where it does not say it
        """
        data = {**usual, **table_at(document, path)}
        try:
            return cls(kind.model_validate(data), True)
        except ValidationError as error:
            wrong = {step for details in error.errors() for step in details["loc"][:1]}
        try:
            return cls(kind.model_validate({key: value for key, value in data.items() if key not in wrong}), False)
        except ValidationError:
            return None
