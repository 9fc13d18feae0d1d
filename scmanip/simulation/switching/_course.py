"""A run whose constraints are switched: stretches, each under one set of them, and what happens in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...dynamics import Struck
from ...errors import InvalidState, NumericalFailure
from ...impacts import ContactMode, ImpactOutcome
from ...modes import GeneralizedForce
from ...plant import NOTHING_TURNS, Change, Plant
from ...spatial import Array
from ...system import State
from ..events._event import Event
from ..events._outcome import LOST, Ending, Outcome
from ..events._rechosen import Rechosen
from ..events._switched import Switched
from ..loop._advance import advance
from ..loop._closed_loop import ClosedLoop
from ..loop._coming import Coming, lacks_code
from ..loop._found import FoundStart
from ..loop._last_good import up_to_last_good
from ..loop._sample_and_hold import SampleAndHold
from ..loop._setup import Setup
from ..loop._track import Track
from ..record._history import History
from ..record._joined import HistoryPiece, bound
from ..record._record import record
from ._brakes import Brakes
from ._contact_watch import ContactWatch
from ._going_on import going_on, knowing, supposed
from ._settling import Undecided, settled
from ._strike import followed
from ._switch import Switch, sets_after

CONTACT_WATCH = "contact_watch"
SLIVER = 1e-12  # of the run: times that are one but for rounding
CHATTER = (50, SLIVER), (1000, 1e-6)  # so many switches in such a part of the run do not come to an end


class _Over(Exception):
    """A run ends where nobody can say what comes of an impact."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.advice)
        self.ending = ending


