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
        "an ellipsoid of inertia is as large as the box",
        "scene/things/_boxes.py",
        "_sizes(2.5 * squares, body)",
        "_sizes(6 * squares, body)",
        tests=TESTS,
    ),
    Planted(
        "balls of masses have a third of their size", "scene/things/_boxes.py", "np.cbrt(3 * mass", "np.cbrt(mass", tests=TESTS
    ),
    Planted(
        "what is farther hides what is nearer",
        "scene/drawing/_raster.py",
        "seen = depth > self.depth[rows, columns]\n            rows, columns",
        "seen = depth < self.depth[rows, columns]\n            rows, columns",
        tests=TESTS,
    ),
    Planted(
        "momenta begin at the base",
        "scene/motion/_arrows.py",
        "at = centre_of_mass(history.system, poses)",
        "at = poses[:, 0, :3]",
        tests=TESTS,
    ),
    Planted(
        "numbers of pages are whole steps, cut off",
        "scene/viser/_packed.py",
        "np.rint(flat / step)",
        "np.floor(flat / step)",
        tests=TESTS,
    ),
    Planted("viewers round edges of boxes", "scene/viser/_smooth.py", "np.radians(40.0)", "np.radians(100.0)", tests=TESTS),
)
