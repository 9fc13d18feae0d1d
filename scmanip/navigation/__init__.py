"""What laws see: sensors with their errors, and estimators."""

from ._attitude_filter import AttitudeFilter as AttitudeFilter
from ._camera import Camera as Camera
from ._differentiator import Differentiator as Differentiator
from ._encoders import Encoders as Encoders
from ._estimator import Estimator as Estimator
from ._force_torque import ForceTorque as ForceTorque
from ._gyro import Gyro as Gyro
from ._instant import Instant as Instant
from ._kalman import consistency as consistency
from ._kinds import ESTIMATORS as ESTIMATORS
from ._kinds import SENSORS as SENSORS
from ._momentum_observer import MomentumObserver as MomentumObserver
from ._noise import white as white
from ._observation import Known as Known
from ._observation import Observation as Observation
from ._outlet import Outlet as Outlet
from ._outlet import Reading as Reading
from ._sensor import Sensor as Sensor
from ._series import Series as Series
from ._star_tracker import StarTracker as StarTracker
from ._tachometers import Tachometers as Tachometers
from ._target_filter import TargetFilter as TargetFilter
from ._target_state import TargetState as TargetState
