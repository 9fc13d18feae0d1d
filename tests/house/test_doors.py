"""Whatever is given to a public door is used or refused in words: never an error of Python's or NumPy's own."""

from __future__ import annotations

import inspect
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scmanip
from scmanip import (
    Floating,
    State,
    analysis,
    compile_model,
    control,
    derive,
    dynamics,
    guidance,
    impacts,
    load_mission,
    load_study,
    load_system,
    loads,
    navigation,
    simulate,
    simulation,
    study,
)
from scmanip import system as system_room
from scmanip.errors import ScmanipError

PACKAGE = str(Path(scmanip.__file__).parent)
SYSTEM = load_system("model:planar_four_link")
MODEL = compile_model(SYSTEM)
N = SYSTEM.layout.N
REST = State.at_rest(SYSTEM, np.zeros(N))
BATCH = State.stack([REST, REST])
LAW = control.ComputedTorque(MODEL, K_P=1.0, K_D=1.0)
HOLD = guidance.Hold(np.zeros(N))
RUN: dict[str, Any] = {"model": MODEL, "mode": Floating(), "controller": LAW, "reference": HOLD, "t_end_s": 0.01}
HISTORY = simulate(state0=REST, **RUN)
RUN_TIME = compile_model(SYSTEM, inertia=dynamics.RunTimeInertia())
DERIVED = derive(SYSTEM)
BODY = system_room.Body("base", 1.0, np.eye(3))
HALF = 1e-2

NOTHING_RIGHT: list[Any] = [
    *(None, 5, -1, 0, 1.5, np.nan, np.inf, 10**400, True, 1j, "x", "", "tip", b"x"),
    *([], [1], [5], [[1], [1, 2]], [("tip",)], [("tip", None)], [(1, 2)], ("base",), (), {}, {"a": 1}, set(), range(3)),
    *(np.zeros(3), np.zeros((2, 2)), np.zeros(0), np.zeros((0, N)), np.array(["a"]), np.ma.masked_array([1.0], [True])),
    *(object(), State, lambda *given: None, REST, BATCH, MODEL, SYSTEM),
]

Door = Callable[[Any], object]
EYES = [navigation.Encoders("q"), navigation.Gyro("imu"), navigation.StarTracker("stars", [0.0, 0.0, 0.0])]
SEEING: dict[Any, dict[str, Any]] = {
    **{kind: {} for kind in (navigation.Encoders, navigation.Tachometers, navigation.Gyro)},
    navigation.StarTracker: {"noise_rad": [0.1, 0.1, 0.1]},
    navigation.Camera: {"frame": "base", "target": "tip"},
    navigation.ForceTorque: {"at": SYSTEM.interfaces[0].name},
    navigation.AttitudeFilter: {"gyro": "imu", "star_tracker": "stars", "sigma_rad": 0.1, "sigma_rad_s": 0.1},
    navigation.MomentumObserver: {"bandwidth_rad_s": 1.0},
    navigation.Differentiator: {"encoders": "q"},
}


def each_of(title: str, call: Callable[..., object], /, **good: Any) -> Iterator[tuple[str, Door]]:
    """One door per parameter, the others as they should be."""
    for parameter in inspect.signature(call).parameters:
        yield f"{title} {parameter}", lambda given, key=parameter: call(**{**good, key: given})


