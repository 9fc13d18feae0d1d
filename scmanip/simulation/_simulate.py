"""Run a spacecraft and its arms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from numpy.typing import ArrayLike

from ..cells import waiting
from ..control import Controller, Law
from ..dynamics import Model, ModelInSpeeds
from ..errors import expect, refuse
from ..guidance import ReferenceMotion
from ..loads import Load
from ..modes import ManoeuvreMode
from ..navigation import Observation
from ..plant import Plant, RigidContact
from ..system import State
from ._varied import varied
from .coordinates._coordinates import Coordinates
from .events._event import Event
from .integrators._dop853 import DOP853
from .integrators._integrator import Integrator
from .loop._advance import advance
from .loop._asked import Asked
from .loop._given_parts import in_speeds, parts_of
from .loop._last_good import up_to_last_good
from .loop._ordered import order
from .loop._prepare import LARGEST_RTOL, prepare
from .record._history import History
from .record._record import record
from .switching._course import Course
from .switching._going_on import supposed
from .switching._switch import Switch, sets_after, switch_problems, unknown_problems

Commanding: TypeAlias = Controller | Law | Callable[[float, State], ArrayLike]


def simulate(
    model: Model | ModelInSpeeds | Plant,
    mode: ManoeuvreMode | Commanding | None = None,
    controller: Commanding | State | None = None,
    state0: State | None = None,
    *,
    reference: ReferenceMotion | None = None,
    t_end_s: float,
    rtol: float = 1e-10,
    atol: float | None = None,
    integrator: Integrator = DOP853(),  # noqa: B008 - frozen
    output_step_s: float | None = None,
    environment: Load | None = None,
    events: Sequence[Event] = (),
    coordinates: Coordinates | None = None,
    switches: Sequence[Switch] = (),
    contacts: Sequence[RigidContact] = (),
    sensitivities: Sequence[str] | Asked = (),
    observation: Observation | None = None,
    progress: Callable[[float], None] | None = None,
    patient: bool = True,
    called: str = "the run",
) -> History:
    """Return what happens from `state0` at t = 0 to `t_end_s`: `simulate(model, mode, controller, state0)`, or
    `simulate(plant, controller, state0)` of a `Plant`.

    model : the truth; a controller's estimate may be another one. One in generalized speeds (`change_speeds`) is integrated in
        these, `ChosenSpeeds`
    mode : such as `Floating()`; refused where it does not suit the model
    controller : a `Controller`, any object with its `command`, or a function (t, state) -> command; a command is (N,)
        joint forces tau, or (6 + N,) [f; n; tau] where the mode commands the base
    state0 : one state; its momentum need not be zero
    reference : what the controller is to follow; the integrator restarts at its corners. May end before or after t_end_s
    rtol, atol : local error per step, relative and absolute in SI of each component, up to 1e-2 and 1e-6; atol None means rtol
        where that is not more
    output_step_s : distance of the samples [s]; None gives 501 uniform samples. Both ends are always sampled
    environment : a load such as `Gravity(orbit)`, whose t is that of the run; None is free space. A plant has its loads
    events : such as `JointLimits()`, `Saturation(...)`, `Approach(...)`, `When(name, function)`; noted in `history.events`
    coordinates : what is integrated; None means `MomentumReduced()` where nothing pushes a free base and all of the run, law
        and reference too, is in machine code, otherwise `FullState()`
    switches : `Switch(t_s=..., impose=..., release=...)` of constraints, `engage` and `inhibit` of loads; at the start
        those hold and act that the plant has
    contacts : `RigidContact(one, other, law, friction)` of shapes that strike, stick, slide and part; a plant has its own
    sensitivities : paths of numbers of the system, such as "body.link2.mass_kg" (`*` over names), and "controller.K_P" of the
        law, by which all states are differentiated in `history.sensitivity`. What the law believes of the system stays. `Asked`
        where the run follows another
    observation : what a `Sampled` law sees in the place of the truth, by sensors and estimators; None is the truth. What they
        say is in series `measured_NAME`, `estimated_NAME`, `error_NAME`, `sigma_NAME` and `nees_NAME`
    progress : called with the time [s] that each accepted step reached; in machine code after up to 500 of them
    patient : whether the run waits where machine code has to be made for constraints that it meets for the first time; if not
        it goes on in Python until a thread has made it, with the same motion within tolerances but not to the last bit
    called : what the run is called where something is told of it while it is flown: of a stiff loop, by a `StiffLoop` warning

    A run that cannot go on ends with a typed `history.outcome`, a sentence in `history.advice` and everything computed
    so far. Raises `InvalidInput` for arguments that do not fit, all at once, and for a command of the wrong shape at any
    time; `ModeMismatch` for a mode, controller and model that cannot work together.

    >>> run = simulate(model, scmanip.Floating(), law, state, reference=reference, t_end_s=1.0, output_step_s=0.5)
    >>> run.t.tolist(), str(run.outcome), run.q.shape
    ([0.0, 0.5, 1.0], 'completed', (3, 4))
    >>> bool(abs(run.P).max() < 1e-9)
    True
    """
    expect("patient", patient, bool, "True or False")
    expect("called", called, str, "what the run is called")
    model, coordinates = in_speeds(model, coordinates)
    parts, law, start = parts_of(model, mode, controller, state0, environment, contacts)
    setup = prepare(
        parts,
        law,
        start,
        reference=reference,
        t_end_s=t_end_s,
        rtol=rtol,
        atol=atol,
        integrator=integrator,
        output_step_s=output_step_s,
        events=events,
        coordinates=coordinates,
        progress=progress,
        observation=observation,
        called=called,
    )
    refuse(switch_problems(switches, setup.model.system, events, t_end_s, setup.plant.loads))
    refuse(unknown_problems(setup.controller, "controller", sets_after(tuple(setup.plant.constraints), switches)))
    setup = varied(setup, sensitivities, switches)
    with waiting(f"run of {setup.model.system.name}, {t_end_s:g} s"):
        if switches or setup.plant.holders or setup.plant.contacts:
            return Course(setup, switches, patient=patient).flown()
        return record(setup, up_to_last_good(setup, advance(setup)))


def make_ready(
    plant: Plant,
    controller: Commanding,
    state0: State,
    *,
    reference: ReferenceMotion | None,
    t_end_s: float,
    integrator: Integrator,
    coordinates: Coordinates | None,
    under: Iterable[Sequence[str]],
) -> bool:
    """Have a thread make the machine code that `simulate` with these arguments will need; return whether any was lacking.

    under : names of constraints that may hold together, set by set; dependent speeds as they would be chosen in `state0`
    Raises as `simulate` does. What was made ahead and what is made when it is needed is equal.

    >>> method = DOP853()
    >>> make_ready(plant, law, state, reference=reference, t_end_s=1.0, integrator=method, coordinates=None, under=[()])
    False
    """
    expect("plant", plant, Plant, "a Plant")
    expect("under", under, Iterable, "names of constraints, set by set")
    setup = prepare(
        plant,
        controller,
        state0,
        reference=reference,
        t_end_s=t_end_s,
        rtol=LARGEST_RTOL,
        atol=None,
        integrator=integrator,
        output_step_s=None,
        events=(),
        coordinates=coordinates,
        progress=None,
    )
    return any([order(each) for each in (supposed(setup, names) for names in under) if each is not None])
