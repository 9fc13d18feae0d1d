"""Histories in tables of other packages."""

import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import scmanip
from scmanip.control import ComputedTorque
from scmanip.errors import MissingExtra
from scmanip.guidance import Hold
from scmanip.system import Body, Joint


@pytest.fixture(scope="module")
def history():
    link = {"mass_kg": 5.0, "com_m": [0.5, 0, 0], "inertia_kg_m2": [0.1, 0.4, 0.4]}
    swing, slide = Joint("swing", "revolute", axis=[0, 0, 1]), Joint("slide", "prismatic", axis=[1, 0, 0])
    bodies = [Body("upper", **link, parent="base", joint=swing), Body("lower", **link, parent="upper", joint=slide)]
    system = scmanip.System("arm", Body("base", 50, [4, 4, 4]), bodies)
    model = scmanip.compile_model(system)
    law, start = ComputedTorque(model, K_P=1.0, K_D=1.0), scmanip.State.at_rest(system, [0.0, 0.0])
    return scmanip.simulate(model, scmanip.Floating(), law, start, reference=Hold([0.5, 0.1]), t_end_s=1.0, output_step_s=0.25)


def test_a_dataset_has_every_series_with_its_axes_units_and_meaning(history):
    pytest.importorskip("xarray")
    data = history.to_xarray()
    assert set(data.data_vars) == set(history.channels) - {"t"}
    assert_array_equal(data.time, history.t)
    assert data.time.attrs["units"] == "s"
    for name, channel in history.channels.items():
        if name != "t":
            assert data[name].dims == ("time", *channel.axes.split())
            assert_array_equal(data[name], getattr(history, name))
            assert data[name].attrs["units"] == history.channels.unit(name)
            assert data[name].attrs["long_name"] == channel.meaning
    assert_array_equal(data.omega_0.sel(xyz="z"), history.omega_0[:, 2])
    assert_array_equal(data.tau.sel(freedom="slide"), history.tau[:, 1])
    assert data.freedom_unit.sel(freedom="slide") == "m"
    assert data.attrs == {"system": "arm", "mode": "floating", "outcome": "completed", "advice": ""}
    assert (data.r_0.attrs["frame"], data.r_0.attrs["kind"]) == ("N", "state")


def test_a_frame_has_a_column_per_entry_and_the_unit_of_each(history):
    pytest.importorskip("pandas")
    frame = history.to_pandas()
    assert_array_equal(frame.index, history.t)
    assert frame.index.name == "time" and len(frame.columns) == len(set(frame.columns)) == len(frame.attrs["units"])
    assert_array_equal(frame["omega_0.z"], history.omega_0[:, 2])
    assert_array_equal(frame["P_by_body.upper.y"], history.P_by_body[:, 1, 1])
    assert_array_equal(frame["kinetic_energy"], history.kinetic_energy)
    units = frame.attrs["units"]
    assert (units["tau.swing"], units["tau.slide"]) == ("N m", "N")
    assert (units["wrench.f_y"], units["wrench.n_x"], units["kinetic_energy"]) == ("N", "N m", "J")
    assert sum(np.prod(history.channels.shape(name), dtype=int) for name in history.channels) == len(frame.columns) + 1


@pytest.mark.parametrize("package", ["xarray", "pandas"])
def test_what_is_missing_is_told_with_the_line_that_installs_it(history, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf'pip install "scmanip\[{package}\]"'):
        getattr(history, f"to_{package}")()
