"""The command `scmanip export`: quantities of a system as code of another language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..dynamics import Model, compile_model, derive
from ..spatial import RotationForm
from ..system import load_system
from ._screen import Screen


@dataclass(frozen=True)
class EquationsOf:
    """Of which system, and in which form.

    file : of the system; symbols : paths of numbers that stay arguments; kinematics : how rotations are carried
    """

    file: str
    symbols: tuple[str, ...]
    kinematics: RotationForm

    def model(self) -> Model:
        """Return what they say; raises `InvalidInput`."""
        return compile_model(derive(load_system(self.file), kinematics=self.kinematics, symbols=self.symbols))


def export_quantities(
    screen: Screen,
    equations: EquationsOf,
    names: Sequence[str],
    language: str,
    folder: str,
    *,
    name: str | None,
    inertial: bool,
) -> None:
    """Write one function of some quantities into a folder and list its files; raises `InvalidInput`."""
    model = equations.model()
    written = (model if inertial else model.symbolic).code(language, *names, name=name)
    written.save(folder)
    for path in written.files:
        screen.say(f"{folder}/{path}")
