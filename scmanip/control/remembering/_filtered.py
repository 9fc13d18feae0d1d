"""A law whose command goes through a low pass, and a notch [Franklin2010]."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import Problem, refuse
from ...plant import Plant
from ...spatial import Array, is_number
from ...system import State
from .._controller import Controller
from .._foreign import Law, controller_of
from .._recorded_law import RecordedLaw
from ._remembering import Remembering

NAMES = {"filtered": "", "filtered_rate": "/s", "notch": "", "notch_rate": "/s"}


class Filtered(Remembering):
    """`law` with every entry of its command through a low pass, of order one, or two where `damping` is given.

        dy/dt = w (n - y)    or    y'' = w^2 (n - y) - 2 damping w y'                                       [Franklin2010]
        n = c, with a notch    z'' = w_n^2 (c - z) - 2 width w_n z',   n = c - 2 width z' / w_n

    c is the command of the law inside and y what is commanded; the notch takes out w_n, (s^2 + w_n^2) / (s^2 + 2 width w_n s +
    w_n^2). Where it is `Sampled` it goes from look to look exactly as these equations do under a command that is held
    [Astrom1997]. It begins at zero. It adds phase lag, and inside a saturation it does not wind up.

    law : a `Controller`, an object with `command`, or a function (t, state) -> command
    bandwidth_rad_s : w, > 0 [rad/s]
    damping : > 0, such as 0.7; None for the first order
    notch_rad_s : w_n, > 0 [rad/s]; None for no notch
    notch_width : > 0
    plant : what is commanded; None: the law's estimate, in the mode that it was made for

    Raises `InvalidInput` for numbers that are not finite and > 0, what is no law or plant, and a law that knows no model
    without a plant.

    >>> smooth = Filtered(law, bandwidth_rad_s=20.0)
    >>> before, now = np.zeros(4), reference.at(0.0)
    >>> smooth.command(0.0, state, now, before)[0].tolist()
    [0.0, 0.0, 0.0, 0.0]
    >>> np.allclose(smooth.state_rate(0.0, state, now, before), 20.0 * law.command(0.0, state, now, None)[0])
    True
    """

    def __init__(
        self,
        law: Controller | Law | Callable[[float, State], ArrayLike],
        *,
        bandwidth_rad_s: float,
        damping: float | None = None,
        notch_rad_s: float | None = None,
        notch_width: float = 0.5,
        plant: Plant | None = None,
    ) -> None:
        given = {"bandwidth_rad_s": bandwidth_rad_s, "damping": damping, "notch_rad_s": notch_rad_s, "notch_width": notch_width}
        optional = [key for key in ("damping", "notch_rad_s") if given[key] is None]
        wrong = [
            key
            for key, value in given.items()
            if key not in optional and not (is_number(value) and value is not None and value > 0)
        ]
        refuse([Problem(key, "a finite number > 0", repr(given[key])) for key in wrong])
        self._command_of(controller_of(law), plant)
        self.numbers = {key: float(value) for key, value in given.items() if value is not None}

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, and its own."""
        return {**self.law.settings, **self.numbers}

    @property
    def equations(self) -> tuple[str, ...]:
        """Those of the law inside, and the low pass."""
        return *self.law.equations, "low_pass"

    @property
    def form(self) -> Hashable:
        """Which of its parts there are."""
        return tuple(self._rows)

    @property
    def _rows(self) -> list[str]:
        low = ["filtered"] if "damping" not in self.numbers else ["filtered", "filtered_rate"]
        return low if "notch_rad_s" not in self.numbers else [*low, "notch", "notch_rate"]

    @property
    def own_states(self) -> Mapping[str, str]:
        """What is commanded and, of the second order, its rate; z of the notch and its rate."""
        return {f"{row}_{name}": unit + NAMES[row] for row in self._rows for name, unit in self.units.items()}

    @property
    def own_numbers(self) -> Mapping[str, Array]:
        """A and B of the filter of one entry, "filter" = [A, B] (n, n + 1)."""
        rows = self._continuous
        if self.period_s is None:
            return {"filter": rows}
        from scipy.linalg import expm

        n = len(rows)
        return {"filter": expm(self.period_s * np.vstack([rows, np.zeros(n + 1)]))[:n]}

    @property
    def _continuous(self) -> Array:
        """[A, B] (n, n + 1)."""
        w, damping, w_n = self.numbers["bandwidth_rad_s"], self.numbers.get("damping"), self.numbers.get("notch_rad_s")
        n, rows = len(self._rows), np.zeros((len(self._rows), len(self._rows) + 1))
        through = np.zeros(n + 1)  # n, what the notch lets through, of all states and the command
        through[-1] = 1.0
        if w_n is not None:
            width, z = self.numbers["notch_width"], n - 2
            through[z + 1] = -2 * width / w_n
            rows[z, z + 1] = 1.0
            rows[z + 1, [z, z + 1, -1]] = -w_n * w_n, -2 * width * w_n, w_n * w_n
        if damping is None:
            rows[0] = w * through
            rows[0, 0] -= w
        else:
            rows[0, 1] = 1.0
            rows[1] = w * w * through
            rows[1, :2] -= w * w, 2 * damping * w
        return rows

    def step(self, command: Array, own: Array, numbers: Mapping[str, Array], x: Array, wanted: Any) -> tuple[Array, Array]:
        """Return y, and the rates of what it remembers, with a `period_s` what it does next."""
        rows = own.reshape(-1, len(self.units))
        after = numbers["filter"] @ np.concatenate([rows, command.reshape(1, -1)])
        return rows[0], after.ravel()

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        return self.recorded_row()

    def __repr__(self) -> str:
        return f"{self.of_itself}, {', '.join(f'{key}={value:g}' for key, value in self.numbers.items())})"
