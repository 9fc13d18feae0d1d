"""What `mission_times` runs in a process of its own: `python -m tests.benchmarks.one_mission FILE`."""

from __future__ import annotations

import json
import sys
import tempfile
from time import perf_counter

import h5netcdf
import matplotlib.figure
import scipy.integrate

from scmanip.mission import load_mission

STARTED = (h5netcdf, matplotlib.figure, scipy.integrate)  # what the command would import on its way


def main(file: str) -> None:
    """Write the seconds of each part of a mission, as JSON."""
    times = [perf_counter()]
    mission = load_mission(file)
    times.append(perf_counter())
    run = mission.run()
    times.append(perf_counter())
    with tempfile.TemporaryDirectory() as folder:
        text = str(run.summary())
        run.save(f"{folder}/results")
    times.append(perf_counter())
    parts = zip(("load", "simulate", "judge and save"), times, times[1:], strict=False)
    if not (run.passed and text):
        raise SystemExit(f"{file} did not keep its limits")
    sys.stdout.write(json.dumps({part: end - start for part, start, end in parts}))


if __name__ == "__main__":
    main(sys.argv[1])
