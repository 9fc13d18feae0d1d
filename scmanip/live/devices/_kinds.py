"""The devices that a page can drag."""

from __future__ import annotations

from typing import Any

from ...plugins import Kinds
from ._device import Device
from ._dragged_handle import DraggedHandle
from ._gizmo import Gizmo

_OWN: dict[str, type[Device]] = {"gizmo": Gizmo, "simulated handle": DraggedHandle}


def _made(word: str, given: Any) -> type[Device] | None:
    del word
    return given if isinstance(given, type) and issubclass(given, Device) else None


DEVICES: Kinds[type[Device]] = Kinds("scmanip.devices", "device", lambda: _OWN, _made, "a live.Device that is dragged")
