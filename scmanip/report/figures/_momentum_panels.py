"""A momentum split into what the base and what the arm carries."""

from __future__ import annotations

import numpy as np

from ...spatial import Array
from ._panels import COLOURS, COMPONENTS, Figure, lasting, legend, panels

_LOOKS = {
    "base": {"color": COLOURS[0], "linestyle": "-", "linewidth": 1.8},
    "arm": {"color": COLOURS[1], "linestyle": "--", "linewidth": 1.8},
    "sum": {"color": COLOURS[6], "linestyle": "-", "linewidth": 1.2},
}


def momentum_panels(subject: str, what: str, unit: str, t: Array, parts: dict[str, Array]) -> Figure:
    """Return x, y and z panels, each scaled to its own curves; what is mere rounding beside the others stays flat.

    subject, what : of the title
    unit : of the momentum, for the y labels
    t : (n,) [s]
    parts : (n, 3) series called "base", "arm" and "sum", and by what else stores some, inertial components
    """
    figure, axes = panels(subject, what, [f"along {c} [{unit}]" for c in COMPONENTS])
    scales, own = _scales(parts), {"linestyle": "-.", "linewidth": 1.8}
    stores = [name for name in parts if name not in _LOOKS]
    looks = _LOOKS | {name: {"color": COLOURS[2 + k], **own} for k, name in enumerate(stores)}
    for k, axis in enumerate(axes):
        lines = [axis.plot(t, series[:, k], **looks[name])[0] for name, series in parts.items()]  # type: ignore[arg-type]
        legend(axis, lines, list(parts))
        peaks = "\n".join(f"{name} {np.abs(series[:, k]).max():.3g}" for name, series in parts.items())
        axis.set_ylim(-1.08 * scales[k], 1.08 * scales[k])
        axis.text(1.02, 0.0, f"largest size:\n{peaks}", transform=axis.transAxes, fontsize="small", va="bottom")
    lasting(axes[-1], t)
    return figure


def _scales(parts: dict[str, Array]) -> Array:
    """Return (3,) the largest size shown in each panel, that of the whole figure where a panel has nothing to show."""
    sizes = np.abs(np.concatenate(list(parts.values())))
    peaks = np.where(np.isfinite(sizes), sizes, 0.0).max(axis=0)
    whole = peaks.max() or 1.0
    return np.where(peaks > 1e-6 * whole, peaks, whole)
