"""The right-hand side of a run as one program: plant, law and reference over recorded scalars."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...compiled import CompiledProgram, Ode, compile_ode, compile_program
from ...control import RecordedLaw, believed_of, commanded_by, numbers_of
from ...dynamics import Model
from ...guidance import ReferenceForm
from ...modes import Situation
from ...plant import Response, plant_numbers
from ...spatial import Array
from ...symbolic import PREPARED, Program, less, maximum, record, select
from ..coordinates._frame import RunCoordinates
from ..coordinates._unpacking import recorded_quantities
from ._held import ASKED, HELD
from ._limited import has_limits, unmet

HUGE = 1e300  # a sum of commands beyond it is not finite
NOTHING = np.empty(0)
LARGE = 1e6  # a sum of accelerations from there on is worth a look at M
FORBIDDEN = 1e301  # an alarm that keeps a step from being accepted
THRUSTERS = "thrusters"  # how far beyond their active set they may be asked to push, and the set
WORTH = 32  # steps that are to be done once for a run, for a program of their own
PACE = "pace"  # when a stretch begins in the time that is integrated over and on the clock of the run, and how fast that goes


@dataclass(frozen=True, eq=False)
class RecordedLoop:
    """A closed loop, compiled.

    ode : its program has more outputs than it needs itself: what actuators and loads do, by the names of
        `Response.outputs`; with limits `unmet`
    every : all outputs of that program
    names : of the parameters of `ode`, in order: "bounds" on the largest speed and on the sum of accelerations, beyond which
        alarms go off, "reference", "constants", "gimbals" and "clock", and whatever numbers law and plant have, or what
        is prepared of them
    reference : number of that parameter
    quaternions : (k,) places of their first entries in y
    once : what numbers of law and plant decide alone; None where that is little
    """

    ode: Ode
    every: Callable[[], CompiledProgram]
    names: tuple[str, ...]
    reference: int
    quaternions: NDArray[np.int64]
    once: CompiledProgram | None

    def prepared(self, given: Mapping[str, Array], threads: int = 1) -> dict[str, Array]:
        """Return what is done once, if anything is, as the parameter that it is: (k,), or (n, k) where numbers differ.

        given : numbers of law and plant by their names, for all runs or of each (n, ...)
        """
        if self.once is None:
            return {}
        inputs, (output,) = self.once.program.inputs, self.once.program.outputs
        arrays = [np.asarray(given[item.name]) for item in inputs]
        cases = [len(array) for array, item in zip(arrays, inputs, strict=True) if array.ndim > len(item.shape)]
        result = np.empty((*cases[:1], *output.shape))
        if cases:
            self.once.batch(*arrays, result, threads=threads)
        else:
            self.once(*arrays, result)
        return {PREPARED: result}


@dataclass(frozen=True, eq=False)
class LoopParts:
    """What a loop is made of; `law` and `form` are those of controller and reference.

    paced : whether it is integrated over another time than that of its clock
    """

    frame: RunCoordinates
    form: ReferenceForm
    law: RecordedLaw
    paced: bool = False

    @property
    def key(self) -> Hashable:
        """Equal keys mean equal programs for models of one family."""
        own = self.frame.coordinates.described, self.frame.plant.key, self.form.described, self.law.shaped_key
        return "paced loop" if self.paced else "closed loop", *own

    def numbers(self, q: Array) -> dict[str, Array]:
        """Return the numbers that stay the same all along a run that starts with joint coordinates q (n_q,)."""
        model = self.frame.model
        centres = np.array([gimbal.centre(q) for gimbal in model.gimbals]) if model.gimbals else NOTHING
        own = {"constants": self.frame.constants, "gimbals": centres, **self.frame.plant.inputs}
        pushing = {THRUSTERS: np.zeros(1 + model.system.pushers.set_size)} if self.frame.plant.burns else {}
        pace = {PACE: np.array([0.0, 0.0, 1.0])} if self.paced else {}
        return {**own, **pushing, **pace, **plant_numbers(model), **numbers_of(self.law)}

    @cached_property
    def loop(self) -> RecordedLoop:
        """The loop, recorded and compiled at its first use for all models of one family."""
        kept, key = self.frame.model.family.kept, self.key
        if key not in kept:
            first, running = self.in_two
            names = tuple(item.name for item in running.inputs if item.name not in ("t", "y"))
            places, once = np.array(self.frame.quaternions, dtype=np.int64), None if first is None else compile_program(first)
            every = cache(partial(compile_program, running, in_batches=True))
            kept[key] = RecordedLoop(compile_ode(running), every, names, names.index("reference"), places, once)
        loop: RecordedLoop = kept[key]
        return loop

    @property
    def is_coded(self) -> bool:
        """Whether it was compiled already."""
        return self.key in self.frame.model.family.kept

    @property
    def program(self) -> Program:
        """The loop, recorded alone."""
        model, kept, key = self.frame.model, self.frame.model.family.kept, ("recorded", self.key)
        if key not in kept:
            parts = replace(self, law=self.law.beside(model))
            numbers = {name: np.shape(array) for name, array in parts.numbers(model.layout.neutral()).items()}
            asked = {ASKED: numbers.pop(ASKED)} if ASKED in numbers else {}  # first of the parameters, as `Ode.asking` needs it
            own = {"t": (), "y": (self.frame.size,), **asked, "bounds": (2,), "reference": (self.form.size,)}
            shapes = {**own, **numbers}
            own_key, rates = (key, tuple(shapes.items())), partial(loop_rates, parts)
            kept[key] = model.family.program(own_key, lambda: record(shapes, rates), parts.law)
        return cast(Program, kept[key])

    @property
    def in_two(self) -> tuple[Program | None, Program]:
        """What is done once for a run, None where that is little, and the loop, which is given that in place of its numbers."""
        kept, key, model = self.frame.model.family.kept, ("in two", self.key), self.frame.model
        if ASKED in self.law.numbers or not (plant_numbers(model) or believed_of(self.law.numbers)):
            return None, self.program
        if key not in kept:
            steady, inputs = {*plant_numbers(model), *self.law.numbers} - {HELD}, [item.name for item in self.program.inputs]
            first, running = self.program.hoisted([name for name in inputs if name in steady])
            little = len(first.steps) < WORTH or PREPARED in inputs
            kept[key] = (None, self.program) if little else (first, running)
        return cast(tuple[Program | None, Program], kept[key])

    def part(self, *names: str) -> CompiledProgram:
        """Return outputs alone, of the same inputs, compiled at their first use."""
        kept, key = self.frame.model.family.kept, (*names, self.key)
        if key not in kept:
            kept[key] = compile_program(self.program.only(*names))
        return cast(CompiledProgram, kept[key])

    @property
    def unmet(self) -> CompiledProgram | None:
        """Where limits of actuators act; None where there are none."""
        return self.part("unmet") if has_limits(self.frame.plant) else None


def loop_rates(
    parts: LoopParts,
    *,
    t: Any,
    y: Array,
    bounds: Array,
    reference: Array,
    constants: Array,
    gimbals: Array,
    pace: Array | None = None,
    **numbers: Array,
) -> Mapping[str, Array]:
    frame, plant, model = parts.frame, parts.frame.plant, parts.frame.model
    t, speed = (t, None) if pace is None else (pace[1] + (t - pace[0]) * pace[2], pace[2])
    table = {name: numbers[name] for name in plant_numbers(model)}
    slack, pushing = (numbers[THRUSTERS][0], numbers[THRUSTERS][1:]) if plant.burns else (0.0, None)
    now = Situation.recorded(model, frame.packed(t, y, constants, recorded_quantities(model, table)), table, pushing)
    wanted, memory = parts.form.at(t, reference), now.x[plant.x_law]
    command, remembered = commanded_by(parts.law, model.layout, t, now.x, wanted, numbers, memory)
    plant.mode.check_command(model.layout, np.zeros(len(command)), 0.0)
    motion = plant.motion(now, plant.force(now, command), t, frame.books(y), numbers, remembered)
    return {
        **motion.outputs,
        **({"unmet": unmet(now, command, motion.force, motion.efforts)} if has_limits(plant) else {}),
        **({"pushing": motion.force.pushing, "beyond": motion.force.beyond_set} if plant.burns else {}),
        "ydot": frame.rate(t, y, now.x, motion) if speed is None else frame.rate(t, y, now.x, motion) * speed,
        "alarm": np.array(
            [
                *([_forbidden(motion.force.beyond_set - slack)] if plant.burns else []),
                *_alarms(model, now, motion, bounds, gimbals),
                _suspect(frame, command, motion.udot, bounds),
            ]
        ),
    }


def _alarms(model: Model, now: Situation, motion: Response, bounds: Array, gimbals: Array) -> list[Any]:
    """Return alarms that keep a step from being accepted: speeds that run away, a lock that is near, constraints that depend on
    each other. Python looks at all of them.
    """
    pairs = zip(model.gimbals, gimbals, strict=True)
    beyond = [*(abs(speed) - bounds[0] for speed in now.u), *(gimbal.beyond(now.q, centre) for gimbal, centre in pairs)]
    beyond += [] if motion.reaction is None else [*motion.reaction.alarms]
    return [_forbidden(distance) for distance in beyond]


def _forbidden(distance: Any) -> Any:
    """Return an alarm that keeps a step from being accepted that ends with a distance > 0."""
    return select(less(0.0, distance), FORBIDDEN, -1.0)


def _suspect(frame: RunCoordinates, command: Array, udot: Array, bounds: Array) -> Any:
    """Return an alarm of accelerations, and of commands that are not finite where a limit would hide that."""
    system, burns = frame.model.system, frame.plant.burns
    fast = abs(np.sum(frame.coordinates.accelerations(system.layout, udot))) - bounds[1]
    return maximum(fast, abs(np.sum(command)) - HUGE) if any(system.drive_of) or system.turners or burns else fast
