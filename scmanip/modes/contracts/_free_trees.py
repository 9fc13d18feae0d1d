"""The law of bodies that nothing holds and nothing pushes: each keeps its own momentum, whatever the others do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ._ledger import Ledger
from ._residual import KEPT, Residual

_ROUNDING = 1e-12  # of 1 m/s where nothing moves


def free_trees_keep_momentum(ledger: Ledger) -> Iterator[Residual]:
    """Yield P - P(0) and L_C - L_C(0) of every free body with what it carries, L_C about their CoM, against their peaks.

    Nothing where loads act, whose books are those of all trees together, under gravity, and of a system with constraints, which
    may join trees.
    """
    system = ledger.system
    if len(system.trees) == 1 or ledger.external is not None or np.any(system.gravity_m_s2) or system.constraints:
        return
    for k, tree in enumerate(system.trees[1:], start=1):
        for name, letter, words, unit in (
            ("momentum", "P", "linear momentum P - P(0)", "N s"),
            ("angular_momentum", "L_C", "angular momentum about its own CoM, L_C - L_C(0),", "N m s"),
        ):
            series = getattr(ledger, f"{letter}_by_tree")[:, k]
            peak, rounding = float(np.linalg.norm(series, axis=1).max()), _ROUNDING * tree.system.mass_kg
            yield Residual.of(
                f"{name}_of_{tree.root}",
                f"{words} of '{tree.root}', which is free",
                unit,
                series - series[0],
                peak,
                f"the peak {'angular' if letter == 'L_C' else 'linear'} momentum of '{tree.root}'",
                bound=max(KEPT * peak, rounding),
            )
