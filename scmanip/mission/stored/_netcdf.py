"""A history as a netCDF-4 file."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...simulation import History

SCHEMA = "scmanip.run/1"
GAPS = "missing"  # attribute of series that may say nothing at a time


def netcdf(history: History, phases: NDArray[np.intp], attributes: Mapping[str, Any]) -> bytes:
    """Return a history as a file. It is made in memory: the HDF5 library does not survive a disk that fills.

    phases : (n,) number of the phase of each sample
    attributes : global ones, beside the outcome and the residuals
    """
    import h5netcdf

    channels = history.channels
    sizes = {"time": len(history.t)} | {name: len(dimension.labels) for name, dimension in channels.dimensions.items()}
    made = io.BytesIO()
    with h5netcdf.File(made, "w") as file:
        file.dimensions = sizes
        _numbers(file, "time", ("time",), history.t, units="s", long_name="time since the start")
        _numbers(file, "phase", ("time",), phases, units="1", long_name="number of the phase, from 0")
        for name, dimension in channels.dimensions.items():
            _words(file, name, name, dimension.labels)
        for name in ("coordinate", "freedom"):
            _words(file, f"{name}_unit", name, channels.dimensions[name].units)
        for name, channel in channels.items():
            about = {"units": channels.unit(name), "long_name": channel.meaning, **({GAPS: "NaN"} if channel.gaps else {})}
            _numbers(file, name, ("time", *channel.axes.split()), getattr(history, name), **about)
        for key, value in {"schema": SCHEMA, **attributes, **_ending(history)}.items():
            file.attrs[key] = value
    return made.getvalue()


def _numbers(file: Any, name: str, dimensions: tuple[str, ...], values: NDArray[Any], **attributes: str) -> None:
    packing = {"compression": "gzip", "shuffle": True} if values.size else {}
    variable = file.create_variable(name, dimensions, values.dtype, data=values, **packing)
    variable.attrs.update(attributes)


def _words(file: Any, name: str, dimension: str, words: Sequence[str]) -> None:
    import h5py

    texts = np.array([word.replace("\0", "\\0") for word in words], dtype=object)
    file.create_variable(name, (dimension,), h5py.string_dtype(), data=texts)


def _ending(history: History) -> dict[str, Any]:
    ending: dict[str, Any] = {"outcome": str(history.outcome), "advice": history.advice, "integrator_steps": history.steps}
    ending["events"] = "\n".join(history.events)
    for name, left in history.unaccounted.items():
        ending[f"unaccounted_{name}"] = float(np.abs(left).max())
    for name, residual in history.residuals.items():
        ending[f"residual_{name}"] = residual.value
        ending[f"residual_{name}_unit"] = residual.unit
        ending[f"residual_{name}_relative"] = residual.relative
        if residual.external is not None:
            ending[f"residual_{name}_broken_by_environment"] = residual.broken
        ending[f"residual_{name}_meaning"] = f"{residual.meaning}; relative to {residual.scale_meaning}"
    return ending
