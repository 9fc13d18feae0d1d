"""A run ends at its last good state, also where only samples inside its steps show that it went wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...spatial import Array, finite
from ..events._outcome import Ending, Outcome
from ._gimbals import diverged
from ._replay import replayed, step_ends
from ._setup import Setup
from ._track import Track


def up_to_last_good(setup: Setup, track: Track) -> Track:
    """Return the track up to the last step before the first sample that is wrong; as it is where none is.

    Steps are judged by their ends. Dense output between them may still run away or be no number, where steps are far too long
    or a law has a hole that no stage fell into.
    """
    if setup.plant.holding is not None and track.verdict.outcome is Outcome.SINGULAR and track.good_t < track.last_t:
        ends = np.array([setup.start_s, *(end for end in track.ends if setup.start_s < end <= track.good_t)])
        return _cut(setup, track, ends, track.verdict)
    if _small(setup, track):
        return track
    t, y = np.concatenate(track.times), np.concatenate(track.rows)
    lost, fast = _lost(track, y), np.abs(y[:, setup.frame.places.speeds]).max(axis=1, initial=0.0) > setup.bound
    wrong = lost | fast
    wrong[0] = False  # where a run starts was checked
    if not wrong.any():
        return track
    first = int(np.argmax(wrong))
    ends = step_ends(setup, track)
    ends = ends[ends < t[first]]
    last = float(ends[-1])
    if not lost[first]:
        return _cut(setup, track, ends, diverged(setup, last, float(t[first]), setup.frame.state(float(t[first]), y[first])))
    where = f"at t = {t[first]:.9g} s, inside a step (last good state at t = {last:.9g} s)"
    advice = "look for a division by zero or a root in the controller, or take shorter steps"
    return _cut(setup, track, ends, Ending(Outcome.NOT_FINITE, f"the state or a force is not finite {where}; {advice}"))


def _small(setup: Setup, track: Track) -> bool:
    """Whether one glance shows that nothing is wrong: no number at all is beyond the bound, no force was noted down, and a law
    in Python always had an answer.
    """
    noted = any(track.forces) or not _said(track).all()
    return not noted and all(np.abs(rows).max(initial=0.0) <= setup.bound for rows in track.rows[1:])


def _lost(track: Track, y: Array) -> Array:
    """Return at which samples (k,) the state, or a force that was noted down, is no number."""
    forces = np.array([force is None or force.is_finite for force in track.forces], dtype=bool)
    return np.asarray(~(np.isfinite(y).all(axis=1) & forces & _said(track)))


def _said(track: Track) -> Array:
    """Return at which samples (k,) what a law said is finite, as far as that was noted down."""
    said = track.commands or [None] * len(track.forces)
    return np.array([command is None or finite(command) for command in said], dtype=bool)


def _cut(setup: Setup, track: Track, ends: Array, verdict: Ending) -> Track:
    """Return the track up to the last of the times at which its steps ended (k,) [s], the start in front."""
    t, y = np.concatenate(track.times), np.concatenate(track.rows)
    last = float(ends[-1])
    kept = int(np.searchsorted(t, last, side="right"))
    times, rows, forces, commands = [t[:kept]], [y[:kept]], track.forces[:kept], track.commands[:kept]
    if t[kept - 1] < last:
        again = replayed(setup, track, ends[-1:])
        times.append(ends[-1:])
        rows.append(np.concatenate(again.rows)[1:2])
        forces, commands = [*forces, again.forces[1]], [*commands, *again.commands[1:2]]
    return replace(
        track,
        last_t=last,
        last_y=rows[-1][-1],
        verdict=verdict,
        times=times,
        rows=rows,
        forces=forces,
        commands=commands,
        happened=[(time, name) for time, name in track.happened if time <= last],
        steps=len(ends) - 1,
        ends=ends[1:].tolist(),
    )
