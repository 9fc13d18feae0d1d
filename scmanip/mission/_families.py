"""The kinds of tables that a mission may have."""

from __future__ import annotations

from ._approach_event import ApproachEventTable
from ._computed_torque_controller import ComputedTorqueTable
from ._control import ControllerTable
from ._coordinated_controller import CoordinatedTable
from ._cycloid_guidance import CycloidTable
from ._delayed_controller import DelayedTable
from ._dop853_integrator import DOP853Table
from ._event_table import EventTable
from ._fixed_dop853_integrator import FixedDOP853Table
from ._gravity_load import GravityTable
from ._guidance import GuidanceTable
from ._hold_guidance import HoldTable
from ._integration_table import IntegrationTable
from ._joint_limits_event import JointLimitsEventTable
from ._joint_regulator_controller import JointRegulatorTable
from ._joint_sequence_guidance import JointSequenceTable
from ._kinds import TableKinds
from ._line_guidance import LineTable
from ._load_table import LoadTable
from ._reach_guidance import ReachTable
from ._resolved_rate_controller import ResolvedRateTable
from ._rk4_integrator import RK4Table
from ._saturated_controller import SaturatedTable
from ._saturation_event import SaturationEventTable
from ._sum_controller import SumTable

CONTROLLERS = TableKinds[ControllerTable](
    ControllerTable,
    "scmanip.controllers",
    ComputedTorqueTable,
    JointRegulatorTable,
    CoordinatedTable,
    ResolvedRateTable,
    SaturatedTable,
    DelayedTable,
    SumTable,
)
GUIDANCE = TableKinds[GuidanceTable](
    GuidanceTable, "scmanip.guidance", JointSequenceTable, CycloidTable, LineTable, ReachTable, HoldTable
)
EVENTS = TableKinds[EventTable](EventTable, "scmanip.events", JointLimitsEventTable, SaturationEventTable, ApproachEventTable)
LOADS = TableKinds[LoadTable](LoadTable, "scmanip.loads", GravityTable)
INTEGRATORS = TableKinds[IntegrationTable](IntegrationTable, "scmanip.integrators", DOP853Table, FixedDOP853Table, RK4Table)
