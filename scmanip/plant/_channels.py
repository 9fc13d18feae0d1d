"""The series of any plant: its state, what is integrated beside it, and what its actuators do; turners add their own."""

from __future__ import annotations

from collections.abc import Iterable

from ..channels import Channel, Nature, Portion
from ..errors import checked

_STATE, _TOTAL = Nature.STATE, Nature.INTEGRAL
_ANGLES = Portion("rad", "rad", "joint_angle"), Portion("m", "m", "joint_extension"), Portion("1", "1")
_RATES = Portion("rad", "rad/s", "joint_rate"), Portion("m", "m/s", "joint_speed")
_EFFORTS = Portion("rad", "N m", "joint_torque"), Portion("m", "N", "joint_force")
_ON_BASE = Portion("N", "N", "base_force"), Portion("N m", "N m", "base_torque")
_IMPULSES = Portion("N", "N s", "impulse"), Portion("N m", "N m s", "angular_impulse")
_ATTITUDE = "unit quaternion, base to inertial, scalar last"
_OMEGA_0, _V_0 = "angular velocity of the base, inertial components", "velocity of the base centre of mass"
_PUSHED = "impulse from outside since the start, about the system centre of mass"
_BURNT = "propellant burnt by the thrusters since the start"

STATES = (
    Channel("q", "coordinate", _ANGLES, "joint coordinates", _STATE),
    Channel("qdot", "freedom", _RATES, "joint rates", _STATE),
    Channel("r_0", "xyz", "m", "base centre of mass", _STATE, metric="base_position", free_base=True),
    Channel("attitude_xyzw", "xyzw", "1", _ATTITUDE, _STATE, free_base=True),
    Channel("v_0", "xyz", "m/s", _V_0, _STATE, metric="base_velocity", free_base=True),
    Channel("omega_0", "xyz", "rad/s", _OMEGA_0, _STATE, metric="base_omega", free_base=True),
)
TOTALS = (
    Channel("work", "", "J", "work of the actuators since the start", _TOTAL),
    Channel("dissipated", "", "J", "energy taken by joint dampers since the start", _TOTAL),
    Channel("impulse", "wrench_part", _IMPULSES, _PUSHED, _TOTAL, free_base=True),
    Channel("propellant_kg", "", "kg", _BURNT, _TOTAL),
)


@checked
def law_channel(units: Iterable[str]) -> Channel:
    """Return the series of what laws remember, with the units of its entries.

    >>> channel = law_channel(["N m", "N m"])
    >>> channel.name, channel.meaning
    ('law_states', 'what the law remembers as part of the state')
    """
    portions = tuple(Portion(unit, unit) for unit in dict.fromkeys(units))
    return Channel("law_states", "law_state", portions, "what the law remembers as part of the state", _STATE, gaps=True)


OUTPUTS = (
    Channel("tau", "freedom", _EFFORTS, "joint forces of the actuators"),
    Channel("wrench", "wrench_part", _ON_BASE, "force and moment on the base", free_base=True),
    Channel("thrust_N", "thruster", "N", "forces of the thrusters"),
)
