"""The hardware as data: bodies, joints, frames, tree, layout and state."""

from ._body import Body as Body
from ._frame import Frame as Frame
from ._joint import Joint as Joint
from ._joint import JointType as JointType
from ._layout import Layout as Layout
from ._state import State as State
from ._system import System as System
from ._tree import Tree as Tree
