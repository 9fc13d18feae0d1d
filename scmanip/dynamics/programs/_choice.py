"""Which form gives a quantity: the one whose program has the fewest operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ._forms import Form

FEW = 20_000  # scalars, recorded in some thirty milliseconds
TIMES = 5


@dataclass(frozen=True)
class Count:
    """Operations of one form.

    total : of its program, or of the best form where counting was stopped because this one cannot be better

    >>> print(Count(Form.RECURSION, 412), "|", Count(Form.SUMS, 412, stopped=True))
    recursion in link axes 412 | sums over links [Wilde2018] at least 412
    """

    form: Form
    total: int
    stopped: bool = False

    def __str__(self) -> str:
        return f"{self.form.value} {'at least ' if self.stopped else ''}{self.total}"


@dataclass(frozen=True)
class Choice:
    """The counts of all forms that give a quantity, in the order in which equal ones are preferred.

    >>> choice = derive(system).H.choice
    >>> print(choice.best.form.word, len(choice.counts))
    recursion 2
    """

    counts: tuple[Count, ...]

    @property
    def best(self) -> Count:
        """The form with the fewest operations."""
        return min((c for c in self.counts if not c.stopped), key=lambda c: c.total)

    @property
    def form(self) -> Form:
        """What is used."""
        return self.best.form

    def __str__(self) -> str:
        others = [str(c) for c in self.counts if c is not self.best]
        return f"{self.best}" + (f" (beside {', '.join(others)})" if others else "")


def chosen(forms: Sequence[Form], total: Callable[[Form, int | None], int | None]) -> Choice:
    """Return the choice among forms, the first of which is counted in full.

    total : (form, most) -> operations of a form, or None as soon as recording it has made more than `most` scalars

    A rival is given up at `TIMES` the operations of the best form so far, and never before `FEW` scalars. That is experience
    and no proof, because recording also makes scalars that no output needs: the sums make all velocity forces where a part
    of them is asked for, all poses for a point near the base, and levers between arms that do not feel each other. In random
    systems and bushes of up to thirty joints, with both kinds of inertia, every rival that had fewer operations had made
    fewer than `FEW` scalars, or 3.3 for each operation of the best form before it; the tests count in full and compare. A
    rival that is given up wrongly costs operations, never digits.
    """
    counts: list[Count] = []
    for form in forms:
        best = Choice(tuple(counts)).best.total if counts else None
        found = None if best == 0 else total(form, best and max(FEW, TIMES * best))
        counts.append(Count(form, best or 0, stopped=True) if found is None else Count(form, found))
    return Choice(tuple(counts))
