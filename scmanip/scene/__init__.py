"""What pictures of systems and runs show, and static pictures of it; what is drawn is the same for everything that draws."""

from ._bodies import equal_box as equal_box
from ._item import COLOURS as COLOURS
from ._item import GROUPS as GROUPS
from ._item import Item as Item
from ._of_history import scene_of_history as scene_of_history
from ._of_system import scene_of as scene_of
from ._poses import body_poses as body_poses
from ._scene import Arrow as Arrow
from ._scene import Mark as Mark
from ._scene import Scene as Scene
from ._scene import Trail as Trail
from ._solid import Axes as Axes
from ._solid import Box as Box
from ._solid import Capsule as Capsule
from ._solid import Cone as Cone
from ._solid import Cylinder as Cylinder
from ._solid import Ellipsoid as Ellipsoid
from ._solid import Line as Line
from ._solid import Solid as Solid
from ._solid import Sphere as Sphere
from ._solid import Triangles as Triangles
