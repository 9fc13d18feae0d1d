"""The command: `python -m tests.mutation [--room ROOM] [--only TEXT] [--list] [-j 2] [--json FILE]`."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

from .copied_tree import CopiedTree
from .forked_tests import TestsRun, load_what_tests_need
from .listing import planted_errors, problems, unreadable
from .memory import FOLDER, Digests, Memory
from .planted import Planted
from .side_by_side import side_by_side
from .summary import ENOUGH, line, record, share_caught, summary
from .trial import FAST, Outcome, files_of, run_of, trial


def main() -> int:
    """Say what became of each error; return 0, 1 when too few are caught, or 2 when the list or the tests are not in order."""
    options = _options()
    chosen = [e for e in planted_errors() if options.only in e.name and (not options.room or e.room in options.room)]
    if options.list:
        _say("\n".join(f"{e.room}: {e.name}" + (f" [survives: {e.survives}]" if e.survives else "") for e in chosen))
        return 0
    given = tuple(chosen)
    if said := problems(given) or unreadable(given) or ([] if chosen else ["no error is chosen"]):
        _say("\n".join(said))
        return 2
    with tempfile.TemporaryDirectory(prefix="scmanip-mutation-") as folder:
        outcomes = list(_outcomes(chosen, Path(folder), options.j))
    if options.json:
        options.json.write_text(json.dumps([record(outcome) for outcome in outcomes], indent=1), encoding="utf-8")
    _say(summary(outcomes))
    if len(outcomes) < len(chosen) or any(outcome.not_tried for outcome in outcomes):
        return 2
    return 0 if share_caught(outcomes) >= ENOUGH else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Plant errors in a copy of the sources.")
    parser.add_argument("--room", action="append", help="only errors of this room; may be given again")
    parser.add_argument("--only", default="", metavar="TEXT", help="only errors whose name contains this text")
    parser.add_argument("--list", action="store_true", help="print the errors and plant none")
    parser.add_argument("-j", type=int, default=1, metavar="N", help="how many at a time, each in its own copy")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what became of every error")
    return parser.parse_args()


def _outcomes(errors: list[Planted], folder: Path, at_once: int) -> Iterator[Outcome]:
    """Give what became of each error; of none, where the tests fail without any."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing is left behind
    load_what_tests_need()
    FOLDER.mkdir(mode=0o700, exist_ok=True)
    first, memory = CopiedTree.into(folder / "1"), Memory.read()
    files = {file for error in errors for file in files_of(error.selection, first.root)}
    single = {test for error in errors for test in error.selection if "::" in test}
    list(side_by_side(_compiled, [sorted(files | {test.split("::")[0] for test in single})], [first]))
    trees = [first, *(first.copied_to(folder / str(number)) for number in range(2, at_once + 1))]
    if not _is_green(sorted(files | single), trees, memory):
        return
    for outcome in side_by_side(lambda error, tree: trial(error, tree, memory), errors, trees):
        if outcome.caught:
            memory.catchers[outcome.error.name] = outcome.test
            memory.keep()
        _say(line(outcome))
        yield outcome


def _compiled(files: list[str], tree: CopiedTree) -> Generator[None, None, TestsRun]:
    """Leave compiled modules of sources and tests in a tree, by collecting the tests."""
    return run_of(tree, ["--collect-only", *files], 600.0, compiles=True)


def _is_green(tests: list[str], trees: list[CopiedTree], memory: Memory) -> bool:
    """Whether all tests pass as long as nothing is planted. What passed before on the same files is not run again."""
    digests, green = Digests(trees[0]), True
    unknown = [test for test in tests if memory.green.get(test) != digests.of(test)]
    _say(f"without errors: {len(unknown)} of {len(tests)} test files to run")
    for test, run in side_by_side(_unchanged, unknown, trees):
        if run.green or (run.nothing_ran and "::" not in test):  # a file may have slow tests only
            memory.seconds[test], memory.green[test] = run.seconds, digests.of(test)
            memory.keep()
        else:
            green = False
            _say(f"fails without any error: {run.failed or test}: {run.said or run.code}")
    return green


def _unchanged(test: str, tree: CopiedTree) -> Generator[None, None, tuple[str, TestsRun]]:
    run = yield from run_of(tree, [*(() if "::" in test else FAST), test], 900.0)
    return test, run


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
