"""What happened where constraints were switched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...spatial import Array
from ...system import State


@dataclass(frozen=True, eq=False)
class Switched:
    """Constraints that began or ceased to hold, and loads to act, at `t` [s].

    imposed, released : names; active : all that hold from then on
    before, after : states; places are the same
    impulses : (k,) of every constraint that holds after it, by name, in its sense and units times s
    energy_lost : [J]
    gained : by how much totals of the run jump, by name, in their units
    struck : names of the places that took an impulse of an impact
    slipped, rested : what began to slip, and what did and holds from then on: names of constraints, and where these have
        several rows those of rows, `brake.wrist.x`
    engaged, inhibited : names of loads
    contacts : by name what places at which shapes touch do from then on, of those that changed: "sticks", "slides", "open"
    pushed_J : what springs gave where constraints were released with a push-off [J]
    idle : names of those that were to be imposed and held already, or to be released and did not hold

    >>> history.switches  # one for each switch of a run; here there was none
    ()
    """

    t: float
    imposed: tuple[str, ...]
    released: tuple[str, ...]
    active: tuple[str, ...]
    before: State
    after: State
    impulses: Mapping[str, Array]
    energy_lost: float
    gained: Mapping[str, Array | float]
    struck: tuple[str, ...] = ()
    slipped: tuple[str, ...] = ()
    rested: tuple[str, ...] = ()
    engaged: tuple[str, ...] = ()
    inhibited: tuple[str, ...] = ()
    contacts: Mapping[str, str] = field(default_factory=dict)
    idle: tuple[str, ...] = ()
    pushed_J: float = 0.0

    def later(self, start_s: float) -> Switched:
        """Return it on a clock that showed `start_s` [s] when its own started."""
        return replace(self, t=self.t + start_s)

    @property
    def done(self) -> str:
        """What was done, in words."""
        switched = ("struck", self.struck), ("imposed", self.imposed), ("released", self.released)
        acting = ("engaged", self.engaged), ("inhibited", self.inhibited)
        done = *switched, ("let slip", self.slipped), ("stopped", self.rested), *acting, ("did not change", self.idle)
        said = [f"{verb} {', '.join(map(repr, names))}" for verb, names in done if names]
        said += [f"{name!r} {'parts' if mode == 'open' else mode}" for name, mode in self.contacts.items()]
        return " and ".join(said) or "nothing to switch"

    def __str__(self) -> str:
        lost = f", which took {self.energy_lost + 0.0:.3g} J" if self.imposed or self.struck else ""
        pushed = f", pushing off with {self.pushed_J:.3g} J" if self.pushed_J else ""
        return f"{self.done} at t = {self.t:.9g} s{lost}{pushed}"
