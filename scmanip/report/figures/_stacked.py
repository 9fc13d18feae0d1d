"""Where panels go that stand one above another. Importing this file loads matplotlib: do it late."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.layout_engine import LayoutEngine
from matplotlib.transforms import Bbox, IdentityTransform, Transform, blended_transform_factory

_PAD = 3.0 / 72.0  # around everything [in], and between panels
_LEFT, _BELOW = 0, 1  # places among the extents of a box
_WORDS = "labelleft", "labelbottom"  # what says whether ticks have words there
_LEAST = 0.05  # part of the figure's height that a panel has in any case


class Stacked(LayoutEngine):
    """Panels as wide and as high as what stands beside them leaves, all alike.

    Whatever is beside them is measured once; matplotlib's constrained layout measures it four times and solves for places,
    which takes as long as drawing does. Labels of axes have their places from here too: where matplotlib is to find them, it
    works out the ticks of every axis eight times for a picture.
    """

    _adjust_compatible = True
    _colorbar_gridspec = False

    def execute(self, fig: Figure) -> None:
        """Place the panels of a figure, its title above them, and its legend, which is to be at the lower edge."""
        pad = _PAD * fig.dpi
        boxes = [(axis.get_window_extent(), _around(axis)) for axis in fig.axes if axis.get_visible()]
        if not boxes:
            return
        left = max(panel.x0 - all_of_it.x0 for panel, all_of_it in boxes) + pad
        right = max(all_of_it.x1 - panel.x1 for panel, all_of_it in boxes) + pad
        above = [all_of_it.y1 - panel.y1 + pad for panel, all_of_it in boxes]
        below = [panel.y0 - all_of_it.y0 + pad for panel, all_of_it in boxes]
        top, bottom = above[0] + _title(fig, pad), below[-1] + _legend(fig, pad)
        gap = max((low + high for low, high in zip(below, above[1:], strict=False)), default=0.0)
        width, height = fig.bbox.width, fig.bbox.height
        each = max((height - top - bottom - (len(boxes) - 1) * gap) / len(boxes), _LEAST * height)
        most = 1.0 - _LEAST
        fig.subplots_adjust(
            left=min(left / width, most / 2),
            right=max(1.0 - right / width, most / 2 + _LEAST),
            bottom=min(bottom / height, most / 2),
            top=max(1.0 - top / height, most / 2 + _LEAST),
            hspace=gap / each,
        )
        for axis in fig.axes:
            _with_labels(axis)


def _around(axes: Axes) -> Bbox:
    """Return what a panel and all that stands beside it take [px]."""
    spines = [*axes.spines.values()]
    others = [artist.get_tightbbox() for artist in axes.get_default_bbox_extra_artists() if artist not in spines]
    return Bbox.union([_with_labels(axes), *_somewhere(others)])


def _with_labels(axes: Axes) -> Bbox:
    """Put the labels of a panel beside its ticks, on the left and below, and return what it takes with all of them [px]."""
    panel = axes.get_window_extent()
    across = blended_transform_factory(axes.transAxes, IdentityTransform())
    up = blended_transform_factory(IdentityTransform(), axes.transAxes)
    return Bbox.union([_labelled(axes.yaxis, panel, _LEFT, up), _labelled(axes.xaxis, panel, _BELOW, across)])


def _labelled(axis: Axis, panel: Bbox, side: int, places: Transform) -> Bbox:
    """Put a label beside the ticks of an axis, and return what they and the panel take [px].

    side : which of the extents of a box it is that the label is beyond
    places : of the label, in pixels across the axis and in parts of it along
    """
    label, pixels = axis.label, axis.axes.figure.dpi / 72.0
    edge = panel.extents[side] - axis.get_major_ticks(1)[0].get_tick_padding() * pixels
    boxes = [panel]
    axis.set_label_coords(*label.get_position(), places)  # or matplotlib looks for its place
    if axis.get_tick_params().get(_WORDS[side], True):
        seen = label.get_visible()
        label.set_visible(False)  # where it is does not matter yet
        words = _somewhere([axis.get_tightbbox()])
        label.set_visible(seen)
        boxes += words
        edge = min([edge, *(box.extents[side] for box in words)])
    place = [*label.get_position()]
    place[side] = edge - axis.labelpad * pixels
    axis.set_label_coords(place[0], place[1], places)
    ends = [*panel.extents]
    ends[side] = min(edge, label.get_window_extent().extents[side] if label.get_text() else edge)
    return Bbox.union([*boxes, Bbox.from_extents(*ends)])


def _somewhere(boxes: Iterable[Bbox | None]) -> list[Bbox]:
    """Return the boxes that are anywhere."""
    return [box for box in boxes if box is not None and np.isfinite(box.extents).all()]


def _legend(figure: Figure, pad: float) -> float:
    """Return the height [px] that legends of the whole figure take; 0 where there are none."""
    return max((legend.get_window_extent().height + pad for legend in figure.legends), default=0.0)


def _title(figure: Figure, pad: float) -> float:
    """Put the title to the upper edge, and return the height [px] that it takes; 0 where there is none."""
    said = figure.get_suptitle()
    title = next((text for text in figure.texts if said and text.get_text() == said), None)
    if title is None:
        return 0.0
    title.set_y(1.0 - pad / figure.bbox.height)
    return title.get_window_extent().height + pad
