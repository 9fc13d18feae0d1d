"""From where a scene is seen, without perspective, so that lengths across the view are true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...spatial import FloatArray
from ._still import Still

_MARGIN = 1.16
_HEAD = 0.05
_AZIMUTHS = (-60, -35, -120, 30, -150, 60, 120, 150)  # degrees; of what is as good the first
_ELEVATIONS = (24, 40, 60)


@dataclass(frozen=True, eq=False)
class PictureCamera:
    """Axes (3, 3), rows to the right, up and towards the eye; what is in the middle (3,) and half of the picture's height [m].

    aspect : width over height
    """

    axes: FloatArray
    middle: FloatArray
    half_m: float
    aspect: float

    @classmethod
    def looking(cls, azimuth_deg: float, elevation_deg: float) -> PictureCamera:
        """Return one whose eye is there: azimuth about z from x, elevation above the x-y plane."""
        a, e = np.radians([azimuth_deg, elevation_deg])
        eye = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        return cls(np.stack([right, np.cross(eye, right), eye]), np.zeros(3), 1.0, 1.0)

    def seen(self, points: FloatArray) -> FloatArray:
        """Return points (n, 3) to the right, up and towards the eye, from the middle [m]."""
        found: FloatArray = (points - self.middle) @ self.axes.T
        return found

    def framing(self, points: FloatArray, aspect: float) -> PictureCamera:
        """Return it with all points (n, 3) in a picture of an aspect."""
        at = points @ self.axes.T
        low, high = at.min(axis=0), at.max(axis=0)
        half = _MARGIN * max((high[1] - low[1]) / 2, (high[0] - low[0]) / 2 / aspect, 1e-9)
        at_top = np.array([0.0, _HEAD * half, 0.0])  # room for a title
        return replace(self, middle=((low + high) / 2 + at_top) @ self.axes, half_m=float(half), aspect=aspect)


def good_view(stills: Sequence[Still], aspect: float) -> PictureCamera:
    """Return a camera that sees as much as it can of what is no hull, large, at all of the instants."""
    every = np.concatenate([still.points for still in stills])
    views = [PictureCamera.looking(a, e) for e in _ELEVATIONS for a in _AZIMUTHS]
    return max(views, key=lambda view: _worth(view, stills, every, aspect)).framing(every, aspect)


def _worth(view: PictureCamera, stills: Sequence[Still], every: FloatArray, aspect: float) -> float:
    """Return the mean part of the picture that what is not hidden spans, larger where the eye is low."""
    eye, framed = view.axes[2], view.framing(every, aspect)
    found = 0.0
    for still in stills:
        arms = [piece.vertices for piece in still.pieces if not piece.is_hull]
        points = np.concatenate(arms)[::7] if arms else still.points[::7]
        hidden = np.zeros(len(points), dtype=bool)
        for hull in (piece for piece in still.pieces if piece.is_hull):
            hidden |= _behind(points, hull.vertices, eye)
        visible = framed.seen(points[~hidden])
        spread = np.ptp(visible, axis=0)[:2] / framed.half_m if len(visible) > 3 else np.zeros(2)
        found += (1 - hidden.mean()) * (0.3 + spread[0] / aspect + spread[1])
    return found / len(stills) * (1.0 + 0.35 * float(np.linalg.norm(eye[:2])))


def _behind(points: FloatArray, hull: FloatArray, eye: FloatArray) -> FloatArray:
    """Return whether a box about a hull (n, 3), along N's axes, is between points (m, 3) and the eye; inside counts."""
    low, high = hull.min(axis=0), hull.max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (low - points) / eye, (high - points) / eye
    into, out = np.nanmax(np.minimum(one, other), axis=1), np.nanmin(np.maximum(one, other), axis=1)
    found: FloatArray = (into < out) & (out > 1e-6)
    return found
