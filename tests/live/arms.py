"""A base that floats, with an arm of two links whose tip meets a post; a wall that stands in the way."""

import numpy as np

import scmanip
from scmanip.constraints import Lock, PointOnPoint
from scmanip.control import JointRegulator
from scmanip.guidance import Hold
from scmanip.live import Session, Way
from scmanip.loads import Contact, HuntCrossley
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.shapes import Plane, Sphere
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Body, Frame, Joint, State, System

TIP = np.array([1.6, 0.4, 0.0])


def arm():
    """Its model, and the state in which it begins."""
    post = dcm_from_axis_angle(np.array([0.0, 1, 0]), -np.pi / 2)
    system = System(
        "puller",
        Body("base", 20.0, [1.0, 1.2, 1.5]),
        [
            Body("upper", 3.0, [0.01, 0.2, 0.2], [0.4, 0, 0], "base", Joint("shoulder", "revolute", [0, 0, 1], [0.4, 0, 0])),
            Body("lower", 2.0, [0.01, 0.1, 0.1], [0.3, 0, 0], "upper", Joint("elbow", "revolute", [0, 0, 1], [0.8, 0, 0])),
        ],
        [Frame("tip", "lower", [0.6, 0, 0])],
        constraints=[Lock("stiff", "elbow"), PointOnPoint("pinned", ("ground", "tip"), tolerance_m=10.0)],
        shapes=[Sphere("ball", "lower", 0.05, origin_m=[0.6, 0, 0]), Plane("wall", "ground", origin_m=[2.2, 0, 0], dcm=post)],
    )
    model = scmanip.compile_model(system)
    return model, State.at_rest(system, np.array([0.3, -0.6]))


def session(wall=False, **settings):
    """A session with it, a hand on the tip."""
    model, start = arm()
    system = model.system
    law = HuntCrossley(stiffness=2e4, damping_s_m=0.5)
    loads = [Contact(system.shape("wall"), system.shape("ball"), law, name="wall")] * wall
    held = Hold(start.q)
    ways = {
        "free": Way(Plant(model, Floating(), loads), JointRegulator(model, K_P=0, K_D=0), held),
        "firm": Way(Plant(model, Floating(), loads), JointRegulator(model, K_P=50.0, K_D=10.0), held),
    }
    return Session(ways, start, "tip", **settings)


def pull(live, way, seconds, calls_per_s=20):
    """Drag the hand of a session along a way (3,) from where it is."""
    begun, hand, t = live.link.pose(), live.device, live.t
    calls = round(seconds * calls_per_s)
    for k in range(calls + 1):
        hand.drag(live.t, begun[0] + np.array(way) * k / calls, begun[1])
        for _ in range(round(1 / calls_per_s / live.step_s)):
            assert live.step()
    return live.t - t