class Course:
    """A run under constraints, from switch to switch.

    setup : the run as if nothing were switched, its plant under the constraints that hold at the start
    patient : whether it waits where machine code of constraints has to be made; else it goes on in Python until that is there,
        and the code of sets that its switches name is made ahead
    """

    def __init__(self, setup: Setup, switches: Sequence[Switch], *, patient: bool = True) -> None:
        self._patient = patient
        self._whole = replace(setup, gives_up=True, waits=frozenset(switch.event for switch in switches if switch.event))
        self._switches, self._close = switches, SLIVER * setup.stops[-1]
        self._planned = sorted(switch.t_s for switch in switches if switch.t_s is not None)
        self._pieces: list[HistoryPiece] = []
        self._happened: list[Switched] = []
        self._begins: list[float] = []
        self._rechosen: list[Rechosen] = []

    def flown(self) -> History:
        """Fly it and return its history."""
        self._make_ahead()
        setup, due = _held(self._whole), self._at(self._whole.start_s)
        try:
            following: Setup | None = self._begun(setup, due)
        except _Over as over:
            return _unbegun(setup, over.ending)
        while following is not None:
            setup = following
            part = _until(setup, next((t for t in self._planned if t > setup.start_s + self._close), setup.stops[-1]))
            flying, part = _watched(part if self._patient else _meanwhile(part)), _watched(part)
            track = up_to_last_good(flying, advance(flying))
            try:
                following = self._following(part, track)
            except (InvalidState, *LOST) as unmet:
                track.verdict, following = Ending(Outcome.UNMET, f"at t = {track.last_t:.9g} s: {unmet}"), None
            except _Over as over:
                track.verdict, following = over.ending, None
            self._note(part, track, last=following is None)
        return bound(self._pieces, switches=tuple(self._happened), rechosen=tuple(self._rechosen))

    def _make_ahead(self) -> None:
        """Let a thread make the code of the sets of constraints that switches name, unless the run waits for it."""
        named = [] if self._patient or self._whole.plant.contacts else [setup for setup in self._named() if lacks_code(setup)]
        if named:
            Coming(*named)

    def _named(self) -> Iterator[Setup]:
        """Yield the run under the sets of constraints that its switches bring about, with speeds as chosen where it starts."""
        sets = sets_after(tuple(self._whole.plant.constraints), self._switches)
        yield from (setup for setup in (supposed(self._whole, names) for names in sets if names) if setup is not None)

    def _begun(self, setup: Setup, due: Sequence[Switch]) -> Setup:
        """Return the run after what is switched at its start."""
        try:
            return self._switched(setup, due) if due or setup.plant.contacts else setup
        except _Over as over:
            if not setup.plant.contacts:
                raise NumericalFailure(over.ending.advice) from None
            raise

    def _following(self, part: Setup, track: Track) -> Setup | None:
        """Return how the run goes on where a stretch ended; None where it is over."""
        goes_on = track.given_up or track.arrived
        due = [] if goes_on else self._due(track)
        turned = {} if goes_on else self._turned(part, track)
        parted = [] if goes_on else self._parted(part, track)
        touched = not goes_on and self._touched(part, track)
        if not (due or turned or parted or touched or goes_on):
            return None
        t, state = track.last_t, part.frame.state(track.last_t, track.last_y)
        plant = self._held_anew(part.plant, state, t) if track.given_up else part.plant
        setup = replace(going_on(self._whole, t, plant, state), carried=track.carried)
        if due or turned or parted or touched:
            return self._switched(setup, due, turned, parted)
        return setup if track.arrived else replace(setup, gives_up=t > part.start_s)

    def _held_anew(self, plant: Plant, state: State, t: float) -> Plant:
        """Return a plant with dependent speeds chosen anew, and note it where they are others."""
        anew = plant.held_anew(state, t)
        before, after = plant.dependent, anew.dependent
        if after != before:
            self._rechosen.append(Rechosen(t, before, after))
        return anew

    def _at(self, t: float) -> list[Switch]:
        """Return what is switched at a time."""
        return [switch for switch in self._switches if switch.t_s is not None and abs(switch.t_s - t) <= self._close]

    def _turned(self, part: Setup, track: Track) -> dict[str, int]:
        """Return which brakes began to slip or came to rest where a stretch ended; none where the run ends."""
        return {} if self._over(track) else Brakes(part.plant).turned(_happened(track))

    def _parted(self, part: Setup, track: Track) -> list[str]:
        """Return what only pushes and let go where a stretch ended; nothing where the run ends."""
        return [] if self._over(track) else Brakes(part.plant).parted(_happened(track))

    def _touched(self, part: Setup, track: Track) -> bool:
        """Whether what contacts do changes where a stretch ended."""
        watches = [event for event in part.events if event.called == CONTACT_WATCH]
        phrases = {phrase for watch in watches for phrase in watch.names(part.model)}
        return not self._over(track) and not phrases.isdisjoint(_happened(track))

    def _over(self, track: Track) -> bool:
        return track.last_t >= self._whole.stops[-1] - self._close or self._ends(track)

    def _ends(self, track: Track) -> bool:
        """Whether an event happened that ends the run."""
        return any(event.ends for event in self._whole.events if event.called in track.ended_by)

    def _due(self, track: Track) -> list[Switch]:
        """Return what is switched where a stretch ended; nothing where the run ends."""
        if self._ends(track):
            return []
        if track.last_t >= self._whole.stops[-1] - self._close:
            track.verdict = Ending(Outcome.COMPLETED) if track.ended_by else track.verdict
            return []
        if track.verdict.outcome is Outcome.COMPLETED:
            return self._at(track.last_t)
        return [switch for switch in self._switches if switch.event and switch.event in track.ended_by]

    def _switched(
        self, setup: Setup, due: Sequence[Switch], turned: Mapping[str, int] = NOTHING_TURNS, parted: Sequence[str] = ()
    ) -> Setup:
        """Return how the run goes on once constraints have been switched."""
        plant, before = setup.plant, setup.state0
        self._refuse_chatter(
            setup.start_s, [*turned, *parted, *plant.touching.places, *(switch.event for switch in due if switch.event)]
        )
        active, inhibited = tuple(name for name in plant.constraints if name not in parted), plant.inhibited
        for switch in due:
            active, inhibited = switch.after(active), switch.inhibiting(inhibited)
        asked = replace(plant, inhibited=inhibited, coded=self._patient or bool(plant.contacts))
        change, blows, pushed_J = _jumped(asked.under(active, before, setup.start_s, turned), plant, due, setup.start_s)
        struck = [name for blow in blows for name in blow.parting if np.any(blow.impulses[name])]
        if plant.contacts:
            change, hit = self._settled(setup, change)
            struck += hit
        after, touched = change.plant, _touched(plant, change.plant)
        imposed = tuple(name for name in after.constraints if name not in plant.constraints)
        released = tuple(name for name in plant.constraints if name not in after.constraints)
        wanted = [(name, name in switch.impose) for switch in due for name in (*switch.impose, *switch.release)]
        idle = tuple(name for name, holds in wanted if (name in plant.constraints) == holds)
        told = imposed, released, after.holds, before, change.state, change.impulses, change.energy_lost
        happened = Switched(
            setup.start_s,
            *told,
            gained(plant, before, change, pushed_J),
            tuple(struck),
            *_turns(plant, after),
            idle=idle,
            pushed_J=pushed_J,
            contacts=touched,
            engaged=tuple(name for name in plant.inhibited if name not in inhibited),
            inhibited=tuple(name for name in inhibited if name not in plant.inhibited),
        )
        if due or turned or parted or struck or touched:
            self._happened.append(happened)
        coded = after if after.coded else replace(after, coded=True)
        self._whole = knowing(self._whole, coded, change.state)
        begun = going_on(self._whole, setup.start_s, coded, change.state)

        def blow(plant: Plant, state: State, t: float) -> tuple[State, tuple[str, ...]]:
            change, blows, _ = _jumped(plant.under(active, state, t), plant, due, t)
            return change.state, tuple(name for blow in blows for name in blow.parting)

        jumps = any(switch.strike or switch.push_off_m_s for switch in due)
        return replace(begun, carried=setup.carried, found=FoundStart(plant, before, blow if jumps else None))

    def _refuse_chatter(self, t: float, names: Sequence[str]) -> None:
        """End the run where stretches follow one another without an end, whether anything changes between them or not."""
        begins, run_s = self._begins, self._whole.stops[-1]
        if any(len(begins) >= most and t - begins[-most] <= part * run_s for most, part in CHATTER):
            said = f"{', '.join(map(repr, names))} switch again and again at t = {t:.9g} s"
            raise _Over(Ending(Outcome.STALLED, said + (f"; the latest: {self._happened[-1]}" if self._happened else "")))
        begins.append(t)

    def _settled(self, setup: Setup, change: Change) -> tuple[Change, tuple[str, ...]]:
        """Return what comes of contacts where constraints have been switched, and the names of those that struck."""

        def forces(plant: Plant, state: State) -> GeneralizedForce:
            return _force(replace(going_on(self._whole, setup.start_s, plant, state), carried=setup.carried))

        try:
            return settled(change, setup.start_s, forces)
        except Undecided as undecided:
            raise _Over(Ending(Outcome.UNDECIDED, str(undecided))) from None

    def _note(self, part: Setup, track: Track, *, last: bool) -> None:
        """Keep a stretch; a sample at the time of a switch is what is there after it."""
        asked = not self._pieces or bool((abs(self._whole.samples - part.start_s) <= self._close).any())
        kept = slice(0 if asked else 1, None if last else -1)
        changes = [change for change in self._happened if change.t == part.start_s]
        gained = [change.gained for change in changes] if self._pieces else []
        self._pieces.append(HistoryPiece(record(part, track), kept, gained=gained[0] if gained else {}))


