"""A law of its own for every mode."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from ...errors import InvalidInput, ModeMismatch, Problem, checked
from ...modes import ManoeuvreMode
from .._controller import Controller, Wrapper
from .._recorded_law import RecordedLaw, recorded_law


@checked
class ModeDependent(Wrapper):
    """A law for each of several modes, of which the one flies that is for the mode of the plant (`in_mode`).

    Whoever flies it asks for that one; by itself it is the first. In a mode that none of them is for it is refused. It has no
    formula of its own.

    laws : one for every mode
    modes : different ones

    Raises `InvalidInput` for another number of laws than modes, what is no `Controller`, and modes that come twice; `in_mode`
    `ModeMismatch` for a mode of none.

    >>> driven = CoordinatedComputedTorque(model, scmanip.Flying())
    >>> laws = ModeDependent(law, driven, modes=[scmanip.Floating(), scmanip.Flying()])
    >>> [laws.in_mode(mode).wraps[0].kind for mode in (scmanip.Floating(), scmanip.Flying())]
    ['ComputedTorque', 'CoordinatedComputedTorque']
    """

    def __init__(self, *laws: Controller, modes: Sequence[ManoeuvreMode]) -> None:
        given: tuple[Any, ...] = laws
        names = [repr(mode) for mode in modes]
        if not laws or len(laws) != len(modes) or not all(isinstance(law, Controller) for law in given):
            raise InvalidInput(Problem("laws", f"a law for each of the modes {', '.join(names)}", f"{len(laws)} laws"))
        if len({*names}) < len(names):
            raise InvalidInput(Problem("modes", "different modes", ", ".join(names)))
        self.laws, self.modes, self._number = laws, tuple(modes), 0
        self.law = laws[0]

    @property
    def inside(self) -> tuple[Controller, ...]:
        return self.laws

    def around(self, laws: tuple[Controller, ...]) -> ModeDependent:
        """Return the same with another law for the mode in which it flies."""
        made = copy(self)
        every = list(self.laws)
        every[self._number] = laws[0]
        vars(made).update(law=laws[0], laws=tuple(every))
        return made

    def in_mode(self, mode: ManoeuvreMode) -> ModeDependent:
        """Return the law as it flies in a mode; raises `ModeMismatch` where it has none for that."""
        names = [repr(own) for own in self.modes]
        if repr(mode) not in names:
            raise ModeMismatch(
                f"ModeDependent has laws for the modes {', '.join(names)} and is flown in {mode!r}; add one for that"
            )
        made = copy(self)
        number = names.index(repr(mode))
        vars(made).update(law=self.laws[number].in_mode(mode), _number=number)
        return made

    def recorded(self) -> RecordedLaw | None:
        """Return the law for its mode as equations."""
        return recorded_law(self.law)

    def __repr__(self) -> str:
        own = ", ".join(f"{mode!r}: {law!r}" for mode, law in zip(self.modes, self.laws, strict=True))
        return f"ModeDependent({own})"
