"""How the states of a run change with numbers of system and law: the run once more, with its variational equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ...compiled import OdeStatus
from ...control import Sampled
from ...dynamics import Model
from ...errors import InvalidInput, NumericalFailure, Problem, expect, refuse
from ...guidance import RecordableReference, recorded_form
from ...spatial import Array, cross, dcm_from_quaternion
from ...system import Layout, State
from ..coordinates._frame import Frame
from ..coordinates._full_state import FullState
from ..equations._held import HELD
from ..equations._recorded_loop import LoopParts
from ..equations._sampled_command import SampledCommand
from ..equations._variations import VARIED, Variations
from ..integrators._dop853 import boldness
from ..loop._setup import Setup

OF_LAW = "controller."
NOT_OPEN = ("constraint.", "shape.")
LARGE = 1e6
SMALL = 1e-6  # of a number and of a second, by which numbers of events are differentiated


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Derivatives of the states of a run, sample by sample, by one number; the last axes are those of the number.

    x : (n_t, n_x, ...) of the packed states
    end_s : (...) of the time [s] at which an event of the state ended the run; None where none did
    """

    x: Array
    layout: Layout
    end_s: Array | None = None

    @property
    def r_0(self) -> Array:
        """(n_t, 3, ...) of the base's place."""
        return self.x[:, self.layout.x_r_0]

    @property
    def attitude_xyzw(self) -> Array:
        """(n_t, 4, ...) of the base's quaternion."""
        return self.x[:, self.layout.x_attitude]

    @property
    def q(self) -> Array:
        """(n_t, n_q, ...) of the joint coordinates."""
        return self.x[:, self.layout.x_q]

    @property
    def u(self) -> Array:
        """(n_t, n_u, ...) of the speeds."""
        return self.x[:, self.layout.x_u]

    @property
    def v_0(self) -> Array:
        """(n_t, 3, ...) of the base's velocity."""
        return self.u[:, self.layout.base_linear]

    @property
    def omega_0(self) -> Array:
        """(n_t, 3, ...) of the base's angular velocity."""
        return self.u[:, self.layout.base_angular]

    @property
    def qdot(self) -> Array:
        """(n_t, N, ...) of the joint rates."""
        return self.u[:, self.layout.joints]

    def __repr__(self) -> str:
        return f"Sensitivity({len(self.x)} samples, by a number of shape {self.x.shape[2:]})"


def varied(setup: Setup, names: Sequence[str], *, changes: bool) -> Setup:
    """Return the run with the names by which its states are to be differentiated; changes : whether constraints may change.

    Raises `InvalidInput` for names that are no numbers of system and law, and for runs that this does not cover.
    """
    expect("sensitivities", names, list | tuple, 'paths of numbers in a sequence, such as ("body.link2.mass_kg",)')
    for name in names:
        expect("sensitivities", name, str, 'the path of a number, such as "body.link2.mass_kg"')
    if not names:
        return setup
    refuse(_problems(setup, changes=changes), InvalidInput)
    every: list[str] = []
    for name in names:
        if name.startswith(OF_LAW):
            refuse(_law_problems(setup, name), InvalidInput)
            every.append(name)
            continue
        found = setup.model.system.numbers([name])
        refuse(
            [
                _uncovered(f"numbers of bodies, joints, springs, actuators, or gravity, not {path}")
                for path in found
                if path.startswith(NOT_OPEN)
            ],
            InvalidInput,
        )
        every += found
    return replace(setup, sensitivities=tuple(dict.fromkeys(every)))


def _problems(setup: Setup, *, changes: bool) -> list[Problem]:
    plant, problems = setup.plant, []
    if setup.pair is None:
        problems.append(_uncovered("a law, a reference, loads and an integrator that are machine code"))
    elif setup.sampled is not None and _said(setup) is None:
        problems.append(_uncovered("a sampled law that is recorded, without a delay"))
    if plant.burns:
        problems.append(_uncovered("a mode without thrusters, whose set changes"))
    if changes or plant.constraints or plant.contacts:
        problems.append(_uncovered("a run without constraints, switches and contacts"))
    if plant.loading.switches:
        problems.append(_uncovered("loads without switching functions"))
    return problems


def _uncovered(expected: str) -> Problem:
    return Problem("sensitivities", expected, "another one")


def _law_problems(setup: Setup, name: str) -> list[Problem]:
    known = [f"{OF_LAW}{number}" for number in _law_numbers(setup) if not number.startswith("estimate")]
    return [] if name in known else [Problem("sensitivities", ", ".join(known) or "no number of this law", name)]


