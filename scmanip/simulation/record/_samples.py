"""The samples of a run, with what its actuators did."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ...modes import GeneralizedForce, Situation
from ...plant import Response
from ...spatial import Array
from ...system import State
from ..events._outcome import LOST
from ..loop._again import again
from ..loop._native import NativeLoop
from ..loop._sample_and_hold import SampleAndHold
from ..loop._setup import Setup
from ..loop._track import Track

Which: TypeAlias = slice | NDArray[np.intp]


class Samples:
    """Times, states and forces of a track, each worked out when it is first asked for.

    which : those of its samples that are meant
    """

    def __init__(self, setup: Setup, track: Track, which: Which = slice(None)) -> None:
        self._setup, self._track, self._which = setup, track, which

    @cached_property
    def t(self) -> Array:
        """(k,) [s]."""
        return np.concatenate(self._track.times)[self._which]

    @property
    def hold(self) -> SampleAndHold | None:
        """The commands of a sampled run."""
        return self._track.hold

    @cached_property
    def y(self) -> Array:
        """(k, n) vectors of the run's `RunCoordinates`."""
        rows = self._track.rows
        return (rows[0] if len(rows) == 1 else np.concatenate(rows))[self._which]

    @cached_property
    def states(self) -> State:
        """The batch of states; the first one is exactly that from which the run started."""
        setup = self._setup
        begins = self.t.size and self.t[0] == setup.start_s
        return setup.frame.obedient_states(self.t, self.y, setup.state0 if begins else None)

    @cached_property
    def each(self) -> Sequence[State]:
        """The states one by one."""
        return [self.states[i] for i in range(len(self.t))]

    @cached_property
    def forces(self) -> Sequence[GeneralizedForce]:
        """What the run noted down, and for the other samples what the controller would say again."""
        track = self._track
        if track.hold is not None:
            held = zip(self.each, track.hold.commands(self.t), strict=True)
            return [self._setup.plant.force(Situation.of(self._setup.model, state), command) for state, command in held]
        noted = [track.forces[k] for k in np.arange(len(track.forces))[self._which]]
        if all(force is not None for force in noted):
            return [force for force in noted if force is not None]
        plant, forces = self._setup.plant, []
        told = zip(noted, self._said, again(self._setup, track, self.t, self.each), strict=True)
        for force, command, (t, state, loop) in told:
            said = command if command is not None or force is not None else loop.command(t, state)
            forces.append(force if said is None else plant.force(Situation.of(plant.model, state), said))
        return forces

    def _commands(self) -> Sequence[Array]:
        """Return what a sampled law said, or one in Python."""
        hold = self._track.hold
        return hold.commands(self.t) if hold is not None else [each for each in self._said if each is not None]

    @property
    def _said(self) -> Sequence[Array | None]:
        """What a law in Python is known to have said at each sample."""
        said = self._track.commands
        return [said[k] for k in np.arange(len(said))[self._which]] if said else [None] * len(self.t)

    @cached_property
    def limits(self) -> Sequence[tuple[str, ...]]:
        """Which limits of actuators act, each in a phrase."""
        if not self._setup.limited:
            return [()] * len(self.t)
        turners, named = self._setup.model.system.turners, [force.limits for force in self.forces]
        if not turners:
            return named
        rows = zip(named, self.output("efforts"), self.states.x[:, self._setup.model.layout.x_actuators], strict=True)
        return [(*limits, *turners.beyond(efforts, own, limits)) for limits, efforts, own in rows]

    def output(self, name: str) -> Array:
        """Return an output of the plant (k, ...), by the names of `Response.outputs`; zero where it has none of that name.

        NaN where the controller or the inertia matrix failed. The wrench on a base that is held is that of the ground, at the
        base frame's origin.
        """
        plant = self._setup.plant
        if name == "wrench" and plant.model.layout.fixed:
            held = self.interfaces[1] if plant.holders else 0.0
            return plant.ground(self.states, self.udot, self.output("load") + held)
        if name in self._outputs:
            return self._outputs[name]
        layout = plant.model.layout
        sizes = {
            "tau": layout.N,
            "efforts": layout.n_a,
            "reaction": layout.n_u,
            "slip": layout.n_u,
            "powers": len(layout.states),
            "thrust_N": len(plant.model.system.pushers.each),
            "load_outputs": sum(len(load.outputs) for load in plant.loads),
        }
        return np.zeros((len(self.t), sizes.get(name, 6)))

    @cached_property
    def _outputs(self) -> dict[str, Array]:
        """What the motions say, and "ydot" (k, n), the right-hand side of the run."""
        frame = self._setup.frame
        rows = [motion.outputs for motion in self._motions]
        whole = {name: part for row in rows for name, part in row.items()}
        found = {name: np.array([row.get(name, np.zeros_like(part)) for row in rows]) for name, part in whole.items()}
        rates = [frame.rate(*row) for row in zip(self.t, self.y, self.states.x, self._motions, strict=True)]
        return {**found, "ydot": np.array(rates).reshape(len(self.t), frame.size)}

    @cached_property
    def interfaces(self) -> tuple[Array, Array]:
        """Loads (k, n_i, 6) on the interfaces of the system, and (k, 6) what constraints do to the tree of the base."""
        held = self.output("reaction") - self.output("slip")
        return self._setup.plant.interface_loads.at(self.states.x, self.t, self.udot, held)

    @cached_property
    def udot(self) -> Array:
        """(k, n_u) accelerations with which the state moves; NaN where the controller or the inertia matrix failed."""
        return self._setup.frame.x_dot(self.t, self.y, self._outputs["ydot"])[:, self._setup.model.layout.x_u]

    @cached_property
    def _motions(self) -> Sequence[Response]:
        rows = zip(self.t, self.y, self.each, self.forces, strict=True)
        with np.errstate(all="ignore"):  # of a run that blew up
            return [self._motion(float(t), *row) for t, *row in rows]

    def _motion(self, t: float, y: Array, state: State, force: GeneralizedForce) -> Response:
        plant = self._setup.plant
        if force.is_finite and np.isfinite(state.x).all():
            with suppress(*LOST):
                return plant.motion(Situation.of(plant.model, state), force, t, self._setup.frame.books(y))
        return Response.lost(force, plant.layout, plant.n_books)


