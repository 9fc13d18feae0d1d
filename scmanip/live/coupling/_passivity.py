"""When what a hand feels gives no energy: how firm a coupler may be, and what is done where it gives some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from ...errors import InvalidInput, Problem, checked, refuse
from ...spatial import is_number, positive_problems
from ._gains import Gains

LEVELLED_S = 0.3  # in which tanks level out; where it is shorter most is on its way when it is wanted


@dataclass(frozen=True)
class Region:
    """Gains with which a sampled coupler and the damping of its device give no energy [Colgate1997].

        b >= K (T / 2 + round trip) + B

    damping_Ns_m, damping_Nms_rad : b of the device, of translation and of turning
    step_s : T
    round_trip_s : from a motion of the device until it feels the force of it, computing included

    Raises `InvalidInput` for numbers that are not finite and >= 0, and a step that is not > 0; `refuse` for gains that are
    outside.

    >>> region = Region(damping_Ns_m=8.0, damping_Nms_rad=0.05, step_s=0.001, round_trip_s=0.002)
    >>> region.has(Gains(K=1000.0, B=5.0)), region.has(Gains(K=5000.0)), round(region.within(Gains(K=5000.0)).K, 1)
    (True, False, 3200.0)
    """

    damping_Ns_m: float
    damping_Nms_rad: float
    step_s: float
    round_trip_s: float

    def __post_init__(self) -> None:
        keys = "damping_Ns_m", "damping_Nms_rad", "round_trip_s"
        wrong = [key for key in keys if not (is_number(getattr(self, key)) and getattr(self, key) >= 0)]
        refuse([Problem(key, "a number >= 0", repr(getattr(self, key))) for key in wrong])
        refuse(positive_problems("step_s", self.step_s))

    @property
    def lag_s(self) -> float:
        """T / 2 + round trip [s]."""
        return self.step_s / 2 + self.round_trip_s

    def has(self, gains: Gains) -> bool:
        """Whether gains are in it."""
        return not list(self._beyond(gains))

    def refuse(self, gains: Gains) -> None:
        """Raise `InvalidInput` for gains that are not."""
        refuse(list(self._beyond(gains)), InvalidInput)

    def within(self, gains: Gains) -> Gains:
        """Return the gains, spring and damper lowered alike where they are outside."""
        linear = _share(self.damping_Ns_m, gains.K * self.lag_s + gains.B)
        turning = _share(self.damping_Nms_rad, gains.K_turn * self.lag_s + gains.B_turn)
        return Gains(gains.K * linear, gains.B * linear, gains.K_turn * turning, gains.B_turn * turning)

    def _beyond(self, gains: Gains) -> Iterator[Problem]:
        pairs = (
            ("K", gains.K, gains.B, self.damping_Ns_m, "N s/m"),
            ("K_turn", gains.K_turn, gains.B_turn, self.damping_Nms_rad, "N m s/rad"),
        )
        for name, K, B, b, unit in pairs:
            needed = K * self.lag_s + B
            if needed > b:
                expected = f"K (T / 2 + round trip) + B of at most {b:.6g} {unit}, the damping of the device"
                hint = f"lower its gains to {b / needed:.3g} of what they are, damp the device more, or have it `Controlled`"
                yield Problem(f"gain {name}", expected, f"{needed:.6g} {unit}", hint=hint)


def _share(have: float, need: float) -> float:
    return 1.0 if need <= have else have / need


@dataclass
class Tank:
    """Energy at one end of a line, one of two that level out: what came in, there or along the line, and is not out again.

    What both hold and what is on its way is together what came in, so that no more can come out, however long the way is
    [Franken2011].

    held : [J]
    """

    held: float = 0.0

    def sent(self, step_s: float) -> float:
        """Return what goes to the other end in a step and is no longer here [J]."""
        part = max(0.0, self.held) * step_s / LEVELLED_S
        self.held -= part
        return part

    def share(self, work: float, square: float) -> float:
        """Return the largest share s of a wrench, of [0, 1], that takes no more out than is here.

        work s + square s^2 : what it takes in the next step [J], square >= 0
        """
        held = self.held
        if work + square <= held:
            return 1.0
        root = sqrt(max(work * work + 4.0 * square * held, 0.0))
        if work > 0.0:
            return max(0.0, 2.0 * held / (work + root))
        return min(1.0, (root - work) / (2.0 * square)) if square > 0.0 else 0.0


@checked
@dataclass
class Observer:
    """Energy at the device's end of a coupler: what came in, what the body has of it, and what the device's damping takes.

    For a force that is held over a step the energy is force times way, with no error. What comes out in front of what came in
    is damped away at the device in the steps that follow.

    given, taken : what the device gave, and what the hand's image gave to the coupler [J]
    damped : what the damping of the device took [J]
    controlled : what this took in addition [J]
    least : the least of given + damped + controlled - taken until now [J]
    most_damping : that can be added [N s/m, N m s/rad]

    >>> observer = Observer(most_damping=(10.0, 0.1))
    >>> observer.note(given=0.1, taken=0.3)
    >>> round(observer.balance, 6), observer.damping([0.1, 0, 0, 0, 0, 0], 0.001)[0] > 0.0
    (-0.2, True)
    """

    most_damping: tuple[float, float]
    given: float = 0.0
    taken: float = 0.0
    damped: float = 0.0
    controlled: float = 0.0
    least: float = 0.0

    @property
    def balance(self) -> float:
        """What came in and is not out again [J]; where it is negative the coupler has given energy."""
        return self.given + self.damped + self.controlled - self.taken

    def note(self, given: float, taken: float, damped: float = 0.0, controlled: float = 0.0) -> None:
        """Count what passed in a step [J]."""
        self.given, self.taken = self.given + given, self.taken + taken
        self.damped, self.controlled = self.damped + damped, self.controlled + controlled
        balance = self.balance
        self.least = min(self.least, balance)

    def damping(self, velocity: Sequence[float], step_s: float) -> tuple[float, float]:
        """Return damping that takes what is lacking in the next step at a velocity (6,), of translation and of turning.

        velocity : [m/s, rad/s] in any one frame; damping in [N s/m] and [N m s/rad]
        """
        lacking = -self.balance
        if lacking <= 0.0:
            return 0.0, 0.0
        (x, y, z, a, b, c) = velocity
        linear, turning = (x * x + y * y + z * z) * step_s, (a * a + b * b + c * c) * step_s
        size = linear * linear + turning * turning
        if size == 0.0:
            return 0.0, 0.0
        return min(lacking * linear / size, self.most_damping[0]), min(lacking * turning / size, self.most_damping[1])
