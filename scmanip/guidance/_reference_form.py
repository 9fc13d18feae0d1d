"""References that can be part of a compiled run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from functools import cache
from typing import Any, ClassVar, Protocol, cast, runtime_checkable

from ..compiled import Described
from ..errors import InvalidInput, Problem
from ..spatial import Array, real
from ._joint_reference import JointReference
from ._pose_reference import PoseReference, Sample
from ._reference import ReferenceMotion


class ReferenceForm(Described, ABC):
    """How a smooth stretch of a reference follows from time and a row of numbers; frozen.

    Forms that say the same share compiled programs.

    gives : the kind of its samples, `JointReference` or `PoseReference`
    size : how many numbers

    >>> form = reference.form
    >>> np.allclose(form.at(0.5, reference.numbers(0.5)).q, reference.at(0.5).q), form.gives.__name__
    (True, 'JointReference')
    """

    gives: ClassVar[type[JointReference] | type[PoseReference]] = JointReference

    @property
    @abstractmethod
    def size(self) -> int: ...

    @abstractmethod
    def at(self, t: Any, numbers: Array) -> Sample:
        """Return the reference at `t` [s] for numbers (size,), over any scalar and without looking at values."""


@runtime_checkable
class RecordableReference(ReferenceMotion, Protocol):
    """A reference whose stretches between corners have one form and differ in numbers.

    >>> isinstance(reference, RecordableReference), reference.numbers(0.5).shape == (reference.form.size,)
    (True, True)
    """

    @property
    def form(self) -> ReferenceForm | None:
        """The form of every stretch; None where this reference has none."""
        ...

    def numbers(self, t: float) -> Array:
        """Return the numbers (form.size,) of the stretch that `t` [s] lies in; at a corner, of the one after it."""
        ...


def recorded_form(reference: Any) -> ReferenceForm | None:
    """Return the form of a reference, None where it has none or a subclass has given it another `at`.

    >>> recorded_form(reference) == reference.form, recorded_form(lambda t: None)
    (True, None)
    """
    form = getattr(reference, "form", None)
    if not isinstance(form, ReferenceForm):
        return None
    return form if _says_the_same(cast(Hashable, type(reference))) else None


def numbers_at(reference: Any, t: Any) -> Array:
    """Return the numbers (size,), in SI, of a reference that has a form, in the stretch in which `t` [s] lies, as machine code
    takes them; raises `InvalidInput` for what is none, or another number of them.

    >>> numbers_at(reference, 0.5).shape == (reference.form.size,)
    True
    """
    given, size = reference.numbers(t), reference.form.size
    try:
        row = real(given)
    except (TypeError, ValueError):
        row = None
    if row is None or row.shape != (size,):
        raise InvalidInput(Problem(f"reference numbers at t = {t:g} s", f"{size} numbers, as its form says", repr(given)))
    return row


@cache
def _says_the_same(kind: type) -> bool:
    """Whether one class defines both `at` and `numbers`."""
    samples, states = (next((base for base in kind.__mro__ if name in vars(base)), None) for name in ("at", "numbers"))
    return samples is states
