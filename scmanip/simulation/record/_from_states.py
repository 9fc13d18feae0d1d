"""Series that follow from the states, by the full model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...channels import Bundle, Channel
from ...dynamics import Batch, Model
from ...errors import checked
from ...plant import INERTIA, STATES
from ...spatial import Array
from ...system import State, System
from ._recoil import rotations, stored_momenta

_ANGULAR = "angular momentum of {} about the system centre of mass"


@checked
@dataclass(frozen=True, eq=False)
class ModelStates:
    """States of a model.

    states : (n,)
    values : (n, ...) numbers of other hardware, in SI, one per state, by their names in programs; those of the model where
        left out
    pieces : of how much other hardware, of as many states each, one behind the other

    >>> given = ModelStates(model, history.states)
    >>> len(given.states), given.pieces
    (5, 1)
    """

    model: Model
    states: State
    values: Mapping[str, Array] = field(default_factory=dict)
    pieces: int = 1

    @cached_property
    def batch(self) -> Batch:
        """The model's quantities of the states."""
        return self.model.batch.with_values(self.values) if self.values else self.model.batch

    def of_hardware(self, of: Callable[[System, slice], Array], matters: Callable[[str], bool]) -> Array:
        """Return rows (n, ...) that follow from states and hardware.

        of : gives those of some of the states; matters : whether they may depend on the number of a path
        """
        if not any(map(matters, self.values)):
            return of(self.model.system, slice(None))
        size = len(self.states) // self.pieces
        return np.concatenate([of(self._system(k), slice(k * size, (k + 1) * size)) for k in range(self.pieces)])

    def _system(self, piece: int) -> System:
        first = piece * (len(self.states) // self.pieces)
        return self.model.symbolic.derivation.opened({name: rows[first] for name, rows in self.values.items()}).system

    @property
    def turned(self) -> Array:
        """(n, n_a) states of what turns the base, in the units that these say."""
        return self.states.x[:, self.model.layout.x_actuators]

    @property
    def mass_kg(self) -> Array:
        """(n,) total masses."""
        if INERTIA in self.values:
            return np.asarray(self.values[INERTIA][:, :, 0].sum(axis=1))
        return self.of_hardware(lambda system, rows: np.full(len(self.states.x[rows]), system.mass_kg), _weighs)

    @property
    def r_0(self) -> Array:
        """(n, 3) places of the base CoM in N [m]."""
        return _or_rest(self.states.r_0, (0.0, 0.0, 0.0))

    def page(self, name: str) -> dict[str, Array]:
        """Return a channel (n, ...) by its name, in its unit, with those that come with it.

        Nothing where it does not follow from states.
        """
        return next((page.series(self) for page in from_states(self.model.system) if name in page), {})


def _motion(given: ModelStates) -> Sequence[Array]:
    states, still = given.states, (0.0, 0.0, 0.0)
    attitude = _or_rest(states.attitude_xyzw, (0.0, 0.0, 0.0, 1.0))
    v_0, omega_0 = _or_rest(states.v_0, still), _or_rest(states.omega_0, still)
    return states.q, states.qdot, given.r_0, attitude, v_0, omega_0


def _centre(given: ModelStates) -> Sequence[Array]:
    return (given.r_0 + given.batch.r_0C(given.states),)


def _momentum(given: ModelStates) -> Sequence[Array]:
    momentum = given.batch.momentum(given.states)
    return momentum.P, momentum.L_C, momentum.L_0


def _by_body(given: ModelStates) -> Sequence[Array]:
    bodies = given.batch.momentum_by_body(given.states)
    parts = [(rows[:, 0].copy(), rows[:, 1:].sum(axis=1)) for rows in (bodies.P, bodies.L_C)]
    return bodies.P, bodies.L_C, *parts[0], *parts[1]


def _by_tree(given: ModelStates) -> Sequence[Array]:
    momenta = given.batch.momentum_by_tree(given.states)
    return momenta.P, momenta.L_C


def _kinetic(given: ModelStates) -> Sequence[Array]:
    return (given.batch.kinetic_energy(given.states),)


def _stored(given: ModelStates) -> Sequence[Array]:
    """Potential energy of all springs and, with a fixed base, of gravity."""
    model, batch, states = given.model, given.batch, given.states
    if not (given.values or model.system.has_potential):
        return (np.zeros(len(states)),)
    falls = np.any(model.system.gravity_m_s2)
    single = np.array(model.layout.single(), dtype=np.intp).reshape(-1, 2)  # the others have no springs
    lengths = batch.springs(states).length if model.system.springs else np.empty((len(states), 0))
    weights = given.mass_kg[:, np.newaxis] * batch.r_0C(states) if falls else np.empty((len(states), 0))

    def stored(system: System, rows: slice) -> Array:
        stiffness = np.array([freedom.stiffness for freedom in system.freedoms])[single[:, 1]]
        springs: Array = states.q[rows][:, single[:, 0]] ** 2 @ stiffness / 2
        if system.springs:
            stretch = lengths[rows] - [spring.length_m for spring in system.springs]
            springs = springs + stretch**2 @ [spring.stiffness_N_m for spring in system.springs] / 2
        return springs - weights[rows] @ system.gravity_m_s2 if falls else springs

    return (given.of_hardware(stored, _loads_springs),)


def _energies(given: ModelStates) -> Sequence[Array]:
    """Those of bodies, and what the motion of turners adds to those of a system with all of them at rest."""
    turners, states = given.model.system.turners, given.states
    omega_0 = np.einsum("nij,ni->nj", rotations(states), states.omega_0) if turners else states.omega_0

    def energies(system: System, rows: slice) -> Array:
        return system.turners.energies(given.turned[rows], omega_0[rows])

    return given.batch.energy_by_body(states), *turners.by_kind(given.of_hardware(energies, turners.stores))


def _momenta(given: ModelStates) -> Sequence[Array]:
    """Those of all turners of each kind."""
    turners = given.model.system.turners
    if not turners:
        return turners.momenta(given.turned)

    def momenta(system: System, rows: slice) -> Array:
        return np.stack(stored_momenta(given.model, given.states.repacked(given.states.x[rows]), system.turners), axis=1)

    rows = given.of_hardware(momenta, turners.stores)
    return [rows[:, k] for k in range(rows.shape[1])]


def _weighs(path: str) -> bool:
    return path.endswith(".mass_kg")


def _loads_springs(path: str) -> bool:
    kind, key = path.partition(".")[0], path.rpartition(".")[2]
    return "stiffness" in key or kind == "spring_damper" or path == "gravity_m_s2"


def _or_rest(column: Array, rest: tuple[float, ...]) -> Array:
    """Return a column (n, k) of base motion; a fixed base has none and stays at `rest` (k,)."""
    return column if column.shape[1] else np.tile(rest, (len(column), 1))


_LOCKED = "kinetic energy of each body, wheels locked"

_OF_ALL: tuple[Bundle[ModelStates], ...] = (
    Bundle(STATES, _motion),
    Bundle((Channel("r_C", "xyz", "m", "system centre of mass", metric="centre_of_mass"),), _centre),
    Bundle(
        (
            Channel("P", "xyz", "N s", "linear momentum of the system", metric="linear_momentum", free_base=True),
            Channel("L_C", "xyz", "N m s", _ANGULAR.format("the system"), metric="angular_momentum", free_base=True),
            Channel("L_0", "xyz", "N m s", "angular momentum of the system about the base centre of mass"),
        ),
        _momentum,
    ),
    Bundle(
        (
            Channel("P_by_body", "body xyz", "N s", "linear momentum of each body", part_of="P"),
            Channel("L_C_by_body", "body xyz", "N m s", f"{_ANGULAR.format('each body')}, wheels locked", part_of="L_C"),
            Channel("P_base", "xyz", "N s", "linear momentum of the base"),
            Channel("P_arm", "xyz", "N s", "linear momentum of the arm"),
            Channel("L_base", "xyz", "N m s", _ANGULAR.format("the base")),
            Channel("L_arm", "xyz", "N m s", _ANGULAR.format("the arm")),
        ),
        _by_body,
    ),
    Bundle((Channel("kinetic_energy", "", "J", "kinetic energy"),), _kinetic),
    Bundle((Channel("stored_energy", "", "J", "potential energy of springs and gravity"),), _stored),
)


_BY_TREE: Bundle[ModelStates] = Bundle(
    (
        Channel("P_by_tree", "tree xyz", "N s", "linear momentum of the base with what it carries, and of each free body"),
        Channel("L_C_by_tree", "tree xyz", "N m s", "angular momentum of these, each about its own centre of mass"),
    ),
    _by_tree,
)


@checked
def from_states(system: System) -> tuple[Bundle[ModelStates], ...]:
    """Return the series that follow from the states of a system, those of every kind that turns its base among them.

    >>> bundle = from_states(system)[0]
    >>> [channel.name for channel in bundle.channels][:4]
    ['q', 'qdot', 'r_0', 'attitude_xyzw']
    >>> bundle.series(ModelStates(model, history.states))["q"].shape
    (5, 4)
    """
    turners = system.turners
    bodies = Channel("kinetic_energy_by_body", "body", "J", _LOCKED, part_of="kinetic_energy")
    trees = (_BY_TREE,) if len(system.trees) > 1 else ()
    return (
        *_OF_ALL,
        *trees,
        Bundle(turners.state_channels, lambda given: turners.by_entry(given.turned)),
        Bundle((bodies, *(kind.energy for kind in turners.channels)), _energies),
        Bundle(tuple(kind.momentum for kind in turners.channels), _momenta),
    )
