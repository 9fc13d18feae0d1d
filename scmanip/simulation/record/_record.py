"""Turn the samples of a run into its history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from ...channels import Bundle, Channel, Channels, Nature, Portion
from ...errors import checked
from ...guidance import Sample
from ...loads import EXTERNAL, External
from ...navigation import Known, Series
from ...plant import OUTPUTS, TOTALS
from ...spatial import Array
from ...system import System
from ..events._limit_passage import LimitPassage
from ..loop._setup import Setup
from ..loop._track import Track
from ..variation._sensitivities import sensitivities
from ..variation._stretch import Stretch
from ._account import JOINT_MOTION, Account, account
from ._constraint_series import CONSTRAINTS, CONTACTS, ConstraintSeries, ContactSeries
from ._events import Occurrence, limit_events
from ._followed import error_at, reference_at
from ._from_states import ModelStates, from_states
from ._history import History
from ._limit_passages import has_ranges, limit_passages
from ._look import Look
from ._samples import Samples, samples_of
from ._shares import Shares, from_shares
from ._together import Read, read_together

Source: TypeAlias = Callable[["RunBooks"], Any]
"""What a series follows from, of books that it does not hold, so that they go with their history."""
Page: TypeAlias = tuple[Bundle[Any], Source]
Sourced: TypeAlias = tuple[tuple[Bundle[Any], ...], Source]


def record(setup: Setup, track: Track) -> History:
    """Return the history of a finished track; what follows from its states is evaluated when it is first read."""
    return _history(RunBooks(setup, track), setup, track)


def _history(books: RunBooks, setup: Setup, track: Track) -> History:
    return History(
        books=books,
        system=setup.model.system,
        mode=setup.plant.mode,
        outcome=track.verdict.outcome,
        advice=track.verdict.advice,
        steps=track.steps,
        in_machine_code=track.in_machine_code,
        holding=setup.plant.holding,
        constraints=setup.plant.constraints,
        inhibited=setup.plant.inhibited,
    )


class RunBooks:
    """What follows from the samples of a run, by the full model at every sample."""

    def __init__(self, setup: Setup, track: Track) -> None:
        self._setup, self._track = setup, track

    @cached_property
    def samples(self) -> Samples:
        """Times, states and forces."""
        return samples_of(self._setup, self._track)

    @cached_property
    def _read(self) -> Read:
        return read_together(self._setup.model, self.samples.states)

    def together(self) -> Mapping[str, Array]:
        """Return series that laws are about."""
        return self._read.series

    @cached_property
    def look(self) -> Look:
        """The run once more, to look into its steps."""
        return Look(self._setup, self._track, self.samples.t)

    def finely(self) -> History | None:
        """Return the history of the same run at all places of the look."""
        return _history(_FineBooks(self._setup, self), self._setup, self.look.track)

    def settled(self) -> History:
        """Return the history with all its series, worked out by other books that are gone then."""
        whole = _history(self._anew(), self._setup, self._track)
        whole.read_together()
        return History(**{name: getattr(whole, name) for name in (*History.__annotations__, *whole.channels.declared)})

    def _anew(self) -> RunBooks:
        return RunBooks(self._setup, self._track)

    def load(self, number: int) -> Array | None:
        """Return nothing: one program works out the loads on all interfaces."""
        return None

    def nodes(self) -> Array:
        """Return which samples of the look each step has."""
        return self.look.nodes

    def stretches(self) -> list[Stretch]:
        """Return the run."""
        return [Stretch(self._setup, self._track, self.samples.t)]

    @property
    def channels(self) -> Channels:
        """The series that the run has."""
        seen = {} if self._seen is None else self._seen.dimensions
        declared = [channel for pages, _ in self._sources for page in pages for channel in page.channels]
        return Channels(declared, {**self._setup.plant.dimensions, **seen})

    def page(self, name: str) -> dict[str, Any]:
        """Return what a `History` asks for by its name, with what comes with it."""
        if name in _BESIDE:
            return {name: _BESIDE[name](self)}
        page, source = self._own[name] if name in self._own else self._usual[1][name]
        return page.series(source(self))

    def has(self, name: str) -> bool:
        """Return whether there is a series of that name."""
        return name in self._usual[1] or name in self._own

    @cached_property
    def _own(self) -> dict[str, Page]:
        """Where each series is found that runs of its system need not have, and what it follows from."""
        return _named(self._others())

    @property
    def _sources(self) -> list[Sourced]:
        return [*self._usual[0], *self._others()]

    @cached_property
    def _usual(self) -> tuple[tuple[Sourced, ...], Mapping[str, Page]]:
        """What a run of its system always has, and the same by name."""
        return _of_system(self._setup.model.system, touching=bool(self._setup.plant.contacts))

    def _others(self) -> Iterator[Sourced]:
        system, plant = self._setup.model.system, self._setup.plant
        if system.interfaces:
            yield (INTERFACES,), _itself
        if system.constraints:
            yield CONSTRAINTS, lambda books: ConstraintSeries(books._setup, books.samples)
        if plant.contacts:
            yield CONTACTS, lambda books: ContactSeries(books._setup, books.samples)
        if plant.is_disturbed:
            yield (EXTERNAL,), lambda books: books.external
        if plant.loads:
            yield (_sampled(plant.loading.outputs),), _itself
            yield (Bundle((plant.loading.states,), lambda x: (x[:, plant.x_loads],)),), RunBooks._x
        if plant.loading.pushes:
            yield (PUSHES,), lambda books: plant.loading.pushing(books.samples.states.x, books.samples.t)
        if plant.memory:
            yield (Bundle((plant.remembered,), lambda x: (x[:, plant.x_law],)),), RunBooks._x
        if self._seen is not None:
            yield (self._seen.bundle,), RunBooks._known

    @cached_property
    def _seen(self) -> Series | None:
        """The series of what is not the truth."""
        setup = self._setup
        return None if setup.observation is None else Series(setup.observation, setup.model.system)

    def _known(self) -> list[Known]:
        return [] if self.samples.hold is None else self.samples.hold.known(self.samples.t)

    @property
    def known(self) -> Known | None:
        """What is known at the end."""
        return self._known()[-1].kept if self._setup.observation is not None else None

    @cached_property
    def reference(self) -> Sample | None:
        """What the run was to follow."""
        return reference_at(self._setup, self.samples.t)

    def _x(self) -> Array:
        return self.samples.states.x

    @property
    def integrals(self) -> tuple[Array, Array, Array, Array]:
        """What was integrated with the motion: work, what is dissipated, impulse and propellant."""
        work, dissipated, impulse, burnt, _ = self._books
        pushed = impulse if self._setup.plant.mode.pushed else np.zeros((len(impulse), 6))
        return work[:, 0], dissipated[:, 0], pushed, burnt[:, 0] if self._setup.plant.burns else np.zeros(len(burnt))

    @property
    def external(self) -> External | None:
        """What came from the environment."""
        return External.of(self._books[-1]) if self._setup.plant.is_disturbed else None

    @property
    def _books(self) -> list[Array]:
        books = self._setup.frame.books(self.samples.y).copy()
        return [books[:, place] for place in self._setup.plant.books.values()]

    @property
    def joint_motion(self) -> tuple[Array, Array]:
        """What is left of the equations of motion of the joints."""
        return self._account.joint_motion(self._read.joint_momentum)

    @property
    def demand(self) -> External | None:
        """What would have to act where momentum is kept by construction."""
        return External.of(self._account.demand) if self._setup.frame.coordinates.keeps_momentum else None

    @cached_property
    def _account(self) -> Account:
        return account(self._setup, self.look, self.samples.t)

    @property
    def noted(self) -> tuple[Occurrence, ...]:
        """Events that were asked for."""
        return tuple(Occurrence(name, t, t) for t, name in self._track.happened)

    @cached_property
    def happened(self) -> tuple[Occurrence, ...]:
        """Events that were asked for, and limits of actuators that acted."""
        return (*self.noted, *limit_events(self.look)) if self._setup.limited else self.noted

    @cached_property
    def passages(self) -> tuple[LimitPassage, ...]:
        """Where joints were beyond their limits."""
        return limit_passages(self._setup, self.look) if has_ranges(self._setup) else ()

    @cached_property
    def shares(self) -> Shares:
        """What has to be integrated once more."""
        return Shares(self._setup, self.look, self.samples.t)


class _FineBooks(RunBooks):
    """The same at all places of the look into the steps of a run, of which `whole` are the books."""

    def __init__(self, setup: Setup, whole: RunBooks) -> None:
        super().__init__(setup, whole.look.track)
        self._whole = whole

    @property
    def samples(self) -> Samples:
        return self._whole.look.samples

    @property
    def look(self) -> Look:
        return self._whole.look

    @property
    def noted(self) -> tuple[Occurrence, ...]:
        return self._whole.noted

    @property
    def happened(self) -> tuple[Occurrence, ...]:
        return self._whole.happened

    @property
    def passages(self) -> tuple[LimitPassage, ...]:
        return self._whole.passages

    def _anew(self) -> RunBooks:
        return self

    def finely(self) -> History | None:
        return None


_BESIDE: Mapping[str, Callable[[RunBooks], Any]] = {
    "channels": lambda books: books.channels,
    "states": lambda books: books.samples.states,
    "noted": lambda books: books.noted,
    "occurrences": lambda books: books.happened,
    "passages": lambda books: books.passages,
    "switches": lambda books: (),
    "rechosen": lambda books: (),
    "components": lambda books: np.tile(books._setup.plant.components, (len(books.samples.t), 1)),
    "external": lambda books: books.external,
    "known": lambda books: books.known,
    "reference": lambda books: books.reference,
    "error": lambda books: error_at(books._setup, books.samples.states, books.reference),
    "sensitivity": lambda books: sensitivities(books.stretches()),
    "demand": lambda books: books.demand,
    "step_s": lambda books: books.look.sizes,
}
"""What a history has beside its series."""


_OF_SYSTEMS: WeakKeyDictionary[System, dict[bool, tuple[tuple[Sourced, ...], Mapping[str, Page]]]] = WeakKeyDictionary()


def _of_system(system: System, *, touching: bool) -> tuple[tuple[Sourced, ...], Mapping[str, Page]]:
    """Return what a run of a system always has, series from states, from the run and from shares, and the same by name."""
    kept = _OF_SYSTEMS.setdefault(system, {})
    if touching not in kept:
        states: Sourced = from_states(system), lambda books: ModelStates(books._setup.model, books.samples.states)
        shares: Sourced = from_shares(system, touching=touching), lambda books: books.shares
        sources = states, (from_run(system), _itself), (FROM_LOOK, _itself), shares
        kept[touching] = sources, _named(sources)
    return kept[touching]


def _named(sources: Iterable[Sourced]) -> dict[str, Page]:
    return {channel.name: (page, source) for pages, source in sources for page in pages for channel in page.channels}


def _itself(books: RunBooks) -> RunBooks:
    return books


_MISSING = Portion("N", "N", "missing_force"), Portion("N m", "N m", "missing_torque")


def _sampled(channel: Channel) -> Bundle[RunBooks]:
    return Bundle((channel,), lambda books: (books.samples.output(channel.name),))


@checked
def from_run(system: System) -> tuple[Bundle[RunBooks], ...]:
    """Return what ensembles of a system know as well, the efforts of every kind that turns its base among it.

    >>> [channel.name for channel in from_run(system)[0].channels]
    ['work', 'dissipated', 'impulse', 'propellant_kg']
    """
    turners = system.turners
    turning = Bundle[RunBooks](turners.effort_channels, lambda books: turners.by_entry(books.samples.output("efforts")))
    return Bundle(TOTALS, lambda books: books.integrals), *map(_sampled, OUTPUTS), turning


FROM_LOOK: tuple[Bundle[RunBooks], ...] = (
    Bundle((Channel("t", "", "s", "time since the start", Nature.INTEGRAL, metric=None),), lambda books: (books.samples.t,)),
    Bundle(
        (Channel("missing_wrench", "wrench_part", _MISSING, "wrench commanded of the base and not applied", free_base=True),),
        lambda books: (books.samples.output("missing"),),
    ),
    Bundle(JOINT_MOTION, lambda books: books.joint_motion),
)

_LOADED = "load on what each joint carries, and of each constraint between frames on the body of its frame `on`"
_LOADS = Portion("N", "N"), Portion("N m", "N m")
INTERFACES: Bundle[RunBooks] = Bundle(
    (Channel("interface_wrench", "interface wrench_part", _LOADS, _LOADED),), lambda books: (books.samples.interfaces[0],)
)
_PUSHED = "force of each load that acts at a place, such as a contact, on its second body"
PUSHES: Bundle[tuple[Array, Array]] = Bundle(
    (
        Channel("push_place", "push xyz", "m", "where each such force acts, from the origin of N", metric=None),
        Channel("push_force", "push xyz", "N", _PUSHED, metric=None),
    ),
    lambda found: found,
)


@checked
def channels_of(system: System, *, touching: bool = False) -> Channels:
    """Return the series that a run of a system has, whatever acts from outside; touching : whether shapes touch rigidly.

    >>> channels = channels_of(system)
    >>> channels["omega_0"].unit, channels["omega_0"].meaning
    ('rad/s', 'angular velocity of the base, inertial components')
    """
    shares, contacts = from_shares(system, touching=touching), CONTACTS * touching
    pages: tuple[Bundle[Any], ...] = (*from_states(system), *from_run(system), *FROM_LOOK, INTERFACES, *shares, *contacts)
    return Channels((channel for page in pages for channel in page.channels), system.dimensions)
