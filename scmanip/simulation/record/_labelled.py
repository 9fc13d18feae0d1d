"""A history in the tables of other packages: every series under its name, with units, meanings and labels."""

from __future__ import annotations

from importlib import import_module
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from ...errors import MissingExtra, checked
from ._history import History

_TIME = "t"


@checked
def to_xarray(history: History) -> Any:
    """Return an `xarray.Dataset` of all series over the coordinate `time` [s]; raises `MissingExtra` without xarray.

    Axes are those of the table of channels, with their labels as coordinates; where entries of an axis have units of their
    own, `<axis>_unit` has them. Attributes of a series: units, long_name, frame, kind.

    >>> data = to_xarray(history)
    >>> data["tau"].dims, data["tau"].attrs["units"]
    (('time', 'freedom'), 'N m')
    """
    xarray, channels = _module("xarray"), history.channels
    labels = {name: (name, list(dimension.labels)) for name, dimension in channels.dimensions.items()}
    units = {f"{name}_unit": (name, list(each.units)) for name, each in channels.dimensions.items() if each.units}
    time = {"time": ("time", history.t, {"units": "s", "long_name": "time since the start"})}
    series = {
        name: (
            ("time", *channel.axes.split()),
            getattr(history, name),
            {"units": channels.unit(name), "long_name": channel.meaning, "frame": channel.frame, "kind": str(channel.kind)},
        )
        for name, channel in channels.items()
        if name != _TIME
    }
    return xarray.Dataset(series, {**time, **labels, **units}, _about(history))


@checked
def to_pandas(history: History) -> Any:
    """Return a `pandas.DataFrame` with a row per sample, by time [s], and a column per entry of every series.

    A column is called by the series and the labels of its axes, "omega_0.x"; `attrs["units"]` has the unit of each.
    Raises `MissingExtra` without pandas.

    >>> frame = to_pandas(history)
    >>> frame.index.tolist(), [name for name in frame.columns if name.startswith("omega_0")]
    ([0.0, 0.5, 1.0, 1.5, 2.0], ['omega_0.x', 'omega_0.y', 'omega_0.z'])
    """
    pandas, channels, columns, units = _module("pandas"), history.channels, dict[str, Any](), dict[str, str]()
    for name, channel in channels.items():
        if name == _TIME:
            continue
        axes = [channels.dimensions[axis].labels for axis in channel.axes.split()]
        entries = [".".join((name, *labels)) for labels in product(*axes)]
        series = np.asarray(getattr(history, name))
        columns |= dict(zip(entries, series.reshape(len(series), len(entries)).T, strict=True))
        for unit, places in channel.parts(channels.dimensions):
            count = len(axes[-1]) if axes else 1
            units |= {entry: unit for k, entry in enumerate(entries) if places is None or k % count in places}
    frame = pandas.DataFrame(columns, index=pandas.Index(history.t, name="time"))
    frame.attrs |= {**_about(history), "units": units}
    return frame


def _about(history: History) -> dict[str, str]:
    names = {"system": history.system.name, "mode": history.mode.name}
    return {**names, "outcome": str(history.outcome), "advice": history.advice}


def _module(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtra(f"history.to_{name}()", name) from error
