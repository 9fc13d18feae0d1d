"""The kinds of joint that a file can name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ...plugins import Kinds
from ._fixed import Fixed
from ._free import Free
from ._gimbal import Gimbal
from ._kind import NOTHING, JointKind
from ._planar import Planar
from ._prismatic import Prismatic
from ._revolute import Revolute
from ._screw import Screw
from ._spherical import Spherical

_OWN = {kind.name: kind for kind in (Revolute(), Prismatic(), Screw(), Gimbal(), Planar(), Spherical(), Fixed(), Free())}


def _made(name: str, given: Any) -> JointKind | None:
    return _instance(given) if isinstance(given, type) and issubclass(given, JointKind) and given.name == name else None


@cache
def _instance(kind: type[JointKind]) -> JointKind:
    return kind()


KINDS: Kinds[JointKind] = Kinds("scmanip.joints", "joint.type", lambda: _OWN, _made, "a JointKind with name = {name!r}")


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
