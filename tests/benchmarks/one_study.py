"""What `studies` runs in a process of its own: `python -m tests.benchmarks.one_study CASES`."""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path

from scmanip.study import run_study
from tests.study.toy_studies import QuickPlan, Toy


def main(cases: int) -> None:
    """Write the largest memory [MiB] of the driver of a study of toys."""
    with tempfile.TemporaryDirectory() as folder:
        run_study(QuickPlan(cases), Toy(), Path(folder) / "study", workers=2)
    sys.stdout.write(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
