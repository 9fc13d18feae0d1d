"""Margins of several loops at once, and of what is uncertain in them, by SLICOT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller
from ...errors import InvalidInput, MissingExtra, Problem, refuse
from ...guidance import ReferenceMotion
from ...plant import Plant
from ...spatial import Array, is_number
from ...system import State
from ._broken_loop import broken_loop

POINTS = 200  # frequencies where none are said
BEYOND = 30.0  # times the slowest and the fastest pole


class DiskMargins(NamedTuple):
    """How much all commands may be changed at once, each by another factor [Seiler2020].

    disk : the size of the disk of factors; gain : the factor up to which, and down to one over which, any gains may be off;
        phase_deg : the turns up to which any phases may be; omega_rad_s : where it is least

    >>> disk = disk_margins(plant, state, law, "tau[joint1]", momenta="remove")
    >>> round(disk.disk, 3), round(disk.phase_deg, 1)
    (0.895, 48.2)
    """

    disk: float
    gain: float
    phase_deg: float
    omega_rad_s: float


def disk_margins(
    plant: Plant,
    state: State,
    controller: Controller,
    loop: str | None = None,
    *,
    omega_rad_s: ArrayLike | None = None,
    at: Mapping[str, float] | None = None,
    command: ArrayLike | None = None,
    reference: ReferenceMotion | None = None,
    momenta: str = "keep",
    t: float = 0.0,
) -> DiskMargins:
    """Return the disk margins of `control.disk_margins` of all loops at once, or of one, with balanced disks (skew 0).

    The margins are those of [Seiler2020].

    omega_rad_s : (n,) frequencies > 0; where none are said, from a thirtieth of the slowest to thirty times the fastest pole
    plant, state, controller, loop, at, command, reference, momenta, t : as of `broken_loop`

    Raises `MissingExtra` for several loops without slycot, `InvalidInput` for a loop that is not stable, else as `broken_loop`.

    >>> disk = disk_margins(plant, state, law, "tau[joint1]", momenta="remove")
    >>> round(disk.gain, 2) > 1.0
    True
    """
    import control

    found: Any = broken_loop(plant, state, controller, loop, at=at, command=command, reference=reference, momenta=momenta, t=t)
    if found.ninputs > 1:
        _refuse_without_slycot("disk margins of several loops at once")
    closed = control.feedback(found, np.eye(found.ninputs))
    _refuse_unstable(closed)
    omega = frequencies(closed) if omega_rad_s is None else _positive(omega_rad_s)
    disk, gain_dB, phase = control.disk_margins(found, omega, returnall=True)
    k = int(np.argmin(disk))
    return DiskMargins(float(disk[k]), float(10 ** (gain_dB[k] / 20)), float(phase[k]), float(omega[k]))


def structured_singular_values(system: Any, blocks: Sequence[int], omega_rad_s: ArrayLike) -> Array:
    """Return upper bounds (n,) of mu, a bare number, of a linear system over frequencies, by SLICOT's AB13MD [Fan1991].

    A loop stays stable with all uncertainties Delta of the structure of which |Delta| mu < 1 at every frequency.

    system : `control.StateSpace` or the like, from what the uncertainties say to what they see
    blocks : sizes of the blocks of Delta, in order: each a full block of complex numbers; of as many commands that are off by
        factors of their own [1] * n
    omega_rad_s : (n,) frequencies > 0

    Raises `MissingExtra` without slycot.

    >>> import control
    >>> structured_singular_values(control.ss(-1, 1, 0.5, 0), [1], [1.0]).round(3)  # doctest: +SKIP
    array([0.354])
    """
    _refuse_without_slycot("the structured singular value")
    import slycot

    sizes = list(blocks)
    whole = all(isinstance(size, int) and size > 0 for size in sizes)
    if not whole or (system.ninputs, system.noutputs) != (sum(sizes), sum(sizes)):
        size = f"{system.noutputs} x {system.ninputs}"
        raise InvalidInput(Problem("blocks", f"whole numbers > 0 whose sum is the size of the system, {size}", repr(blocks)))
    values = np.moveaxis(np.atleast_3d(system.frequency_response(_positive(omega_rad_s), squeeze=False).complex), 2, 0)
    structure = np.array(sizes), np.full(len(sizes), 2)
    return np.array([slycot.ab13md(each, *structure)[0] for each in values])


def frequencies(system: Any) -> Array:
    """Return frequencies (n,) at which a linear system shows what it does."""
    poles = system.poles()
    if system.isdtime(strict=True):
        poles = np.log(poles[abs(poles) > 0]) / system.dt
    sizes = abs(poles)
    last = np.pi / system.dt if system.isdtime(strict=True) else np.inf
    sizes = sizes[sizes > 1e-9 * sizes.max(initial=1e-300)]
    slowest, fastest = (sizes.min(), sizes.max()) if len(sizes) else (1.0, 1.0)
    return np.geomspace(slowest / BEYOND, min(fastest * BEYOND, last), POINTS)


def _refuse_without_slycot(purpose: str) -> None:
    if find_spec("slycot") is None:
        raise MissingExtra(purpose, "robust")


def _refuse_unstable(closed: Any) -> None:
    poles = closed.poles()
    beyond = abs(poles) - 1 if closed.isdtime(strict=True) else poles.real / abs(poles).max(initial=1e-300)
    if beyond.max(initial=-1.0) > 1e-6:
        k = int(beyond.argmax())
        raise InvalidInput(Problem("controller", "one whose loop is stable", f"a pole at {poles[k]:.4g}"))


def _positive(values: Any) -> Array:
    try:
        array = np.atleast_1d(np.asarray(values, dtype=float))
    except (TypeError, ValueError):
        array = np.empty(0)
    fits = array.ndim == 1 and array.size > 0 and all(is_number(value) and value > 0 for value in array.tolist())
    refuse([None if fits else Problem("omega_rad_s", "finite numbers (n,) > 0", repr(values))])
    return array
