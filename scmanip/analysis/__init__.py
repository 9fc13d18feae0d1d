"""Histories into budgets and margins: base, joints, turners, propellant, and how well a frame was led."""

from typing import TYPE_CHECKING

from ..plugins import late
from ._base_excursion import BaseExcursion as BaseExcursion
from ._base_excursion import base_displacement as base_displacement
from ._base_excursion import base_excursion as base_excursion
from ._base_excursion import base_rotation as base_rotation
from ._base_excursion import displacement_from_first as displacement_from_first
from ._base_excursion import rotation_from_first as rotation_from_first
from ._base_excursion import sizes as sizes
from ._capability import Capability as Capability
from ._capability import FrameReach as FrameReach
from ._capability import pusher_capability as pusher_capability
from ._capability import reach as reach
from ._capability import turner_capability as turner_capability
from ._interface_load import interface_load as interface_load
from ._momentum_shares import MomentumShares as MomentumShares
from ._momentum_shares import momentum_shares as momentum_shares
from ._peak import unseen_peak as unseen_peak
from ._propellant import Propellant as Propellant
from ._propellant import propellant as propellant
from ._propellant import propellant_by_thruster as propellant_by_thruster
from ._stack_card import StackCard as StackCard
from ._stack_card import stack_cards as stack_cards
from ._suggested_gains import SuggestedGains as SuggestedGains
from ._suggested_gains import suggested_gains as suggested_gains
from ._switch_account import SwitchAccount as SwitchAccount
from ._switch_account import impulse_sizes as impulse_sizes
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

if TYPE_CHECKING:
    from .linear._along import linearise_along as linearise_along
    from .linear._broken_loop import broken_loop as broken_loop
    from .linear._delay_map import DelayMap as DelayMap
    from .linear._delay_map import delay_map as delay_map
    from .linear._disk_margins import DiskMargins as DiskMargins
    from .linear._disk_margins import disk_margins as disk_margins
    from .linear._disk_margins import structured_singular_values as structured_singular_values
    from .linear._linearisation import Linearisation as Linearisation
    from .linear._linearise import linearisation as linearisation
    from .linear._linearise import linearise as linearise
    from .linear._margins import Margins as Margins
    from .linear._margins import WorstMargin as WorstMargin
    from .linear._margins import margins as margins
    from .linear._observer_feedback import observer_feedback as observer_feedback
    from .linear._root_loci import RootLoci as RootLoci
    from .linear._root_loci import root_loci as root_loci
    from .linear._separation import Separation as Separation
    from .linear._separation import bandwidth_separation as bandwidth_separation
    from .linear._separation import flexible_modes as flexible_modes
    from .linear._trim import Trim as Trim
    from .linear._trim import trim as trim
else:
    __getattr__, __dir__ = late(
        __name__,
        {
            "linear._along": "linearise_along",
            "linear._broken_loop": "broken_loop",
            "linear._delay_map": "DelayMap delay_map",
            "linear._disk_margins": "DiskMargins disk_margins structured_singular_values",
            "linear._linearisation": "Linearisation",
            "linear._linearise": "linearisation linearise",
            "linear._margins": "Margins WorstMargin margins",
            "linear._observer_feedback": "observer_feedback",
            "linear._root_loci": "RootLoci root_loci",
            "linear._separation": "Separation bandwidth_separation flexible_modes",
            "linear._trim": "Trim trim",
        },
    )
