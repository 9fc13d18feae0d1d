"""Sessions of systems and missions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...control import JointRegulator
from ...dynamics import compile_model
from ...errors import InvalidInput, Problem, ScmanipError, checked
from ...guidance import Hold
from ...mission import Mission, Phase
from ...modes import FixedBase, Floating
from ...plant import Plant
from ...simulation import stepping
from ...spatial import Array
from ...system import State, System
from ._session import Session, Way


@dataclass(frozen=True, eq=False)
class PhaseWay(Way):
    """The mode, law and reference of a phase, as it would begin from wherever it is begun."""

    phase: Phase | None = None
    q_home: Any = None

    def at(self, state: State) -> Way:
        """Return it as it begins at a state."""
        assert self.phase is not None
        begun = self.phase.begun(state, self.q_home)
        return Way(self.plant, begun.controller, begun.reference)


def session_of_system(system: System, q: Array | None = None, **settings: Any) -> Session:
    """Return a session with a system whose joints turn freely, or are held by springs and dampers where they are.

    q : (n_q,) [rad or m] where joints begin; all at zero if None. settings : of `Session`

    It has no formula of its own.

    >>> session = session_of_system(system, q=np.array([0.0, 0.5, 0.0, 0.0]))
    >>> session.step(), session.t, list(session.ways)
    (True, 0.001, ['free joints', 'damped joints', 'held joints'])
    """
    model = compile_model(system)
    start = State.at_rest(system, system.layout.neutral() if q is None else q)
    mode, held = FixedBase() if system.fixed else Floating(), Hold(start.q, layout=model.layout)
    stiff = _stiffness(model.M(start).diagonal()[model.layout.joints])
    ways = {
        "free joints": Way(Plant(model, mode), JointRegulator(model, K_P=0.0, K_D=0.0), held),
        "damped joints": Way(Plant(model, mode), JointRegulator(model, K_P=0.0, K_D=stiff), held),
        "held joints": Way(Plant(model, mode), JointRegulator(model, K_P=stiff, K_D=2 * stiff), held),
    }
    return _made(system, ways, start, tip_of(system), settings)


def _stiffness(inertia: Array) -> Array:
    """Return what turns joints with 1 rad/s and twice the damping that would keep them from going over."""
    return inertia * 1.0


@checked
def session_of_mission(mission: Mission, **settings: Any) -> tuple[Session, dict[str, str]]:
    """Return a session that begins as a mission does and can go on as any of its phases, and why others are not there.

    Raises `InvalidInput` where none is.

    >>> session, why_not = session_of_mission(scmanip.load_mission("mission:planar_four_link"))
    >>> list(session.ways), why_not
    (['joint_sequence'], {})
    """
    found, lacking = dict[str, Way](), dict[str, str]()
    for phase in mission.phases:
        way = PhaseWay(mission.plant(phase, 0.0), phase.controller, None, phase, mission.initial.q)
        try:
            begun = way.at(mission.initial)
            stepping(begun.plant, begun.controller, mission.initial, reference=begun.reference)
        except ScmanipError as error:
            lacking[phase.name] = str(error)
            continue
        found[phase.name] = way
    if not found:
        why = "; ".join(f"{name}: {said}" for name, said in lacking.items())
        raise InvalidInput(Problem("mission", "a phase that goes on step by step", why))
    return _made(mission, found, mission.initial, tip_of(mission.system), settings), lacking


def _made(origin: System | Mission, ways: Mapping[str, Way], start: State, frame: str, settings: Mapping[str, Any]) -> Session:
    session = Session(ways, start, **{"frame": frame, **settings})
    session.origin = origin
    return session


def tip_of(system: System) -> str:
    """Return what is held first: the first frame, else the last body."""
    return next(_frames(system), system.bodies[-1].name)


def _frames(system: System) -> Iterator[str]:
    return (frame.name for frame in system.frames)
