"""Laws that can be part of a compiled run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Hashable, Mapping, Sequence
from copy import copy
from math import isnan
from typing import Any

import numpy as np

from ..dynamics import INERTIA, Full, Model
from ..errors import InvalidInput, Problem, checked, misfits, refuse
from ..guidance import JointReference, PoseReference, ReferenceForm
from ..spatial import Array, real
from ..system import Layout

BELIEVED = "estimate_inertia", "estimate."  # what the names of numbers of an estimate begin with
NOTHING = np.empty(0)  # what a law without memory remembers


class RecordedLaw(ABC):
    """A law as equations over any scalar and the numbers that may change without new equations.

    `force` is the law where it remembers nothing; `said` is the whole law. All is in SI throughout, and over any scalar: packed
    states as `State.x`, commands in [N m or N], gains by their names.

    >>> equations = law.recorded()
    >>> type(equations).__name__, sorted(equations.numbers)
    ('_Recorded', ['K_D', 'K_P'])
    """

    @property
    def follows(self) -> type[JointReference] | type[PoseReference]:
        """The kind of samples that it follows; of several that any of which will do, the first."""
        return JointReference

    @property
    def takes(self) -> tuple[type[JointReference] | type[PoseReference], ...]:
        """The kinds of samples any of which it follows; none for a law that is told of nothing wanted."""
        return (self.follows,)

    @property
    @abstractmethod
    def key(self) -> Hashable:
        """Equal keys mean equal equations."""

    @property
    def shaped_key(self) -> Hashable:
        """That with the shapes of its numbers: equal ones mean equal programs."""
        return self.key, tuple((name, np.shape(array)) for name, array in self.numbers.items())

    @property
    @abstractmethod
    def numbers(self) -> Mapping[str, Array]:
        """Gains and the like by name, each () or an array."""

    def beside(self, plant: Model) -> RecordedLaw:
        """Return the same law in the form that takes the fewest operations beside the equations of a plant."""
        del plant
        return self

    @abstractmethod
    def force(self, x: Array, wanted: Any, numbers: Mapping[str, Array]) -> Array:
        """Return the command, (N,) or (6 + N,), at a packed state x (n_x,) for a sample of a reference, all over any scalar."""

    @property
    def remembers(self) -> int:
        """How many numbers it takes along from one command to the next."""
        return 0

    @property
    def flows(self) -> bool:
        """Whether these are part of the state of a run; then `said` gives their rates in place of the next memory."""
        return False

    def begins(self, x: Array, numbers: Mapping[str, Array]) -> Array:
        """Return the memory (remembers,) before the first command, in a packed state x (n_x,), over any scalar."""
        del x, numbers
        return np.zeros(self.remembers, dtype=int)

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        """Return the command and the next memory (remembers,), all over any scalar; arguments as for `force`."""
        return self.force(x, wanted, numbers), memory

    def unwound(
        self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array, after: Array, missing: Array
    ) -> Array:
        """Return what comes next in place of `after` where `missing` was cut off the command, (N,) or (6 + N,); any scalar."""
        del x, wanted, numbers, memory, missing
        return after

    def at(self, t: Any) -> RecordedLaw:
        """Return the law at a time [s], over any scalar: itself, unless it looks at the clock."""
        del t
        return self

    def can_follow(self, form: ReferenceForm) -> bool:
        """Whether a reference of that form says what the law follows, if it follows anything."""
        return not self.takes or form.gives in self.takes


class RecordedWrapper(RecordedLaw):
    """A law around `inner`, a frozen dataclass: whatever it does not say of itself the law inside says, but for its `key`.

    >>> equations = Saturated(law, 0.5).recorded()
    >>> isinstance(equations, RecordedWrapper), equations.inner.key == law.recorded().key
    (True, True)
    """

    inner: RecordedLaw

    @property
    def follows(self) -> type[JointReference] | type[PoseReference]:
        return self.inner.follows

    @property
    def takes(self) -> tuple[type[JointReference] | type[PoseReference], ...]:
        return self.inner.takes

    @property
    def numbers(self) -> Mapping[str, Array]:
        return self.inner.numbers

    def beside(self, plant: Model) -> RecordedLaw:
        """Return the same around the law inside as it is beside a plant."""
        return self._around(self.inner.beside(plant))

    def at(self, t: Any) -> RecordedLaw:
        """Return the same around the law inside as it is then."""
        return self._around(self.inner.at(t))

    def _around(self, inner: RecordedLaw) -> RecordedLaw:
        made = copy(self)
        vars(made).update(inner=inner)
        return made

    @property
    def remembers(self) -> int:
        """As many as the law inside."""
        return self.inner.remembers

    @property
    def flows(self) -> bool:
        return self.inner.flows

    def begins(self, x: Array, numbers: Mapping[str, Array]) -> Array:
        """Return that of the law inside."""
        return self.inner.begins(x, numbers)

    def force(self, x: Array, wanted: Any, numbers: Mapping[str, Array]) -> Array:
        """Return the command where it remembers nothing yet."""
        return self.said(x, wanted, numbers, self.begins(x, numbers))[0]

    def unwound(
        self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array, after: Array, missing: Array
    ) -> Array:
        """Return that of the law inside, behind the numbers that are its own."""
        n = self.remembers - self.inner.remembers
        inner = self.inner.unwound(x, wanted, numbers, memory[n:], after[n:], missing)
        return np.concatenate([after[:n], inner])


def outer_name(name: str, inside: Container[str]) -> str:
    """Return a name that nothing inside has: a law around others may be around one of its own kind.

    >>> outer_name("limit", ["K_P"]), outer_name("limit", ["K_P", "limit"])
    ('limit', 'outer_limit')
    """
    while name in inside:
        name = f"outer_{name}"
    return name


def recorded_law(controller: Any) -> RecordedLaw | None:
    """Return a controller as equations, or None; a subclass that changes its law must say how it is recorded as well.

    Raises `InvalidInput` for what are no equations.

    >>> recorded_law(law).key == law.recorded().key, recorded_law(lambda t, state: -state.qdot)
    (True, None)
    """
    found = controller.recorded() if "recorded" in vars(type(controller)) else None
    if found is None:
        return None
    if not isinstance(found, RecordedLaw):
        raise InvalidInput(Problem(f"{type(controller).__name__}.recorded", "a RecordedLaw or None", repr(found)))
    refuse(misfits(type(found)))
    return found


def numbers_of(law: Any) -> dict[str, Array]:
    """Return the numbers of a law, () or an array each, in their units, as machine code takes them.

    Raises `InvalidInput` for what are none.

    >>> sorted(numbers_of(law.recorded()))
    ['K_D', 'K_P']
    """
    return {name: _number(law, name, value) for name, value in law.numbers.items()}


@checked
def commanded_by(
    law: RecordedLaw, layout: Layout, t: Any, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array
) -> tuple[Array, Array]:
    """Return the command of a law at t [s] and the next memory (k,), all over any scalar and in SI; arguments as for `said`.

    x : (n_x,) packed state in N; it has no formula of its own

    Raises `InvalidInput` for what is neither (N,) nor (6 + N,), and for another memory.

    >>> equations, wanted = law.recorded(), reference.at(0.0)
    >>> told = commanded_by(equations, system.layout, 0.0, state.x, wanted, numbers_of(equations), np.empty(0))
    >>> told[0].shape, told[1].shape
    ((4,), (0,))
    """
    said = law.at(t).said(x, wanted, numbers, memory)
    command, after = (np.asarray(part) for part in said)
    if command.shape not in ((layout.N,), (6 + layout.N,)) or after.shape != memory.shape:
        expected = f"{layout.N} joint forces, or {6 + layout.N} numbers [f; n; tau], and a memory of {memory.size}"
        found = f"shapes {command.shape} and {after.shape}"
        raise InvalidInput(Problem(f"command of {type(law).__name__}", expected, found))
    return command, after


def _number(law: RecordedLaw, name: str, given: Any) -> Array:
    try:
        array = real(given)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if isnan(np.vdot(array, array)):  # of squares, so only where there is a NaN
        raise InvalidInput(Problem(f"number '{name}' of {type(law).__name__}", "a number, or an array of some", repr(given)))
    return array


def estimate_numbers(estimate: Model) -> dict[str, Array]:
    """Return the numbers of an estimate that are inputs of its programs: "estimate_inertia", and paths behind "estimate."."""
    numbers = estimate.symbolic.derivation.numbers
    return {believed_name(name): value for name, value in numbers.items()}


def believed_name(name: str) -> str:
    """Return what a number of an estimate is called among those of a law.

    >>> believed_name("body.link1.mass_kg")
    'estimate.body.link1.mass_kg'
    """
    return "estimate_inertia" if name == INERTIA else f"estimate.{name}"


def believed_of(numbers: Mapping[str, Array]) -> dict[str, Array]:
    """Return those numbers of a law that are numbers of its estimate, by their names there.

    Their arrays stay as they are, in the units that they have there.

    >>> believed_of({"K_P": np.ones(4), believed_name("body.link1.mass_kg"): np.array(10.0)})
    {'body.link1.mass_kg': array(10.)}
    """
    return {name[len("estimate.") :]: value for name, value in numbers.items() if name.startswith(BELIEVED)}


def evaluated(estimate: Model, names: Sequence[str], x: Array, numbers: Mapping[str, Array], **given: Array) -> list[Array]:
    """Return quantities of an estimate at a packed state x, all over any scalar."""
    outputs = estimate.symbolic.derivation.packed_outputs(names, x, {**given, **believed_of(numbers)})
    return [outputs[name] for name in names]


def can_be_recorded(estimate: Model) -> bool:
    """Whether an estimate runs as programs."""
    return isinstance(estimate.implementation, Full)
