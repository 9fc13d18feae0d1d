"""What pictures of systems and runs show, and static pictures of it; what is drawn is the same for everything that draws."""

from ._of_history import scene_of_history as scene_of_history
from ._of_system import scene_of as scene_of
from ._scene import Scene as Scene
from .motion._poses import body_poses as body_poses
from .motion._trail import Arrow as Arrow
from .motion._trail import Mark as Mark
from .motion._trail import Trail as Trail
from .motion._trails import centre_of_mass as centre_of_mass
from .motion._trails import frame_places as frame_places
from .motion._trails import tips as tips
from .things._boxes import equal_box as equal_box
from .things._item import COLOURS as COLOURS
from .things._item import GROUPS as GROUPS
from .things._item import Item as Item
from .things._solid import Axes as Axes
from .things._solid import Box as Box
from .things._solid import Capsule as Capsule
from .things._solid import Cone as Cone
from .things._solid import Cylinder as Cylinder
from .things._solid import Ellipsoid as Ellipsoid
from .things._solid import Line as Line
from .things._solid import Solid as Solid
from .things._solid import Sphere as Sphere
from .things._solid import Triangles as Triangles
