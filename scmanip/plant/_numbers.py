"""Numbers of a plant that are inputs of its programs."""

from __future__ import annotations

from ..dynamics import Model
from ..spatial import Array


def plant_numbers(model: Model) -> dict[str, Array]:
    """Return the numbers of the hardware that are inputs of its programs, by their names there.

    They are arrays; shapes and units of open numbers are those of `Model.symbols`.

    >>> plant_numbers(model)
    {}
    >>> open_model = scmanip.compile_model(scmanip.derive(system, symbols=["body.link4.mass_kg"]))
    >>> plant_numbers(open_model)
    {'body.link4.mass_kg': array(10.)}
    """
    return dict(model.symbolic.derivation.numbers)
