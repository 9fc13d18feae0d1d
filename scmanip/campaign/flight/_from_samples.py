"""Series that metrics alone are made of, and how they follow from others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...analysis import displacement_from_first, rotation_from_first, sizes
from ...channels import Bundle, Channel, Portion
from ...dynamics import Stack
from ...plant import Plant
from ...spatial import Array
from ...system import Frame, State, System, coordinate_difference

if TYPE_CHECKING:
    from ._samples import CaseSamples


def from_samples(plant: Plant) -> tuple[Bundle[CaseSamples], ...]:
    """Return the series that follow from those of runs, of every kind that turns the base and of every frame among them."""
    system = plant.model.system
    held = *_of_switches(system), *_of_interfaces(system), *_of_constraints(system), *_of_contacts(plant)
    return *_OF_ALL, *_of_turners(system), *_of_frames(system), *_of_free_bodies(system), *held


def _joint_error(samples: CaseSamples) -> Array:
    layout, q, wanted = samples.layout, samples.series("q"), samples.wanted_q
    if not layout.quaternions:
        return wanted - q
    pairs = zip(np.broadcast_to(wanted, q.shape), q, strict=True)
    rows = [[coordinate_difference(layout, w, at) for w, at in zip(its, case, strict=True)] for its, case in pairs]
    away: Array = np.array(rows).reshape(*q.shape[:2], layout.N)
    return layout.among_all(away[..., : layout.N_tree])


def _one(channel: Channel, of: Callable[[CaseSamples], Array]) -> Bundle[CaseSamples]:
    return Bundle((channel,), lambda samples: (of(samples),))


_ERRORS = Portion("rad", "rad", "joint_error"), Portion("m", "m", "joint_error")
_OF_ALL = (
    _one(
        Channel("base_rotation", "", "rad", "angle of the base from its first attitude", free_base=True),
        lambda samples: rotation_from_first(samples.series("attitude_xyzw")),
    ),
    _one(
        Channel("base_rate", "", "rad/s", "size of the base's angular velocity", free_base=True),
        lambda samples: sizes(samples.series("omega_0")),
    ),
    _one(
        Channel("base_displacement", "", "m", "distance of the base CoM from its first place", free_base=True),
        lambda samples: displacement_from_first(samples.series("r_0")),
    ),
    _one(
        Channel("joint_error", "freedom", _ERRORS, "wanted coordinates less coordinates, zero where nobody leads"), _joint_error
    ),
    _one(
        Channel("joint_power", "freedom", "W", "power of the joints' actuators"),
        lambda samples: np.asarray(samples.series("tau") * samples.series("qdot")),
    ),
)


def _of_turners(system: System) -> Iterator[Bundle[CaseSamples]]:
    """Yield, per kind that turns the base, what each of them stores."""
    for k, kind in enumerate(system.turners.kinds):
        meaning = f"momenta of the {kind.kind}s relative to the base"
        yield _one(Channel(f"{kind.kind}_momentum", kind.kind, "N m s", meaning), partial(_stored, k))


def _stored(kind: int, samples: CaseSamples) -> Array:
    turners, model_states = samples.model.system.turners, samples.model_states
    rows = model_states.of_hardware(lambda system, rows: system.turners.stored(model_states.turned[rows]), turners.stores)
    return samples.shaped(turners.by_kind(rows)[kind])


def _of_frames(system: System) -> Iterator[Bundle[CaseSamples]]:
    """Yield, per frame of the system, where it is and how far that is from where the joints' reference has it."""
    for frame in system.frames:
        if name := _word(frame.name):
            place = Channel(f"{name}_position", "xyz", "m", f"place of {frame.name}")
            words = f"distance of {frame.name} from where it is with the joints on their reference"
            yield _one(place, partial(_position, frame))
            yield _one(Channel(f"{name}_error", "", "m", words), partial(_astray, frame))


def _position(frame: Frame, samples: CaseSamples) -> Array:
    return samples.shaped(samples.model_states.batch.position(samples.states, frame.name))


