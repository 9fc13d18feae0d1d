"""The names under which a model's quantities are asked for, with what goes in and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..errors import UnknownName
from ..spatial import Array
from ._equations import Equations, Point

Inputs = Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class Quantity:
    """One name: which inputs it needs beside the state, whether it needs a frame, and its arrays.

    inputs : of "tau" (N,), "wrench" (6,), "udot" (n_u,), "qddot" (N,)
    evaluate : (equations, point or None, inputs) -> arrays in the order of the contract, joint axis of dX_dq last
    """

    inputs: tuple[str, ...]
    framed: bool
    evaluate: Callable[[Equations, Point | None, Inputs], tuple[Array, ...]]


def _plain(name: str) -> Quantity:
    return Quantity((), False, lambda e, point, inputs: (np.asarray(getattr(e, name)),))


def _gradient(name: str) -> Quantity:
    return Quantity((), False, lambda e, point, inputs: (np.moveaxis(getattr(e, name), 0, -1),))


def _framed(name: str) -> Quantity:
    return Quantity((), True, lambda e, point, inputs: (getattr(e, name)(point),))


def _inverse_dynamics(e: Equations, point: Point | None, inputs: Inputs) -> tuple[Array, ...]:
    result = e.inverse_dynamics(inputs["udot"])
    return (result.tau,) if e.parameters.fixed else (result.wrench, result.tau)


def _floating_inverse_dynamics(e: Equations, point: Point | None, inputs: Inputs) -> tuple[Array, ...]:
    result = e.floating_inverse_dynamics(inputs["qddot"])
    return result.base_acceleration, result.tau


PLAIN = (
    "H0", "H0m", "Hm", "M", "H", "H0_inverse", "S_U", "r_0C", "Hdot", "C", "c", "momentum_bias", "coriolis_matrix",
    "H0_dot", "H0m_dot", "Hm_dot", "gravity_force", "kinetic_energy",
)  # fmt: skip
GRADIENTS = ("dH_dq", "dH0_dq", "dH0m_dq", "dHm_dq")
FRAMED = ("J0", "Jm", "J_star", "J_star_drift", "position")

QUANTITIES: dict[str, Quantity] = {
    **{name: _plain(name) for name in PLAIN},
    **{name: _gradient(name) for name in GRADIENTS},
    **{name: _framed(name) for name in FRAMED},
    "attitude": Quantity((), True, lambda e, point, inputs: (e.attitude_of(point),)),  # type: ignore[arg-type]
    "momentum": Quantity((), False, lambda e, p, i: (e.momentum.P, e.momentum.L_0, e.momentum.L_C)),
    "forward_dynamics": Quantity(("tau",), False, lambda e, p, i: (e.forward_dynamics(i["tau"]),)),
    "forward_dynamics:wrench": Quantity(("tau", "wrench"), False, lambda e, p, i: (e.forward_dynamics(i["tau"], i["wrench"]),)),
    "inverse_dynamics": Quantity(("udot",), False, _inverse_dynamics),
    "floating_inverse_dynamics": Quantity(("qddot",), False, _floating_inverse_dynamics),
}


def quantity(name: str) -> tuple[Quantity, str | None]:
    """Return the quantity and the frame of a name such as "H" or "J_star:tip"; raises `UnknownName`."""
    if name in QUANTITIES and not QUANTITIES[name].framed:
        return QUANTITIES[name], None
    head, colon, frame = name.partition(":")
    if colon and head in QUANTITIES and QUANTITIES[head].framed:
        return QUANTITIES[head], frame
    valid = [f"{n}:FRAME" if q.framed else n for n, q in QUANTITIES.items()]
    raise UnknownName("quantity", name, "a model", valid)
