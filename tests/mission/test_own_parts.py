"""Laws, references and systems of Python in missions and studies: flown, stored by name, read again, dispersed like others."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from typer.testing import CliRunner

from scmanip.campaign import Study, load_study
from scmanip.command._application import application
from scmanip.control import CartesianImpedance, ComputedTorque, Sampled, recorded
from scmanip.dynamics import RunTimeInertia, compile_model
from scmanip.errors import InvalidInput, InvalidMission, UnknownName
from scmanip.guidance import Hold, JointReference
from scmanip.mission import Mission, load_mission
from scmanip.report import Limits
from scmanip.simulation import simulate
from scmanip.study import dispersed, levels
from scmanip.system import State, System
from scmanip.system.joints._revolute import Revolute

from .files import MISSION, SYSTEM, written

TEXT = MISSION.replace("rtol = 1e-10", "rtol = 1e-8").replace(
    "[integration]",
    '[[phase]]\nname = "stay"\nmode = "floating"\ncontroller = { type = "computed_torque", K_P = 4.0, K_D = 4.0 }\n'
    'guidance = { type = "hold" }\nuntil = { t_s = 0.5 }\n\n[integration]',
)
METRICS = {"turned_deg": "max(degrees(base_rotation_rad))", "torque_Nm": "max(abs(joint_torque_Nm))"}
MASSES: dict[str, Any] = {"system.body.*.mass_kg": dispersed(norm(1.0, 0.02), how="scale")}
MOVE = "phase.move.controller"


@dataclass
class Springy:
    """A law of somebody's own."""

    stiffness: float = 4.0

    def command(self, t: float, state: State, reference: JointReference, memory: Any) -> tuple[Any, Any]:
        return self.stiffness * (reference.q - state.q) - 4.0 * state.qdot, memory


SPRINGY = Springy()


class Slow:
    """A motion of somebody's own: both joints, ever more slowly."""

    corners_s = ()
    t_end_s = 1.0

    def at(self, t: float) -> JointReference:
        q = np.array([0.2, -0.3]) + 0.1 * (1.0 - np.exp(-t))
        return JointReference(q, np.full(2, 0.1 * np.exp(-t)), np.full(2, -0.1 * np.exp(-t)))


def pulling(t: Any, state: Any, reference: Any) -> Any:
    """A law of somebody's own, as equations."""
    return 4.0 * (reference.q - state.q) - 4.0 * state.qdot


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> Mission:
    return load_mission(written(tmp_path_factory.mktemp("own"), TEXT))


def study_of(mission: Mission | str, **more: Any) -> Study:
    return Study(mission, **{"seed": 1, "metrics": METRICS, "dispersion": MASSES, "repeats": 3, **more})


def test_a_law_of_python_flies_as_simulate_flies_it(mission: Mission) -> None:
    own = mission.with_controller("move", Springy())
    assert own.own[MOVE].law == Springy() and not own.replaced and not mission.own
    first = mission.phases[0]
    alone = simulate(
        mission.model, first.mode, Springy(), mission.initial, reference=first.reference, t_end_s=first.t_end_s,
        rtol=1e-8, atol=1e-8, output_step_s=0.1,
    )  # fmt: skip
    run = own.run()
    assert_array_equal(run.histories[0].states.x, alone.states.x)
    assert all(verdict.passed for verdict in run.verdicts if verdict.name == "momentum")


def test_a_reference_of_python_is_followed_and_the_next_phase_goes_on_from_it(mission: Mission) -> None:
    run = mission.with_guidance("move", Slow()).run()
    assert run.flown[0].phase.t_end_s == 1.0
    assert_array_equal(run.histories[0].reference.q[-1], Slow().at(1.0).q)
    assert_array_equal(run.flown[1].phase.reference.at(0.0).q, Slow().at(1.0).q)


def test_a_system_of_python_flies_and_laws_of_the_file_believe_in_it(mission: Mission) -> None:
    heavy = System.from_toml_text(SYSTEM.replace("mass_kg = 4.0", "mass_kg = 8.0"), file="heavy")
    own = mission.with_system(heavy)
    assert own.system is heavy and own.phases[0].controller.believed.system is heavy
    assert own.system.mass_kg != mission.system.mass_kg


def test_what_was_given_before_and_replaced_is_kept(mission: Mission) -> None:
    judged = replace(mission, limits=Limits(base_rotation_rad=1e-3), title="Ours")
    later = replace(judged, phases=(judged.phases[0], replace(judged.phases[1], t_end_s=0.3)))
    own = later.with_controller("move", Springy()).with_guidance("stay", Hold([0.2, -0.3]))
    assert sorted(own.own) == [MOVE, "phase.stay.guidance"]
    assert own.limits.base_rotation_rad == 1e-3 and own.title == "Ours" and own.phases[1].t_end_s == 0.3
    law = replace(mission, phases=(replace(mission.phases[0], controller=Springy(9.0)), mission.phases[1]))
    assert law.with_controller("move", Springy()).own[MOVE].law == Springy()
    with pytest.raises(InvalidMission, match="with_system"):
        law.with_system(mission.system)


