"""What is integrated where nobody says so."""

from __future__ import annotations

from ..control import Sampled
from ..plant import Plant
from ._coordinates import Coordinates
from ._full_state import FullState
from ._momentum_reduced import MomentumReduced
from ._pair import Pair

FULL, REDUCED = FullState(), MomentumReduced()


def default_coordinates(
    plant: Plant,
    sampled: Sampled | None,
    pair: Pair | None,
) -> Coordinates:
    """Return `MomentumReduced()` where momentum is constant and the whole run is in machine code, otherwise `FullState()`.

    Where Python looks at every state, to take it apart costs more than the shorter vector saves; a `Sampled` law does that.
    """
    unseen = pair is not None and sampled is None
    return REDUCED if unseen and not REDUCED.obstacle(plant.model, plant.mode, plant.loads) else FULL
