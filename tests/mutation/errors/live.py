"""Errors planted in `live`."""

from ..planted import Planted

TESTS = ("live",)
EMBEDDED, RECORDING = "live/test_embedded_impedance.py::", "live/test_recording.py::"
AGAIN = (RECORDING + "test_a_recording_is_flown_again_to_the_last_bit",)
REFUSED = (RECORDING + "test_what_is_no_recording_is_refused_by_its_key",)
JERKS = (EMBEDDED + "test_jerks_of_a_dragged_hand_do_not_kick",)
FILTER = (EMBEDDED + "test_the_filter_is_of_second_order_and_critically_damped",)

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
    Planted(
        "a dragged hand leads a frame without a filter",
        "live/displays/_embedded_impedance.py",
        "None if device.smooth else BANDWIDTH_RAD_S",
        "None",
        tests=JERKS,
    ),
    Planted(
        "the filter of a dragged hand overshoots",
        "live/displays/_embedded_impedance.py",
        "pulls = [rate - w * away",
        "pulls = [rate - 2 * w * away",
        tests=FILTER,
    ),
    Planted(
        "the filter of a dragged hand tells the speed of the step before",
        "live/displays/_embedded_impedance.py",
        "(rate - w * pull * T) * decay",
        "rate",
        tests=FILTER,
    ),
    Planted(
        "a hand that feels may have a filter",
        "live/displays/_embedded_impedance.py",
        "is not None and device.feels",
        "is not None and not device.smooth",
        tests=(EMBEDDED + "test_a_filter_is_refused_for_a_hand_that_feels_and_by_its_name",),
    ),
    Planted(
        "embedded display takes a device with a delay",
        "live/displays/_embedded_impedance.py",
        "if device.delay_s > 0:",
        "if device.delay_s > 1e3:",
        tests=(EMBEDDED + "test_what_cannot_be_shown_is_refused_by_name",),
    ),
    Planted(
        "embedded display pushes a device along with its motion",
        "live/displays/_embedded_impedance.py",
        "self._shown = [-each for each in self.wrench]",
        "self._shown = list(self.wrench)",
        tests=(EMBEDDED + "test_a_device_heavier_than_what_it_leads_gets_no_energy_out_of_it",),
    ),
    Planted(
        "a hand that leads comes where it is a step later",
        "live/displays/_embedded_impedance.py",
        "(6.0 * way / T - 4.0 * v - 2.0 * then) / T",
        "(6.0 * way / T - 4.0 * v - 3.0 * then) / T",
        tests=(EMBEDDED + "test_the_hand_feels_mass_times_acceleration",),
    ),
    Planted(
        "a recording does everything a step too late",
        "live/session/_recording.py",
        "_to(live, step)",
        "_to(live, step + 1)",
        tests=AGAIN,
    ),
    Planted(
        "a recording is flown but for its last step",
        "live/session/_recording.py",
        "_to(live, self.steps)",
        "_to(live, self.steps - 1)",
        tests=AGAIN,
    ),
    Planted(
        "steps that were not taken are not counted in a recording",
        "live/session/_acts.py",
        "Act(self.tries, act.__name__",
        "Act(self.flight.loop.count, act.__name__",
        tests=AGAIN,
    ),
    Planted(
        "acts of a recording may stand in any order",
        "live/session/_recording.py",
        "last <= act[0]",
        "0 <= act[0]",
        tests=REFUSED,
    ),
    Planted(
        "a recording of another schema is read",
        "live/session/_recording.py",
        'told.get("schema") != SCHEMA',
        'told.get("schema") is None',
        tests=REFUSED,
    ),
)
