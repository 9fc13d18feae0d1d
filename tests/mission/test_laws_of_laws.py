"""A `controller` that is a list: tables around the laws after them, in missions and in studies."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from scmanip.campaign import Study
from scmanip.control import (
    ComputedTorque,
    Delayed,
    JointRegulator,
    ResolvedRate,
    Sampled,
    Saturated,
    Sum,
    TaskPriority,
    WithFeedforward,
)
from scmanip.errors import InvalidMission
from scmanip.mission import load_mission
from scmanip.report import equations_used
from scmanip.study import dispersed

from .files import MISSION, UNDRAWN, written

OWN = next(line for line in MISSION.splitlines() if line.startswith("controller"))
INNER = OWN.removeprefix("controller = ")
SPRING = '{ type = "joint_regulator", K_P = 3.0, K_D = 2.0 }'
REACH = """guidance = { type = "reach", frame = "lower", displacement_m = [0.05, 0.0, 0.0], duration_s = 2.0 }"""
LEADS = '{ type = "resolved_rate", K = 0.5 }'
TASKS = '{ type = "task_priority", rest_K_D = 2.0 }, { type = "quiet_base", axes = ["rz"] }'
GAINS = '{ "tau[shoulder]" = { shoulder = 3.0, "shoulder[rate]" = 2.0 }, "tau[elbow]" = { elbow = 2.0 } }'
FILTER = '{ type = "filtered", bandwidth_rad_s = 30.0, damping = 0.7 }'
INTEGRAL = '{ type = "integral", K_I = 0.5 }'
LAWS = {
    "feedback": (f'{{ type = "sum" }}, {{ type = "state_feedback", gain = {GAINS} }}, {INNER}', Sum),
    "cut": (f'{{ type = "saturated", limit = {{ shoulder = 0.5, elbow = 2.0 }} }}, {INNER}', Saturated),
    "late": (f'{{ type = "delayed", delay_s = 0.1, rate_Hz = 20.0 }}, {INNER}', Sampled),
    "two tasks": (f'{{ type = "sum" }}, {{ type = "saturated", limit = 1.0 }}, {INNER}, {SPRING}', Sum),
    "from look to look": (f'{{ type = "rate_limited", limit = 5.0, rate_Hz = 20.0 }}, {FILTER}, {INTEGRAL}, {INNER}', Sampled),
    "flowing": (f'{{ type = "saturated", limit = 0.8 }}, {FILTER}, {INTEGRAL}, {INNER}', Saturated),
    "compensated": (
        f'{{ type = "sum" }}, {{ type = "output_feedback", sees = ["shoulder"], commands = ["tau[shoulder]"], '
        f"A = [[-5.0]], B = [[1.0]], C = [[-2.0]], D = [[-0.3]] }}, {INNER}",
        Sum,
    ),
    "tasks": (f'{TASKS}, {{ type = "posture", K_P = 3.0 }}', TaskPriority),
}


def mission(folder: Path, laws: str, guidance: str = "") -> Path:
    text = MISSION.replace(OWN, f"controller = [{laws}]")
    own = next(line for line in MISSION.splitlines() if line.startswith("guidance"))
    return written(folder, text.replace(own, guidance or own) + UNDRAWN)


def test_gains_of_names_that_are_none_are_refused_by_the_names_that_there_are(tmp_path: Path) -> None:
    for wrong, said in (
        (GAINS.replace("elbow =", "elbo ="), "found 'elbo'; did you mean 'elbow'"),
        (GAINS.replace("tau[elbow]", "elbow"), "expected one of tau[shoulder], tau[elbow], found 'elbow'"),
        (GAINS.replace("= 2.0", "= true"), "a table of commands, each a table of states = number"),
    ):
        with pytest.raises(InvalidMission, match=re.escape(said)):
            load_mission(mission(tmp_path, f'{{ type = "state_feedback", gain = {wrong} }}'))


def test_matrices_of_other_sizes_are_refused_by_name(tmp_path: Path) -> None:
    seen = 'sees = ["shoulder"], commands = ["tau[shoulder]"]'
    for wrong, said in (
        (f"{seen}, A = [[-1.0]], B = [[1.0]], C = [[4.0]], D = [[1.0, 2.0]]", "1 rows of 1 numbers"),
        (f"{seen}, A = [[-1.0]], B = [[1.0], [2.0]]", "1 rows of 1 numbers"),
        (f"{seen}, D = [[1.0], [2.0, 3.0]]", "rows of as many numbers each"),
        (f"{seen}, D = [[-4.0]], per_sample = true", "samples per second"),
        ('sees = ["shouler"], commands = ["tau[shoulder]"], D = [[-4.0]]', "did you mean 'shoulder'"),
    ):
        with pytest.raises(InvalidMission, match=re.escape(said)):
            load_mission(mission(tmp_path, f'{{ type = "output_feedback", {wrong} }}'))


@pytest.mark.slow
@pytest.mark.parametrize(("laws", "kind"), LAWS.values(), ids=LAWS)
def test_a_list_of_tables_is_one_law_and_flies_again_as_it_is_stored(laws: str, kind: type, tmp_path: Path) -> None:
    read = load_mission(mission(tmp_path, laws))
    law = read.phases[0].controller
    assert isinstance(law, kind)
    run = read.run()
    assert run.completed
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / "mission.resolved.toml").run()
    assert_allclose(again.history.final.x, run.history.final.x, atol=1e-12)
    law_of_both = Sum(Saturated(WithFeedforward(ComputedTorque(read.model, K_P=4.0, K_D=4.0)), 1.0),
                      JointRegulator(read.model, K_P=3.0, K_D=2.0))  # fmt: skip
    if laws == LAWS["two tasks"][0]:
        assert law.kind == law_of_both.kind
    if kind is TaskPriority:
        return
    names = [words for _, words, _ in equations_used(fixed=False, laws=law.equations)]
    assert {"input of a law by its errors", "the desired acceleration, added to the input"} <= {*names}


def test_a_law_that_leads_a_frame_may_be_cut_and_late(tmp_path: Path) -> None:
    laws = f'{{ type = "saturated", limit = 5.0 }}, {{ type = "delayed", delay_s = 0.05 }}, {LEADS[:-2]}, rate_Hz = 20.0 }}'
    law = load_mission(mission(tmp_path, laws, REACH)).phases[0].controller
    assert isinstance(law, Sampled) and isinstance(law.law, Saturated)
    assert isinstance(law.law.law, Delayed) and isinstance(law.law.law.law, ResolvedRate)


@pytest.mark.parametrize(
    ("laws", "words"),
    {
        "no law": ('{ type = "saturated", limit = 1.0 }', "the table of another law after this one"),
        "two laws": (f"{INNER}, {SPRING}", "one law, found 'joint_regulator' after it"),
        "late estimate": (f'{{ type = "sum" }}, {SPRING[:-2]}, estimate = "arm.toml" }}', "estimate in the first table"),
        "unknown key": (f'{{ type = "saturated", limt = 1.0, limit = 1.0 }}, {INNER}', "the unknown key 'limt'"),
        "always limited": (f'{{ type = "rate_limited", limit = 1.0 }}, {INNER}', "rate_Hz"),
        "integral of a frame": (f"{INTEGRAL}, {LEADS}", "follows joints"),
        "no limit": (f'{{ type = "saturated", limit = 0.0 }}, {INNER}', "one finite number > 0"),
        "limit of no joint": (f'{{ type = "saturated", limit = {{ knee = 1.0 }} }}, {INNER}', "knee"),
        "no table": (f"5, {INNER}", "a table"),
        "nothing": ("", 'a table such as { type = "computed_torque" }'),
        "unlike rates": (f'{{ type = "sum" }}, {SPRING[:-2]}, rate_Hz = 2.0 }}, {INNER}', "laws that look at the same times"),
        "leads joints": (f'{{ type = "saturated", limit = 1.0 }}, {LEADS}', "beside the controller 'resolved_rate'"),
    }.values(),
)
def test_what_is_no_law_is_refused_by_its_place(laws: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission) as refused:
        load_mission(mission(tmp_path, laws))
    assert words in str(refused.value) and "short.toml:12" in str(refused.value).replace("short.toml:13", "short.toml:12")


METRICS = {"w_J": "final(work_J)", "most_Nm": "max(abs(joint_torque_Nm[0]))"}
STUDIES: dict[str, tuple[str, dict[str, tuple[float, float]], str]] = {
    "feedback": (LAWS["feedback"][0], {"controller.state_feedback.factor": (0.5, 1)}, ""),
    "cut": (
        LAWS["cut"][0].replace("{ shoulder = 0.5, elbow = 2.0 }", "0.8"),
        {"controller.saturated.limit": (0.5, 1.5), "controller.computed_torque.K_P": (3, 2)},
        "",
    ),
    "late": (LAWS["late"][0], {"controller.delayed.delay_s": (0.1, 0.1), "controller.computed_torque.K_P": (3, 2)}, ""),
    "from look to look": (
        LAWS["from look to look"][0],
        {"controller.rate_limited.limit": (3, 4), "controller.filtered.bandwidth_rad_s": (20, 20)},
        "",
    ),
    "flowing": (
        LAWS["flowing"][0],
        {
            "controller.saturated.limit": (0.5, 1),
            "controller.integral.K_I": (0.3, 0.4),
            "controller.filtered.damping": (0.5, 1),
        },
        "",
    ),
    "compensated": (LAWS["compensated"][0], {"controller.output_feedback.factor": (0.5, 1)}, ""),
    "two tasks": (LAWS["two tasks"][0], {"controller.joint_regulator.K_P": (2, 2)}, ""),
    "tasks": (LAWS["tasks"][0], {"controller.posture.K_P": (2, 2), "controller.quiet_base.K_D": (1, 1)}, ""),
    "led": (
        f'{TASKS}, {{ type = "task_computed_torque", axes = ["x"] }}',
        {"controller.task_computed_torque.K_P": (1, 1), "controller.quiet_base.K_D": (1, 1)},
        REACH,
    ),
    "equally late": (LAWS["late"][0], {"controller.computed_torque.K_P": (3, 2)}, ""),
    "compensated by samples": (
        LAWS["compensated"][0].replace('"sum"', '"sum", rate_Hz = 20.0'),
        {"controller.output_feedback.factor": (0.5, 1)},
        "",
    ),
    "sampled": (f"{INNER[:-2]}, rate_Hz = 20.0 }}", {"estimate.body.upper.mass_kg": (4, 2)}, ""),
    "leading": (LEADS, {"estimate.body.upper.mass_kg": (4, 2), "controller.resolved_rate.K": (0.3, 0.4)}, REACH),
}


@pytest.mark.battery(1)
@pytest.mark.parametrize(("laws", "chances", "guidance"), STUDIES.values(), ids=STUDIES)
def test_studies_vary_numbers_of_each_of_them_and_of_what_they_believe(
    laws: str, chances: dict[str, tuple[float, float]], guidance: str, tmp_path: Path
) -> None:
    paths = {path if path.startswith("estimate") else f"phase.move.{path}": chance for path, chance in chances.items()}
    chance = {path: dispersed(stats.uniform(*pair)) for path, pair in paths.items()}
    study = Study(mission(tmp_path, laws, guidance), seed=1, repeats=8, dispersion=chance, metrics=METRICS)
    assert bool(study.recipe.alone) == ("controller.delayed.delay_s" in chances)  # else one program for all
    evaluator, cases = study.recipe.evaluator(), [study.case(k) for k in range(3)]
    rows = evaluator.rows(cases)
    for case, row in zip(cases, rows, strict=True):
        history = evaluator.run(case).history
        assert row.metrics["w_J"] == pytest.approx(history.work[-1], rel=1e-3, abs=1e-6)
        assert row.metrics["most_Nm"] == pytest.approx(abs(history.finely.tau[:, 0]).max(), rel=1e-3)
    assert np.ptp([row.metrics["w_J"] for row in rows]) > 0


@pytest.mark.battery(1)
def test_cases_whose_laws_remember_fly_together_through_phases_that_remember_unlike(tmp_path: Path) -> None:
    """What a law remembers as part of the state begins anew in every phase, by as many numbers as that law has."""
    path = mission(tmp_path, f"{FILTER}, {INTEGRAL}, {INNER}")
    text, own = path.read_text(encoding="utf-8"), f"[{FILTER}, {INTEGRAL}, {INNER}]"
    first = text[text.index("[[phase]]") : text.index("[integration]")]
    for name, law in (("on", OWN.removeprefix("controller = ")), ("rest", f"[{INTEGRAL}, {SPRING}]")):
        own_phase = first.replace('"move"', f'"{name}"').replace(own, law)
        text = text.replace("[integration]", own_phase + "[integration]")
    path.write_text(text, encoding="utf-8")
    chance = {
        "system.body.lower.mass_kg": dispersed(stats.uniform(8, 4)),
        "phase.rest.controller.integral.K_I": dispersed(stats.uniform(0.3, 0.4)),
    }
    study = Study(path, seed=1, repeats=8, dispersion=chance, metrics=METRICS)
    assert not study.recipe.alone
    evaluator, cases = study.recipe.evaluator(), [study.case(k) for k in range(3)]
    for case, row in zip(cases, evaluator.rows(cases), strict=True):
        history = evaluator.run(case).history
        assert row.metrics["w_J"] == pytest.approx(history.work[-1], rel=1e-3, abs=1e-6)
        assert row.metrics["most_Nm"] == pytest.approx(abs(history.finely.tau[:, 0]).max(), rel=1e-3)
