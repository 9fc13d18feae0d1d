"""Any series of a run, and all of a group, drawn by what the table of channels says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill

import numpy as np

from ...channels import Channel, for_people
from ...simulation import History
from ...spatial import Array
from ..figures._panels import ROUNDING, Figure, curves, panels, subject

MOST_PANELS = 4
_LETTERS = {1: 80, 2: 44, 3: 34}  # that a label has room for in a line, by the number of panels


@dataclass(frozen=True, eq=False)
class SeriesPanel:
    """Columns (n, k) that have a unit in common."""

    words: str
    unit: str
    names: tuple[str, ...]
    columns: Array


def series_figures(history: History, title: str, names: Sequence[str]) -> dict[str, Figure]:
    """Return the figures of series over time, as many as their panels need: `title`, `title`_2 and so on; angles in degrees.

    names : of series; those without entries are left out
    """
    found = [panel for name in names for panel in _panels(history, history.channels[name])]
    pages = [found[first : first + MOST_PANELS] for first in range(0, len(found), MOST_PANELS)] or [[]]
    keys = [title, *(f"{title}_{number}" for number in range(2, len(pages) + 1))]
    return {key: _figure(history, title.replace("_", " "), page) for key, page in zip(keys, pages, strict=True)}


def _figure(history: History, title: str, page: Sequence[SeriesPanel]) -> Figure:
    room = _LETTERS.get(len(page), 27)
    labels = [_label(panel, room) for panel in page]
    figure, axes = panels(subject(history), title, labels)
    for axis, panel in zip(axes, page, strict=False):
        axis.yaxis.label.set_fontsize(7.5)
        curves(axis, history.t, panel.columns, panel.names, ROUNDING)
    return figure


def _label(panel: SeriesPanel, room: int) -> str:
    """Return words and unit in lines of so many letters, the unit in one piece."""
    whole = panel.unit.replace(" ", "\N{NO-BREAK SPACE}")
    return fill(f"{panel.words} [{whole}]", room).replace("\N{NO-BREAK SPACE}", " ")


def _panels(history: History, channel: Channel) -> Iterator[SeriesPanel]:
    """Yield a panel per unit of a series; of tables the rows' sizes, where their last axis is one of space."""
    dimensions, axes = history.channels.dimensions, channel.axes.split()
    series = np.asarray(getattr(history, channel.name), dtype=np.float64)
    if 0 in series.shape:
        return
    last = dimensions[axes[-1]] if axes else None
    for unit, places in channel.parts(dimensions):
        own = series if places is None else series[..., places]
        names = ("",) if last is None else last.labels if places is None else tuple(last.labels[k] for k in places)
        words, own, names = _flat(channel, own, names, [dimensions[axis].labels for axis in axes[:-1]])
        people, size = for_people(unit)
        yield SeriesPanel(words, people, names, size * own)


def _flat(
    channel: Channel, series: Array, names: Sequence[str], above: Sequence[Sequence[str]]
) -> tuple[str, Array, tuple[str, ...]]:
    """Return words, columns (n, k) and their names for a series (n, ...) with the names of its last axis and those `above`."""
    words = channel.meaning
    if above and channel.frame:
        words, series, names = f"{words}, size", np.linalg.norm(series, axis=-1)[..., np.newaxis], ("",)
    for labels in reversed(above):
        names = [" ".join(filter(None, [label, name])) for label in labels for name in names]
    return words, series.reshape(len(series), -1), tuple(name or channel.name for name in names)
