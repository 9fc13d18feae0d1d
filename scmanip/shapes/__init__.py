"""Solids that bodies carry, and distances between them in closed form; what they do when they touch they do not know."""

from ._box import Box as Box
from ._capsule import Capsule as Capsule
from ._kinds import SHAPE_KINDS as SHAPE_KINDS
from ._mesh import Mesh as Mesh
from ._pairs import pair_of as pair_of
from ._pairs import place_names as place_names
from ._placed import Placed as Placed
from ._plane import Plane as Plane
from ._shape import Shape as Shape
from ._sphere import Sphere as Sphere
from ._triangles import Surface as Surface
from ._triangles import box_surface as box_surface
from ._triangles import capsule_surface as capsule_surface
from ._triangles import cone_surface as cone_surface
from ._triangles import cylinder_surface as cylinder_surface
from ._triangles import ellipsoid_surface as ellipsoid_surface
from ._triangles import turned_surface as turned_surface
from ._triangles import upright as upright
from .pairs._pair import Pair as Pair
from .pairs._proximity import Proximity as Proximity
