"""Tests of a copied tree in a forked process, which has all but scmanip imported already."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import pytest

HEAVY = (
    "numpy", "numpy.testing", "scipy.integrate", "scipy.optimize", "scipy.stats", "scipy.linalg", "scipy.spatial.transform",
    "h5py", "h5netcdf", "sympy", "pydantic", "llvmlite.binding", "typer", "rich.table", "matplotlib.figure", "control",
    "distributed", "pinocchio", "mujoco",
)  # fmt: skip
BROKEN = 70  # this machinery failed, not the tests
NOTHING_RAN = (BROKEN, pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR)


def load_what_tests_need() -> None:
    """Import everything heavy that is not ours; what is not installed, the tests do without. NumPy gets one thread."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    for name in HEAVY:
        with suppress(ImportError):
            import_module(name)


@dataclass(eq=False)  # pytest wants to hash it
class Watcher:
    """A plugin of pytest that remembers the first failure and the time of each file."""

    failed: str = ""
    said: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    def pytest_collectreport(self, report: Any) -> None:
        """See a file that cannot be imported."""
        self._see(report)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """See a part of a test."""
        file = report.nodeid.split("::")[0]
        self.seconds[file] = self.seconds.get(file, 0.0) + report.duration
        self._see(report)

    def _see(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid
            crash = getattr(report.longrepr, "reprcrash", None)
            self.said = (crash.message if crash else str(report.longrepr)).strip().split("\n")[0][:200]


@dataclass(frozen=True)
class TestsRun:
    """How a run of tests went.

    code : of pytest; negative: the signal that ended the process
    seconds : the whole run
    failed, said : the first test that failed, and its first line
    files : seconds of every file
    late : the process was ended because it took too long
    """

    __test__ = False
    code: int
    seconds: float
    failed: str = ""
    said: str = ""
    files: dict[str, float] = field(default_factory=dict)
    late: bool = False

    @property
    def green(self) -> bool:
        """Whether every test passed."""
        return self.code == pytest.ExitCode.OK

    @property
    def nothing_ran(self) -> bool:
        """Whether pytest found no tests, or could not begin."""
        return not self.late and self.code in NOTHING_RAN


@dataclass
class ForkedTests:
    """Tests that run in a process of their own."""

    pid: int
    log: Path
    began: float
    at_most_s: float
    over: bool = False

    @classmethod
    def of(cls, root: Path, arguments: Sequence[str], *, cache: Path, at_most_s: float, compiles: bool = False) -> ForkedTests:
        """Begin: tests of the tree at `root`, objects into the folder `cache`; `compiles`: modules into the tree."""
        log = root.with_suffix(".log")
        log.with_suffix(".json").unlink(missing_ok=True)
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            _child(root, arguments, log, {"SCMANIP_CACHE": str(cache)} | ({} if compiles else {"PYTHONDONTWRITEBYTECODE": "1"}))
        return cls(pid, log, time.monotonic(), at_most_s)

    def ended(self) -> TestsRun | None:
        """Return how it went, or None while it goes on. What takes too long is ended, with its children."""
        seconds = time.monotonic() - self.began
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0 and seconds < self.at_most_s:
            return None
        self._kill()
        if pid == 0:
            os.waitpid(self.pid, 0)
        self.over = True
        return TestsRun(os.waitstatus_to_exitcode(status), seconds, **self._told()) if pid else TestsRun(-9, seconds, late=True)

    def end(self) -> None:
        """End what still runs."""
        if not self.over:
            self._kill()
            os.waitpid(self.pid, 0)

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def _told(self) -> dict[str, Any]:
        try:
            told: dict[str, Any] = json.loads(self.log.with_suffix(".json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return told


def _child(root: Path, arguments: Sequence[str], log: Path, environment: Mapping[str, str]) -> NoReturn:
    code = BROKEN
    try:
        os.setpgid(0, 0)
        _print_into(log)
        _move_to(root, environment)
        watcher = Watcher()
        code = int(pytest.main(["-x", "-q", "--tb=short", "-p", "no:cacheprovider", *arguments], plugins=[watcher]))
        told = {"failed": watcher.failed, "said": watcher.said, "files": watcher.seconds}
        log.with_suffix(".json").write_text(json.dumps(told), encoding="utf-8")
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _print_into(log: Path) -> None:
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(handle, 1)
    os.dup2(handle, 2)


def _move_to(root: Path, environment: Mapping[str, str]) -> None:
    """Make this process one that was started in the copied tree: `tests` and `scmanip` are the copy's, here and in children."""
    os.chdir(root)
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "scmanip")]:
        del sys.modules[name]
    sys.path[:] = [str(root), *(p for p in sys.path if p and not (Path(p) / "scmanip" / "__init__.py").is_file())]
    sys.dont_write_bytecode = "PYTHONDONTWRITEBYTECODE" in environment
    os.environ |= {"PYTHONPATH": str(root), **environment}
