"""The steps with which the cases of a group are flown together, found by trying."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import InvalidInput, ModeMismatch
from ...simulation import Outcome
from ...spatial import Array
from ...study import Estimated
from ._flight import GroupFlight
from ._group import Group
from ._numbers import Numbers
from ._samples import CaseSamples, samples_of
from ._steps import MOST, Steps

HALVINGS, FURTHER = 12, 4  # of steps and of samples in all, and once the nominal case is right
SOME = 1  # of the other cases may be left to be flown by themselves
_LEAST = 1.0  # sizes below it [m, rad, m/s, rad/s, 1] are compared with it

Measure = Callable[[CaseSamples], Mapping[str, Estimated]]


@dataclass(frozen=True)
class _Seen:
    """What came of some steps.

    far, unsure : cases that went too far from the truth, and those whose samples are too few for the metrics
    """

    steps: Steps
    far: int
    unsure: int

    @property
    def lost(self) -> int:
        """Cases that would be flown by themselves."""
        return self.far + self.unsure

    @property
    def finer(self) -> Steps:
        """What to try next."""
        step_s, sample_s = self.steps.step_s, self.steps.output_step_s
        if self.unsure > self.far:
            return Steps(min(step_s, sample_s / 2), sample_s / 2)
        return Steps(step_s / 2, sample_s)


@dataclass(frozen=True, eq=False)
class Trial:
    """What is flown to find the steps of a group: the nominal case, the same from a start a little off, and some others.

    others : numbers of some cases of the plan
    measure : gives values and errors (n,) of every metric of some samples
    """

    group: Group
    others: Sequence[Numbers]
    measure: Measure

    def steps(self, output_step_s: float, tolerance: float) -> Steps | None:
        """Return the longest steps with which the nominal case is the run of `Mission.run`, None where there are none.

        They are halved a few times more, or the distance of samples is, where others would have to be flown by themselves.
        tolerance : largest difference of any entry of the state at any sample, relative to its largest size or to 1
        """
        run = self.group.mission.run()
        if not run.completed:
            return None
        true = samples_of(self.group.mission, run.flown)
        try:
            first = self._right(Steps(output_step_s, output_step_s), true, tolerance)
            return None if first is None else self._best(*first, tolerance)
        except (InvalidInput, ModeMismatch):
            return None

    def _right(self, steps: Steps, true: CaseSamples, tolerance: float) -> tuple[Steps, GroupFlight] | None:
        """Return the first steps with which the nominal case is right, and what all came to with them."""
        for _ in range(HALVINGS):
            block = self._flown(steps, tolerance)
            if block.outcomes[0] is Outcome.COMPLETED:
                _, samples = next(block.parts())
                if _apart(samples, true) <= tolerance:
                    return steps, block
            steps = replace(steps, step_s=steps.step_s / 2)
        return None

    def _best(self, steps: Steps, block: GroupFlight, tolerance: float) -> Steps:
        """Return the steps with which the fewest of the others are lost, among a few from those on."""
        best = seen = self._seen(steps, block)
        for _ in range(FURTHER):
            if best.lost <= SOME:
                break
            seen = self._seen(seen.finer, self._flown(seen.finer, tolerance))
            best = seen if seen.lost < best.lost else best
        return best.steps

    def _flown(self, steps: Steps, tolerance: float) -> GroupFlight:
        """Return the nominal case, the one that starts a little off, and the others, with some steps."""
        return self.group.block([self.group.nominal, self._off(tolerance), *self.others], steps)

    def _off(self, tolerance: float) -> Numbers:
        """Return the numbers of the nominal case from a start that is off by the tolerance."""
        start = self.group.nominal.initial
        return replace(self.group.nominal, initial=start + tolerance * np.maximum(_LEAST, np.abs(start)))

    def _seen(self, steps: Steps, block: GroupFlight) -> _Seen:
        """Return what comes of some steps."""
        far, errors = np.array([outcome is not Outcome.COMPLETED for outcome in block.outcomes]), block.errors()
        if far[:2].any():
            return _Seen(steps, len(far), 0)
        metrics: dict[int, dict[str, tuple[float, float]]] = {}
        for places, samples in block.parts():
            found = self.measure(samples)
            for k, place in enumerate(places.tolist()):
                metrics[place] = {name: (float(each.values[k]), float(each.errors[k])) for name, each in found.items()}
        slack = {name: abs(value - metrics[1][name][0]) for name, (value, _) in metrics[0].items()}
        made = replace(steps, slack={name: change for name, change in slack.items() if np.isfinite(change)})
        far |= (errors > MOST) | [bool(block.strayed(case)) for case in range(len(errors))]
        unsure = [any(made.unsure(name, *pair) for name, pair in found.items()) for found in metrics.values()]
        return _Seen(made, int(far[2:].sum()), sum(unsure))


def _apart(samples: CaseSamples, true: CaseSamples) -> float:
    """Return the largest difference of the first case of some samples from the truth in any phase."""
    parts = [
        (samples.x[0, part.places], true.states_at(number, part.times(0))) for number, part in enumerate(samples.stretches)
    ]
    return difference(np.concatenate([x for x, _ in parts]), np.concatenate([x for _, x in parts]))


def difference(x: Array, true: Array) -> float:
    """Return the largest difference of states (k, n_x), relative to the largest size of each entry or to 1."""
    size = np.maximum(_LEAST, np.abs(true).max(axis=0))
    return float((np.abs(x - true) / size).max())
