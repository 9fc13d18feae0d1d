"""What a picture of a system shows, without anything that draws."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..spatial import FloatArray, dcm_from_quaternion
from ._item import Item

_ARROW = 0.35  # length of the longest arrow of a unit, of the size of the scene


@dataclass(frozen=True, eq=False)
class Trail:
    """The way of a point; points : (K, 3) in N [m]; colour : a word of `COLOURS`."""

    name: str
    points: FloatArray
    colour: str = "trail"


@dataclass(frozen=True, eq=False)
class Arrow:
    """A vector that changes with time, from a place that moves.

    group : what is shown and hidden together, such as "forces"; colour : a word of `COLOURS`
    unit : of `vector` (K, 3), in N; `Scene.metres_per(unit)` is how long one of it is drawn
    origin : (K, 3) in N [m]
    """

    name: str
    group: str
    unit: str
    origin: FloatArray
    vector: FloatArray
    colour: str = "force"
    shown: bool = True


@dataclass(frozen=True)
class Mark:
    """Something at a time [s]: kind "phase" where one begins, "event" for what happened."""

    t_s: float
    text: str
    kind: str = "event"


@dataclass(frozen=True, eq=False)
class Scene:
    """Solids on bodies, where these are over time, and what is drawn beside them.

    items : solids, on bodies or standing in N
    t_s : (K,) times [s], rising; one, 0, of a system at rest
    poses : (K, n_b, 7) of every body's frame: place of its origin in N [m], unit quaternion x, y, z, w to N, of continuous sign
    trails, arrows, marks : ways of points, vectors, and what happened when
    title : what is shown
    body_names : (n_b) names
    """

    items: tuple[Item, ...]
    t_s: FloatArray
    poses: FloatArray
    trails: tuple[Trail, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    marks: tuple[Mark, ...] = ()
    title: str = ""
    body_names: tuple[str, ...] = ()

    @property
    def groups(self) -> tuple[str, ...]:
        """Groups of its items and arrows, in order."""
        return tuple(dict.fromkeys([*(item.group for item in self.items), *(arrow.group for arrow in self.arrows)]))

    def at(self, t_s: FloatArray) -> Scene:
        """Return the scene at other times (k,): in between what it knows, straight ways and quaternions made unit again."""
        times = np.atleast_1d(np.asarray(t_s, dtype=float))
        poses = _between(times, self.t_s, self.poses)
        poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
        trails = tuple(replace(trail, points=_between(times, self.t_s, trail.points)) for trail in self.trails)
        arrows = tuple(
            replace(a, origin=_between(times, self.t_s, a.origin), vector=_between(times, self.t_s, a.vector))
            for a in self.arrows
        )
        return replace(self, t_s=times, poses=poses, trails=trails, arrows=arrows)

    def placed(self, item: Item, k: int) -> tuple[FloatArray, FloatArray]:
        """Return origin (3,) [m] and axes (3, 3) of an item in N at its k-th time."""
        if item.body is None:
            return item.r, item.R
        pose = self.poses[k, item.body]
        R = dcm_from_quaternion(pose[3:])
        return pose[:3] + R @ item.r, R @ item.R

    def points(self, k: int) -> FloatArray:
        """Return all corners and ends of lines (n, 3) [m] of bodies that are shown, in N at the k-th time."""
        found = [np.zeros((0, 3))]
        for item in self.items:
            if item.shown and item.group in ("bodies", "contact shapes"):
                r, R = self.placed(item, k)
                found.append(r + np.concatenate([item.solid.triangles().vertices, item.solid.lines().reshape(-1, 3)]) @ R.T)
        return np.concatenate(found)

    @cached_property
    def bounds(self) -> FloatArray:
        """(2, 3) lowest and highest coordinates of all bodies over all times [m]."""
        ks = range(0, len(self.t_s), max(1, len(self.t_s) // 20))
        points = np.concatenate([self.points(k) for k in {*ks, len(self.t_s) - 1}])
        return np.stack([points.min(axis=0), points.max(axis=0)]) if len(points) else np.array([[-0.5] * 3, [0.5] * 3])

    @cached_property
    def size_m(self) -> float:
        """How large the system is [m]: the diagonal of a box about it at the first time."""
        points = self.points(0)
        return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 1.0

    def metres_per(self, unit: str) -> float:
        """Return how many metres of arrow one of a unit is, so that the longest arrow is a third of the system."""
        sizes = [np.linalg.norm(arrow.vector, axis=1).max(initial=0.0) for arrow in self.arrows if arrow.unit == unit]
        longest = max(sizes, default=0.0)
        return _ARROW * self.size_m / longest if longest > 0 else 1.0


def _between(times: FloatArray, known: FloatArray, rows: FloatArray) -> FloatArray:
    """Return rows (k, ...) between rows (K, ...) at known times (K,)."""
    if len(known) == 1:
        return np.repeat(rows, len(times), axis=0)
    after = np.clip(np.searchsorted(known, times, side="right"), 1, len(known) - 1)
    step = known[after] - known[after - 1]
    part = np.clip(np.divide(times - known[after - 1], step, out=np.ones_like(times), where=step > 0), 0, 1)
    part = part.reshape(-1, *[1] * (rows.ndim - 1))
    found: FloatArray = rows[after - 1] * (1 - part) + rows[after] * part
    return found
