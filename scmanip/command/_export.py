"""The command `scmanip export`: quantities of a system as code of another language."""

from __future__ import annotations

from collections.abc import Sequence

from ..dynamics import compile_model, derive
from ..spatial import RotationForm
from ..system import load_system
from ._screen import Screen


def export_quantities(
    screen: Screen,
    file: str,
    names: Sequence[str],
    language: str,
    folder: str,
    *,
    name: str | None,
    inertial: bool,
    kinematics: RotationForm,
) -> None:
    """Write one function of some quantities of a system file into a folder and list its files; raises `InvalidInput`."""
    model = compile_model(derive(load_system(file), kinematics=kinematics))
    written = (model if inertial else model.symbolic).code(language, *names, name=name)
    written.save(folder)
    for path in written.files:
        screen.say(f"{folder}/{path}")
