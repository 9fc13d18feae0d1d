"""Limits on the error of a frame that a mission leads."""

from __future__ import annotations

from collections.abc import Sequence

from ..guidance import PoseReference
from ._draft import PhaseDraft
from ._findings import Findings, table_at
from ._limits import TIP, TIP_TURN


def refuse_no_tip(findings: Findings, drafts: Sequence[PhaseDraft]) -> None:
    """Note limits on the error of a frame where no phase leads one, or none that is judged has an attitude."""
    if None in [draft.guidance for draft in drafts]:
        return
    led = [draft.guidance.table for draft in drafts if draft.guidance and draft.guidance.table.gives is PoseReference]
    given = table_at(findings.document, ("limits",))
    for key in TIP:
        if key in given and not led:
            findings.add(("limits", key), "a mission that leads a frame, guidance 'reach'", "a limit on its error")
        elif key in given and key in TIP_TURN and not led[-1].turns:
            hint = "give the reach hold_attitude = true, attitude_xyzw, rpy_rad or rpy_deg"
            findings.add(("limits", key), "an attitude in the last reach", "a limit on its error", hint)
