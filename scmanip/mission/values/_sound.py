"""What is right in a table of which other keys may be wrong."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ModelWrapValidatorHandler, ValidationError, ValidationInfo, model_validator

from ._fields import MissionFileTable

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, eq=False)
class Sound(Generic[T]):
    """A table with its wrong keys left out, so that the others can be checked all the same.

    whole : whether none was left out; otherwise what is missing is not to be blamed on the file
    """

    table: T
    whole: bool


class Sounds:
    """What is right of each table of a file: the context in which the whole file is validated, which fills it."""

    def __init__(self) -> None:
        self._found: dict[int, Sound[Any]] = {}

    def of(self, given: object) -> Sound[Any] | None:
        """Return what is right of a table of the file, itself and not a copy; None where a required key is not."""
        return self._found.get(id(given))

    def note(self, given: object, sound: Sound[Any]) -> None:
        """Keep what is right of a table that the file holds."""
        self._found[id(given)] = sound


class PartTable(MissionFileTable):
    """A table whose right keys are noted, so that they are checked beside wrong ones."""

    @classmethod
    def partly(cls, data: dict[str, Any], made: ModelWrapValidatorHandler[Any]) -> Any:
        """Return the table of the right keys, as `made` makes it; raises `ValidationError` where a required one is wrong."""
        return made(data)

    @model_validator(mode="wrap")
    @classmethod
    def _noted(cls, data: Any, made: ModelWrapValidatorHandler[Any], info: ValidationInfo) -> Any:
        sounds = info.context if isinstance(info.context, Sounds) else Sounds()
        try:
            table = made(data)
        except ValidationError as error:
            wrong = {step for details in error.errors() for step in details["loc"][:1]}
            with suppress(ValidationError):
                right = {key: value for key, value in data.items() if key not in wrong} if isinstance(data, dict) else {}
                sounds.note(data, Sound(cls.partly(right, made), False))
            raise
        sounds.note(data, Sound(table, True))
        return table
