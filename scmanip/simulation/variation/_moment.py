"""A run at one instant, and how it changes with small changes of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ...spatial import Array

Keeping: TypeAlias = Mapping[tuple[str, tuple[str, ...]], Array]


@dataclass(frozen=True, eq=False)
class Moment:
    """A state and its derivatives, a row per direction, with what a run takes along.

    t : [s]; x : (n_x,) packed state; rows : (k, n_x)
    later : (k,) how the time changes at which this is
    late : (k,) how the time changes at which its clock began
    kept : how what constraints keep changes, (n, k) each, by `Stack.kept_by`
    command : (1 + k, n) that is held, and how it changes; None before the first one and of laws that look always
    memory : of a sampled law
    """

    t: float
    x: Array
    rows: Array
    later: Array
    late: Array
    kept: Keeping = field(default_factory=dict)
    command: Array | None = None
    memory: Any = None
