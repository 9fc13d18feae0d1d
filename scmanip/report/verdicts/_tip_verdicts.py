"""How well a frame was led, and how near to a singularity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...analysis import TipTrack
from ._limits import Limits
from ._verdict import Verdict


def tip_verdicts(tracks: Sequence[TipTrack], limits: Limits) -> Iterator[Verdict]:
    """Yield how far the last frame ends from its goal, how far any was from its way, and how much damping that took."""
    if not tracks:
        return
    last, widest = tracks[-1], max(tracks, key=lambda track: track.away_m.max())
    yield Verdict("tip_error", "tip from reference at end", float(last.away_m[-1]), "m", limits.tip_error_m, last.frame, "mm")
    if last.turned_rad is not None:
        turned = float(last.turned_rad[-1])
        yield Verdict("tip_turn", "tip's attitude from reference at end", turned, "rad", limits.tip_error_rad, last.frame)
    at = int(np.argmax(widest.away_m))
    where = f"{widest.frame}, t = {widest.t[at]:g} s"
    yield Verdict("tip_path", "tip from its way", float(widest.away_m[at]), "m", None, where, "mm")
    resolved = [track for track in tracks if track.singular_value.size]
    if resolved:
        yield _damping(min(resolved, key=lambda track: track.singular_value.min()))


def _damping(track: TipTrack) -> Verdict:
    at = int(np.argmin(track.singular_value))
    where = f"smallest singular value {track.singular_value[at]:.3g}, manipulability {track.manipulability[at]:.3g}"
    where += f" at t = {track.t[at]:g} s"
    damped = track.t[track.damping > 0]
    if damped.size:
        where += f"; damped from t = {damped[0]:g} s to t = {damped[-1]:g} s"
    return Verdict("tip_damping", "damping of tip's joint rates", float(track.damping.max()), "", None, where)
