"""How mass properties scatter, in columns of a CSV file of masses beside the numbers themselves.

`sigma_COLUMN` is a standard deviation, in the unit of its column; `corr_A_B` is the correlation of two numbers of a body, which
are called there without their units: `corr_mass_com_x`, `corr_ixx_iyy`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from ...errors import Problem, nearest
from ..files._assembled import SourcePlace
from .reading._number import number

NUMBERS = {
    "mass": "mass_kg",
    **{f"com_{axis}": f"com_{axis}_m" for axis in "xyz"},
    **{name: f"{name}_kg_m2" for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")},
}
"""What a row says, by what correlations call it."""
_SIGMA = {f"sigma_{heading}": name for name, heading in NUMBERS.items()}
_CORR = {f"corr_{one}_{other}": (one, other) for one, other in permutations(NUMBERS, 2)}
_ROUNDING = 1e-9
WORDS = "sigma_ before one of these, or corr_ before two without their units, as in corr_mass_com_x"


@dataclass(frozen=True)
class MassScatter:
    """Mass, centre of mass and inertia of a body with their standard deviations and correlations: a row of a CSV file.

    mean, sigma : (10,) mass [kg], centre of mass x y z [m], inertia about it xx yy zz xy xz yz [kg m^2], in axes of the body
    correlation : (10, 10) bare numbers, row by row, positive semi-definite, ones on its diagonal
    file, line : where it is said

    >>> (row,) = mass_scatter("body,mass_kg,ixx_kg_m2,iyy_kg_m2,izz_kg_m2,sigma_mass_kg\\narm,4,1,1,1,0.2", "masses.csv")
    >>> row.body, row.mean[0], row.sigma[0], row.correlation[0][:2]
    ('arm', 4.0, 0.2, (1.0, 0.0))
    """

    body: str
    mean: tuple[float, ...]
    sigma: tuple[float, ...]
    correlation: tuple[tuple[float, ...], ...]
    file: str
    line: int

    @classmethod
    def of(cls, said: Mapping[str, str], place: SourcePlace) -> MassScatter:
        """Return that of a row, whose cells are known to be numbers."""
        mean = tuple(number(said.get(heading, "0")) for heading in NUMBERS.values())
        sigma = tuple(number(said.get(heading, "0")) for heading in _SIGMA)
        return cls(said["body"], mean, sigma, tuple(map(tuple, _matrix(said))), place.file, place.line)


def is_scatter(heading: str) -> bool:
    """Whether a column says how something scatters."""
    return heading in _SIGMA or heading in _CORR


def heading_hint(heading: str) -> str:
    """Return what an unknown heading may have meant."""
    spread = any(word in heading for word in ("sd", "std", "cov", "var"))
    return "standard deviations are columns such as sigma_mass_kg" if spread else nearest(heading, (*_SIGMA, *_CORR))


def heading_problems(file: str, head: list[str]) -> Iterator[Problem]:
    """Yield what keeps columns of scatter from going with the others."""
    for column, name in enumerate(head, 1):
        for needed in _needed(name, head):
            yield Problem("heading", f"{needed!r} beside {name!r}", "nothing", file, 1, column)
        pair = _CORR.get(name)
        if pair and f"corr_{pair[1]}_{pair[0]}" in head[: column - 1]:
            yield Problem("heading", "every correlation once", f"{name!r} beside 'corr_{pair[1]}_{pair[0]}'", file, 1, column)


def _needed(name: str, head: Collection[str]) -> list[str]:
    needed = [NUMBERS[_SIGMA[name]]] if name in _SIGMA else [f"sigma_{NUMBERS[one]}" for one in _CORR.get(name, ())]
    return [each for each in needed if each not in head]


def row_problems(file: str, line: int, said: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what is wrong with the scatter of a row, whose cells are numbers."""
    columns = {name: column for column, name in enumerate(said, 1)}
    sound = True
    for name, column in columns.items():
        if name in _SIGMA and number(said[name]) < 0:
            yield Problem(name, "a standard deviation, 0 or more", said[name], file, line, column)
        if name in _CORR and abs(number(said[name])) > 1:
            sound = False
            yield Problem(name, "a correlation, from -1 to 1", said[name], file, line, column)
        still = [one for one in _CORR.get(name, ()) if number(said[f"sigma_{NUMBERS[one]}"]) == 0]
        if still and number(said[name]):
            yield Problem(name, f"0, as sigma_{NUMBERS[still[0]]} is 0", said[name], file, line, column)
    smallest = float(np.linalg.eigvalsh(_matrix(said))[0]) if sound else 0.0
    if smallest < -_ROUNDING:
        found = f"an eigenvalue of {smallest:.3g} of the correlations of {said['body']!r}"
        first = next(column for name, column in columns.items() if name in _CORR)
        yield Problem("correlation", "a positive semi-definite covariance", found, file, line, first)


def _matrix(said: Mapping[str, str]) -> list[list[float]]:
    """Return correlations (10, 10) of a row."""
    places = {name: k for k, name in enumerate(NUMBERS)}
    C = np.eye(len(places))
    for name, (one, other) in _CORR.items():
        if name in said:
            C[places[one], places[other]] = C[places[other], places[one]] = number(said[name])
    rows: list[list[float]] = C.tolist()
    return rows
