"""Errors planted in `live`."""

from ..planted import Planted

TESTS = ("live",)

ERRORS = (
    Planted(
        "the damper of a coupler pushes", "live/coupling/_coupler.py", "own[3:6] - v, own", "v - own[3:6], own", tests=TESTS
    ),
    Planted(
        "a device bears gains without its delay", "live/coupling/_passivity.py", "K * self.lag_s + B\n", "B\n", tests=TESTS
    ),
    Planted(
        "a hand that was not heard of is kept", "live/devices/_gizmo.py", "> self.stale_s", "> 1e9 * self.stale_s", tests=TESTS
    ),
)
