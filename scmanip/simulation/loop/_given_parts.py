"""A plant, or the parts of one, as first arguments."""

from __future__ import annotations

from typing import Any

from ...dynamics import ModelInSpeeds
from ...errors import Problem, refuse
from ...plant import Plant, PlantParts
from ..coordinates._chosen_speeds import ChosenSpeeds


def in_speeds(model: Any, coordinates: Any) -> tuple[Any, Any]:
    """Return a model and its coordinates, those of its speeds for a model in generalized speeds.

    Raises `InvalidInput` for coordinates beside one.
    """
    if not isinstance(model, ModelInSpeeds):
        return model, coordinates
    if coordinates is not None:
        hint = "its speeds are what is integrated; give simulate its .model for other coordinates"
        refuse([Problem("coordinates", "nothing beside a model in generalized speeds", repr(coordinates), hint=hint)])
    return model.model, ChosenSpeeds(model)


def parts_of(
    model: Any, mode: Any, controller: Any, state: Any, environment: Any, contacts: Any = ()
) -> tuple[Plant | PlantParts, Any, Any]:
    """Return plant, controller and state of (model, mode, controller, state) or, in that order, (plant, controller, state).

    Raises `InvalidInput` for an environment or contacts beside a plant, and for more arguments than these.
    """
    touching = not (isinstance(contacts, tuple) and not contacts)
    if not isinstance(model, Plant):
        loads = () if environment is None else (environment,)
        parts = PlantParts(model, mode, loads, "environment")
        if touching:
            refuse(parts.problems)
            return Plant(model, mode, loads, contacts=contacts), controller, state
        return parts, controller, state
    given = [each for each in (mode, controller, state) if each is not None]
    problems = [Problem("arguments", "a plant, a controller and a state", f"{len(given)} beside the plant")] * (len(given) != 2)
    if environment is not None:
        problems.append(Problem("environment", "nothing beside a plant", repr(environment), hint="Plant(..., loads=[...])"))
    if touching:
        problems.append(Problem("contacts", "nothing beside a plant", repr(contacts), hint="Plant(..., contacts=[...])"))
    refuse(problems)
    return model, given[0], given[1]
