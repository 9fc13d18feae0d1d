"""What every manoeuvre mode offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..actuators import Pusher, Turner
from ..dynamics import Model
from ..errors import InvalidInput, ModeMismatch, NotRecordable, Problem
from ..spatial import Array
from ..system import Layout, State
from ._reduction import CentroidalDynamics
from ._speeds import speed_names
from .allocation._generalized_force import GeneralizedForce
from .allocation._situation import Situation
from .contracts._ledger import Ledger
from .contracts._residuals import Residuals


class ManoeuvreMode(ABC):
    """Which generalized speeds are commanded, by what hardware, and what must then stay constant.

    name : as in mission files
    commands_base : whether a command may be (6 + N,) = [f; n; tau] instead of (N,) = tau
    pushed : whether anything acts on the system from outside
    places_base : whether what it places is the base CoM, and not that of the system
    base_actuators : what those that drive the base must be able to do

    In SI and components in N throughout: forces [N], torques [N m], times [s].

    >>> for mode in (Floating(), RotationFloating(), Flying()):
    ...     print(mode.name, len(mode.actuated(system.layout)), "of", system.layout.n_u, "speeds are commanded")
    ...
    floating 4 of 10 speeds are commanded
    rotation_floating 7 of 10 speeds are commanded
    flying 10 of 10 speeds are commanded
    """

    name: ClassVar[str]
    commands_base: ClassVar[bool]
    pushed: ClassVar[bool] = False
    places_base: ClassVar[bool] = False
    base_actuators: tuple[type[Turner] | type[Pusher], ...] = ()

    @abstractmethod
    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` with a sentence when `model` cannot be flown in this mode."""

    @abstractmethod
    def actuated(self, layout: Layout) -> NDArray[np.intp]:
        """Return the places (n,) of the commanded speeds in s = [v_C; omega_0; qdot], ascending; s is qdot on a held base."""

    def unactuated(self, layout: Layout) -> NDArray[np.intp]:
        """Return the places (n,) in s of the speeds that react freely, ascending."""
        return np.setdiff1d(np.arange(layout.n_u), self.actuated(layout))

    def commanded(self, layout: Layout) -> tuple[str, ...]:
        """Return the names of the commanded speeds, such as `v_C x`, `omega_0 z` and those of the joints' freedoms."""
        names = speed_names(layout)
        return tuple(names[place] for place in self.actuated(layout))

    def reacting(self, layout: Layout) -> tuple[str, ...]:
        """Return the names of the speeds that react freely."""
        names = speed_names(layout)
        return tuple(names[place] for place in self.unactuated(layout))

    def equipped(self, model: Model) -> Model:
        """Return the model with the ideal actuators that the mode needs and the system does not have."""
        return model

    def generalized_force(self, model: Model, state: State, command: Array) -> GeneralizedForce:
        """Return what a checked command, (N,) or (6 + N,) [N, N m], applies to the system in `state`."""
        return self.applied(Situation.of(model, state), command)

    def applied(self, situation: Situation, command: Array) -> GeneralizedForce:
        """Return the same of (N,) or (6 + N,) over any scalar, of modes that are formulas; limits are named of floats alone."""
        raise NotRecordable(f"mode '{self.name}' is not written as equations")

    @property
    def is_formula(self) -> bool:
        """Whether `applied` may be recorded: a mode whose `generalized_force` is its own need not be a formula."""
        return type(self).generalized_force is ManoeuvreMode.generalized_force

    @property
    def leaves_base_alone(self) -> bool:
        """Whether its actuators are those of the joints, whatever is commanded."""
        return False

    @abstractmethod
    def command_for(self, dynamics: CentroidalDynamics, forces: Array) -> Array:
        """Return the command, (N,) or (6 + N,) [N, N m], of forces (n_u,) on s which vanish where nothing is commanded."""

    @abstractmethod
    def contract(self, ledger: Ledger) -> Residuals:
        """Return the residual of every law that a run in this mode must obey."""

    def command_size(self, layout: Layout) -> int:
        """Return how many numbers a whole command has.

        >>> Floating().command_size(system.layout), Flying().command_size(system.layout)
        (4, 10)
        """
        return 6 * self.commands_base + layout.N

    def check_command(self, layout: Layout, command: Array, t: float) -> None:
        """Raise `ModeMismatch` for a base wrench that nothing can apply, `InvalidInput` for what is not (N,) or (6 + N,)."""
        if command.shape == (layout.N,) or (self.commands_base and command.shape == (6 + layout.N,)):
            if layout.n_tree is not None:
                _refuse_free(layout, command[len(command) - layout.N :], t)
            return
        if command.shape == (6 + layout.N,):
            raise ModeMismatch(
                f"the controller returned a base wrench and joint forces, shape {command.shape}, at t = {t:g} s, but in mode "
                f"'{self.name}' only the joints are commanded; return the {layout.N} joint forces alone"
            )
        expected = f"{layout.N} joint forces" + (f", or {6 + layout.N} numbers [f; n; tau]" if self.commands_base else "")
        raise InvalidInput(Problem(f"command of the controller at t = {t:g} s", expected, f"shape {command.shape}"))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def _refuse_free(layout: Layout, tau: Array, t: float) -> None:
    """Raise `ModeMismatch` for joint forces (N,) on what the base does not carry."""
    if not np.any(np.nan_to_num(tau[layout.N_tree :])):
        return
    name, force = next(pair for pair in zip(layout.qdot_names[layout.N_tree :], tau[layout.N_tree :], strict=True) if pair[1])
    raise ModeMismatch(
        f"the controller returned {force:g} for '{name}' at t = {t:g} s, which no actuator of the base moves; its entries from "
        f"{layout.N_tree} on are those of free bodies and of what they carry, and must be 0 (system.layout.actuated)"
    )