class RecordedSamples(Samples):
    """Samples of a run in machine code: what actuators did, by the program that was run, for all of them at once."""

    @cached_property
    def _outputs(self) -> dict[str, Array]:
        with np.errstate(all="ignore"):  # of a run that blew up
            return cast(NativeLoop, NativeLoop.of(self._setup)).outputs(self.t, self.y, self._track, self._commands)

    @cached_property
    def limits(self) -> Sequence[tuple[str, ...]]:
        """Named where the program says that something was not given as it was asked for, or more than may be given."""
        found: list[tuple[str, ...]] = [()] * len(self.t)
        if not self._setup.limited:
            return found
        at = np.flatnonzero(~(self._outputs["unmet"] <= 0))
        few = Samples(self._setup, self._track, np.arange(sum(map(len, self._track.times)))[self._which][at])
        for place, phrases in zip(at, few.limits, strict=True):
            found[place] = phrases
        return found


class SomeSamples(Samples):
    """Some of others, of which all is taken that costs something.

    which : those of all samples of the track that are meant
    """

    def __init__(self, whole: Samples, which: NDArray[np.intp]) -> None:
        super().__init__(whole._setup, whole._track, which)
        self._whole, self._some = whole, which

    @property
    def y(self) -> Array:
        return self._whole.y[self._some]

    @property
    def states(self) -> State:
        return State.of_unit(self._whole.states.x[self._some], self._setup.frame.layout)

    @property
    def forces(self) -> Sequence[GeneralizedForce]:
        return [self._whole.forces[k] for k in self._some]

    def output(self, name: str) -> Array:
        return self._whole.output(name)[self._some]

    @property
    def interfaces(self) -> tuple[Array, Array]:
        loads, base = self._whole.interfaces
        return loads[self._some], base[self._some]

    @property
    def udot(self) -> Array:
        return self._whole.udot[self._some]


def samples_of(setup: Setup, track: Track) -> Samples:
    """Return the samples of a track, what actuators did by the program of the run where that tells it."""
    searched = track.left and setup.plant.burns  # how thrusters pushed is known of no set
    recorded = NativeLoop.carries(setup) and not searched and track.forces.count(None) == len(track.forces)
    return RecordedSamples(setup, track) if recorded else Samples(setup, track)
