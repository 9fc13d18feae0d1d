"""The tables and keys of a mission file, `scmanip.mission/1`. Importing this file loads pydantic: do it late.

Each field says what it takes in its description, which error messages repeat. Rules between keys, and between the
mission and its system, are in `_initial`, `_phases` and `_limits`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat

from ..errors import nearest
from ..report import FIGURES, TIP_FIGURES
from ..simulation import LARGEST_ATOL, LARGEST_RTOL
from ..system import found_text, refusal, visible

SCHEMA = "scmanip.mission/1"
SMALLEST_RTOL = 2.3e-14
MOST_PHASES = 200
MOST_MODES = 20  # more than there are
MOST_FIGURES = 100  # more than there are
LONGEST_S = 1e12  # 30 000 years
MODE = 'the name of a mode, or a table such as { type = "translation_flying", attitude = "rotation_floating" }'
GAIN = "a number >= 0, a list with one such number per joint, or a table of joint = number >= 0"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e308  # false for NaN


def _are_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


def _by_joint(value: Any) -> Any:
    numbers = value.values() if isinstance(value, dict) else None
    if not (_are_numbers(value) or (numbers is not None and all(_is_number(n) or _are_numbers(n) for n in numbers))):
        nested = numbers is not None and any(isinstance(n, dict) for n in numbers)
        names = ', with names such as "wrist.2" in quotation marks' if nested else ""
        raise ValueError(f"a list of numbers, one per joint, or a table of joint = number{names}")
    return value


def _quaternions(value: Any) -> Any:
    if not (isinstance(value, dict) and all(_are_numbers(numbers) and len(numbers) == 4 for numbers in value.values())):
        raise ValueError("a table of spherical joint = 4 numbers x, y, z, w")
    return value


def _one_or_per_joint(value: Any) -> Any:
    numbers = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else [value]
    if not all(_is_number(number) and number >= 0 for number in numbers):
        raise ValueError(GAIN)
    return value


def _joint_limit(value: Any) -> Any:
    numbers = list(value.values()) if isinstance(value, dict) else [value]
    if not all(_is_number(number) and number > 0 for number in numbers):
        raise ValueError("a number > 0, or a table of joint = number > 0")
    return value


def _mode(value: Any) -> Any:
    texts = [value] if isinstance(value, str) else list(value.values()) if isinstance(value, dict) else []
    if not texts or not all(isinstance(text, str) and text for text in texts):
        raise ValueError(MODE)
    return value


def _speeds(value: Any) -> Any:
    numbers = list(value.values()) if isinstance(value, dict) else value
    if not _are_numbers(numbers):
        raise ValueError("a list of numbers, one per wheel, or a table of wheel = number")
    return value


def _known_figure(value: Any) -> Any:
    names = (*FIGURES, *TIP_FIGURES)
    if not isinstance(value, str) or value not in names:
        raise refusal(
            f"one of {', '.join(names)}", found_text(value), hint=nearest(value, names) if isinstance(value, str) else ""
        )
    return value


def _tolerance(value: Any) -> Any:
    if not (_is_number(value) and SMALLEST_RTOL <= value <= LARGEST_RTOL):
        raise ValueError(f"a number from {SMALLEST_RTOL:g} to {LARGEST_RTOL:g}, the error of a step in parts of the state")
    return float(value)


def _absolute_tolerance(value: Any) -> Any:
    if not (_is_number(value) and 0 < value <= LARGEST_ATOL):
        raise ValueError(f"a number > 0 and at most {LARGEST_ATOL:g}, the error of a step in m, rad, m/s, rad/s and so on")
    return float(value)


Name = Annotated[str, Field(min_length=1, description="a text that is not empty"), AfterValidator(visible)]
Number = Annotated[FiniteFloat, Field(description="a finite number")]
Vector = Annotated[list[Number], Field(min_length=3, max_length=3, description="3 numbers")]
Quaternion = Annotated[list[Number], Field(min_length=4, max_length=4, description="4 numbers x, y, z, w")]
Positive = Annotated[FiniteFloat, Field(gt=0, description="a number > 0")]
Duration = Annotated[FiniteFloat, Field(gt=0, le=LONGEST_S, description=f"a number > 0 and at most {LONGEST_S:g}")]
Pause = Annotated[FiniteFloat, Field(ge=0, le=LONGEST_S, description=f"a number from 0 to {LONGEST_S:g}")]
NotNegative = Annotated[FiniteFloat, Field(ge=0, description="a number >= 0")]
ByJoint = Annotated[Any, BeforeValidator(_by_joint)]
JointQuaternions = Annotated[Any, BeforeValidator(_quaternions)]
Gain = Annotated[Any, BeforeValidator(_one_or_per_joint), Field(description=GAIN)]
JointLimit = Annotated[Any, BeforeValidator(_joint_limit)]
Mode = Annotated[Any, BeforeValidator(_mode)]
WheelSpeeds = Annotated[Any, BeforeValidator(_speeds)]
FigureName = Annotated[str, BeforeValidator(_known_figure)]


def _zeros() -> list[float]:
    return [0.0, 0.0, 0.0]


class Table(BaseModel):
    """A table that takes the listed keys, of exactly the listed types, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class InitialTable(Table):
    """`[initial]`: base CoM and attitude, joints, and their rates; what is left out is zero, except angles and lengths."""

    r_0_m: Vector = Field(default_factory=_zeros)
    attitude_xyzw: Quaternion | None = None
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None
    v_0_m_s: Vector = Field(default_factory=_zeros)
    omega_0_rad_s: Vector | None = None
    omega_0_deg_s: Vector | None = None
    q_rad: ByJoint = None
    q_deg: ByJoint = None
    q_m: ByJoint = None
    q_xyzw: JointQuaternions = None
    qdot_rad_s: ByJoint = None
    qdot_deg_s: ByJoint = None
    qdot_m_s: ByJoint = None
    wheel_rad_s: WheelSpeeds = None
    wheel_rpm: WheelSpeeds = None


