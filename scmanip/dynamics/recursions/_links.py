"""A system as links in axes of their own, chosen and regrouped so that a recorded program has little to do.

Three choices that leave the motion unchanged: every joint axis becomes a coordinate axis; an origin that may be anywhere, such
as that of a sliding body and the base's, is put on the centre of mass; and what may belong to either side of a joint goes to
the parent. A thin rod on the axis of a turn is such a thing, and so is the rotational inertia of what slides. What remains on
the bodies are the base parameters of customised models [Khalil1987], many of them zero.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...spatial import Array, as_known, present, scalar_type, transpose
from ...system import Motion
from ..sums._parameters import Parameters
from ..sums._results import Point


@dataclass(frozen=True, eq=False)
class Links:
    """Constants of the bodies in link axes, about the link origins.

    m, ms, K : (n_l,), (n_l, 3), (n_l, 3, 3) mass, first moment and second moment (integrals of dm, r dm, r r' dm)
    origin, dcm : (n_l, 3), (n_l, 3, 3) link at q = 0 in the parent's link axes
    motions : per link, how it moves, in link axes
    turn, shift : (n_l, 3, 3), (n_l, 3) link axes and origin in the moved joint frames of `Parameters`
    parameters : where they come from (tree, joint types, springs, gravity)
    """

    m: Array
    ms: Array
    K: Array
    origin: Array
    dcm: Array
    motions: tuple[Motion, ...]
    turn: Array
    shift: Array
    parameters: Parameters

    @classmethod
    def of(cls, parameters: Parameters) -> Links:
        """Return the links of a system, regrouped; over any scalar."""
        turn, shift = _simple_axes(parameters), np.zeros_like(parameters.com)
        for i, motion in enumerate(parameters.motions):
            shift[i] = parameters.com[i] if i == 0 and not parameters.fixed else motion.centre(parameters.com[i])
        links = _placed(parameters, turn, shift)
        for i in reversed(range(1, len(parameters.m))):
            links = _handed_to_parent(links, i)
        return links

    @cached_property
    def linear(self) -> Array:
        """(N, 3) velocity of the link's origin per unit of each speed, in link axes."""
        return as_known(np.concatenate([motion.linear for motion in self.motions]))

    @cached_property
    def angular(self) -> Array:
        """(N, 3) angular velocity of the link per unit of each speed, in link axes."""
        return as_known(np.concatenate([motion.angular for motion in self.motions]))

    def offset(self, point: Point) -> Array:
        """Return a point's place (3,) in link axes from the link origin."""
        link = self.parameters.link_of[point.body]
        return transpose(self.turn[link]) @ (point.offset - self.shift[link])


def _simple_axes(parameters: Parameters) -> Array:
    """Return constant rotations (n_l, 3, 3) after which every joint axis is a coordinate axis."""
    turn = np.tile(np.eye(3), (len(parameters.m), 1, 1))
    for d, k, i in zip(parameters.linear, parameters.angular, parameters.carried, strict=True):
        axis = as_known(k if present(k).any() else d)
        if np.count_nonzero(axis) > 1:
            side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
            x = side / np.sqrt(side @ side)
            turn[i] = np.column_stack([x, np.cross(axis, x), axis])
    return turn


def _placed(parameters: Parameters, turn: Array, shift: Array) -> Links:
    """Return the links with the given axes and origins, nothing handed over yet."""
    parent = parameters.parent
    to_parent, to_link = transpose(turn[parent]), transpose(turn)
    origin = parameters.origin - shift[parent] + (parameters.dcm @ shift[:, :, None])[:, :, 0]
    c = (to_link @ (parameters.com - shift)[:, :, None])[:, :, 0]
    I = to_link @ parameters.inertia @ turn
    half_trace = np.trace(I, axis1=-2, axis2=-1)[:, None, None] / 2
    K = half_trace * np.eye(3) - I + parameters.m[:, None, None] * c[:, :, None] * c[:, None, :]
    kind = scalar_type(parameters.m, c, K, origin)  # what is handed over depends on all of them
    return Links(
        m=np.array(parameters.m, dtype=kind),
        ms=np.array(parameters.m[:, None] * c, dtype=kind),
        K=np.array(K, dtype=kind),
        origin=(to_parent @ origin[:, :, None])[:, :, 0],
        dcm=to_parent @ parameters.dcm @ turn,
        motions=tuple(motion.in_axes(R) for motion, R in zip(parameters.motions, turn, strict=True)),
        turn=turn,
        shift=shift,
        parameters=parameters,
    )


def _handed_to_parent(links: Links, i: int) -> Links:
    """Return the links with everything of body i that its parent may carry as well on the parent."""
    parent, own = links.parameters.parent[i], (as_known(links.ms[i]), as_known(links.K[i]))
    rod = links.motions[i].of_parent(links.m[i], *own)
    R, o = links.dcm[i], links.origin[i]
    m, ms, K = (array.astype(scalar_type(array, o, *rod)) for array in (links.m, links.ms, links.K))
    moved = R @ rod[1]
    m[parent], ms[parent] = m[parent] + rod[0], ms[parent] + moved + rod[0] * o
    K[parent] = K[parent] + R @ rod[2] @ R.T + np.outer(moved, o) + np.outer(o, moved) + rod[0] * np.outer(o, o)
    m[i], ms[i], K[i] = m[i] - rod[0], _clean(own[0] - rod[1], own[0]), _clean(own[1] - rod[2], own[1])
    return replace(links, m=m, ms=ms, K=K)


def _clean(difference: Array, scale: Array) -> Array:
    """Return the difference with what is only rounding set to zero; symbols leave none."""
    if difference.dtype == object:
        return difference
    return np.where(np.abs(difference) > 1e-15 * np.abs(scale).max(initial=0.0), difference, 0.0)
