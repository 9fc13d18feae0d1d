"""How cases are flown together, and when that is good enough for one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MOST = 1e-4  # estimated error of a case, of any entry of the state relative to its largest size or to 1
CLOSE = 1e-3  # estimated error of a metric, of its size, for being known at samples


@dataclass(frozen=True)
class Steps:
    """How an ensemble is computed: the longest step, and the longest distance of its samples [s].

    slack : by metric, errors that do not count: what the tolerance of the nominal case makes of it
    """

    step_s: float
    output_step_s: float
    slack: Mapping[str, float] = field(default_factory=dict)

    def unsure(self, name: str, value: float, error: float) -> bool:
        """Whether the estimated error of a metric is too large."""
        return error > CLOSE * abs(value) + self.slack.get(name, 0.0)
