"""The library of a unit, made by the C compiler of the machine."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ...errors import InvalidInput, Problem

FLAGS = ("-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden")
FOLDERS = {2: {"x86_64": "linux64"}, 3: {"x86_64": "x86_64-linux", "aarch64": "aarch64-linux"}}


def binary(files: Mapping[str, str], compiled: Sequence[str], identifier: str, version: int) -> dict[str, bytes]:
    """Return the library by its name in the unit; raises `InvalidInput` where this machine cannot make it."""
    folder = FOLDERS[version].get(platform.machine()) if platform.system() == "Linux" else None
    if folder is None:
        found = f"{platform.system()} on {platform.machine()}"
        raise InvalidInput(Problem("platform", "Linux on x86_64", found, hint="binary=False: sources, which importers compile"))
    with TemporaryDirectory() as place:
        for name, text in files.items():
            Path(place, name).write_text(text, encoding="utf-8")
        made = f"{identifier}.so"
        command = [*shlex.split(os.environ.get("CC", "cc")), *FLAGS, *compiled, "-o", made, "-lm"]
        try:
            run = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        except OSError as trouble:
            hint = "set CC, or binary=False: sources, which importers compile"
            raise InvalidInput(Problem("CC", "a C compiler", str(trouble), hint=hint)) from None
        if run.returncode:
            raise InvalidInput(Problem("CC", "a C compiler for C99", f"{shlex.join(command)}: {run.stderr[-2000:]}"))
        return {f"binaries/{folder}/{made}": Path(place, made).read_bytes()}
