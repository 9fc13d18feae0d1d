"""Errors in budgets and margins."""

from ..planted import Planted

ERRORS = (
    Planted(
        "a rotation beyond half a turn is the long way round",
        "analysis/_base_excursion.py",
        "np.minimum(near, far) / 2",
        "near / 2",
    ),
    Planted(
        "the rotation of the base is twice what it is",
        "analysis/_base_excursion.py",
        "return 4 * np.arcsin",
        "return 8 * np.arcsin",
    ),
    Planted(
        "the displacement of the base is its place",
        "analysis/_base_excursion.py",
        "sizes(places - places[..., :1, :])",
        "sizes(places)",
    ),
    Planted(
        "the rotation of the base is held against the limit of its displacement",
        "analysis/_base_excursion.py",
        "t, base_rotation(finely), rotation_rad",
        "t, base_rotation(finely), displacement_m",
    ),
    Planted(
        "braking power is taken for power",
        "analysis/_use.py",
        "history.tau * history.qdot",
        "np.abs(history.tau * history.qdot)",
    ),
    Planted(
        "torques of joints are held against rates of motors",
        "analysis/_use.py",
        "else drive.torque_limit for",
        "else drive.rate_limit for",
    ),
    Planted("a sliding joint has a torque", "analysis/_use.py", "units[0] if freedom.turns else units[1]", "units[0]"),
    Planted("the used share of a limit is upside down", "analysis/_use.py", "self.peak / self.limit", "self.limit / self.peak"),
    Planted("peaks are the largest values, not sizes", "analysis/_use.py", "sizes = np.abs(series)", "sizes = series"),
    Planted("a limit is first reached where it was last", "analysis/_use.py", "t[over[0]]", "t[over[-1]]"),
    Planted(
        "propellant is impulse by specific impulse without gravity",
        "analysis/_propellant.py",
        "/ history.system.pushers.exhaust_m_s)",
        "/ (history.system.pushers.exhaust_m_s / 9.80665))",
    ),
    Planted(
        "the margin of propellant has the wrong sign",
        "analysis/_propellant.py",
        "self.budget_kg - self.total_kg",
        "self.total_kg - self.budget_kg",
    ),
    Planted(
        "the distance of a frame is its angle",
        "analysis/_tip_track.py",
        "np.linalg.norm(errors[:, :3], axis=1)",
        "np.linalg.norm(errors[:, -3:], axis=1)",
    ),
    Planted(
        "the angle of a frame is half of it",
        "analysis/_tip_track.py",
        "2 * np.arcsin(np.minimum(half",
        "np.arcsin(np.minimum(half",
    ),
    Planted(
        "the smallest singular value of a track is the largest",
        "analysis/_tip_track.py",
        "resolution.singular_values[-1]",
        "resolution.singular_values[0]",
    ),
    Planted("the times of a track are those of its phase", "analysis/_tip_track.py", "history.t + start_s", "history.t"),
    Planted(
        "momenta of wheels are their speeds",
        "analysis/_use.py",
        "turners.stored(history.states.x[:, history.system.layout.x_actuators])",
        "history.states.x[:, history.system.layout.x_actuators]",
    ),
    Planted(
        "torques of wheels are held against their momentum limits",
        "analysis/_use.py",
        "(*one.said_states, *one.largest_efforts, one.largest_momentum)",
        "(*one.said_states, one.largest_momentum, one.largest_momentum)",
    ),
    Planted(
        "what lies between samples is twice as high as it may be",
        "analysis/_peak.py",
        "slope**2 / (4 * bend)",
        "slope**2 / (2 * bend)",
    ),
    Planted(
        "slopes beside a peak are weighed the wrong way round",
        "analysis/_peak.py",
        "(rise * after + fall * before)",
        "(rise * before + fall * after)",
    ),
)