def test_what_is_stored_names_class_and_digest_and_is_read_again_with_the_object(mission: Mission, tmp_path: Path) -> None:
    own = mission.with_controller("move", Sampled(Springy(), rate_Hz=50.0)).with_guidance("move", Slow())
    run = replace(own, figure_names=()).run()
    run.save(tmp_path / "out")
    stored = tmp_path / "out" / "mission.resolved.toml"
    assert "scmanip.control.Sampled(tests.mission.test_own_parts.Springy) sha256:" in stored.read_text()
    with pytest.raises(InvalidMission, match=r"(?s)object itself.*Sampled.*Springy.*test_own_parts.Slow"):
        load_mission(stored)
    again = load_mission(stored, own={MOVE: Sampled(Springy(), rate_Hz=50.0), "phase.move.guidance": Slow()})
    assert_array_equal(again.run().history.states.x, run.history.states.x)
    other = {**own.own, MOVE: Sampled(Springy(5.0), rate_Hz=50.0)}
    with pytest.raises(InvalidMission, match="another one"):
        load_mission(stored, own=other)


class Skewed(Revolute):
    """A kind of joint that no file knows."""

    name = "skewed"


def skewed(system: System) -> System:
    """A system of which a file cannot say all."""
    base, *bodies = system.bodies
    moved = [replace(body, joint=replace(body.joint, type=Skewed())) if body.name == "upper" else body for body in bodies]
    return System(system.name, base, moved, system.frames)


def test_a_system_of_python_is_stored_as_a_file_says_it(mission: Mission, tmp_path: Path) -> None:
    own = replace(mission.with_system(System.from_toml_text(SYSTEM, file="arm")), figure_names=())
    own.run().save(tmp_path / "out")
    stored, about = tmp_path / "out" / "mission.resolved.toml", json.loads((tmp_path / "out" / "provenance.json").read_text())
    assert about["systems"][0]["given"].startswith("python:two-link sha256:") and "system.toml" in about["files"]
    assert load_mission(stored).system.to_toml() == own.system.to_toml()


def test_a_system_that_no_file_can_say_is_stored_by_name_and_read_again(mission: Mission, tmp_path: Path) -> None:
    own = replace(mission.with_system(skewed(mission.system)), figure_names=())
    own.run().save(tmp_path / "out")
    stored, about = tmp_path / "out" / "mission.resolved.toml", json.loads((tmp_path / "out" / "provenance.json").read_text())
    assert about["systems"][0]["given"].startswith("python:") and "system.toml" not in about["files"]
    with pytest.raises(InvalidMission, match="object itself"):
        load_mission(stored)
    assert load_mission(stored, own=own.own).system is own.system


def led(mission: Mission) -> CartesianImpedance:
    """A law that leads a frame, where nothing leads one."""
    return CartesianImpedance(mission.model, mission.phases[0].mode, K=1.0, D=1.0)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda mission: mission.with_controller("moov", Springy()), "move"),
        (lambda mission: mission.with_controller("move", 3.0), "phase.move.controller: expected a controller"),
        (lambda mission: mission.with_guidance("move", Springy()), "phase.move.guidance: expected a reference"),
        (lambda mission: mission.with_guidance("move", Hold([0.1])), "q of shape"),
        (lambda mission: mission.with_system("arm.toml"), "expected a System"),
        (
            lambda mission: mission.with_controller("move", led(mission)),
            "beside",
        ),
        (lambda mission: load_mission(mission.file, own={"phase.moov.controller": Springy()}), "did you mean 'phase.move"),
    ],
)
def test_what_cannot_stand_there_is_refused(wrong: Callable[[Mission], Any], words: str, mission: Mission) -> None:
    with pytest.raises((InvalidInput, UnknownName), match=words):
        wrong(mission)


