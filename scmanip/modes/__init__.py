"""The manoeuvre modes [Wilde2018] Table 1: which speeds are commanded, by what, and what must stay constant."""

from ._base_driven import BaseDriven as BaseDriven
from ._fixed_base import FixedBase as FixedBase
from ._floating import Floating as Floating
from ._flying import Flying as Flying
from ._generalized_force import GeneralizedForce as GeneralizedForce
from ._joints_only import JointsOnly as JointsOnly
from ._ledger import Ledger as Ledger
from ._manoeuvre_mode import ManoeuvreMode as ManoeuvreMode
from ._recorded_mode import equations_of as equations_of
from ._reduction import CentroidalDynamics as CentroidalDynamics
from ._residual import Residual as Residual
from ._residuals import Residuals as Residuals
from ._root_joint import RootJoint as RootJoint
from ._rotation_floating import RotationFloating as RotationFloating
from ._rotation_flying import RotationFlying as RotationFlying
from ._situation import Situation as Situation
from ._table import table as table
from ._thruster_allocation import Thrust as Thrust
from ._thruster_allocation import ThrusterCluster as ThrusterCluster
from ._translation_flying import TranslationFlying as TranslationFlying
from ._wheel_allocation import motor_torques as motor_torques
from ._wheel_allocation import with_wheels_at_rest as with_wheels_at_rest
from ._wheel_excess import wheel_excess as wheel_excess
from ._wheel_excess import wheels_beyond as wheels_beyond
from ._wheel_limits import largest_speed as largest_speed
