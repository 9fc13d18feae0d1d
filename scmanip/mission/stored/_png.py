"""A figure as a PNG file."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...report import Figure

_INCH = 0.0254  # [m]
_UNFITTED: Any = {"text.hinting": "no_hinting"}
_UP = 2  # of PNG's filters: what is other than in the row above
_LEVEL = 3  # of compression; 6 takes three times as long for a sixth less


def load() -> None:
    """Load what an `Easel` is made with, which takes longer than to draw a figure."""
    import matplotlib.backends.backend_agg
    import matplotlib.figure  # noqa: F401


class Easel:
    """What figures are drawn on, one after the other; how large words are is measured once for all of them.

    >>> Easel().png(plot(history, "omega_0")["omega_0"])[1:4]
    b'PNG'
    """

    def __init__(self) -> None:
        self._canvas: Any = None

    def png(self, figure: Figure) -> bytes:
        """Return a figure as a file.

        Matplotlib's `savefig` would draw it twice, the first time for nothing, and have five filters tried on each row. Letters
        are as many pixels high that nobody sees whether they were fitted to them, which takes a tenth of the time.
        """
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        if self._canvas is None:
            self._canvas = FigureCanvasAgg(figure)
        canvas = self._canvas
        canvas.figure = figure
        figure.set_canvas(canvas)
        with matplotlib.rc_context(_UNFITTED):
            canvas.draw()
        maker = f"Matplotlib version{matplotlib.__version__}, https://matplotlib.org/"
        return _file(np.asarray(canvas.buffer_rgba()), figure.dpi, maker)


def _file(pixels: NDArray[np.uint8], dpi: float, maker: str) -> bytes:
    """Return pixels (height, width, 4), red, green, blue and how opaque, as a file."""
    height, width, channels = pixels.shape
    colours = pixels.reshape(height, width * channels)
    rows = np.full((height, 1 + width * channels), _UP, dtype=np.uint8)
    rows[0, 1:] = colours[0]
    np.subtract(colours[1:], colours[:-1], out=rows[1:, 1:])  # modulo 256, as PNG has it
    per_metre = round(dpi / _INCH)
    parts = (
        _chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 6, 0, 0, 0)),
        _chunk(b"tEXt", b"Software\0" + maker.encode("latin-1")),
        _chunk(b"pHYs", struct.pack(">2IB", per_metre, per_metre, 1)),
        _chunk(b"IDAT", zlib.compress(rows.data, _LEVEL)),
        _chunk(b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
