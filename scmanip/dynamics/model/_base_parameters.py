"""Which combinations of inertial parameters a motion shows: the base parameters [Gautier1991]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import expect
from ...spatial import Array, row_space
from ...system import Body, System

NAMES = ("m", "mc_x", "mc_y", "mc_z", "I_xx", "I_xy", "I_yy", "I_xz", "I_yz", "I_zz")


def inertial_parameters(system: System) -> Array:
    """Return (10 n_b,): per body mass, mass times centre of mass (3), inertia about its frame's origin xx xy yy xz yz zz.

    [kg, kg m, kg m^2], in axes of the body's own frame: what `Model.regressor` is to be multiplied by, in Pinocchio's order.

    Raises `InvalidInput` for what is no `System`.

    >>> inertial_parameters(system)[10:14].tolist()  # link1: mass, and mass times centre of mass
    [10.0, -5.0, 0.0, 0.0]
    """
    expect("system", system, System, "a System")
    return np.concatenate([_of_body(body) for body in system.bodies])


def _of_body(body: Body) -> Array:
    m, c = body.mass_kg, body.com_m
    I = body.inertia_kg_m2 + m * ((c @ c) * np.eye(3) - np.outer(c, c))
    return np.array([m, *(m * c), I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]])


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """Orthonormal combinations of the inertial parameters, all that rows of regressors tell.

    names : of the 10 n_b parameters, such as "link2 mc_x"
    basis : (r, 10 n_b) combinations, so that Y parameters = (Y basis') (basis parameters) for each Y that they are of
    values : (r,) theirs, of the system
    singular_values : (10 n_b,) of the rows, whose columns were scaled to length 1
    unseen : names of parameters that change nothing at all

    Numbers are combined as they are in SI throughout.

    >>> rod = scmanip.Body("rod", 3.0, [0.0, 1.0, 1.0], [0.5, 0, 0], "base", scmanip.Joint("pin", "revolute"))
    >>> held = {"fixed": True, "gravity_m_s2": [0, -9.81, 0]}
    >>> pendulum = scmanip.System("pendulum", scmanip.Body("base", 0.0, [0, 0, 0]), [rod], **held)
    >>> own, angles = compile_model(pendulum), np.linspace(-1, 1, 9)
    >>> rows = np.concatenate([own.regressor(scmanip.State.at_rest(pendulum, [q]), [1.0 - q]) for q in angles])
    >>> found = BaseParameters.of(pendulum, rows)
    >>> found.rank, len(found.names)  # I_zz, m c_x and m c_y are all that its torque tells
    (3, 20)
    """

    names: tuple[str, ...]
    basis: Array
    values: Array
    singular_values: Array
    unseen: tuple[str, ...]

    @classmethod
    def of(cls, system: System, rows: Array) -> BaseParameters:
        """Return those that rows (n, 10 n_b) of regressors show."""
        names = tuple(f"{body.name} {name}" for body in system.bodies for name in NAMES)
        found = row_space(rows)
        unseen = tuple(name for name, seen in zip(names, found.seen, strict=True) if not seen)
        return cls(names, found.basis, found.basis @ inertial_parameters(system), found.singular_values, unseen)

    @property
    def rank(self) -> int:
        """r."""
        return len(self.basis)
