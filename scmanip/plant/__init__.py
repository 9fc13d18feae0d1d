"""What moves: a system, how it is flown, and what acts on it; one right-hand side for every way to evaluate it."""

from ..dynamics import INERTIA as INERTIA
from ._actuator_books import ActuatorBooks as ActuatorBooks
from ._changes import Changes as Changes
from ._channels import OUTPUTS as OUTPUTS
from ._channels import STATES as STATES
from ._channels import TOTALS as TOTALS
from ._holding import Change as Change
from ._holding import Holding as Holding
from ._numbers import finite as finite
from ._numbers import plant_numbers as plant_numbers
from ._parts import PlantParts as PlantParts
from ._plant import KEPT as KEPT
from ._plant import NOTHING_TURNS as NOTHING_TURNS
from ._plant import Plant as Plant
from ._response import Acting as Acting
from ._response import Response as Response
from ._rigid_contact import ContactPlace as ContactPlace
from ._rigid_contact import RigidContact as RigidContact
from ._rigid_contact import problems_together as problems_together
from ._slipping import Slipping as Slipping
from ._state_rates import state_rates as state_rates
from ._touching import Touching as Touching