def _jumped(change: Change, plant: Plant, due: Sequence[Switch], t: float) -> tuple[Change, list[Struck], float]:
    """Return what comes of impacts and push-offs once constraints of a plant have been switched, and what these give [J]."""
    blows = list[Struck]()
    for strike in (switch.strike for switch in due if switch.strike):
        change, blow = strike.after(change, t)
        blows.append(blow)
        if blow.outcome not in (ImpactOutcome.APART, ImpactOutcome.JUMP):
            raise _Over(Ending(Outcome.UNDECIDED, f"impact at t = {t:.9g} s: {blow.sentence}"))
    released = [name for name in plant.constraints if name not in change.plant.constraints]
    change, pushed_J = pushed_off(change, released, due, t)
    return change, blows, pushed_J


def _touched(before: Plant, after: Plant) -> dict[str, str]:
    """Return by name what contacts do that they did not before."""
    then, now = ({one.name: one for one in plant.closed} for plant in (before, after))
    new = [one for name, one in now.items() if name not in then or one.differs(then[name])]
    opened = {name: ContactMode.OPEN.value for name in then if name not in now}
    return {**{one.name: (ContactMode.STICKS if one.sticks else ContactMode.SLIDES).value for one in new}, **opened}


def gained(plant: Plant, state: State, change: Change, pushed_J: float) -> dict[str, Array | float]:
    """Return what totals gain in a switch at a state."""
    model, lost = plant.model, change.energy_lost
    gained: dict[str, Array | float] = {"dissipated": lost, "dissipated_by_switches": lost}
    gained |= {"work": pushed_J, "work_by_constraints": pushed_J}
    if plant.is_disturbed:
        before, after = model.momentum(state), model.momentum(change.state)
        gained["external"] = np.concatenate([after.P - before.P, after.L_C - before.L_C])
    return gained


