"""What every `guidance = { type = ..., ... }` offers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, cast

from ...dynamics import Model
from ...errors import Problem, checked, nearest
from ...guidance import JointReference, ReferenceMotion
from ...spatial import Array
from ...system import State, System
from ..values._kinds import Kind, SampleKind
from ..values._planned import Motion, Planned


class GuidanceTable(Kind):
    """A kind of guidance: its keys are the fields of the table, and its `type` the only value of that field.

    gives : the kind of samples that its reference has, `JointReference` or `PoseReference`
    endless : whether it lasts until something else ends its phase
    slow : whether its motion takes a while to find, so that it is left until all else in a file is right
    numbers : keys on whose values nothing depends but the numbers of its reference
    durations : those of them on which it depends how long it lasts, and its parts

    >>> table = GUIDANCE["hold"](type="hold")
    >>> table.type, table.endless, table.gives.__name__
    ('hold', True, 'JointReference')
    """

    type: str
    gives: ClassVar[SampleKind] = JointReference
    endless: ClassVar[bool] = False
    slow: ClassVar[bool] = False
    numbers: ClassVar[tuple[str, ...]] = ()
    durations: ClassVar[tuple[str, ...]] = ()

    @property
    def samples(self) -> SampleKind:
        """The kind of samples of the reference of this very table."""
        return self.gives

    @property
    def turns(self) -> bool:
        """Whether its reference of a frame has an attitude."""
        return False

    def resolved(self, system: System) -> dict[str, Any]:
        """Return the table in SI with nothing left out; raises `InvalidInput` with problems called by its keys."""
        del system
        return self.model_dump(exclude_none=True)

    def check_names(self, system: System) -> None:
        """Raise `InvalidInput` for joints that do not exist: what can be said of a table of which other keys are wrong."""

    @abstractmethod
    def motion(
        self, resolved: dict[str, Any], system: System, q_home: Array, model: Model | None, state: State | None
    ) -> ReferenceMotion | None:
        """Return the reference of the resolved table from `q_home` (n_q,) [rad or m], of a frame from where it is in `state`.

        None where it needs `model` or `state` and that could not be made. Raises `InvalidInput`.
        """


@checked
def planned(
    table: GuidanceTable,
    resolved: dict[str, Any],
    system: System,
    q_home: Array,
    model: Model | None,
    state: State | None,
) -> Planned | None:
    """Return the reference of a phase, which is made anew of where the phase begins; arguments as of `GuidanceTable.motion`.

    It is None where that gives none. Raises `InvalidInput` where that does.

    q_home : (n_q,) [rad or m] where the joints are when the phase begins, if all goes as planned

    >>> table, arm = GUIDANCE["joint_sequence"](type="joint_sequence"), mission.system
    >>> motion = planned(table, table.resolved(arm), arm, np.zeros(4), mission.model, mission.initial)
    >>> motion.t_end_s
    196.0
    """

    def motion(state: State | None, home: Array) -> ReferenceMotion | None:
        return table.motion(resolved, system, home, model, state)

    reference = motion(state, q_home)
    return None if reference is None else Planned(reference, q_home, cast(Motion, motion))


def frame_problems(key: str, name: str, system: System) -> list[Problem]:
    """Return what keeps `name` from being a frame of a system."""
    if name in system.frame_names:
        return []
    return [Problem(key, f"one of {', '.join(system.frame_names)}", repr(name), hint=nearest(name, system.frame_names))]


def followed_problems(key: str, name: str, system: System) -> list[Problem]:
    """Return what keeps `name` from being a frame of a free body of a system."""
    if problems := frame_problems(key, name, system):
        return problems
    body, roots = system.frame(name).body, [tree.root for tree in system.trees[1:]]
    expected = f"a frame of a free body, {', '.join(roots) or 'of which the system has none'}"
    return [] if body in roots else [Problem(key, expected, f"{name!r}, which is on {body!r}")]
