"""What is integrated where nobody says so."""

from __future__ import annotations

from ..control import Controller
from ..dynamics import Model
from ..environment import Environment
from ..guidance import Reference
from ..modes import ManoeuvreMode
from ._coordinates import Coordinates
from ._full_state import FullState
from ._integrator import Integrator
from ._momentum_reduced import MomentumReduced
from ._native import is_native, recorded_pair

FULL, REDUCED = FullState(), MomentumReduced()


def default_coordinates(
    model: Model,
    mode: ManoeuvreMode,
    law: Controller,
    reference: Reference | None,
    integrator: Integrator,
    environment: Environment | None,
) -> Coordinates:
    """Return `MomentumReduced()` where momentum is constant and the whole run is in machine code, otherwise `FullState()`.

    Where Python looks at every state, to take it apart costs more than the shorter vector saves; a `Sampled` law does that.
    """
    native = is_native(model, mode, integrator, environment) and recorded_pair(law, reference) is not None
    return REDUCED if native and not REDUCED.obstacle(model, mode, environment) else FULL
