"""Whole missions as the command runs them, without the start of the interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

from .report import Section, at_most, duration, table

MISSIONS = Path(__file__).parents[2] / "missions"
LIMITS = {"planar_four_link": 3.0, "spatial_six_link": 6.0}
REPEATS = 3


def mission_times() -> Section:
    """Return the seconds of each mission: reading and compiling, simulating, judging, drawing and writing."""
    rows, verdicts = [], []
    for name, limit in LIMITS.items():
        runs = [_run(name) for _ in range(REPEATS)]
        seconds = {part: median(run[part] for run in runs) for part in runs[0]}
        whole = median(sum(run.values()) for run in runs)
        rows.append((name, *map(duration, seconds.values()), duration(whole)))
        verdicts.append(at_most(f"mission {name}, whole command", whole, limit, "{:.2f} s"))
    head = ("fresh process each", *seconds, "in all")
    return Section("Missions", [*table(head, rows), "", "Modules are imported before the clock starts."], verdicts)


def _run(name: str) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.one_mission", str(MISSIONS / f"{name}.toml")]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {part: float(seconds) for part, seconds in json.loads(output).items()}
