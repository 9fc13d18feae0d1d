"""The law of what only pushes: it never pulls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ...spatial import Array
from ._ledger import Ledger
from ._residual import KEPT, Residual

_ROUNDING = 1e-9  # of 1 m/s2 where nothing pushes
_AT_ONCE = 1e-9  # of the run: what is let go so soon after a sample did not hold there


def what_pushes_never_pulls(ledger: Ledger, pushes: Mapping[str, Array]) -> Iterator[Residual]:
    """Yield by how much the one that fares worst pulled, of what only pushes, of which there is some.

    pushes : (n,) forces by name [N]

    >>> pulled = next(what_pushes_never_pulls(history, {"finger": np.array([0.0, 2.0, 1.0, -0.1, 0.0])}))
    >>> pulled.value, pulled.unit
    (0.1, 'N')
    """
    t, switched = ledger.t, np.append(ledger.switch_times, np.inf)
    lasts = switched[np.searchsorted(switched, t, side="right")] - t > _AT_ONCE * t[-1]
    each = {name: np.where(lasts, push, 0.0) for name, push in pushes.items()}
    worst = max(each, key=lambda name: float(-each[name].min()))
    meaning, most = f"pull of '{worst}', which only pushes", float(abs(each[worst]).max())
    bound = max(KEPT * most, _ROUNDING * ledger.mass_kg)
    yield Residual.of("pull", meaning, "N", np.maximum(-each[worst], 0.0), most, "its largest push", bound=bound)
