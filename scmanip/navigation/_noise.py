"""Chance in sensors: numbers that depend on nothing but whose they are."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

import numpy as np

from ..errors import checked
from ..spatial import Array

BLOCK = 64  # samples that are drawn at once


@checked
def white(seed: int, case: int, name: str, sample: int, count: int) -> Array:
    """Return the standard normal numbers (count,) of one sample of a sensor, the same in whichever order they are asked for.

    They are those of the counter-based generator Philox [Salmon2011], whose key is made of seed, case and name, through the
    inverse of the normal distribution: one number of the generator for each, so that no release of NumPy changes them.

    >>> white(7, 0, "gyro", 3, 2).round(3).tolist()  # whatever was asked for before
    [-2.317, 0.1]
    """
    return drawn(seed, case, name, sample, count)


def drawn(seed: int, case: int, name: str, sample: int, count: int) -> Array:
    """Return the same, of what is known to be of its kind."""
    block, row = divmod(sample, BLOCK)
    return _block(seed, case, name, block, count)[row]


@lru_cache(maxsize=256)
def _block(seed: int, case: int, name: str, block: int, count: int) -> Array:
    from scipy.special import ndtri  # takes a while to load, and most runs know no chance

    key = int.from_bytes(blake2b(f"{seed} {case} {name}".encode(), digest_size=16).digest(), "little")
    raw = np.random.Philox(key=key, counter=block << 64).random_raw(BLOCK * count)
    rows: Array = ndtri(((raw >> np.uint64(12)) + 0.5) * 2.0**-52).reshape(BLOCK, count)
    rows.flags.writeable = False
    return rows
