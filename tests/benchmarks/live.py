"""A session in the time of day: seven joints, a touch, a grasp and a handle 20 ms away, a thousand times a second.

Beside it the same for work that is the same every time and takes about as long: what that scatters is the machine's.
"""

from __future__ import annotations

import gc
from math import sin
from time import perf_counter, sleep, thread_time

import numpy as np

from scmanip.constraints import PointOnPoint
from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.live import (
    Device,
    Display,
    EmbeddedImpedance,
    Firmness,
    Gizmo,
    GuidingHand,
    Handle,
    Impedance,
    Session,
    Way,
    real_time,
)
from scmanip.loads import Contact, HuntCrossley
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.shapes import Plane, Sphere
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Body, Frame, Joint, State, System

from .report import Section, at_most, table
from .stopwatch import QUICK, Pace

STEP_S, JERK_S = 1e-3, 0.2
TURN_S = 0.2  # pauses of a virtual machine come in bursts of seconds, which are to fall on all that take turns
SWITCH_S = 2.0  # between switches of grasp and contact
MOST_KICK = 2 * 1.0 * 20.0 / np.e  # of a hand of 1 m/s at most behind a filter of 20 rad/s
EVEN = np.linspace(0.0, 1.0, 400)
AXES = ([0, 0, 1], [0, 1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1])


def live(pace: Pace) -> Section:
    """Return the section: 20 s, or 10 minutes, in turns with an empty loop, all in a thread such as sessions have."""
    with real_time() as granted:
        return _live(pace, granted)


def _live(pace: Pace, granted: bool) -> Section:
    session, seconds = seven_joints(Impedance(), far_handle()), 20.0 if pace is QUICK else 600.0
    for _ in range(2):  # all equations are made, as a look ahead would have them
        session.impose("grasp"), session.inhibit("wall"), session.engage("wall"), session.release("grasp")
        session.step()
    gc.collect()
    gc.freeze()
    gc.disable()  # as a `Pace` does
    took, even, late, even_late, empty_late, switched = list[float](), list[float](), 0, 0, 0, 0
    rounds = _rounds(np.median([_stepped(session) for _ in range(200)]))
    for turn in range(round(seconds / TURN_S)):
        empty_late += _paced(lambda: None)
        even_late += _paced(lambda: even.append(_worked(rounds)))
        if turn % round(SWITCH_S / TURN_S) == 0:
            switched += switch(session, round(turn * TURN_S / SWITCH_S))
        late += _paced(lambda: took.append(_stepped(session)))
    gc.enable()
    gc.unfreeze()
    worst, median = np.percentile(took, 99.9) * 1e3, np.median(took) * 1e3
    ledger, (gain, stored) = session.link.observer, gained(session)
    led, kick = _embedded(pace)
    rows = [
        ("steps, switches of grasp and contact", f"{len(took)}, {switched}", ""),
        ("thread that goes before others", "yes" if granted else "no, not allowed", ""),
        ("thread time of a step, median and 99.9th percentile [ms]", f"{median:.3f}, {worst:.3f}", "0.5"),
        ("the same of even work", f"{np.median(even) * 1e3:.3f}, {np.percentile(even, 99.9) * 1e3:.3f}", ""),
        ("overruns, of an empty loop and of even work in turns", f"{late}, {empty_late}, {even_late}", "no more"),
        ("chance makes two such numbers differ by about", f"{np.sqrt(late + empty_late):.0f}", ""),
        ("energy gained through the coupler, of the most stored", f"{gain:.1e}", "1e-6"),
        ("damped in the device, given by it, most stored [J]", f"{ledger.damped:.3g}, {ledger.given:.3g}, {stored:.3g}", ""),
        ("embedded display of a dragged hand, median and 99.9th percentile [ms]", "{:.3f}, {:.3f}".format(*led), ""),
        ("largest acceleration of the frame by its jerks [m/s^2]", f"{kick:.2f}", f"{MOST_KICK:.1f}"),
    ]
    verdicts = (
        at_most("live: 99.9th percentile of a step's thread time [ms]", float(worst), 0.5),
        at_most("live: energy gained through the coupler", gain, 1e-6),
        at_most("live: acceleration of a frame by jerks of a dragged hand [m/s^2]", kick, MOST_KICK),
        at_most("live: overruns over those of an empty loop", late / max(empty_late, 1), 1.0),
    )
    return Section("Live: 1 kHz, seven joints, a hand 20 ms away", table(("", "measured", "target"), rows), verdicts)


