"""Results into figures and tables. Every figure is returned, none is shown; matplotlib loads with the first one."""

from ..analysis import base_rotation as base_rotation
from ._angular_momentum_figure import angular_momentum_figure as angular_momentum_figure
from ._base_wrench_figure import base_wrench_figure as base_wrench_figure
from ._comparison import ComparisonTable as ComparisonTable
from ._comparison import comparison as comparison
from ._comparison_figure import comparison_figure as comparison_figure
from ._figures import FIGURES as FIGURES
from ._figures import TIP_FIGURES as TIP_FIGURES
from ._figures import figures as figures
from ._joint_angles_figure import joint_angles_figure as joint_angles_figure
from ._joint_forces_figure import joint_forces_figure as joint_forces_figure
from ._joint_rates_figure import joint_rates_figure as joint_rates_figure
from ._limits import Limits as Limits
from ._linear_momentum_figure import linear_momentum_figure as linear_momentum_figure
from ._summary import HEADINGS as HEADINGS
from ._summary import Summary as Summary
from ._summary import SummaryRow as SummaryRow
from ._summary import summary as summary
from ._tip_error_figure import tip_error_figure as tip_error_figure
from ._verdict import Verdict as Verdict
from ._verdicts import verdicts as verdicts
from ._wheel_momentum_figure import wheel_momentum_figure as wheel_momentum_figure
from ._wheel_torque_figure import wheel_torque_figure as wheel_torque_figure