def of_states() -> Iterator[tuple[str, Door]]:
    names = [
        "H0",
        "M",
        "H",
        "Hdot",
        "dH_dq",
        "C",
        "c",
        "S_U",
        "r_0C",
        "coriolis_matrix",
        "momentum",
        "springs",
        "kinetic_energy",
    ]
    for name in [*names, "momentum_by_body", "energy_by_body", "gravity_force"]:
        yield f"{name}", lambda given, name=name: getattr(MODEL, name)(given)
        yield f"batch {name}", lambda given, name=name: getattr(MODEL.batch, name)(given)
    for name in ("J0", "Jm", "J_star", "J_star_drift", "J_dot_u", "position"):
        quantity, of_batch = getattr(MODEL, name), getattr(MODEL.batch, name)
        yield f"{name} state", lambda given, q=quantity: q(given, "tip")
        yield f"{name} frame", partial(quantity, REST)
        yield f"{name} body", lambda given, q=quantity: q(REST, body=given)
        yield f"{name} point", lambda given, q=quantity: q(REST, body="base", point_m=given)
        yield f"batch {name}", partial(of_batch, BATCH)
    tau, udot = np.zeros(N), np.zeros(6 + N)
    yield from each_of("forward dynamics", MODEL.forward_dynamics, state=REST, tau=tau)
    yield from each_of("batch forward dynamics", MODEL.batch.forward_dynamics, states=BATCH, tau=tau)
    yield from each_of("inverse dynamics", MODEL.inverse_dynamics, state=REST, udot=udot)
    yield from each_of("batch inverse dynamics", MODEL.batch.inverse_dynamics, states=BATCH, udot=udot)
    yield from each_of("floating inverse dynamics", MODEL.floating_inverse_dynamics, state=REST, qddot=tau)
    yield from each_of("joint rates", MODEL.resolved_joint_rates, state=REST, frame="tip", twist=np.zeros(6))
    yield from each_of("batch H", MODEL.batch.H, states=BATCH)
    pushed, moved = MODEL.derivative("forward_dynamics", "q"), MODEL.batch.derivative("inverse_dynamics.tau", "udot")
    yield from {
        "derivative state": lambda given: pushed(given, tau),
        "derivative input": partial(pushed, REST),
        "derivative of more": partial(MODEL.derivative("H", "q"), REST),
        "derivative of many": partial(moved, BATCH),
    }.items()
    yield from each_of("forward derivatives", MODEL.forward_dynamics_derivatives, state=REST, tau=tau)
    yield from each_of("inverse derivatives", MODEL.inverse_dynamics_derivatives, state=REST, udot=udot)
    yield from each_of("regressor", MODEL.regressor, state=REST, udot=udot)
    plant = scmanip.Plant(MODEL, scmanip.Flying())
    yield from each_of("accelerations", plant.accelerations, state=REST, command=tau)
    yield from each_of("rates", plant.rates, state=REST, command=tau)


def of_models() -> Iterator[tuple[str, Door]]:
    yield from each_of("compile_model", compile_model, system=SYSTEM)
    yield from each_of("derive", derive, system=SYSTEM)
    yield from each_of("derivative", MODEL.derivative, name="H", by="q")
    yield from each_of("values", MODEL.with_values, values={})
    yield from each_of("carrying", MODEL.carrying, names=(), state=REST)
    yield from each_of("with_numbers", SYSTEM.with_numbers, values={})
    kernel = MODEL.kernel("H")
    yield from {
        "kernel": MODEL.kernel,
        "kernels": lambda given: MODEL.kernel("H", given),
        "kernel alone": kernel,
        "kernel x": lambda given: kernel(given, np.zeros((N, N))),
        "kernel out": partial(kernel, REST.x),
        "kernel more": lambda given: kernel(REST.x, np.zeros((N, N)), given),
        "quantity": DERIVED.quantity,
        "program": DERIVED.program,
        "derived point": DERIVED.J_star,
        "point": MODEL.point,
        "equations": MODEL.equations,
        "constrained": MODEL.constrained,
        "bodies": lambda given: SYSTEM.with_bodies(given) if not isinstance(given, dict | set) else None,
        "a value": lambda given: MODEL.with_values({given: 1.0}) if isinstance(given, int | float | str) else None,
        "inertia of": RUN_TIME.with_inertia_of,
        "inertias": lambda given: RUN_TIME.batch.with_inertia(given).H(BATCH),
        "inertia table": dynamics.inertia_table,
    }.items()


