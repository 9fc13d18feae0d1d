"""A closed loop as programs and numbers, with which it runs without this library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, Law, RecordedLaw, Sampled, at_a_look, recorded_law
from ...errors import InvalidInput, Problem, expect, refuse
from ...guidance import ReferenceForm, ReferenceMotion, corners_of, numbers_at, recorded_form
from ...plant import Plant, plant_numbers
from ...spatial import Array
from ...symbolic import Program, record
from ...system import State
from ..coordinates._full_state import FullState
from ..coordinates._unpacking import recorded_quantities
from ..equations._held import HELD
from ..equations._recorded_loop import HUGE, LoopParts, loop_rates
from ..integrators._fixed_step import FixedDOP853
from ._prepare import prepare
from ._setup import Setup

TIME, STATE, REFERENCE, MEMORY = "t", "y", "reference", "memory"
STATES = ("q", "qdot", "r_0", "attitude_xyzw", "v_0", "omega_0")


@dataclass(frozen=True, eq=False)
class LoopPrograms:
    """A plant, or one with a law and what it follows, between stops: times at which its formula changes or its law looks.

    Programs take some of these, in this order: `t` () [s], `y` (n,) packed state with books behind it, `command` (k,) that is
    held, `reference` (m,) numbers of the stretch of the reference, `memory` of the law, and `numbers`, under their names.
    All is in SI.

    rate : `ydot` (n,), and `alarm` (j,) above 0 where it cannot go on: speeds that run away, a gimbal that is near its lock
    law : what a `Sampled` law says at a sample, `command` and, where it remembers anything, `next_memory`; None of others
    shown : what is seen at one time, series by their names as of histories
    y_0 : (n,) at the start
    quaternions : where they begin in y; whoever stops makes their norms 1
    corners_s : (s,) times, the first 0, at which stretches of the reference begin
    rows : (s, m) numbers of these
    numbers : gains and open numbers of the hardware
    rate_Hz : samples per second, 0 without
    memory : (k,) of a sampled law at the start
    commanded : whether `command` comes from outside

    >>> programs = loop_programs(plant, law, state, reference=reference, t_end_s=2.0)
    >>> programs.y_0.shape, programs.corners_s[:3].tolist(), sorted(programs.numbers)
    ((23,), [0.0, 1.0, 10.0], ['K_D', 'K_P'])
    """

    plant: Plant
    rate: Program
    law: Program | None
    shown: Program
    y_0: Array
    quaternions: tuple[int, ...]
    corners_s: Array
    rows: Array
    numbers: Mapping[str, Array]
    rate_Hz: float
    commanded: bool
    memory: Array
    t_end_s: float


def loop_programs(
    plant: Plant,
    controller: Controller | Law | Callable[[float, State], ArrayLike] | None,
    state0: State,
    *,
    reference: ReferenceMotion | None = None,
    t_end_s: float,
) -> LoopPrograms:
    """Return a run as programs and numbers, with which any integrator with fixed steps can carry it out.

    It has no formula of its own.

    controller, reference, state0, t_end_s : as of `simulate`; without a controller commands (N,) or (6 + N,) come from outside
        and are held

    Raises `InvalidInput` for what formulas between stops cannot hold: constraints and contacts, thrusters, whose active sets
    are looked for, loads whose formulas switch, and laws, references, modes and loads that are no equations; and what
    `simulate` refuses.

    >>> programs = loop_programs(plant, None, state, t_end_s=2.0)
    >>> programs.commanded, [given.name for given in programs.rate.inputs]
    (True, ['t', 'y', 'command'])
    """
    expect("plant", plant, Plant, "a Plant")
    refuse(_obstacles(plant))
    law = Sampled(_nothing, rate_Hz=1 / t_end_s) if controller is None else controller
    setup = prepare(
        plant,
        law,
        state0,
        reference=reference,
        t_end_s=t_end_s,
        rtol=1e-10,
        atol=None,
        integrator=FixedDOP853(t_end_s),
        output_step_s=None,
        events=(),
        coordinates=FullState(),
        progress=None,
    )
    if setup.pair is None or setup.pair.asks:
        expected = "a law and a reference that are there as equations, and fit"
        raise InvalidInput(Problem("controller", expected, f"{setup.controller.kind} and {type(reference).__name__}"))
    return _Recording(setup, commanded=controller is None).programs(t_end_s)


def _nothing(t: float, state: State) -> Array:
    """Stand for a command that comes from outside."""
    raise AssertionError


def _obstacles(plant: Plant) -> list[Problem]:
    """Return what a plant does that is no formula between times known in advance."""
    found = {
        "constraints": ", ".join(plant.constraints),
        "contacts": ", ".join(map(repr, plant.contacts)),
        "thrusters": "those that push: which of them do is looked for" if plant.burns else "",
        "loads": ", ".join(plant.loading.switches),
    }
    words = {"loads": "loads whose formulas do not switch"}
    return [*plant.obstacles, *(Problem(key, words.get(key, "none"), what) for key, what in found.items() if what)]


class _Recording:
    """A run that is being recorded."""

    def __init__(self, setup: Setup, *, commanded: bool) -> None:
        assert setup.pair is not None
        self.setup, self.plant, self.commanded = setup, setup.plant, commanded
        self.parts = LoopParts(setup.frame, setup.pair.form, setup.pair.law.beside(self.plant.model))
        looks = None if commanded else setup.sampled
        self.form: ReferenceForm = setup.pair.form if looks is None else cast(ReferenceForm, recorded_form(setup.reference))
        self.law = None if looks is None else _at_samples(looks, self.plant, self.form)
        self.rate_Hz = 0.0 if looks is None else looks.rate_Hz
        everything = self.parts.numbers(setup.state0.q)
        self.open = plant_numbers(self.plant.model) | {k: v for k, v in self.parts.law.numbers.items() if k != HELD}
        self.folded = {name: array for name, array in everything.items() if name not in self.open and name != HELD}
        self.folded["bounds"] = np.array([setup.bound, HUGE])

    def programs(self, t_end_s: float) -> LoopPrograms:
        corners, rows = self._stretches()
        shapes = {name: np.shape(array) for name, array in self.open.items()}
        held = {HELD: self.parts.law.numbers[HELD].shape} if HELD in self.parts.law.numbers else {}
        followed = {REFERENCE: (self.parts.form.size,)} if self.parts.form.size else {}
        inputs = {TIME: (), STATE: (self.setup.frame.size,), **held, **followed, **shapes}
        law, numbers = None, dict(self.open)
        if self.law is not None:
            law, numbers = self._law_program(), {**numbers, **self.law.numbers}
        return LoopPrograms(
            self.plant,
            record(inputs, self._rate),
            law,
            record(inputs, self._shown),
            self.setup.y_0,
            self.setup.frame.quaternions,
            corners,
            rows,
            numbers,
            self.rate_Hz,
            self.commanded,
            self._memory_0(),
            t_end_s,
        )

    def _loop(self, t: Any, y: Array, given: Mapping[str, Array]) -> Mapping[str, Array]:
        reference = given.get(REFERENCE, np.empty(0))
        others = {name: array for name, array in given.items() if name != REFERENCE}
        return loop_rates(self.parts, t=t, y=y, reference=reference, **{**self.folded, **others})

    def _rate(self, t: Any, y: Array, **given: Array) -> dict[str, Array]:
        made = self._loop(t, y, given)
        return {"ydot": made["ydot"], "alarm": made["alarm"]}

    def _shown(self, t: Any, y: Array, **given: Array) -> dict[str, Array]:
        frame, layout, channels = self.setup.frame, self.plant.layout, self.plant.channels
        x, made = self._packed(t, y), self._loop(t, y, given)
        states = {name: x[getattr(layout.parts, name)] for name in STATES} | {"load_states": x[self.plant.x_loads]}
        states |= {"law_states": x[self.plant.x_law]}
        states |= self._of_turners(x, made)
        books = {name: frame.books(y)[place] for name, place in self.plant.books.items()}
        known = {name: array for name, array in {**made, **books, **states}.items() if name in channels and np.size(array)}
        return {name: np.reshape(known[name], channels.shape(name)) for name in channels if name in known}

    def _of_turners(self, x: Array, made: Mapping[str, Array]) -> dict[str, Array]:
        """Return states and efforts of what turns the base, kind by kind, as histories have them."""
        turners, layout = self.plant.model.system.turners, self.plant.layout
        found = list(zip(turners.state_channels, turners.by_entry(x[layout.x_actuators]), strict=True))
        if "efforts" in made:
            found += zip(turners.effort_channels, turners.by_entry(made["efforts"]), strict=True)
        return {channel.name: array for channel, array in found}

    def _law_program(self) -> Program:
        law, size = self.law, self.parts.law.numbers[HELD].size
        assert law is not None
        shapes = {name: np.shape(array) for name, array in law.numbers.items()}
        followed = {REFERENCE: (self.form.size,)} if self.form.size else {}
        kept = {MEMORY: (law.remembers,)} if law.remembers else {}

        def said(t: Any, y: Array, **given: Array) -> dict[str, Array]:
            reference, memory = (given.pop(name, np.empty(0)) for name in (REFERENCE, MEMORY))
            command, after = law.at(t).said(self._packed(t, y), self.form.at(t, reference), given, memory)
            whole = np.concatenate([np.zeros(size - len(command), dtype=int), command])
            return {HELD: whole, **({"next_memory": after} if kept else {})}

        return record({TIME: (), STATE: (self.setup.frame.size,), **followed, **kept, **shapes}, said)

    def _memory_0(self) -> Array:
        """Return what a sampled law remembers where the run begins."""
        law, setup = self.law, self.setup
        return np.zeros(0) if law is None else np.asarray(law.begins(setup.state0.x, law.numbers), dtype=np.float64)

    def _packed(self, t: Any, y: Array) -> Array:
        return self.setup.frame.packed(t, y, self.setup.frame.constants, recorded_quantities(self.plant.model, {}))

    def _stretches(self) -> tuple[Array, Array]:
        """Return where stretches of the reference begin, and their numbers; the last has no end."""
        if not self.form.size:
            return np.zeros(1), np.zeros((1, 0))
        reference = self.setup.reference
        corners = [0.0, *sorted({t for t in corners_of(reference) if t > 0})]
        middles = [*((one + other) / 2 for one, other in pairwise(corners)), corners[-1] + 1.0]
        return np.array(corners), np.array([numbers_at(reference, t) for t in middles])


def _at_samples(sampled: Sampled, plant: Plant, form: ReferenceForm | None) -> RecordedLaw:
    """Return a sampled law as equations with what it remembers; raises `InvalidInput` where there are none."""
    law = recorded_law(at_a_look(sampled, plant.mode.command_size(plant.layout)))
    if law is None or form is None or not law.can_follow(form):
        expected = "a law and a reference that are there as equations, and fit"
        raise InvalidInput(Problem("controller", expected, sampled.kind))
    return law
