"""The kinds of sensors and estimators that there are."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..plugins import Kinds
from ._attitude_filter import AttitudeFilter
from ._camera import Camera
from ._differentiator import Differentiator
from ._encoders import Encoders
from ._estimator import Estimator
from ._force_torque import ForceTorque
from ._gyro import Gyro
from ._momentum_observer import MomentumObserver
from ._sensor import Sensor
from ._star_tracker import StarTracker
from ._tachometers import Tachometers
from ._target_filter import TargetFilter

OWN_SENSORS: tuple[type[Sensor], ...] = (Encoders, Tachometers, Gyro, StarTracker, Camera, ForceTorque)
OWN_ESTIMATORS: tuple[type[Estimator], ...] = (AttitudeFilter, TargetFilter, MomentumObserver, Differentiator)


def _made(base: Any, word: str, given: Any) -> Any:
    return given if isinstance(given, type) and issubclass(given, base) and vars(given).get("kind") == word else None


SENSORS: Kinds[type[Sensor]] = Kinds(
    "scmanip.sensors",
    "sensor",
    lambda: {kind.kind: kind for kind in OWN_SENSORS},
    partial(_made, Sensor),
    "a Sensor with kind = {name!r}",
)
ESTIMATORS: Kinds[type[Estimator]] = Kinds(
    "scmanip.estimators",
    "estimator",
    lambda: {kind.kind: kind for kind in OWN_ESTIMATORS},
    partial(_made, Estimator),
    "an Estimator with kind = {name!r}",
)
