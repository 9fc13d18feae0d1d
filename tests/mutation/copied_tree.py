"""A private copy of the sources, in which errors are planted and taken out again."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

from .planted import ROOT, Planted


@dataclass(frozen=True)
class CopiedTree:
    """What git knows or would know of the checkout, somewhere else. Times of change are kept: counts are known by them."""

    root: Path
    names: tuple[str, ...]

    @classmethod
    def into(cls, root: Path) -> CopiedTree:
        """Copy the checkout into a folder that is not there yet."""
        names = _names()
        for name in names:
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
        return cls(root, names)

    def copied_to(self, root: Path) -> CopiedTree:
        """Copy this tree with its compiled modules."""
        return CopiedTree(Path(shutil.copytree(self.root, root)), self.names)

    @contextmanager
    def with_error(self, error: Planted) -> Iterator[None]:
        """Plant an error for a while. No compiled module outlives it: those of Python are known by second and size."""
        path = error.path(self.root)
        status, text = path.stat(), path.read_text(encoding="utf-8")
        now = time.time_ns()
        try:
            path.write_text(error.planted_in(text), encoding="utf-8")
            os.utime(path, ns=(now, now))
            Path(cache_from_source(str(path))).unlink(missing_ok=True)
            yield
        finally:
            path.write_text(text, encoding="utf-8")
            Path(cache_from_source(str(path))).unlink(missing_ok=True)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _names() -> tuple[str, ...]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return tuple(sorted(name for name in set(listed.stdout.split("\0")) if name and (ROOT / name).is_file()))
