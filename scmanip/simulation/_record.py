"""Turn the samples of a run into its history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ..dynamics import Batch, Model
from ..loads import External
from ..spatial import Array
from ..system import State
from ._events import Occurrence, limit_events
from ._history import History
from ._joint_motion import joint_motion
from ._limit_passage import LimitPassage
from ._limit_passages import has_ranges, limit_passages
from ._look import Look
from ._recoil import rotations, wheel_momentum
from ._samples import Samples
from ._setup import Setup
from ._shares import Shares
from ._track import Track


def record(setup: Setup, track: Track) -> History:
    """Return the history of a finished track; what follows from its states is evaluated when it is first read."""
    return _history(Books(setup, track), setup, track)


def _history(books: Books, setup: Setup, track: Track) -> History:
    return History.kept(
        books,
        system=setup.model.system,
        mode=setup.mode,
        outcome=track.verdict.outcome,
        advice=track.verdict.advice,
        steps=track.steps,
    )


class Books:
    """What follows from the samples of a run, by the full model at every sample."""

    def __init__(self, setup: Setup, track: Track) -> None:
        self._setup, self._track = setup, track

    @cached_property
    def samples(self) -> Samples:
        """Times, states and forces."""
        return Samples(self._setup, self._track)

    @property
    def _states(self) -> State:
        return self.samples.states

    @cached_property
    def look(self) -> Look:
        """The run once more, to look into its steps."""
        return Look(self._setup, self._track, self.samples.t)

    def finely(self) -> History | None:
        """Return the history of the same run at all places of the look."""
        return _history(_FineBooks(self._setup, self), self._setup, self.look.track)

    def nodes(self) -> Array:
        """Return which samples of the look each step has."""
        return self.look.nodes

    def page(self, name: str) -> dict[str, Any]:
        """Return a series of a `History` by its name, with those that come with it."""
        return next(page(self) for names, page in _PAGES.items() if name in names)

    def times(self) -> dict[str, Any]:
        """The times of the samples."""
        return {"t": self.samples.t}

    def motion(self) -> dict[str, Any]:
        """The states."""
        states = self._states
        return {
            "states": states,
            "r_0": _or_rest(states.r_0, (0.0, 0.0, 0.0)),
            "attitude_xyzw": _or_rest(states.attitude_xyzw, (0.0, 0.0, 0.0, 1.0)),
            "v_0": _or_rest(states.v_0, (0.0, 0.0, 0.0)),
            "omega_0": _or_rest(states.omega_0, (0.0, 0.0, 0.0)),
        }

    def integrals(self) -> dict[str, Any]:
        """What was integrated with the motion."""
        setup, books = self._setup, self.samples.y[:, -self._setup.frame.books :].copy()
        return {
            "work": books[:, 0],
            "dissipated": books[:, 1],
            "impulse": books[:, 2:8] if setup.mode.pushed else np.zeros((len(books), 6)),
            "propellant_kg": books[:, 8] if setup.burns else np.zeros(len(books)),
            "external": None if setup.environment is None else External.of(setup.outside(books)),
        }

    def momentum(self) -> dict[str, Array]:
        """P, L_0, L_C."""
        momentum = self._setup.model.batch.momentum(self._states)
        return {"P": momentum.P, "L_0": momentum.L_0, "L_C": momentum.L_C}

    def parts(self) -> dict[str, Array]:
        """Momentum of the base and of all other bodies."""
        bodies = self._setup.model.batch.momentum_by_body(self._states)
        return {
            "P_by_body": bodies.P,
            "L_C_by_body": bodies.L_C,
            "P_base": bodies.P[:, 0].copy(),
            "L_base": bodies.L_C[:, 0].copy(),
            "P_arm": bodies.P[:, 1:].sum(axis=1),
            "L_arm": bodies.L_C[:, 1:].sum(axis=1),
        }

    def energy(self) -> dict[str, Array]:
        """Kinetic and stored energy."""
        model, states = self._setup.model, self._states
        return {"kinetic_energy": model.batch.kinetic_energy(states), "stored_energy": stored_energy(model, states)}

    def energies(self) -> dict[str, Array]:
        """Kinetic energy by body and wheel."""
        model, states = self._setup.model, self._states
        return {
            "kinetic_energy_by_body": model.batch.energy_by_body(states),
            "kinetic_energy_by_wheel": _spinning(model, states),
        }

    def place(self) -> dict[str, Array]:
        """The system's centre of mass."""
        return {"r_C": _or_rest(self._states.r_0, (0.0, 0.0, 0.0)) + self._setup.model.batch.r_0C(self._states)}

    def wheels(self) -> dict[str, Array]:
        """Momentum of the wheels relative to the base."""
        return {"h_wheels": wheel_momentum(self._setup.model, self._states)}

    @cached_property
    def happened(self) -> tuple[Occurrence, ...]:
        """Events that were asked for, and limits of actuators that acted."""
        asked = tuple(Occurrence(name, t, t) for t, name in self._track.happened)
        return (*asked, *limit_events(self.look)) if self._setup.limited else asked

    @cached_property
    def range_passages(self) -> tuple[LimitPassage, ...]:
        """Where joints were beyond their limits."""
        return limit_passages(self._setup, self.look) if has_ranges(self._setup) else ()

    def passages(self) -> dict[str, Any]:
        """Where joints were beyond their limits."""
        return {"passages": self.range_passages}

    @cached_property
    def shares(self) -> Shares:
        """What has to be integrated once more."""
        return Shares(self._setup, self.look, self.samples.t)


