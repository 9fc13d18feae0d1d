"""Errors in what is said of series."""

from ..planted import Planted

ERRORS = (
    Planted(
        "a series exists where one of its dimensions does", "channels/_channel.py", "return all(axis in", "return any(axis in"
    ),
    Planted(
        "units are those of joints that turn",
        "channels/_channel.py",
        "by_own[own] for own in last.units",
        "self.unit[0].unit for own in last.units",
    ),
    Planted("metrics have entries of any unit", "channels/_channel.py", "if unit == portion.own]", "if unit]"),
    Planted("names end in no unit", "channels/_channel.py", "return name if name.endswith(end) else name + end", "return name"),
    Planted(
        "a total has all series as its parts", "channels/_channels.py", "if channel.part_of == total]", "if channel.part_of]"
    ),
    Planted(
        "degrees in studies are radians",
        "channels/_units.py",
        '"deg": ("rad", math.pi / 180)',
        '"deg": ("rad", 1.0)',
        tests=("mission/test_series.py",),
    ),
    Planted(
        "a rate in degrees is in degrees when integrated",
        "channels/_units.py",
        '"rad_s": "rad", "deg_s": "deg"',
        '"rad_s": "deg", "deg_s": "rad"',
        tests=("study/test_metrics.py",),
    ),
    Planted(
        "kilometres are metres",
        "channels/_units.py",
        '"km": ("m", 1000.0)',
        '"km": ("m", 1.0)',
        tests=("mission/test_series.py",),
    ),
)