def _law_numbers(setup: Setup) -> Mapping[str, Array]:
    said = _said(setup)
    if said is not None:
        return said.law.numbers
    return {} if setup.pair is None else setup.pair.law.numbers


def _said(setup: Setup) -> SampledCommand | None:
    """Return what a sampled law is made of, None of a law that is not sampled or not recorded."""
    sampled = setup.sampled
    if sampled is None or setup.pair is None:
        return None
    return SampledCommand.of(setup.model, setup.frame.layout, sampled.law, recorded_form(setup.reference))


def sensitivities(setup: Setup, times: Array, ended_by: Sequence[str]) -> dict[str, Sensitivity]:
    """Return the derivatives at all samples by every number that was asked for.

    times : (n_t,) of the samples [s]; ended_by : names of the events at which the run ended
    """
    if not setup.sensitivities:
        return {}
    flight = _Flight(setup, times)
    x, s = flight.flown()
    return flight.by_name(x, s, flight.ends(x[-1], s[-1], ended_by))


class _Flight:
    """The run with derivatives, from stop to stop."""

    def __init__(self, setup: Setup, times: Array) -> None:
        self.setup, self.times = setup, times
        self.said = _said(setup)
        pair: Any = setup.pair
        paths = [name for name in setup.sensitivities if not name.startswith(OF_LAW)]
        plant = replace(setup.plant, model=_opened(setup.model, paths)) if paths else setup.plant
        self.frame = Frame(FullState(), plant, np.empty(0))
        parts = LoopParts(self.frame, pair.form, pair.law)
        self.given = parts.numbers(setup.state0.q)
        self.given |= {"bounds": np.array([setup.bound, LARGE]), "reference": np.zeros(pair.form.size)}
        self.names = tuple(name.removeprefix(OF_LAW) for name in setup.sensitivities)
        self.values = {**self.given, **_law_numbers(setup)}
        self.variations = Variations(parts, self.names, {name: np.shape(self.values[name]) for name in self.names})
        self.last: Mapping[str, Array] = {}
        self.given[VARIED] = np.zeros((self.variations.count, len(self.given.get(HELD, ()))))

    def flown(self) -> tuple[Array, Array]:
        """Return the packed states (n_t, n_x) and their derivatives (n_t, k, n_x)."""
        setup, variations, n = self.setup, self.variations, self.frame.size
        k, m = variations.count, variations.width
        y_0 = self.frame.start(setup.state0)
        start = np.concatenate([y_0, self._shifts(y_0[None, :m])[0].ravel()])
        end = float(self.times[-1])
        parameters = [np.array(self.given[name], dtype=np.float64) for name in variations.inputs]
        starts = variations.ode, setup.start_s, start, end, parameters
        run: Any = setup.integrator.begun(*starts, rtol=setup.rtol, atol=self._atol(y_0), samples=self.times[1:])
        known = dict(zip(variations.inputs, run.parameters, strict=True))
        stops = [*(stop for stop in setup.stops if stop < end), end]
        for stop in stops[1:]:
            self._enter(run, known, stop)
            size = setup.integrator.length_s or -boldness(setup.rtol)
            status = run.to(stop, first_step=size, max_steps=setup.max_steps)
            if status is not OdeStatus.DONE:
                raise NumericalFailure(f"the derivatives of the run come to an end at t = {run.t:.9g} s: {status.name}")
        self.last = {name: np.array(array) for name, array in known.items()}
        rows = np.concatenate([start[None], run.samples])
        return rows[:, :m], rows[:, n:].reshape(len(rows), k, m)

    def _enter(self, run: Any, known: Mapping[str, Array], stop: float) -> None:
        """Make ready for the stretch that ends at `stop`: unit quaternions, numbers of the reference, the next command."""
        setup, variations, n = self.setup, self.variations, self.frame.size
        run.unit(variations.quaternions)
        rows = run.y[n:].reshape(variations.count, variations.width)
        for place in variations.quaternions:
            unit = run.y[place : place + 4]
            rows[:, place : place + 4] -= np.outer(rows[:, place : place + 4] @ unit, unit)
        run.y[n:] = rows.ravel()
        reference = cast(RecordableReference, setup.reference)
        if self.said is None:
            known["reference"][:] = reference.numbers((run.t + stop) / 2)
        elif cast(Sampled, setup.sampled).is_sample(run.t):
            program = variations.command(self.said)
            shapes = [output.shape for output in program.program.outputs]
            command, change = np.empty(shapes[0]), np.empty(shapes[1])
            numbers = self.said.law.numbers.values()
            x = np.array(run.y[: variations.width])
            program.function(np.array(run.t), x, reference.numbers(run.t), *numbers, rows.copy(), command, change)
            before = known[HELD].size - command.size
            known[HELD][before:], known[VARIED][:, before:] = command, change

    def _atol(self, y_0: Array) -> Array:
        """Return the absolute errors of all entries: of derivatives those of states over the size of the number."""
        setup, own = self.setup, float(self.setup.atol[0])
        of_state = self.frame.tolerances(setup.state0, y_0, own)
        sizes = [abs(np.ravel(self.values[name])) for name in self.names]
        scales = np.concatenate([np.where(size > 0, size, size.max(initial=0.0) or 1.0) for size in sizes])
        return np.concatenate([of_state, np.repeat(own / scales, self.variations.width)])

    def _shifts(self, x: Array) -> Array:
        """Return (n, k, n_x) what states x (n, n_x) change by where the base's centre of mass is what changes."""
        layout, com = self.frame.layout, f"body.{self.setup.model.system.base.name}.com_m"
        shifts = np.zeros((len(x), self.variations.count, x.shape[1]))
        if layout.fixed:
            return shifts
        for k, (name, unit) in enumerate(self.variations.directions):
            if name.partition("[")[0] != com:
                continue
            way = unit if name == com else np.eye(3)[int(name[len(com) + 1 : -1])]
            for row, state in zip(shifts[:, k], x, strict=True):
                d = dcm_from_quaternion(state[layout.x_attitude]) @ way
                row[layout.x_r_0] = d
                row[layout.x_u.start : layout.x_u.start + 3] = cross(state[layout.x_u][3:6], d)
        return shifts

    def ends(self, x: Array, s: Array, ended_by: Sequence[str]) -> Array | None:
        """Return (k,) how the time changes at which an event ended the run: its number stays zero, -dg/dp over dg/dt.

        Both by central differences, of the number that is zero there; None where no event of the state ended the run.
        """
        ending = [event for event in self.setup.events if event.called in ended_by and not event.lasts]
        if not ending:
            return None
        t, model = float(self.times[-1]), self.frame.model

        def numbers(model: Model, t: float, x: Array) -> Array:
            state = State.renormalised(x, self.frame.layout)
            return np.concatenate([event.values_of(model, t, state, _no_force) for event in ending])

        place = int(np.argmin(abs(numbers(model, t, x))))
        past, later = (numbers(model, t + way, x + way * self._x_dot(t, x, s))[place] for way in (-SMALL, SMALL))
        found = []
        for (name, unit), along in zip(self.variations.directions, s, strict=True):
            h = SMALL * (float(abs(self.values[name]).max(initial=0.0)) or 1.0)
            less, more = (numbers(self._with(name, way * unit), t, x + way * along)[place] for way in (-h, h))
            found.append(-((more - less) / h) / ((later - past) / SMALL))
        return np.array(found)

    def _x_dot(self, t: float, x: Array, s: Array) -> Array:
        """Return the rate (n_x,) of the packed state at `t`, as the last stretch has it."""
        y = np.concatenate([x, np.zeros(self.frame.size - len(x)), s.ravel()])
        program = self.variations.ode.program
        given = {**self.last, "t": np.array(t), "y": y}
        (rate,) = program.only("ydot").evaluate(*(given[i.name] for i in program.inputs))
        return np.asarray(rate[: len(x)])

    def _with(self, name: str, change: Array) -> Model:
        """Return the model in which a number is another; a number of the law changes no model."""
        model = self.frame.model
        known = model.symbolic.derivation.numbers
        return model.with_values({name: known[name] + change}) if name in known else model

    def by_name(self, x: Array, s: Array, ends: Array | None) -> dict[str, Sensitivity]:
        """Return the derivatives by the names that were asked for, about the point of the base that stays."""
        s, found, at = s - self._shifts(x), {}, 0
        for name, called in zip(self.names, self.setup.sensitivities, strict=True):
            shape = self.variations.shapes[name]
            size = int(np.prod(shape))
            rows = np.moveaxis(s[:, at : at + size], 1, -1)
            end = None if ends is None else ends[at : at + size].reshape(shape)
            found[called] = Sensitivity(rows.reshape((*rows.shape[:2], *shape)), self.frame.layout, end)
            at += size
        return found


def _no_force() -> Any:
    raise InvalidInput(Problem("sensitivities", "events of places, speeds and times", "one that looks at forces"))


def _opened(model: Model, paths: Sequence[str]) -> Model:
    """Return the model in which the numbers of these paths are inputs."""
    derivation = model.symbolic.derivation
    more = tuple(path for path in paths if path not in derivation.numbers)
    if not more:
        return model
    return Model(replace(model.symbolic, derivation=replace(derivation, symbols=(*derivation.symbols, *more))))
