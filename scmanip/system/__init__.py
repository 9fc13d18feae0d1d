"""The hardware as data: bodies, joints, frames, tree, layout and state, from Python, files or the model library."""

from ._body import Body as Body
from ._document import TomlDocument as TomlDocument
from ._frame import Frame as Frame
from ._freedom import Coordinate as Coordinate
from ._freedom import Freedom as Freedom
from ._joint import Joint as Joint
from ._joint import JointType as JointType
from ._joint_motion import coordinate_difference as coordinate_difference
from ._joint_motion import coordinate_rates as coordinate_rates
from ._joint_motion import with_unit_quaternions as with_unit_quaternions
from ._layout import Layout as Layout
from ._load import load_system as load_system
from ._load import model_names as model_names
from ._motor import Friction as Friction
from ._motor import Motor as Motor
from ._quaternion_problems import quaternion_problems as quaternion_problems
from ._schema_problems import schema_problems as schema_problems
from ._spring_damper import SpringDamper as SpringDamper
from ._state import State as State
from ._state_problems import state_problems as state_problems
from ._system import System as System
from ._thruster import Thruster as Thruster
from ._tree import Tree as Tree
from ._wheel import Wheel as Wheel
