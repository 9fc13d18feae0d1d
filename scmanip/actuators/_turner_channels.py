"""The series of a run that tell of one kind of turners."""

from __future__ import annotations

from typing import NamedTuple

from ..channels import Channel, Nature
from ._turner import Turner


class TurnerChannels(NamedTuple):
    """Channels of one kind; those over `states` have one entry per turner of the kind, which is the name of their dimension.

    states, efforts : one per entry of the state of each; momentum : of all of them together

    >>> channels = TurnerChannels.of(Wheel)
    >>> channels.momentum.name, [channel.name for channel in channels.efforts], channels.torques
    ('h_wheels', ['wheel_torque'], ['torque'])
    """

    states: tuple[Channel, ...]
    efforts: tuple[Channel, ...]
    momentum: Channel
    energy: Channel
    work: Channel
    dissipated: Channel

    @property
    def torques(self) -> list[str]:
        """What the efforts are called among quantities of the kind, such as "torque"."""
        return [channel.name.removeprefix(f"{channel.axes}_") for channel in self.efforts]

    @classmethod
    def of(cls, kind: type[Turner]) -> TurnerChannels:
        """Return those of a kind; `h_wheels`, `wheel_torque` and so on of the kind "wheel"."""
        word, single = kind.kind, len(kind.states) == 1

        def share(what: str, meaning: str, part_of: str, nature: Nature = Nature.INTEGRAL) -> Channel:
            return Channel(f"{what}_by_{word}", word, "J", meaning, nature, part_of=part_of)

        states, efforts = [], []
        for entry in kind.states:
            called, own = f"{word}_{entry.name}", word if single else f"{word}_{entry.name}"
            meaning = f"{entry.name}s of the {word}s relative to the base"
            states.append(Channel(entry.channel or called, word, entry.unit, meaning, Nature.STATE, metric=called))
            efforts.append(Channel(f"{own}_torque", word, "N m", f"torques of the {word}s' motors"))
        spin = f"what the spin of each {word} adds to the kinetic energy"
        return cls(
            tuple(states),
            tuple(efforts),
            Channel(f"h_{word}s", "xyz", "N m s", f"angular momentum of the {word}s relative to the base", part_of="L_C"),
            share("kinetic_energy", spin, "kinetic_energy", Nature.OUTPUT),
            share("work", f"work of the {word}s' motors since the start", "work"),
            share("dissipated", f"energy taken by bearings of the {word}s since the start", "dissipated"),
        )
