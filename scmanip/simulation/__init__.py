"""Advance the closed loop in time and keep what happened."""

from ._base_disturbance import BaseDisturbance as BaseDisturbance
from ._base_disturbance import base_disturbance as base_disturbance
from ._coordinates import Coordinates as Coordinates
from ._dop853 import DOP853 as DOP853
from ._ensemble import Ensemble as Ensemble
from ._ensemble import ensemble as ensemble
from ._ensemble_forces import ensemble_forces as ensemble_forces
from ._ensemble_forces import forces_are_recorded as forces_are_recorded
from ._event import Approach as Approach
from ._event import Event as Event
from ._event import JointLimits as JointLimits
from ._event import Near as Near
from ._event import Saturation as Saturation
from ._event import When as When
from ._events import Occurrence as Occurrence
from ._fixed_step import RK4 as RK4
from ._fixed_step import FixedDOP853 as FixedDOP853
from ._full_state import FullState as FullState
from ._history import History as History
from ._integrator import Integrator as Integrator
from ._integrator import Step as Step
from ._limit_passage import LimitPassage as LimitPassage
from ._momentum_reduced import MomentumReduced as MomentumReduced
from ._outcome import Outcome as Outcome
from ._record import stored_energy as stored_energy
from ._simulate import simulate as simulate
