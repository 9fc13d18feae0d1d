"""The forms in which a quantity can be computed, and which of them rival for it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from ..recursions._differentiated import DIFFERENTIATED
from ..recursions._link_equations import OFFERED
from ..recursions._motion_derivatives import PAIRED
from ..recursions._regressor import REGRESSORS
from ._quantities import Asked


class Form(Enum):
    """One way to a quantity; the value is what a model's card calls it."""

    RECURSION = "recursion in link axes"
    ELIMINATION = "composite bodies and elimination of the base"
    ARTICULATED_BODIES = "articulated bodies"
    DIFFERENTIATION = "differentiation of the program of H"
    BODIES = "body by body"
    PAIRS = "closed form over pairs of joints"
    SUMS = "sums over links [Wilde2018]"

    @property
    def word(self) -> str:
        """The name in short, in small letters."""
        return self.name.lower().replace("_", " ")


FormOf = Callable[[Asked], Form]


def rivals(asked: Asked) -> tuple[Form, ...]:
    """Return the forms that give a quantity; of equally good ones the first is taken."""
    source = asked.quantity.source
    if source == "forward_dynamics":
        return Form.ELIMINATION, Form.ARTICULATED_BODIES, Form.SUMS
    if source in REGRESSORS:
        return (Form.BODIES,)
    if source in PAIRED:
        return (Form.PAIRS,)
    if source in DIFFERENTIATED:
        return Form.DIFFERENTIATION, Form.SUMS
    return (Form.RECURSION, Form.SUMS) if source in OFFERED else (Form.SUMS,)


def recursive(asked: Asked) -> Form:
    """Return the form that is not the paper's sums, where there is one: composite bodies for forward dynamics."""
    return rivals(asked)[0]


def by_articulated_bodies(asked: Asked) -> Form:
    """Return articulated bodies, which give forward dynamics alone."""
    return Form.ARTICULATED_BODIES
