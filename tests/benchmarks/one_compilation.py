"""What `compile_times` runs in a process of its own: `python -m tests.benchmarks.one_compilation JOINTS NAME`."""

from __future__ import annotations

import json
import sys
from time import perf_counter

import numpy as np

from scmanip.compiled.kernel._host import host
from scmanip.dynamics import compile_model

from .arms import arm_of


def main(joints: int, name: str) -> None:
    """Write the seconds for LLVM's start and for the kernel of a quantity from nothing to its first call, as JSON."""
    system = arm_of(joints)
    start = perf_counter()
    host()
    started = perf_counter()
    kernel = compile_model(system).kernel(name)
    x = np.zeros(system.layout.n_x)
    x[system.layout.x_attitude] = 0, 0, 0, 1
    if name == "forward_dynamics":
        kernel(x, np.zeros(joints), np.empty(6 + joints))
    else:
        kernel(x, np.empty({"dH_dq": (joints,) * 3, "M": (6 + joints,) * 2}.get(name, (joints,) * 2)))
    made = perf_counter()
    sys.stdout.write(json.dumps({"start": started - start, "make": made - started}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
