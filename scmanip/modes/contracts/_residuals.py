"""The residuals of a mode's whole contract, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ._residual import Residual


class Residuals(Mapping[str, Residual]):
    """Read-only mapping from the name of a law to its `Residual`: `residuals["momentum"].relative`."""

    def __init__(self, *residuals: Residual) -> None:
        self._by_name = {residual.name: residual for residual in residuals}

    def __getitem__(self, name: str) -> Residual:
        """Return the residual called `name`; a `KeyError` where the mode makes no such promise."""
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"Residuals({', '.join(f'{r.name}={r.value:.3g} {r.unit}' for r in self.values())})"
