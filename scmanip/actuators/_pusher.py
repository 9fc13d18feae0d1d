"""What pushes from outside."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping

from ..errors import nearest
from ..spatial import Array
from ._actuator import Actuator
from ._answers import answer_flaw
from ._hardware import ActuatorHost, Flaw


class Pusher(Actuator):
    """An actuator on a body that pushes it along one line and never pulls.

    body : name of the body that carries it

    >>> thruster = Thruster("aft", position_m=[-0.5, 0, 0], direction=[1, 0, 0], force_N=10.0, isp_s=220.0)
    >>> place, direction = thruster.line()
    >>> place.tolist(), direction.tolist(), round(thruster.exhaust_m_s, 1)
    ([-0.5, 0.0, 0.0], [1.0, 0.0, 0.0], 2157.5)
    """

    body: str

    @classmethod
    def mounting(cls, texts: Mapping[str, str], hardware: ActuatorHost) -> Iterator[Flaw]:
        """Yield a body that is none."""
        body = texts.get("body")
        if hardware.bodies is not None and body is not None and body not in hardware.bodies:
            yield Flaw("body", "the name of a body", repr(body), nearest(body, hardware.bodies))

    def _flaws(self) -> Iterator[Flaw]:
        """Yield answers that are no place and direction, or no numbers > 0."""
        yield from answer_flaw({"line": ((2, 3), self.line)})
        numbers = {"largest_force": self.largest_force, "exhaust_m_s": self.exhaust_m_s}
        yield from (Flaw(name, "a number > 0", repr(number)) for name, number in numbers.items() if not number > 0)

    @abstractmethod
    def line(self) -> tuple[Array, Array]:
        """Return where it pushes (3,) [m], from the origin of the body's frame, and the direction (3,), both in its axes."""

    @property
    @abstractmethod
    def largest_force(self) -> float:
        """The largest force [N]."""

    @property
    @abstractmethod
    def exhaust_m_s(self) -> float:
        """Force over mass flow [m/s]; infinite where nothing is burnt."""
