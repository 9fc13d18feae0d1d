"""Solids and lines as an image: a depth buffer, light by normals, dark edges where one thing ends before another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...spatial import Array, FloatArray
from ._camera import PictureCamera
from ._still import Piece, Still, Stroke

FINE = 2  # how many times finer an image is drawn than it is handed out, in both directions
_LIGHT = np.array([-0.45, 0.62, 0.64])  # to the light: right, up, towards the eye
_FILL = np.array([0.8, -0.1, 0.6])
_ROUND = 0.75  # cosine between the normals of faces that look like one surface
_MOST_SMOOTHED = 1500  # faces; what has more is fine enough as it is
_HIDDEN = 0.3  # how much of the colour of a line is seen through what is before it
_EDGE = 0.55  # how much darker edges are


class Image:
    """Pixels of height x width, with the depth, normal and number of what is nearest to the eye at each."""

    def __init__(self, camera: PictureCamera, height: int, background: tuple[int, int, int] = (255, 255, 255)) -> None:
        self.camera, self.height, self.width = camera, height * FINE, round(height * camera.aspect) * FINE
        shape = self.height, self.width
        self.depth = np.full(shape, -np.inf, dtype=np.float32)
        self.normal = np.zeros((*shape, 3), dtype=np.float32)  # unit vectors
        self.number = np.zeros(shape, dtype=np.int32)
        self.colour = np.broadcast_to(np.array(background, dtype=np.float32), (*shape, 3)).copy()

    def drawn(self, still: Still) -> NDArray[np.uint8]:
        """Return the image (height, width, 3) of an instant."""
        solid = [piece for piece in still.pieces if piece.opacity >= 1]
        for number, piece in enumerate(solid, 1):
            self._solid(piece, number)
        self._lit()
        for stroke in still.strokes:
            self._lines(stroke)
        through = [piece for piece in still.pieces if piece.opacity < 1]
        for piece in sorted(through, key=lambda p: float(self.camera.seen(p.vertices)[:, 2].mean())):
            self._through(piece)
        parts = [self.colour[i::FINE, j::FINE] for i in range(FINE) for j in range(FINE)]
        found: NDArray[np.uint8] = np.clip(sum(parts) / FINE**2 + 0.5, 0, 255).astype(np.uint8)
        return found

    def _pixels(self, points: FloatArray) -> FloatArray:
        """Return columns, rows and depths (n, 3) of points in N."""
        at = self.camera.seen(points)
        scale = self.height / 2 / self.camera.half_m
        return np.column_stack([self.width / 2 + at[:, 0] * scale, self.height / 2 - at[:, 1] * scale, at[:, 2]])

    def _solid(self, piece: Piece, number: int) -> None:
        at, normals = self._pixels(piece.vertices), corner_normals(piece.vertices, piece.faces) @ self.camera.axes.T
        for corners, normal in zip(at[piece.faces], normals, strict=True):
            found = self._covered(corners)
            if found is None:
                continue
            rows, columns, depth, weights = found
            seen = depth > self.depth[rows, columns]
            rows, columns = rows[seen], columns[seen]
            self.depth[rows, columns] = depth[seen]
            self.normal[rows, columns] = _unit(weights[seen] @ normal)
            self.number[rows, columns] = number
            self.colour[rows, columns] = piece.colour

    def _covered(self, corners: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp], FloatArray, FloatArray] | None:
        """Return rows, columns, depths and weights of the corners of all pixels whose middle a triangle covers."""
        (x0, y0, _), (x1, y1, _), (x2, y2, _) = corners.tolist()
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if area >= -1e-12:  # seen from inside, rows going down, or from its edge
            return None
        left, right = max(0, int(min(x0, x1, x2))), min(self.width - 1, int(max(x0, x1, x2)) + 1)
        top, bottom = max(0, int(min(y0, y1, y2))), min(self.height - 1, int(max(y0, y1, y2)) + 1)
        if left > right or top > bottom:
            return None
        X, Y = np.arange(left, right + 1) + 0.5, (np.arange(top, bottom + 1) + 0.5)[:, None]
        b = ((X - x0) * (y2 - y0) - (x2 - x0) * (Y - y0)) / area
        c = ((x1 - x0) * (Y - y0) - (X - x0) * (y1 - y0)) / area
        inside = (b >= 0) & (c >= 0) & (b + c <= 1)
        rows, columns = np.nonzero(inside)
        b, c = b[rows, columns], c[rows, columns]
        weights = np.stack([1 - b - c, b, c], axis=1)
        return rows + top, columns + left, weights @ corners[:, 2], weights

    def _lit(self) -> None:
        """Light what is there, and darken its edges."""
        there = self.number > 0
        self.colour[there] = np.minimum(255, self.colour[there] * light(self.normal[there])[:, None])
        self.colour *= 1 - _EDGE * self._edges()[..., None]

    def _edges(self) -> Array:
        """Return where (height, width) one thing ends before another, or a surface has a fold."""
        edge = np.zeros((self.height, self.width), dtype=np.float32)
        for here, there in (((slice(1, None), slice(None)), (slice(None, -1), slice(None))),
                            ((slice(None), slice(1, None)), (slice(None), slice(None, -1)))):  # fmt: skip
            other = self.number[here] != self.number[there]
            fold = (np.einsum("ijk,ijk->ij", self.normal[here], self.normal[there]) < 0.8) & ~other & (self.number[here] > 0)
            nearer = self.depth[here] >= self.depth[there]
            edge[here] = np.maximum(edge[here], np.where(other & nearer, 1.0, np.where(fold, 0.45, 0.0)))
            edge[there] = np.maximum(edge[there], np.where(other & ~nearer, 1.0, np.where(fold, 0.45, 0.0)))
        return edge

    def _lines(self, stroke: Stroke) -> None:
        radius = max(0.5, stroke.width * self.height / 2)
        span = np.arange(-int(radius) - 1, int(radius) + 2)
        offsets = np.array([(dy, dx) for dy in span for dx in span if dx * dx + dy * dy <= radius * radius + 0.25])
        near = 2 * self.camera.half_m / self.height * (radius + 2)  # lines on surfaces are seen
        rows, columns = list[NDArray[np.intp]](), list[NDArray[np.intp]]()
        for piece in stroke.pieces:
            (x0, y0, z0), (x1, y1, z1) = self._pixels(piece).tolist()
            n = int(max(abs(x1 - x0), abs(y1 - y0))) + 1
            part = np.linspace(0, 1, n + 1)
            x, y, depth = x0 + part * (x1 - x0), y0 + part * (y1 - y0), z0 + part * (z1 - z0)
            r = (np.round(y)[:, None] + offsets[:, 0]).astype(int).ravel()
            c = (np.round(x)[:, None] + offsets[:, 1]).astype(int).ravel()
            d = np.repeat(depth + near, len(offsets))
            inside = (r >= 0) & (r < self.height) & (c >= 0) & (c < self.width)
            r, c, d = r[inside], c[inside], d[inside]
            seen = d > self.depth[r, c]
            self.colour[r[seen], c[seen]] = stroke.colour
            rows.append(r[~seen])
            columns.append(c[~seen])
        if rows:
            hidden = np.zeros((self.height, self.width), dtype=bool)
            hidden[np.concatenate(rows), np.concatenate(columns)] = True
            self.colour[hidden] += _HIDDEN * (np.array(stroke.colour) - self.colour[hidden])

    def _through(self, piece: Piece) -> None:
        """Colour what is behind a piece once, where any of its faces is before it."""
        at, normals = self._pixels(piece.vertices), corner_normals(piece.vertices, piece.faces) @ self.camera.axes.T
        bright = np.zeros((self.height, self.width))
        for corners, normal in zip(at[piece.faces], normals, strict=True):
            if (found := self._covered(corners)) is not None:
                rows, columns, depth, weights = found
                seen = depth > self.depth[rows, columns]
                bright[rows[seen], columns[seen]] = light(_unit(weights[seen] @ normal))
        there = bright > 0
        own = np.minimum(255, np.array(piece.colour) * bright[there][:, None])
        self.colour[there] = piece.opacity * own + (1 - piece.opacity) * self.colour[there]


def light(normals: Array) -> Array:
    """Return how bright surfaces are of unit normals (n, 3) to the right, up and towards the eye."""
    key, fill = (np.maximum(0, normals @ (way / np.linalg.norm(way))) for way in (_LIGHT, _FILL))
    bright: Array = 0.5 + 0.5 * key + 0.1 * fill + 0.25 * key**24
    return bright


def _unit(vectors: FloatArray) -> FloatArray:
    """Return vectors (n, 3) made unit, those that are zero as they are."""
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    made: FloatArray = vectors / np.where(length > 0, length, 1)[:, None]
    return made


def corner_normals(vertices: FloatArray, faces: NDArray[np.intp]) -> FloatArray:
    """Return the normals (m, 3, 3) at the corners of faces (m, 3): means over faces that meet there without a fold."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    whole = np.cross(b - a, c - a)
    length = np.linalg.norm(whole, axis=1, keepdims=True)
    unit = whole / np.where(length > 0, length, 1)
    if len(faces) > _MOST_SMOOTHED:
        return np.repeat(unit[:, None], 3, axis=1)
    smooth = unit @ unit.T > _ROUND
    meets = np.zeros((len(vertices), len(faces)))
    for k in range(3):
        meets[faces[:, k], np.arange(len(faces))] = 1
    return np.stack([(meets[faces[:, k]] * smooth) @ whole for k in range(3)], axis=1)
