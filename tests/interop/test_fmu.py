"""Units of the Functional Mock-up Interface: valid to a reader of another maker, and equal to runs when that one steps them."""

import subprocess
from pathlib import Path
from zipfile import ZipFile

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu
from numpy.testing import assert_allclose

from scmanip import Floating, Plant, State, compile_model, load_mission, load_system, simulate
from scmanip.control import ComputedTorque, Delayed, ResolvedRate, Sampled, Saturated, WithFeedforward
from scmanip.errors import InvalidInput
from scmanip.guidance import Cycloid, Reach
from scmanip.interop import write_fmu
from scmanip.mission import phase_loop
from scmanip.modes import Flying
from scmanip.simulation import loop_programs

MODEL = compile_model(load_system("model:planar_four_link"))
FLOATING = Plant(MODEL, Floating())
START = State.at_rest(MODEL.system, np.array([0.1, 0.2, -0.3, 0.4]))
WAY = Cycloid(START.q, START.q + np.array([0.3, -0.2, 0.1, 0.2]), duration_s=2.0, layout=MODEL.layout)
TORQUE = ComputedTorque(MODEL, K_P=4.0, K_D=4.0)
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]


def unit(folder, law=TORQUE, *, plant=FLOATING, reference=WAY, t_end_s=3.0, step_s=0.05, **options):
    loop = loop_programs(plant, law, START, reference=reference, t_end_s=t_end_s)
    return write_fmu(loop, folder / f"unit{options.get('version', 3)}.fmu", step_s=step_s, **options)


def outputs(path, t_end_s=3.0, interval_s=0.1, **options):
    """Return what a unit shows at every communication point, by series."""
    known = fmpy.read_model_description(path).modelVariables
    names = [variable.name for variable in known if variable.causality == "output"]
    told = fmpy.simulate_fmu(str(path), stop_time=t_end_s, output_interval=interval_s, output=names, **options)
    series = {}
    for name in names:
        series.setdefault(name.partition("[")[0], []).append(told[name])
    return {name: np.squeeze(np.array(rows).T) for name, rows in series.items()}


def same(told, history, within=1e-9):
    for name in ("q", "qdot", "r_0", "attitude_xyzw", "v_0", "omega_0", "work"):
        assert_allclose(told[name], getattr(history, name), rtol=0, atol=within, err_msg=name)


SETTINGS = {"reference": WAY, "t_end_s": 3.0, "rtol": 1e-12, "output_step_s": 0.1}


def flown(law, **options):
    return simulate(FLOATING, law, START, **(SETTINGS | options))


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """A unit of each version, of one loop, without a library."""
    folder = tmp_path_factory.mktemp("units")
    return [unit(folder, version=version, binary=False, name='a <"mission"> & more') for version in (2, 3)]


def test_another_reader_finds_nothing_wrong(two):
    for path, version in zip(two, ("2.0", "3.0"), strict=True):
        assert validate_fmu(str(path)) == []
        known = fmpy.read_model_description(path)
        assert known.fmiVersion == version and known.modelName == 'a <"mission"> & more'
        by_name = {variable.name: variable for variable in known.modelVariables}
        gain, rate, force = by_name["K_P[0]"], by_name["qdot[joint2]"], by_name["tau[joint4]"]
        assert (gain.causality, float(gain.start)) == ("parameter", 4.0)
        assert (rate.causality, rate.unit, force.unit) == ("output", "rad/s", "N m")
        units = {each.name: each.baseUnit for each in known.unitDefinitions}
        assert (units["N m"].kg, units["N m"].m, units["N m"].s) == (1, 2, -2)
        assert float(known.defaultExperiment.stopTime) == 3.0


def test_equal_units_are_equal_bytes(two, tmp_path):
    again = unit(tmp_path, version=2, binary=False, name='a <"mission"> & more')
    assert again.read_bytes() == two[0].read_bytes()


def test_a_plant_takes_commands(tmp_path):
    path = unit(tmp_path, None, reference=None, binary=False)
    assert validate_fmu(str(path)) == []
    known = fmpy.read_model_description(path).modelVariables
    assert [each.name for each in known if each.causality == "input"] == [
        f"command[{name}]" for name in MODEL.layout.qdot_names
    ]
    flying = unit(tmp_path, None, reference=None, binary=False, plant=Plant(MODEL, Flying()))
    known = fmpy.read_model_description(flying).modelVariables
    assert [each.unit for each in known if each.causality == "input"] == ["N"] * 3 + ["N m"] * (3 + MODEL.layout.N)


def test_what_a_unit_cannot_hold_is_refused_by_name(tmp_path):
    with pytest.raises(InvalidInput, match=r"controller: expected a law and a reference that are there as equations.*<lambda>"):
        unit(tmp_path, lambda t, state: np.zeros(MODEL.layout.N))
    with pytest.raises(InvalidInput, match=r"controller: .*Delayed\(ComputedTorque\)"):
        unit(tmp_path, Delayed(TORQUE, delay_s=0.1))
    with pytest.raises(InvalidInput, match=r"found .*Sampled\(.*<lambda>"):
        unit(tmp_path, Sampled(lambda t, state: np.zeros(MODEL.layout.N), rate_Hz=10))
    for options, words in (
        ({"version": 1}, "version: expected 2 or 3"),
        ({"step_s": 0.0}, "step_s: expected a finite number > 0"),
    ):
        with pytest.raises(InvalidInput, match=words):
            unit(tmp_path, **options)
    with pytest.raises(InvalidInput, match=r"path: expected a name that ends in \.fmu"):
        write_fmu(loop_programs(FLOATING, TORQUE, START, reference=WAY, t_end_s=3.0), tmp_path / "unit.zip", step_s=0.1)


