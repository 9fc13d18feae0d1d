"""What an importer of a unit sees: its variables, by number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...channels import Channels
from ...simulation import LoopPrograms

STRANGE = re.compile(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML or names have no place for


@dataclass(frozen=True)
class Variable:
    """A number of a unit.

    number : by which importers ask for it
    causality : "independent", "parameter", "input" or "output"
    start : where it is one that is set
    """

    number: int
    name: str
    causality: str
    unit: str = ""
    meaning: str = ""
    start: float | None = None


def variables_of(loop: LoopPrograms) -> list[Variable]:
    """Return time, parameters, inputs and outputs, as the sources number them."""
    made: list[Variable] = []
    for causality, name, unit, meaning, start in _found(loop):
        names = {variable.name for variable in made}
        told = STRANGE.sub("?", name)
        while told in names:
            told += "'"
        made.append(Variable(len(made), told, causality, unit, STRANGE.sub("?", meaning), start))
    return made


def _found(loop: LoopPrograms) -> Iterator[tuple[str, str, str, str, float | None]]:
    """Give causality, name, unit, meaning and start of each."""
    yield "independent", "time", "s", "", None
    for name, numbers in loop.numbers.items():
        for place, value in np.ndenumerate(np.asarray(numbers, dtype=float)):
            yield "parameter", name + _place(map(str, place)), "", "", float(value)
    channels, layout = loop.plant.channels, loop.plant.model.layout
    if loop.commanded:
        base = ["f_x", "f_y", "f_z", "n_x", "n_y", "n_z"] if loop.plant.mode.commands_base else []
        units = [*["N", "N", "N", "N m", "N m", "N m"][: len(base)], *_units(channels, "tau")]
        for label, unit in zip([*base, *layout.qdot_names], units, strict=True):
            yield "input", f"command[{label}]", unit, "force of the actuators that is held between communication points", 0.0
    for output in loop.shown.outputs:
        labels = [channels.dimensions[axis].labels for axis in channels[output.name].axes.split()]
        for place, unit in zip(product(*labels), _units(channels, output.name), strict=True):
            yield "output", output.name + _place(place), unit, channels[output.name].meaning, None


def _place(labels: Iterator[str] | tuple[str, ...]) -> str:
    words = ",".join(labels)
    return f"[{words}]" if words else ""


def _units(channels: Channels, name: str) -> list[str]:
    """Return the unit of every entry of a series."""
    channel, shape = channels.declared[name], channels.shape(name)
    if isinstance(channel.unit, str):
        return [channel.unit] * int(np.prod(shape))
    by_own = {portion.own: portion.unit for portion in channel.unit}
    last = channels.dimensions[channel.axes.split()[-1]].units
    return [by_own[own] for own in last] * int(np.prod(shape[:-1]))