class PoseTable(Table):
    """`pose = { ... }` of the base; what is left out is held where it is when the phase begins."""

    position_m: Vector | None = None
    attitude_xyzw: Quaternion | None = None
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None


class BaseLawTable(Table):
    """What controllers say of the base, for modes that drive it; it is not used in others."""

    base_K_P: NotNegative = 1.0
    base_K_D: NotNegative = 2.0
    pose: PoseTable = Field(default=PoseTable(), description="a table such as { position_m = [0, 0, 0], rpy_deg = [0, 0, 0] }")


class ComputedTorqueTable(BaseLawTable):
    """`controller = { type = "computed_torque", ... }`, in any mode; `estimate` names the system it believes in."""

    type: Literal["computed_torque"]
    K_P: Gain = 1.0
    K_D: Gain = 1.0
    feedforward: bool = False
    estimate: Name | None = None
    rate_Hz: Positive | None = None


class JointRegulatorTable(Table):
    """`controller = { type = "joint_regulator", ... }`: gains in N m/rad or N/m, and in N m s/rad or N s/m."""

    type: Literal["joint_regulator"]
    K_P: Gain
    K_D: Gain
    estimate: Name | None = None
    rate_Hz: Positive | None = None


class CoordinatedTable(BaseLawTable):
    """`controller = { type = "coordinated", ... }`: joints and base together, in any mode of a base that is free."""

    type: Literal["coordinated"]
    K_P: Gain = 1.0
    K_D: Gain = 2.0
    feedforward: bool = True
    estimate: Name | None = None
    rate_Hz: Positive | None = None


class ResolvedRateTable(BaseLawTable):
    """`controller = { type = "resolved_rate", ... }`: leads the frame of a `reach`, in any mode."""

    type: Literal["resolved_rate"]
    K: NotNegative = 0.5
    sigma_0: Positive = 0.05
    K_D: Gain = 2.0
    estimate: Name | None = None
    rate_Hz: Positive | None = None


