"""The commands of `scmanip`. Each imports what it needs when it is called."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import __version__
from ..errors import InvalidInput, NumericalFailure, Problem, ScmanipError, StudyHalted

if TYPE_CHECKING:
    from ..campaign import StudyResult
    from ..live import Page
    from ._screen import Screen

DONE, CHECK_FAILED, BAD_INPUT, NUMERICAL_FAILURE, INTERRUPTED = 0, 1, 2, 3, 130

application = typer.Typer(
    name="scmanip",
    help="Guidance, navigation and control design for spacecraft with robot arms.",
    epilog="To begin: scmanip run mission:planar_four_link, or scmanip new mission FILE. "
    "Exit codes: 0 done, 1 a limit or check failed, 2 bad input, 3 numerical failure, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

study_application = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
application.add_typer(
    study_application,
    name="study",
    help="Run, resume and read studies: many cases of a mission.",
    short_help="Run and read many cases of a mission.",
)

File = Annotated[str, typer.Argument(metavar="FILE", help="A mission, system or study file, 'mission:name' or 'model:name'.")]
MissionPath = Annotated[str, typer.Argument(metavar="FILE", help="A mission file, or 'mission:name'.")]
Strict = Annotated[bool, typer.Option("--strict", help="Take warnings about the hardware for errors.")]
Output = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FOLDER", help="Where results go; none are kept without.")
]
Sensitivities = Annotated[
    list[str] | None,
    typer.Option(
        "--sensitivity",
        metavar="PATH",
        help="Show how the end changes with a number, such as body.*.mass_kg or phase.slew.controller.K_P; may be said again.",
    ),
]
ResultsPath = Annotated[str, typer.Argument(metavar="FOLDER", help="What `scmanip run` or `study run` wrote with -o.")]
Unverified = Annotated[bool, typer.Option("--no-verify", help="Leave out the check of the formulations, some seconds.")]
NoPicture = Annotated[bool, typer.Option("--no-3d", help="Leave out the picture that plays, the only script of the page.")]
Own = Annotated[
    list[str] | None,
    typer.Option(
        "--own",
        metavar="PATH=MODULE:NAME",
        help="An object of Python that the folder names, such as phase.slew.controller=mylaws:law; may be said again.",
    ),
]
RobotFile = Annotated[str, typer.Argument(metavar="FILE", help="A system file, URDF, MJCF or 'model:name'.")]
Converted = Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Where it goes: .toml, .urdf, .xml or .mjcf.")]
SideTable = Annotated[str | None, typer.Option("--side", metavar="FILE", help="A side table with what the file does not say.")]
MeshRoots = Annotated[list[str] | None, typer.Option("--root", metavar="FOLDER", help="Where meshes are; may be said again.")]
SystemFile = Annotated[str, typer.Argument(metavar="FILE", help="A system file or 'model:name'.")]


StudyPath = Annotated[str, typer.Argument(metavar="FILE", help="A study file, or 'mission:name' of one.")]
StudyFolder = Annotated[str, typer.Argument(metavar="FOLDER", help="The folder that `scmanip study run` wrote.")]
StudyOutput = Annotated[str, typer.Option("--output", "-o", metavar="FOLDER", help="Where cases go; a study there goes on.")]
Workers = Annotated[str, typer.Option("--workers", help="How many processes, or auto.")]
Where = Annotated[str, typer.Option("--executor", help="local, serial, or dask://host:port.")]
Count = Annotated[int | None, typer.Option("--cases", min=1, help="Only so many, the first ones.")]
Host = Annotated[str, typer.Option("--host", help="Where the page is bound; other machines reach it only with --expose.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Its port; a free one if 0.")]
Expose = Annotated[bool, typer.Option("--expose", help="Let other machines reach the page, unencrypted.")]
Browser = Annotated[bool, typer.Option(help="Open the page in a browser.")]
Record = Annotated[
    str | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help="Where what is done goes at the end: .json, which `scmanip show` flies again, or .nc, the series of it.",
    ),
]
Number = Annotated[int, typer.Option("--case", min=0, help="Its number.")]
Shown3D = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A system, mission or study file, 'mission:name', 'model:name', a recording of `scmanip live`, or what `run` or "
        "`study run` wrote with -o.",
    ),
]
Shot = Annotated[
    str | None, typer.Option("--shot", metavar="FILE", help="Write a picture, of the end of a run: .png, .svg, .pdf.")
]
Html = Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write the page; it opens without network.")]
ModeShown = Annotated[str | None, typer.Option("--mode", help="Which mode of a mission in several; the first without.")]
CaseShown = Annotated[int | None, typer.Option("--case", min=0, help="Number of the case of a study; the nominal one without.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Of the random states.")]


class KindOfFile(StrEnum):
    """What a file describes."""

    system = "system"
    mission = "mission"
    study = "study"


class DerivedForm(StrEnum):
    """How `scmanip derive` shows a program."""

    counts = "counts"
    sympy = "sympy"
    latex = "latex"
    formulas = "formulas"


class CodeLanguage(StrEnum):
    """What `scmanip export` writes."""

    c = "c"
    matlab = "matlab"
    python = "python"
    rust = "rust"


class Axes(StrEnum):
    """In which components exported code is."""

    base = "base"
    inertial = "inertial"


class Method(StrEnum):
    """By whose method equations are shown."""

    wilde = "wilde"
    kane_tree = "kane-tree"
    recursive_kane = "recursive-kane"


class Kinematics(StrEnum):
    """How rotations are carried along the chain."""

    dcm = "dcm"
    quaternion = "quaternion"


FileKind = Annotated[KindOfFile, typer.Argument(help="What the file describes.", metavar="KIND")]
NewFile = Annotated[str, typer.Argument(metavar="FILE", help="Where it goes; a file that is there is never replaced.")]
OfFile = Annotated[
    str | None,
    typer.Option("--of", metavar="NAME", help="The system of a mission, a file or 'model:name'; the mission of a study."),
]
SchemaFile = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Where it goes; else it is printed.")]
ModelName = Annotated[str | None, typer.Option("--show", metavar="NAME", help="Print the file of that one, with its sources.")]
Quantities = Annotated[
    list[str] | None,
    typer.Option(
        "--quantity",
        "-q",
        metavar="NAME",
        help="Such as H, J_star:tip or inverse_dynamics.tau; may be given several times. Without it all are counted.",
    ),
]
Exported = Annotated[
    list[str] | None,
    typer.Option("--quantity", "-q", metavar="NAME", help="Such as H or J_star:tip; several make one function."),
]
ExportedFile = Annotated[str, typer.Argument(metavar="FILE", help="A system or 'model:name'; for --law and --fmu a mission.")]
LawAsked = Annotated[bool, typer.Option("--law", help="The law of a phase with what it remembers; of a sampled one, a sample.")]
UnitAsked = Annotated[bool, typer.Option("--fmu", help="A phase, plant and law, as a co-simulation unit; -o names it, X.fmu.")]
PhaseName = Annotated[str | None, typer.Option("--phase", help="Which phase of the mission; not needed where there is one.")]
StepLength = Annotated[float | None, typer.Option("--step", metavar="SECONDS", help="Longest step of the unit's integrator.")]
Version23 = Annotated[int, typer.Option("--fmi", help="Version of the interface, 2 or 3.")]
Commanded = Annotated[bool, typer.Option("--commanded", help="Commands of the unit are inputs, in place of the phase's law.")]
Languages = Annotated[CodeLanguage, typer.Option("--language", "-l", help="What the code is written in.")]
CodeFolder = Annotated[
    str,
    typer.Option("--output", "-o", metavar="PATH", help="Where the files go; those there of the same names are replaced."),
]
FunctionName = Annotated[
    str | None, typer.Option("--name", help="Of the function; that of the system and the quantities without.")
]
Symbols = Annotated[
    list[str] | None,
    typer.Option(
        "--symbols",
        metavar="PATH",
        help="Numbers that stay arguments, such as body.link2.mass_kg or joint.*.origin_m; may be given several times.",
    ),
]
Components = Annotated[
    Axes | None,
    typer.Option(
        "--axes", help="Base axes with the base not turned, or inertial ones, for the whole state x.", show_default="base"
    ),
]
Shown = Annotated[DerivedForm, typer.Option("--format", "-f", help="Operation counts, or the program in SymPy or LaTeX.")]
OpenNumbers = Annotated[
    list[str] | None,
    typer.Option(
        "--symbols",
        metavar="PATH",
        help="Numbers that stay open, such as body.*.mass_kg or joint.elbow.origin_m; may be given several times.",
    ),
]
Methods = Annotated[
    Method,
    typer.Option(
        "--method",
        help="Whose equations: Wilde's quantities, or the stages of Stoneking's tree or Angeles' recursion in their letters.",
    ),
]
Rotations = Annotated[
    Kinematics | None, typer.Option("--kinematics", help="How rotations are carried along the chain.", show_default="dcm")
]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"scmanip {__version__}")
        raise typer.Exit(DONE)


Picture = Annotated[str | None, typer.Option("--picture", metavar="PATH", help="Write a picture of the system, arm.png or so.")]
Version = Annotated[bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)]


@application.callback()
def main(version: Version = False) -> None:
    """Guidance, navigation and control design for spacecraft with robot arms."""


@application.command(short_help="Say what a file holds, or what is wrong with it.")
def check(file: File, strict: Strict = False, picture: Picture = None) -> None:
    """List the problems of a mission, system or study file, or show what it says and what its hardware can do."""
    with _reporting() as screen:
        from ._check import check_file

        check_file(screen, file, strict=strict, picture=picture)


@application.command(short_help="Fly a mission, judge it, keep the results.")
def run(file: MissionPath, output: Output = None, strict: Strict = False, sensitivity: Sensitivities = None) -> None:
    """Run a mission, judge it by its limits and write a results folder."""
    with _reporting() as screen:
        from ._fly import fly, store

        flown = fly(screen, file, output, strict=strict, sensitivities=sensitivity or ())
    if output is not None:
        asked = [word for path in sensitivity or () for word in ("--sensitivity", path)]
        command = ["scmanip", "run", file, "-o", output, *(["--strict"] if strict else []), *asked]
        with _reporting("nothing was written") as screen:
            store(screen, flown.outcome, output, command=shlex.join(command), pictures=flown.pictures)
    if not flown.outcome.computed:
        raise typer.Exit(NUMERICAL_FAILURE)
    raise typer.Exit(DONE if flown.outcome.passed else CHECK_FAILED)


@application.command(short_help="Pull at a system or mission in real time, on a page.")
def live(
    file: File,
    host: Host = "127.0.0.1",
    port: Port = 0,
    expose: Expose = False,
    browser: Browser = True,
    strict: Strict = False,
    record: Record = None,
) -> None:
    """Show a system or mission as it goes on in real time, on a page where one can pull at it."""
    with _reporting() as screen:
        import webbrowser

        from ._live import live

        def opened(page: Page) -> None:
            if browser:
                webbrowser.open(page.address)

        live(screen, file, host=host, port=port, exposed=expose, strict=strict, opened=opened, record=record)


@application.command(short_help="Write a page for review of a run or study.")
def report(folder: ResultsPath, unverified: Unverified = False, no_3d: NoPicture = False, own: Own = None) -> None:
    """Write report.html, one file for a review, and its tables as CSV into the folder of a run or a study."""
    with _reporting("nothing was written") as screen:
        from pathlib import Path

        from ..study import RECORD
        from ._run_report import report_folder
        from ._study_report import report_study

        write = report_study if (Path(folder) / RECORD).is_file() else report_folder
        page = write(screen, folder, verified=not unverified, plays=not no_3d, own=_objects(own))
    raise typer.Exit(DONE if page.passed else CHECK_FAILED)


@application.command(short_help="Write a system as TOML, URDF or MJCF.")
def convert(file: RobotFile, output: Converted, side: SideTable = None, root: MeshRoots = None, strict: Strict = False) -> None:
    """Write a system or robot as a system file (.toml), URDF (.urdf) or MJCF (.xml); what that cannot say beside it."""
    with _reporting("nothing was written") as screen:
        from ._new import convert_file

        convert_file(screen, file, output, side=side, roots=root or (), strict=strict)


@application.command(short_help="Show a system or run in 3D, or draw its picture.")
def show(
    file: Shown3D, shot: Shot = None, html: Html = None, mode: ModeShown = None, case: CaseShown = None, own: Own = None
) -> None:
    """Show a system or the playback of a run in a browser, or write its picture (--shot) or its page (--html)."""
    with _reporting("nothing was shown") as screen:
        from ._show import show_file

        show_file(screen, file, shot=shot, html=html, mode=mode, case=case, own=_objects(own))


@application.command(short_help="List the packaged systems.")
def models(show: ModelName = None) -> None:
    """List the packaged systems, or print the file of one."""
    with _reporting("nothing was shown") as screen:
        from ._library import list_models, show_model

        list_models(screen) if show is None else show_model(screen, show)


@application.command(short_help="List the packaged missions and studies.")
def missions(show: ModelName = None) -> None:
    """List the packaged missions and studies, which commands take as `mission:name`, or print the file of one."""
    with _reporting("nothing was shown") as screen:
        from ._library import list_missions, show_mission

        list_missions(screen) if show is None else show_mission(screen, show)


@application.command(short_help="Begin a file: a system, mission or study.")
def new(kind: FileKind, file: NewFile, of: OfFile = None) -> None:
    """Write a commented system, mission or study file to start from, and its schema beside it."""
    with _reporting("nothing was written") as screen:
        from ._new import begin_file

        begin_file(screen, kind.value, file, of)


@application.command(short_help="Print the JSON schema by which editors check.")
def schema(kind: FileKind, output: SchemaFile = None) -> None:
    """Print the JSON schema of a kind of file, by which editors complete and check it."""
    with _reporting("nothing was written") as screen:
        from ._new import show_schema

        show_schema(screen, kind.value, output)


@application.command(short_help="Count or show the equations of a system.")
def derive(
    file: SystemFile,
    quantity: Quantities = None,
    format: Shown = DerivedForm.counts,
    kinematics: Rotations = None,
    method: Methods = Method.wilde,
    symbols: OpenNumbers = None,
) -> None:
    """Count the operations of a system's equations, or show them as a list of Z's and an array, or in a paper's letters."""
    with _reporting("nothing was derived") as screen:
        from ..spatial import DCM, Quaternion
        from ._derive import show_counts, show_formulas, show_latex, show_sympy
        from ._methods import show_method

        if method is not Method.wilde:
            beside = {"--kinematics": kinematics, "--symbols": symbols}
            show_method(screen, file, method.value, quantity or (), format.value, beside=beside)
            return
        ways = {"counts": show_counts, "sympy": show_sympy, "latex": show_latex, "formulas": show_formulas}
        show = ways[format.value]
        rotations = Quaternion() if kinematics is Kinematics.quaternion else DCM()
        show(screen, file, quantity or (), rotations, symbols or ())


