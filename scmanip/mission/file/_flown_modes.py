"""The modes of all phases of a run, and what they add to the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...dynamics import Model
from ...modes import ManoeuvreMode
from ..values._findings import Findings, KeyPath
from ..values._modes import equipped, mode_called
from ._draft import GivenMode, PhaseDraft


@dataclass(frozen=True, eq=False)
class FlownModes:
    """The modes of all phases of a run, None for a wrong one, and the model with whatever ideal actuators any of them needs."""

    modes: tuple[ManoeuvreMode | None, ...]
    fitting: tuple[ManoeuvreMode, ...]
    model: Model | None

    @classmethod
    def of(cls, findings: Findings, drafts: Sequence[PhaseDraft], model: Model | None) -> FlownModes:
        """Return the modes of `drafts` on a system's `model`; what is wrong with them goes into `findings`."""
        modes = [cls._mode(findings, ("phase", i, *draft.mode_at), draft.mode, model) for i, draft in enumerate(drafts)]
        fitting = [mode for mode, fits in modes if mode is not None and fits]
        return cls(tuple(mode for mode, _ in modes), tuple(fitting), None if model is None else equipped(model, fitting))

    @staticmethod
    def _mode(
        findings: Findings, path: KeyPath, given: GivenMode | None, model: Model | None
    ) -> tuple[ManoeuvreMode | None, bool]:
        """Return a mode, and whether the model can be flown in it."""
        mode = None if given is None else findings.attempt(path, lambda: mode_called(given))
        if mode is None or model is None:
            return mode, False
        before = len(findings.problems)
        findings.attempt(path, lambda: mode.check(model))
        return mode, len(findings.problems) == before
