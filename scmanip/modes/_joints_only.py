"""What modes have in common that drive the joints and nothing else."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..spatial import Array
from ..system import Layout
from ._manoeuvre_mode import ManoeuvreMode
from ._reduction import CentroidalDynamics
from .allocation._generalized_force import GeneralizedForce
from .allocation._joint_drives import within_drives
from .allocation._situation import Situation


class JointsOnly(ManoeuvreMode):
    """A mode without base actuators: a command is (N,) = tau; what the base does is left to each mode.

    >>> [isinstance(mode, JointsOnly) for mode in (Floating(), FixedBase(), Flying())]
    [True, True, False]
    """

    commands_base: ClassVar[bool] = False

    def actuated(self, layout: Layout) -> NDArray[np.intp]:
        """Return the places of the joints that the base carries in s = [v_C; omega_0; qdot], on a held base qdot alone."""
        return np.arange(layout.n_base, layout.n_base + layout.N_tree)

    @property
    def leaves_base_alone(self) -> bool:
        """Whether neither `applied` nor `generalized_force` is one of its own."""
        kind = type(self)
        return kind.applied is JointsOnly.applied and kind.generalized_force is ManoeuvreMode.generalized_force

    def applied(self, situation: Situation, command: Array) -> GeneralizedForce:
        """Return the command (N,) [N m or N] as joint forces within the limits of the motors, and no wrench; any scalar."""
        tau, limits = within_drives(situation.system, situation.qdot, command)
        return GeneralizedForce(tau, None, limits=limits)

    def command_for(self, dynamics: CentroidalDynamics, forces: Array) -> Array:
        """Return the joint forces (N,) [N m or N]: the last of `forces` (n_u,)."""
        return forces[len(forces) - dynamics.J_TS.shape[1] :]
