"""Every kind of constraint that there is, imposed in the middle of a mission: it holds, laws are kept, and all is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scmanip.command._run_report import page_of
from scmanip.dynamics import Sight, Stack
from scmanip.mission import Run, load_mission
from scmanip.simulation import forces_are_recorded
from scmanip.system import CONSTRAINT_KINDS, System, toml_text
from tests.constraints.held_systems import required

from .files import SYSTEM, written

PARTS = """
[[body]]
name = "client"
parent = "ground"
mass_kg = 9.0
inertia_kg_m2 = [1.0, 2.0, 1.5]
joint = { name = "client", type = "free" }
[[frame]]
name = "port0"
body = "client"
origin_m = [0.1, 0.3, 0.0]
[[frame]]
name = "port1"
body = "lower"
origin_m = [0.8, 0.0, 0.0]
"""
MISSION = """schema = "scmanip.mission/1"
name = "hold"
system = "arm.toml"
initial = { q_rad = { shoulder = 0.2, elbow = -0.3 }, q_m = { client = [2, 0.5, 0.1] }, qdot_m_s = { client = [-0.1, 0, 0] } }
integration = { rtol = 1e-8, output_step_s = 0.1 }
switch = [{ t_s = 0.3, impose = "held" }, { t_s = 0.8, release = "held" }]
phase = [{ name = "hold", mode = "floating", guidance = { type = "hold", q_rad = { shoulder = 0.4, elbow = 0.1 } }, \
  until = { t_s = 1.0 }, controller = { type = "joint_regulator", K_P = 4.0, K_D = 4.0 } }]
"""
MORE = {
    "knife_edge": {"frame": "port0"},
    "loop": {"joint": "spherical"},
    "lock": {"joint": "elbow"},
    "coupling": {"joint": "elbow", "of": "shoulder"},
    "speed": {"value": 0.01},
}
FAST = ("weld",)


def flown(folder: Path, kind: str) -> Run:
    """Return a run in which a constraint of a kind, said by its required keys, comes and goes."""
    rng = np.random.default_rng(sum(map(ord, kind)))
    pair = System.from_toml_text(SYSTEM + PARTS)
    far = {key: 9.0 for key in CONSTRAINT_KINDS[kind].file_keys() if key.startswith("tolerance")}
    table = {"name": "held", "type": kind, **required(rng, pair, kind), **far, **MORE.get(kind, {})}
    table |= {"frames": ["port0", "port1"]} if "frames" in table else {}
    return load_mission(written(folder, MISSION, SYSTEM + PARTS + toml_text({"constraint": [table]}))).run()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [pytest.param(k, marks=[] if k in FAST else pytest.mark.slow) for k in CONSTRAINT_KINDS])
def test_a_kind_holds_while_it_is_imposed_and_is_told_of(kind: str, tmp_path: Path) -> None:
    run = flown(tmp_path, kind)
    history, model, (part,) = run.history, run.mission.model, run.flown
    imposed, _ = history.switches
    plant = run.mission.plant(part.phase, 0.0)
    held = plant.under(("held",), imposed.before, 0.3).plant
    assert forces_are_recorded(held, part.phase.controller, part.phase.reference)
    stack = Stack.of(model.system, ["held"])
    kept = stack.found(Sight(model.system, model.equations(imposed.after)), 0.3)
    for k in np.flatnonzero(history.active[:, 0]):
        rows = stack.rows(Sight(model.system, model.equations(history.states[int(k)])), kept, history.t[k])
        assert abs(rows.A @ history.states.u[k] + rows.speed).max() < 1e-9
        assert rows.position is None or abs(rows.position).max() < 1e-9
    assert run.completed and not run.broken_laws, run.summary()
    tables = {table.name: table for table in page_of(run, {}).tables}
    assert tables["constraints"].rows[0][:2] == ("held", kind)
    assert [row[1] for row in tables["switches"].rows] == ["imposed 'held'", "released 'held'"]
    assert run.plot(["constraint_forces"])["constraint_forces"].axes[0].get_legend() is not None
