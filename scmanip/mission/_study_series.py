"""The series that metrics are made of: what a run is judged by, of many cases at once, with units in their names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from ..simulation import stored_energy
from ..spatial import Array
from ..system import State, System, coordinate_difference
from ._study_samples import Samples

Shape = tuple[int, ...]
_TURNS, _SLIDES = "rad", "m"


@dataclass(frozen=True)
class Series:
    """A series: the shape of its components in a system, None where the system has no such thing, and its numbers."""

    shape: Callable[[System], Shape | None]
    of: Callable[[Samples], Array]
    meaning: str


@dataclass(frozen=True, eq=False)
class SeriesOf:
    """The series of some samples by name, as metrics ask for them."""

    samples: Samples

    @property
    def names(self) -> Collection[str]:
        """Names of the series that the system has."""
        return series_shapes(self.samples.model.system).keys()

    @property
    def times(self) -> Array:
        """(K,) [s]."""
        return self.samples.t

    @property
    def pieces(self) -> Array | None:
        """(K,) numbers of the pieces without corners."""
        return self.samples.grid.pieces

    def series(self, name: str) -> Array:
        """Return a series (n, K, ...)."""
        return self.samples.once(name, _by_name(self.samples.model.system, name).of)


def series_shapes(system: System) -> dict[str, Shape]:
    """Return the shapes of the components of every series that a system has, by name."""
    shapes = {name: series.shape(system) for name, series in {**SERIES, **_of_frames(system)}.items()}
    return {name: shape for name, shape in shapes.items() if shape is not None}


def _by_name(system: System, name: str) -> Series:
    return SERIES[name] if name in SERIES else _of_frames(system)[name]


def base_rotation(samples: Samples) -> Array:
    """Return the angle (n, K) [rad], from 0 to pi, between the base's attitude and its first one."""
    attitude = samples.part("attitude_xyzw")
    near, far = (_length(attitude - sign * attitude[:, :1]) for sign in (1.0, -1.0))
    return 4 * np.arcsin(np.minimum(np.minimum(near, far) / 2, 1.0))  # |q - q_0| = 2 sin(angle / 4)


def _length(vectors: Array) -> Array:
    """Return lengths over the last axis, summed in one order whatever else is in the array."""
    total = vectors[..., 0] ** 2
    for i in range(1, vectors.shape[-1]):
        total = total + vectors[..., i] ** 2
    return np.asarray(np.sqrt(total))


def _joint_error(samples: Samples) -> Array:
    layout, q, wanted = samples.layout, samples.part("q"), samples.wanted_q()
    if not layout.quaternions:
        return wanted - q
    rows = [[coordinate_difference(layout, w, at) for w, at in zip(wanted, case, strict=True)] for case in q]
    return np.array(rows).reshape(*q.shape[:2], layout.N)


def _momentum(name: str) -> Callable[[Samples], Array]:
    """Return a part of the momentum; all parts come from one program, whose result is kept."""

    def of(samples: Samples) -> Array:
        if name not in samples.momenta:
            momentum = samples.batch.momentum(samples.states)
            samples.momenta.update({"P": samples.shaped(momentum.P), "L_C": samples.shaped(momentum.L_C)})
        return samples.momenta[name]

    return of


def _stored_energy(samples: Samples) -> Array:
    masses = None if samples.inertia is None else np.repeat(samples.inertia[:, :, 0].sum(axis=1), len(samples.t))
    return samples.shaped(stored_energy(samples.model, samples.states, samples.batch, masses))


def _centre(samples: Samples) -> Array:
    r_0C = samples.shaped(samples.batch.r_0C(samples.states))
    return r_0C if samples.layout.fixed else samples.part("r_0") + r_0C


def _part(name: str) -> Callable[[Samples], Array]:
    return lambda samples: samples.part(name)


def _force(name: str) -> Callable[[Samples], Array]:
    return lambda samples: samples.force(name)


def _columns(of: Callable[[Samples], Array], unit: str) -> Callable[[Samples], Array]:
    """Return the columns of freedoms in one unit."""
    return lambda samples: of(samples)[..., _places(samples.model.system, unit)]


def _places(system: System, unit: str) -> list[int]:
    return [j for j, freedom in enumerate(system.freedoms) if freedom.unit == unit]


def _coordinates(unit: str) -> Callable[[Samples], Array]:
    def of(samples: Samples) -> Array:
        places = [i for i, coordinate in enumerate(samples.model.system.coordinates) if coordinate.unit == unit]
        return samples.part("q")[..., places]

    return of


def _power(samples: Samples) -> Array:
    return np.asarray(_force("tau")(samples) * samples.part("qdot"))


def _wheel_momentum(samples: Samples) -> Array:
    return samples.part("wheel_rad_s") * np.array([wheel.inertia_kg_m2 for wheel in samples.model.system.wheels])


def _freedoms(unit: str) -> Callable[[System], Shape | None]:
    return lambda system: (len(_places(system, unit)),) if _places(system, unit) else None


def _entries(unit: str) -> Callable[[System], Shape | None]:
    def shape(system: System) -> Shape | None:
        count = sum(coordinate.unit == unit for coordinate in system.coordinates)
        return (count,) if count else None

    return shape


def _always(*shape: int) -> Callable[[System], Shape | None]:
    return lambda system: shape


