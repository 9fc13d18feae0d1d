"""A history as a netCDF-4 file."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...channels import Channel
from ...errors import checked
from ...simulation import History

SCHEMA = "scmanip.run/1"
GAPS = "missing"  # attribute of series that may say nothing at a time


@checked
def netcdf(history: History, phases: NDArray[np.intp], attributes: Mapping[str, Any]) -> bytes:
    """Return a history as a file. It is made in memory: the HDF5 library does not survive a disk that fills.

    phases : (n,) number of the phase of each sample
    attributes : global ones, beside the outcome and the residuals

    >>> netcdf(history, np.zeros(len(history.t), dtype=int), {"system": "planar-four-link"})[1:4]
    b'HDF'
    """
    import h5netcdf
    import h5py

    channels = history.channels
    sizes = {"time": len(history.t)} | {name: len(dimension.labels) for name, dimension in channels.dimensions.items()}
    series = [_Series(channel, channels.unit(name), getattr(history, name)) for name, channel in channels.items()]
    made = io.BytesIO()
    with h5netcdf.File(made, "w") as file:
        file.dimensions = sizes
        _numbers(file, "time", ("time",), history.t, units="s", long_name="time since the start")
        _numbers(file, "phase", ("time",), phases, units="1", long_name="number of the phase, from 0")
        for name, dimension in channels.dimensions.items():
            _words(file, name, name, dimension.labels)
        for name in ("coordinate", "freedom"):
            _words(file, f"{name}_unit", name, channels.dimensions[name].units)
        for one in series:
            if not one.values.size:  # along a dimension without places, which h5netcdf leaves open
                _numbers(file, one.channel.name, one.dimensions, one.values, **one.attributes)
        for key, value in {"schema": SCHEMA, **attributes, **_ending(history)}.items():
            file.attrs[key] = value
    with h5py.File(made, "r+", track_order=True) as file:
        _series(file, list(sizes), [one for one in series if one.values.size])
    return made.getvalue()


@dataclass(frozen=True, eq=False)
class _Series:
    """A series of a run with what the file says of it."""

    channel: Channel
    unit: str
    values: NDArray[Any]

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Names of its dimensions."""
        return ("time", *self.channel.axes.split())

    @property
    def attributes(self) -> dict[str, str]:
        """What is said beside it."""
        return {"units": self.unit, "long_name": self.channel.meaning, **({GAPS: "NaN"} if self.channel.gaps else {})}


def _series(file: Any, dimensions: Sequence[str], series: Sequence[_Series]) -> None:
    """Write variables as h5netcdf does, which looks up every dimension a dozen times for each.

    dimensions : of the file, in its order; their places in it are what netCDF-4 knows them by
    """
    scales = {name: file[name] for name in dimensions}
    numbers = {name: np.int32(number) for number, name in enumerate(dimensions)}
    for one in series:
        name = one.channel.name
        made = file.create_dataset(name, data=one.values, compression="gzip", shuffle=True, track_order=True)
        for axis, dimension in enumerate(one.dimensions):
            made.dims[axis].attach_scale(scales[dimension])
        made.attrs["_Netcdf4Coordinates"] = np.array([numbers[dimension] for dimension in one.dimensions])
        made.attrs["_Netcdf4Dimid"] = numbers[one.dimensions[0]]
        made.attrs.update(one.attributes)


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
