"""Several histories as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...channels import Channels, Dimension, Nature
from ...dynamics import Stack
from ...errors import checked
from ...guidance import Sample
from ...loads import EXTERNAL, External
from ...modes import InTurn
from ...plant import LAW, law_channel
from ...spatial import Array
from ...system import State
from ..events._outcome import Outcome
from ..variation._sensitivities import sensitivities
from ..variation._stretch import Stretch
from ._constraint_series import last_impulses
from ._followed import in_a_row
from ._history import History

LAW_STATES, LAW_STATE = "law_states", "law_state"


@dataclass(frozen=True, eq=False)
class HistoryPiece:
    """A history that is a part of a longer one.

    kept : which of its samples the whole has
    since_s : when it starts on the clock of the whole, where its own clock begins anew [s]
    gained : what totals gained between the piece before and this one, by name
    """

    history: History
    kept: slice = field(default_factory=lambda: slice(None))
    since_s: float = 0.0
    gained: Mapping[str, Array | float] = field(default_factory=dict)


@checked
def joined(histories: Sequence[History]) -> History:
    """Return the history of phases that follow one another; a single one is returned as it is.

    Where their modes differ the whole is flown in them `InTurn`, of which balances hold that hold in all modes.
    Time runs on, and so do totals such as those of work, dissipation, impulse and propellant; what happened has mission times.
    The instant between two phases is there twice, as the end of one and the start of the next, because the joint forces may
    jump. A series is put together when it is first read.

    >>> rest = simulate(plant, law, history.final, reference=reference, t_end_s=1.0, output_step_s=0.5)
    >>> joined([history, rest]).t.tolist()
    [0.0, 0.5, 1.0, 1.5, 2.0, 2.0, 2.5, 3.0]
    """
    if len(histories) == 1:
        return histories[0]
    pieces = [
        HistoryPiece(history, since_s=start, gained=_gained_at_once(history) if start else {})
        for history, start in zip(histories, starts(histories), strict=True)
    ]
    mode = histories[0].mode if one_mode(histories) else InTurn([history.mode for history in histories])
    return bound(pieces, mode=mode, advice=_advice(pieces[-1]))


def bound(pieces: Sequence[HistoryPiece], **known: Any) -> History:
    """Return the history of pieces that follow one another; known : what it is not to take from the last piece."""
    last = pieces[-1].history
    names = "system", "mode", "outcome", "advice", "holding", "constraints", "inhibited"
    own = {name: getattr(last, name) for name in names}
    flown = {
        "steps": sum(piece.history.steps for piece in pieces),
        "in_machine_code": all(piece.history.in_machine_code for piece in pieces),
    }
    told = {**own, **flown, **known}
    return History(_channels(pieces), _Binding(pieces, told), **told)


def _remembered(pieces: Sequence[HistoryPiece]) -> list[tuple[str, str]]:
    """Return names and units of what the laws of all pieces remember."""
    found = [piece.history.channels.dimensions.get(LAW_STATE) for piece in pieces]
    pairs = [pair for own in found if own is not None for pair in zip(own.labels, own.units, strict=True)]
    return list(dict.fromkeys(pairs))


def _channels(pieces: Sequence[HistoryPiece]) -> Channels:
    """Return the series of the last piece, with what the laws of any remember."""
    last, pairs = pieces[-1].history.channels, _remembered(pieces)
    if not pairs:
        return last
    labels, units = zip(*pairs, strict=True)
    declared = {**last.declared, LAW_STATES: law_channel(units)}
    return Channels(declared.values(), {**last.dimensions, LAW_STATE: Dimension(LAW_STATE, labels, units)})


def _law_states(pieces: Sequence[HistoryPiece], name: str) -> Array:
    """Return what laws remember, NaN in pieces whose laws remember nothing of that name."""
    pairs = _remembered(pieces)
    rows = [np.full((len(piece.history.t), len(pairs)), np.nan) for piece in pieces]
    for piece, part in zip(pieces, rows, strict=True):
        if own := _remembered([piece]):
            part[:, [pairs.index(pair) for pair in own]] = getattr(piece.history, name)
    return np.concatenate([part[piece.kept] for piece, part in zip(pieces, rows, strict=True)])


def _gained_at_once(history: History) -> Mapping[str, Array | float]:
    """Return what totals gain in the switch with which a history begins; nothing where it begins with none."""
    return next((change.gained for change in history.switches if change.t == 0.0), {})


class _Binding:
    """The books of several histories as one."""

    def __init__(self, pieces: Sequence[HistoryPiece], told: Mapping[str, Any]) -> None:
        self._pieces, self._told = pieces, told

    def finely(self) -> History | None:
        """Return the history that the pieces have together at many more times, all of them; None where they have none finer."""
        finer = [replace(piece, history=piece.history.finely, kept=slice(None)) for piece in self._pieces]
        same = all(
            one.history is piece.history and piece.kept == slice(None) for one, piece in zip(finer, self._pieces, strict=True)
        )
        return None if same else bound(finer, **self._told)

    def settled(self) -> History:
        """Return the history that the pieces have together once each of them is settled."""
        return bound([replace(piece, history=piece.history.settled()) for piece in self._pieces], **self._told)

    def nodes(self) -> Array:
        """Return which samples of that history each step has."""
        before = np.cumsum([0, *(len(piece.history.finely.t) for piece in self._pieces)])
        return np.concatenate([first + piece.history.nodes for first, piece in zip(before, self._pieces, strict=False)])

    def stretches(self) -> list[Stretch]:
        """Return all stretches of the pieces, with those of their samples that the whole has."""
        whole = slice(None)
        return [
            one if piece.kept == whole else replace(one, kept=piece.kept)
            for piece in self._pieces
            for one in piece.history.stretches
        ]

    def together(self) -> dict[str, Array]:
        """Return nothing, once all pieces have worked theirs out."""
        for piece in self._pieces:
            piece.history.read_together()
        return {}

    def load(self, number: int) -> Array:
        """Return the load on an interface, without those on all others."""
        load = _after_one_another([piece.history._load(number)[piece.kept] for piece in self._pieces])
        load.flags.writeable = False
        return load

    def page(self, name: str) -> dict[str, Any]:
        """Return a series of the joined history."""
        if name in EXTERNAL:
            return EXTERNAL.series(self._whole("external"))
        if name == "sensitivity":
            return {name: sensitivities(self.stretches())}
        if name in ("switch_impulse", "contact_impulse"):
            return {name: self._impulses(name)}
        return {name: self._whole(name)}

    def has(self, name: str) -> bool:
        """Return whether the last piece has a series of that name, or a law of any remembers something."""
        return name in _channels(self._pieces).declared

    def _impulses(self, name: str) -> Array:
        """Return the impulses of switches, which stretches do not know of."""
        history, stack = self._pieces[0].history, Stack.of_all(self._pieces[0].history.system)
        at: Mapping[str, Any] = stack.rows_of
        shape: tuple[int, ...] = (len(stack.labels),)
        if name == "contact_impulse":
            places = history.channels.dimensions["contact"].labels
            at, shape = {place: k for k, place in enumerate(places)}, (len(places), 3)
        switches = self._told["switches"] if "switches" in self._told else _happened(self._pieces, "switches")
        return last_impulses(_times(self._pieces), switches, at, shape)

    def _whole(self, name: str) -> Any:
        if name in _WHOLE:
            return _WHOLE[name](self._pieces, name)
        channel = self._pieces[0].history.channels.get(name)
        runs_on = channel is not None and channel.kind is Nature.INTEGRAL
        return (_running if runs_on else _in_a_row)(self._pieces, name)


def _advice(last: HistoryPiece) -> str:
    """Return the advice of the last phase; an event by mission time."""
    history, start_s = last.history, last.since_s
    if history.outcome is Outcome.EVENT:
        now = [o.later(start_s) for o in history.noted if o.first_s == o.last_s == history.t[-1]]
        return "; ".join(map(str, now))
    timed = history.advice and history.outcome is not Outcome.TIMEOUT
    return f"{history.advice} (times since the phase began, at t = {start_s:.9g} s)" if timed else history.advice


def one_mode(histories: Sequence[History]) -> bool:
    """Whether all phases were flown in one mode."""
    return len({repr(history.mode) for history in histories}) == 1


@checked
def stretches(histories: Sequence[History]) -> list[tuple[float, History]]:
    """Return the phases with those that follow one another in one mode joined, each with its start in mission time [s].

    >>> [(start_s, run.mode.name) for start_s, run in stretches([history, history])]
    [(0.0, 'floating')]
    """
    groups: list[list[History]] = []
    for history in histories:
        if groups and one_mode([groups[-1][0], history]):
            groups[-1].append(history)
        else:
            groups.append([history])
    parts = [joined(group) for group in groups]
    return list(zip(starts(parts), parts, strict=True))


def starts(histories: Sequence[History]) -> list[float]:
    """Return when each of several histories starts that follow one another, in mission time [s]."""
    return [float(start) for start in np.cumsum([0.0, *(history.t[-1] for history in histories[:-1])])]


@checked
def phase_numbers(histories: Sequence[History]) -> NDArray[np.intp]:
    """Return (n,) the number from 0 of the phase to which each sample of the joined history belongs.

    >>> phase_numbers([history, history]).tolist()
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    """
    return np.repeat(np.arange(len(histories)), [len(history.t) for history in histories])


def _books(pieces: Sequence[HistoryPiece], name: str) -> External | None:
    """Return the books of all pieces as one, with nothing in those that have none; None where none has any."""
    given, times = [getattr(piece.history, name) for piece in pieces], [piece.history.t for piece in pieces]
    if all(book is None for book in given):
        return None
    filled = [External.of(np.zeros((len(t), External.COLUMNS))) if b is None else b for b, t in zip(given, times, strict=True)]
    blows = [np.asarray(piece.gained.get("external", np.zeros(6))) for piece in pieces]
    return External.joined(filled, times, pieces[0].history.mass_kg, blows, [piece.kept for piece in pieces])


def _running(pieces: Sequence[HistoryPiece], name: str) -> Array:
    """Return a series that starts at 0 in every piece as one that runs on."""
    parts: list[Array] = []
    last: Array | float = 0.0
    for piece in pieces:
        series: Array = getattr(piece.history, name) + (last + piece.gained.get(name, 0.0))
        parts.append(series[piece.kept])
        last = series[-1]
    return _after_one_another(parts)


def _largest(pieces: Sequence[HistoryPiece], name: str) -> Array:
    """Return a series of the largest so far in each piece as one of the largest so far in all."""
    return np.maximum.accumulate(_in_a_row(pieces, name), axis=0)


def _in_a_row(pieces: Sequence[HistoryPiece], name: str) -> Array:
    return _after_one_another([getattr(piece.history, name)[piece.kept] for piece in pieces])


def _after_one_another(parts: Sequence[Array]) -> Array:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _happened(pieces: Sequence[HistoryPiece], name: str) -> tuple[Any, ...]:
    return tuple(entry.later(piece.since_s) for piece in pieces for entry in getattr(piece.history, name))


def _states(pieces: Sequence[HistoryPiece], name: str) -> State:
    """Return those of all pieces, of several without what their laws remember, which is another thing in each."""
    states = [piece.history.states[i] for piece in pieces for i in range(len(piece.history.t))[piece.kept]]
    return State.stack([state.without(LAW) for state in states] if len(pieces) > 1 else states)


def _references(pieces: Sequence[HistoryPiece]) -> Sample | None:
    """Return what was to be followed in all pieces."""

    def kept(piece: HistoryPiece) -> Sample | None:
        found: Sample | None = in_a_row([piece.history.reference], lambda rows: rows[0][piece.kept])
        return found

    whole: Sample | None = in_a_row([kept(piece) for piece in pieces], np.concatenate)
    return whole


def _times(pieces: Sequence[HistoryPiece], name: str = "t") -> Array:
    return np.concatenate([(piece.history.t + piece.since_s)[piece.kept] for piece in pieces])


_WHOLE: Mapping[str, Callable[[Sequence[HistoryPiece], str], Any]] = {
    "t": _times,
    "states": _states,
    "joint_impulse": _largest,
    "step_s": lambda pieces, name: np.concatenate([piece.history.step_s for piece in pieces]),
    "noted": _happened,
    "occurrences": _happened,
    "passages": _happened,
    "switches": _happened,
    "rechosen": _happened,
    "external": _books,
    "demand": _books,
    "known": lambda pieces, name: pieces[-1].history.known,
    LAW_STATES: _law_states,
    "reference": lambda pieces, name: _references(pieces),
    "error": lambda pieces, name: None if _references(pieces) is None else _in_a_row(pieces, name),
}
"""What is put together otherwise than a series in a row."""
