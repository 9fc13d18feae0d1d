"""`controller = [{ type = "mode_dependent", modes = [...] }, ...]`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from ...control import Controller, ModeDependent
from ...dynamics import Model
from ...errors import InvalidInput, Problem
from ...modes import ManoeuvreMode
from ..controllers._control import WrapperTable
from ..values._modes import mode_called


class ModeDependentTable(WrapperTable):
    """`{ type = "mode_dependent", modes = ["floating", "flying"] }`: of the laws after it that for the mode of the phase."""

    type: Literal["mode_dependent"]
    modes: list[str | dict[str, str]] = Field(min_length=1, description="a list of modes, as `mode` takes them")
    inside: ClassVar[int | None] = None

    def seen(self, mode: ManoeuvreMode, place: int = 0) -> ManoeuvreMode:
        if place >= len(self.modes):
            raise InvalidInput(Problem("modes", "a mode for every law after it", f"{len(self.modes)}"))
        return mode_called(self.modes[place])

    def around(self, believed: Model, *laws: Controller) -> ModeDependent:
        return ModeDependent(*laws, modes=list(map(mode_called, self.modes)))

    @classmethod
    def setting(cls, law: Controller, key: str) -> Any:
        """Return nothing of its modes, which are not varied."""
        return None if key == "modes" else super().setting(law, key)
