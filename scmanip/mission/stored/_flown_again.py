"""How far a run that is flown again is from the one in a file: in every channel, name and word of it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import releases
from ...errors import checked
from ._netcdf import GAPS

_ROUNDED = ("events", "advice")
"""Attributes that tell times and values: with other releases or another processor they may differ in their last digits."""


@dataclass(frozen=True)
class Contents:
    """What a netCDF file of a run says.

    values : of every variable
    about : unit, meaning and dimensions of every variable
    attributes : those of the whole
    """

    values: Mapping[str, NDArray[Any]]
    about: Mapping[str, Mapping[str, Any]]
    attributes: Mapping[str, Any]

    @classmethod
    def read(cls, data: bytes) -> Contents:
        """Return that of a file; raises what its readers raise."""
        import h5netcdf
        import h5py

        with h5py.File(io.BytesIO(data), "r") as file:
            names = sorted(file)
        with h5netcdf.File(io.BytesIO(data), "r", decode_vlen_strings=True) as file:
            about = {name: {**series.attrs, "dimensions": series.dimensions} for name, series in file.variables.items()}
            values = {name: np.asarray(series[...]) for name, series in file.variables.items()}
            beside = ", ".join(name for name in names if name not in values)
            return cls(values, about, {**file.attrs, "beside its series": beside})

    def scales(self) -> dict[str, float]:
        """Return the largest absolute value among the channels with a unit, by unit."""
        largest: dict[str, float] = {}
        for name, values in self.values.items():
            if values.dtype.kind == "f" and values.size:
                unit = str(self.about[name].get("units"))
                known = values[~np.isnan(values)] if GAPS in self.about[name] else values
                largest[unit] = max(largest.get(unit, 0.0), float(np.abs(known).max(initial=0.0)))
        return largest


@dataclass(frozen=True)
class FlownAgain:
    """A stored run beside the same one flown again.

    allowed : largest difference of a channel, as a share of the largest value among the channels with its unit; 0 where
        every bit and every attribute has to be equal
    away : the largest that there is, a share as well
    wrong : what differs beyond that, as sentences without an end

    >>> again = FlownAgain.of(run.netcdf(), run.netcdf(), 0.0)
    >>> again.away, again.wrong
    (0.0, ())
    """

    allowed: float
    away: float
    wrong: tuple[str, ...]

    @classmethod
    def of(cls, stored: bytes, again: bytes, allowed: float) -> FlownAgain:
        """Compare two files of histories, up to a share `allowed`; one that cannot be read is wrong."""
        try:
            one = Contents.read(stored)
        except (OSError, KeyError, ValueError, RuntimeError, TypeError, AttributeError, IndexError) as error:
            return cls(allowed, float("inf"), (f"it cannot be read: {error}",))
        return cls.between(one, Contents.read(again), allowed)

    @classmethod
    def between(cls, one: Contents, other: Contents, allowed: float) -> FlownAgain:
        """Compare the stored run and the one flown again, as they are read, up to a share `allowed`."""
        wrong = [*_attributes(one, other, allowed), *_channels(one, other, allowed)]
        return cls(allowed, max((away for away, _ in wrong), default=0.0), tuple(why for _, why in wrong if why))

    def __str__(self) -> str:
        if self.wrong:
            return f"different: {'; '.join(self.wrong)}"
        if self.away == 0.0:
            return "equal to the last bit"
        return f"apart by at most {self.away:.1e} of the largest value of its unit, of {self.allowed:.0e} allowed"


@checked
def allowed(made: Mapping[str, Any], here: Mapping[str, Any], rtol: float) -> float:
    """Return what share is allowed between a run and the same one flown again: nothing where the same code computes both.

    made, here : what made the one and the other, as `made_by` says it

    By other releases, another processor or another kind of model, steps and roundings differ, and with them the states within
    what `rtol`, a relative tolerance, leaves open.

    >>> here = made_by(mission, None)
    >>> allowed(here, here, 1e-12), allowed({}, here, 1e-12)
    (0.0, 1e-08)
    """
    same = all(made.get(key) == here.get(key) for key in ("processor", "model")) and _numerical(made) == _numerical(here)
    return 0.0 if same else min(1e-3, max(1e-9, 1e4 * rtol))


def _numerical(made: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the releases that decide the last bits; None where none are told."""
    versions = made.get("versions")
    return {name: versions.get(name) for name in releases()} if isinstance(versions, dict) else None


_Found = Iterator[tuple[float, str]]
"""How far apart, and why that is too far; an empty string where it is not."""


def _attributes(one: Contents, other: Contents, allowed: float) -> _Found:
    free = [name for name, value in other.attributes.items() if name in _ROUNDED or _is_number(value)] if allowed else []
    for name in sorted(one.attributes.keys() | other.attributes.keys()):
        was, now = (np.asarray(contents.attributes.get(name)) for contents in (one, other))
        if not _equal(was, now) and name not in free:
            yield np.inf, f"{name} is {was.tolist()!r}, flown again {now.tolist()!r}"


def _channels(one: Contents, other: Contents, allowed: float) -> _Found:
    scales = {unit: max(scale, one.scales().get(unit, 0.0)) for unit, scale in other.scales().items()}
    for name in sorted(one.values.keys() | other.values.keys()):
        if name not in one.values or name not in other.values:
            yield np.inf, f"{name} is in one of them alone"
        elif not _alike(one, other, name):
            yield np.inf, f"{name} has another shape, kind, unit or meaning"
        elif one.values[name].dtype.kind != "f":
            yield (0.0, "") if np.array_equal(one.values[name], other.values[name]) else (np.inf, f"{name} differs")
        else:
            a, b = one.values[name], other.values[name]
            gaps = np.isnan(a)
            if GAPS in one.about[name] and np.array_equal(gaps, np.isnan(b)):
                a, b = a[~gaps], b[~gaps]
            yield _apart(name, a, b, scales.get(str(one.about[name].get("units")), 0.0), allowed)


def _alike(one: Contents, other: Contents, name: str) -> bool:
    a, b = one.values[name], other.values[name]
    if a.shape != b.shape or a.dtype != b.dtype or one.about[name].keys() != other.about[name].keys():
        return False
    return all(_equal(value, other.about[name][key]) for key, value in one.about[name].items())


def _apart(name: str, one: NDArray[Any], other: NDArray[Any], scale: float, allowed: float) -> tuple[float, str]:
    """Return the largest difference of two channels; what is no finite number is equal to nothing."""
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        return np.inf, f"{name} has values that are no finite numbers"
    away = float(np.abs(one - other).max(initial=0.0))
    share = away / scale if away else 0.0
    if share <= allowed and (allowed or one.tobytes() == other.tobytes()):
        return share, ""
    return share, f"{name} differs by {share:.1e} of the largest value of its unit"


def _is_number(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "fiu"


def _equal(one: Any, other: Any) -> bool:
    a, b = np.asarray(one), np.asarray(other)
    return a.shape == b.shape and a.dtype.kind == b.dtype.kind and bool(np.array_equal(a, b))
