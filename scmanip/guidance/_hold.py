"""Stand still."""

from __future__ import annotations

from numpy.typing import ArrayLike

from ..system import Layout
from ._home import Home
from ._rate_steps import RateSteps


class Hold(RateSteps):
    """Keep the joints at `q` (n_q,) [rad or m] from t = 0 on: a rest without steps or corners, whose end is 0 s.

    By definition all rates are zero.

    layout : `system.layout`, needed where spherical joints have fewer rates than coordinates
    Raises `InvalidInput` for numbers that are not finite, and, with a layout, for a `q` that is none of it.

    >>> Hold([0.3, -0.2]).at(100.0).q.tolist(), Hold([0.3, -0.2]).t_end_s
    ([0.3, -0.2], 0.0)
    """

    corners_s = ()

    def __init__(self, q: ArrayLike, *, layout: Layout | None = None) -> None:
        home = Home.at("Hold q", q, layout)
        super().__init__(home, ())
        self._q = home.q

    def __repr__(self) -> str:
        return f"Hold(q={self._q.tolist()})"
