"""All that turns the base from inside, together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from ..channels import Channel
from ..errors import checked
from ..spatial import SYMBOLS, Array, bounded, scalar_type, solve, transpose
from ..symbolic import less, maximum, minimum, select
from ._actuator import StateEntry
from ._turner import Turner
from ._turner_channels import TurnerChannels
from ._wheel import Wheel

APPROACH_S = 1.0  # a state comes to its limit no faster than what is left of the way, per this time
SPARE = 1e-9  # of a limit: no further beyond it is on it
_ACTS = 1 + 1e-12  # of the scale: a limit that leaves no more than this acts


@checked
@dataclass(frozen=True, eq=False)
class Turners:
    """What turns the base, and its states one behind the other: n numbers in all. Over any scalar.

    each : in the order of their states

    >>> each = tuple(Wheel(name, axis, 0.02) for name, axis in zip("xyz", np.eye(3), strict=True))
    >>> turners = Turners(each)
    >>> len(turners.places), turners.momentum(np.array([100.0, 0.0, -50.0])).tolist()
    (3, [2.0, 0.0, -1.0])
    """

    each: tuple[Turner, ...]

    @cached_property
    def places(self) -> tuple[slice, ...]:
        """Where the states of each stand among all of them."""
        ends = np.cumsum([len(turner.states) for turner in self.each]).tolist()
        return tuple(slice(end - len(turner.states), end) for turner, end in zip(self.each, ends, strict=True))

    @cached_property
    def kinds(self) -> dict[type[Turner], list[int]]:
        """The kinds of them, our own always, and which ones are of each."""
        found: dict[type[Turner], list[int]] = {Wheel: []}
        for k, turner in enumerate(self.each):
            found.setdefault(type(turner), []).append(k)
        return found

    @cached_property
    def channels(self) -> tuple[TurnerChannels, ...]:
        """The series of each kind."""
        return tuple(map(TurnerChannels.of, self.kinds))

    @property
    def state_channels(self) -> tuple[Channel, ...]:
        """The series that `by_entry` makes of states."""
        return tuple(channel for kind in self.channels for channel in kind.states)

    @property
    def effort_channels(self) -> tuple[Channel, ...]:
        """The series that `by_entry` makes of efforts."""
        return tuple(channel for kind in self.channels for channel in kind.efforts)

    @property
    def tables(self) -> str:
        """The tables of files that they have, in words."""
        return " and ".join(f"[[{word}]]" for word in dict.fromkeys(turner.kind for turner in self.each))

    def stores(self, path: str) -> bool:
        """Whether what they store may depend on the number of a path: on all of theirs that are no limits and losses alone."""
        word, key = path.partition(".")[0], path.rpartition(".")[2]
        return any(kind.kind == word and key not in kind.limiting for kind in self.kinds)

    def by_kind(self, rows: Array) -> list[Array]:
        """Return rows (..., n_t) of all of them, in any unit, kind by kind."""
        return [rows[..., which] for which in self.kinds.values()]

    def by_entry(self, rows: Array) -> list[Array]:
        """Return rows (..., n) of all states, in any unit, kind by kind, and entry by entry of these."""
        starts = {kind: [self.places[k].start for k in which] for kind, which in self.kinds.items()}
        return [rows[..., np.array(own, int) + e] for kind, own in starts.items() for e in range(len(kind.states))]

    @cached_property
    def n(self) -> int:
        """Number of states."""
        return self.places[-1].stop if self.each else 0

    def __bool__(self) -> bool:
        return bool(self.each)

    def momentum(self, state: Array) -> Array:
        """Return the momentum (..., 3) [N m s] relative to the base, in its axes, of states (..., n)."""
        parts = [turner.momentum(own) for turner, own in self._with(state)]
        return reduce(add, parts) if parts else np.zeros((*state.shape[:-1], 3), dtype=int)

    def momenta(self, state: Array) -> list[Array]:
        """Return the momentum (..., 3) [N m s] of all of each kind, in base axes, as `momentum`."""
        parts = [turner.momentum(own) for turner, own in self._with(state)]
        return [sum((parts[k] for k in own), np.zeros((*state.shape[:-1], 3))) for own in self.kinds.values()]

    def twice_energy(self, state: Array) -> Any:
        """Return twice the energy (...) [J] of the motion relative to the base, at states (..., n)."""
        return reduce(add, [turner.twice_energy(own) for turner, own in self._with(state)], 0)

    def dissipated(self, state: Array) -> Any:
        """Return what friction of each takes (..., n_t) [W] at states (..., n)."""
        return self._each(state, [turner.dissipated(own) for turner, own in self._with(state)])

    def stored(self, state: Array) -> Any:
        """Return the sizes of what each stores (..., n_t) [N m s] at states (..., n)."""
        return self._each(state, [turner.stored(own) for turner, own in self._with(state)])

    def energies(self, state: Array, omega_0: Array) -> Array:
        """Return what the motion of each adds to the kinetic energy (..., n_t) [J]; omega_0 : (..., 3) in base axes."""
        pairs = self._with(state)
        return self._each(state, [(omega_0 * t.momentum(own)).sum(axis=-1) + t.twice_energy(own) / 2 for t, own in pairs])

    def efforts(self, state: Array, rates: Array, omega_0: Array, omega_0_dot: Array) -> Array:
        """Return what the motors give (n,) [N m]; omega_0, omega_0_dot : (3,) of the base, in its axes."""
        pairs = zip(self.each, self.places, strict=True)
        return _joined([turner.efforts(state[own], rates[own], omega_0, omega_0_dot) for turner, own in pairs])

    def powers(self, state: Array, rates: Array, omega_0: Array, omega_0_dot: Array) -> Array:
        """Return the power of the motors of each (n_t,) [W], of what `efforts` takes."""
        pairs = zip(self.each, self.places, strict=True)
        return self._each(state, [turner.power(state[own], rates[own], omega_0, omega_0_dot) for turner, own in pairs])

    def loose(self, state: Array) -> Array:
        """Return the inertia (3, 3) [kg m^2], in base axes, that turns on when the base is struck; state (n,)."""
        axes, inertias = self._axes(state), _joined([turner.loose(own) for turner, own in self._with(state)])
        return transpose(axes) @ (inertias[:, None] * axes)

    def jumps(self, state: Array, omega_jump: Array) -> Array:
        """Return by how much states (n,) jump where the base's angular velocity does, by (3,) [rad/s] in its axes.

        States are in the units that their kinds say.
        """
        return _joined([turner.jump(own, omega_jump) for turner, own in self._with(state)])

    def turn_every_way(self, state: Array) -> bool:
        """Whether they can turn the base about every axis at states (n,)."""
        return bool(np.linalg.matrix_rank(self._axes(state), tol=1e-9) == 3)

    def allocate(self, torque: Array, state: Array) -> Array:
        """Return rates (n,) that give a torque (3,) [N m] on the base, in its axes, with the least sum of squares.

        States (n,) and rates are in the units that their kinds say. torque = -sum axes_i gains_i rates_i, and the squares are
        of gains_i rates_i.
        """
        axes = self._axes(state)
        known = scalar_type(axes) is not SYMBOLS
        torques = np.linalg.pinv(axes.T) @ torque if known else axes @ solve(axes.T @ axes, torque)
        return -torques / _joined([turner.gains(own) for turner, own in self._with(state)])

    def scales(self, state: Array, rates: Array) -> Array:
        """Return the parts (n,) of rates (n,), in their units, 1 and less, that keep each state and rate within its limits."""
        scales = np.ones(len(rates), dtype=scalar_type(rates, state))
        for k, (_, _, limits) in enumerate(self._entries):
            if bounded(limits.state):
                towards = select(less(rates[k], 0.0), -state[k], state[k])
                scales[k] = _share(rates[k], maximum(limits.state - towards, 0.0) / APPROACH_S)
            if bounded(limits.rate):
                scales[k] = minimum(scales[k], _share(rates[k], limits.rate))
        return scales

    @cached_property
    def largest_efforts(self) -> Array:
        """Largest efforts (n,) [N m]; infinite without a limit."""
        return np.array([limits.effort for _, _, limits in self._entries])

    @property
    def limited(self) -> bool:
        """Whether any of them has limits."""
        return any(bounded(limits).any() for _, _, limits in self._entries)

    def limits(self, scale: float, rates: Array, scales: Array, effort_scales: Array, weak: Array) -> list[str]:
        """Return which limits act, each in a phrase.

        rates : (n,) in the units that their kinds say per second; scale : the fraction that is left of all
        scales, effort_scales : fractions (n,) that states and motors leave; weak : whether motors (n,) hold no speed
        """
        phrases = []
        rows = zip(self._entries, rates, scales, effort_scales, weak, strict=True)
        for (words, entry, limits), rate, own, effort, too_weak in rows:
            if own < 1 and own <= _ACTS * scale:
                by_rate = _ACTS * own * abs(rate) >= limits.rate
                largest = f"rate, {limits.rate:g} {entry.unit}/s" if by_rate else f"{entry.name}, {limits.state:g} {entry.unit}"
                phrases.append(f"{words} is held back from its largest {largest},")
            if too_weak:
                phrases.append(f"the motor of {words} is too weak to hold its speed")
            elif effort < 1 and effort <= _ACTS * scale:
                phrases.append(f"the motor of {words} gives its largest torque, {limits.effort:g} N m,")
        return phrases

    def excess(self, efforts: Array, state: Array) -> tuple[Array, Array]:
        """Return by what parts of their limits efforts and states (..., n) are beyond them, (..., n) each.

        Where there is no limit, or it is kept, they are negative. A motor that has to hold its speed while the base turns, or
        one that an environment works against, is taken to give what that asks for.
        """
        shares = 1 / self.largest_efforts, 1 / np.array([limits.state for _, _, limits in self._entries])  # 0 without a limit
        return shares[0] * abs(efforts) - (1 + SPARE), shares[1] * abs(state) - (1 + SPARE)

    def beyond(self, efforts: Array, state: Array, said: Sequence[str]) -> tuple[str, ...]:
        """Return which are beyond their limits at states (n,), in their units, each in a phrase.

        efforts : (n,) of the motors [N m]; said : what need not be said again
        """
        strained, far = self.excess(efforts, state)
        phrases = []
        for (words, entry, limits), over, further in zip(self._entries, strained > 0, far > 0, strict=True):
            motor = f"the motor of {words}"
            if over and not any(phrase.startswith(motor) for phrase in said):
                phrases.append(f"{motor} would have to give more than its largest torque, {limits.effort:g} N m,")
            if further:
                phrases.append(f"{words} is beyond its largest {entry.name}, {limits.state:g} {entry.unit},")
        return tuple(phrases)

    def _each(self, state: Array, numbers: list[Any]) -> Array:
        return np.stack(numbers, axis=-1) if numbers else np.zeros((*state.shape[:-1], 0))

    def _with(self, state: Array) -> Iterator[tuple[Turner, Array]]:
        return ((turner, state[..., own]) for turner, own in zip(self.each, self.places, strict=True))

    def _axes(self, state: Array) -> Array:
        return np.concatenate([turner.axes(own) for turner, own in self._with(state)])

    @cached_property
    def _entries(self) -> tuple[tuple[str, StateEntry, _Limits], ...]:
        """Per state, whose it is, what it is, and its limits."""
        found = []
        for turner in self.each:
            limits = zip(turner.largest_states, turner.largest_rates, turner.largest_efforts, strict=True)
            words = f"{turner.kind} '{turner.called}'"
            found += [(words, entry, _Limits(*own)) for entry, own in zip(turner.states, limits, strict=True)]
        return tuple(found)


class _Limits(NamedTuple):
    state: float
    rate: float
    effort: float


def _share(rate: Any, most: Any) -> Any:
    """Return the part of a rate, 1 or less, that is no larger than `most`, which is >= 0."""
    asked = maximum(abs(rate), most)
    return select(less(most, abs(rate)), most / select(less(0.0, asked), asked, 1.0), 1.0)


def _joined(parts: Sequence[Array]) -> Array:
    return np.concatenate(parts, axis=-1) if parts else np.zeros(0)
