"""A phase that was flown, in the words of reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...control import BasePose
from ...modes import BaseDriven, ManoeuvreMode
from ...report import mode_words
from ..values._modes import mode_label
from ._driven import in_words
from ._ended import ending
from ._phase import FlownPhase, Phase

if TYPE_CHECKING:
    from ...report import PhaseAccount


def phase_account(planned: Phase, part: FlownPhase) -> PhaseAccount:
    """Return what a page tells of a phase; `planned` says what it was to hold as it found it."""
    from ...report import PhaseAccount

    law = planned.controller
    return PhaseAccount(
        name=part.phase.name,
        mode=mode_words(mode_label(part.phase.mode)),
        law=law.kind,
        motion=planned.motion,
        settings=", ".join(_settings(law.settings, part.phase.mode)),
        equations=law.equations,
        start_s=part.start_s,
        end_s=part.start_s + float(part.history.t[-1]),
        ending=ending(part),
        held=part.history.held_first,
    )


def _settings(settings: Mapping[str, Any], mode: ManoeuvreMode) -> Iterator[str]:
    """Yield the settings of a law, those of the base where the mode drives it."""
    driven = mode if isinstance(mode, BaseDriven) else None
    for name, value in settings.items():
        if isinstance(value, BasePose):
            if driven is not None and driven.turns:
                yield f"attitude_xyzw = {_place(value.attitude_xyzw)}"
            if driven is not None and driven.moves:
                yield f"position_m = {_place(value.position_m)}"
            if driven is not None and value.relative_to is not None:
                yield f"relative_to = {value.relative_to}"
        elif value is not None and (driven is not None or not name.startswith("base_")):
            yield f"{name} = {str(value).lower() if isinstance(value, bool) else in_words(value)}"


def _place(value: Any) -> str:
    return "as found" if value is None else in_words(value)
