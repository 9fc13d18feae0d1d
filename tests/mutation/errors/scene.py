"""Errors planted in `scene`."""

from ..planted import Planted

TESTS = ("scene",)

ERRORS = (
    Planted(
        "the box of a body is that of its products",
        "scene/things/_boxes.py",
        "_sizes(6 * squares, body)",
        "_sizes(12 * squares, body)",
        tests=TESTS,
    ),
    Planted(
        "the frame of a link is its moved joint frame",
        "scene/motion/_poses.py",
        "R[:, number] @ joint.child_dcm",
        "R[:, number]",
        tests=TESTS,
    ),
    Planted("what is between two places is at the first", "scene/_scene.py", "+ rows[after] * part", "", tests=TESTS),
    Planted(
        "numbers of pages are whole steps, cut off",
        "scene/viser/_packed.py",
        "np.rint(np.nan_to_num(flat) / step)",
        "np.floor(np.nan_to_num(flat) / step)",
        tests=TESTS,
    ),
    Planted("viewers round edges of boxes", "scene/viser/_smooth.py", "np.radians(40.0)", "np.radians(100.0)", tests=TESTS),
)
