"""Histories into budgets and margins: base, joints, turners, propellant, and how well a frame was led."""

from ._base_excursion import BaseExcursion as BaseExcursion
from ._base_excursion import base_displacement as base_displacement
from ._base_excursion import base_excursion as base_excursion
from ._base_excursion import base_rotation as base_rotation
from ._base_excursion import displacement_from_first as displacement_from_first
from ._base_excursion import rotation_from_first as rotation_from_first
from ._base_excursion import sizes as sizes
from ._peak import unseen_peak as unseen_peak
from ._propellant import Propellant as Propellant
from ._propellant import propellant as propellant
from ._propellant import propellant_by_thruster as propellant_by_thruster
from ._switch_account import SwitchAccount as SwitchAccount
from ._switch_account import switch_accounts as switch_accounts
from ._tip_track import TipTrack as TipTrack
from ._tip_track import tip_track as tip_track
from ._use import Use as Use
from ._use import joint_power as joint_power
from ._use import joint_uses as joint_uses
from ._use import stored_by as stored_by
from ._use import turner_uses as turner_uses
from ._use import wheel_momentum as wheel_momentum
from ._use import wheel_uses as wheel_uses
