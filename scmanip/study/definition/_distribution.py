"""Distributions: any of `scipy.stats` by its name and parameters, and a ball."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, checked, nearest
from ...spatial import Array, is_number, real

Parameter = float | tuple[float, ...]


@checked
@dataclass(frozen=True)
class Distribution:
    """A distribution of `scipy.stats` for one number, or for several independent ones.

    parameters : by the names that SciPy uses, `loc` and `scale` included; one number, or one per component, of which some may
        have scale 0: these are certain

    Raises `InvalidInput` for a name that SciPy does not have, values that its distribution cannot have, lists of several
    lengths and a scale that is not > 0; `named` also for parameters that the distribution does not have, or that are missing.

    >>> from scipy.stats import norm
    >>> masses = Distribution.frozen(norm(10.0, 0.5))
    >>> masses.table, masses.values(np.array([[0.5]])).round(6).tolist()
    ({'distribution': 'norm', 'loc': 10.0, 'scale': 0.5}, [[10.0]])
    """

    name: str
    parameters: Mapping[str, Parameter]

    @classmethod
    def named(cls, name: Any, parameters: Mapping[str, object]) -> Distribution:
        """Return the distribution of a study file; raises `InvalidInput`."""
        if not isinstance(name, str):
            raise InvalidInput(Problem("distribution", "the name of a distribution of scipy.stats", repr(name)))
        family = _family(name)
        valid = _names(family)
        given = {"loc": 0.0, **({"scale": 1.0} if "scale" in valid else {}), **parameters}
        for key in given:
            if key not in valid:
                raise InvalidInput(
                    Problem(
                        key,
                        f"one of {', '.join(valid)}, as {name!r} has",
                        "an unknown key",
                        hint=nearest(key, (*valid, "size", "how")),
                    )
                )
        for key in valid:
            if key not in given:
                raise InvalidInput(Problem(key, f"a number, which {name!r} needs", "nothing"))
        return cls(name, {key: _parameter(key, given[key]) for key in valid})

    @classmethod
    def frozen(cls, given: Any) -> Distribution:
        """Return what a frozen distribution of SciPy, such as `scipy.stats.norm(0, 1)`, says."""
        name = str(given.dist.name)
        family = _of_scipy(name)
        names = _names(family)
        if type(given.dist) is not type(family):
            raise InvalidInput(Problem("distribution", "a distribution of scipy.stats", f"one of your own, {name!r}"))
        if len(given.args) > len(names):
            raise InvalidInput(Problem("distribution", f"the parameters {', '.join(names)}", f"{len(given.args)} of them"))
        return cls.named(name, {**dict(zip(names, given.args, strict=False)), **given.kwds})

    def __post_init__(self) -> None:
        if len({len(value) for value in self.parameters.values() if isinstance(value, tuple)}) > 1:
            raise InvalidInput(Problem("distribution", "lists of one length", str(dict(self.parameters))))
        several = any(scale > 0 for _, _, scale in self._components)  # of which some may be certain
        for shapes, loc, scale in self._components:
            if not (scale > 0 or (several and scale == 0)):
                raise InvalidInput(Problem("scale", "a number > 0", f"{scale:g}"))
            if not math.isfinite(_family(self.name).ppf(0.5, *shapes, loc=loc)):
                found = ", ".join(f"{key} = {value}" for key, value in self.parameters.items())
                raise InvalidInput(Problem("distribution", f"parameters that {self.name!r} takes", found))

    @cached_property
    def size(self) -> int | None:
        """How many components the parameters themselves have, None where they are single numbers."""
        return next((len(value) for value in self.parameters.values() if isinstance(value, tuple)), None)

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        numbers = {key: list(value) if isinstance(value, tuple) else value for key, value in self.parameters.items()}
        return {"distribution": self.name, **numbers}

    def values(self, u: Array) -> Array:
        """Return the values (m, size) at which the distribution function is u (m, size), 0 < u < 1.

        They are in the unit of what is dispersed.
        """
        quantile = _family(self.name).ppf

        def column(u: Array, shapes: list[float], loc: float, scale: float) -> Array:
            return np.asarray(quantile(np.ascontiguousarray(u), *shapes)) * scale + loc

        if self.size is None:
            return column(u, *self._components[0])
        return np.stack([column(u[:, k], *component) for k, component in enumerate(self._components)], axis=1)

    @cached_property
    def _components(self) -> list[tuple[list[float], float, float]]:
        """Shape parameters, loc and scale, of each component."""
        names = [name for name in self.parameters if name not in ("loc", "scale")]

        def part(value: Parameter, k: int) -> float:
            return value[k] if isinstance(value, tuple) else value

        return [
            (
                [part(self.parameters[name], k) for name in names],
                part(self.parameters["loc"], k),
                part(self.parameters.get("scale", 1.0), k),
            )
            for k in range(self.size or 1)
        ]


@dataclass(frozen=True)
class UniformBall:
    """Points spread evenly through a ball about the origin: 3 numbers.

    radius : in the unit of what is dispersed

    Raises `InvalidInput` for a radius that is not finite and > 0.

    >>> points = UniformBall(2.0).values(np.array([[0.5, 0.5, 0.5], [1.0, 0.2, 0.7]]))
    >>> np.linalg.norm(points, axis=1).round(4).tolist()
    [1.5874, 2.0]
    """

    radius: float

    def __post_init__(self) -> None:
        if not (is_number(self.radius) and self.radius > 0):
            raise InvalidInput(Problem("uniform_ball", "a radius > 0", repr(self.radius)))
        object.__setattr__(self, "radius", float(self.radius))

    @property
    def size(self) -> int:
        """How many components it has."""
        return 3

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"uniform_ball": self.radius}

    def values(self, u: Array) -> Array:
        """Return points (m, 3) from numbers u (m, 3) between 0 and 1: distance by the cube root, direction by height.

        Points are in the axes and the unit of what is dispersed.
        """
        distance, z, angle = (np.ascontiguousarray(u[:, k]) for k in range(3))
        z, angle = 2 * z - 1, 2 * np.pi * angle
        across = np.sqrt(1 - z * z)
        return (self.radius * np.cbrt(distance))[:, None] * np.stack(
            [across * np.cos(angle), across * np.sin(angle), z], axis=1
        )


@cache
def _stats() -> Any:
    from scipy import stats

    return stats


class _Normal:
    """What is asked of `scipy.stats.norm`, without the second that the import of `scipy.stats` takes in every process."""

    shapes = None

    def ppf(self, u: Any, loc: float = 0.0) -> Any:
        from scipy import special

        return special.ndtri(u) + loc


class _Uniform(_Normal):
    """The same of `scipy.stats.uniform`."""

    def ppf(self, u: Any, loc: float = 0.0) -> Any:
        return u + loc


_OFTEN = {"norm": _Normal(), "uniform": _Uniform()}


def _family(name: str) -> Any:
    return _OFTEN.get(name) or _of_scipy(name)


@cache
def _of_scipy(name: str) -> Any:
    stats = _stats()
    family = getattr(stats, name, None)
    if not isinstance(family, stats.rv_continuous | stats.rv_discrete):
        valid = [each for each in dir(stats) if isinstance(getattr(stats, each), stats.rv_continuous | stats.rv_discrete)]
        hint = nearest(str(name), valid) or nearest(str(name), ["norm (normal)", "uniform", "truncnorm", "triang", "lognorm"])
        raise InvalidInput(Problem("distribution", "a distribution of scipy.stats, such as 'norm'", repr(name), hint=hint))
    return family


def _names(family: Any) -> list[str]:
    """Return the names of all parameters: those of the shape, loc, and scale, which no discrete one has."""
    shapes = [name.strip() for name in family.shapes.split(",")] if family.shapes else []
    has_scale = family in _OFTEN.values() or isinstance(family, _stats().rv_continuous)
    return [*shapes, "loc", *(["scale"] if has_scale else [])]


def _parameter(key: str, given: object) -> Parameter:
    try:
        numbers = real("" if np.asarray(given).dtype == bool else given)
    except (TypeError, ValueError):  # no numbers, or lists of different lengths
        numbers = np.empty(0)
    if numbers.ndim > 1 or not numbers.size or not np.all(np.isfinite(numbers)):
        raise InvalidInput(Problem(key, "a finite number, or a list with one per component", repr(given)))
    return tuple(map(float, numbers)) if numbers.ndim else float(numbers)
