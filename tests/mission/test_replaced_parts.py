"""Whatever is replaced in a mission or in one of its phases flies, or is refused; what is stored says what flew."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scmanip.campaign import Study
from scmanip.control import BasePose, CoordinatedComputedTorque, JointRegulator, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch, ScmanipError
from scmanip.guidance import Hold
from scmanip.impacts import Newton
from scmanip.loads import Gravity, Orbit
from scmanip.mission import Mission, Phase, Run, load_mission
from scmanip.modes import Flying, RotationFlying
from scmanip.navigation import Encoders, Observation
from scmanip.report import Limits
from scmanip.simulation import RK4, FullState, RigidContact, Saturation, Switch, simulate
from scmanip.study import levels
from scmanip.system import State, System

from .files import MISSION, SYSTEM, written

LAW = 'controller = { type = "computed_torque", K_P = 4.0, K_D = [4.0, 4.0], feedforward = true }'
TEXT = (
    MISSION.replace("rtol = 1e-10", "rtol = 1e-8")
    .replace("output_step_s = 0.1", "output_step_s = 0.5")
    .replace(
        "[integration]",
        '[[phase]]\nname = "stay"\nmode = "flying"\ncontroller = { type = "coordinated", rate_Hz = 20 }\n'
        'guidance = { type = "hold" }\nuntil = { t_s = 0.6 }\n\n[integration]',
    )
)
BRAKED = SYSTEM + '\n[[constraint]]\nname = "brake"\ntype = "lock"\njoint = "elbow"\n'
GRIPPED = SYSTEM + '\n[[constraint]]\nname = "grip"\ntype = "weld"\nframes = ["ground", "lower"]\nactive = true\n'
SHAPED = f"""{SYSTEM}
[[shape]]
name = "floor"
frame = "ground"
type = "plane"
origin_m = [0.0, 0.0, 0.156]
[[shape]]
name = "ball"
body = "lower"
type = "sphere"
radius_m = 0.05
origin_m = [0.8, 0.0, 0.0]
"""
PULLED = f"""{TEXT}
[[load]]
name = "pull"
type = "bushing"
frames = ["ground", "lower"]
stiffness_N_m = 5.0
active = false
"""
FITTED = {  # what else a mission needs where a part of it is replaced: its text and that of its system
    "switches": (TEXT, BRAKED),
    "impose": (TEXT, BRAKED),
    "release": (TEXT, BRAKED),
    "contacts": (TEXT, SHAPED),
    "engage": (PULLED, SYSTEM),
    "inhibit": (PULLED.replace("active = false\n", ""), SYSTEM),
    "observation": (re.sub(r'"computed_torque",', '"computed_torque", rate_Hz = 20,', TEXT), SYSTEM),
    "push_off_m_s": (TEXT.replace('mode = "floating"', 'mode = "floating"\nrelease = "grip"'), GRIPPED),
}
DAMPED = SYSTEM.replace('name = "elbow", ', 'name = "elbow", damping_Nms_rad = 2.0, ')


class Nothing:
    """A law that gives nothing."""

    def command(self, t: float, state: State, reference: Any, memory: Any) -> tuple[Any, Any]:
        return np.zeros(state.q.size), memory


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> Mission:
    return load_mission(written(tmp_path_factory.mktemp("replaced"), TEXT))


@pytest.fixture(scope="module")
def flown(mission: Mission) -> Run:
    return mission.run()


def folder_beside(mission: Mission) -> Path:
    folder = Path(mission.file).parent / "beside"
    folder.mkdir(exist_ok=True)
    return folder


def another(mission: Mission) -> Mission:
    return load_mission(written(folder_beside(mission), TEXT.replace('"short"', '"other"')))


def fit(mission: Mission, name: str) -> Mission:
    """Return the mission, with what else the replaced part is about."""
    if name not in FITTED:
        return mission
    folder = Path(mission.file).parent / name
    folder.mkdir(exist_ok=True)
    return load_mission(written(folder, *FITTED[name]))


def damped(mission: Mission) -> Any:
    return compile_model(System.from_toml_text(DAMPED, file="arm.toml"))


# what stands in the place of each part: what it does to a run is compared by `told`
OF_MISSION: dict[str, Callable[[Mission], Any]] = {
    "name": lambda mission: "other",
    "title": lambda mission: "Another title",
    "model": damped,
    "initial": lambda mission: State(mission.initial.r_0 + 1.0, q=[0.4, 0.1], qdot=[0.0, 0.0]),
    "phases": lambda mission: mission.phases[:1],
    "loads": lambda mission: (Gravity(Orbit.circular(altitude_m=400e3)),),
    "integration": lambda mission: replace(mission.integration, output_step_s=0.25),
    "switches": lambda mission: (Switch(0.3, impose="brake"),),
    "contacts": lambda mission: (RigidContact("floor", "ball", Newton(0.3)),),
    "limits": lambda mission: Limits(base_rotation_rad=1e-9),
    "figure_names": lambda mission: ("energy",),
    "written": lambda mission: another(mission).written,
    "alternatives": lambda mission: {"floating": mission},
    "observation": lambda mission: Observation([Encoders("encoders", rate_Hz=20.0, bias=0.01)]),
}
OF_PHASE: dict[str, Callable[[Mission], Any]] = {
    "name": lambda mission: "other",
    "mode": lambda mission: RotationFlying(),
    "controller": lambda mission: Nothing(),
    "reference": lambda mission: Hold([0.3, -0.2]),
    "t_end_s": lambda mission: 0.7,
    "events": lambda mission: replace(mission.phases[0].events, events=(Saturation(1e-3),)),
    "coordinates": lambda mission: FullState(),
    "impose": lambda mission: ("brake",),
    "release": lambda mission: ("brake",),
    "engage": lambda mission: ("pull",),
    "inhibit": lambda mission: ("pull",),
    "push_off_m_s": lambda mission: (0.05, 0.0, 0.0),
}


def told(run: Run, *, plotted: bool = False) -> dict[str, Any]:
    """All that a run shows."""
    parts = [(part.phase.name, part.history.t.tolist(), part.history.states.x.tolist()) for part in run.flown]
    return {
        "flight": parts,
        "summary": str(run.summary()),
        "figures": tuple(run.plot()) if plotted else run.mission.figure_names,
        "name": run.mission.name,
        "passed": run.passed,
    }  # fmt: skip


def replaced(mission: Mission, name: str) -> Mission:
    return replace(mission, **{name: OF_MISSION[name](mission)})


def with_phase(mission: Mission, name: str) -> Mission:
    first, *others = mission.phases
    return replace(mission, phases=(replace(first, **{name: OF_PHASE[name](mission)}), *others))


EVERY = [(replaced, f.name) for f in fields(Mission)] + [(with_phase, f.name) for f in fields(Phase)]


@pytest.mark.battery(1)
@pytest.mark.parametrize(("change", "name"), EVERY, ids=lambda part: getattr(part, "__name__", part))
def test_whatever_is_replaced_flies_or_is_refused(change: Any, name: str, mission: Mission, flown: Run) -> None:
    own = fit(mission, name)
    before = told(flown if own is mission else own.run(), plotted=name == "figure_names")
    if name == "alternatives":
        comparison = change(mission, name).compare()
        assert_array_equal(comparison.runs["floating"].history.states.x, flown.history.states.x)
        return
    try:
        after = told(change(own, name).run(), plotted=name == "figure_names")
    except ScmanipError:
        assert name in ("written", "mode")
        return
    assert [part for part, shown in before.items() if shown != after[part]]


@pytest.mark.slow
@pytest.mark.parametrize(("change", "name"), EVERY, ids=lambda part: getattr(part, "__name__", part))
def test_what_is_stored_of_it_is_what_flew_or_nothing_is(change: Any, name: str, mission: Mission, tmp_path: Path) -> None:
    try:
        run = change(fit(mission, name), name).run()
    except ScmanipError:
        return
    run = replace(run, mission=replace(run.mission, figure_names=()))
    folder = tmp_path / "out"
    if name not in ("name", "title", "integration", "figure_names", "t_end_s"):
        with pytest.raises(InvalidInput, match=name):
            run.save(folder)
        assert not folder.exists()
        return
    run.save(folder)
    again = load_mission(folder / "mission.resolved.toml")
    assert (again.name, again.title, again.figure_names) == (run.mission.name, run.mission.title, ())
    assert [phase.name for phase in again.phases] == [part.phase.name for part in run.flown]
    assert_array_equal(again.run().history.states.x, run.history.states.x)


def test_a_replaced_law_flies_as_simulate_flies_it(mission: Mission) -> None:
    """In the phase whose law is made of the state in which it begins, too."""
    first, second = mission.phases
    gentle = JointRegulator(mission.model, K_P=1.0, K_D=1.0)
    own = replace(mission, phases=(replace(first, controller=gentle), second)).run()
    alone = simulate(
        mission.model, first.mode, gentle, mission.initial, reference=first.reference, t_end_s=first.t_end_s,
        rtol=1e-8, atol=1e-8, output_step_s=0.5,
    )  # fmt: skip
    assert_array_equal(own.histories[0].states.x, alone.states.x)
    law = CoordinatedComputedTorque(mission.model, Flying(), base_K_P=1.0, pose=BasePose(position_m=[0.5, 0.0, 0.0]))
    run = replace(mission, phases=(first, replace(second, controller=law))).run()
    assert run.flown[1].phase.controller is law
    pull = mission.system.mass_kg * 1.0 * (0.5 - run.histories[1].r_0[0, 0])
    assert run.histories[1].wrench[0, 0] == pytest.approx(pull, rel=1e-6)


def test_a_law_says_where_it_holds_the_base_before_and_after_it_began(mission: Mission) -> None:
    planned, flown = mission.phases[1].controller, mission.run().flown[1].phase
    assert isinstance(planned, Sampled) and isinstance(planned.law, CoordinatedComputedTorque)
    assert planned.law.pose.position_m is None and planned.law.pose.attitude_xyzw is None
    with pytest.raises(InvalidInput, match="left open"):
        planned.command(0.0, mission.initial, flown.reference.at(0.0), None)
    begun = flown.controller.settings["pose"]
    assert_array_equal(begun.position_m, mission.run().histories[0].r_0[-1])


def test_simulate_holds_the_base_where_it_starts(mission: Mission) -> None:
    phase = mission.phases[1]
    start = State([5.0, 0.0, 0.0], q=mission.initial.q, qdot=[0.0, 0.0])
    history = simulate(mission.model, phase.mode, phase.controller, start, reference=Hold(start.q), t_end_s=0.5)
    np.testing.assert_allclose(history.r_0, np.tile([5.0, 0.0, 0.0], (len(history.t), 1)), atol=1e-9)


def test_a_comparison_of_modes_is_refused_where_one_mission_alone_was_changed(mission: Mission) -> None:
    text = TEXT.replace('mode = "floating"', 'modes = ["floating", "flying"]')
    several = load_mission(written(folder_beside(mission), text))
    with pytest.raises(InvalidInput, match="alternatives"):
        replace(several, initial=OF_MISSION["initial"](several)).compare()


def test_a_study_of_a_changed_mission_is_refused(mission: Mission) -> None:
    path = {"phase.move.controller.K_P": levels(1.0, 2.0)}
    metrics = {"turned_rad": "max(base_rotation_rad)"}
    Study(mission, seed=1, metrics=metrics, design=path)
    with pytest.raises(InvalidInput, match="the file"):
        Study(replace(mission, initial=OF_MISSION["initial"](mission)), seed=1, metrics=metrics, design=path)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("phases", ()),
        ("phases", (None,)),
        ("loads", "Earth"),
        ("limits", {}),
        ("integration", 1e-9),
        ("model", 1),
    ],
)
def test_what_is_no_such_part_is_refused_by_name(part: str, value: Any, mission: Mission) -> None:
    with pytest.raises(InvalidInput, match=part):
        replace(mission, **{part: value})


@pytest.mark.slow
def test_an_integrator_without_a_name_flies_and_is_not_stored(mission: Mission, tmp_path: Path) -> None:
    run = replace(mission, integration=replace(mission.integration, integrator=RK4(0.05, max_steps=77_777))).run()
    assert run.completed
    with pytest.raises(InvalidInput, match=r"integration\.integrator"):
        run.save(tmp_path / "out")
    with pytest.raises(ModeMismatch):
        mission.compare()
