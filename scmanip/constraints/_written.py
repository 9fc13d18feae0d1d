"""Whether constraints can be where a system has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import Problem, checked, folded, nearest
from ._constraint import Constraint
from ._quantities import WORDS, referred
from ._seen import GROUND
from ._surroundings import Surroundings


@checked
@dataclass(frozen=True, eq=False)
class WrittenConstraint:
    """A constraint in its place, made or as a file writes it.

    kind : its class
    said : its keys that are said, which nobody has checked
    report : makes a problem of a key, of what is expected, what is found and a hint

    >>> def report(key, expected, found, hint):
    ...     return f"{key}: expected {expected}, found {found}"
    >>> written = WrittenConstraint(Lock, {"name": "brake", "joint": "elbow"}, report)
    >>> list(written.references())
    [('joint', 'joint', 'elbow')]
    """

    kind: type[Constraint]
    said: Mapping[str, Any]
    report: Callable[[str, str, str, str], Problem]

    def references(self) -> Iterator[tuple[str, str, str]]:
        """Yield key, sort and name of all that it refers to."""
        for key, (quantity, _) in self.kind.keys().items():
            for name in referred(self.said.get(key)) if quantity.refers else ():
                yield key, quantity.refers, name


@checked
def constraint_problems(constraints: Iterable[WrittenConstraint], around: Surroundings) -> list[Problem]:
    """Return a problem for all that keeps constraints from their places, and for every name used twice.

    >>> def report(key, expected, found, hint):
    ...     return f"{key}: expected {expected}, found {found}"
    >>> around = Surroundings(joints={"joint1": ("rad",)})
    >>> constraint_problems([WrittenConstraint(Lock, {"name": "brake", "joint": "elbow"}, report)], around)
    ["joint: expected the name of a joint that moves, found 'elbow'"]
    """
    return list(_problems(constraints, around))


@checked
def ground_users(constraints: Iterable[WrittenConstraint]) -> list[str]:
    """Return, as problems show them, the constraints that take `ground` for the inertial frame.

    >>> def report(key, expected, found, hint):
    ...     return f"{key}: expected {expected}, found {found}"
    >>> said = {"name": "foot", "frames": ("tip", "ground"), "normal": [0, 0, 1]}
    >>> ground_users([WrittenConstraint(PointOnPlane, said, report)])
    ["constraint 'foot'"]
    """
    return [
        f"constraint {one.said.get('name')!r}"
        for one in constraints
        if any((sort, name) == ("frame", GROUND) for _, sort, name in one.references())
    ]


def _problems(constraints: Iterable[WrittenConstraint], around: Surroundings) -> Iterator[Problem]:
    used = set[str]()
    for one in constraints:
        name = one.said.get("name")
        if isinstance(name, str) and folded(name) in used:
            yield one.report("name", "a name used once", f"{name!r}, already a constraint", "")
        used.add(folded(str(name)))
        for key, sort, other in one.references():
            names = around.names(sort)
            if names is not None and other not in names:
                yield one.report(key, WORDS[sort], repr(other), nearest(other, names))
        for flaw in one.kind.mounting(one.said, around):
            yield one.report(*flaw)
