"""What `studies` runs in a process of its own: `python -m tests.benchmarks.one_study CASES`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from scmanip.study import run_study
from tests.study.toy_studies import QuickPlan, Toy


def main(cases: int) -> None:
    """Write the largest memory [MiB] of the driver of a study of toys."""
    with tempfile.TemporaryDirectory() as folder:
        run_study(QuickPlan(cases), Toy(), Path(folder) / "study", workers=2)
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    largest = next(line.split()[1] for line in lines if line.startswith("VmHWM"))
    sys.stdout.write(f"{int(largest) / 1024}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
