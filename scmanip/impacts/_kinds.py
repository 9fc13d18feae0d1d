"""The laws of impact that a file can name."""

from __future__ import annotations

from typing import Any

from ..plugins import Kinds
from ._energetic import Energetic
from ._newton import Newton
from ._poisson import Poisson
from ._restitution import Restitution

_OWN: dict[str, type[Restitution]] = {law.kind: law for law in (Newton, Poisson, Energetic)}


def _made(word: str, given: Any) -> type[Restitution] | None:
    return given if isinstance(given, type) and issubclass(given, Restitution) and given.kind == word else None


RESTITUTIONS: Kinds[type[Restitution]] = Kinds(
    "scmanip.restitutions", "contact.law", lambda: _OWN, _made, "a Restitution with kind = {name!r}"
)
