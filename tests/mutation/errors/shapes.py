"""Errors in shapes and the distances between them."""

from ..planted import Planted

ERRORS = (
    Planted(
        "the share of a second line is not taken back to the first",
        "shapes/pairs/_lines.py",
        "return _within((uv * t - uw) / uu), t",
        "return s, t",
    ),
    Planted(
        "lines that are parallel are nearest at an end",
        "shapes/pairs/_lines.py",
        "_within(maximum(one_end, other_end))) / 2",
        "_within(minimum(one_end, other_end))) / 2",
    ),
    Planted(
        "the way out of a box is through the last face",
        "shapes/pairs/_lines.py",
        "nearer = less(deepest, depths[i])",
        "nearer = less(depths[i], deepest)",
    ),
    Planted(
        "a mirrored distance keeps its normal",
        "shapes/pairs/_proximity.py",
        "-self.normal",
        "self.normal",
    ),
    Planted(
        "a shape on a frame is not turned with it",
        "shapes/_shape.py",
        "origin_m + dcm @ self.origin_m",
        "origin_m + self.origin_m",
    ),
    Planted(
        "sides of the second box run round as those of the first",
        "shapes/pairs/_between_boxes.py",
        "if (k % 2 == 0) == of_first else",
        "if k % 2 == 0 else",
    ),
    Planted(
        "edges of boxes that are nearest beyond their ends count",
        "shapes/pairs/_shortest_way.py",
        "select(met, g, _NONE)",
        "g",
    ),
    Planted(
        "a held place of two boxes crosses the edge of the other axis",
        "shapes/pairs/_between_boxes.py",
        "same(features[2], i + 1.0)",
        "same(features[2], 2.0 - i)",
    ),
)
