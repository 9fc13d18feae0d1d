"""One error, planted and looked for."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from .copied_tree import CopiedTree
from .forked_tests import ForkedTests, TestsRun
from .memory import FOLDER, Memory
from .planted import Planted

FAST = ("-m", "not slow")
GRACE_S = 60.0  # what an error may add before its tests count as hanging, beside six times what they take without it


class Found(Enum):
    """What the tests said of an error."""

    CAUGHT = "caught"
    LATE = "caught: the tests took too long"
    SURVIVED = "survived"
    NOT_TRIED = "no test ran"


@dataclass(frozen=True)
class Outcome:
    """What became of one error: by which test, in how many seconds."""

    error: Planted
    found: Found
    test: str = ""
    said: str = ""
    seconds: float = 0.0

    @property
    def caught(self) -> bool:
        """Whether the tests saw it."""
        return self.found in (Found.CAUGHT, Found.LATE)

    @property
    def not_tried(self) -> bool:
        """Whether no test ran."""
        return self.found is Found.NOT_TRIED


Waiting = Generator[None, None, TestsRun]


def run_of(tree: CopiedTree, arguments: Sequence[str], at_most_s: float, *, compiles: bool = False) -> Waiting:
    """Run tests; give way while they run."""
    tests = ForkedTests.of(tree.root, arguments, cache=FOLDER / "objects", at_most_s=at_most_s, compiles=compiles)
    try:
        while (run := tests.ended()) is None:
            yield
        return run
    finally:
        tests.end()


def trial(error: Planted, tree: CopiedTree, memory: Memory) -> Generator[None, None, Outcome]:
    """Plant an error in a tree and look for it, the test first that caught it last time."""
    seconds, ran = 0.0, False
    with tree.with_error(error):
        for arguments, at_most_s in _stages(error, tree, memory):
            run = yield from run_of(tree, arguments, at_most_s)
            seconds += run.seconds
            ran = ran or not run.nothing_ran
            if not run.green and not run.nothing_ran:
                found = Found.LATE if run.late else Found.CAUGHT
                return Outcome(error, found, run.failed or "(the process ended)", run.said, seconds)
    return Outcome(error, Found.SURVIVED if ran else Found.NOT_TRIED, seconds=seconds)


def files_of(selection: Sequence[str], root: Path) -> list[str]:
    """Return the test files that a selection means, without those of single tests."""
    files: list[str] = []
    for chosen in selection:
        path = root / chosen
        if path.is_dir():
            files += sorted(str(file.relative_to(root)) for file in path.rglob("test_*.py"))
        elif "::" not in chosen:
            files.append(chosen)
    return files


def _stages(error: Planted, tree: CopiedTree, memory: Memory) -> Iterator[tuple[list[str], float]]:
    """Give what to run after each other, and for how long at most."""
    single = [test for test in error.selection if "::" in test]
    files = memory.sorted(files_of(error.selection, tree.root))
    last = memory.catchers.get(error.name, "")
    if last in single or last.split("::")[0] in files:
        yield [last], _at_most([last], memory)
    if single:
        yield single, _at_most(single, memory)
    if files:
        yield [*FAST, *files], _at_most(files, memory)


def _at_most(tests: Sequence[str], memory: Memory) -> float:
    return GRACE_S + 6 * sum(memory.seconds.get(test.split("::")[0], memory.seconds.get(test, 20.0)) for test in tests)
