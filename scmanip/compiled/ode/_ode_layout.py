"""Where an integrator keeps its numbers: a block of rows for every few entries of y, one row per area.

Neighbouring areas are neighbours in memory, so that a sum over rates needs one address; the right-hand side knows the
places of its entries when it is written.
"""

from __future__ import annotations

from dataclasses import dataclass

WIDTH = 4  # entries of y that one instruction serves where one trajectory is integrated
Y, TRIAL, K = 0, 1, 2  # state, state of a stage, the first of the rates
RATES = 16
NEW, ATOL, DENSE = K + RATES, K + RATES + 1, K + RATES + 2  # state after a step, tolerance, the first part of dense output
DENSE_PARTS = 7
ARRAYS = 7  # before the parameters: y_0, y at the end, atol, sample times, samples, ends and shapes of the steps or null
ENDS, SHAPES = ARRAYS - 2, ARRAYS - 1
SHAPE_PARTS = 1 + DENSE_PARTS  # of a step whose shape is kept: where it begins, and its dense output
AREAS = DENSE + DENSE_PARTS


def width_of(lanes: int) -> int:
    """Return the numbers in a row: entries of y of one trajectory, or one entry of y of every lane's trajectory."""
    return WIDTH if lanes == 1 else lanes


@dataclass(frozen=True)
class OdeLayout:
    """The workspace for y (n,), parameters and alarms, of one trajectory or of one per lane."""

    n: int
    parameters: int
    alarms: int
    lanes: int

    @property
    def padded(self) -> int:
        """Entries in an area; what y leaves free stays zero."""
        return -(-self.n // WIDTH) * WIDTH if self.lanes == 1 else self.n

    @property
    def size(self) -> int:
        """Numbers in all: the areas, the parameters, the alarms of accepted steps and those of trial stages."""
        return (self.padded * AREAS + self.parameters + 2 * self.alarms) * self.lanes

    def place(self, entry: int) -> int:
        """Return how far an entry lies from the first one of its area, in numbers of every lane."""
        return entry + entry // WIDTH * WIDTH * (AREAS - 1) if self.lanes == 1 else entry * AREAS

    def alarm_places(self) -> slice:
        """Return where the alarms of accepted steps are."""
        start = self.size - 2 * self.alarms * self.lanes
        return slice(start, start + self.alarms * self.lanes)
