"""Constraints that begin to hold in many states at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...constraints import RelativeMotion
from ...errors import ConstraintRankLoss, InconsistentConstraints, SingularInertia
from ...spatial import Array, Selection
from ...system import State
from ..constraints._foreseen import ForeseenEquations
from ..constraints._sight import Sight

if TYPE_CHECKING:
    from ._constrained import Constrained

BROKEN = 1e-6  # of its size, by which a row that is left out may miss
LOST = SingularInertia, ConstraintRankLoss, InconsistentConstraints


class ImposedEach(NamedTuple):
    """What happens where constraints begin to hold in n states, plastically [Moreau1988].

    state : batch after it, in the same places
    kept : (n, n_kept) what they keep, in SI
    chosen : rows and speeds that were selected for all, at the first state in which they can hold
    conditioning : (n,) how good that is in each, a bare number
    impulses : (n, k) per constraint, units of its forces times s; energy_lost : (n,) [J]
    unmet : why they cannot begin to hold, of each state in which they cannot; its numbers mean nothing

    >>> from scmanip.constraints import Lock
    >>> rod = scmanip.Body("rod", 3.0, [0.0, 1.0, 1.0], [0.5, 0, 0], "base", scmanip.Joint("pin", "revolute"))
    >>> held = {"fixed": True, "constraints": [Lock("brake", "pin")]}
    >>> pendulum = scmanip.System("pendulum", scmanip.Body("base", 0.0, [0, 0, 0]), [rod], **held)
    >>> turning = scmanip.State(q=[[0.0], [1.0]], qdot=[[0.0], [2.0]])
    >>> each = compile_model(pendulum).constrained("brake").imposed_each(turning)
    >>> (each.impulses["brake"].round(6) + 0).tolist(), each.energy_lost.round(6).tolist(), each.unmet
    ([[0.0], [-3.5]], [0.0, 3.5], {})
    """

    state: State
    kept: Array
    chosen: Selection
    conditioning: Array
    impulses: dict[str, Array]
    energy_lost: Array
    unmet: dict[int, str]


class ImpositionOfEach:
    """Constraints of a model about to be imposed on a batch of states.

    t : one for all or (n,); before : (n, ...) by name, what those keep that hold already
    values : (n, ...) of numbers that are inputs, in place of the system's own
    """

    def __init__(
        self, constrained: Constrained, states: State, t: ArrayLike, before: Mapping[str, Array], values: Mapping[str, Array]
    ) -> None:
        self._of, self._states, self._before, self._values = constrained, states, before, values
        self._t = np.array(np.broadcast_to(np.asarray(t, dtype=float), len(states.x)))
        self._stack, self._programs = constrained.stack, constrained._programs

    def done(self) -> ImposedEach:
        """Return what happens; raises `ConstraintRankLoss` where no state says which speeds depend on others."""
        unmet = {k: said for k, seen in enumerate(self._seen) if (said := "; ".join(map(str, self._stack.unmet(seen))))}
        chosen = self._chosen(unmet)
        u, actuators, impulses, lost, watched = self._jumps(chosen)
        broken = ~(watched[:, 1] <= BROKEN) | ~np.isfinite(u).all(axis=1)
        names = ", ".join(map(repr, self._of.names))
        unmet |= {int(k): f"no motion obeys all of {names} there" for k in np.flatnonzero(broken) if k not in unmet}
        layout, x = self._of.model.layout, np.array(self._states.x)
        x[:, layout.x_u], x[:, layout.x_actuators] = u, actuators
        each = {name: impulses[:, at] for name, at in self._stack.rows_of.items()}
        return ImposedEach(self._states.repacked(x), self._kept, chosen, watched[:, 0], each, lost, unmet)

    def _good(self, unmet: Mapping[int, str]) -> Array:
        return np.array([k not in unmet for k in range(len(self._states.x))])

    def _chosen(self, unmet: dict[int, str]) -> Selection:
        """Return rows and speeds chosen at the first state in which the constraints can hold."""
        for k in np.flatnonzero(self._good(unmet)).tolist():
            try:
                self._of.choose(self._states[k], t=float(self._t[k]), kept=self._kept[k])
            except LOST as lost:
                unmet[k] = str(lost)
            else:
                break
        return self._of.chosen[0]

    def _jumps(self, chosen: Selection) -> list[Array]:
        return self._programs.batch("jumps", chosen, self._x, self._values, self._kept, self._t)

    @property
    def _x(self) -> Array:
        return np.ascontiguousarray(self._states.hardware)

    @cached_property
    def _kept(self) -> Array:
        """(n, n_kept)."""
        kept = np.array([self._stack.found(seen, float(t)) for seen, t in zip(self._seen, self._t, strict=True)]).reshape(
            len(self._x), self._stack.n_kept
        )
        for name, at in self._stack.kept_of.items():
            kept[:, at] = self._before.get(name, kept[:, at])
        return kept

    @cached_property
    def _seen(self) -> list[Sight]:
        """What the constraints see in each state: the frames that they look at in the first one come from one program."""
        first = self._sight(0, {})
        self._stack.found(first, float(self._t[0])), self._stack.unmet(first)
        known = self._motions(first.asked) if first.asked else [{} for _ in self._x]
        return [self._sight(k, motions) for k, motions in enumerate(known)]

    def _sight(self, k: int, known: Mapping[tuple[str, str], RelativeMotion]) -> Sight:
        own = {name: values[k] for name, values in self._values.items()}
        return ForeseenEquations(self._programs.derivation, self._x[k], own, known)

    def _motions(self, pairs: tuple[tuple[str, str], ...]) -> Iterator[dict[tuple[str, str], RelativeMotion]]:
        """Yield how frames move relative to others in each state."""
        names = [each.name for each in fields(RelativeMotion) if each.name != "apart"]
        for values in zip(*self._programs.sights(pairs, names, self._x, self._values), strict=True):
            parts = (values[k : k + len(names)] for k in range(0, len(values), len(names)))
            yield {pair: RelativeMotion(*part) for pair, part in zip(pairs, parts, strict=True)}
