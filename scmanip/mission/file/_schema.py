"""The tables and keys of a mission file, `scmanip.mission/1`. Importing this file loads pydantic: do it late.

Rules between keys, and between the mission and its system, are in `_initial`, `_phases` and `_limits`; tables that say their
own type are kinds of a family (`_families`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, create_model

from ...actuators import ACTUATOR_KINDS, Turner
from ...errors import InvalidInput, checked, nearest
from ...report import FIGURES
from ...system import System, found_text, refusal
from ..sensing._chance import ObservationTable
from ..values._fields import (
    ByJoint,
    Duration,
    JointLimit,
    JointQuaternions,
    MissionFileTable,
    Name,
    Names,
    Pause,
    Positive,
    Quaternion,
    Vector,
    are_numbers,
)
from ..values._sound import PartTable
from ._actuator_states import state_keys
from ._touching import RigidContactTable, StrikeTable

SCHEMA = "scmanip.mission/1"
MOST_PHASES = 200
MOST_MODES = 20  # more than there are
MOST_FIGURES = 100  # more than there are
MODE = 'the name of a mode, or a table such as { type = "translation_flying", attitude = "rotation_floating" }'


def _mode(value: Any) -> Any:
    texts = [value] if isinstance(value, str) else list(value.values()) if isinstance(value, dict) else []
    if not texts or not all(isinstance(text, str) and text for text in texts):
        raise ValueError(MODE)
    return value


def _states(word: str, value: Any) -> Any:
    numbers = list(value.values()) if isinstance(value, dict) else value
    if not are_numbers(numbers):
        raise ValueError(f"a list of numbers, one per {word}, or a table of name = number")
    return value


def _known_figure(value: Any) -> Any:
    if not isinstance(value, str) or value not in FIGURES:
        hint = nearest(value, FIGURES) if isinstance(value, str) else ""
        raise refusal(f"one of {', '.join(FIGURES)}", found_text(value), hint=hint)
    try:
        FIGURES[value]
    except InvalidInput as error:
        raise refusal(error.problems[0].expected, error.problems[0].found) from None
    return value


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


def _zeros() -> list[float]:
    return [0.0, 0.0, 0.0]


Mode = Annotated[Any, BeforeValidator(_mode)]
FigureName = Annotated[str, BeforeValidator(_known_figure)]


class InitialTable(PartTable):
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
    actuator_keys: ClassVar[Mapping[str, str]] = {}  # words of kinds by the keys of the states with which these start


@checked
def initial_table(system: System | None = None) -> type[InitialTable]:
    """Return `[initial]` with the keys of all kinds of actuators that have states, those of a system too.

    >>> [key for key in initial_table(mission.system).model_fields if key.startswith("q_")]
    ['q_rad', 'q_deg', 'q_m', 'q_xyzw']
    """
    kinds = (kind for kind in ACTUATOR_KINDS.sound.values() if issubclass(kind, Turner))
    return _initial_table(*dict.fromkeys([*kinds, *(() if system is None else system.turners.kinds)]))


@cache
def _initial_table(*kinds: type[Turner]) -> type[InitialTable]:
    words = {key: kind.kind for kind in kinds for _, keys in state_keys(kind) for key in keys}
    fields: dict[str, Any] = {
        key: (Annotated[Any, BeforeValidator(partial(_states, word))], None) for key, word in words.items()
    }
    table = create_model("InitialTable", __base__=InitialTable, __doc__=InitialTable.__doc__, **fields)
    table.actuator_keys = words
    return table


class UntilTable(MissionFileTable):
    """`until = { t_s = ... }`, counted from the start of the phase, or `until = { event = ..., timeout_s = ... }`.

    >>> UntilTable(t_s=5.0).t_s
    5.0
    """

    t_s: Duration | None = None
    event: Name | None = None
    timeout_s: Duration | None = None


class BranchTable(MissionFileTable):
    """`on = { event = ..., phase = ... }` or `{ timeout = true, ... }`: the phase with which the run goes on where an event
    ends this one, or the one that it waits for does not happen in time.
    """

    event: Name | None = None
    timeout: Literal[True] | None = Field(default=None, description="true")
    phase: Name


class SwitchTable(PartTable):
    """`[[switch]]`: constraints that begin or cease to hold, loads to act, at a mission time or whenever an event happens.

    >>> SwitchTable(t_s=5.0, impose=["grasp"]).impose
    ('grasp',)
    """

    name: Name | None = None
    t_s: Pause | None = None
    event: Name | None = None
    impose: Names = ()
    release: Names = ()
    engage: Names = ()
    inhibit: Names = ()
    strike: StrikeTable | None = Field(
        default=None, description="a table of shapes that strike each other, their law and rests"
    )
    push_off_m_s: Vector | None = None


class PhaseKeys(PartTable):
    """What a `[[phase]]` may say; which kinds of tables there are `mission_file` says."""

    name: Name | None = None
    mode: Mode = Field(default=None, description=MODE)
    modes: list[Mode] | None = Field(
        default=None, min_length=2, max_length=MOST_MODES, description=f"a list of two modes or more, at most {MOST_MODES}"
    )
    controller: Any = None
    guidance: Any = None
    events: Any = Field(default_factory=list, description='a list of tables such as { type = "joint_limits" }')
    coordinates: Literal["full", "momentum_reduced"] | None = Field(default=None, description="'full' or 'momentum_reduced'")
    impose: Names = ()
    release: Names = ()
    engage: Names = ()
    inhibit: Names = ()
    push_off_m_s: Vector | None = None
    on: Annotated[list[BranchTable], BeforeValidator(_listed, json_schema_input_type=BranchTable | list[BranchTable])] = Field(
        default_factory=list,
        description="a table { event = name, phase = name } or { timeout = true, phase = name }, or a list",
    )
    until: UntilTable | None = Field(
        default=None, description="a table { t_s = number } or { event = name, timeout_s = number }"
    )


class PhaseTable(PhaseKeys):
    """`[[phase]]` with what it has to say.

    >>> PhaseTable(name="slew", mode="floating", controller={}, guidance={}, until={"t_s": 5.0}).name
    'slew'
    """

    name: Name
    controller: Any = Field(description='a table such as { type = "computed_torque" }')
    guidance: Any = Field(description='a table such as { type = "joint_sequence" } or { type = "hold" }')

    @classmethod
    def partly(cls, data: dict[str, Any], made: Any) -> PhaseKeys:
        """Return what a phase says, of which anything may be wrong."""
        return PhaseKeys.model_validate(data)


class LimitsTable(PartTable):
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
    interface_force_N: JointLimit = None
    interface_moment_Nm: JointLimit = None
    switch_impulse_Ns: JointLimit = None
    switch_angular_impulse_Nms: JointLimit = None
    final_free_rate_rad_s: JointLimit = None
    final_free_rate_deg_s: JointLimit = None
    final_free_momentum_Nms: JointLimit = None


class OutputTable(MissionFileTable):
    """`[output]`."""

    figures: list[FigureName] | None = Field(default=None, max_length=MOST_FIGURES, description="a list of figure names")


class MissionFile(MissionFileTable):
    """A whole mission file."""

    schema_: Literal["scmanip.mission/1"] = Field(alias="schema", description=f"'{SCHEMA}'")
    name: Name
    title: str = ""
    system: Name = Field(description="the path of a system file, of URDF or MJCF, or 'model:name'")
    side: Name | None = Field(None, description="the path of a side table of the system")
    roots: list[Name] = Field(default_factory=list, description="folders in which meshes of the system may be")
    initial: InitialTable = Field(description="an [initial] table")
    phase: Any = Field(description="one or more [[phase]] tables")
    environment: Any = Field(default=None, description="an [environment] table")
    load: Any = Field(default_factory=list, description="[[load]] tables")
    sensor: Any = Field(default_factory=list, description="[[sensor]] tables")
    estimator: Any = Field(default_factory=list, description="[[estimator]] tables")
    observation: ObservationTable | None = Field(default=None, description="an [observation] table")
    contact: list[RigidContactTable] = Field(default_factory=list, description="[[contact]] tables")
    switch: list[SwitchTable] = Field(default_factory=list, description="[[switch]] tables")
    integration: Any = Field(description="an [integration] table")
    limits: LimitsTable
    output: OutputTable = OutputTable()
