"""Error in, generalized force out."""

from ._base_pose import BasePose as BasePose
from ._carrying import Carrying as Carrying
from ._computed_torque import ComputedTorque as ComputedTorque
from ._controller import Controller as Controller
from ._controller import Wrapper as Wrapper
from ._coordinated import CoordinatedComputedTorque as CoordinatedComputedTorque
from ._delayed import Delayed as Delayed
from ._foreign import Law as Law
from ._function import Function as Function
from ._joint_regulator import JointRegulator as JointRegulator
from ._law_code import code_of as code_of
from ._law_program import program_of as program_of
from ._recorded_law import RecordedLaw as RecordedLaw
from ._recorded_law import believed_name as believed_name
from ._recorded_law import believed_of as believed_of
from ._recorded_law import recorded_law as recorded_law
from ._resolution import Resolution as Resolution
from ._resolved_rate import ResolvedRate as ResolvedRate
from ._resolved_rate import pose_error as pose_error
from ._sampled import Sampled as Sampled
from ._sampled import as_controller as as_controller
from ._saturated import Saturated as Saturated
from ._sum import Sum as Sum
from ._with_feedforward import WithFeedforward as WithFeedforward
