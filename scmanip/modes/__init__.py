"""The manoeuvre modes [Wilde2018] Table 1: which speeds are commanded, by what, and what must stay constant."""

from ._fixed_base import FixedBase as FixedBase
from ._floating import Floating as Floating
from ._generalized_force import GeneralizedForce as GeneralizedForce
from ._joints_only import JointsOnly as JointsOnly
from ._ledger import Ledger as Ledger
from ._manoeuvre_mode import ManoeuvreMode as ManoeuvreMode
from ._residual import Residual as Residual
from ._residuals import Residuals as Residuals
from ._root_joint import RootJoint as RootJoint
