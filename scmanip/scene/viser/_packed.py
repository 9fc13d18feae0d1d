"""Numbers over time as text that is short and that a browser reads again."""

from __future__ import annotations

import zlib
from base64 import b64encode
from typing import Any

import numpy as np

from ...spatial import FloatArray

_MOST = 2**29  # steps, so that the difference of any two is a number of four bytes


def packed(rows: FloatArray, step: float) -> dict[str, Any]:
    """Return rows (K, ...) to the nearest multiple of `step`, for `unpacked` of player.js.

    Differences of whole numbers from row to row, their bytes sorted by worth, deflated; of larger steps where there would be
    more than 2^29 of them.
    """
    flat = np.nan_to_num(np.asarray(rows, dtype=float).reshape(len(rows), -1))
    step = max(step, float(np.abs(flat).max(initial=0.0)) / _MOST)
    whole = np.rint(flat / step).astype("<i4")
    change = np.diff(whole, axis=0, prepend=np.zeros((1, whole.shape[1]), dtype="<i4")).T
    planes = np.ascontiguousarray(change).view(np.uint8).reshape(-1, 4).T
    text = b64encode(zlib.compress(planes.tobytes(), 9)).decode()
    return {"rows": len(flat), "columns": flat.shape[1], "step": step, "data": text}
