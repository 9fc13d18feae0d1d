"""A serial arm in the modified Hartenberg-Denavit parameters of [Angeles1989] section 3.1 as bodies, joints and a tip.

Frame i, the body frame of link i, sits at O_i on joint i, which turns about or slides along Z_i. It is reached from frame
i-1 by Q_i = Rx(alpha_i) Rz(theta_i) (7) and a_i = (a_i, b_i sin alpha_i, -b_i cos alpha_i) (8): b_i is the Z_i coordinate
of the foot of the common perpendicular, so O_i lies at -b_i along Z_i, and a prismatic joint, whose coordinate is b_i,
slides along -Z_i.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...spatial import FloatArray
from ..joints import KINDS, joint_numbers
from ..parts._angles import dcm_from_rpy, exact, radian
from ..parts._body import Body
from ..parts._frame import Frame
from ..parts._joint import Joint
from ._schema import HdLink


def hd_arm(links: Sequence[HdLink]) -> tuple[list[Body], Frame]:
    """Return the links of the arm, from the base outwards, and the frame at the origin of the last."""
    bodies: list[Body] = []
    for number, link in enumerate(links, start=1):
        parent = bodies[-1].name if bodies else "base"
        rho, inertia = np.array(link.rho_m), np.array(link.inertia_kg_m2)
        bodies.append(Body(link.name or f"link{number}", link.mass_kg, inertia, rho, parent, _joint(f"joint{number}", link)))
    return bodies, Frame("tip", bodies[-1].name)


def _joint(name: str, link: HdLink) -> Joint:
    """Return joint i in frame i-1, at theta_i = theta or b_i = b."""
    kind, twist = KINDS[link.type], _about("x", radian(link.alpha_rad, link.alpha_deg))
    axis = np.array([0.0, 0.0, 1.0 if kind.freedoms[0][1] == "rad" else -1.0])
    origin_m = np.array([link.a_m, 0.0, 0.0]) - link.b_m * twist[:, 2]  # eq. 8
    dcm = exact(twist @ _about("z", radian(link.theta_rad, link.theta_deg)))  # eq. 7
    return Joint(name, kind.name, axis, origin_m, dcm, **joint_numbers(vars(link)))


def _about(axis: str, angle: float | None) -> FloatArray:
    """Return the rotation (3, 3) by an angle [rad] about x or z."""
    return dcm_from_rpy([angle or 0.0, 0.0, 0.0] if axis == "x" else [0.0, 0.0, angle or 0.0], None)
