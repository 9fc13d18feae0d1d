"""A stored run beside the same one flown again: whatever differs is found, in every channel, name and word."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy import stats

from scmanip import Floating, State, compile_model, simulate
from scmanip.campaign import Study
from scmanip.compiled import processor, releases
from scmanip.control import JointRegulator
from scmanip.guidance import Hold
from scmanip.mission import FlownAgain, ResultsFolder, Run, allowed, load_mission, made_by, netcdf
from scmanip.mission.phases._driven import in_words
from scmanip.mission.stored._flown_again import Contents
from scmanip.mission.stored._netcdf import GAPS
from scmanip.spatial import Array
from scmanip.study import dispersed
from scmanip.system import Body, System

from .files import MISSION, TREE, TREE_MISSION, written

HERE = {"versions": releases("h5py"), "processor": processor(), "model": "one"}


@pytest.fixture(scope="module")
def stored(flown: Run) -> bytes:
    return flown.netcdf()


@pytest.fixture(scope="module")
def read(stored: bytes) -> Contents:
    return Contents.read(stored)


def changed(data: bytes, change: Callable[[h5py.File], object]) -> bytes:
    made = io.BytesIO(data)
    with h5py.File(made, "r+") as file:
        change(file)
    return made.getvalue()


def with_value(run: Contents, name: str, value: float) -> Contents:
    """Return it with another last value in a channel."""
    values = run.values[name].copy()
    values.flat[-1] = value
    return replace(run, values={**run.values, name: values})


def numbers(run: Contents) -> list[str]:
    return [name for name, values in run.values.items() if values.dtype.kind == "f" and values.size]


@pytest.mark.slow
def test_the_same_run_is_equal_to_the_last_bit(flown: Run, stored: bytes) -> None:
    found = FlownAgain.of(stored, load_mission(flown.mission.file).run().netcdf(), 0.0)
    assert (found.wrong, found.away, str(found)) == ((), 0.0, "equal to the last bit")


@pytest.mark.slow
def test_every_channel_has_to_be_equal_to_the_last_bit(read: Contents) -> None:
    assert len(numbers(read)) > 30
    for name in numbers(read):
        one = with_value(read, name, np.nextafter(read.values[name].flat[-1], np.inf))
        (why,) = FlownAgain.between(one, read, 0.0).wrong
        assert why.startswith(f"{name} differs by "), why


def test_the_sign_of_zero_is_a_bit_too(read: Contents) -> None:
    one, other = with_value(read, "work", 0.0), with_value(read, "work", -0.0)
    assert FlownAgain.between(one, one, 0.0).wrong == ()
    assert FlownAgain.between(one, other, 0.0).wrong
    assert not FlownAgain.between(one, other, 1e-9).wrong


@pytest.mark.battery(1)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("bound", [0.0, 1e-3])
def test_what_is_no_number_is_equal_to_nothing(read: Contents, value: float, bound: float) -> None:
    for name in numbers(read):
        one = with_value(read, name, value)
        for pair in ((one, read), (read, one), (one, one)):
            found = FlownAgain.between(*pair, bound)
            assert found.wrong == (f"{name} has values that are no finite numbers",)
            assert found.away == np.inf


def test_what_neither_run_has_at_a_time_is_equal(read: Contents) -> None:
    gaps = replace(read, about={**read.about, "work": {**read.about["work"], GAPS: "NaN"}})
    one = with_value(gaps, "work", np.nan)
    assert FlownAgain.between(one, one, 0.0).wrong == ()
    for pair in ((one, gaps), (gaps, one), (with_value(gaps, "work", np.inf),) * 2):
        assert FlownAgain.between(*pair, 1e-3).wrong == ("work has values that are no finite numbers",)


def test_names_units_and_words_have_to_be_the_same(stored: bytes, read: Contents) -> None:
    def change(file: h5py.File) -> None:
        file.move("q", "Q")
        file["work"].attrs.modify("units", "kJ")
        file["r_0"].attrs.modify("long_name", "tip")
        file["phase"][0] = 1
        file["coordinate"][0] = "wrist"
        file.attrs.modify("outcome", "event")
        file.attrs.modify("broken_laws", "energy")
        del file.attrs["title"]
        file.attrs["more"] = "x"
        file.create_group("further")

    one = Contents.read(changed(stored, change))
    for bound in (0.0, 1e-3):
        assert sorted(FlownAgain.between(one, read, bound).wrong) == [
            "Q is in one of them alone",
            "beside its series is 'further', flown again ''",
            "broken_laws is 'energy', flown again ''",
            "coordinate differs",
            "more is 'x', flown again None",
            "outcome is 'event', flown again 'completed'",
            "phase differs",
            "q is in one of them alone",
            "r_0 has another shape, kind, unit or meaning",
            "title is None, flown again 'Two joints, a few seconds'",
            "work has another shape, kind, unit or meaning",
        ]


@pytest.mark.parametrize("change", [lambda q: q[:-1], lambda q: q.astype(np.float32), lambda q: q.T, lambda q: q[:, 0]])
def test_a_channel_of_another_shape_or_kind_is_another(read: Contents, change: Callable[[Array], Array]) -> None:
    one = replace(read, values={**read.values, "q": change(read.values["q"])})
    assert FlownAgain.between(one, read, 1e-3).wrong == ("q has another shape, kind, unit or meaning",)


def test_with_other_releases_roundings_may_differ_and_nothing_else(flown: Run, read: Contents) -> None:
    speeds = float(np.abs(np.concatenate([flown.history.qdot.ravel(), flown.history.omega_0.ravel()])).max())
    last = float(flown.history.omega_0[-1, -1])
    nearly = with_value(read, "omega_0", last + 0.9e-9 * speeds)
    steps = {"integrator_steps": read.attributes["integrator_steps"] + 1, "events": "t = 1.00001 s: something"}
    nearly = replace(nearly, attributes={**nearly.attributes, **steps})
    found = FlownAgain.between(nearly, read, 1e-9)
    assert found.wrong == ()
    assert found.away == pytest.approx(0.9e-9, rel=1e-5)
    assert str(found) == "apart by at most 9.0e-10 of the largest value of its unit, of 1e-09 allowed"
    wrong = FlownAgain.between(nearly, read, 0.0).wrong
    assert {why.split()[0] for why in wrong} == {"integrator_steps", "events", "omega_0"}
    assert FlownAgain.between(with_value(read, "omega_0", last + 1.1e-9 * speeds), read, 1e-9).wrong


def test_nothing_is_allowed_where_releases_processor_and_model_are_those_of_the_run() -> None:
    others = [
        {**HERE, "processor": "another"},
        {**HERE, "model": "another"},
        {**HERE, "versions": {**HERE["versions"], "numpy": "1.0"}},
        {**HERE, "versions": {}},
        {"processor": HERE["processor"]},
        {},
    ]
    assert allowed(HERE, HERE, 1e-6) == 0.0
    assert allowed({**HERE, "versions": {**HERE["versions"], "h5py": "1.0"}}, HERE, 1e-6) == 0.0
    for made in others:
        assert allowed(made, HERE, 1e-9) == pytest.approx(1e-5)
        assert allowed(made, HERE, 1e-15) == 1e-9
        assert allowed(made, HERE, 1e-2) == 1e-3


def test_a_file_that_cannot_be_read_is_different(stored: bytes) -> None:
    for data in (b"", b"no HDF5", stored[:-1], stored[: len(stored) // 2], stored[:2000]):
        found = FlownAgain.of(data, stored, 1e-3)
        assert found.wrong and found.away == np.inf


@pytest.mark.slow
@pytest.mark.parametrize("name", ["at rest", "tree"])
def test_no_run_has_channels_or_attributes_that_are_not_equal_to_themselves(name: str, tmp_path: Path) -> None:
    short = MISSION.replace("rtol = 1e-10", "rtol = 1e-7")
    still = short[: short.index("guidance")] + 'guidance = { type = "hold" }\nuntil = { t_s = 0.3 }\n'
    texts = {"at rest": (still + "[integration]\nrtol = 1e-7\n",), "tree": (TREE_MISSION, TREE)}
    data = load_mission(written(tmp_path, *texts[name])).run().netcdf()
    assert FlownAgain.of(data, data, 0.0).wrong == ()


@pytest.mark.slow
def test_a_mission_that_says_another_title_is_not_the_same_run(flown: Run, stored: bytes) -> None:
    other = replace(flown, mission=replace(flown.mission, title="Another"))
    assert FlownAgain.of(stored, other.netcdf(), 0.0).wrong == ("title is 'Two joints, a few seconds', flown again 'Another'",)


@pytest.mark.slow
def test_the_replay_of_a_case_is_stored_with_what_its_controllers_believe_in(tmp_path: Path) -> None:
    """Chance has the masses, and the law believes in those that were expected: flown again it is the same case."""
    heavier = {"system.body.*.mass_kg": dispersed(stats.norm(1.0, 0.2), how="scale")}
    path = written(
        tmp_path, MISSION.replace("rtol = 1e-10", "rtol = 1e-7").replace("feedforward = true", "feedforward = false")
    )
    study = Study(path, seed=3, dispersion=heavier, metrics={"turn_rad": "max(base_rotation_rad)"}, output_step_s=0.1)
    run = study.evaluator.run(study.case(0))
    run.save(tmp_path / "out")
    assert (tmp_path / "out" / "estimate.0.toml").read_text(encoding="utf-8") != (tmp_path / "out" / "system.toml").read_text()
    again = load_mission(tmp_path / "out" / "mission.resolved.toml")
    believed = again.phases[0].controller.believed
    assert believed is not None
    assert [body.mass_kg for body in believed.system.bodies] == [body.mass_kg for body in load_mission(path).system.bodies]
    made = ResultsFolder(tmp_path / "out").provenance().about
    bound = allowed(made, made_by(again, None), 1e-7)
    assert bound == 1e-3  # another kind of model, whose roundings are others
    found = FlownAgain.of(run.netcdf(), again.run().netcdf(), bound)
    assert found.wrong == ()
    assert found.away < 1e-6


def test_a_run_without_joints_is_equal_to_itself() -> None:
    model = compile_model(System("one", Body("base", 100.0, [10.0, 12.0, 14.0]), []))
    law, start = JointRegulator(model, K_P=1.0, K_D=1.0), State.at_rest(model.system, [])
    one = simulate(model, Floating(), law, start, reference=Hold([]), t_end_s=0.1)
    data = netcdf(one, np.zeros(len(one.t), dtype=np.intp), {})
    assert str(FlownAgain.of(data, data, 0.0)) == "equal to the last bit"
    assert in_words(law.K_P) == "[]"
