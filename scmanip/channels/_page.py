"""Series that are worked out together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._channel import Channel

Source = TypeVar("Source")


@dataclass(frozen=True, eq=False)
class Bundle(Generic[Source]):
    """Channels, and how their series follow from a source, in the same order.

    of : returns arrays (n, ...) of a source, one of every channel, in its unit

    >>> speeds = Channel("speed", "", "m/s", "how fast it goes")
    >>> bundle = Bundle((speeds,), lambda run: (np.array(run["v"]),))
    >>> "speed" in bundle, bundle.series({"v": [0.0, 1.0]})["speed"].tolist()
    (True, [0.0, 1.0])
    """

    channels: tuple[Channel, ...]
    of: Callable[[Source], Sequence[NDArray[np.float64]]]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def series(self, source: Source) -> dict[str, Any]:
        """Return the series by name, time first."""
        return dict(zip(self._names, self.of(source), strict=True))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(channel.name for channel in self.channels)
