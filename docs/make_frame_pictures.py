"""Draw the frames of the conventions: `python docs/make_frame_pictures.py`."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import ArrayLike

from scmanip.spatial import dcm_from_euler

FIGURES = Path(__file__).parent / "figures"
X_Y_Z = ("#c0392b", "#2e8b57", "#2f5fb3")
ACROSS = np.array([[0.90, -0.45, 0.0], [-0.18, -0.36, 0.92]]) * [1, -1, 1]


def on_paper(points: ArrayLike) -> np.ndarray:
    """Return places on paper (..., 2) of points (..., 3)."""
    return np.asarray(points, dtype=float) @ ACROSS.T


def frame(axes: plt.Axes, origin: ArrayLike, R: np.ndarray, name: str, length: float = 0.8) -> None:
    """Draw a frame with columns of R as its axes."""
    start = on_paper(origin)
    for column, colour, letter in zip(R.T, X_Y_Z, "xyz", strict=True):
        end = on_paper(np.asarray(origin) + length * column)
        axes.plot(*np.array([start, start + 1.25 * (end - start)]).T, alpha=0)  # room for it
        axes.annotate(
            "",
            end,
            start,
            annotation_clip=False,
            arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 2, "shrinkA": 0, "shrinkB": 0},
        )
        axes.text(*(start + 1.14 * (end - start)), letter, color=colour, ha="center", va="center", fontsize=10)
    axes.text(*np.add(start, [-0.1, -0.16]), name, fontsize=13, weight="bold", ha="center", va="center")


def arrow(axes: plt.Axes, start: ArrayLike, end: ArrayLike, text: str, off: tuple[float, float]) -> None:
    """Draw a vector between points with what it is called."""
    a, b = on_paper(start), on_paper(end)
    axes.annotate(
        "",
        b,
        a,
        annotation_clip=False,
        arrowprops={"arrowstyle": "-|>", "color": "0.25", "lw": 1.3, "ls": "-", "shrinkA": 2, "shrinkB": 4},
    )
    axes.text(*((a + b) / 2 + off), text, fontsize=12, color="0.2", ha="center", va="center")


def box(axes: plt.Axes, centre: ArrayLike, R: np.ndarray, size: ArrayLike, colour: str) -> None:
    """Draw a body as a box."""
    corners = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) / 2 * size
    places = on_paper(corners @ R.T + centre)
    for face in ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)):
        axes.fill(*places[list(face)].T, facecolor=colour, edgecolor="0.45", alpha=0.22, lw=0.8)


def sheet(name: str, size: tuple[float, float]) -> tuple[plt.Figure, plt.Axes]:
    """Return an empty sheet."""
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    axes.set_aspect("equal")
    axes.axis("off")
    return figure, axes


def base_and_system() -> plt.Figure:
    """Draw N, B, the centres of mass 0 and C, and r_0, r_0C."""
    figure, axes = sheet("frames", (7.5, 4.2))
    R, centre = dcm_from_euler(0.1, -0.25, 0.35), np.array([2.6, 0.4, 0.9])
    origin = centre + R @ [-0.55, 0.0, -0.45]
    box(axes, centre, R, [1.5, 1.1, 1.2], "#7f8c8d")
    elbow, tip = centre + R @ [1.7, 0, 1.2], centre + R @ [2.9, 0, 0.6]
    shoulder = centre + R @ [0.75, 0, 0.4]
    axes.plot(*on_paper([shoulder, elbow, tip]).T, color="#d9822b", lw=7, solid_capstyle="round", alpha=0.75)
    frame(axes, [0, 0, 0], np.eye(3), "N")
    frame(axes, origin, R, "B", 0.6)
    whole = centre + R @ [0.75, 0, 0.25]
    arrow(axes, [0, 0, 0], centre, "r_0", (-0.1, 0.14))
    arrow(axes, centre, whole, "r_0C", (0.0, 0.15))
    for point, text, off in ((centre, "0", (-0.12, 0.1)), (whole, "C", (0.13, -0.1)), (tip, "tip", (0.2, 0.0))):
        axes.plot(*on_paper(point), "o", color="black", ms=5)
        axes.text(*np.add(on_paper(point), off), text, fontsize=12, ha="center", va="center")
    return figure


def joint() -> plt.Figure:
    """Draw a parent's frame, the joint frame in it, and the child's frame after a turn about z."""
    figure, axes = sheet("joint", (7.5, 3.6))
    place, R = np.array([1.8, 0.0, 0.5]), dcm_from_euler(0.0, 0.0, 0.25)
    turned = R @ dcm_from_euler(0.0, 0.0, 0.7)
    box(axes, [0.7, 0, 0.1], np.eye(3), [1.8, 0.5, 0.5], "#7f8c8d")
    box(axes, place + turned @ [0.9, 0, 0], turned, [1.6, 0.25, 0.25], "#d9822b")
    frame(axes, [0, 0, 0], np.eye(3), "parent", 0.7)
    arrow(axes, [0, 0, 0], place, "origin_m", (0.05, 0.16))
    for column, colour in zip(R.T, X_Y_Z, strict=True):
        axes.plot(*on_paper([place, place + 0.9 * column]).T, ":", color=colour, lw=2)
    axes.text(*np.add(on_paper(place + 1.02 * R[:, 0]), [0.25, -0.06]), "joint frame", fontsize=10, color="0.3")
    frame(axes, place, turned, "", 0.8)
    axes.text(*(on_paper(place + 1.9 * turned[:, 0])), "child, its frame at q", fontsize=10, color="0.2")
    angles = np.linspace(0, 0.7, 20)
    arc = place + 0.6 * (np.cos(angles)[:, None] * R[:, 0] + np.sin(angles)[:, None] * R[:, 1])
    axes.plot(*on_paper(arc).T, color="black", lw=1)
    axes.text(*np.add(on_paper(arc[10]), [0.12, 0.02]), "q", fontsize=12)
    return figure


def orbit() -> plt.Figure:
    """Draw N at a planet, the orbit and the orbital frame."""
    figure, axes = sheet("orbit", (6.5, 4.0))
    angles = np.linspace(0, 2 * np.pi, 200)
    axes.plot(*on_paper(2.0 * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])).T, color="0.5", lw=1)
    axes.add_patch(plt.Circle((0, 0), 0.45, color="#9ec5e8", alpha=0.8))
    at = -0.6
    out, along = np.array([np.cos(at), np.sin(at), 0]), np.array([-np.sin(at), np.cos(at), 0])
    arrow(axes, [0, 0, 0], 2.0 * out, "", (0, 0))
    frame(axes, 2.0 * out, np.column_stack([out, along, [0, 0, 1]]), "O", 0.75)
    frame(axes, [0, 0, 0], np.eye(3), "", 0.9)
    axes.text(0.05, 1.08, "axes of N", fontsize=10)
    axes.text(*np.add(on_paper(2.0 * out), [-2.3, -0.35]), "origin of N moves along the orbit", fontsize=10, color="0.3")
    return figure


def main() -> None:
    """Write all pictures."""
    for name, draw in {"frames": base_and_system, "joint_frames": joint, "orbital_frame": orbit}.items():
        draw().savefig(FIGURES / f"{name}.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
