"""`python -m tests.fuzz --files 30000 --seed 1 [--room system]`: many files, and what came of them.

The room `folders` alters folders of runs and studies; it is tried when it is named.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

from . import rooms
from .rooms import ROOMS

MEMORY = 4 * 2**30  # of addresses; libraries take more than half of it


def main() -> int:
    """Return 0 where nothing failed and nothing took long."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--files", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--room", choices=[*ROOMS, "folders"], action="append")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    chosen, failed = given.room or list(ROOMS), False
    for name in chosen:
        began = time.perf_counter()
        tally = rooms.tried(name, given.files // len(chosen), given.seed)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        lines = [f"{name}: {tally}; {time.perf_counter() - began:.0f} s, {peak:.0f} MB at most"]
        lines += [f"  {failure}" for failure in tally.failures[:40]]
        lines += [f"  {spent:.2f} s: {place}" for spent, place in tally.slow[:20]]
        sys.stdout.write("\n".join([*lines, ""]))
        sys.stdout.flush()
        failed |= bool(tally.failures or tally.slow)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
