"""The manoeuvre modes [Wilde2018] Table 1: which speeds are commanded, by what, and what must stay constant."""

from ._base_driven import BaseDriven as BaseDriven
from ._fixed_base import FixedBase as FixedBase
from ._floating import Floating as Floating
from ._flying import Flying as Flying
from ._in_turn import InTurn as InTurn
from ._joints_only import JointsOnly as JointsOnly
from ._manoeuvre_mode import ManoeuvreMode as ManoeuvreMode
from ._reduction import CentroidalDynamics as CentroidalDynamics
from ._rotation_floating import RotationFloating as RotationFloating
from ._rotation_flying import RotationFlying as RotationFlying
from ._speeds import speed_names as speed_names
from ._speeds import speeds_in_words as speeds_in_words
from ._table import table as table
from ._table import table_rows as table_rows
from ._translation_flying import TranslationFlying as TranslationFlying
from .allocation._generalized_force import GeneralizedForce as GeneralizedForce
from .allocation._situation import Situation as Situation
from .allocation._turning import TurnerMotors as TurnerMotors
from .allocation._turning import motor_torques as motor_torques
from .allocation._turning import turner_motors as turner_motors
from .contracts._joint_motion import joints_move_as_pushed as joints_move_as_pushed
from .contracts._laws import stored_momentum as stored_momentum
from .contracts._ledger import Ledger as Ledger
from .contracts._residual import Residual as Residual
from .contracts._residuals import Residuals as Residuals
from .contracts._root_joint import RootJoint as RootJoint
