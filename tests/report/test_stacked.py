"""Panels have their places from one look at what stands beside them."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from scmanip.report.figures._panels import curves, panels


@pytest.mark.parametrize("count", [1, 4])
def test_nothing_of_a_figure_is_cut_off_or_covered(count: int) -> None:
    figure, axes = panels("a system, floating", "what moves", ["a quantity [N m]"] * count)
    t = np.linspace(0.0, 1.0, 50)
    for axis in axes:
        curves(axis, t, 1e-5 * np.column_stack([t, t**2]), ["a first one", "a second one of a long name"])
    FigureCanvasAgg(figure).draw()
    boxes = [axis.get_tightbbox() for axis in axes]
    title = next(iter(figure.texts)).get_window_extent()
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 for box in boxes)
    assert boxes[0].y1 <= title.y0 and title.y1 <= figure.bbox.y1
    for above, below in pairwise(boxes):
        assert above.y0 >= below.y1
    heights = [axis.get_window_extent().height for axis in axes]
    assert max(heights) == pytest.approx(min(heights)) and max(heights) > 150
    assert boxes[0].x1 > 0.98 * figure.bbox.x1  # and no room is lost


def test_a_legend_of_all_panels_stands_below_them() -> None:
    figure, axes = panels("a system", "", ["a quantity [N m]"] * 5)
    lines = [axis.plot([0.0, 1.0], [0.0, 1.0])[0] for axis in axes]
    figure.legend(lines[:1], ["a run"], loc="lower center")
    FigureCanvasAgg(figure).draw()
    box = figure.legends[0].get_window_extent()
    assert box.y0 >= 0 and box.y1 <= axes[-1].get_tightbbox().y0
