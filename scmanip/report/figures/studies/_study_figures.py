"""Figures of many cases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....channels import heading
from ....errors import checked
from ....spatial import Array
from ....study import Pareto, Sensitivity, Side, ranks
from .._panels import COLOURS, Axes, Figure

POINTS = 200  # of a distribution's curve
INFEASIBLE = "0.7"


@checked
def distribution_figure(values: Array, name: str, limits: Sequence[float] = (), confidence: float = 0.9) -> Figure:
    """Return the histogram of a metric's values (n,) above their distribution with its pointwise bounds by order statistics.

    values, limits : in the metric's unit, with which its name ends

    >>> values = np.random.default_rng(1).normal(3.0, 0.2, 200)
    >>> len(distribution_figure(values, "base_rotation_deg", limits=[3.5]).axes)
    2
    """
    figure, (above, below) = _axes(2, heading(name))
    above.hist(values, bins=min(60, max(8, int(np.sqrt(len(values))))), color=COLOURS[0])
    above.set_ylabel("number of cases")
    ordered = np.sort(values)
    shares = (np.arange(1, POINTS) / POINTS).tolist()
    low, high = np.array([ranks(len(values), share, confidence, Side.BOTH) for share in shares]).T
    below.plot(np.quantile(ordered, shares, method="inverted_cdf"), shares, color=COLOURS[0], linewidth=1.6, label="cases")
    left, right = (np.where(rank > 0, ordered[np.maximum(rank, 1) - 1], np.nan) for rank in (low, high))
    below.fill_betweenx(shares, left, right, color=COLOURS[5], alpha=0.4, label=f"{100 * confidence:g} % bounds")
    for axis in (above, below):
        for number, limit in enumerate(limits):
            axis.axvline(limit, color=COLOURS[1], linestyle="--", linewidth=1.4, label="" if number else "limit")
    below.set_ylabel("share of cases [1]")
    below.set_xlabel(heading(name), parse_math=False)
    below.legend(frameon=False)
    return figure


@checked
def sensitivity_figure(found: Sensitivity, most: int = 10) -> Figure:
    """Return the shares of a metric's variance by input, the largest at the top, `most` of them.

    >>> from scmanip.study import sensitivity
    >>> found = sensitivity(cases, "propellant_kg", rng=np.random.default_rng(1))
    >>> [label.get_text() for label in sensitivity_figure(found).axes[0].get_yticklabels()]
    ['mass [kg]', 'gain']
    """
    figure, (axis,) = _axes(1, f"what {heading(found.metric)} depends on")
    ranked = found.ranked[:most][::-1]
    places = np.arange(len(ranked))
    for offset, colour, word in ((0.2, COLOURS[0], "first"), (-0.2, COLOURS[1], "total")):
        shares = np.array([getattr(index, word) for index in ranked])
        bounds = [getattr(index, f"{word}_interval") for index in ranked]
        below = np.maximum(shares - [bound.low for bound in bounds], 0.0)
        over = np.maximum([bound.high for bound in bounds] - shares, 0.0)
        label = {"first": "by itself", "total": "with all others"}[word]
        axis.barh(places + offset, shares, 0.36, xerr=[below, over], color=colour, label=label, ecolor="0.3")
    axis.set_yticks(places, [heading(index.name) for index in ranked], parse_math=False)
    axis.set_xlabel("share of variance [1]")
    axis.set_xlim(0.0, 1.0)
    axis.legend(frameon=False)
    return figure


@checked
def pareto_figure(found: Pareto) -> Figure:
    """Return two metrics against each other: cases that break a limit grey, those that no other beats joined.

    >>> from scmanip.study import Sense, pareto
    >>> both = {"base_rotation_deg": Sense.MIN, "propellant_kg": Sense.MIN}
    >>> pareto_figure(pareto(cases, both)).axes[0].get_xlabel()
    'base rotation [deg]'
    """
    (x_name, x), (y_name, y) = [(name, found.values[:, k]) for k, name in enumerate(list(found.senses)[:2])]
    figure, (axis,) = _axes(1, f"{heading(y_name)} against {heading(x_name)}")
    broken, fine = ~found.feasible, found.feasible & ~found.best
    axis.scatter(x[broken], y[broken], s=14, color=INFEASIBLE, marker="x", label="breaks a limit")
    axis.scatter(x[fine], y[fine], s=16, color=COLOURS[5], label="keeps all limits")
    front = np.flatnonzero(found.best)
    front = front[np.argsort(x[front], kind="stable")]
    axis.plot(x[front], y[front], color=COLOURS[0], marker="o", markersize=6, linewidth=1.4, label="no other beats it")
    axis.set_xlabel(heading(x_name), parse_math=False)
    axis.set_ylabel(heading(y_name), parse_math=False)
    axis.legend(frameon=False)
    return figure


def _axes(count: int, title: str) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 2.2 + 1.7 * count), dpi=160, layout="constrained")
    figure.suptitle(title, parse_math=False)
    axes = list(figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0])
    for axis in axes:
        axis.grid(visible=True, color="0.88", linewidth=0.8)
        axis.set_axisbelow(True)
    return figure, axes