@application.command(short_help="Write equations or laws as code, phases as FMUs.")
def export(
    context: typer.Context,
    file: ExportedFile,
    output: CodeFolder,
    quantity: Exported = None,
    language: Languages = CodeLanguage.c,
    name: FunctionName = None,
    axes: Components = None,
    symbols: Symbols = None,
    kinematics: Rotations = None,
    method: Methods = Method.wilde,
    law: LawAsked = False,
    fmu: UnitAsked = False,
    phase: PhaseName = None,
    step: StepLength = None,
    fmi: Version23 = 3,
    commanded: Commanded = False,
) -> None:
    """Write a system's equations, or a mission's law, as one function of C99, MATLAB and Octave, Python with NumPy alone, or
    Rust; or a phase as a co-simulation unit (FMI).
    """
    with _reporting("nothing was written") as screen:
        from ..spatial import DCM, Quaternion
        from ._export import EquationsOf, export_quantities
        from ._leaving import export_law, export_unit, kind_of
        from ._methods import export_method

        kind = kind_of([word for word in context.params if _is_said(context, word)])
        if kind == "fmu":
            return export_unit(screen, file, output, phase=phase, step_s=step, version=fmi, commanded=commanded)
        if kind == "law":
            given = tuple(symbols or ())
            return export_law(screen, file, output, phase=phase, language=language, name=name, symbols=given)
        if method is not Method.wilde:
            beside = {"--axes": axes, "--symbols": symbols, "--kinematics": kinematics}
            names = quantity or ()
            return export_method(screen, file, method.value, names, language, output, name=name, beside=beside)
        form, inertial = Quaternion() if kinematics is Kinematics.quaternion else DCM(), axes is Axes.inertial
        equations = EquationsOf(file, tuple(symbols or ()), form)
        export_quantities(screen, equations, quantity or (), language, output, name=name, inertial=inertial)
    return None


