"""Errors in what studies of missions vary, fly and measure."""

from ..planted import Planted

SERIES = ("mission/test_series.py", "mission/test_study.py")

ERRORS = (
    Planted(
        "joint rates are efforts in metrics",
        "campaign/flight/_series.py",
        "self.samples.series(measured.channel.name)",
        'self.samples.series("tau" if measured.channel.name == "qdot" else measured.channel.name)',
        tests=SERIES,
    ),
    Planted(
        "forces of sliding joints are those of turning ones in metrics",
        "campaign/flight/_series.py",
        "return rows if measured.places is None else rows[..., measured.places]",
        "return rows",
        tests=SERIES,
    ),
    Planted(
        "an error of joints has the wrong sign in metrics",
        "campaign/flight/_from_samples.py",
        "return wanted - q",
        "return q - wanted",
        tests=SERIES,
    ),
    Planted(
        "the displacement in metrics is the place of the base",
        "campaign/flight/_from_samples.py",
        'displacement_from_first(samples.series("r_0"))',
        'sizes(samples.series("r_0"))',
        tests=SERIES,
    ),
    Planted(
        "momenta of wheels are their speeds in metrics",
        "campaign/flight/_from_samples.py",
        "system.turners.stored(scene.turned[rows])",
        "scene.turned[rows]",
        tests=SERIES,
    ),
    Planted(
        "distances of frames are from where they began",
        "campaign/flight/_from_samples.py",
        "sizes(_position(frame, samples) - samples.shaped(wanted))",
        "sizes(_position(frame, samples) - _position(frame, samples)[:, :1])",
        tests=SERIES,
    ),
    Planted(
        "what is dispersed is believed",
        "campaign/flight/_numbers.py",
        "known = self._of(SYSTEM, design) | self._of(ESTIMATE, values)",
        "known = self._of(SYSTEM, values) | self._of(ESTIMATE, values)",
        tests=SERIES,
    ),
    Planted(
        "products of inertia are in another order",
        "campaign/variation/_target.py",
        "(0, 1), (0, 2), (1, 2))",
        "(0, 1), (1, 2), (0, 2))",
        tests=SERIES,
    ),
    Planted(
        "a command replays the case after",
        "campaign/_result.py",
        '"--case", str(case)',
        '"--case", str(case + 1)',
        tests=("command/test_study_tables.py",),
    ),
    Planted(
        "a limit from below makes less the better",
        "campaign/_result.py",
        "Sense.MAX if any(r.max is None and r.min is not None for r in bounds) else Sense.MIN",
        "Sense.MIN",
        tests=("command/test_study_tables.py",),
    ),
    Planted(
        "constraints keep in all cases what they keep in the first",
        "campaign/flight/_flight.py",
        "{} if begun.kept is None else {KEPT: begun.kept}",
        "{}",
        tests=("mission/test_study_switches.py",),
    ),
    Planted(
        "what switches take as a phase begins is in no total",
        "campaign/flight/_held.py",
        "changes.gained(states, values) if phase.switches and not first else {}",
        "{}",
        tests=("mission/test_study_switches.py",),
    ),
    Planted(
        "phases of all cases begin where that of the first does",
        "campaign/flight/_flight.py",
        "self._start_s[aloft] += flown.last_good_s",
        "self._start_s[aloft] += flown.last_good_s[0]",
        tests=("mission/test_study_events.py",),
    ),
    Planted(
        "a reference after an event starts where the plan has the joints",
        "campaign/flight/_flight.py",
        "self._q_home[i] = phases[k].left(float(flown.last_good_s[k]), flown.final[k])",
        "self._q_home[i] = phases[k].left(phases[k].t_end_s, flown.final[k])",
        tests=("mission/test_study_events.py",),
    ),
    Planted(
        "the table of studies has lowest and highest exchanged",
        "campaign/_result.py",
        "(values.min(), np.median(values), values.max())",
        "(values.max(), np.median(values), values.min())",
        tests=("command/test_study_tables.py",),
    ),
    Planted(
        "the table of studies shows means as medians",
        "campaign/_result.py",
        "np.median(values)",
        "np.mean(values)",
        tests=("command/test_study_tables.py",),
    ),
    Planted(
        "an allowed range has its signs exchanged",
        "campaign/_result.py",
        '((f">= {low:g}", low), (f"<= {high:g}", high))',
        '((f"<= {low:g}", low), (f">= {high:g}", high))',
        tests=("command/test_study_tables.py",),
    ),
    Planted(
        "bounds of kept cases are in parts of 1",
        "campaign/_result.py",
        "{100 * kept.interval.low:.4g} to",
        "{kept.interval.low:.4g} to",
        tests=("command/test_study_tables.py",),
    ),
)
