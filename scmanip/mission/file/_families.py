"""The kinds of tables that a mission may have."""

from __future__ import annotations

from ...navigation import ESTIMATORS, SENSORS
from ..controllers._base_attitude_controller import BaseAttitudeTable
from ..controllers._cartesian_admittance_controller import CartesianAdmittanceTable
from ..controllers._cartesian_impedance_controller import CartesianImpedanceTable
from ..controllers._computed_torque_controller import ComputedTorqueTable
from ..controllers._constraint_force_controller import ConstraintForceTable
from ..controllers._control import ControllerTable
from ..controllers._coordinated_controller import CoordinatedTable
from ..controllers._delayed_controller import DelayedTable
from ..controllers._disturbance_observer_controller import DisturbanceObserverTable
from ..controllers._filtered_controller import FilteredTable
from ..controllers._integral_controller import IntegralTable
from ..controllers._joint_regulator_controller import JointRegulatorTable
from ..controllers._momentum_distribution_controller import MomentumDistributionTable
from ..controllers._passivity_adaptive_controller import PassivityAdaptiveTable
from ..controllers._posture_controller import PostureTable
from ..controllers._python_controller import PythonControllerTable
from ..controllers._quiet_base_controller import QuietBaseTable
from ..controllers._rate_limited_controller import RateLimitedTable
from ..controllers._resolved_rate_controller import ResolvedRateTable
from ..controllers._saturated_controller import SaturatedTable
from ..controllers._task_torque_controller import TaskComputedTorqueTable
from ..controllers._transposed_jacobian_controller import TransposedJacobianTable
from ..events._approach_event import ApproachEventTable
from ..events._event_table import EventTable
from ..events._joint_limits_event import JointLimitsEventTable
from ..events._meeting_event import MeetingEventTable
from ..events._saturation_event import SaturationEventTable
from ..guidances._cycloid_guidance import CycloidTable
from ..guidances._follow_guidance import FollowTable
from ..guidances._guidance import GuidanceTable
from ..guidances._hold_guidance import HoldTable
from ..guidances._joint_sequence_guidance import JointSequenceTable
from ..guidances._line_guidance import LineTable
from ..guidances._python_guidance import PythonGuidanceTable
from ..guidances._reach_guidance import ReachTable
from ..integrators._dop853_integrator import DOP853Table
from ..integrators._fixed_dop853_integrator import FixedDOP853Table
from ..integrators._integration_table import IntegrationTable
from ..integrators._radau_integrator import RadauTable
from ..integrators._rk4_integrator import RK4Table
from ..linear._output_feedback_controller import OutputFeedbackTable
from ..linear._state_feedback_controller import StateFeedbackTable
from ..loads._attitude_hold_load import AttitudeHoldTable
from ..loads._bushing_load import BushingTable
from ..loads._contact_load import ContactTable
from ..loads._gravity_load import GravityTable
from ..loads._load_table import LoadTable
from ..sensing._seen_table import EstimatorTable, SeenKinds, SensorTable
from ..several._mode_dependent_controller import ModeDependentTable
from ..several._quadratic_program_controller import QuadraticProgramTable
from ..several._scheduled_controller import ScheduledTable
from ..several._sum_controller import SumTable
from ..several._task_priority_controller import TaskPriorityTable
from ..values._kinds import TableKinds

CONTROLLERS = TableKinds[ControllerTable](
    ControllerTable,
    "scmanip.controllers",
    ComputedTorqueTable,
    JointRegulatorTable,
    CoordinatedTable,
    ResolvedRateTable,
    TaskComputedTorqueTable,
    CartesianImpedanceTable,
    TransposedJacobianTable,
    QuietBaseTable,
    PostureTable,
    ConstraintForceTable,
    TaskPriorityTable,
    QuadraticProgramTable,
    MomentumDistributionTable,
    BaseAttitudeTable,
    PassivityAdaptiveTable,
    DisturbanceObserverTable,
    CartesianAdmittanceTable,
    StateFeedbackTable,
    OutputFeedbackTable,
    IntegralTable,
    FilteredTable,
    RateLimitedTable,
    SaturatedTable,
    DelayedTable,
    SumTable,
    ScheduledTable,
    ModeDependentTable,
    objects=PythonControllerTable,
)
GUIDANCE = TableKinds[GuidanceTable](
    GuidanceTable,
    "scmanip.guidance",
    JointSequenceTable,
    CycloidTable,
    LineTable,
    ReachTable,
    FollowTable,
    HoldTable,
    objects=PythonGuidanceTable,
)
EVENTS = TableKinds[EventTable](
    EventTable, "scmanip.events", JointLimitsEventTable, SaturationEventTable, ApproachEventTable, MeetingEventTable
)
LOADS = TableKinds[LoadTable](LoadTable, "scmanip.loads", GravityTable, ContactTable, AttitudeHoldTable, BushingTable)
SENSOR_TABLES = SeenKinds(SensorTable, SENSORS)
ESTIMATOR_TABLES = SeenKinds(EstimatorTable, ESTIMATORS)
INTEGRATORS = TableKinds[IntegrationTable](
    IntegrationTable, "scmanip.integrators", DOP853Table, FixedDOP853Table, RK4Table, RadauTable
)