@application.command(short_help="Compare every formulation of a system.")
def verify(file: SystemFile, seed: Seed = 0) -> None:
    """Compare every formulation of a system's equations, check its laws and count operations."""
    with _reporting("nothing was verified") as screen:
        from ._verify import verify

        passed = verify(screen, file, seed)
    raise typer.Exit(DONE if passed else CHECK_FAILED)


@study_application.command("run", short_help="Run a study, or go on with it.")
def study_run(
    file: StudyPath, output: StudyOutput, workers: Workers = "auto", executor: Where = "local", cases: Count = None
) -> None:
    """Run a study into a folder, or go on with it there; Ctrl-C stops it so that it can go on."""
    with _reporting("nothing was run") as screen:
        from ._study_commands import begin

        result = begin(screen, file, output, executor=executor, workers=_workers(workers), cases=cases)
    _end_study(result)


@study_application.command("resume", short_help="Go on with the study in a folder.")
def study_resume(folder: StudyFolder, workers: Workers = "auto", executor: Where = "local", own: Own = None) -> None:
    """Go on with the study in a folder."""
    with _reporting("nothing was run") as screen:
        from ._study_commands import resume

        result = resume(screen, folder, executor=executor, workers=_workers(workers), own=_objects(own))
    _end_study(result)


@study_application.command("status", short_help="Show how far a study is.")
def show_study_status(folder: StudyFolder) -> None:
    """Show how far the study in a folder is, also while it runs."""
    with _reporting("nothing was read") as screen:
        from ._study_commands import show_status

        status = show_status(screen, folder)
    raise typer.Exit(CHECK_FAILED if status.damage else DONE)