class JointSequenceTable(Table):
    """`guidance = { type = "joint_sequence", ... }`, each joint in turn out, back past the start and home."""

    type: Literal["joint_sequence"]
    joints: list[Name] | None = Field(default=None, description="a list of joint names")
    rate_rad_s: Positive | None = None
    rate_deg_s: Positive | None = None
    rate_m_s: Positive | None = None
    ramp_s: Duration = 1.0
    cruise_s: list[Pause] = Field(
        default_factory=lambda: [9.0, 19.0, 9.0], min_length=3, max_length=3, description="3 numbers >= 0"
    )
    rest_s: Pause = 2.0
    settle_s: Pause = 2.0


class LineTable(Table):
    """`guidance = { type = "line", ... }`: a frame along a straight line, its orientation fixed, from rest to rest."""

    type: Literal["line"]
    frame: Name = "tip"
    direction: Vector = Field(description="3 numbers, not all zero")
    distance_m: Positive
    duration_s: Duration


class ReachTable(Table):
    """`guidance = { type = "reach", ... }`: a frame along a straight line in inertial space, its attitude free if not given."""

    type: Literal["reach"]
    frame: Name = "tip"
    position_m: Vector | None = None
    displacement_m: Vector | None = None
    attitude_xyzw: Quaternion | None = None
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None
    hold_attitude: bool = False
    duration_s: Duration


class CycloidTable(Table):
    """`guidance = { type = "cycloid", ... }`: from where the phase before ended to the given place, joints left out stay."""

    type: Literal["cycloid"]
    q_rad: ByJoint = None
    q_deg: ByJoint = None
    q_m: ByJoint = None
    q_xyzw: JointQuaternions = None
    duration_s: Duration


class HoldTable(Table):
    """`guidance = { type = "hold", ... }`: be at the given place; joints left out stay where the phase before ended."""

    type: Literal["hold"]
    q_rad: ByJoint = None
    q_deg: ByJoint = None
    q_m: ByJoint = None
    q_xyzw: JointQuaternions = None


ControllerTable = ComputedTorqueTable | JointRegulatorTable | CoordinatedTable | ResolvedRateTable
GuidanceTable = JointSequenceTable | CycloidTable | LineTable | ReachTable | HoldTable


class UntilTable(Table):
    """`until = { t_s = ... }`, counted from the start of the phase, or `until = { event = ..., timeout_s = ... }`."""

    t_s: Duration | None = None
    event: Name | None = None
    timeout_s: Duration | None = None


class AnyEventTable(Table):
    """What all entries of `events` have; without `then` the run stops, but for a saturation."""

    name: Name | None = None
    then: Literal["stop", "log"] | None = Field(default=None, description="'stop' or 'log'")


class JointLimitsEventTable(AnyEventTable):
    """`{ type = "joint_limits" }`: a joint leaves its range."""

    type: Literal["joint_limits"]


class SaturationEventTable(AnyEventTable):
    """`{ type = "saturation", torque_Nm = ... }`: the controller asks a joint for more."""

    type: Literal["saturation"]
    torque_Nm: JointLimit = None
    force_N: JointLimit = None


class ApproachEventTable(AnyEventTable):
    """`{ type = "approach", ... }`: a frame comes close to another, or to a point in inertial space."""

    type: Literal["approach"]
    frame: Name = "tip"
    other: Name | None = None
    point_m: Vector | None = None
    distance_m: Positive


EventTable = JointLimitsEventTable | SaturationEventTable | ApproachEventTable


class PhaseTable(Table):
    """`[[phase]]`."""

    name: Name
    mode: Mode = Field(default=None, description=MODE)
    modes: list[Mode] | None = Field(
        default=None, min_length=2, max_length=MOST_MODES, description=f"a list of two modes or more, at most {MOST_MODES}"
    )
    controller: Annotated[ControllerTable, Field(discriminator="type")] = Field(
        description='a table such as { type = "computed_torque" }'
    )
    guidance: Annotated[GuidanceTable, Field(discriminator="type")] = Field(
        description='a table such as { type = "joint_sequence" } or { type = "hold" }'
    )
    events: list[Annotated[EventTable, Field(discriminator="type")]] = Field(
        default_factory=list, description='a list of tables such as { type = "joint_limits" }'
    )
    coordinates: Literal["full", "momentum_reduced"] | None = Field(default=None, description="'full' or 'momentum_reduced'")
    until: UntilTable | None = Field(
        default=None, description="a table { t_s = number } or { event = name, timeout_s = number }"
    )


