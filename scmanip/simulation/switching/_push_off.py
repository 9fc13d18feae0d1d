"""Springs that push off what is released."""

from __future__ import annotations

from collections.abc import Sequence

from ...plant import Change
from ._strike import followed
from ._switch import Switch


def pushed_off(change: Change, released: Sequence[str], due: Sequence[Switch], t: float) -> tuple[Change, float]:
    """Return what comes of the push-offs of switches once constraints have been switched, and the energy that they give [J].

    released : names of the constraints that held until then and do not any more
    """
    given = 0.0
    for switch in due:
        if switch.push_off_m_s and switch.release[0] in released:
            plant = change.plant
            constrained, kept = plant.rigid(change.state, t)
            frames = plant.model.system.constraint(switch.release[0]).joined
            after = constrained.pushed(change.state, frames, switch.push_off_m_s, t=t + plant.clock_s, kept=kept)
            change = followed(change, Change(plant, after.state, constrained.stack.filled(after.impulses), 0.0))
            if len(constrained.names) < len(plant.constraints):
                change = followed(change, plant.under(plant.constraints, after.state, t))
            given += after.energy_J
    return change, given
