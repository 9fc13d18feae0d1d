"""Loads: what acts on bodies from outside or between them, as functions of places, attitudes, velocities and time; orbits."""

from ._attitude_hold import AttitudeHold as AttitudeHold
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
from ._inhibited import Inhibited as Inhibited
from ._kepler import eccentric_anomaly as eccentric_anomaly
from ._load import Load as Load
from ._load import Overlap as Overlap
from ._orbit import Orbit as Orbit
from .contact._bristle import Bristle as Bristle
from .contact._contact import Contact as Contact
from .contact._coulomb import Coulomb as Coulomb
from .contact._friction import Friction as Friction
from .contact._friction import Frictionless as Frictionless
from .contact._hunt_crossley import HuntCrossley as HuntCrossley
from .contact._kelvin_voigt import KelvinVoigt as KelvinVoigt
from .contact._normal_law import NormalLaw as NormalLaw
from .contact._touch import Touch as Touch
