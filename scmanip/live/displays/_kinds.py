"""The displays that there are."""

from __future__ import annotations

from typing import Any

from ...plugins import Kinds
from ._admittance import Admittance
from ._display import Display
from ._embedded_impedance import EmbeddedImpedance
from ._impedance import Impedance

_OWN: dict[str, type[Display]] = {"impedance": Impedance, "admittance": Admittance, "embedded_impedance": EmbeddedImpedance}


def _made(word: str, given: Any) -> type[Display] | None:
    del word
    return given if isinstance(given, type) and issubclass(given, Display) else None


DISPLAYS: Kinds[type[Display]] = Kinds("scmanip.displays", "display", lambda: _OWN, _made, "a live.Display")
