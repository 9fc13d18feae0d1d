"""Figures by name, which a cell of a notebook shows one below another."""

from __future__ import annotations

import base64
import io
from html import escape

from ..figures._panels import Figure

_DPI = 80  # 800 x 500 pixels


class DrawnFigures(dict[str, Figure]):
    """Figures by name; a notebook shows them all.

    >>> list(plot(history, "omega_0"))
    ['omega_0']
    """

    def _repr_html_(self) -> str:
        return "".join(_image(name, figure) for name, figure in self.items())


def _image(name: str, figure: Figure) -> str:
    made = io.BytesIO()
    figure.savefig(made, format="png", dpi=_DPI)
    data = base64.b64encode(made.getvalue()).decode()
    return f'<img alt="{escape(name.replace("_", " "))}" src="data:image/png;base64,{data}">'
