"""Errors planted in `scene`."""

from ..planted import Planted

TESTS = ("scene",)

ERRORS = (
    Planted(
        "the box of a body is that of its products",
        "scene/_bodies.py",
        "6 * (moments.sum() - 2 * moments)",
        "12 * (moments.sum() - 2 * moments)",
        tests=TESTS,
    ),
    Planted("the frame of a link is its moved joint frame", "scene/_poses.py", "R @ joint.child_dcm", "R", tests=TESTS),
    Planted("what is between two places is at the first", "scene/_scene.py", "+ rows[after] * part", "", tests=TESTS),
)
