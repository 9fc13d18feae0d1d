"""Errors in what is said of series."""

from ..planted import Planted

ERRORS = (
    Planted(
        "a series exists where one of its dimensions does",
        "channels/_channel.py",
        "return dimensions.keys() >= {*self.axes.split()}",
        "return not dimensions.keys().isdisjoint(self.axes.split())",
    ),
    Planted(
        "a limit of a frame in mm is in cm",
        "channels/_units.py",
        '"mm": ("m", 1e-3)',
        '"mm": ("m", 1e-2)',
        tests=("mission/test_reach.py", "mission/test_bad_mission_files.py"),
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
        "series of hardware that is not there exist",
        "channels/_channels.py",
        "for name, channel in known.items() if channel.exists(dimensions)",
        "for name, channel in known.items()",
    ),
    Planted(
        "forces come before coordinates in the order of what is pushed",
        "channels/_dimension.py",
        '("f_x", "f_y", "f_z", "n_x", "n_y", "n_z")',
        '("n_x", "n_y", "n_z", "f_x", "f_y", "f_z")',
        tests=("mission/test_stored_columns.py", "mission/test_results.py"),
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
