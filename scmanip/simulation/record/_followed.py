"""What a run was to follow, beside what it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from ...control import pose_error
from ...guidance import JointReference, Sample
from ...spatial import Array
from ...system import State, coordinate_difference
from ..loop._setup import Setup


def reference_at(setup: Setup, t: Array) -> Sample | None:
    """Return the samples of the reference of a run at times (n,) as one, its arrays with n rows; None where there is none, or
    they are not alike.
    """
    return None if setup.reference is None else in_a_row([setup.reference.at(time) for time in t.tolist()], np.array)


def in_a_row(samples: Sequence[Any], put: Any) -> Any:
    """Return samples as one, their arrays put together; None where there are none, or not all of one kind."""
    if any(sample is None or _kind(sample) != _kind(samples[0]) for sample in samples):
        return None
    first = samples[0]
    rows = {each.name: [getattr(sample, each.name) for sample in samples] for each in fields(first)}
    whole = {name: row[0] if _is_word(row[0]) else put(row) for name, row in rows.items()}
    for part in whole.values():
        if not _is_word(part):
            part.flags.writeable = False
    return type(first)(**whole)


def _kind(sample: Any) -> tuple[Any, ...]:
    """Return what samples have to have in common."""
    parts = [getattr(sample, each.name) for each in fields(sample)]
    return type(sample), *(part for part in parts if _is_word(part)), *(_is_word(part) for part in parts)


def _is_word(part: Any) -> bool:
    return part is None or isinstance(part, str)


def error_at(setup: Setup, states: State, reference: Sample | None) -> Array | None:
    """Return what states (n,) lack to samples of a reference, in the terms of the laws that follow such.

    Joints: (n, N) differences along their freedoms [rad or m]. A frame: (n, 3) [m], or (n, 6) with `pose_error`'s attitude
    """
    if reference is None:
        return None
    each = range(len(states))
    if isinstance(reference, JointReference):
        layout = setup.model.layout
        rows = [coordinate_difference(layout, reference.q[k], states.q[k]) for k in each] if layout.quaternions else None
        return reference.q - states.q if rows is None else np.array(rows, dtype=np.float64)
    parts = {each.name: getattr(reference, each.name) for each in fields(reference)}
    one = [type(reference)(**{name: part if _is_word(part) else part[k] for name, part in parts.items()}) for k in each]
    return np.array([pose_error(setup.model, states[k], one[k]) for k in each])