def test_a_compiler_that_is_not_there_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(InvalidInput, match=r"CC: expected a C compiler.*binary=False"):
        unit(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("version", [2, 3])
def test_the_sources_are_clean_and_agree_with_the_headers_of_the_standard(two, version, tmp_path):
    with ZipFile(two[version - 2]) as archive:
        archive.extractall(tmp_path)
    headers = Path(fmpy.__file__).parent / "c-code"
    for each in sorted((tmp_path / "sources").glob("*.c")):
        for more in ([], ["-DFMI_HEADERS", f"-I{headers}"] if each.name.startswith("fmi") else []):
            subprocess.run(["cc", "-std=c99", "-pedantic", *WARNINGS, *more, "-fsyntax-only", each], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("version", [2, 3])
def test_the_planar_mission_is_what_scmanip_run_says(version, tmp_path):
    mission = load_mission("missions/planar_four_link.toml")
    path = write_fmu(phase_loop(mission), tmp_path / "planar.fmu", step_s=0.1, version=version)
    assert validate_fmu(str(path)) == []
    history = mission.run().history
    told = outputs(path, history.t[-1], 0.2)
    same(told, history)
    assert_allclose(told["tau"], history.tau, rtol=0, atol=1e-9)


LED = ResolvedRate(WithFeedforward(ComputedTorque(MODEL, K_P=0.0, K_D=2.0)))
REACH = Reach.from_state(
    MODEL, START, "tip", position_m=MODEL.position(START, "tip") + np.array([-0.1, 0.1, 0.0]), duration_s=2.0
)
SAMPLED = {
    "at samples": (Sampled(TORQUE, rate_Hz=20), WAY),
    "at samples beside communication points, cut": (Sampled(Saturated(TORQUE, 0.3), rate_Hz=7), WAY),
    "late": (Sampled(Delayed(Saturated(TORQUE, 1.0), delay_s=0.12), rate_Hz=20), WAY),
    "a frame": (Sampled(LED, rate_Hz=10), REACH),
}


@pytest.mark.slow
@pytest.mark.parametrize(("law", "reference"), SAMPLED.values(), ids=SAMPLED)
def test_sampled_laws_look_when_they_do_in_runs(law, reference, tmp_path):
    history = flown(law, reference=reference)
    told = outputs(unit(tmp_path, law, reference=reference))
    same(told, history)
    assert_allclose(told["tau"][1:], history.tau[1:], rtol=0, atol=1e-9)


@pytest.mark.slow
def test_gains_are_parameters(tmp_path):
    history = flown(ComputedTorque(MODEL, K_P=[9.0, 4.0, 4.0, 4.0], K_D=4.0))
    same(outputs(unit(tmp_path), start_values={"K_P[0]": 9.0}), history)


@pytest.mark.slow
def test_open_numbers_of_the_hardware_are_parameters(tmp_path):
    model = compile_model(MODEL.system, symbols=("body.link2.mass_kg", "joint.joint3.origin_m"))
    path, heavy = unit(tmp_path, plant=Plant(model, Floating())), {"body.link2.mass_kg": 14.0}
    known = fmpy.read_model_description(path).modelVariables
    named = [each.name for each in known if each.causality == "parameter"]
    assert named[:4] == ["body.link2.mass_kg", *(f"joint.joint3.origin_m[{k}]" for k in range(3))]
    plant = Plant(model.with_values(heavy), Floating())
    same(outputs(path, start_values=heavy), simulate(plant, TORQUE, START, **SETTINGS))


@pytest.mark.slow
def test_commands_are_held_between_communication_points(tmp_path):
    told = [np.array([np.sin(3 * t), 0.5, -0.2 * t, 0.1]) for t in np.arange(30) / 10]
    history = flown(Sampled(lambda t, state: told[round(10 * t)], rate_Hz=10), reference=None)
    path = unit(tmp_path, None, reference=None)
    names = [f"command[{name}]" for name in MODEL.layout.qdot_names]
    known, folder = fmpy.read_model_description(path), fmpy.extract(str(path))
    numbers = {each.name: each.valueReference for each in known.modelVariables}
    slave = fmpy.instantiate_fmu(folder, known, "CoSimulation")
    slave.enterInitializationMode(startTime=0.0)
    slave.exitInitializationMode()
    q = [numbers[f"q[{name}]"] for name in MODEL.layout.q_names]
    kept = None
    for k, command in enumerate(told):
        if k == 12:
            kept = slave.getFMUState()
        slave.setFloat64([numbers[name] for name in names], command)
        slave.doStep(currentCommunicationPoint=k / 10, communicationStepSize=0.1)
        assert_allclose(slave.getFloat64(q), history.q[k + 1], rtol=0, atol=1e-10)
    slave.setFMUState(kept)  # and again from there
    slave.setFloat64([numbers[name] for name in names], told[12])
    slave.doStep(currentCommunicationPoint=1.2, communicationStepSize=0.1)
    assert_allclose(slave.getFloat64(q), history.q[13], rtol=0, atol=1e-10)
    slave.freeFMUState(kept)
    slave.terminate()
    slave.freeInstance()


@pytest.mark.slow
def test_steps_that_fail_say_why(tmp_path):
    path = unit(tmp_path, None, reference=None)
    messages = []
    with pytest.raises(Exception, match=r"fmi3DoStep"):
        fmpy.simulate_fmu(
            str(path),
            stop_time=3.0,
            output_interval=0.1,
            start_values={f"command[{name}]": 1e5 for name in MODEL.layout.qdot_names},
            logger=lambda environment, status, category, words: messages.append(words),
        )
    assert b"a speed runs away" in messages[0]
