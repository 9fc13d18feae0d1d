"""Where panels go that stand one above another. Importing this file loads matplotlib: do it late."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.layout_engine import LayoutEngine

_PAD = 3.0 / 72.0  # around everything [in], and between panels
_LEAST = 0.05  # part of the figure's height that a panel has in any case


class Stacked(LayoutEngine):
    """Panels as wide and as high as what stands beside them leaves, all alike.

    Whatever is beside them is measured once; matplotlib's constrained layout measures it four times and solves for places,
    which takes as long as drawing does.
    """

    _adjust_compatible = True
    _colorbar_gridspec = False

    def execute(self, fig: Figure) -> None:
        """Place the panels of a figure, its title above them, and its legend, which is to be at the lower edge."""
        pad = _PAD * fig.dpi
        panels = [(axis.get_window_extent(), axis.get_tightbbox(for_layout_only=True)) for axis in fig.axes]
        boxes = [(panel, all_of_it) for panel, all_of_it in panels if all_of_it is not None]
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