@study_application.command("report", short_help="Show what a study says, and write its page.")
def study_report(folder: StudyFolder, unverified: Unverified = False, no_3d: NoPicture = False, own: Own = None) -> None:
    """Show what the study in a folder says, and write its report.html and tables."""
    with _reporting("nothing was written") as screen:
        from ._study_report import report_study

        page = report_study(screen, folder, verified=not unverified, plays=not no_3d, shown=True, own=_objects(own))
    raise typer.Exit(DONE if page.passed else CHECK_FAILED)


@application.command(short_help="Run a case of a study again.")
def replay(folder: StudyFolder, case: Number, output: Output = None, own: Own = None) -> None:
    """Run a case of a study again, by itself, beside its row."""
    with _reporting("nothing was run") as screen:
        from ._study_commands import replayed

        again = replayed(screen, folder, case, own=_objects(own))
    if output is not None:
        command = ["scmanip", "replay", folder, "--case", str(case), "-o", output]
        with _reporting("nothing was written") as screen:
            from ._fly import store

            store(screen, again.run, output, command=shlex.join(command))
    if not again.run.completed:
        raise typer.Exit(NUMERICAL_FAILURE)
    raise typer.Exit(DONE)


def _objects(own: list[str] | None) -> dict[str, Any]:
    """Return objects of Python by path; raises `InvalidInput`."""
    from ..plugins import objects_named

    return objects_named(own or ())


