"""Models of systems that differ in little, so that equations are recorded and compiled once."""

from __future__ import annotations

from ..dynamics import FoldedInertia, Model, RunTimeInertia, compile_model
from ..errors import InvalidInput
from ..system import System


class Shelf:
    """Makes models of systems; those of one geometry share their programs.

    varied : whether masses, centres of mass or inertias of bodies are varied, and so inputs of the programs
    """

    def __init__(self, *, varied: bool) -> None:
        self.varied = varied
        self._models: list[Model] = []

    def compiled(self, system: System) -> Model:
        """Return the model of a system."""
        for model in self._models:
            if model.system is system:
                return model
        if not self.varied:
            self._models.append(compile_model(system, inertia=FoldedInertia()))
            return self._models[-1]
        for model in self._models:
            try:
                return model.with_inertia_of(system)
            except InvalidInput:
                continue
        self._models.append(compile_model(system, inertia=RunTimeInertia()))
        return self._models[-1]
