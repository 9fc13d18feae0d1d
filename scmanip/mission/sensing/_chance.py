"""`[observation]`. Importing this file loads pydantic."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..values._fields import MissionFileTable

Whole = Annotated[int, Field(ge=0, description="a whole number >= 0")]


class ObservationTable(MissionFileTable):
    """`[observation]`: by what chance differs; case 0 of seed 0 if not said. Cases of studies have their own."""

    seed: Whole = 0
    case: Whole = 0
