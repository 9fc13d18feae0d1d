"""The machine and the versions, without names of either host or user."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

from scmanip.compiled.kernel._host import host

PEERS = ("numpy", "llvmlite", "pin", "mujoco")


def facts() -> list[str]:
    """Return what the numbers depend on."""
    here = host()
    return [
        f"processor: {_processor()} (LLVM: {here.cpu}), {os.cpu_count()} cores, widest vectors {widest()}",
        f"states per instruction in batches: {here.lanes}",
        f"Python {platform.python_version()}, {', '.join(f'{name} {version(name)}' for name in PEERS)}; {here.versions}",
        load(),
    ]


def load() -> str:
    """Return how busy the machine is: everything that runs on it, this process included."""
    try:
        averages = " ".join(f"{x:.2f}" for x in os.getloadavg())
    except (AttributeError, OSError):  # not on every platform
        averages = "unknown"
    return f"load average over 1, 5, 15 minutes: {averages}"


def widest() -> str:
    """Return the name of the widest vector instructions."""
    features = host().features
    return next((name for key, name in (("+avx512f", "AVX-512"), ("+avx2", "AVX2")) if key in features), "below AVX2")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
