"""In how many modes a mission is to be flown: once, or once for each of the `modes` of its phases."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InvalidInput
from ..values._findings import Findings, table_at
from ..values._modes import mode_called, mode_label
from ._draft import GivenMode, PhaseDraft


def flights(findings: Findings, drafts: Sequence[PhaseDraft]) -> list[list[PhaseDraft]]:
    """Return the phases of every run that a mission asks for; what is wrong with `mode` and `modes` goes into `findings`."""
    listed: tuple[GivenMode, ...] = ()
    for i, draft in enumerate(drafts):
        path, data = ("phase", i), table_at(findings.document, ("phase", i))
        if "mode" in data and "modes" in data:
            findings.add((*path, "modes"), "either mode or modes", "both")
        elif not data.keys() & {"mode", "modes"} and data:
            findings.add((*path, "mode"), "the name of a mode, or modes = [...] for a run in each", "nothing")
        if draft.modes and listed and draft.modes != listed:
            findings.add((*path, "modes"), "the same list in every phase that has one", "another one")
            return [[part.in_run(0) for part in drafts]]
        if draft.modes and not listed:
            listed = draft.modes
            _refuse_twins(findings, i, listed)
    return [[draft.in_run(number) for draft in drafts] for number in range(len(listed) or 1)]


def labels(drafts: Sequence[PhaseDraft]) -> list[str]:
    """Return one name per run of a mission without mistakes; none where its phases have no `modes`."""
    listed = next((draft.modes for draft in drafts if draft.modes), ())
    return [mode_label(mode_called(given)) for given in listed]


def _refuse_twins(findings: Findings, phase: int, listed: Sequence[GivenMode]) -> None:
    seen: set[str] = set()
    for number, given in enumerate(listed):
        try:
            label = mode_label(mode_called(given))
        except InvalidInput:
            continue  # said where the mode is made
        if label in seen:
            findings.add(("phase", phase, "modes", number), "every mode once", f"{label!r} again")
        seen.add(label)
