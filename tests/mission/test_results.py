"""The results folder: complete, readable by others, loadable again, and never somebody else's files."""

from __future__ import annotations

import json
import os
import re
import socket
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import h5netcdf
import h5py
import llvmlite.binding as llvm
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import scmanip
from scmanip.compiled import processor
from scmanip.errors import InvalidInput
from scmanip.mission import Run, load_mission
from scmanip.mission.stored._netcdf import netcdf

from ..simulation import ledgers
from .files import MISSION, SLIDER, SYSTEM, written

VECTORS = ("r_0", "v_0", "omega_0", "P", "L_C", "L_0", "P_base", "L_base", "P_arm", "L_arm", "r_C")
UNITS = {"q": "rad", "qdot": "rad/s", "tau": "N m", "r_0": "m", "omega_0": "rad/s", "P": "N s", "L_C": "N m s", "work": "J"}


@pytest.fixture(scope="module")
def folder(flown: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a results folder."""
    path = tmp_path_factory.mktemp("results") / "short"
    flown.save(path, command="scmanip run short.toml -o results/short")
    return path


def with_figures(run: Run, *names: str) -> Run:
    return replace(run, mission=replace(run.mission, figure_names=names))


@pytest.mark.slow
def test_the_history_comes_back_from_netcdf_as_it_was(flown: Run, folder: Path) -> None:
    history = flown.history
    with h5netcdf.File(folder / "run.nc", "r", decode_vlen_strings=True) as file:
        names = ("t", "q", "qdot", "tau", "attitude_xyzw", "wrench", "kinetic_energy", "stored_energy", "work", "dissipated")
        for name in (*names, *VECTORS):
            assert_array_equal(file[name][...], getattr(history, name))
        assert_array_equal(file["time"][...], history.t)
        assert list(file["coordinate"][...]) == list(file["freedom"][...]) == ["shoulder", "elbow"]


def test_series_lie_in_the_file_as_h5netcdf_puts_them(flown: Run, tmp_path: Path) -> None:
    """Others read the numbers of dimensions, which it hides."""
    history = flown.history
    (tmp_path / "ours.nc").write_bytes(netcdf(history, np.zeros(len(history.t), dtype=int), {}))
    with h5netcdf.File(tmp_path / "its.nc", "w") as file:
        file.dimensions = {"time": len(history.t), "freedom": history.system.layout.N}
        made = file.create_variable("qdot", ("time", "freedom"), data=history.qdot, compression="gzip", shuffle=True)
        made.attrs.update({"units": "rad/s", "long_name": history.channels["qdot"].meaning})
    with h5py.File(tmp_path / "ours.nc", "r") as ours, h5py.File(tmp_path / "its.nc", "r") as its:
        one, other = ours["qdot"], its["qdot"]
        assert [*one.attrs] == [*other.attrs]
        numbers = [ours[name].attrs["_Netcdf4Dimid"] for name in ("time", "freedom")]
        assert one.attrs["_Netcdf4Coordinates"].tolist() == numbers
        assert one.attrs["_Netcdf4Dimid"] == numbers[0]
        for name in ("_Netcdf4Coordinates", "_Netcdf4Dimid"):
            assert one.attrs[name].dtype == other.attrs[name].dtype
        assert [dim[0].name for dim in one.dims] == [dim[0].name for dim in other.dims] == ["/time", "/freedom"]
        assert (one.chunks, one.compression_opts, one.shuffle) == (other.chunks, other.compression_opts, other.shuffle)
        assert_array_equal(one[...], other[...])


@pytest.mark.slow
def test_every_series_says_its_unit_and_dimensions(folder: Path) -> None:
    with h5netcdf.File(folder / "run.nc", "r", decode_vlen_strings=True) as file:
        assert file["q"].dimensions == ("time", "coordinate")
        for name in ("qdot", "tau"):
            assert file[name].dimensions == ("time", "freedom")
        for name in VECTORS:
            assert file[name].dimensions == ("time", "xyz")
        assert file["attitude_xyzw"].dimensions == ("time", "xyzw")
        assert list(file["xyzw"][...]) == ["x", "y", "z", "w"]
        assert {name: file[name].attrs["units"] for name in UNITS} == UNITS
        texts = {"body", "interface", "xyz", "xyzw", "wrench_part", "coordinate", "coordinate_unit", "freedom", "freedom_unit"}
        assert not [name for name in file.variables if name not in texts and not file[name].attrs.get("units")]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["thrusters", "wheels", "held"])
def test_every_series_of_a_history_is_stored_whatever_the_hardware(name: str, tmp_path: Path) -> None:
    hardware, mode = ledgers.CASES[name]
    history = ledgers.flown(ledgers.plant(**hardware), mode, t_end_s=0.3, output_step_s=0.1, rtol=1e-9)
    (tmp_path / "run.nc").write_bytes(netcdf(history, np.zeros(len(history.t), dtype=np.intp), {}))
    arrays = {name: getattr(history, name) for name in history.channels}
    arrays = {key: array for key, array in arrays.items() if array.size}
    assert len(arrays) > 30
    with h5netcdf.File(tmp_path / "run.nc", "r", decode_vlen_strings=True) as file:
        for key, array in arrays.items():
            assert_array_equal(file[key][...], array, err_msg=key)
            assert file[key].attrs["units"]
        assert list(file["body"][...]) == ["base", "upper", "fore"]
        assert list(file["spring"][...]) == ["tether"]
        assert file["P_by_body"].dimensions == ("time", "body", "xyz")
        assert file["turn_by_joint"].dimensions == ("time", "xyz", "freedom")
        if name == "thrusters":
            assert list(file["thruster"][...]) == [thruster.name for thruster in history.system.thrusters]
            assert file["thrust_N"].dimensions == ("time", "thruster")
        assert file.attrs["unaccounted_work"] == abs(history.unaccounted["work"]).max()


@pytest.mark.slow
def test_netcdf_names_how_the_run_ended_and_how_well_it_kept_the_laws(flown: Run, folder: Path) -> None:
    with h5py.File(folder / "run.nc", "r") as file:
        assert file.attrs["outcome"] == "completed"
        assert file.attrs["mission"] == "short"
        for name, residual in flown.history.residuals.items():
            assert file.attrs[f"residual_{name}"] == residual.value
            assert file.attrs[f"residual_{name}_relative"] == residual.relative
            assert file.attrs[f"residual_{name}_unit"] == residual.unit


@pytest.mark.slow
def test_joints_of_two_units_are_told_apart(tmp_path: Path) -> None:
    mission = MISSION.replace("q_rad = [0.2, -0.3]", "q_rad = { shoulder = 0.2 }\nq_m = { elbow = 0.1 }")
    mission = mission.replace("ramp_s", 'joints = ["elbow"], ramp_s').replace("rate_rad_s", "rate_m_s")
    run = load_mission(written(tmp_path, mission.replace("rtol = 1e-10", "rtol = 1e-6"), SLIDER)).run()
    run.save(tmp_path / "out")
    with h5netcdf.File(tmp_path / "out" / "run.nc", "r", decode_vlen_strings=True) as file:
        assert list(file["coordinate_unit"][...]) == list(file["freedom_unit"][...]) == ["rad", "m"]
        assert file["tau"].attrs["units"] == "N m or N"
    assert load_mission(tmp_path / "out" / "mission.resolved.toml").resolved["initial"] == run.mission.resolved["initial"]


@pytest.mark.slow
def test_the_resolved_mission_is_the_same_mission(flown: Run, folder: Path) -> None:
    again = load_mission(folder / "mission.resolved.toml")
    assert {**again.resolved, "system": "arm.toml"} == flown.mission.resolved
    assert again.source.sha256 == flown.mission.source.sha256
    assert_array_equal(again.initial.x, flown.mission.initial.x)
    assert_array_equal(again.run().history.states.x, flown.history.states.x)


@pytest.mark.slow
def test_a_resolved_mission_resolves_to_itself(folder: Path, tmp_path: Path) -> None:
    """Whatever the units and defaults of the file, they are settled once."""
    text = MISSION.replace("q_rad = [0.2, -0.3]", "q_deg = { elbow = 7.3, shoulder = 0.1 }\nqdot_deg_s = [0.1, 0.3]")
    text = text.replace("[initial]", "[initial]\nrpy_deg = [3.3, -20.1, 77.7]\nomega_0_deg_s = [0.1, 0.2, 0.3]")
    text = text.replace("[limits]", "[limits]\nbase_rotation_deg = 3.3\njoint_rate_deg_s = 20.0\njoint_torque_Nm = 10")
    text = text.replace("output_step_s = 0.1", "").replace("K_P", 'estimate = "arm.toml", K_P')
    first = _resolved(text, tmp_path / "first")
    second = load_mission(tmp_path / "first" / "out" / "mission.resolved.toml")
    second_text = _stored(second, tmp_path / "second")
    assert second_text == first
    assert (tmp_path / "first" / "out" / "estimate.0.toml").read_text(encoding="utf-8") == SYSTEM
    assert "rad" in first
    assert "deg" not in first


def _resolved(text: str, folder: Path) -> str:
    folder.mkdir()
    return _stored(load_mission(written(folder, text)), folder / "out")


def _stored(mission: scmanip.Mission, folder: Path) -> str:
    """Store a run that is cut short, for its resolved mission."""
    short = replace(mission, phases=tuple(replace(phase, t_end_s=0.01) for phase in mission.phases), figure_names=())
    short.run().save(folder)
    return (folder / "mission.resolved.toml").read_text(encoding="utf-8")


def test_provenance_tells_versions_digests_and_command_but_no_host(flown: Run, folder: Path) -> None:
    text = (folder / "provenance.json").read_text(encoding="utf-8")
    provenance = json.loads(text)
    assert set(provenance["versions"]) >= {"scmanip", "python", "numpy", "scipy", "llvmlite"}
    assert provenance["processor"] == processor()
    assert llvm.get_host_cpu_name() in provenance["processor"]
    assert provenance["versions"]["numpy"] == np.__version__
    assert provenance["mission"]["sha256"] == sha256(MISSION.encode()).hexdigest()
    assert provenance["systems"] == [
        {"given": "arm.toml", "sha256": sha256(SYSTEM.encode()).hexdigest(), "file": "system.toml"}
    ]
    assert provenance["command_line"] == "scmanip run short.toml -o results/short"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", provenance["written_utc"])
    assert not re.search(rf"\b{re.escape(socket.gethostname())}\b", text)
    assert str(Path(flown.mission.file).parent) not in text
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    del files["provenance.json"]
    assert provenance["files"] == {name: sha256(data).hexdigest() for name, data in files.items()}


@pytest.mark.slow
def test_a_rerun_replaces_its_own_files_and_leaves_the_others(flown: Run, tmp_path: Path) -> None:
    with_figures(flown, "joint_rates", "joint_angles").save(tmp_path)
    notes = tmp_path / "notes.txt"
    notes.write_text("mine", encoding="utf-8")
    with_figures(flown, "joint_rates").save(tmp_path)
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["joint_rates.png"]
    assert notes.read_text(encoding="utf-8") == "mine"


@pytest.mark.slow
def test_a_folder_with_other_files_is_refused_and_left_alone(flown: Run, tmp_path: Path) -> None:
    (tmp_path / "run.nc").write_text("precious", encoding="utf-8")
    with pytest.raises(InvalidInput, match="holds other files"):
        flown.save(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]
    assert (tmp_path / "run.nc").read_text(encoding="utf-8") == "precious"


def test_a_file_list_that_leads_elsewhere_is_not_believed(flown: Run, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("precious", encoding="utf-8")
    results = tmp_path / "results"
    with_figures(flown).save(results)
    provenance = json.loads((results / "provenance.json").read_text(encoding="utf-8"))
    provenance["files"] |= dict.fromkeys(["../outside.txt", str(outside), "figures/../../outside.txt"], "")
    (results / "provenance.json").write_text(json.dumps(provenance), encoding="utf-8")
    with_figures(flown).save(results)
    assert outside.read_text(encoding="utf-8") == "precious"


@pytest.mark.slow
def test_a_failure_while_writing_leaves_the_earlier_results(
    flown: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = with_figures(flown, "joint_rates")
    run.save(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    real, written = os.write, []

    def full(target: int, data: bytes) -> int:
        written.append(data)
        if len(written) > 3:
            raise OSError(28, "No space left on device")
        return real(target, data)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(InvalidInput, match="No space left on device"):
        run.save(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_two_phases_are_one_history_in_mission_time(tmp_path: Path) -> None:
    hold = MISSION[MISSION.index("[[phase]]") : MISSION.index("guidance")].replace('"move"', '"hold"')
    text = MISSION.replace("[integration]", hold + 'guidance = { type = "hold" }\nuntil = { t_s = 0.5 }\n\n[integration]')
    text = text.replace("rtol = 1e-10", "rtol = 1e-8").replace("momentum_relative = 1e-8", "momentum_relative = 1e-5")
    run = load_mission(written(tmp_path, text)).run()
    first, second = run.histories
    history = run.history
    assert_array_equal(first.final.x, second.states[0].x)
    assert len(history.t) == len(first.t) + len(second.t)
    assert history.t[-1] == pytest.approx(first.t[-1] + 0.5)
    assert np.all(np.diff(history.t) >= 0)
    assert_allclose(history.work[len(first.t)], first.work[-1], rtol=0)
    assert history.work[-1] == pytest.approx(first.work[-1] + second.work[-1])
    assert history.residuals["energy"].relative < 1e-5
    run.save(tmp_path / "out")
    with h5netcdf.File(tmp_path / "out" / "run.nc", "r", decode_vlen_strings=True) as file:
        assert_array_equal(np.bincount(file["phase"][...]), [len(first.t), len(second.t)])
        assert list(file.attrs["phases"]) == ["move", "hold"]
