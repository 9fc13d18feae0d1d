"""Gains to begin with, of what actuators give and how often a law looks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..actuators import Drive, Pusher, Turner
from ..errors import InvalidInput, Problem, checked, expect, refuse
from ..modes import CentroidalDynamics
from ..plant import Plant
from ..spatial import FloatArray, positive_problems
from ..system import State
from ._capability import pusher_capability, turner_capability

SAMPLES = 20.0  # looks per period of the bandwidth [Franklin2010] chapter 8, so that a law is as one that looks always
BASE_SPEEDS = tuple(f"{vector} {axis}" for vector in ("v_C", "omega_0") for axis in "xyz")


@dataclass(frozen=True, eq=False)
class SuggestedGains:
    """Gains [1/s^2, 1/s] of a law that makes errors decay as e'' + K_D e' + K_P e = 0, and why they are no larger.

    bandwidth_rad_s : omega; K_P = omega^2 [1/s^2], K_D = 2 zeta omega [1/s], for `computed_torque` and its kin
    allowed_rad_s : the largest omega that each limit allows, by commanded speed, such as "joint2" or "omega_0 z", and
        "rate_Hz"; infinite where nothing limits it
    weighs : what each commanded speed weighs by itself [kg or kg m^2]: K_P and K_D times that are gains of a law of forces,
        such as `joint_regulator`
    why : it is no larger
    error : that actuators bear [rad or m]
    apart : a ratio, how little the least coupled motion of all weighs beside what its speeds weigh by themselves, at most 1

    >>> round(suggested_gains(plant, state, rate_Hz=10.0).bandwidth_rad_s, 3)
    3.142
    """

    bandwidth_rad_s: float
    K_P: float
    K_D: float
    allowed_rad_s: dict[str, float]
    weighs: dict[str, float]
    why: str
    error: float = 0.1
    apart: float = 1.0

    @property
    def rule(self) -> str:
        """Gains, bandwidth and reason in a sentence."""
        return f"K_P = {self.K_P:.3g}, K_D = {self.K_D:.3g}: {self.why}"

    @property
    def of_joints(self) -> list[float]:
        """What speeds of joints weigh, in order [kg or kg m^2]."""
        return [one for name, one in self.weighs.items() if name not in BASE_SPEEDS]

    @property
    def of_base(self) -> list[float]:
        """(6,) What speeds of the base weigh, first its place [kg], then its attitude [kg m^2], along axes of N.

        0 where it is not commanded.
        """
        return [self.weighs.get(name, 0.0) for name in BASE_SPEEDS]

    @property
    def energy(self) -> float:
        """What speeds carry that make up for the error within 1 / omega, all of them [J]."""
        return sum(self.weighs.values()) * (self.bandwidth_rad_s * self.error) ** 2 / 2

    @property
    def binding(self) -> str:
        """What allows least."""
        return min(self.allowed_rad_s, key=lambda name: self.allowed_rad_s[name])


@checked
def suggested_gains(
    plant: Plant, state: State, *, rate_Hz: float | None = None, error: float = 0.1, damping: float = 1.0
) -> SuggestedGains:
    """Return gains to begin with, as large as actuators and sampling allow: of a first guess, which margins and runs correct.

    An error of `error` in every commanded coordinate asks actuator i for omega^2 error sum_j |I_ij|, where I is what commanded
    speeds weigh with all others free (with a free base the generalized inertia, [Wilde2018] eq. 45). It is to be within what
    it gives: joints by their motors, the base by its wheels or thrusters, axis by axis. A law that looks `rate_Hz` times a
    second has omega <= 2 pi rate_Hz / 20 [Franklin2010]. The least omega counts. Flexible modes are not looked at:
    `bandwidth_separation` tells how far below them loops stay.

    Parameters
    ----------
    plant : its mode says which speeds are commanded
    state : where the system is
    rate_Hz : how often the law looks; None for always
    error : that actuators bear [rad or m]
    damping : zeta, a bare number

    Raises `InvalidInput` where nothing limits the bandwidth or no speed is commanded, or for a number that is not > 0.

    >>> suggested_gains(plant, state, rate_Hz=10.0).binding
    'rate_Hz'
    """
    expect("plant", plant, Plant, "a Plant")
    for key, value in (("rate_Hz", 1.0 if rate_Hz is None else rate_Hz), ("error", error), ("damping", damping)):
        refuse(positive_problems(key, value))
    layout, mode = plant.layout, plant.mode
    places = np.array(mode.actuated(layout), dtype=int)
    if not places.size:
        raise InvalidInput(Problem("plant", "a mode that commands a speed", f"none in {mode.name!r}"))
    weighs = CentroidalDynamics.of(plant.model, state).driven(places).inertia
    with np.errstate(divide="ignore"):
        most = np.sqrt(_largest(plant)[places] / (np.abs(weighs).sum(axis=1) * error))
    allowed = dict(zip(mode.commanded(layout), most.tolist(), strict=True))
    alone = dict(zip(allowed, np.diag(weighs).tolist(), strict=True))
    if rate_Hz is not None:
        allowed["rate_Hz"] = 2 * np.pi * rate_Hz / SAMPLES
    omega = min(allowed.values())
    if not np.isfinite(omega):
        hint = "say rate_Hz, or give motors, wheels or thrusters their largest torques"
        raise InvalidInput(Problem("plant", "a limit of an actuator, or a rate", "neither", hint=hint))
    binding = min(allowed, key=lambda name: allowed[name])
    sampled = binding == "rate_Hz"
    limit = f"a rate of {rate_Hz:g} Hz" if sampled else binding
    how = f"{SAMPLES:g} looks in a period" if sampled else f"where actuators bear an error of {error:g} in all that is led"
    why = f"a bandwidth of {omega:.3g} rad/s is what {limit} allows, {how}"
    return SuggestedGains(omega, omega**2, 2 * damping * omega, allowed, alone, why, error, _apart(weighs))


def _apart(weighs: FloatArray) -> float:
    """Return the least eigenvalue of an inertia whose diagonal is made 1."""
    alone = np.sqrt(np.diag(weighs))
    return float(np.linalg.eigvalsh(weighs / np.outer(alone, alone))[0])


def _largest(plant: Plant) -> FloatArray:
    """Return what actuators give at most to each of the speeds [v_C; omega_0; qdot], infinite where nothing limits them."""
    system, layout = plant.model.system, plant.layout
    joints = np.full(layout.N, np.inf)
    freedoms = {freedom.name: place for place, freedom in enumerate(system.freedoms)}
    for drive in system.offering(Drive):
        joints[freedoms[drive.joint]] = drive.torque_limit
    if layout.fixed:
        return joints
    base = np.full(6, np.inf)
    if Pusher in plant.mode.base_actuators and system.offering(Pusher):
        base = np.asarray(np.minimum(pusher_capability(system).plus, pusher_capability(system).minus))
    if Turner in plant.mode.base_actuators and system.offering(Turner):
        base[3:] = turner_capability(system).plus
    return np.concatenate([base, joints])
