"""The series that metrics are made of: what a run is judged by, of many cases at once, with units in their names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from ...analysis import displacement_from_first, rotation_from_first, sizes
from ...channels import Bundle, Channel, Channels, Portion
from ...simulation import channels_of, from_run, from_states
from ...spatial import Array
from ...system import Frame, State, System, coordinate_difference
from ._samples import Samples

Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SeriesOf:
    """The series of some samples by name, as metrics ask for them."""

    samples: Samples

    @property
    def names(self) -> Collection[str]:
        """Names of the series that the system has."""
        return self._measured.keys()

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
        return self.samples.once(name, self._measured[name].of)

    @cached_property
    def _measured(self) -> dict[str, Measured]:
        return measured(self.samples.model.system)


@dataclass(frozen=True, eq=False)
class Measured:
    """A channel as metrics have it, or those of its entries that have one unit.

    channel : what it is of; shape : of one sample
    whole : gives the channel (n, K, ...); places : of the entries in its last dimension, None for all
    """

    channel: Channel
    shape: Shape
    whole: Callable[[Samples], Array]
    places: list[int] | None

    def of(self, samples: Samples) -> Array:
        """Return its numbers (n, K, ...)."""
        rows = self.whole(samples)
        return rows if self.places is None else rows[..., self.places]


def measured(system: System) -> dict[str, Measured]:
    """Return what metrics may be made of by name: channels of runs of a system, and what follows from them."""
    following = {each.channel.name: each for each in (*_FOLLOWING, *_of_turners(system), *_of_frames(system))}
    channels = {name: each.channel for name, each in following.items()} | dict(channels_of(system))
    known = Channels(channels.values(), system.dimensions)
    found: dict[str, Measured] = {}
    for name, channel in known.items():
        whole = following[name].of if name in following else partial(Samples.series, name=name)
        for metric, places in channel.metrics(known.dimensions):
            shape = known.shape(name) if places is None else (*known.shape(name)[:-1], len(places))
            if 0 not in shape and not (channel.free_base and system.fixed):
                found.setdefault(metric, Measured(channel, shape, whole, places))
    return found


def series_shapes(system: System) -> dict[str, Shape]:
    """Return the shapes of the components of every series that a system has, by name."""
    return {name: each.shape for name, each in measured(system).items()}


def known_together(names: Collection[str], system: System) -> bool:
    """Whether series of metrics are known of cases that are flown together; others are of runs, each by itself."""
    pages: tuple[Bundle[Any], ...] = (*from_states(system), *from_run(system))
    of_one = channels_of(system).keys() - {channel.name for page in pages for channel in page.channels}
    found = measured(system)
    return not any(name in found and found[name].channel.name in of_one for name in names)


def _joint_error(samples: Samples) -> Array:
    layout, q, wanted = samples.layout, samples.series("q"), samples.wanted_q()
    if not layout.quaternions:
        return wanted - q
    rows = [[coordinate_difference(layout, w, at) for w, at in zip(wanted, case, strict=True)] for case in q]
    return np.array(rows).reshape(*q.shape[:2], layout.N)


class _Follows(NamedTuple):
    """A channel of metrics alone, and how it follows from others."""

    channel: Channel
    of: Callable[[Samples], Array]


_ERRORS = Portion("rad", "rad", "joint_error"), Portion("m", "m", "joint_error")
_FOLLOWING = (
    _Follows(
        Channel("base_rotation", "", "rad", "angle of the base from its first attitude", free_base=True),
        lambda samples: rotation_from_first(samples.series("attitude_xyzw")),
    ),
    _Follows(
        Channel("base_rate", "", "rad/s", "size of the base's angular velocity", free_base=True),
        lambda samples: sizes(samples.series("omega_0")),
    ),
    _Follows(
        Channel("base_displacement", "", "m", "distance of the base CoM from its first place", free_base=True),
        lambda samples: displacement_from_first(samples.series("r_0")),
    ),
    _Follows(Channel("joint_error", "freedom", _ERRORS, "wanted coordinates less coordinates"), _joint_error),
    _Follows(
        Channel("joint_power", "freedom", "W", "power of the joints' actuators"),
        lambda samples: np.asarray(samples.series("tau") * samples.series("qdot")),
    ),
)


def _of_turners(system: System) -> Iterator[_Follows]:
    """Yield, per kind that turns the base, what each of them stores."""
    for k, kind in enumerate(system.turners.kinds):
        meaning = f"momenta of the {kind.kind}s relative to the base"
        yield _Follows(Channel(f"{kind.kind}_momentum", kind.kind, "N m s", meaning), partial(_stored, k))


def _stored(kind: int, samples: Samples) -> Array:
    turners = samples.model.system.turners
    return samples.shaped(turners.by_kind(turners.stored(samples.scene.turned))[kind])


def _of_frames(system: System) -> Iterator[_Follows]:
    """Yield, per frame of the system, where it is and how far that is from where the joints' reference has it."""
    for frame in system.frames:
        name = frame.name.replace(".", "_").replace("-", "_")
        if name.isidentifier():
            place = Channel(f"{name}_position", "xyz", "m", f"place of {frame.name}")
            words = f"distance of {frame.name} from where it is with the joints on their reference"
            yield _Follows(place, partial(_position, frame))
            yield _Follows(Channel(f"{name}_error", "", "m", words), partial(_astray, frame))


def _position(frame: Frame, samples: Samples) -> Array:
    return samples.shaped(samples.scene.batch.position(samples.states, frame.name))


def _astray(frame: Frame, samples: Samples) -> Array:
    x = samples.states.x.copy()
    x[:, samples.layout.x_q] = np.tile(samples.wanted_q(), (len(samples.x), 1))
    wanted = samples.scene.batch.position(State.renormalised(x, samples.layout), frame.name)
    return sizes(_position(frame, samples) - samples.shaped(wanted))
