"""The forms in which a quantity can be computed, and which of them rival for it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from ..recursions._differentiated import DIFFERENTIATED
from ..recursions._inertia_rates import RATES
from ..recursions._link_equations import OFFERED
from ..recursions._motion_derivatives import PAIRED
from ..recursions._regressor import REGRESSORS
from ._quantities import AskedQuantity


class Form(Enum):
    """One way to a quantity; the value is what a model's card calls it.

    >>> Form.SUMS.value, Form.SUMS.word
    ('sums over links [Wilde2018]', 'sums')
    """

    RECURSION = "recursion in link axes"
    ELIMINATION = "composite bodies and elimination of the base"
    ARTICULATED_BODIES = "articulated bodies"
    MOVING = "composite bodies in motion"
    DIFFERENTIATION = "differentiation of the program of H"
    COMPLEMENT = "Schur complement of the base block"
    WRITTEN = "differentiation of the Schur complement"
    BODIES = "body by body"
    PAIRS = "closed form over pairs of joints"
    SUMS = "sums over links [Wilde2018]"

    @property
    def word(self) -> str:
        """The name in short, in small letters."""
        return self.name.lower().replace("_", " ")


FormOf = Callable[[AskedQuantity], Form]
GRADIENTS = frozenset({"dH_dq", "dHm_dq", "dH0m_dq", "dH0_dq", "coriolis_matrix"})
MANY = (
    8  # from three speeds on bodies in motion take fewer operations in all systems tried, and counting the others takes seconds
)


def rivals(asked: AskedQuantity, speeds: int = 0) -> tuple[Form, ...]:
    """Return the forms that give a quantity; of equally good ones the first is taken.

    speeds : of the joints; of many, forms that make all of dH/dq in longer ways are not counted any more
    """
    source = asked.quantity.source
    if source in GRADIENTS and speeds > MANY:
        return (Form.MOVING,)
    if source == "forward_dynamics":
        return Form.ELIMINATION, Form.ARTICULATED_BODIES, Form.SUMS
    if source in REGRESSORS:
        return (Form.BODIES,)
    if source in PAIRED:
        return (Form.PAIRS,)
    if source in RATES:
        return (Form.MOVING, Form.DIFFERENTIATION, Form.SUMS) if source in DIFFERENTIATED else (Form.MOVING, Form.SUMS)
    return (Form.RECURSION, Form.SUMS) if source in OFFERED else (Form.SUMS,)


def recursive(asked: AskedQuantity) -> Form:
    """Return the form that is not the paper's sums, where there is one: composite bodies for forward dynamics."""
    return rivals(asked)[0]


def by_articulated_bodies(asked: AskedQuantity) -> Form:
    """Return articulated bodies, which give forward dynamics alone."""
    return Form.ARTICULATED_BODIES
