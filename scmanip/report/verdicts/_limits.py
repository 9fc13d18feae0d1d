"""What a run must not exceed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...errors import checked


@checked
@dataclass(frozen=True)
class Limits:
    """Limits in SI units; None, or a joint that is not listed, is measured and not judged.

    momentum_relative : drift of P and of L_C, each against the arm's peak
    system_com_drift_m : distance of the system CoM from its straight path
    energy_relative : energy not accounted for, against the peak kinetic energy, or what was stored if that is more
    root_joint_momentum_relative : momentum along the undriven root joint of a held base, against the arm's peak
    base_rotation_rad, base_displacement_m : from where the run started
    base_rate_rad_s : magnitude of omega_0
    final_joint_error_rad, final_joint_error_m : joints from their reference at the end
    base_force_N, base_torque_Nm : magnitudes of force and torque on the base in modes that drive it
    impulse_Ns, angular_impulse_Nms : magnitudes of the impulses from outside since the start
    propellant_kg : burnt by the thrusters
    joint_power : by name as the next two [W], of the actuators, also where they brake
    tip_error_m, tip_error_rad : frame that a reference leads from that reference at the end
    joint_effort, joint_rate : by joint name, which stands for each of its freedoms, or by freedom, such as "wrist.2"
        [N m or N], [rad/s or m/s]
    interface_force_N, interface_moment_Nm : magnitudes of what goes through, by names of `system.interfaces`
    switch_impulse_Ns, switch_angular_impulse_Nms : magnitudes of what a constraint, or a place
        where shapes touch, gives in any one switch, by its name
    final_free_rate_rad_s, final_free_momentum_Nms : magnitudes of the angular velocity of a free body at the end, and of the
        angular momentum of it and what it carries about their CoM, by its name

    >>> Limits(base_rotation_rad=0.05, joint_rate={"joint1": 0.2}).joint_rate["joint1"]
    0.2
    """

    momentum_relative: float | None = None
    system_com_drift_m: float | None = None
    energy_relative: float | None = None
    root_joint_momentum_relative: float | None = None
    base_rotation_rad: float | None = None
    base_displacement_m: float | None = None
    base_rate_rad_s: float | None = None
    final_joint_error_rad: float | None = None
    final_joint_error_m: float | None = None
    base_force_N: float | None = None
    base_torque_Nm: float | None = None
    impulse_Ns: float | None = None
    angular_impulse_Nms: float | None = None
    propellant_kg: float | None = None
    tip_error_m: float | None = None
    tip_error_rad: float | None = None
    joint_effort: Mapping[str, float] = field(default_factory=dict)
    joint_rate: Mapping[str, float] = field(default_factory=dict)
    joint_power: Mapping[str, float] = field(default_factory=dict)
    interface_force_N: Mapping[str, float] = field(default_factory=dict)
    interface_moment_Nm: Mapping[str, float] = field(default_factory=dict)
    switch_impulse_Ns: Mapping[str, float] = field(default_factory=dict)
    switch_angular_impulse_Nms: Mapping[str, float] = field(default_factory=dict)
    final_free_rate_rad_s: Mapping[str, float] = field(default_factory=dict)
    final_free_momentum_Nms: Mapping[str, float] = field(default_factory=dict)
