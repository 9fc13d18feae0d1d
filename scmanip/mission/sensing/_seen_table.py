"""`[[sensor]]` and `[[estimator]]`: tables whose keys are the fields of a kind. Importing this file loads pydantic."""

from __future__ import annotations

from functools import cache, partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import AfterValidator, Field, FiniteFloat, create_model

from ...actuators import Key, Quantity
from ...navigation import Estimator, Sensor
from ...plugins import Kinds
from ..values._kinds import Kind, TableKinds

_FORMS: dict[str, Any] = {"name": str, "names": list[str], "vector": list[FiniteFloat]}


class SeenTable(Kind):
    """A kind of sensor or estimator: its keys are the fields of the class `made`."""

    type: str
    made: ClassVar[Any] = None

    def resolved(self) -> dict[str, Any]:
        """Return the table with nothing left out but what may be."""
        return {key: value for key, value in self.model_dump().items() if value is not None and value != np.inf}

    def part(self) -> Any:
        """Return the sensor or estimator; raises `InvalidInput`."""
        return self.made.of_table({key: value for key, value in self.resolved().items() if key != "type"})


class SensorTable(SeenTable):
    """`[[sensor]]`."""


class EstimatorTable(SeenTable):
    """`[[estimator]]`."""


class SeenKinds(TableKinds[SeenTable]):
    """The tables of a family of kinds that say themselves what their fields take, those of installed packages too."""

    def __init__(self, base: type[SeenTable], kinds: Kinds[Any]) -> None:
        super().__init__(base, kinds.group, *(_table(base, kind) for kind in kinds.own.values()))
        self._kinds = kinds

    def __getitem__(self, name: str) -> type[SeenTable]:
        return _table(self.base, self._kinds[name])


@cache
def _table(base: type[SeenTable], kind: type[Sensor] | type[Estimator]) -> type[SeenTable]:
    """Return the table of a kind."""
    fields: dict[str, Any] = {key: _field(kind, key, each) for key, each in kind.keys().items()}
    fields["type"] = Literal[kind.kind], ...
    made = create_model(f"{kind.__name__}Table", __base__=base, **fields)
    made.made = kind
    return made


def _field(kind: Any, key: str, each: Key) -> tuple[Any, Any]:
    form = _FORMS.get(each.quantity.form, FiniteFloat)
    default = ... if each.required else getattr(kind, key)
    taken = form | None if default is None else form
    return Annotated[taken, AfterValidator(partial(_checked, each.quantity)), Field(description=each.quantity.words)], default


def _checked(quantity: Quantity, value: Any) -> Any:
    """Return a value that is one; raises `ValueError` with what is expected."""
    problems = [] if value is None else quantity.problems("", value)
    if problems:
        raise ValueError(problems[0].expected)
    return value
