"""The attitude of the base as files give it: a quaternion, or roll, pitch and yaw in one of two units."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import InvalidInput, Problem, refuse
from ...spatial import attitude_xyzw, dcm_from_euler, quaternion_from_dcm

if TYPE_CHECKING:
    from ..controllers._base_law import PoseTable
    from ..file._schema import InitialTable
    from ..guidances._follow_guidance import FollowTable
    from ..guidances._reach_guidance import ReachTable
    from ..loads._attitude_hold_load import AttitudeHoldTable
    from ..loads._bushing_load import BushingTable

AttitudeTable: TypeAlias = "InitialTable | PoseTable | ReachTable | FollowTable | AttitudeHoldTable | BushingTable"

ATTITUDE = ("attitude_xyzw", "rpy_rad", "rpy_deg")


def attitude_problems(table: AttitudeTable) -> list[Problem]:
    """Return what keeps a table from giving at most one attitude."""
    problems: list[Problem] = []
    if table.attitude_xyzw is not None:
        try:
            attitude_xyzw(table.attitude_xyzw, order="xyzw")
        except InvalidInput as error:
            problems += error.problems
    return problems + doubles(table, ATTITUDE)


def attitude_of(table: AttitudeTable) -> list[float] | None:
    """Return x, y, z, w of the attitude that a table gives; None without one."""
    rpy = table.rpy_rad if table.rpy_deg is None else [math.radians(angle) for angle in table.rpy_deg]
    if rpy is None:
        return table.attitude_xyzw
    return quaternion_from_dcm(dcm_from_euler(*rpy)).tolist()


def turned(table: AttitudeTable, given: dict[str, Any]) -> dict[str, Any]:
    """Return what a table gives with the attitude as a quaternion, no turn where nothing is said; raises `InvalidInput`."""
    refuse(attitude_problems(table))
    rest = {key: value for key, value in given.items() if key not in ATTITUDE}
    return {**rest, "attitude_xyzw": attitude_of(table) or [0.0, 0.0, 0.0, 1.0]}


def doubles(table: AttitudeTable, keys: tuple[str, ...]) -> list[Problem]:
    """Return the one problem of a table that gives several of `keys`."""
    both = [key for key in keys if key in table.model_fields_set]
    return [Problem(both[1], f"one of {', '.join(keys)}", " and ".join(both))] if len(both) > 1 else []
