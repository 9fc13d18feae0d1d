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
from .pairs._pair import Pair as Pair
from .pairs._proximity import Proximity as Proximity
