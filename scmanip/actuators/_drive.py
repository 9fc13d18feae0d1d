"""What drives a joint."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..errors import nearest
from ..spatial import finite
from ._actuator import Actuator
from ._answers import answer_flaw
from ._hardware import ActuatorHost, Flaw


class Fitting(NamedTuple):
    """What a drive adds to the equations of its joint, whether or not it is commanded.

    gear_ratio, rotor_inertia : a rotor on the body that carries the joint, its axis along the joint's, at gear_ratio times the
        joint's rate relative to it [kg m^2]
    damping : viscous friction [N m s/rad]
    coulomb, coulomb_width : friction coulomb tanh(rate / width) [N m], [rad/s]

    >>> motor = Motor("elbow", gear_ratio=100.0, rotor_inertia_kg_m2=2e-4)
    >>> fitting = motor.fitting
    >>> round(fitting.gear_ratio**2 * fitting.rotor_inertia, 6)  # kg m^2, what the joint feels of the rotor
    2.0
    """

    gear_ratio: float = 0.0
    rotor_inertia: float = 0.0
    damping: float = 0.0
    coulomb: float = 0.0
    coulomb_width: float = 1.0


class Drive(Actuator):
    """An actuator of one joint with one freedom; a joint has at most one. Numbers are of any scalar.

    joint : its name

    >>> class Spring(Drive):  # a joint that a clock spring drives
    ...     kind, joint, fitting = "spring", "hinge", Fitting(damping=0.1)
    ...
    ...     def within(self, torque, rate):
    ...         return 0.5
    ...
    ...     def limit(self, torque, rate):
    ...         return "the spring gives what it has"
    >>> Spring().within(3.0, 0.0), Spring().torque_limit
    (0.5, inf)
    """

    joint: str
    calling: ClassVar[str] = "joint"

    @classmethod
    def mounting(cls, texts: Mapping[str, str], hardware: ActuatorHost) -> Iterator[Flaw]:
        """Yield a joint that is none."""
        joint = texts["joint"]
        if hardware.joints is not None and joint not in hardware.joints:
            yield Flaw("joint", "the name of a joint", repr(joint), nearest(joint, hardware.joints))

    @classmethod
    def again(cls, name: str, word: str) -> Flaw:
        """Return what is wrong with a second drive of a joint."""
        return Flaw("joint", f"a joint without another {word}", f"{name!r}, which has one")

    def _flaws(self) -> Iterator[Flaw]:
        """Yield a fitting that is none, and what is no torque."""
        if not (isinstance(self.fitting, Fitting) and finite(self.fitting)):
            yield Flaw("fitting", "a Fitting of finite numbers", repr(self.fitting))
        yield from answer_flaw({"within": ((), lambda: self.within(0.0, 0.0))})

    @property
    @abstractmethod
    def fitting(self) -> Fitting:
        """What it adds to the joint."""

    @property
    def torque_limit(self) -> float:
        """The largest torque [N m] that it gives anywhere; infinite without a limit, and then runs tell of none (`limit`)."""
        return np.inf

    @property
    def rate_limit(self) -> float:
        """The largest rate [rad/s] to which it accelerates; infinite without a limit."""
        return np.inf

    @abstractmethod
    def within(self, torque: Any, rate: Any) -> Any:
        """Return what it gives of a commanded torque at a rate of the joint."""

    @abstractmethod
    def limit(self, torque: float, rate: float) -> str:
        """Return which limit acts where `within` gives something else at a torque [N m] and a rate [rad/s], in a phrase."""
