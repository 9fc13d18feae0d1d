"""What a run keeps of the mission that was flown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ..dynamics import Model
from ..environment import Environment
from ..report import Limits
from ._integration import Integration
from ._phase import Phase
from ._source import Source


class Flown(Protocol):
    """The parts of a `Mission` that judging, showing and storing its run needs; they mean the same as there."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def model(self) -> Model: ...
    @property
    def phases(self) -> tuple[Phase, ...]: ...
    @property
    def environment(self) -> Environment | None: ...
    @property
    def integration(self) -> Integration: ...
    @property
    def limits(self) -> Limits: ...
    @property
    def figure_names(self) -> tuple[str, ...]: ...
    @property
    def source(self) -> Source: ...
    @property
    def estimates(self) -> tuple[Source | None, ...]: ...
    @property
    def file(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def resolved(self) -> Mapping[str, Any]: ...
