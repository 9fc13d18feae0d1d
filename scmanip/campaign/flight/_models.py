"""Models of systems that differ in little, so that equations are recorded and compiled once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...dynamics import FoldedInertia, Model, RunTimeInertia, compile_model
from ...errors import InvalidInput
from ...system import System

Maker = Callable[[System], Model]


class Shelf:
    """Makes models of systems; those that differ in what is an input of programs at most share these.

    varied : whether masses, centres of mass or inertias of bodies are varied, and so inputs
    symbols : paths of the other numbers that are
    one_belief : whether controllers believe the same in all cases, so that its numbers can be folded into the programs
    """

    def __init__(self, *, varied: bool, symbols: Sequence[str] = (), one_belief: bool = False) -> None:
        self.symbols, self._folds = tuple(symbols), bool(varied or symbols) and one_belief
        self._inertia = RunTimeInertia() if varied else FoldedInertia()
        self._models: list[Model] = []
        self._beliefs: list[Model] = []

    @property
    def makers(self) -> tuple[Maker, Maker | None]:
        """What makes the models of systems that fly and, where it differs, of those that controllers believe in."""
        return self.compiled, self._believed if self._folds else None

    def compiled(self, system: System) -> Model:
        """Return the model of a system."""
        for model in self._models:
            if model.system is system:
                return model
        for model in self._models:
            try:
                return model.with_inertia_of(system)
            except InvalidInput:
                continue
        self._models.append(compile_model(system, inertia=self._inertia, symbols=self.symbols))
        return self._models[-1]

    def _believed(self, system: System) -> Model:
        for model in self._beliefs:
            if model.system is system:
                return model
        self._beliefs.append(compile_model(system, inertia=FoldedInertia()))
        return self._beliefs[-1]
