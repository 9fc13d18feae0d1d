"""Deriving and compiling, from nothing and from the cache of object code, each in fresh processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from statistics import median
from time import perf_counter

from scmanip.compiled import compile_program
from scmanip.dynamics import derive

from .arms import arm_of
from .report import Section, at_most, duration, table
from .stopwatch import Pace

CACHE = "SCMANIP_CACHE"
NAMES = ("forward_dynamics",)
LIMITS = {(6, "nothing"): 0.3, (6, "cache"): 0.020, (20, "nothing"): 2.0}


def compile_times(pace: Pace) -> Section:
    """Return the seconds from a system to a kernel that can be called: forward dynamics, and the longest program once."""
    rows, verdicts = [], []
    for joints in (6, 20):
        runs = [fresh_processes(joints, *NAMES) for _ in range(pace.processes)]
        for source in ("nothing", "cache"):
            seconds = {part: median(run[source][part] for run in runs) for part in runs[0][source]}
            here = _in_this_process(joints, source, pace.processes)
            rows.append((f"forward dynamics, {joints} joints, from {source}", *map(duration, (*seconds.values(), *here))))
            if (joints, source) in LIMITS:
                name = f"{joints} joints, derive and compile from {source}"
                verdicts.append(at_most(name, seconds["make"], LIMITS[joints, source], "{:.3f} s"))
    for source, once in fresh_processes(20, "dH_dq").items():
        rows.append((f"dH_dq, 20 joints, from {source}", *map(duration, once.values()), "", ""))
    head = ("kernel", "LLVM starts", "fresh process", "this process: recording", "compiling")
    note = "Fresh process: derive, choose, record, compile or load, and a first call; not importing, not LLVM's start."
    return Section("Derive and compile", [*table(head, rows), "", note], verdicts)


def fresh_processes(joints: int, name: str) -> dict[str, dict[str, float]]:
    """Return what two processes report that share a new cache: the first finds nothing in it."""
    with tempfile.TemporaryDirectory() as folder:
        return {source: _fresh_process(joints, name, folder) for source in ("nothing", "cache")}


def _fresh_process(joints: int, name: str, folder: str) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.one_compilation", str(joints), name]
    output = subprocess.run(command, env=os.environ | {CACHE: folder}, check=True, capture_output=True, text=True).stdout
    return {part: float(seconds) for part, seconds in json.loads(output).items()}


def _in_this_process(joints: int, source: str, repeats: int) -> tuple[float, float]:
    """Return the medians of making the kernel anew in this process: recording, compiling or loading."""
    derivation, times = derive(arm_of(joints)).derivation, []
    with _new_cache():
        compile_program(derivation.packed_program(NAMES))
        for _ in range(repeats):
            with _new_cache() if source == "nothing" else nullcontext():
                start = perf_counter()
                program = derivation.packed_program(NAMES)
                recorded = perf_counter()
                compile_program(program)
                times.append((recorded - start, perf_counter() - recorded))
    recording, compiling = zip(*times, strict=True)
    return median(recording), median(compiling)


@contextmanager
def _new_cache() -> Iterator[None]:
    """Let object code go to a folder that is empty and goes away."""
    before = os.environ.get(CACHE)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[CACHE] = folder
        try:
            yield
        finally:
            del os.environ[CACHE]
            if before is not None:
                os.environ[CACHE] = before
