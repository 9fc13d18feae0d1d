"""A whole mission file, with the kinds of tables that it names."""

from __future__ import annotations

from functools import cache

from pydantic import Field, create_model

from ._families import CONTROLLERS, EVENTS, GUIDANCE
from ._schema import MissionFile, PhaseTable


@cache
def mission_file() -> type[MissionFile]:
    """Return the model of mission files."""
    law, motion, event = (family.annotation(family) for family in (CONTROLLERS, GUIDANCE, EVENTS))
    said = {key: field.description for key, field in PhaseTable.model_fields.items()}
    phase = create_model(
        "PhaseTable",
        __base__=PhaseTable,
        controller=(law, Field(description=said["controller"])),
        guidance=(motion, Field(description=said["guidance"])),
        events=(list[event], Field(default_factory=list, description=said["events"])),  # type: ignore[valid-type]
    )
    phases = Field(min_length=1, description=MissionFile.model_fields["phase"].description)
    return create_model("MissionFile", __base__=MissionFile, phase=(list[phase], phases))  # type: ignore[valid-type]
