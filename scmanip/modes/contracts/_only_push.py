"""The law of what only pushes: it never pulls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ...spatial import Array
from ._ledger import Ledger
from ._residual import KEPT, Residual

_ROUNDING = 1e-9  # of 1 m/s2 where nothing pushes
_AT_ONCE = 1e-9  # of the run: what is let go so soon after a sample did not hold there


def what_pushes_never_pulls(ledger: Ledger, forces: Mapping[str, Array]) -> Iterator[Residual]:
    """Yield by how much the constraint that fares worst pulled, of those that only push, of which there are some.

    forces : (n, k) by name [N]
    """
    pushing = [one.name for one in ledger.system.constraints if one.pushes]
    t, switched = ledger.t, np.append(ledger.switch_times, np.inf)
    lasts = switched[np.searchsorted(switched, t, side="right")] - t > _AT_ONCE * t[-1]
    each = {name: np.where(lasts, forces[name][:, 0], 0.0) for name in pushing}
    worst = max(each, key=lambda name: float(-each[name].min()))
    meaning, most = f"pull of '{worst}', which only pushes", float(abs(each[worst]).max())
    bound = max(KEPT * most, _ROUNDING * ledger.mass_kg)
    yield Residual.of("pull", meaning, "N", np.maximum(-each[worst], 0.0), most, "its largest push", bound=bound)
