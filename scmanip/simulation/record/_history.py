"""What happened in a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...channels import Channel, Channels
from ...dynamics import Stack
from ...guidance import Sample
from ...loads import External
from ...modes import (
    ManoeuvreMode,
    Residuals,
    constraints_hold_their_places,
    free_trees_keep_momentum,
    joints_move_as_pushed,
    what_pushes_never_pulls,
)
from ...navigation import Known
from ...plant import Holding
from ...plugins import view
from ...spatial import Array
from ...system import State, System
from ..events._limit_passage import LimitPassage
from ..events._outcome import Outcome
from ..events._rechosen import Rechosen
from ..events._switched import Switched
from ..variation._sensitivity import StateSensitivity
from ..variation._stretch import Stretch
from ._events import Occurrence


class Books(Protocol):
    """Where a history looks up what it does not hold yet."""

    def page(self, name: str) -> dict[str, Any]:
        """Return a series by its name, with those that come with it."""

    def has(self, name: str) -> bool:
        """Return whether there is a series of that name, be it of hardware that the run does not have."""

    def load(self, number: int) -> Array | None:
        """Return the load on an interface (n, 6), put together of pieces; None where the loads on all are at hand."""

    def finely(self) -> History | None:
        """Return the history of the same run at many more times; None where there is nothing finer."""

    def settled(self) -> History:
        """Return the history with all its series, without what they follow from."""

    def nodes(self) -> Array:
        """Return which samples of that history each step has, as `History.nodes`."""

    def stretches(self) -> list[Stretch]:
        """Return what was flown, one after the other."""

    def together(self) -> Mapping[str, Array]:
        """Return series by their names that laws of modes are about, where one program gives them."""


class History:
    """Samples of a run, time first, read-only, in SI and inertial components unless said otherwise; all from the full model.

    Every series of `history.channels` is an attribute, `history.r_0` and so on, which is computed when it is first read.

    channels : the series by name, each with its shape, unit and meaning
    system, mode : what was run, and how
    states : batch `State` of the n samples
    outcome, advice : how the run ended, and what would help where it did not complete
    steps : accepted steps of the integrator
    in_machine_code : whether all of them were taken there, which asks laws and events in Python; else some or all in Python
    external : what came from the environment; None in free space
    demand : with `MomentumReduced()` what would have to act on the system for it to move as it did, by full inverse dynamics
        along the run: impulse of the wrench on the base, and what it makes of the system CoM; the |work| of joint forces that
        are not there. Zero but for rounding where the equations of motion hold. None with `FullState()`
    sensitivity : how the states of all samples change with numbers of system and law, by their paths; those that were asked for
    reference : what was to be followed, at all samples, a `JointReference` or `PoseReference` whose arrays have n rows; None
        without one, and where several of different kinds follow one another
    error : what the run lacked to it (n, k), in the terms of laws that follow such: q_D - q along freedoms, [rad or m], or
        `pose_error`
    known : what is known at the end where the law sees an `Observation`, with which another run may go on; else None
    step_s : (k,) sizes of the steps of the integrator [s]
    noted : events that were asked for
    occurrences : those, and limits of actuators that acted, each with its times, found in the steps to 1e-7 of one
    passages : where joints were beyond limits of the system file, whether or not that was asked for
    switches : constraints that began or ceased to hold, `Switched`
    rechosen : where dependent speeds were chosen anew in machine code, `Rechosen`, which changes no motion
    components : (n, n_t) per tree the first of those that loads and constraints join it with then; of all that N acts on 0
    holding : how constraints hold when it ends; None where none does
    constraints : names of all that are imposed then, also of those that slip
    inhibited : names of loads that do not act then

    What the numbers of some series mean beyond what their channel says:

    r_0, attitude_xyzw, v_0, omega_0 : at rest with a fixed base. Signs of quaternions, those of q too, are continuous
    wrench : on the base at its CoM; with a fixed base what the ground applies at the base frame's origin
    P_by_body, L_C_by_body : wheels locked, rotors with the bodies that carry them; they add up to P and to L_C - h_wheels
    L_0 : with a fixed base about the base frame's origin
    work_by_thruster : parts of `work_on_base`
    dissipated_by_joint, dissipated_by_wheel, dissipated_by_spring : in joints and their motors, in bearings, in dampers between
        two points
    shift_by_joint, turn_by_joint : of -H0^-1 H0m qdot [Wilde2018] eq. 109; zero with a fixed base. All shifts add up to
        r_0 - r_0(0), all turns to the integral of omega_0
    propellant_kg : the system's mass stays as it is
    wheel_torque : of the motors on their wheels, bearing friction included
    joint_impulse_left : impulse with which each joint moved, by full inverse dynamics along the solution between the steps,
        less what it was given. Zero but for errors of the integration
    joint_impulse : the largest that a part of the same balance was until then, its momentum among them; what is integrated for
        it begins anew with each phase, of a session with each switch and block of steps

    >>> history.t.tolist(), history.omega_0.shape, history.channels["omega_0"].unit
    ([0.0, 0.5, 1.0, 1.5, 2.0], (5, 3), 'rad/s')
    >>> history.outcome.name, bool(history.residuals["momentum"].relative < 1e-9)
    ('COMPLETED', True)
    """

    channels: Channels
    system: System
    mode: ManoeuvreMode
    states: State
    outcome: Outcome
    advice: str
    steps: int
    in_machine_code: bool
    external: External | None
    demand: External | None
    sensitivity: Mapping[str, StateSensitivity]
    reference: Sample | None
    error: Array | None
    known: Known | None
    step_s: Array
    noted: tuple[Occurrence, ...]
    occurrences: tuple[Occurrence, ...]
    passages: tuple[LimitPassage, ...]
    switches: tuple[Switched, ...]
    rechosen: tuple[Rechosen, ...]
    components: NDArray[np.intp]
    holding: Holding | None
    constraints: tuple[str, ...]
    inhibited: tuple[str, ...]

    def __init__(self, channels: Channels | None = None, books: Books | None = None, **known: Any) -> None:
        """Take what is known; anything else is asked of `books` when it is first read."""
        vars(self)["_books"] = books
        self._take(known if channels is None else {"channels": channels, **known})

    def _take(self, values: Mapping[str, Any]) -> None:
        for value in values.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        vars(self).update(values)

    def _learn(self, values: Mapping[str, Any]) -> None:
        """Take what is not known yet."""
        known = vars(self)
        self._take({name: value for name, value in values.items() if name not in known})

    def __getattr__(self, name: str) -> Array:
        """Look a series up in the books."""
        books = vars(self).get("_books")
        if books is None or not (name in History.__annotations__ or self._has(name)):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)
        self._learn(books.page(name))
        found: Array = vars(self)[name]
        return found

    def _has(self, name: str) -> bool:
        """Return whether there is a series of that name."""
        books = vars(self).get("_books")
        return name in vars(self) or (books is not None and books.has(name))

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self.channels, *History.__annotations__})

    def __getstate__(self) -> dict[str, Any]:
        """Return all series and the finer history; what was computed from them is left behind."""
        return {name: getattr(self, name) for name in (*History.__annotations__, *self.channels.declared, "finely")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields of a copied or unpickled history, again read-only."""
        self._take(state)

    def changed(self, **values: Any) -> History:
        """Return it with other values."""
        own = {*History.__annotations__, *self.channels}
        read = {name: value for name, value in vars(self).items() if name in own}
        return History(books=vars(self).get("_books"), **{**read, **values})

    @cached_property
    def finely(self) -> History:
        """The same run with many more samples: beside its own, those at the ends of its steps and at seven places in each.

        Peaks are taken from it, so that they do not depend on `output_step_s`: of a smooth series they are low by at most
        0.0052 times the square of a step and the second derivative. The run is done again for it, once for all that asks.
        """
        books = vars(self).get("_books")
        finer = None if books is None else books.finely()
        return self if finer is None else finer.changed(outcome=self.outcome, advice=self.advice)

    def settled(self) -> History:
        """Return it with all series worked out, one of its pieces after the other, and without what they follow from, which
        takes some hundred times their memory: `finely` is then what is sampled.

        >>> settled = history.settled()
        >>> settled.finely is settled, bool((settled.q == history.q).all())
        (True, True)
        """
        books = vars(self).get("_books")
        if books is None:
            return self
        settled: History = books.settled()
        settled._take({"outcome": self.outcome, "advice": self.advice})
        return settled

    @property
    def nodes(self) -> Array:
        """(steps, 8) numbers of the samples of `finely` in each step of a run that was just made: inside it, and at its end.

        Each step has a polynomial: between its ends nothing jumps, unless a limit does.
        """
        nodes: Array = vars(self)["_books"].nodes()
        return nodes

    @property
    def stretches(self) -> list[Stretch]:
        """What was flown in a run that was just made, for sensitivities."""
        books = vars(self).get("_books")
        return [] if books is None else books.stretches()

    @property
    def events(self) -> tuple[str, ...]:
        """What happened, in sentences with times, in order of time."""
        return tuple(sentence for _, sentence in self.timed_events)

    @property
    def timed_events(self) -> tuple[tuple[float, str], ...]:
        """The same, each with when it began [s]."""
        timed = [*((o.first_s, o) for o in self.occurrences), *((e.t_s, e) for e in self.passages)]
        timed += [(switched.t, switched) for switched in self.switches]
        return tuple((t, str(what)) for t, what in sorted(timed, key=lambda entry: entry[0]))

    @property
    def held_first(self) -> tuple[str, ...]:
        """Names of the constraints that hold where it begins, once what is switched there has been."""
        if not self.system.constraints:
            return ()
        return tuple(one.name for one, holds in zip(self.system.constraints, self.active[0], strict=True) if holds)

    @property
    def switch_times(self) -> Array:
        """(k,) when constraints were switched [s], and speeds may have jumped."""
        return np.array([switched.t for switched in self.switches])

    @property
    def constraint_forces(self) -> dict[str, Array]:
        """What each constraint applies (n, k) [N or N m], by name, in the sense of its kind; zero while it does not hold."""
        return {name: self.constraint_force[:, rows] for name, rows in Stack.of_all(self.system).rows_of.items()}

    def interface_load(self, name: str) -> Array:
        """Return what goes through a joint or a constraint between frames (n, 6), [f; n] [N, N m] in N; raises `UnknownName`.

        Through a joint into what it carries, with what actuator, spring and friction of the joint give, about the origin of
        the frame that the joint moves. Of a constraint on the body of its frame `on`, about the origin of that frame.
        """
        return self._load(self.system.interface(name))

    def _load(self, number: int) -> Array:
        books = vars(self).get("_books")
        load = None if books is None or "interface_wrench" in vars(self) else books.load(number)
        return self.interface_wrench[:, number] if load is None else load

    @property
    def joint_names(self) -> tuple[str, ...]:
        """One name per moving joint."""
        return self.system.layout.joint_names

    @property
    def q_names(self) -> tuple[str, ...]:
        """One name per column of q."""
        return self.system.layout.q_names

    @property
    def qdot_names(self) -> tuple[str, ...]:
        """One name per column of qdot and tau."""
        return self.system.layout.qdot_names

    @property
    def body_names(self) -> tuple[str, ...]:
        """One name per body, base first."""
        return tuple(body.name for body in self.system.bodies)

    @property
    def mass_kg(self) -> float:
        """Total mass [kg]."""
        return self.system.mass_kg

    @property
    def final(self) -> State:
        """The last sample: the state at the end, or the last good state of a run that did not complete."""
        return self.states[len(self.states) - 1]

    def read_together(self) -> None:
        """Work out at once, by one program, the series that laws of modes are about; each is worked out when read otherwise."""
        books = vars(self).get("_books")
        if books is not None:
            self._learn(books.together())

    @cached_property
    def residuals(self) -> Residuals:
        """The residuals of the mode's contract, and of the joints' own equations of motion, by name:
        `residuals["momentum"].value`, `.relative`, `.series`.
        """
        self.read_together()
        held = constraints_hold_their_places(self.constraint_drift) if self.system.constraints else ()
        pushing = what_pushes_never_pulls(self, self._pushes) if self._pushes else ()
        joints = joints_move_as_pushed(self.system, self.joint_impulse_left, self.joint_impulse)
        return Residuals(*self.mode.contract(self).values(), *free_trees_keep_momentum(self), *held, *pushing, *joints)

    @cached_property
    def _pushes(self) -> dict[str, Array]:
        """Forces (n,) of constraints that only push, and of places at which shapes touch rigidly, by name [N]."""
        held = {one.name: self.constraint_forces[one.name][:, 0] for one in self.system.constraints if one.pushes}
        places = self.channels.dimensions["contact"].labels if self._has("contact_push") else ()
        return held | {place: self.contact_push[:, k] for k, place in enumerate(places)}

    @cached_property
    def unaccounted(self) -> dict[str, Array]:
        """Totals less the sums of their parts: "P", "L_C" (n, 3), "kinetic_energy", "work", "dissipated", "propellant_kg" (n,)
        and, with a free base, "shift" (n, 3) [m]. In N, [N s] and [N m s]; energies in [J].

        Work, what is dissipated and propellant were integrated with the motion, their parts by quadrature in a second run.
        """
        totals = self.channels.totals.items()
        left = {total: getattr(self, total) - sum(self._summed(part, total) for part in parts) for total, parts in totals}
        burnt = self.impulse_by_thruster / self.system.pushers.exhaust_m_s
        left["propellant_kg"] = self.propellant_kg - burnt.sum(axis=1)
        if not self.system.fixed:
            left["shift"] = self.r_0 - self.r_0[0] - self.shift_by_joint.sum(axis=2) - self.shift_by_momentum
        return left

    def _summed(self, part: Channel, total: str) -> Array:
        """Return a part of a total, summed over the dimensions that the total does not have."""
        over = [k for k, axis in enumerate(part.axes.split(), 1) if axis not in self.channels[total].axes.split()]
        return np.asarray(getattr(self, part.name).sum(axis=tuple(over)))

    @property
    def broken_laws(self) -> tuple[str, ...]:
        """Laws of the mode's contract and of joints that the run breaks beyond their bounds (`Residual.most`), by name.

        What an environment does to a law is no part of it, `broken_by_environment`.
        """
        return tuple(name for name, residual in self.residuals.items() if not residual.kept)

    @property
    def broken_by_environment(self) -> str:
        """What laws of the mode's contract the environment broke, and by how much at most; empty in free space."""
        broken = [residual for residual in self.residuals.values() if residual.broken > 0]
        return ", ".join(f"{r.name} by {r.broken:.3g} {r.unit}" for r in broken)

    def show(self) -> Any:
        """Return its playback for a cell of a notebook: a page with time bar, phases, events and curves, without a server.

        `.to_html(path)` of what is returned writes the page. Raises `MissingExtra` without viser.
        """
        return view(self, "show")(self)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write its playback as one page that opens without network, and return where."""
        written: Path = view(self, "to_html")(self, path)
        return written

    def plot(self, *names: str) -> Mapping[str, Any]:
        """Return figures by name, which a notebook shows: those called `names`, or the usual ones.

        names : of figures such as "tracking" (`report.FIGURES`), of groups of series such as "joints" (`channels.groups`), or
            of series such as "omega_0". Raises `UnknownName`.
        """
        drawn: Mapping[str, Any] = view(self, "plot")(self, *names)
        return drawn

    def to_xarray(self) -> Any:
        """Return an `xarray.Dataset` of all series with axes, units and meanings; raises `MissingExtra` without xarray."""
        return view(self, "to_xarray")(self)

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` of all series, a column per entry, such as "omega_0.x"; raises `MissingExtra`."""
        return view(self, "to_pandas")(self)

    def _repr_html_(self) -> str:
        card: str = view(self, "_repr_html_")(self)
        return card

    def __repr__(self) -> str:
        laws, broken = ", ".join(self.broken_laws), self.broken_by_environment
        worst = max(self.residuals.values(), key=lambda residual: residual.relative)
        return (
            f"History('{self.system.name}', {self.mode.name}, {len(self.t)} samples to {self.t[-1]:g} s, "
            f"{self.outcome}, worst residual {worst.name} {worst.relative:.1e}"
            f"{laws and f', broken laws {laws}'}{broken and f', environment broke {broken}'})"
        )
