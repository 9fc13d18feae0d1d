"""What each actuator, damper and joint had in the totals of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...channels import Bundle, Channel, Nature
from ...spatial import Array
from ...system import System
from ..loop._setup import Setup
from ._look import Look
from ._recoil import recoil, rotations


class Shares:
    """Integrals since the start of a run, by quadrature in each of its steps.

    The run is done again with samples at the places where the rule wants them, so that a controller may have a memory; the run
    itself is as fast as if nobody asked. In machine code steps end where one thruster takes over from another; in Python they
    do not where the motion does not show it, and what each of the two gave is then known less well than what both did.
    """

    def __init__(self, setup: Setup, look: Look, t: Array) -> None:
        self._setup, self._look, self._t = setup, look, t

    def work(self) -> Sequence[Array]:
        """Energy in and out, by actuator and damper."""
        model, inside = self._setup.model, self._look.inside
        system, states = model.system, inside.states
        turners, turned = system.turners, states.x[:, model.layout.x_actuators]
        pushed = np.zeros(len(inside.t))
        if not model.layout.fixed:
            pushed = (inside.output("external") * states.u[:, model.layout.base]).sum(axis=1)
        given = inside.output("tau") * states.qdot, *turners.by_kind(inside.output("powers")), pushed
        bearings = turners.by_kind(turners.dissipated(turned))
        return self._totals(*given, system.friction.force(states.qdot) * states.qdot, *bearings, self._damped())

    def thrust(self) -> Sequence[Array]:
        """What each thruster gave."""
        system, inside = self._setup.model.system, self._look.inside
        along = np.zeros((len(inside.t), len(system.pushers.each)))
        if self._setup.plant.burns:
            R = rotations(inside.states)
            parts = (inside.states.v_0, inside.states.omega_0)
            twist = np.concatenate([np.einsum("nij,ni->nj", R, part) for part in parts], axis=1)
            along = twist @ system.pushers.wrench_map
        return self._totals(inside.output("thrust_N") * along, inside.output("thrust_N"))

    def base(self) -> Sequence[Array]:
        """What each joint made the base turn and move."""
        model, n = self._setup.model, len(self._t)
        joints, momentum = np.zeros((n, 6, model.layout.N)), np.zeros((n, 6))
        if not model.layout.fixed:
            of_tree, momentum = self._totals(*recoil(model, self._look.inside.states))
            joints = model.layout.among_all(of_tree)
        return [part[:, place].copy() for place in (slice(0, 3), slice(3, 6)) for part in (joints, momentum)]

    def slip(self) -> Sequence[Array]:
        """What constraints took that slip; between switches nothing else is lost by them."""
        inside = self._look.inside
        return self._totals(-(inside.output("slip") * inside.states.u).sum(axis=1))

    def driven(self) -> Sequence[Array]:
        """What constraints gave that drive."""
        inside = self._look.inside
        held = (inside.output("reaction") - inside.output("slip")) * self._setup.plant.drives
        return self._totals((held * inside.states.u).sum(axis=1))

    def _totals(self, *rates: Array) -> Sequence[Array]:
        return self._look.rule.totals(self._t, *rates)

    def _damped(self) -> Array:
        model, inside = self._setup.model, self._look.inside
        dampers = np.array([spring.damping_Ns_m for spring in model.system.springs])
        if not dampers.any():
            return np.zeros((len(inside.t), len(dampers)))
        return dampers * model.batch.springs(inside.states).rate ** 2


def _share(name: str, axes: str, unit: str, meaning: str, part_of: str = "") -> Channel:
    return Channel(name, axes, unit, meaning, Nature.INTEGRAL, part_of=part_of)


_RUBBED = "energy taken by friction and dampers of each joint since the start"
_DAMPED = "energy taken by each damper between two points since the start"
_SWITCHED = "energy lost since the start where constraints began to hold or slipped, and in rigid contacts"
_DRIVEN = "work since the start of constraints that have a speed, close over a time, or push off as they are released"
_MOVED, _TURNED = "displacement of the base since the start by {}", "integral since the start of what {} makes of {}"
_JOINT, _OMEGA_0 = "each joint's motion", "the base's angular velocity"

_OF_ALL: tuple[Bundle[Shares], ...] = (
    Bundle(
        (
            _share("work_by_thruster", "thruster", "J", "work of each thruster since the start"),
            _share("impulse_by_thruster", "thruster", "N s", "impulse of each thruster since the start"),
        ),
        Shares.thrust,
    ),
    Bundle(
        (
            _share("shift_by_joint", "xyz freedom", "m", _MOVED.format(_JOINT)),
            _share("shift_by_momentum", "xyz", "m", _MOVED.format("momentum")),
            _share("turn_by_joint", "xyz freedom", "rad", _TURNED.format(_JOINT, _OMEGA_0)),
            _share("turn_by_momentum", "xyz", "rad", _TURNED.format("momentum", _OMEGA_0)),
        ),
        Shares.base,
    ),
)


def from_shares(system: System, *, touching: bool = False) -> tuple[Bundle[Shares], ...]:
    """Return the totals of a system, those of every kind that turns its base among them.

    touching : whether shapes of it touch rigidly
    """
    its = system.turners.channels
    work = (
        _share("work_by_joint", "freedom", "J", "work of the joints' actuators since the start", "work"),
        *(kind.work for kind in its),
        _share("work_on_base", "", "J", "work since the start of what pushes the base from outside", "work"),
        _share("dissipated_by_joint", "freedom", "J", _RUBBED, "dissipated"),
        *(kind.dissipated for kind in its),
        _share("dissipated_by_spring", "spring", "J", _DAMPED, "dissipated"),
    )
    driven = (_share("work_by_constraints", "", "J", _DRIVEN, "work"),) * bool(system.constraints)
    switched = (_share("dissipated_by_switches", "", "J", _SWITCHED, "dissipated"),) * (touching or bool(system.constraints))
    return Bundle(work, Shares.work), Bundle(driven, Shares.driven), Bundle(switched, Shares.slip), *_OF_ALL
