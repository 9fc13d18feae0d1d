"""Stand still."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..spatial import Array
from ..system import Layout
from ._checks import row
from ._home import Home
from ._joint_reference import JointReference
from ._rate_steps import RateStepForm
from ._reference import Reference
from ._reference_form import ReferenceForm


class Hold(Reference):
    """Keep the joints at `q` (n_q,) [rad or m] from t = 0 on; there are no corners and the end is 0 s.

    layout : `system.layout`, needed where spherical joints have fewer rates than coordinates
    Raises `InvalidInput` for numbers that are not finite, and, with a layout, for a `q` that is none of it.
    """

    def __init__(self, q: ArrayLike, *, layout: Layout | None = None) -> None:
        home = Home.at("Hold q", q, layout)
        rest = row("Hold qdot", np.zeros(home.N))
        self._reference, self._form = JointReference(home.q, rest, rest), RateStepForm.of(home)
        self._numbers = self._form.rest(home.q)

    def at(self, t: float) -> JointReference:
        """Return q with zero rates and accelerations, at every `t` [s]."""
        del t
        return self._reference

    @property
    def form(self) -> ReferenceForm:
        """A rest, as between the steps of other references."""
        return self._form

    def numbers(self, t: float) -> Array:
        """Return the numbers of the rest, at every `t` [s]."""
        del t
        return self._numbers

    @property
    def corners_s(self) -> tuple[float, ...]:
        """No corners."""
        return ()

    @property
    def t_end_s(self) -> float:
        """0 s."""
        return 0.0

    def __repr__(self) -> str:
        return f"Hold(q={self._reference.q.tolist()})"
