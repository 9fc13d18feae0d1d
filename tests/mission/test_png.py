import io

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imread
from numpy.testing import assert_array_equal
from PIL import Image

from scmanip.mission.stored._png import Easel


def figure(**how: object) -> Figure:
    made = Figure(figsize=(2.0, 1.5), dpi=100, **how)  # type: ignore[arg-type]
    made.subplots().plot(np.sin(np.arange(20.0)))
    return made


def test_a_picture_has_the_pixels_that_matplotlib_draws_and_its_size_on_paper() -> None:
    easel = Easel()
    for how in ({}, {"facecolor": (1.0, 0.0, 0.0, 0.5)}):
        canvas = FigureCanvasAgg(figure(**how))
        with matplotlib.rc_context({"text.hinting": "no_hinting"}):
            canvas.draw()
        file = easel.png(figure(**how))
        assert_array_equal(np.round(255 * imread(io.BytesIO(file))), np.asarray(canvas.buffer_rgba()))
        with Image.open(io.BytesIO(file)) as image:
            image.verify()
            assert np.allclose(image.info["dpi"], 100, atol=0.01)
            assert image.info["Software"].startswith("Matplotlib")
