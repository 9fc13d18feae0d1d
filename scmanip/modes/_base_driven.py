"""What the modes have in common that drive the base too."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..dynamics import Model
from ..errors import ModeMismatch
from ..spatial import Array
from ..system import Layout
from ._manoeuvre_mode import ManoeuvreMode
from ._reduction import OMEGA, V_C, CentroidalDynamics
from .allocation._generalized_force import GeneralizedForce
from .allocation._joint_drives import within_drives
from .allocation._situation import Situation


class BaseDriven(ManoeuvreMode):
    """A mode whose command is (6 + N,) = [f; n; tau], base wrench at the base CoM in N, or (N,) = tau alone.

    moves : whether the system CoM is commanded

    >>> [mode for mode in (Floating(), Flying(), RotationFloating()) if isinstance(mode, BaseDriven)]
    [Flying(), RotationFloating()]
    """

    commands_base: ClassVar[bool] = True
    moves: ClassVar[bool]

    @property
    @abstractmethod
    def turns(self) -> bool:
        """Whether the base's attitude is commanded."""

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is held."""
        if model.layout.fixed:
            raise ModeMismatch(
                f"mode '{self.name}' drives a base that is free to move, and system '{model.system.name}' holds its base "
                "([base] fixed = true); choose 'fixed_base', or free the base"
            )

    def actuated(self, layout: Layout) -> NDArray[np.intp]:
        base = [*range(3)] * self.moves + [*range(3, 6)] * self.turns
        return np.array([*base, *range(6, 6 + layout.N_tree)], dtype=np.intp)

    def check_command(self, layout: Layout, command: Array, t: float) -> None:
        """Raise `ModeMismatch` for what the mode's hardware cannot apply, `InvalidInput` for another wrong shape."""
        super().check_command(layout, command, t)
        if command.shape == (layout.N,):
            return
        for commanded, part, word, why in (
            (self.moves, command[:3], "force f", "nothing pushes the system"),
            (self.turns, command[3:6], "torque n", "nothing turns the base"),
        ):
            if not commanded and np.any(np.nan_to_num(part)):  # what is no number ends the run with its own sentence
                raise ModeMismatch(
                    f"the controller returned a {word} = {part.tolist()} at t = {t:g} s, but in mode '{self.name}' {why}"
                )

    def applied(self, situation: Situation, command: Array) -> GeneralizedForce:
        """Return what a checked command, (N,) or (6 + N,) [N, N m], applies to the system; any scalar."""
        N = situation.system.layout.N
        base = np.zeros(6) if len(command) == N else command[:6]
        tau, limits = within_drives(situation.system, situation.qdot, command[len(command) - N :])
        force = self.driven(situation, base, tau)
        return force._replace(limits=limits + force.limits) if limits else force

    def command_for(self, dynamics: CentroidalDynamics, forces: Array) -> Array:
        """Return the command (6 + N,) of forces (n_u,) on s, both [N, N m]; its torque is about the system CoM."""
        return np.concatenate([forces[V_C], forces[OMEGA], dynamics.wrench_and_tau(forces)[1]])

    @abstractmethod
    def driven(self, situation: Situation, base: Array, tau: Array) -> GeneralizedForce:
        """Return what a commanded base wrench (6,) [N, N m] in N and joint forces (N,) come to, over any scalar."""
