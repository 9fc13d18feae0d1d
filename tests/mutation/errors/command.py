"""Errors in what the command line shows and how it exits."""

from ..planted import Planted

EXITS = ("command/test_command_line.py", "command/test_verify.py", "command/test_study_tables.py")
TABLES = ("command/test_study_tables.py",)
LINES = ("command/test_command_line.py",)
FORMULAS = ("command/test_verify.py",)
COUNTS = ("command/test_derive.py",)

ERRORS = (
    Planted(
        "a broken limit exits with 2",
        "command/_application.py",
        "DONE, CHECK_FAILED, BAD_INPUT, NUMERICAL_FAILURE, INTERRUPTED = 0, 1, 2, 3, 130",
        "DONE, CHECK_FAILED, BAD_INPUT, NUMERICAL_FAILURE, INTERRUPTED = 0, 2, 1, 3, 130",
        tests=EXITS,
    ),
    Planted(
        "a run beyond its limits exits with 0",
        "command/_application.py",
        "raise typer.Exit(DONE if flown.outcome.passed else CHECK_FAILED)",
        "raise typer.Exit(DONE)",
        tests=EXITS,
    ),
    Planted(
        "a verification that fails exits with 0",
        "command/_application.py",
        "raise typer.Exit(DONE if passed else CHECK_FAILED)",
        "raise typer.Exit(DONE)",
        tests=EXITS,
    ),
    Planted(
        "a study beyond its limits exits with 0",
        "command/_application.py",
        "raise typer.Exit(DONE if result.passed else CHECK_FAILED)",
        "raise typer.Exit(DONE)",
        tests=EXITS,
    ),
    Planted(
        "a replay that did not complete exits with 0",
        "command/_application.py",
        "if not again.run.completed:",
        "if again.run is None:",
        tests=(
            "command/test_study_tables.py::test_a_study_within_its_limits_exits_with_0_and_a_replay_that_cannot_end_with_3",
        ),
    ),
    Planted(
        "a numerical failure exits as bad input",
        "command/_application.py",
        "    if not flown.outcome.computed:\n        raise typer.Exit(NUMERICAL_FAILURE)",
        "    if not flown.outcome.computed:\n        raise typer.Exit(BAD_INPUT)",
        tests=EXITS,
    ),
    Planted(
        "a replay shows the row of the first case",
        "command/_study_commands.py",
        "if number == case]",
        "if number >= 0]",
        tests=TABLES,
    ),
    Planted(
        "hours of what is left are minutes",
        "command/_study_commands.py",
        "divmod(minutes, 60)",
        "divmod(minutes, 6000)",
        tests=TABLES,
    ),
    Planted(
        "masses of systems are those of their bases",
        "command/_library.py",
        'joints, f"{system.mass_kg:g} kg"',
        'joints, f"{system.base.mass_kg:g} kg"',
        tests=LINES,
    ),
    Planted(
        "a check of formulations allows what it finds",
        "command/_disagreements.py",
        "return self.error <= self.allowed",
        "return self.error <= max(self.allowed, self.error)",
        tests=FORMULAS,
    ),
    Planted(
        "errors of formulations are absolute",
        "command/_disagreements.py",
        "np.divide(error, scale,",
        "np.divide(error, np.ones_like(scale),",
        tests=FORMULAS,
    ),
    Planted(
        "the law of energy leaves out half of what turns",
        "command/_laws.py",
        "u * (_inertia_rate(model, state) @ u) / 2,",
        "u * (_inertia_rate(model, state) @ u),",
        tests=FORMULAS,
    ),
    Planted(
        "the law of momentum leaves out the base's motion",
        "command/_laws.py",
        "cross(state.v_0, P) + cross(state.omega_0, h_w)",
        "cross(state.omega_0, h_w)",
        tests=FORMULAS,
    ),
    Planted(
        "a skew matrix is checked with half of it",
        "command/_laws.py",
        "Hdot - 2 * model.coriolis_matrix(state)",
        "Hdot - model.coriolis_matrix(state)",
        tests=FORMULAS,
    ),
    Planted(
        "a law fares best where it fares worst",
        "command/_verify.py",
        "worst = int(np.argmax(errors / allowed))",
        "worst = int(np.argmin(errors / allowed))",
        tests=FORMULAS,
    ),
    Planted(
        "the outermost frame is the innermost",
        "command/_outermost.py",
        "return max(zip(moving",
        "return min(zip(moving",
        tests=FORMULAS,
    ),
    Planted(
        "counts of divisions and functions are exchanged",
        "command/_derive.py",
        "o.divisions, o.functions,",
        "o.functions, o.divisions,",
        tests=COUNTS,
    ),
    Planted(
        "a caret stands a column late",
        "command/_screen.py",
        "(problem.column - 1 - start)",
        "(problem.column - start)",
        tests=LINES,
    ),
)
