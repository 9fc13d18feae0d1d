"""Errors in the numbers, units and columns that people read."""

from ..planted import Planted

WORTH = ("mission/test_numerical_errors.py",)

ERRORS = (
    Planted(
        "a limit is kept whatever the error of its number is",
        "report/_verdict.py",
        " and self.error <= self.margin + self._rounding",
        "",
        tests=WORTH,
    ),
    Planted(
        "a limit that is broken within the error of its number is broken",
        "report/_verdict.py",
        "not self.value - self.error <= self.limit",
        "not self.value <= self.limit",
        tests=WORTH,
    ),
    Planted(
        "numbers are resolved whatever their error is",
        "report/_verdict.py",
        "Word.NOTHING if self._resolved else Word.NOT_RESOLVED",
        "Word.NOTHING",
        tests=WORTH,
    ),
    Planted(
        "the error of a number is half of the difference of two flights",
        "report/_verdict.py",
        "SAFETY = 2.0",
        "SAFETY = 0.5",
        tests=WORTH,
    ),
    Planted(
        "a joint inside its range is judged as if it were at its end",
        "report/_verdict.py",
        "self.limit - (self.value - self.short)",
        "self.limit - self.value",
        tests=WORTH,
    ),
    Planted(
        "a comparison shows angular impulses as impulses",
        "report/_comparison.py",
        'history.impulse[:, :3]), "N s"',
        'history.impulse[:, 3:]), "N s"',
    ),
    Planted(
        "a comparison takes forces of sliding joints for torques", "report/_comparison.py", ' if freedom.unit == "rad"]', "]"
    ),
    Planted(
        "a comparison has the headings of the impulses exchanged",
        "report/_comparison.py",
        '    "impulse",\n    "angular impulse",',
        '    "angular impulse",\n    "impulse",',
    ),
    Planted(
        "a comparison shows the largest component of an impulse, not its size",
        "report/_comparison.py",
        "np.linalg.norm(rows, axis=1).max()",
        "np.abs(rows).max()",
    ),
    Planted(
        "a comparison draws rotation where displacement is, and the other way round",
        "report/_comparison_figure.py",
        "[np.degrees(base_rotation(history)), base_displacement(history)]",
        "[base_displacement(history), np.degrees(base_rotation(history))]",
    ),
    Planted(
        "a comparison draws rotations in radians",
        "report/_comparison_figure.py",
        "[np.degrees(base_rotation(history)),",
        "[base_rotation(history),",
    ),
    Planted("a margin is in parts of the value", "report/_compliance.py", "1 - value / limit", "1 - limit / value"),
    Planted("a margin has the wrong sign", "report/_compliance.py", "1 - value / limit", "value / limit - 1"),
    Planted(
        "a compliance matrix shows the limit as the value",
        "report/_compliance.py",
        "            valued(verdict),",
        "            shown(verdict.limit or 0.0, verdict.unit, verdict.shown_in),",
    ),
    Planted(
        "the energy figure shows what is stored, not its change",
        "report/_energy_figure.py",
        "history.stored_energy - history.stored_energy[0]",
        "history.stored_energy",
    ),
    Planted(
        "the energy figure shows losses of wheels as their work",
        "report/_energy_figure.py",
        'for part in channels.totals["work"]}',
        'for part in channels.totals["dissipated"]}',
    ),
    Planted(
        "wheels turn in revolutions per second called rpm",
        "report/_turner_figures.py",
        "getattr(history, channel.name) / size",
        "getattr(history, channel.name)",
    ),
    Planted(
        "the wheel figure has torques for momentum limits",
        "report/_turner_figures.py",
        "[one.largest_momentum for",
        "[one.largest_efforts[0] for",
    ),
    Planted("the propellant legend tells what was burnt at the start", "report/_propellant_figure.py", "burnt[-1]", "burnt[0]"),
    Planted("the work legend tells the work at the start", "report/_joint_power_figure.py", "work[-1]", "work[0]"),
    Planted(
        "the base figure draws the limit of the force on the torque",
        "report/_base_wrench_figure.py",
        '"n", limits.base_torque_Nm',
        '"n", limits.base_force_N',
    ),
    Planted(
        "the base figure draws the torque as the force",
        "report/_base_wrench_figure.py",
        'history.wrench[:, :3], "f"',
        'history.wrench[:, 3:], "f"',
    ),
    Planted(
        "the motor figure has torques for rate limits",
        "report/_motor_use_figure.py",
        "drive.rate_limit for",
        "drive.torque_limit for",
    ),
    Planted(
        "the excursion figure draws the angle in radians",
        "report/_base_excursion_figure.py",
        "np.degrees(base_rotation(history)), base_displacement",
        "base_rotation(history), base_displacement",
    ),
    Planted(
        "the disturbance figure takes shifts by momentum for turns",
        "report/_base_disturbance_figure.py",
        "np.degrees(history.turn_by_momentum)",
        "history.shift_by_momentum",
    ),
    Planted("the tip figure draws metres as millimetres", "report/_tip_error_figure.py", "1e3 * track.away_m", "track.away_m"),
    Planted(
        "the way of the first frame stands for the worst",
        "report/_tip_verdicts.py",
        "max(tracks, key=lambda track: track.away_m.max())",
        "tracks[0]",
    ),
    Planted(
        "the error of a frame at its end is that of its start",
        "report/_tip_verdicts.py",
        "float(last.away_m[-1])",
        "float(last.away_m[0])",
    ),
    Planted(
        "the angle of a frame is judged by its distance limit",
        "report/_tip_verdicts.py",
        "limits.tip_error_rad",
        "limits.tip_error_m",
    ),
    Planted(
        "the smallest singular value is the largest",
        "report/_tip_verdicts.py",
        "np.argmin(track.singular_value)",
        "np.argmax(track.singular_value)",
    ),
    Planted(
        "the torque on the base is judged by the force limit",
        "report/_thrust_verdicts.py",
        "limits.base_torque_Nm",
        "limits.base_force_N",
    ),
    Planted(
        "the impulse is judged by the angular limit",
        "report/_thrust_verdicts.py",
        "limits.impulse_Ns",
        "limits.angular_impulse_Nms",
    ),
    Planted(
        "the largest component of a wrench stands for its size",
        "report/_thrust_verdicts.py",
        "np.linalg.norm(rows, axis=1)",
        "np.abs(rows).max(axis=1)",
    ),
    Planted(
        "the rate of the base is judged by its rotation limit",
        "report/_verdicts.py",
        "limits.base_rate_rad_s)",
        "limits.base_rotation_rad)",
    ),
    Planted(
        "joint rates are judged by effort limits",
        "report/_verdicts.py",
        "(limits.joint_effort, limits.joint_rate, limits.joint_power)",
        "(limits.joint_rate, limits.joint_effort, limits.joint_power)",
    ),
    Planted(
        "energy is judged by the momentum limit",
        "report/_verdicts.py",
        '{"energy": limits.energy_relative,',
        '{"energy": limits.momentum_relative,',
    ),
    Planted(
        "final angles are judged by the limit of extensions",
        "report/_verdicts.py",
        "limits.final_joint_error_rad)",
        "limits.final_joint_error_m)",
    ),
    Planted(
        "only limits from above count as ranges of joints",
        "report/_verdicts.py",
        "np.maximum(lower - q, q - upper)",
        "q - upper",
    ),
    Planted(
        "the least passage of a joint limit is reported", "report/_verdicts.py", "far = max(passages", "far = min(passages"
    ),
    Planted(
        "joints in the budget did what their dampers took",
        "report/_work_budget.py",
        "for part in channels.totals[total]:",
        'for part in channels.totals["dissipated"]:',
    ),
    Planted(
        "a budget leaves out what is not accounted for of losses",
        "report/_work_budget.py",
        'shown(whole - sum(value for _, value in parts), "J")',
        'shown(0.0 * whole, "J")',
    ),
    Planted(
        "what a joint does to the base is told at the wrong time",
        "report/_run_page.py",
        "k = int(np.argmax(size))",
        "k = len(size) // 2",
    ),
    Planted(
        "what a joint does to the base is a share of its own peak",
        "report/_run_page.py",
        "100 * part / total:.4g",
        "100 * part / peak:.4g",
    ),
    Planted("the own peak of a joint is its push", "report/_run_page.py", "disturbance.peak_omega_0", "disturbance.peak_v_0"),
    Planted(
        "a law's relative residual is the absolute one",
        "report/_run_page.py",
        "{residual.relative:.3e}",
        "{residual.value:.3e}",
    ),
    Planted("a law's bound is the relative one", "report/_run_page.py", "{residual.most:.3e}", "{residual.most_relative:.3e}"),
    Planted(
        "a limit without a probability needs one case",
        "report/_judged.py",
        "self.kept.successes == self.kept.runs",
        "self.kept.successes > 0",
        tests=("command/test_study_tables.py",),
    ),
    Planted(
        "the best margin of a study stands for the worst",
        "report/_judged.py",
        "int(np.argmin(margins))",
        "int(np.argmax(margins))",
    ),
    Planted(
        "bounds of a share are exchanged",
        "report/_study_page.py",
        "{100 * row.kept.interval.low:.4g} to {100 * row.kept.interval.high:.4g} %",
        "{100 * row.kept.interval.high:.4g} to {100 * row.kept.interval.low:.4g} %",
    ),
    Planted(
        "the nominal value of a metric is that of case 0",
        "report/_study_page.py",
        'results.nominal.get(row.requirement.metric, float("nan"))',
        "float(results.cases.metric(row.requirement.metric)[0])",
    ),
    Planted(
        "percentile bounds are exchanged",
        "report/_study_statistics.py",
        "as_text(low), as_text(high), note",
        "as_text(high), as_text(low), note",
    ),
    Planted(
        "the columns of a sensitivity are exchanged",
        "report/_study_statistics.py",
        '(metric.name, i.name, f"{i.first:.3f}"',
        '(metric.name, i.name, f"{i.total:.3f}"',
    ),
    Planted(
        "bounds of total indices are those of first ones",
        "report/_study_statistics.py",
        "_bounds(i.total_interval.low, i.total_interval.high)",
        "_bounds(i.first_interval.low, i.first_interval.high)",
    ),
    Planted(
        "the worst cases of a study are the best",
        "report/_study_statistics.py",
        "Sense.MAX if r.max is None else Sense.MIN",
        "Sense.MIN if r.max is None else Sense.MAX",
    ),
    Planted(
        "a mean counts failed cases as zero",
        "report/_study_statistics.py",
        "np.nanmean(values)",
        "np.nansum(values) / len(values)",
    ),
    Planted(
        "cases within the limits of a design are all of its cases",
        "report/_study_statistics.py",
        "{int(kept.sum())} of {len(kept)}",
        "{len(kept)} of {len(kept)}",
    ),
    Planted(
        "bounds of a distribution are drawn one-sided",
        "report/_study_figures.py",
        "ranks(len(values), share, confidence, Side.BOTH)",
        "ranks(len(values), share, confidence, Side.LOWER)",
    ),
    Planted(
        "the bars of a sensitivity have their labels exchanged",
        "report/_study_figures.py",
        '{"first": "by itself", "total": "with all others"}',
        '{"first": "with all others", "total": "by itself"}',
    ),
    Planted(
        "cases that break limits are drawn as those that keep them",
        "report/_study_figures.py",
        "found.feasible & ~found.best",
        "~found.feasible & ~found.best",
    ),
    Planted(
        "the axes of a trade have their names exchanged",
        "report/_study_figures.py",
        "axis.set_xlabel(x_name",
        "axis.set_xlabel(y_name",
    ),
    Planted(
        "speeds of wheels are shown in rpm upside down", "report/_summary.py", "value * 60 / math.tau", "value * math.tau / 60"
    ),
    Planted("millimetres are metres", "report/_summary.py", "1e3 * value", "value"),
    Planted(
        "the summary shows the push of a joint as its turn",
        "report/_summary.py",
        "disturbance.peak_omega_0[place], disturbance.peak_v_0[place]",
        "disturbance.peak_v_0[place], disturbance.peak_omega_0[place]",
    ),
    Planted(
        "wheel torques are shown in rpm", "report/_use_verdicts.py", 'worst.quantity == "speed"', 'worst.quantity == "torque"'
    ),
    Planted(
        "the motor with the largest torque stands for that nearest to its limit",
        "report/_use_verdicts.py",
        "[use.used if limited else use.peak for",
        "[use.peak for",
    ),
    Planted(
        "a CSV leaves out its last row", "report/_page.py", "[self.headings, *self.rows]", "[self.headings, *self.rows[:-1]]"
    ),
    Planted(
        "the limit of a joint goes before that of its freedom",
        "report/_joint_kinds.py",
        "{**joints, **limits}",
        "{**limits, **joints}",
    ),
    Planted("a limit is drawn only once it is broken", "report/_panels.py", "peak > limit / 5", "peak > limit"),
    Planted(
        "equations of a free base are given for a held one", "report/_equations_used.py", "    if fixed:", "    if not fixed:"
    ),
    Planted(
        "a limit is kept whatever the error of its number",
        "report/_verdict.py",
        "self.error <= self.margin + self._rounding",
        "self.error >= 0",
    ),
    Planted(
        "a limit is broken by what is within the error of its number",
        "report/_verdict.py",
        "not self.value - self.error <= self.limit",
        "not self.value + self.error <= self.limit",
    ),
    Planted("the difference of two flights counts half", "report/_verdict.py", "SAFETY * away if", "away / SAFETY if"),
    Planted(
        "an error is shown in radians beside degrees", "report/_summary.py", "_converted(error, unit, shown_in)[0]", "error"
    ),
    Planted(
        "a table of phases has their starts and ends exchanged",
        "report/_phase_account.py",
        'f"{p.start_s:.9g} s", f"{p.end_s:.9g} s"',
        'f"{p.end_s:.9g} s", f"{p.start_s:.9g} s"',
    ),
    Planted(
        "a table of phases has modes and laws exchanged",
        "report/_phase_account.py",
        "(p.name, p.mode, p.law,",
        "(p.name, p.law, p.mode,",
    ),
)
