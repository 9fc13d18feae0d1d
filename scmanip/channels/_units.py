"""Units as the ends of names: `base_rotation_deg` is in deg, `peak_rate_rad_s` in rad/s."""

from __future__ import annotations

import math
from functools import lru_cache

_BASE = "s min h m mm km rad mrad deg kg N mN kN Nm mNm Ns Nms J mJ kJ W Hz rpm A V K"
_RATES = "m_s mm_s km_s rad_s mrad_s deg_s m_s2 rad_s2 deg_s2 N_s Nm_s W_s kg_s"
_PRODUCTS = "kg_m kg_m2 kg_m_s kg_m2_s rad2 deg2 m2 W_h N_m Ns_m Nm_rad Nms_rad m_rad"
NUMBERS = ("relative", "ratio", "fraction", "factor", "count", "index")
UNITS = frozenset((*_BASE.split(), *_RATES.split(), *_PRODUCTS.split(), "percent"))
PLAIN = "1"

_INTEGRALS = {
    "N": "Ns", "Nm": "Nms", "W": "J", "m": None, "m_s": "m", "mm_s": "mm", "rad_s": "rad", "deg_s": "deg", "mrad_s": "mrad",
    "m_s2": "m_s", "rad_s2": "rad_s", "deg_s2": "deg_s", "Nm_s": "Nm", "N_s": "N", "kg_s": "kg", PLAIN: "s",
}  # fmt: skip
_IN_SI = {
    "Nm_deg": ("Nm_rad", 180 / math.pi), "Nms_deg": ("Nms_rad", 180 / math.pi), "deg_s": ("rad_s", math.pi / 180),
    "deg": ("rad", math.pi / 180), "rpm": ("rad_s", math.tau / 60), "km": ("m", 1000.0), "mm": ("m", 1e-3),
}  # fmt: skip

_WRITTEN = {
    "Nm": "N m", "Nms": "N m s", "Ns": "N s", "kg_m2": "kg m^2", "rad_s": "rad/s", "deg_s": "deg/s", "m_s": "m/s",
    "m_s2": "m/s^2", "N_m": "N/m", "Ns_m": "N s/m", "Nm_rad": "N m/rad", "Nms_rad": "N m s/rad", "m_rad": "m/rad",
    "kg_s": "kg/s",
}  # fmt: skip


@lru_cache(maxsize=1024)
def in_si(key: str) -> tuple[str, float]:
    """Return a key that ends in its unit as one in SI, and the size of its unit there."""
    unit = next((unit for unit in _IN_SI if key.endswith(f"_{unit}")), None)
    return (key, 1.0) if unit is None else (key.removesuffix(unit) + _IN_SI[unit][0], _IN_SI[unit][1])


def unit_of(name: str) -> str | None:
    """Return the unit at the end of a name, "1" for a plain number such as one in `_relative`, None where there is none.

    >>> unit_of("torque_Nm"), unit_of("energy_drift_relative"), unit_of("name")
    ('Nm', '1', None)
    """
    words = name.split("_")
    for start in range(1, len(words)):
        end = "_".join(words[start:])
        if end in UNITS:
            return end
        if end in NUMBERS:
            return PLAIN
    return None


def plain_unit(text: str) -> str:
    """Return a unit as the end of a name would say it: "rad/s" as "rad_s", "N m" as "Nm".

    >>> plain_unit("rad/s"), plain_unit("N m"), plain_unit("%")
    ('rad_s', 'Nm', 'percent')
    """
    text = (
        text.strip()
        .replace("N m s", "Nms")
        .replace("N m", "Nm")
        .replace("N s", "Ns")
        .replace("kg m^2", "kg_m2")
        .replace("^", "")
    )
    return {"%": "percent", "": PLAIN}.get(text, text.replace(" ", "_").replace("/", "_"))


def heading(name: str) -> str:
    """Return a name that ends in its unit as words: "largest_torque_Nm" as "largest torque [N m]"; plain numbers have none.

    >>> heading("largest_torque_Nm"), heading("base_turn_deg")
    ('largest torque [N m]', 'base turn [deg]')
    """
    unit = unit_of(name)
    if unit is None or unit == PLAIN:
        return name.replace("_", " ")
    return f"{name.removesuffix(f'_{unit}').replace('_', ' ')} [{_WRITTEN.get(unit, unit.replace('_', ' '))}]"


def integral_of(unit: str | None) -> str | None:
    """Return the unit of an integral over time, None where it is not known.

    >>> integral_of("N"), integral_of("W"), integral_of(None)
    ('Ns', 'J', None)
    """
    return None if unit is None else _INTEGRALS.get(unit)


def in_degrees(unit: str) -> str | None:
    """Return rad as deg, rad_s as deg_s; None for what is no angle in radians.

    >>> in_degrees("rad_s"), in_degrees("m")
    ('deg_s', None)
    """
    return f"deg{unit[3:]}" if unit in ("rad", "rad_s", "rad_s2") else None


def in_radians(unit: str) -> str | None:
    """Return deg as rad, deg_s as rad_s; None for what is no angle in degrees.

    >>> in_radians("deg_s2"), in_radians("rad")
    ('rad_s2', None)
    """
    return f"rad{unit[3:]}" if unit in ("deg", "deg_s", "deg_s2") else None


def for_people(unit: str) -> tuple[str, float]:
    """Return the unit in which people read a quantity, and how many of it one is: angles in degrees, "rad/s" in "deg/s".

    >>> for_people("m"), for_people("rad/s")[0], round(for_people("rad/s")[1], 4)
    (('m', 1.0), 'deg/s', 57.2958)
    """
    turns = unit == "rad" or unit.startswith("rad/")
    return (f"deg{unit[3:]}", 180 / math.pi) if turns else (unit, 1.0)


def conversion(found: str, wanted: str) -> str:
    """Return a hint on how to come from one unit to another.

    >>> conversion("rad_s", "deg_s"), conversion("rad", "m")
    ('write degrees(...)', '')
    """
    if in_degrees(found) == wanted:
        return "write degrees(...)"
    if in_radians(found) == wanted:
        return "write radians(...)"
    return ""
