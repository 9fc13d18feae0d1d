"""Histories into budgets and margins: what the base did, what the joints took, what the wheels have left, how well a frame
was led."""

from ._base_excursion import base_displacement as base_displacement
from ._base_excursion import base_rotation as base_rotation
from ._joint_power import joint_power as joint_power
from ._tip_track import TipTrack as TipTrack
from ._tip_track import tip_track as tip_track
from ._wheel_use import WheelUse as WheelUse
from ._wheel_use import wheel_momentum as wheel_momentum
from ._wheel_use import wheel_uses as wheel_uses
