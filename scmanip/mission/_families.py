"""The kinds of tables that a phase of a mission may have."""

from __future__ import annotations

from ._approach_event import ApproachEventTable
from ._computed_torque_controller import ComputedTorqueTable
from ._control import ControllerTable
from ._coordinated_controller import CoordinatedTable
from ._cycloid_guidance import CycloidTable
from ._event_table import EventTable
from ._guidance import GuidanceTable
from ._hold_guidance import HoldTable
from ._joint_limits_event import JointLimitsEventTable
from ._joint_regulator_controller import JointRegulatorTable
from ._joint_sequence_guidance import JointSequenceTable
from ._kinds import Kinds
from ._line_guidance import LineTable
from ._reach_guidance import ReachTable
from ._resolved_rate_controller import ResolvedRateTable
from ._saturation_event import SaturationEventTable

CONTROLLERS: Kinds[ControllerTable] = Kinds(
    ControllerTable, "scmanip.controllers", ComputedTorqueTable, JointRegulatorTable, CoordinatedTable, ResolvedRateTable
)
GUIDANCE: Kinds[GuidanceTable] = Kinds(
    GuidanceTable, "scmanip.guidance", JointSequenceTable, CycloidTable, LineTable, ReachTable, HoldTable
)
EVENTS: Kinds[EventTable] = Kinds(EventTable, "scmanip.events", JointLimitsEventTable, SaturationEventTable, ApproachEventTable)
