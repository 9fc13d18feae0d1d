"""Loads: what acts on bodies from outside or between them, as functions of places, attitudes, velocities and time; orbits."""

from ._bodies import Bodies as Bodies
from ._body_wrenches import BodyWrenches as BodyWrenches
from ._central_body import EARTH as EARTH
from ._central_body import CentralBody as CentralBody
from ._clohessy_wiltshire import clohessy_wiltshire as clohessy_wiltshire
from ._differential_gravity import body_gravity as body_gravity
from ._differential_gravity import differential_gravity as differential_gravity
from ._differential_gravity import gravity_gradient_torque as gravity_gradient_torque
from ._external import EXTERNAL as EXTERNAL
from ._external import External as External
from ._gravity import Gravity as Gravity
from ._kepler import eccentric_anomaly as eccentric_anomaly
from ._load import Load as Load
from ._orbit import Orbit as Orbit
