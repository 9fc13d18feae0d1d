"""Joints of Pinocchio's models that mimic others: joints of their own here, which a coupling has follow them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

MIMIC = "Mimic"
_KIND = re.compile(r"Mimicking joint type: JointModel(\w+)")
_SAFE = re.compile(r"(R|RUB|P|H)[XYZ]|(Revolute|Prismatic)Unaligned")  # Pinocchio 4.1 crashes on unaligned helical ones


def mimicking_keys(model: Any, kind: Any) -> dict[str, Any] | None:
    """Return the keys of the joint that mimics another, by its twist; None of one that Pinocchio itself cannot move."""
    found = _KIND.search(str(kind))
    if found is None or not _SAFE.fullmatch(found[1]) or not kind.scaling:
        return None
    data = kind.createData()
    q = np.zeros(model.nq)
    q[kind.idx_q] = 1.0  # a number, or the cosine of one without bounds
    kind.calc(data, q, np.ones(model.nv))
    w, v = (np.array(each) / kind.scaling for each in (data.v.angular, data.v.linear))
    if not w.any():
        return {"type": "prismatic", "axis": v.tolist()}
    pitch = float(w @ v)
    return {"type": "screw", "axis": w.tolist(), "pitch_m_rad": pitch} if pitch else {"type": "revolute", "axis": w.tolist()}


def said_of(kind: Any) -> str:
    """Return what problems call a joint that mimics another."""
    found = _KIND.search(str(kind))
    return f"{MIMIC} of {found[1] if found else 'an unknown kind'} scaled by {kind.scaling:g}"


def mimicked(model: Any, kind: Any) -> str:
    """Return the name of the joint that another one mimics: that with its speed."""
    (of,) = (joint.id for joint in list(model.joints)[1:] if joint.nv == 1 and joint.idx_v == kind.idx_v)
    return str(model.names[of])
