"""What earlier runs found, so that the next one looks there first. It changes the order of tests, never a verdict."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from .copied_tree import CopiedTree

FOLDER = Path(tempfile.gettempdir()) / f"scmanip-mutation-{os.getuid()}"
OUR_OWN = "tests/mutation/"


@dataclass
class Memory:
    """Which test caught which error, and how long unchanged files take.

    catchers : name of an error to the test that caught it
    seconds : of test files, on the unchanged tree
    green : digests of tree and test file that passed
    """

    catchers: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    green: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls) -> Memory:
        """Return what was kept, or nothing."""
        try:
            return cls(**json.loads((FOLDER / "memory.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return cls()

    def keep(self) -> None:
        """Write it down, beside what another process has found meanwhile."""
        FOLDER.mkdir(mode=0o700, exist_ok=True)
        others, fresh = asdict(Memory.read()), FOLDER / f"memory-{os.getpid()}.json"
        fresh.write_text(json.dumps({name: others[name] | mine for name, mine in asdict(self).items()}), encoding="utf-8")
        fresh.replace(FOLDER / "memory.json")

    def sorted(self, files: list[str]) -> list[str]:
        """Return test files with those first that catch most a second."""
        caught = Counter(test.split("::")[0] for test in self.catchers.values())
        return sorted(files, key=lambda file: -(caught[file] + 0.1) / (self.seconds.get(file, 10.0) + 0.5))


@dataclass(frozen=True)
class Digests:
    """What stands for a test file and all that it can see. Other test files and the errors themselves are not among it."""

    tree: CopiedTree

    def of(self, test: str) -> str:
        """Return the digest of a test, or of a test file."""
        file = self.tree.root / test.split("::", maxsplit=1)[0]
        return sha256(self._others + test.encode() + file.read_bytes()).hexdigest()

    @cached_property
    def _others(self) -> bytes:
        digest = sha256()
        for name in self.tree.names:
            if not name.startswith(OUR_OWN) and not Path(name).name.startswith("test_"):
                digest.update(name.encode() + sha256((self.tree.root / name).read_bytes()).digest())
        return digest.digest()
