"""How far loops stay below what swings in the structure."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, as_controller
from ...errors import InvalidInput, Problem, checked
from ...guidance import ReferenceMotion
from ...plant import Plant
from ...system import State
from ._broken_loop import broken_loop
from ._linearise import linearise

SWINGS = 1e-3  # least part of a pole that is imaginary


class Mode(NamedTuple):
    """How a plant swings by itself: frequency [rad/s], damping ratio, and the coordinate that moves most."""

    omega_rad_s: float
    damping: float
    state: str


class Separation(NamedTuple):
    """How far loops stay below flexible modes.

    modes : those of the plant, the slowest first
    bandwidth_rad_s : by loop, the last frequency at which |L| = 1 with all others closed; 0 where there is none
    ratio : by loop, the slowest mode over that; worst : the loop of the least

    >>> mode = flexible_modes(plant, state, momenta="remove")
    >>> Separation(mode, {"tau[joint1]": 0.8}, {"tau[joint1]": 12.0}).worst
    'tau[joint1]'
    """

    modes: tuple[Mode, ...]
    bandwidth_rad_s: dict[str, float]
    ratio: dict[str, float]

    @property
    def worst(self) -> str:
        """The loop that comes nearest to the slowest mode."""
        return min(self.ratio, key=lambda name: self.ratio[name])


@checked
def flexible_modes(
    plant: Plant, state: State, command: ArrayLike | None = None, *, momenta: str = "keep", t: float = 0.0
) -> tuple[Mode, ...]:
    """Return how a plant swings by itself about a state, with springs in joints, loads or between bodies: the slowest first.

    command : (N,) or (6 + N,) in SI, none unless said

    All other arguments are those of `linearise`, which raises what is raised.

    >>> flexible_modes(plant, state, momenta="remove")  # nothing swings here
    ()
    """
    given = np.zeros(plant.layout.N) if command is None else command
    linear = linearise(plant, state, given, momenta=momenta, t=t)
    poles, shapes = np.linalg.eig(linear.A)
    names, modes = linear.state_labels, []
    for pole, shape in zip(poles, shapes.T, strict=True):
        if pole.imag > SWINGS * abs(pole):
            modes.append(Mode(float(abs(pole)), float(-pole.real / abs(pole)), _most(shape, names)))
    return tuple(sorted(modes))


@checked
def bandwidth_separation(
    plant: Plant,
    state: State,
    controller: Controller,
    *,
    command: ArrayLike | None = None,
    reference: ReferenceMotion | None = None,
    momenta: str = "keep",
    t: float = 0.0,
) -> Separation:
    """Return how far below the slowest flexible mode of a plant the loops of a law stay: a measure of our own.

    command : (N,) or (6 + N,); it and all other arguments are those of `broken_loop`

    Raises `InvalidInput` for a plant in which nothing swings, else as `linearise`.

    >>> from scmanip.control import JointRegulator
    >>> from scmanip.system import Body, Joint, System
    >>> panel = Joint("root", "revolute", [0.0, 0.0, 1.0], stiffness=350.0)
    >>> arm = Body("arm", 4.0, [0.3, 1.0, 1.0], [0.5, 0.0, 0.0], "base", Joint("hinge", "revolute"))
    >>> wing = Body("panel", 3.0, [0.1, 0.5, 0.5], [1.0, 0.0, 0.0], "base", panel)
    >>> body = scmanip.compile_model(System("panelled", Body("base", 40.0, [6.0, 7.0, 5.0]), [arm, wing], fixed=True))
    >>> hold = JointRegulator(body, K_P=[8.0, 0.0], K_D=[6.0, 0.0])
    >>> found = bandwidth_separation(scmanip.Plant(body, scmanip.FixedBase()), scmanip.State(q=[0.3, 0.0]), hold)
    >>> round(found.modes[0].omega_rad_s, 3), found.worst, round(found.ratio[found.worst], 2)
    (10.0, 'tau[hinge]', 3.08)
    """
    import control

    modes = flexible_modes(plant, state, command, momenta=momenta, t=t)
    if not modes:
        hint = "modes are of springs in joints that the law leaves alone, or of loads"
        raise InvalidInput(Problem("plant", "one that swings by itself", repr(plant), hint=hint))
    common: dict[str, Any] = {"command": command, "reference": reference, "momenta": momenta, "t": t}
    whole = broken_loop(plant, state, as_controller(controller, plant.mode), **common)
    bandwidths = dict[str, float]()
    for name in whole.input_labels:
        L = broken_loop(plant, state, controller, name, **common)
        if np.any(L.B) and np.any(L.C):
            crossings = control.stability_margins(L, returnall=True)[4]
            bandwidths[name] = float(max(crossings, default=0.0))
    ratios = {name: modes[0].omega_rad_s / at if at else np.inf for name, at in bandwidths.items()}
    return Separation(modes, bandwidths, ratios)


def _most(shape: Any, names: list[str]) -> str:
    """Return which coordinate moves most; rates are those of coordinates."""
    places = [k for k, name in enumerate(names) if not name.endswith("[rate]") and not name.startswith(("v_0", "omega_0"))]
    return names[max(places, key=lambda k: abs(shape[k]))]