def _free(*shape: int) -> Callable[[System], Shape | None]:
    return lambda system: None if system.fixed else shape


def _wheels(system: System) -> Shape | None:
    return (len(system.wheels),) if system.wheels else None


def _thrusters(system: System) -> Shape | None:
    return (len(system.thrusters),) if system.thrusters else None


def _joints(system: System) -> Shape | None:
    return (len(system.freedoms),) if system.freedoms else None


SERIES: Mapping[str, Series] = {
    "base_rotation_rad": Series(_free(), base_rotation, "angle of the base from its first attitude"),
    "base_rate_rad_s": Series(_free(), lambda s: _length(s.part("omega_0")), "size of the base's angular velocity"),
    "base_displacement_m": Series(
        _free(), lambda s: _length(s.part("r_0") - s.part("r_0")[:, :1]), "distance of the base CoM from its first place"
    ),
    "base_position_m": Series(_free(3), _part("r_0"), "place of the base CoM"),
    "base_velocity_m_s": Series(_free(3), _part("v_0"), "velocity of the base CoM"),
    "base_omega_rad_s": Series(_free(3), _part("omega_0"), "angular velocity of the base"),
    "base_force_N": Series(_free(3), lambda s: _force("wrench")(s)[..., :3], "force on the base"),
    "base_torque_Nm": Series(_free(3), lambda s: _force("wrench")(s)[..., 3:], "moment on the base about its CoM"),
    "joint_angle_rad": Series(_entries(_TURNS), _coordinates(_TURNS), "angles of joints that turn"),
    "joint_extension_m": Series(_entries(_SLIDES), _coordinates(_SLIDES), "extensions of joints that slide"),
    "joint_rate_rad_s": Series(_freedoms(_TURNS), _columns(_part("qdot"), _TURNS), "rates of joints that turn"),
    "joint_speed_m_s": Series(_freedoms(_SLIDES), _columns(_part("qdot"), _SLIDES), "speeds of joints that slide"),
    "joint_error_rad": Series(_freedoms(_TURNS), _columns(_joint_error, _TURNS), "wanted angles less angles"),
    "joint_error_m": Series(_freedoms(_SLIDES), _columns(_joint_error, _SLIDES), "wanted extensions less extensions"),
    "joint_torque_Nm": Series(_freedoms(_TURNS), _columns(_force("tau"), _TURNS), "torques of the joints' actuators"),
    "joint_force_N": Series(_freedoms(_SLIDES), _columns(_force("tau"), _SLIDES), "forces of the joints' actuators"),
    "joint_power_W": Series(_joints, _power, "power of the joints' actuators"),
    "linear_momentum_Ns": Series(_free(3), _momentum("P"), "linear momentum"),
    "angular_momentum_Nms": Series(_free(3), _momentum("L_C"), "angular momentum about the system CoM"),
    "centre_of_mass_m": Series(_always(3), _centre, "place of the system CoM"),
    "kinetic_energy_J": Series(_always(), lambda s: s.shaped(s.batch.kinetic_energy(s.states)), "kinetic energy"),
    "stored_energy_J": Series(_always(), _stored_energy, "energy of springs and, with a fixed base, of gravity"),
    "work_J": Series(_always(), lambda s: s.work, "work of the actuators since the start"),
    "dissipated_J": Series(_always(), lambda s: s.dissipated, "energy taken by dampers since the start"),
    "wheel_speed_rad_s": Series(_wheels, _part("wheel_rad_s"), "speeds of the wheels relative to the base"),
    "wheel_momentum_Nms": Series(_wheels, _wheel_momentum, "momenta of the wheels relative to the base"),
    "wheel_torque_Nm": Series(_wheels, _force("wheel_torque"), "torques of the wheels' motors"),
    "impulse_Ns": Series(_free(3), lambda s: _force("impulse")(s)[..., :3], "impulse from outside since the start"),
    "angular_impulse_Nms": Series(_free(3), lambda s: _force("impulse")(s)[..., 3:], "the same about the system CoM"),
    "propellant_kg": Series(_always(), _force("propellant_kg"), "propellant burnt since the start"),
    "thrust_N": Series(_thrusters, _force("thrust_N"), "forces of the thrusters"),
}


def _of_frames(system: System) -> dict[str, Series]:
    """Return, per frame of the system, where it is and how far that is from where the joints' reference has it."""
    made: dict[str, Series] = {}
    for frame in system.frames:
        name = frame.name.replace(".", "_").replace("-", "_")
        if name.isidentifier():
            made[f"{name}_position_m"] = Series(_always(3), _position(frame.name), f"place of {frame.name}")
            made[f"{name}_error_m"] = Series(
                _always(), _astray(frame.name), f"distance of {frame.name} from where it is with the joints on their reference"
            )
    return made


def _position(frame: str) -> Callable[[Samples], Array]:
    return lambda samples: samples.shaped(samples.batch.position(samples.states, frame))


def _astray(frame: str) -> Callable[[Samples], Array]:
    def of(samples: Samples) -> Array:
        x = samples.states.x.copy()
        x[:, samples.layout.x_q] = np.tile(samples.wanted_q(), (len(samples.x), 1))
        wanted = samples.batch.position(State.renormalised(x, samples.layout), frame)
        return _length(_position(frame)(samples) - samples.shaped(wanted))

    return of
