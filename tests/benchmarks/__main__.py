"""The command: `python -m tests.benchmarks [--quick] [--missions] [--only SECTION ...]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

from scmanip.dynamics import Model, compile_model

from .accuracy import accuracy
from .agreement import DisagreementError, agreement
from .arms import bench_6r
from .batches import batches
from .capture import grasping
from .compile_times import compile_times
from .derivatives import derivatives
from .exported import exported
from .growth import growth, inverse_growth
from .integration import integration
from .live import live
from .long_arms import long_arms
from .machine import facts, load
from .mission_times import mission_times
from .operation_counts import operation_counts
from .pages import pages
from .report import Section, table
from .scalar_limit import scalar_limit
from .single_calls import single_calls
from .stopwatch import QUICK, THOROUGH, Pace
from .studies import studies

Maker = Callable[[Model, Pace], tuple[Section, ...]]
SECTIONS: dict[str, Maker] = {
    "counts": lambda model, pace: (operation_counts(),),
    "accuracy": lambda model, pace: (accuracy(model, pace),),
    "calls": single_calls,
    "derivatives": lambda model, pace: (derivatives(model, pace),),
    "limit": lambda model, pace: (scalar_limit(model, pace),),
    "exported": lambda model, pace: (exported(model, pace),),
    "batches": lambda model, pace: (batches(model, pace),),
    "growth": lambda model, pace: (growth(pace),),
    "inverse": lambda model, pace: (inverse_growth(pace),),
    "long": lambda model, pace: (long_arms(pace),),
    "integration": integration,
    "capture": lambda model, pace: grasping(pace),
    "live": lambda model, pace: (live(pace),),
    "compile": lambda model, pace: (compile_times(pace),),
    "pages": lambda model, pace: (pages(),),
    "missions": lambda model, pace: (mission_times(),),
    "studies": lambda model, pace: studies(pace),
}
SLOW = ("live", "missions", "studies")


def main() -> int:
    """Print the report as it grows; return 0, or 1 when the codes disagree. A missed target is reported, no failure."""
    options = _options()
    names = options.only or [name for name in SECTIONS if name not in SLOW or options.missions]
    sections: list[Section] = []
    try:
        for section in _sections(names, QUICK if options.quick else THOROUGH):
            sections.append(section)
            _say(section.text)
    except DisagreementError as error:
        _say(f"DISAGREEMENT: {error}")
        return 1
    verdicts = [verdict for section in sections for verdict in section.verdicts]
    if verdicts:
        _say(Section("All targets", table(("", "measured", "target", ""), [v.row for v in verdicts])).text)
    return 0


def _sections(names: list[str], pace: Pace) -> Iterator[Section]:
    yield Section("Machine", facts())
    model = compile_model(bench_6r())
    yield agreement(model)
    for name in names:
        yield from SECTIONS[name](model, pace)
    yield Section("Afterwards", [load()])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    parser.add_argument("--missions", action="store_true", help="also fly the missions, one by one and in studies")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, metavar="SECTION", help=f"of {', '.join(SECTIONS)}")
    return parser.parse_args()


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
