"""The residuals of a mode's whole contract, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...cells import html_table
from ._residual import Residual

_KEPT = {True: "yes", False: "NO"}


class Residuals(Mapping[str, Residual]):
    """Read-only mapping from the name of a law to its `Residual`: `residuals["momentum"].relative`.

    >>> list(history.residuals)
    ['momentum', 'angular_momentum', 'com_drift', 'energy', 'joint_motion']
    """

    def __init__(self, *residuals: Residual) -> None:
        self._by_name = {residual.name: residual for residual in residuals}

    def __getitem__(self, name: str) -> Residual:
        """Return the residual called `name`; a `KeyError` where the mode makes no such promise."""
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def _repr_html_(self) -> str:
        rows = [(r.name, r.meaning, f"{r.value:.3g} {r.unit}", f"{r.relative:.1e}", _KEPT[r.kept]) for r in self.values()]
        return html_table("Residuals", ("law", "what should vanish", "largest", "relative", "kept"), rows)

    def __repr__(self) -> str:
        return f"Residuals({', '.join(f'{r.name}={r.value:.3g} {r.unit}' for r in self.values())})"
