"""Two studies of the same draws, compared case by case."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from ...errors import InvalidInput, Problem, checked, refuse
from ...spatial import Array
from ..rows._table import Table
from ._intervals import Proportion, Side, proportion
from ._means import Mean, mean
from ._missing import Missing, sample
from ._pareto import Sense
from ._success import Allowed, within


@dataclass(frozen=True, eq=False)
class Paired:
    """A metric of two studies with the same draws.

    metric, better : name, and which way is better
    numbers, differences : (n,) cases that have a value in both, and after - before [the metric's unit]
    difference : mean of the differences, with bounds
    improved : share of the pairs that got better, with exact bounds; ties are no improvement
    ties : pairs that are equal
    missing : whole numbers, the cases without a value in one of the two

    >>> less = {"propellant_kg": cases.metric("propellant_kg") - 0.1}
    >>> better = Table(cases.numbers, cases.status, cases.reason, cases.inputs, less, seed=7)
    >>> found = paired(cases, better, "propellant_kg")
    >>> round(found.difference.value, 6), found.improved.share, found.ties
    (-0.1, 1.0, 0)
    """

    metric: str
    better: Sense
    numbers: Array
    differences: Array
    difference: Mean
    improved: Proportion
    ties: int
    missing: Array


@dataclass(frozen=True)
class PairedSuccess:
    """Success of two studies with the same draws [McNemar1947].

    both, neither : pairs that succeed in both, in none
    gained, lost : pairs that succeed after only, before only
    p_value : probability of so uneven a split of gained and lost, or a more uneven one, were neither study better; exact
    gained_share : gained by gained + lost with exact bounds; above one half the second study is better

    >>> found = paired_success(cases, cases, {"propellant_kg": (0.0, 2.2)})
    >>> found.both, found.gained, found.lost, found.p_value
    (17, 0, 0, 1.0)
    """

    both: int
    gained: int
    lost: int
    neither: int
    p_value: float
    gained_share: Proportion


@checked
def paired(
    before: Table,
    after: Table,
    metric: str,
    better: Sense = Sense.MIN,
    confidence: float = 0.9,
    *,
    changed: Collection[str] = (),
    missing: Missing = Missing.REFUSE,
) -> Paired:
    """Return how a metric differs between two studies with equal seeds, cases and inputs, but for those named `changed`.

    The mean of the differences has bounds by Student's t [Student1908], shares have exact ones [Clopper1934].

    Raises InvalidInput with the differences where they are not the same draws, and where a case has no value in one of
    them unless `missing` is LEFT_OUT.

    >>> found = paired(cases, cases, "propellant_kg")
    >>> found.difference.value, found.ties
    (0.0, 40)
    """
    refuse(_differences(before, after, changed))
    if missing in (Missing.HIGH, Missing.LOW):
        raise InvalidInput(Problem("missing", "refuse or left_out: a difference has no side to fail to", missing))
    change = after.metric(metric) - before.metric(metric)
    known = np.isfinite(change)
    kept = sample(change, missing, f"{metric} of both studies", before.numbers)
    gains = kept < 0 if better is Sense.MIN else kept > 0
    share = proportion(int(gains.sum()), kept.size, confidence)
    return Paired(
        metric,
        better,
        before.numbers[known],
        kept,
        mean(kept, confidence),
        share,
        int(np.sum(kept == 0)),
        before.numbers[~known],
    )


@checked
def paired_success(
    before: Table, after: Table, allowed: Allowed, confidence: float = 0.9, *, changed: Collection[str] = ()
) -> PairedSuccess:
    """Return how success differs between two studies with the same draws; a case that did not complete is a failure.

    The test is that of [McNemar1947].

    allowed : by metric, its range (low, high), in its unit
    changed : names of the inputs that may differ

    Raises `InvalidInput` with the differences where they are not the same draws, and for a confidence that is not between 0 and
    1, `UnknownName` for a metric that is not there.

    >>> found = paired_success(cases, cases, {"propellant_kg": (0.0, 2.2)})
    >>> found.both + found.neither
    40
    """
    refuse(_differences(before, after, changed))
    first, second = within(before, allowed), within(after, allowed)
    gained, lost = int(np.sum(second & ~first)), int(np.sum(first & ~second))
    p_value = float(scipy.stats.binomtest(gained, gained + lost, 0.5).pvalue) if gained + lost else 1.0
    share = proportion(gained, gained + lost, confidence, Side.BOTH)
    return PairedSuccess(int(np.sum(first & second)), gained, lost, int(np.sum(~first & ~second)), p_value, share)


def _differences(before: Table, after: Table, changed: Collection[str]) -> Iterator[Problem]:
    if before.seed is None or before.seed != after.seed:
        yield Problem("seed", f"that of the first study, {before.seed}", str(after.seed))
    if not np.array_equal(before.numbers, after.numbers):
        odd = np.setxor1d(before.numbers, after.numbers)
        yield Problem("cases", "the same in both studies", f"{odd.size} in one only, the first of them {odd[0]}")
        return
    compared = [name for name in {**before.inputs, **after.inputs} if name not in changed]
    for name in compared:
        if name in before.inputs and name in after.inputs:
            yield from _unequal(name, before, after)
        else:
            study = "first" if name in before.inputs else "second"
            yield Problem(f"input {name!r}", "in both studies", f"in the {study} only", hint=_mend(name))


def _unequal(name: str, before: Table, after: Table) -> Iterator[Problem]:
    first, second = before.inputs[name], after.inputs[name]
    differ = np.flatnonzero(first.astype(str) != second.astype(str))
    if differ.size:
        at = differ[0]
        found = f"{second[at]} in case {before.numbers[at]}, and {differ.size} of {len(before)} cases differ"
        yield Problem(f"input {name!r}", f"{first[at]}, as in the first study", found, hint=_mend(name))


def _mend(name: str) -> str:
    return f"name it in changed=[{name!r}] if that is what is compared"
