"""Places of a system in axes of its bodies, and what follows from them for the sizes of its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...constraints import GROUND
from ...shapes import Shape
from ...spatial import FloatArray
from ...system import Joint, System
from ._boxes import equal_box
from ._looks import missing

_SLIM = 1 / 44  # radius of a link, of the length of its arm
_CLOSE = 0.35  # of the radius of a link: what is nearer is at the same place
_COMPACT = 0.1  # of the longest edge of a body's box: an arm that reaches no further is that box


@dataclass(frozen=True, eq=False)
class JointPlaces:
    """Where joints and ends of links are, in axes of the bodies that carry them [m].

    system : the system; ways : (n_q,) largest sizes of its coordinates in the picture
    """

    system: System
    ways: FloatArray

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the bodies that each carries by a joint that places them."""
        parents = self.system.tree.parent
        carried = [k for k, body in enumerate(self.system.bodies) if body.joint is not None and not body.grounded]
        return tuple(tuple(k for k in carried if parents[k] == number) for number in range(len(parents)))

    def inboard(self, number: int) -> FloatArray:
        """Return where the joint of a body is (3,), in axes of the body."""
        joint = self.joint(number)
        return -joint.child_dcm.T @ joint.child_origin_m if joint is not None else np.zeros(3)

    def joint(self, number: int) -> Joint | None:
        """Return the joint of a body."""
        return self.system.bodies[number].joint

    def outboard(self, number: int) -> list[FloatArray]:
        """Return where a body carries others (3,) each; where it carries nothing, its frames; its CoM where it has none."""
        joints = [self.system.bodies[k].joint for k in self.children[number]]
        found = [joint.origin_m for joint in joints if joint is not None]
        name = self.system.bodies[number].name
        own = [frame.origin_m for frame in self.system.frames if frame.body == name]
        return found or own or [2 * self.system.bodies[number].com_m - self.inboard(number)]

    def is_hull(self, number: int) -> bool:
        """Return whether a body is drawn as a box: it begins a tree."""
        body = self.system.bodies[number]
        return body.parent is None or body.grounded

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Number of the body that begins the arm of each body: one that a box, or a body with several ends, carries."""
        found: list[int] = []
        for number in range(len(self.system.bodies)):
            parent = int(self.system.tree.parent[number])
            begins = self.is_hull(number) or self.is_hull(parent) or len(self.children[parent]) > 1
            found.append(number if begins else found[parent])
        return tuple(found)

    def span_m(self, number: int) -> float:
        """Return the length of one link."""
        start = self.inboard(number)
        return max(float(np.linalg.norm(end - start)) for end in self.outboard(number))

    def way_m(self, number: int) -> float:
        """Return how far a body's joint slides at most in the picture."""
        joint = self.joint(number)
        if joint is None or joint.kind.grounded:
            return 0.0
        names = [c.name for c in joint.coordinates if c.unit == "m"]
        every = self.system.layout.q_names
        return max((float(self.ways[every.index(name)]) for name in names), default=0.0)

    def radius_m(self, number: int) -> float:
        """Return the radius of a link: thinner from the root of its arm to the tip."""
        arm = self._arm(number)
        return _SLIM * self._length_m(arm) * (1.0 - 0.45 * arm.index(number) / max(1, len(arm)))

    def is_compact(self, number: int) -> bool:
        """Return whether the arm of a body has no length to speak of, as a body has that turns about its own middle."""
        return self._is_compact(self._arm(number))

    def _arm(self, number: int) -> list[int]:
        return [k for k, root in enumerate(self.roots) if root == self.roots[number]]

    def _is_compact(self, arm: Sequence[int]) -> bool:
        return sum(self.span_m(k) for k in arm) < _COMPACT * self._edge_m(arm)

    def _edge_m(self, arm: Sequence[int]) -> float:
        return max(float(equal_box(self.system.bodies[k])[0].max()) for k in arm)

    def _length_m(self, arm: Sequence[int]) -> float:
        """Return the length of an arm with the ways that it slides, and the longest edge of a compact one."""
        found = sum(self.span_m(k) + self.way_m(k) for k in arm)
        return found + self._edge_m(arm) if self._is_compact(arm) else found

    def is_short(self, number: int, end: FloatArray) -> bool:
        """Return whether a link is shorter than it is wide, so that its joints are all there is to see."""
        return float(np.linalg.norm(end - self.inboard(number))) < _CLOSE * self.radius_m(number)

    @cached_property
    def base_m(self) -> float:
        """Middle edge of the base's box; of the longest arm a fifth where the base has no mass."""
        base = self.system.base
        if base.mass_kg > 0:
            return float(np.median(equal_box(base)[0]))
        return 0.2 * max((self._length_m(self._arm(root)) for root in set(self.roots[1:])), default=1.0)

    def colour(self, number: int) -> str:
        """Return the word of the colour of a body."""
        body = self.system.bodies[number]
        if self.is_hull(number):
            return "base" if body.parent is None else "target"
        return "link" if self.children[number] else "tip"

    def is_body(self, shape: Shape) -> bool:
        """Return whether a shape, in axes of its body, holds the body's centre of mass: it is taken for the body itself."""
        body = self.system.bodies[self.system.body_number(shape.frame)]
        middle = shape.dcm.T @ (body.com_m - shape.origin_m)
        vertices, faces = shape.surface(self.base_m)
        a, b, c = np.moveaxis(vertices[faces], 1, 0)
        return bool((np.cross(b - a, c - a) * (middle - a)).sum(axis=1).max() < 0)

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes of the system, in axes of bodies or of the ground."""
        return tuple(self.system.shape(shape.name) for shape in self.system.shapes)

    @cached_property
    def described(self) -> frozenset[str]:
        """Names of the bodies that have looks, or for which shapes stand."""
        shapes = (shape.frame for shape in self.shapes if shape.frame != GROUND and self.is_body(shape))
        looks = [each for each in self.system.visuals if not each.collides and not missing(each) and each.frame != GROUND]
        return frozenset([*shapes, *(self.system.frame(look.frame).body for look in looks)])
