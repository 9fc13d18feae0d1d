"""What every controller offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from operator import is_
from typing import Any, ClassVar

import numpy as np

from ..dynamics import Model
from ..guidance import JointReference, PoseReference, ReferenceMotion, Sample
from ..modes import ManoeuvreMode
from ..spatial import Array
from ..system import State
from ._memory import begun_memory, memory_rates, refuse_two_memories
from ._recorded_law import RecordedLaw, recorded_law
from ._resolution import Resolution
from ._stepped import RecordedSteps


class Controller(ABC):
    """A control law. It never changes: what it remembers is passed in and handed back.

    A law without memory hands back None; it is called at every stage of the integrator. What a law with memory hands
    back is kept only from the ends of accepted steps, so the memory never holds a trial state. Or what it remembers is
    part of the state of a run: `states` names it, `state_0` is what it begins with, `state_rate` how it changes. Then
    `command` is told it as `memory` (k,), and what it hands back is left alone. Both kinds at once are refused.

    >>> class Damper(Controller):
    ...     def command(self, t, state, reference, memory):
    ...         return -2.0 * state.qdot, memory
    ...
    >>> start = scmanip.State(r_0=[0.0] * 3, q=[0.0] * 4, qdot=[0.1, 0.0, 0.0, 0.0])
    >>> run = scmanip.simulate(plant, Damper(), start, t_end_s=5.0, output_step_s=5.0)
    >>> bool(run.kinetic_energy[-1] < run.kinetic_energy[0])
    True
    """

    @abstractmethod
    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command and the next memory.

        The command is (N,) joint forces tau [N m or N], or (6 + N,) [f; n; tau] where the mode commands the base.
        """

    @property
    def wraps(self) -> tuple[Controller, ...]:
        """The laws that this one is made of; none for one that stands alone."""
        return ()

    @property
    def inside(self) -> tuple[Controller, ...]:
        """The laws that it `wraps`, with those that only fly elsewhere."""
        return self.wraps

    def around(self, laws: tuple[Controller, ...]) -> Controller:
        """Return the same law made of others, as many as it `wraps`."""
        del laws
        return self

    def start(self, state: State) -> Any:
        """Return the memory before the first command; None unless the law remembers something."""
        del state

    @property
    def states(self) -> Mapping[str, str]:
        """Names of what it remembers as part of the state of a run, with their units, such as {"residual[0]": "N m"}."""
        return {}

    def state_0(self, state: State) -> Array:
        """Return these numbers (k,) where a run begins, in the units that `states` says."""
        del state
        return np.zeros(len(self.states))

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return the time derivatives (k,) of these numbers, `memory` (k,), at a time [s], in their units per second."""
        del t, state, reference
        return np.zeros_like(memory)

    def memory_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return these derivatives (k,), in those units; raises `InvalidInput` where `state_rate` says anything else."""
        return memory_rates(self, t, state, reference, memory)

    def unwound(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return what it remembers next where its command is cut at a time [s]; commands (N,) or (6 + N,) as for `command`.

        memory : before; after : what comes next by itself, the rates of what is part of the state; missing : what is given less
            what it commanded [N m or N], as long as the command; zeros change nothing
        """
        del t, state, reference, memory, missing
        return after

    @property
    def steps_itself(self) -> bool:
        """Whether some of what it remembers goes from look to look by a rule of its own."""
        return any(law.steps_itself for law in self.wraps)

    def stepped(self, rate_Hz: float) -> Controller:
        """Return the law as it is where it looks `rate_Hz` times a second [1/s]: what was part of the state goes on by the rate
        that it had, from one look to the next.
        """
        if len(self.states) > sum(len(law.states) for law in self.wraps):
            return Stepped(self, rate_Hz)
        laws = tuple([law.stepped(rate_Hz) for law in self.wraps])
        return self if all(map(is_, laws, self.wraps)) else self.around(laws)

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` with a sentence when this law cannot drive `model` in `mode`."""
        for law in self.wraps:
            law.check(model, mode)

    @property
    def looks_Hz(self) -> float | None:
        """How often it has to be asked [1/s], as often as that and no more; None for a law that can be asked always."""
        return None

    @property
    def kind(self) -> str:
        """What it is called in reports, with what it wraps."""
        own = type(self).__name__
        return f"{own}({', '.join(law.kind for law in self.wraps)})" if self.wraps else own

    @property
    def written(self) -> Any:
        """The object that somebody wrote: itself, unless it was made a controller of another object or of a function."""
        return self

    @property
    def follows(self) -> tuple[type[JointReference] | type[PoseReference], ...]:
        """The kinds of samples that it can follow: those that all laws in it can."""
        return tuple(kind for kind in (JointReference, PoseReference) if all(kind in law.follows for law in self.wraps))

    @property
    def believed(self) -> Model | None:
        """The model of the system that it believes in, of several the first; None for a law that knows none."""
        return next((law.believed for law in self.wraps if law.believed is not None), None)

    @property
    def made_for(self) -> ManoeuvreMode | None:
        """The mode that it was made for; None for a law that asks the mode nothing."""
        return next((law.made_for for law in self.wraps if law.made_for is not None), None)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Gains and the like, by the names that mission files have for them, with those of the laws in it."""
        return {key: value for law in reversed(self.wraps) for key, value in law.settings.items()}

    @property
    def equations(self) -> tuple[str, ...]:
        """Which published equations it is made of, by the names that `report.equations_used` knows, with those inside."""
        return tuple(name for law in self.wraps for name in law.equations)

    def resolution(self, state: State, pose: PoseReference) -> Resolution | None:
        """Return how the joint rates that lead a frame are found in `state`; None for a law that finds none."""
        return next((found for law in self.wraps if (found := law.resolution(state, pose)) is not None), None)

    def begun(self, state: State) -> Controller:
        """Return the law of a run that begins in `state`: itself, but for what it is to hold as it finds it."""
        laws = tuple([law.begun(state) for law in self.wraps])
        return self if all(map(is_, laws, self.wraps)) else self.around(laws)

    def in_mode(self, mode: ManoeuvreMode) -> Controller:
        """Return the law as it flies in a mode: itself, unless it has one of its own for every mode."""
        laws = tuple([law.in_mode(mode) for law in self.wraps])
        return self if all(map(is_, laws, self.wraps)) else self.around(laws)

    def at_samples(self, rate_Hz: float, size: int) -> Controller:
        """Return the law of a command (size,) as it is where it looks `rate_Hz` times a second [1/s]: what remembers times and
        commands then remembers as many commands as it needs, which `recorded` can say.
        """
        laws = tuple([law.at_samples(rate_Hz, size) for law in self.wraps])
        return self if all(map(is_, laws, self.wraps)) else self.around(laws)

    @property
    def looks_seldom(self) -> bool:
        """Whether it must be `Sampled`."""
        return any(law.looks_seldom for law in self.wraps)

    @property
    def needs(self) -> tuple[str, ...]:
        """Names of the constraints that it takes to hold."""
        return tuple(name for law in self.wraps for name in law.needs)

    @property
    def learns(self) -> bool:
        """Whether it is another law once constraints hold (`holding`)."""
        return any(law.learns for law in self.wraps)

    def holding(self, names: Sequence[str], state: State) -> Controller:
        """Return the law once these constraints hold, which began to in `state`: itself, but for what is to know them."""
        laws = tuple([law.holding(names, state) for law in self.wraps])
        return self if all(map(is_, laws, self.wraps)) else self.around(laws)

    def unknown(self, names: Sequence[str]) -> dict[str, str]:
        """Return which of these constraints, should they hold together, it is to know and cannot, and why, in words."""
        return {name: why for law in self.wraps for name, why in law.unknown(names).items()}

    def believing(self, model: Model) -> Controller:
        """Return the law with another model of the system in place of each that it believes in."""
        return self.around(tuple([law.believing(model) for law in self.wraps])) if self.wraps else self

    def to_nonlinear_io_system(
        self, model: Model | None = None, *, reference: ReferenceMotion | None = None, name: str = "law"
    ) -> Any:
        """Return the law as a `control.NonlinearIOSystem`: packed state and what is wanted in, the command out; its states are
        those of the law.

        Signals are called as those of `Plant.to_nonlinear_io_system`. Without a reference the sample of joints comes in too,
        as `q_D[joint1]`, `qdot_D[joint1]`, `qddot_D[joint1]`. A `Sampled` law is a block in discrete time.

        model : whose states it is told; that in which it believes, unless said
        Raises `InvalidInput` for a law that remembers from command to command, and for one that leads a frame without a
        reference.
        """
        from .blocks._law_block import law_block

        return law_block(self, model, reference, name)

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations over any scalar, with which a run needs no Python; None where there are none.

        It counts for the class that defines it only, so that a subclass with another law runs that law.
        """
        return None


class Wrapper(Controller):
    """A law around another one, `law`: whatever it does not say of itself the law inside says.

    It has no formula of its own.

    asks_as_asked : whether it asks the law inside for the time, the state and the reference that it is asked for itself, once

    >>> class Halved(Wrapper):
    ...     def __init__(self, law):
    ...         object.__setattr__(self, "law", law)
    ...     def command(self, t, state, reference, memory):
    ...         command, memory = self.law.command(t, state, reference, memory)
    ...         return command / 2, memory
    ...
    >>> Halved(law).kind, Halved(law).follows[0].__name__
    ('Halved(ComputedTorque)', 'JointReference')
    """

    asks_as_asked: ClassVar[bool] = False
    law: Controller

    @property
    def wraps(self) -> tuple[Controller, ...]:
        return (self.law,)

    def around(self, laws: tuple[Controller, ...]) -> Controller:
        """Return the same around another law."""
        made = copy(self)
        vars(made).update(law=laws[0])
        return made

    def start(self, state: State) -> Any:
        """Return the memory of the law inside before the first command."""
        return self.law.start(state)

    @property
    def states(self) -> Mapping[str, str]:
        return self.law.states

    def state_0(self, state: State) -> Array:
        """Return those of the law inside."""
        return self.law.state_0(state)

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return those of the law inside."""
        return self.law.state_rate(t, state, reference, memory)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command of the law inside, and its next memory."""
        return self.law.command(t, state, reference, memory)

    def unwound(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return that of the law inside, behind the numbers that are its own; a wrapper that begins with a memory of its own
        from command to command says itself who is told.
        """
        if type(self).start is not Wrapper.start or memory is None:
            return after
        n = len(self.states) - len(self.law.states)
        inner = self.law.unwound(t, state, reference, memory[n:] if n else memory, after[n:] if n else after, missing)
        return np.concatenate([after[:n], inner]) if n else inner


class Stepped(Wrapper):
    """`law` with memory m that goes from one look to the next by Euler's rule, m + m' / rate_Hz."""

    def __init__(self, law: Controller, rate_Hz: float) -> None:
        self.law, self.rate_Hz = law, rate_Hz

    @property
    def kind(self) -> str:
        return self.law.kind

    @property
    def states(self) -> Mapping[str, str]:
        return {}

    def stepped(self, rate_Hz: float) -> Controller:
        """Return the law, which is that already."""
        del rate_Hz
        return self

    def start(self, state: State) -> Array:
        """Return what the law inside begins with; raises `InvalidInput` for one that remembers in two ways."""
        refuse_two_memories(self.law, state)
        return begun_memory(self.law, state)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        command, _ = self.law.command(t, state, reference, memory)
        return command, memory + self.law.memory_rate(t, state, reference, memory) / self.rate_Hz

    def unwound(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return what comes next by the rates of the law inside where `missing` was cut off."""
        rate = (after - memory) * self.rate_Hz
        return memory + self.law.unwound(t, state, reference, memory, rate, missing) / self.rate_Hz

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        inner = recorded_law(self.law)
        return RecordedSteps(inner, self.rate_Hz) if inner is not None and inner.flows else None

    def __repr__(self) -> str:
        return repr(self.law)