def _embedded(pace: Pace) -> tuple[tuple[float, float], float]:
    """Return the thread time of a step of the embedded display [ms], and how a hand dragged by jerks kicks the frame."""
    session, took, kicks = seven_joints(EmbeddedImpedance(), Gizmo()), list[float](), list[float]()
    place, attitude = session.link.pose()
    session.drag(place, attitude)
    session.step()
    loop = session.flight.loop
    own = loop.y[loop.places("hand")][GuidingHand.CHANGES]

    def go_on() -> None:
        took.append(_stepped(session))
        kicks.append(float(np.linalg.norm(own[:3])))

    for turn in range(2 if pace is QUICK else 10):
        for k in range(round(SWITCH_S / JERK_S)):
            session.drag(place + (0.1 if (k + turn) % 2 else -0.1) * np.array([-1.0, 0.5, 0.0]), attitude)
            _paced(go_on, JERK_S)
    return (float(np.median(took) * 1e3), float(np.percentile(took, 99.9) * 1e3)), max(kicks)


def _stepped(session: Session) -> float:
    began = thread_time()
    session.step()
    return thread_time() - began


def _worked(rounds: int) -> float:
    """Return the thread time of products that are as many every time [s]."""
    began = thread_time()
    for _ in range(rounds):
        EVEN @ EVEN
    return thread_time() - began


def _rounds(seconds: float) -> int:
    """Return how many products take so long [s]."""
    return max(1, round(1000 * seconds / np.median([_worked(1000) for _ in range(20)])))


def _paced(work, seconds: float = TURN_S) -> int:
    """Return how many of the steps of a turn began a whole step late."""
    due, late = perf_counter(), 0
    for _ in range(round(seconds / STEP_S)):
        due += STEP_S
        work()
        left = due - perf_counter()
        if left > 0:
            sleep(left)
        if (now := perf_counter()) > due + STEP_S:
            late, due = late + 1, now
    return late


def _hand(t: float, x, v) -> tuple[float, float, float]:
    """A spring and a damper to a place that wanders."""
    (a, b, c), (da, db, dc) = x, v
    away = 0.25 * sin(0.9 * t) - a, 0.15 * sin(1.7 * t) - b, 0.3 * sin(1.1 * t) - c
    return 60 * away[0] - 3 * da, 60 * away[1] - 3 * db, 0.3 * away[2] - 0.02 * dc


def switch(session: Session, turn: int) -> int:
    """Have the grasp hold in even turns and the wall be there in odd ones; return how many switches that takes."""
    (session.release if turn % 2 else session.impose)("grasp")
    (session.engage if turn % 2 else session.inhibit)("wall")
    return 2


def gained(session: Session) -> tuple[float, float]:
    """Return the energy that the hand got out of the coupler, in parts of the most that it stored, and that [J]."""
    history = session.history()
    stored = float(history.load_outputs[:, history.channels.dimensions["load_output"].labels.index("hand.stored")].max())
    return max(0.0, -session.link.observer.least) / stored, stored


def far_handle() -> Handle:
    """Return a device with damping whose hand is heard and felt 20 ms later."""
    return Handle(_hand, damping_Ns_m=10.0, delay_s=0.02)


def seven_joints(display: Display, device: Device) -> Session:
    """Return a session of an arm of seven joints on a free base, a target that it can grasp and a wall that it can touch."""
    bodies, parent = [], "base"
    for k, axis in enumerate(AXES):
        joint = Joint(f"joint{k + 1}", "revolute", axis, [0.5, 0, 0] if k == 0 else [0.35, 0, 0])
        bodies.append(Body(f"link{k + 1}", 6.0 - 0.5 * k, [0.02, 0.12, 0.12], [0.17, 0, 0], parent, joint))
        parent = f"link{k + 1}"
    bodies.append(Body("target", 80.0, [6.0, 6.0, 6.0], parent="ground", joint=Joint("target", "free")))
    post = dcm_from_axis_angle(np.array([1.0, 0, 0]), np.pi / 2)
    system = System(
        "seven",
        Body("base", 300.0, [40.0, 40.0, 40.0]),
        bodies,
        [Frame("tip", "link7", [0.2, 0, 0]), Frame("handle", "target", [-0.6, 0, 0])],
        constraints=[PointOnPoint("grasp", ("tip", "handle"), tolerance_m=10.0)],
        shapes=[Sphere("ball", "link7", 0.05, origin_m=[0.2, 0, 0]), Plane("wall", "ground", origin_m=[0, 0.6, 0], dcm=post)],
    )
    model = compile_model(system)
    q = np.array(State.at_rest(system, system.layout.neutral()).q)
    q[:7] = 0.2, -0.4, 0.1, 0.6, -0.1, 0.3, 0.2
    q[7:10] = 3.4, 0.6, 0.4
    start = State.at_rest(system, q)
    wall = Contact(system.shape("wall"), system.shape("ball"), HuntCrossley(2e4, damping_s_m=0.5), name="wall")
    law = JointRegulator(model, K_P=0.0, K_D=np.array([20.0] * 7 + [0.0] * 6))
    ways = {"pulled": Way(Plant(model, Floating(), [wall]), law, Hold(start.q, layout=model.layout))}
    firmness = Firmness() if isinstance(display, EmbeddedImpedance) else Firmness(wn_rad_s=20.0)
    return Session(ways, start, "tip", display, device, firmness, step_s=STEP_S)