def _astray(frame: Frame, samples: CaseSamples) -> Array:
    x = samples.states.x.copy()
    x[:, samples.layout.x_q] = np.broadcast_to(samples.wanted_q, samples.series("q").shape).reshape(len(x), -1)
    wanted = samples.model_states.batch.position(State.renormalised(x, samples.layout), frame.name)
    return sizes(_position(frame, samples) - samples.shaped(wanted))


def _of_free_bodies(system: System) -> Iterator[Bundle[CaseSamples]]:
    """Yield, per free body, how fast it turns, and the momenta of it and of what it carries."""
    for k, tree in list(enumerate(system.trees))[1:]:
        if name := _word(tree.root):
            rate = Channel(f"{name}_rate", "", "rad/s", f"size of the angular velocity of {tree.root}")
            yield _one(rate, partial(_turning, tree.twist))
            carried = f"momentum of {tree.root} with what it carries"
            linear = Channel(f"{name}_momentum", "xyz", "N s", f"linear {carried}")
            angular = Channel(f"{name}_angular_momentum", "xyz", "N m s", f"angular {carried}, about its CoM")
            yield _one(linear, partial(_part, "P_by_tree", k))
            yield _one(angular, partial(_part, "L_C_by_tree", k))


def _of_interfaces(system: System) -> Iterator[Bundle[CaseSamples]]:
    """Yield, per interface, the force and the moment that go through."""
    for k, each in enumerate(system.interfaces):
        if name := _word(each.name):
            loads = Portion("N", "N", f"{name}_load"), Portion("N m", "N m", f"{name}_load")
            meaning = f"force and moment through {each.name}"
            yield _one(Channel(f"{name}_load", "wrench_part", loads, meaning), partial(_part, "interface_wrench", k))


def _of_constraints(system: System) -> Iterator[Bundle[CaseSamples]]:
    """Yield, per constraint, whether it holds."""
    for k, constraint in enumerate(system.constraints):
        if name := _word(constraint.name):
            holds = Channel(f"{name}_holds_fraction", "", "1", f"1 while {constraint.name} holds, 0 while it does not")
            yield _one(holds, partial(_part, "active", k))


def _of_contacts(plant: Plant) -> Iterator[Bundle[CaseSamples]]:
    """Yield, per rigid contact, its normal force and what it gave in the last blow, of all its places together."""
    first = 0
    for contact in plant.contacts:
        places = slice(first, first + len(contact.places(plant.model.system)))
        first = places.stop
        if name := _word(f"{contact.one} {contact.other}"):
            push = Channel(f"{name}_push", "", "N", f"normal force between {contact.one} and {contact.other}")
            yield _one(push, partial(_pressed, places))
            blow = Channel(f"{name}_impulse", "", "N s", f"size of what {contact.one} gave {contact.other} in the last switch")
            yield _one(blow, partial(_struck, places))


def _pressed(places: slice, samples: CaseSamples) -> Array:
    return np.asarray(samples.series("contact_push")[:, :, places].sum(axis=2))


def _struck(places: slice, samples: CaseSamples) -> Array:
    return sizes(samples.series("contact_impulse")[:, :, places].sum(axis=2))


def _of_switches(system: System) -> Iterator[Bundle[CaseSamples]]:
    """Yield, per constraint, the sizes of what it gave in the last switch, of each unit that its rows have."""
    stack = Stack.of_all(system)
    for constraint, at in stack.rows_of.items():
        for unit in ("N", "N m"):
            places = [row for row in range(at.start, at.stop) if stack.units[row] == unit]
            if places and (name := _word(constraint)):
                own = f"{name}_{'angular_' * (unit == 'N m')}impulse"
                words = f"size of what {constraint} gave in the last switch"
                yield _one(Channel(own, "", f"{unit} s", words), partial(_blow, places))


def _word(name: str) -> str:
    """Return a name as expressions can have it; nothing where they cannot."""
    word = name.replace(".", "_").replace("-", "_").replace(" ", "_")
    return word if word.isidentifier() else ""


def _part(series: str, place: int, samples: CaseSamples) -> Array:
    return samples.series(series)[:, :, place]


def _turning(twist: slice, samples: CaseSamples) -> Array:
    return sizes(samples.series("qdot")[..., twist][..., 3:])


def _blow(places: list[int], samples: CaseSamples) -> Array:
    return sizes(samples.series("switch_impulse")[..., places])