class _FineBooks(Books):
    """The same at all places of the look into the steps of a run, of which `whole` are the books."""

    def __init__(self, setup: Setup, whole: Books) -> None:
        super().__init__(setup, whole.look.track)
        self._whole = whole

    @property
    def samples(self) -> Samples:
        return self._whole.look.samples

    @property
    def look(self) -> Look:
        return self._whole.look

    @property
    def happened(self) -> tuple[Occurrence, ...]:
        return self._whole.happened

    @property
    def range_passages(self) -> tuple[LimitPassage, ...]:
        return self._whole.range_passages

    def finely(self) -> History | None:
        """There is nothing finer."""
        return None


_PAGES: Mapping[tuple[str, ...], Callable[[Books], dict[str, Any]]] = {
    ("t",): Books.times,
    ("states", "r_0", "attitude_xyzw", "v_0", "omega_0"): Books.motion,
    ("work", "dissipated", "impulse", "propellant_kg", "external"): Books.integrals,
    ("P", "L_0", "L_C"): Books.momentum,
    ("P_base", "L_base", "P_arm", "L_arm", "P_by_body", "L_C_by_body"): Books.parts,
    ("kinetic_energy", "stored_energy"): Books.energy,
    ("kinetic_energy_by_body", "kinetic_energy_by_wheel"): Books.energies,
    ("r_C",): Books.place,
    ("h_wheels",): Books.wheels,
    ("passages",): Books.passages,
    ("tau",): lambda books: {"tau": books.samples.tau},
    ("wrench",): lambda books: {"wrench": books.samples.wrench},
    ("wheel_torque",): lambda books: {"wheel_torque": books.samples.wheel_torque},
    ("thrust_N",): lambda books: {"thrust_N": books.samples.thrust_N},
    ("missing_wrench",): lambda books: {"missing_wrench": books.samples.missing},
    ("occurrences",): lambda books: {"occurrences": books.happened},
    (
        "work_by_joint",
        "work_by_wheel",
        "work_on_base",
        "dissipated_by_joint",
        "dissipated_by_wheel",
        "dissipated_by_spring",
    ): lambda books: books.shares.work(),
    ("work_by_thruster", "impulse_by_thruster"): lambda books: books.shares.thrust(),
    ("joint_impulse_left", "joint_impulse"): lambda books: joint_motion(books._setup, books.look, books.samples),
    ("step_s",): lambda books: {"step_s": books.look.sizes},
    ("demand",): lambda books: books.shares.demand(),
    ("shift_by_joint", "shift_by_momentum", "turn_by_joint", "turn_by_momentum"): lambda books: books.shares.base(),
}


def stored_energy(model: Model, states: State, batch: Batch | None = None, mass_kg: Array | None = None) -> Array:
    """Return the potential energy (n,) [J] of all springs and, with a fixed base, of gravity.

    batch, mass_kg : quantities and total masses (n,) of other hardware, one per state; those of the model when left out
    """
    batch = model.batch if batch is None else batch
    single = np.array(model.layout.single(), dtype=np.intp).reshape(-1, 2)  # the others have no springs
    stiffness = np.array([freedom.stiffness for freedom in model.system.freedoms])[single[:, 1]]
    springs = states.q[:, single[:, 0]] ** 2 @ stiffness / 2
    if model.system.springs:
        stretch = batch.springs(states).length - [spring.length_m for spring in model.system.springs]
        springs = springs + stretch**2 @ [spring.stiffness_N_m for spring in model.system.springs] / 2
    if not np.any(model.system.gravity_m_s2):
        return springs
    mass = np.full(len(states), model.system.mass_kg) if mass_kg is None else mass_kg
    return springs - mass * (batch.r_0C(states) @ model.system.gravity_m_s2)


def _or_rest(column: Array, rest: tuple[float, ...]) -> Array:
    """Return a column (n, k) of base motion; a fixed base has none and stays at `rest` (k,)."""
    return column if column.shape[1] else np.tile(rest, (len(column), 1))


def _spinning(model: Model, states: State) -> Array:
    """Return what the spin of each wheel adds to the kinetic energy (n, n_w) of a system with its wheels locked."""
    if not model.layout.n_w:
        return np.empty((len(states), 0))
    spin, axes = (np.array([getattr(wheel, name) for wheel in model.system.wheels]) for name in ("inertia_kg_m2", "axis"))
    turning = np.einsum("wj,nij,ni->nw", axes, rotations(states), states.omega_0)
    return spin * states.wheel_rad_s * (states.wheel_rad_s / 2 + turning)