def of_systems() -> Iterator[tuple[str, Door]]:
    place = {"q": np.zeros(N), "attitude_xyzw": [0.0, 0, 0, 1]}
    yield from each_of("State", State, r_0=np.zeros(3), q=np.zeros(N))
    yield from each_of("at_rest", State.at_rest, system=SYSTEM, q=np.zeros(N))
    yield from each_of("base frame", State.from_base_frame, system=SYSTEM, position_m=np.zeros(3), **place)
    yield from each_of("unpack", State.unpack, x=REST.x, layout=SYSTEM.layout)
    yield from {"stack": State.stack, "stack two": lambda given: State.stack([REST, given])}.items()
    yield from each_of("Body", system_room.Body, name="b", mass_kg=1.0, inertia_kg_m2=np.eye(3))
    yield from each_of("Joint", system_room.Joint, name="j", type="revolute")
    yield from each_of("System", system_room.System, name="s", base=BODY)
    yield from each_of("Wheel", system_room.Wheel, name="w", axis=[1, 0, 0], inertia_kg_m2=1.0)
    nozzle = {"position_m": [0, 0, 0], "direction": [1, 0, 0], "force_N": 1.0, "isp_s": 1.0}
    yield from each_of("Thruster", system_room.Thruster, name="t", **nozzle)
    yield from each_of("Motor", system_room.Motor, joint="j")
    yield from each_of("SpringDamper", system_room.SpringDamper, name="s", between=("a", "b"))
    yield from each_of("Frame", system_room.Frame, name="f", body="base")
    yield from {
        "frame": SYSTEM.frame,
        "body number": SYSTEM.body_number,
        "actuators": SYSTEM.with_actuators,
        "text": system_room.System.from_toml_text,
        "system file": load_system,
        "mission file": load_mission,
        "study file": load_study,
        "definition file": study.load_definition,
    }.items()


def of_runs() -> Iterator[tuple[str, Door]]:
    yield from each_of("simulate", simulate, state0=REST, **RUN)
    yield from each_of("ensemble", simulation.ensemble, states0=BATCH, step_s=HALF, **RUN)
    yield "gains", lambda given: simulation.ensemble(states0=BATCH, step_s=HALF, **RUN, parameters={"K_P": given})
    ensemble = simulation.ensemble(states0=BATCH, step_s=HALF, **RUN)
    yield from {"states of an ensemble": ensemble.states, "advice of an ensemble": ensemble.advice}.items()
    near = {"frame": "tip", "distance_m": 1.0}
    events = {
        simulation.Saturation: {"tau_max": 1.0},
        simulation.Approach: {**near, "other": "base"},
        simulation.Near: {**near, "point_m": [0, 0, 0]},
        simulation.When: {"name": "a", "function": lambda t, state: 0.0},
    }
    for event, good in events.items():
        run: Callable[..., object] = lambda make=event, **given: simulate(state0=REST, **RUN, events=[make(**given)])  # noqa: E731
        for parameter in inspect.signature(event).parameters:
            yield f"{event.__name__} {parameter}", lambda given, run=run, key=parameter, good=good: run(**{**good, key: given})
    yield "Switch impose", lambda given: simulation.Switch(t_s=1.0, impose=given)
    for integrator in (simulation.DOP853, simulation.RK4, simulation.FixedDOP853):
        yield from each_of(integrator.__name__, integrator, **({} if integrator is simulation.DOP853 else {"step_s": HALF}))
    yield from each_of("base disturbance", simulation.base_disturbance, model=MODEL, history=HISTORY)
    for name in ("base_rotation", "base_displacement", "joint_power", "joint_uses"):
        yield from each_of(name, getattr(analysis, name), history=HISTORY)
    yield from each_of("wheel uses", analysis.wheel_uses, history=HISTORY)
    yield from each_of("wheel momentum", analysis.wheel_momentum, history=HISTORY)
    yield from each_of("propellant", analysis.propellant, history=HISTORY)
    yield from each_of("base excursion", analysis.base_excursion, history=HISTORY)
    yield from each_of("turner_capability", analysis.turner_capability, system=SYSTEM)
    yield from each_of("pusher_capability", analysis.pusher_capability, system=SYSTEM)
    yield from each_of("stack_cards", analysis.stack_cards, model=MODEL, state=REST, holds=())
    yield from each_of("suggested_gains", analysis.suggested_gains, plant=scmanip.Plant(MODEL, Floating()), state=REST)
    yield "plot", lambda given: HISTORY.plot("omega_0", given)
    place = {"plant": scmanip.Plant(MODEL, Floating()), "state": REST, "command": np.zeros(N), "controller": LAW}
    yield from each_of("linearise", analysis.linearise, **place)
    yield from each_of("trim", analysis.trim, **place, reference=HOLD)
    yield from each_of("margins", analysis.margins, **place, grid={"joint2": [0.0, 0.1]})
    yield from each_of("broken loop", analysis.broken_loop, **place, loop="tau[joint2]", at={"joint1": 0.1})
    sampled = {**place, "controller": control.Sampled(LAW, rate_Hz=1.0)}
    yield from each_of("delay map", analysis.delay_map, **sampled, delays_s=[0.1], gains=[1.0])