def _workers(given: str) -> int | None:
    """Return how many workers, None for as many as there are processors; raises `InvalidInput`."""
    if given == "auto":
        return None
    if given.isdecimal() and int(given) > 0:
        return int(given)
    raise InvalidInput(Problem("--workers", "auto, or a whole number of 1 or more", repr(given)))


def _end_study(result: StudyResult) -> None:
    """Show the results, and leave with what they say."""
    with _reporting("nothing was read") as screen:
        from ._study_commands import show_result

        if result.outcome is not None and result.outcome.cases:
            show_result(screen, result)
    if result.outcome is not None and not result.outcome.cases:
        raise typer.Exit(NUMERICAL_FAILURE)
    raise typer.Exit(DONE if result.passed else CHECK_FAILED)


def _is_said(context: typer.Context, name: str) -> bool:
    """Whether the command line has an option."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


@contextmanager
def _reporting(consequence: str = "nothing was run") -> Iterator[Screen]:
    """Turn what scmanip raises into sentences and exit codes; anything else is a defect and keeps its traceback.

    consequence : what bad input means for the user
    """
    from ._screen import Screen

    screen = Screen()
    try:
        with screen.telling():
            yield screen
    except InvalidInput as error:
        screen.problems(error.shown)
        for line in error.not_shown:
            screen.note(line)
        count = len(error.problems)
        screen.note(f"{count} problem{'s' if count > 1 else ''}, {consequence}")
        raise typer.Exit(BAD_INPUT) from None
    except (NumericalFailure, StudyHalted) as error:
        screen.note(str(error), "red")
        raise typer.Exit(NUMERICAL_FAILURE) from None
    except ScmanipError as error:
        screen.note(str(error), "red")
        raise typer.Exit(BAD_INPUT) from None
    except KeyboardInterrupt as interrupt:
        screen.note(str(interrupt) or "interrupted, nothing was written")
        raise typer.Exit(INTERRUPTED) from None
