"""A serial arm in customised Denavit-Hartenberg form as bodies, joints and a tip [Wilde2018] eqs 1-10.

Joint i turns about or slides along z of frame J_i, which is the body frame of link i-1; the body frame of link i is
J_i+1, at the link's far end: T(J_i to J_i+1) = Rz(theta) Tz(d) Tx(a + b) Rx(alpha), theta = q + offset or d = d_m + q.
"""

from __future__ import annotations

import numpy as np

from ...spatial import dh_transform
from ..joints import joint_numbers
from ..parts._angles import dcm_from_rpy, exact, radian
from ..parts._body import Body
from ..parts._frame import Frame
from ..parts._joint import Joint
from ._file_bodies import arm_prefix
from ._schema import ArmLink, ArmTable


def arm_bodies(arm: ArmTable, arms: int) -> tuple[list[Body], Frame]:
    """Return the links of one of `arms` arms, from the mount outwards, and the frame at the tip."""
    prefix, parent = arm_prefix(arm.name, arms), arm.parent
    origin_m, dcm = np.array(arm.mount_m), dcm_from_rpy(arm.mount_rpy_rad, arm.mount_rpy_deg)  # eq. 8
    bodies = []
    for number, link in enumerate(arm.link, start=1):
        child = _transform(link)
        joint = Joint(
            f"{prefix}joint{number}",
            link.type,
            origin_m=origin_m,
            dcm=dcm,
            child_origin_m=child[:3, 3],
            child_dcm=child[:3, :3],
            **joint_numbers(vars(link)),
        )
        name = link.name or f"{prefix}link{number}"
        com_m = np.array([-link.b_m, 0.0, 0.0] if link.com_m is None else link.com_m)  # eq. 10
        bodies.append(Body(name, link.mass_kg, np.array(link.inertia_kg_m2), com_m, parent, joint))
        parent, origin_m, dcm = name, np.zeros(3), np.eye(3)
    return bodies, Frame(f"{prefix}tip", parent)


def _transform(link: ArmLink) -> np.ndarray:
    """Return T(J_i to J_i+1) at q = 0 (4, 4); Rz(q) or Tz(q) stands before it [Wilde2018] eqs 1, 9."""
    theta = radian(link.theta_offset_rad, link.theta_offset_deg) or 0.0
    alpha = radian(link.alpha_rad, link.alpha_deg) or 0.0
    T = dh_transform(theta, link.d_m, alpha, link.a_m + link.b_m)
    T[:3, :3] = exact(T[:3, :3])
    return T