def of_impacts() -> Iterator[tuple[str, Door]]:
    touch = impacts.Touch("blow", ("ground", "tip"), [1.0, 0, 0])
    contacts = impacts.Contacts(np.eye(1, 2), np.eye(1, 2, 1), 0.5)
    good: dict[str, Any] = {
        "M": np.eye(2),
        "contacts": contacts,
        "u": np.zeros(2),
        "bilateral": impacts.Bilateral(np.eye(1, 2)),
    }
    yield from each_of("model impact", MODEL.impact, state=REST, touches=[touch], law=impacts.Newton(0.5))
    constrained = MODEL.constrained()
    yield from each_of("model contact forces", constrained.contact_forces, state=REST, touches=[touch], tau=np.zeros(N))
    yield from each_of("pushed", constrained.pushed, state=REST, frames=("base", "tip"), velocity_m_s=[0.1, 0.0, 0.0])
    yield "actuated", lambda given: constrained.inverse_dynamics(REST, np.zeros(6 + N), given)
    yield from each_of("Bushing", loads.Bushing, frames=("ground", "tip"))
    yield from each_of("model touches", MODEL.touches, state=REST, pairs=[], within_m=1e-6)
    yield from each_of("impact", impacts.impact, **good, law=impacts.Energetic(0.5))
    yield from each_of("contact forces", impacts.contact_forces, **good, F=np.zeros(2))
    yield from each_of("Touch", impacts.Touch, name="a", frames=("a", "b"), normal=[1.0, 0, 0])
    yield from each_of("Contacts", impacts.Contacts, N=np.eye(1, 2), T=np.eye(1, 2, 1))
    yield from each_of("Bilateral", impacts.Bilateral, A=np.eye(1, 2))
    yield from each_of("Poisson", impacts.Poisson, e=0.5)


def seen_by(kind: Any, key: str, given: Any) -> object:
    """A run that a law flies by what a sensor or estimator says of which one parameter is given."""
    made = kind(**{"name": "a", **SEEING[kind], key: given})
    parts = ([made], []) if issubclass(kind, navigation.Sensor) else (EYES, [made])
    run = RUN | {"controller": control.Sampled(LAW, rate_Hz=1.0), "observation": navigation.Observation(*parts)}
    return simulate(state0=REST, **run)


