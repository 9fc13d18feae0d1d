"""The kinds of joint that a file can name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from ...errors import InvalidInput, Problem
from ...plugins import broken, load, offered
from ._fixed import Fixed
from ._gimbal import Gimbal
from ._kind import NOTHING, JointKind
from ._planar import Planar
from ._prismatic import Prismatic
from ._revolute import Revolute
from ._screw import Screw
from ._spherical import Spherical

GROUP = "scmanip.joints"
"""Entry points of installed packages in which further kinds are found, by their names."""
_OWN = {kind.name: kind for kind in (Revolute(), Prismatic(), Screw(), Gimbal(), Planar(), Spherical(), Fixed())}


class _Kinds(Mapping[str, JointKind]):
    """Our own kinds, then those of installed packages, which are loaded when they are asked for."""

    def __getitem__(self, name: str) -> JointKind:
        return _OWN[name] if name in _OWN else _loaded(name)

    def __contains__(self, name: object) -> bool:
        return name in _OWN or name in offered(GROUP)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*_OWN, *offered(GROUP)]))

    def __len__(self) -> int:
        return sum(1 for _ in self)


KINDS = _Kinds()


@cache
def _loaded(name: str) -> JointKind:
    kind = load(GROUP, name, "joint.type")
    if not (isinstance(kind, type) and issubclass(kind, JointKind)) or kind.name != name:
        raise InvalidInput(Problem("joint.type", f"a JointKind with name = {name!r}", broken(GROUP, name, repr(kind))))
    return kind()


def kind_of(table: Any) -> JointKind | None:
    """Return the kind of a joint in a file that nobody has checked, None where it says none that is known."""
    name = table.get("type") if isinstance(table, Mapping) else None
    return KINDS.get(name) if isinstance(name, str) else None


def joint_numbers(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a `Joint` needs beside type and placement, in SI, from a table of a file that has been checked."""
    kind = KINDS[table["type"]]
    numbers = {name: table[name] for name in kind.keys if name in table}
    for what in kind.passive:
        found = [kind.passive_number(what, k, table) for k in range(len(kind.freedoms))]
        if any(found):
            none = NOTHING[what]
            numbers[what] = [none if one is None else one[1] for one in found]
    return {name: value[0] if isinstance(value, list) and len(value) == 1 else value for name, value in numbers.items()}
