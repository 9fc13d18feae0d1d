"""`[[load]]` tables: several at once, of this package and of another, varied by studies."""

from __future__ import annotations

import io
from pathlib import Path

import h5netcdf
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from scmanip.campaign import Study
from scmanip.errors import InvalidMission
from scmanip.loads import Gravity
from scmanip.mission import load_mission
from scmanip.study import dispersed
from tests.house.packages import installed

from .files import MISSION, UNDRAWN, written

GRAVITY = '[[load]]\ntype = "gravity"\norbit = { type = "circular", altitude_km = 300.0 }\n'
DRAG = '[[load]]\ntype = "drag"\nname = "air"\nbody = "lower"\narea_m2 = 3.0\nrho_kg_m3 = 4e-8\n'
CODE = """
from typing import Literal
from scmanip.mission import LoadTable, Name, Positive
from tests.house.test_a_load_with_velocities import PlateDrag

class DragTable(LoadTable):
    type: Literal["drag"]
    body: Name
    area_m2: Positive
    rho_kg_m3: Positive
    def load(self, resolved, system):
        return PlateDrag(self.body, self.area_m2, self.rho_kg_m3)
"""


def mission(folder: Path, *loads: str) -> Path:
    return written(folder, MISSION.replace("[integration]", f"{''.join(loads)}\n[integration]") + UNDRAWN)


@pytest.fixture
def drag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, monkeypatch, "house_drag", "[scmanip.loads]\ndrag = house_drag:DragTable\n", CODE)


@pytest.mark.slow
def test_gravity_among_loads_is_that_of_an_environment(tmp_path: Path) -> None:
    environment = GRAVITY.replace('[[load]]\ntype = "gravity"', "[environment]")
    runs = [load_mission(mission(tmp_path, each)).run() for each in (GRAVITY, environment)]
    assert_allclose(runs[0].history.states.x, runs[1].history.states.x, atol=0)
    runs[0].save(tmp_path / "out")
    assert load_mission(tmp_path / "out" / "mission.resolved.toml").loads == load_mission(mission(tmp_path, GRAVITY)).loads


@pytest.mark.slow
@pytest.mark.usefixtures("drag")
def test_loads_add_up_and_their_numbers_are_varied(tmp_path: Path) -> None:
    path = mission(tmp_path, GRAVITY, DRAG)
    both = load_mission(path)
    assert isinstance(both.loads[0], Gravity) and both.resolved["load"][1]["rho_kg_m3"] == 4e-8
    pushed = both.run().history.external
    alone = load_mission(mission(tmp_path, GRAVITY)).run().history.external
    assert pushed is not None and alone is not None
    assert abs(pushed.impulse[-1] - alone.impulse[-1]).max() > 1e-2
    chance = {
        "load.air.rho_kg_m3": dispersed(stats.uniform(4e-8, 1e-8)),
        "load.gravity.orbit.altitude_km": dispersed(stats.uniform(290, 20)),
    }
    study = Study(mission(tmp_path, GRAVITY, DRAG), seed=3, repeats=4, dispersion=chance, metrics={"w_J": "final(work_J)"})
    row = study.recipe.evaluator().rows([study.case(1)])[0]
    flown = study.mission(1)
    assert flown.resolved["load"][0]["orbit"]["altitude_m"] == pytest.approx(
        1e3 * float(study.case(1).values["load.gravity.orbit.altitude_km"]),  # type: ignore[arg-type]
    )
    assert row.metrics["w_J"] == pytest.approx(flown.run().history.work[-1], rel=1e-3)


@pytest.mark.parametrize(
    ("loads", "words"),
    {
        "no type": (GRAVITY.replace('type = "gravity"\n', ""), "type"),
        "unknown type": (GRAVITY.replace('"gravity"', '"gravty"'), "'gravity'"),
        "twice": (GRAVITY + GRAVITY, "a name used once among loads"),
        "two orbits": (GRAVITY + GRAVITY.replace("300", "400").replace("]]", ']]\nname = "other"', 1), "orbit"),
        "no orbit": (GRAVITY.replace("300.0", "-9e9"), "altitude_km|orbit"),
        "no list": (GRAVITY.replace("[[load]]", "[load]"), "two brackets"),
    }.values(),
)
def test_loads_that_are_none_are_refused(loads: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission, match=words):
        load_mission(mission(tmp_path, loads))


LAG = '[[load]]\ntype = "lag"\nbody = "base"\nsize_N = 3.0\nlag_s = 2.0\n'
LAG_CODE = """
from typing import Literal
from scmanip.mission import LoadTable, Name, Positive
from tests.loads.test_states_of_loads import Lag

class LagTable(LoadTable):
    type: Literal["lag"]
    body: Name
    size_N: Positive
    lag_s: Positive
    def load(self, resolved, system):
        return Lag(self.body, self.size_N, self.lag_s)
"""


@pytest.mark.slow
def test_states_of_loads_outlast_phases_and_are_those_of_studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, monkeypatch, "house_lag", "[scmanip.loads]\nlag = house_lag:LagTable\n", LAG_CODE)
    begin = MISSION.index("[[phase]]")
    phase, rest = MISSION[begin : MISSION.index("[integration]")], MISSION[MISSION.index("[integration]") :]
    wheels = phase.replace('"move"', '"turn"').replace('"floating"', '"rotation_floating"')
    phases = phase, wheels.replace('"computed_torque"', '"coordinated"')
    path = written(tmp_path, f"{MISSION[:begin]}{''.join(phases)}{LAG}{rest}")
    run = load_mission(path).run()
    t, states = run.history.t, run.history.load_states
    assert run.completed and len(run.flown) == 2 and states.shape[1] == 2
    assert_allclose(states[:, 0], 3.0 * (1 - np.exp(-t / 2.0)), rtol=1e-6, atol=1e-9)
    with h5netcdf.File(io.BytesIO(run.netcdf()), "r") as file:
        assert_allclose(file["load_states"][:], states, atol=0)
        assert file["load_states"].dimensions == ("time", "load_state")
    twice = written(tmp_path, f"{MISSION[:begin]}{phase}{phase.replace('move', 'again')}{LAG}{rest}")
    for path, distribution in (
        ("load.lag.lag_s", stats.uniform(1.0, 1.0)),
        ("system.body.base.mass_kg", stats.uniform(40.0, 20.0)),
    ):
        chance, metrics = {path: dispersed(distribution)}, {"speed_m_s": "final(norm(base_velocity_m_s))"}
        study = Study(twice, seed=3, repeats=8, dispersion=chance, metrics=metrics)
        row = study.recipe.evaluator().rows([study.case(k) for k in range(8)])[1]
        flown = study.mission(1).run().history
        assert row.metrics["speed_m_s"] == pytest.approx(np.linalg.norm(flown.v_0[-1]), rel=1e-6)