class IntegrationTable(Table):
    """`[integration]`."""

    integrator: Literal["dop853"] = "dop853"
    rtol: Annotated[float, BeforeValidator(_tolerance)] = 1e-10
    atol: Annotated[float, BeforeValidator(_absolute_tolerance)] | None = None
    output_step_s: Positive | None = None


class CircularTable(Table):
    """`orbit = { type = "circular", ... }`: its size by one key, angles zero when left out."""

    type: Literal["circular"]
    altitude_m: Number | None = None
    altitude_km: Number | None = None
    radius_m: Positive | None = None
    radius_km: Positive | None = None
    inclination_rad: Number | None = None
    inclination_deg: Number | None = None
    raan_rad: Number | None = None
    raan_deg: Number | None = None
    argument_of_latitude_rad: Number | None = None
    argument_of_latitude_deg: Number | None = None


class EllipticTable(Table):
    """`orbit = { type = "elliptic", ... }`: angles zero when left out."""

    type: Literal["elliptic"]
    semi_major_axis_m: Positive | None = None
    semi_major_axis_km: Positive | None = None
    eccentricity: NotNegative
    inclination_rad: Number | None = None
    inclination_deg: Number | None = None
    raan_rad: Number | None = None
    raan_deg: Number | None = None
    argument_of_periapsis_rad: Number | None = None
    argument_of_periapsis_deg: Number | None = None
    true_anomaly_rad: Number | None = None
    true_anomaly_deg: Number | None = None


OrbitTable = CircularTable | EllipticTable


class EnvironmentTable(Table):
    """`[environment]`: gravity, and the orbit of the inertial axes' origin; round the Earth where no other body is given."""

    orbit: Annotated[OrbitTable, Field(discriminator="type")] = Field(
        description='a table such as { type = "circular", altitude_km = 500 }'
    )
    mu_m3_s2: Positive | None = None
    body_radius_m: Positive | None = None
    body_radius_km: Positive | None = None


class LimitsTable(Table):
    """`[limits]`: what a run must not exceed; whatever is left out is measured and not judged."""

    momentum_relative: Positive | None = None
    system_com_drift_m: Positive | None = None
    energy_relative: Positive | None = None
    root_joint_momentum_relative: Positive | None = None
    base_rotation_rad: Positive | None = None
    base_rotation_deg: Positive | None = None
    base_displacement_m: Positive | None = None
    base_rate_rad_s: Positive | None = None
    base_rate_deg_s: Positive | None = None
    final_joint_error_rad: Positive | None = None
    final_joint_error_deg: Positive | None = None
    final_joint_error_m: Positive | None = None
    base_force_N: Positive | None = None
    base_torque_Nm: Positive | None = None
    impulse_Ns: Positive | None = None
    angular_impulse_Nms: Positive | None = None
    propellant_kg: Positive | None = None
    joint_power_W: JointLimit = None
    tip_error_m: Positive | None = None
    tip_error_mm: Positive | None = None
    tip_error_rad: Positive | None = None
    tip_error_deg: Positive | None = None
    joint_torque_Nm: JointLimit = None
    joint_force_N: JointLimit = None
    joint_rate_rad_s: JointLimit = None
    joint_rate_deg_s: JointLimit = None
    joint_rate_m_s: JointLimit = None


class OutputTable(Table):
    """`[output]`."""

    figures: list[FigureName] | None = Field(default=None, max_length=MOST_FIGURES, description="a list of figure names")


class MissionFile(Table):
    """A whole mission file."""

    schema_: Literal["scmanip.mission/1"] = Field(alias="schema", description=f"'{SCHEMA}'")
    name: Name
    title: str = ""
    system: Name = Field(description="the path of a system file, or 'model:name'")
    initial: InitialTable = Field(description="an [initial] table")
    phase: list[PhaseTable] = Field(min_length=1, description="one or more [[phase]] tables")
    environment: EnvironmentTable | None = Field(default=None, description="an [environment] table")
    integration: IntegrationTable = IntegrationTable()
    limits: LimitsTable = LimitsTable()
    output: OutputTable = OutputTable()