@pytest.mark.slow
def test_a_law_of_python_is_dispersed_replayed_and_read_again(mission: Mission, tmp_path: Path) -> None:
    study = study_of(mission.with_controller("move", Springy()))
    result = study.run(tmp_path / "out", executor="serial")
    turned = result.table.metric("turned_deg")
    assert result.table.completed.all() and len(set(turned)) == 3
    run = study.mission(1).run()
    assert run.mission.own[MOVE].law == Springy()
    assert_allclose(abs(run.history.finely.tau).max(), result.table.metric("torque_Nm")[1], rtol=1e-3)
    told = CliRunner().invoke(application, ["replay", str(tmp_path / "out"), "--case", "1"])
    assert told.exit_code == 2 and "Springy sha256:" in told.output
    with pytest.raises(InvalidInput, match="object itself"):
        load_study(tmp_path / "out")
    told = CliRunner().invoke(
        application, ["replay", str(tmp_path / "out"), "--case", "1", "--own", f"{MOVE}={__name__}:SPRINGY"]
    )
    assert told.exit_code == 0 and told.output.count(repr(float(turned[1]))) == 2
    again = load_study(tmp_path / "out", own={MOVE: Springy()})
    assert again.replay(1).row.metrics["turned_deg"] == turned[1]
    assert again.recipe.key == study.recipe.key
    other = study_of(mission.with_controller("move", Springy(5.0)))
    assert other.recipe.key != study.recipe.key
    with pytest.raises(InvalidInput):
        other.run(tmp_path / "out", executor="serial")


@pytest.mark.slow
def test_workers_get_copies_of_what_was_given(mission: Mission, tmp_path: Path) -> None:
    study = study_of(mission).with_controller("move", Springy()).with_guidance("stay", Hold([0.2, -0.3]))
    here = study.run(tmp_path / "here", executor="serial").hash
    assert study.run(tmp_path / "there", workers=2).hash == here


@pytest.mark.slow
def test_what_cannot_be_pickled_is_refused_by_name(mission: Mission, tmp_path: Path) -> None:
    study = study_of(mission).with_controller("move", lambda t, state: -state.qdot)
    with pytest.raises(InvalidInput, match=r"phase.move.controller: expected an object that can be pickled.*<lambda>"):
        study.run(tmp_path / "out", executor="serial")
    assert study.mission(0).run().completed


@pytest.mark.slow
def test_a_recorded_law_of_ones_own_is_flown_together(mission: Mission) -> None:
    study = study_of(mission, repeats=9).with_controller("move", recorded(pulling, mission.model))
    assert study.recipe.together
    (row,) = study.evaluator.rows([study.case(4)])
    assert row.reason == ""
    ours, theirs = study.mission(4).run(), row.metrics["torque_Nm"]
    assert_allclose(abs(ours.history.finely.tau).max(), theirs, rtol=1e-3)


@pytest.mark.slow
def test_a_law_with_open_numbers_believes_what_it_was_made_with(mission: Mission) -> None:
    law = ComputedTorque(compile_model(mission.system, inertia=RunTimeInertia()), K_P=4.0, K_D=4.0)
    study = study_of(mission, repeats=9).with_controller("move", law)
    assert "believes" in study.recipe.alone
    assert study.mission(0).phases[0].controller is law


@pytest.mark.slow
def test_a_study_says_what_cannot_be_varied_any_more(mission: Mission) -> None:
    study = study_of(mission, repeats=1, dispersion={}, design={f"{MOVE}.K_P": levels(1.0, 2.0)})
    with pytest.raises(InvalidInput, match="object of Python stands in its place"):
        study.with_controller("move", Springy())
    with pytest.raises(InvalidInput, match="object of Python stands in its place"):
        study_of(mission).with_system(skewed(mission.system))


@pytest.mark.slow
def test_a_study_of_a_system_of_python_varies_it_and_goes_on_in_its_folder(mission: Mission, tmp_path: Path) -> None:
    study = study_of(mission).with_system(System.from_toml_text(SYSTEM, file="arm"))
    result = study.run(tmp_path / "out", executor="serial")
    assert load_study(tmp_path / "out").replay(1).row.metrics["turned_deg"] == result.table.metric("turned_deg")[1]


def test_settings_of_a_law_of_python_are_varied(mission: Mission) -> None:
    own = mission.with_controller("move", Sampled(Springy(), rate_Hz=50.0)).with_guidance("move", Slow())
    path = f"{MOVE}.own.law.stiffness"
    study = study_of(own, design={path: levels(4.0, 9.0)}, dispersion={}, repeats=1)
    case = study.replay(1).run
    by_hand = own.with_controller("move", Sampled(Springy(9.0), rate_Hz=50.0)).run()
    assert_allclose(case.history.q[-1], by_hand.history.q[-1], atol=1e-6)
    assert case.mission.own[MOVE].law.law == Springy()  # what is stored is the law that was given, and what it has otherwise
    assert "own" in str(case.mission.resolved["phase"][0]["controller"])
    with pytest.raises(InvalidInput, match=r"of which can be varied: .*own\.law\.stiffness"):
        study_of(own, design={f"{MOVE}.own.law.stifness": levels(4.0, 9.0)}, dispersion={}, repeats=1)
