"""What is commanded: kinds of motors, wheels and thrusters, what each can do, and how it is allocated."""

from ._actuator import Actuator as Actuator
from ._actuator import Key as Key
from ._actuator import StateEntry as StateEntry
from ._drive import Drive as Drive
from ._drive import Fitting as Fitting
from ._hardware import Flaw as Flaw
from ._hardware import Hardware as Hardware
from ._kinds import actuator_kinds as actuator_kinds
from ._kinds import by_kind as by_kind
from ._motor import Motor as Motor
from ._mounted import Mounted as Mounted
from ._mounted import mounting_problems as mounting_problems
from ._pusher import Pusher as Pusher
from ._pushers import Pushers as Pushers
from ._pushers import Thrust as Thrust
from ._quantity import Axis as Axis
from ._quantity import Coefficient as Coefficient
from ._quantity import Name as Name
from ._quantity import Positive as Positive
from ._quantity import Quantity as Quantity
from ._quantity import Ratio as Ratio
from ._quantity import Vector as Vector
from ._thruster import Thruster as Thruster
from ._turner import Turner as Turner
from ._turners import Turners as Turners
from ._wheel import Wheel as Wheel