def of_parts() -> Iterator[tuple[str, Door]]:
    gains = {"K_P": 1.0, "K_D": 1.0}
    yield from each_of("ComputedTorque", control.ComputedTorque, estimate=MODEL, **gains)
    yield from each_of("JointRegulator", control.JointRegulator, estimate=MODEL, **gains)
    yield from each_of("WithFeedforward", control.WithFeedforward, law=LAW)
    fed = {"plant": scmanip.Plant(MODEL, Floating()), "state": REST, "command": np.zeros(N), "gain": [[1.0]]}
    yield "recorded", lambda given: control.recorded(given, MODEL)
    yield "recorded model", lambda given: control.recorded(lambda t, state, reference: -state.qdot, given)
    yield from each_of("StateFeedback", control.StateFeedback, **fed, states=["joint1"], inputs=["tau[joint1]"])
    yield from each_of("ResolvedRate", control.ResolvedRate, law=LAW)
    yield from each_of("Sampled", control.Sampled, law=LAW, rate_Hz=1.0)
    yield from each_of("BasePose", control.BasePose)
    for kind in SEEING:
        for parameter in inspect.signature(kind).parameters:
            yield f"{kind.__name__} {parameter}", partial(seen_by, kind, parameter)
    yield from each_of("Observation", navigation.Observation, sensors=EYES)
    yield from each_of("Hold", guidance.Hold, q=np.zeros(N))
    yield from each_of("JointSequence", guidance.JointSequence, q_home=np.zeros(N))
    yield from each_of("Cycloid", guidance.Cycloid, q_start=np.zeros(N), q_end=np.ones(N), duration_s=1.0)
    line = {"model": MODEL, "q_home": np.full(N, 0.5), "frame": "tip", "direction": [1.0, 0.0, 0.0]}
    yield from each_of("Line", guidance.Line, **line, distance_m=0.01, duration_s=1.0)
    yield from each_of("Reach", guidance.Reach, frame="tip", start_m=np.zeros(3), end_m=np.ones(3), duration_s=1.0)
    yield from each_of("RateProfile", guidance.RateProfile, q_home=np.zeros(N), shares=np.ones(N), steps=[[1.0, 0.1]])
    yield from each_of("circular", loads.Orbit.circular, altitude_m=5e5)
    yield from each_of("elliptic", loads.Orbit.elliptic, semi_major_axis_m=7e6, eccentricity=0.1)
    yield from each_of("Gravity", loads.Gravity)


def of_studies() -> Iterator[tuple[str, Door]]:
    good = {"name": "a", "mission": "m", "seed": 1, "metrics": {"a_deg": "max(x)"}, "design": {"x": [1, 2]}}
    yield from each_of("define", study.define, **good)
    for table in ("design", "dispersion", "metrics", "limits"):
        yield f"define in {table}", lambda given, table=table: study.define(**{**good, table: {"a_deg": given}})
    yield from each_of("span", study.span, low=0.0, high=1.0)
    yield from each_of("grid", study.grid, low=0.0, high=1.0, count=3)
    yield from each_of("uniform_ball", study.uniform_ball, radius=1.0)
    yield from {"levels": study.levels, "dispersed": study.dispersed}.items()
    yield from each_of("LatinHypercube", study.LatinHypercube, count=3)
    yield from each_of("Sobol", study.Sobol, count=4)
    yield from each_of("Metric", study.Metric, name="a_deg", expression="max(x)")
    yield from each_of("Requirement", study.Requirement, metric="a_deg", max=1.0, unit="deg")


DOORS = [of_states, of_models, of_systems, of_runs, of_impacts, of_parts, of_studies]


@pytest.mark.slow
@pytest.mark.parametrize("doors", DOORS, ids=lambda doors: doors.__name__)
def test_whatever_is_given_is_used_or_refused_in_words(doors: Callable[[], Iterator[tuple[str, Door]]]) -> None:
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, door in doors():
            for given in NOTHING_RIGHT:
                try:
                    door(given)
                except ScmanipError:
                    continue
                except Exception as error:
                    if any(frame.filename.startswith(PACKAGE) for frame in traceback.extract_tb(error.__traceback__)):
                        wrong.append(f"{name} of {given!r:.40}: {type(error).__name__}: {error}"[:200])
    assert not wrong, "\n".join([f"{len(wrong)} errors", *wrong[:40]])


def test_an_ensemble_of_no_state_is_refused_by_name() -> None:
    none = State.unpack(np.zeros((0, SYSTEM.layout.n_x)), SYSTEM.layout)
    with pytest.raises(ScmanipError, match="states0: expected one state or more"):
        simulation.ensemble(states0=none, step_s=HALF, **RUN)
