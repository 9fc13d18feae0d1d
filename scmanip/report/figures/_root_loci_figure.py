"""Poles of a loop over configurations and payloads."""

from __future__ import annotations

import numpy as np

from ...analysis import RootLoci
from ...channels import heading
from ...errors import InvalidInput, Problem, checked, expect
from ...spatial import Array
from ._panels import Axes, Figure

RATIOS = (0.2, 0.4, 0.6, 0.8)


@checked
def root_loci_figure(found: RootLoci, title: str = "", *, within_rad_s: float = np.inf) -> Figure:
    """Return the poles of a loop in the complex plane, coloured along the first axis of the grid, the least damped by name.

    within_rad_s : faster ones are not shown, and counted; of samples it has no meaning
    Raises `InvalidInput` for poles at one point alone.

    >>> from scmanip.analysis import root_loci
    >>> found = root_loci(plant, state, law, grid={"joint2": [0.0, 0.5, 1.0]}, momenta="remove")
    >>> root_loci_figure(found).axes[0].get_xlabel()
    'real part [rad/s]; grey: damping ratios 0.2, 0.4, 0.6, 0.8'
    """
    expect("found", found, RootLoci, "RootLoci")
    if not found.axes:
        raise InvalidInput(Problem("found", "poles over a grid", "those of one point", hint="root_loci(..., grid={...})"))
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 6.25), dpi=160, layout="constrained")
    axis = figure.subplots()
    poles = np.where(abs(found.poles) <= (np.inf if found.period_s is not None else within_rad_s), found.poles, np.nan)
    name, values = next(iter(found.axes.items()))
    colour = np.broadcast_to(values.reshape(-1, *[1] * (found.poles.ndim - 1)), found.poles.shape)
    drawn = axis.scatter(poles.real, poles.imag, c=colour, s=14, cmap="cividis", linewidths=0, zorder=3)
    figure.colorbar(drawn, ax=axis).set_label(heading(name), parse_math=False)
    worst = found.worst
    at = ", ".join(f"{each} = {value:.4g}" for each, value in worst.at.items())
    axis.plot([worst.pole.real] * 2, [worst.pole.imag, -worst.pole.imag], "o", color="black", fillstyle="none", markersize=10)
    axis.set_title(f"least damped: {worst.damping:.3g} at {at}", fontsize=10, parse_math=False)
    figure.suptitle(title, parse_math=False)
    (_of_samples if found.period_s is not None else _continuous)(axis, poles)
    return figure


def _continuous(axis: Axes, poles: Array) -> None:
    """Draw axes and lines of equal damping."""
    poles, beyond = poles[np.isfinite(poles)], np.count_nonzero(~np.isfinite(poles))
    reach = 1.2 * abs(poles).max(initial=1e-9)
    for ratio in RATIOS:
        x, y = -reach * ratio, reach * np.sqrt(1 - ratio**2)
        axis.plot([x, 0, x], [y, 0, -y], color="0.8", linewidth=0.8, zorder=1)
    limits = poles.real.min(initial=0.0), poles.real.max(initial=0.0), abs(poles.imag).max(initial=0.0)
    margin = 0.08 * max(limits[1] - limits[0], 2 * limits[2], 1e-9)
    axis.set_xlim(limits[0] - margin, max(limits[1], 0.0) + margin)
    axis.set_ylim(-limits[2] - margin, limits[2] + margin)
    axis.axvline(0.0, color="0.4", linewidth=0.8, zorder=1)
    axis.axhline(0.0, color="0.4", linewidth=0.8, zorder=1)
    faster = f"; {beyond} faster poles are not shown" if beyond else ""
    axis.set_xlabel(f"real part [rad/s]; grey: damping ratios 0.2, 0.4, 0.6, 0.8{faster}")
    axis.set_ylabel("imaginary part [rad/s]")


def _of_samples(axis: Axes, poles: Array) -> None:
    """Draw the unit circle."""
    del poles
    turn = np.linspace(0, 2 * np.pi, 200)
    axis.plot(np.cos(turn), np.sin(turn), color="0.4", linewidth=0.8, zorder=1)
    axis.set_aspect("equal")
    axis.set_xlabel("real part, from sample to sample")
    axis.set_ylabel("imaginary part")
