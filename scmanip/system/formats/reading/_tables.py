"""The tables of a system file as they are put together from another file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import chain, count
from typing import Any

import numpy as np

from ....spatial import Array, dcm_from_axis_angle
from ...files._assembled import AssembledDocument, SourcePlace
from ...files._schema import SCHEMA
from ...files._toml_places import KeyPath
from ...parts._angles import dcm_from_rpy


class Tables:
    """Tables of a system file, each with its place; other fields as of `AssembledDocument`."""

    def __init__(self, file: str, name: str) -> None:
        self.file, self.left_out = file, list[SourcePlace]()
        self.data: dict[str, Any] = {"schema": SCHEMA, "name": name, "base": {}}
        self.places: dict[KeyPath, SourcePlace] = {}
        self.called = dict[str, str]()

    def add(self, word: str, table: dict[str, Any], place: SourcePlace, **inner: SourcePlace) -> dict[str, Any]:
        """Add a table and return it; inner : places of tables in it."""
        rows = self.data.setdefault(word, [])
        path = (word, len(rows))
        self.places[path] = place
        self.places |= {(*path, key): where for key, where in inner.items()}
        rows.append(table)
        return table

    def base(self, table: dict[str, Any], place: SourcePlace, **inner: SourcePlace) -> None:
        """Say what the base is."""
        self.data["base"] |= table
        self.places["base",] = place
        self.places |= {("base", key): where for key, where in inner.items()}

    def leave_out(self, place: SourcePlace, what: str) -> None:
        """Note what the system has no word for."""
        self.left_out.append(place._replace(words=what))

    @property
    def document(self) -> AssembledDocument:
        """All of it."""
        return AssembledDocument.of(
            self.data, self.file, self.places, left_out=tuple(self.left_out), called=self.called, physical=True
        )


def unused(taken: Collection[str], name: str, *others: str, alike: Callable[[str], str] = str) -> str:
    """Return one of some names that is not taken, the first with a number behind it where all are.

    alike : what names of `taken` have in common with others that count as the same
    """
    numbered = (f"{name} {k}" for k in count(2))
    return next(each for each in chain((name, *others), numbered) if alike(each) not in taken)


def placed(xyz: list[float] | None, rpy: list[float] | None) -> dict[str, Any]:
    """Return the keys of a placement, without those that say nothing."""
    found: dict[str, Any] = {}
    if xyz and any(xyz):
        found["origin_m"] = list(xyz)
    if rpy and any(rpy):
        found["rpy_rad"] = list(rpy)
    return found


def pose_of(placement: dict[str, Any]) -> tuple[Array, Array]:
    """Return origin (3,) and rotation (3, 3) of a placement that says `rpy_rad` or `dcm`, if anything."""
    R = np.array(placement["dcm"]) if "dcm" in placement else dcm_from_rpy(placement.get("rpy_rad"), None)
    return np.array(placement.get("origin_m", np.zeros(3))), R


def placement_of(origin_m: Array, R: Array) -> dict[str, Any]:
    """Return the keys that say a pose."""
    found: dict[str, Any] = {}
    if np.any(origin_m):
        found["origin_m"] = np.asarray(origin_m, dtype=float).tolist()
    if np.any(np.eye(3) != R):
        found["dcm"] = np.asarray(R, dtype=float).tolist()
    return found


def following(joint: str, of: str, ratio: float = 1.0, offset: float = 0.0) -> dict[str, Any]:
    """Return the coupling of a joint that mimics another one, which always holds: q = ratio q_of + offset."""
    said: dict[str, Any] = {"type": "coupling", "name": f"{joint} mimics", "active": True, "joint": joint, "of": of}
    return said | ({"ratio": ratio} if ratio != 1 else {}) | ({"offset": offset} if offset else {})


def symmetric(tensor: Array) -> list[list[float]]:
    """Return an inertia (3, 3) that rounding made unsymmetric as rows of numbers."""
    half = (tensor + tensor.T) / 2
    return [[float(entry) for entry in row] for row in half]


def from_z(normal: Array) -> Array:
    """Return the least turn (3, 3) that takes z to a unit vector (3,)."""
    across = np.cross([0.0, 0.0, 1.0], normal)
    sine = float(np.linalg.norm(across))
    if sine == 0:
        return np.eye(3) if normal[2] > 0 else np.diag([1.0, -1.0, -1.0])
    return dcm_from_axis_angle(across / sine, np.arctan2(sine, normal[2]))