def _turns(plant: Plant, after: Plant) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what rows are called that began to slip, either way, and those that came to rest."""
    before, now = plant.slip_signs, after.slip_signs
    held = () if after.holding is None else after.holding.stack.called
    return tuple(name for name in now if now[name] != before.get(name)), tuple(name for name in before if name in held)


def _meanwhile(setup: Setup) -> Setup:
    """Return a run that goes on in Python until its machine code has come; as it is where that is there."""
    if setup.plant.contacts or not lacks_code(setup):
        return setup
    plant = replace(setup.plant, coded=False)
    return replace(setup, plant=plant, frame=replace(setup.frame, plant=plant), pair=None, coming=Coming(setup))


def _watched(setup: Setup) -> Setup:
    """Return a run that ends where something of what can slip does so or comes to rest, and where contacts change."""
    brakes, plant = Brakes(setup.plant), setup.plant
    events: tuple[Event, ...] = (brakes,) if brakes.names(setup.model) else ()
    if plant.contacts:
        events = (*events, ContactWatch.of(plant, setup.state0.x))
    return replace(setup, events=(*setup.events, *events)) if events else setup


def _unbegun(setup: Setup, ending: Ending) -> History:
    """Return a run that ends where it begins."""
    track = Track(setup.start_s, setup.y_0, ending)
    track.add(setup.start_s, setup.y_0, _force(setup))
    return record(setup, track)


def _happened(track: Track) -> list[str]:
    """Return what happened where a stretch ended."""
    return [what for t, what in track.happened if t == track.last_t]


def _force(setup: Setup) -> GeneralizedForce:
    """Return what actuators do where a run goes on."""
    hold = None if setup.sampled is None else SampleAndHold(setup, setup.sampled)
    if hold is not None and setup.carried is None:
        hold.sample(setup.start_s, setup.state0)
    return ClosedLoop(setup, hold).force(setup.start_s, setup.state0)


def _held(setup: Setup) -> Setup:
    """Return the run under the constraints that its plant has."""
    plant, state = setup.plant, setup.state0
    if not (plant.constraints or plant.leading):
        return setup
    change = plant.under(plant.constraints, state, setup.start_s)
    return going_on(setup, setup.start_s, change.plant, change.state)


def _until(setup: Setup, stop: float) -> Setup:
    """Return a run that ends at `stop` [s]."""
    if stop >= setup.stops[-1]:
        return setup
    stops = (*(t for t in setup.stops if t < stop), stop)
    return replace(setup, stops=stops, samples=setup.samples[setup.samples < stop])


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
