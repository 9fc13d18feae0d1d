"""Equal steps before a stop.

The error of a step of order 8 grows with its size to the power of nine: a whole step and the sliver that it leaves err more
than two halves, and cost the same.
"""

from __future__ import annotations

PARTS = 4  # so many steps, or fewer, are few


def even_step(wanted: float, left: float) -> float:
    """Return the step to try where the error control wants one size and so much is left, in any unit: of few steps equal ones.

    A rule of our own.

    >>> round(even_step(0.4, 1.0), 6), even_step(2.0, 1.0)
    (0.333333, 2.0)
    """
    return next((left / parts for parts in range(2, PARTS + 1) if wanted < left <= parts * wanted), wanted)
