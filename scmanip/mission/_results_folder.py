"""A folder that holds the results of one run, and nothing that scmanip did not write."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import InvalidInput, Problem

PROVENANCE = "provenance.json"
SCHEMA = "scmanip.results/1"
_STAGE = ".scmanip-"


class ResultsFolder:
    """A folder for results: new, empty, or one that was written by an earlier run; anything else is refused."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def check(self) -> None:
        """Raise `InvalidInput` when the folder cannot take results; what is tried for that is removed again."""
        with _disk_problems(self.path):
            self._refuse_other_contents()
            self._try()

    def write(self, writers: Mapping[str, Callable[[Path], object]]) -> tuple[Path, ...]:
        """Write files by their relative names, each whole or not at all, and remove an earlier run's other files.

        Everything is written beside its place first, so that a failure leaves the earlier results as they were.
        Raises `InvalidInput` when the folder cannot take results or the disk refuses.
        """
        with _disk_problems(self.path):
            self._refuse_other_contents()
            return self._write(writers)

    def add(self, writers: Mapping[str, Callable[[Path], object]]) -> tuple[Path, ...]:
        """Write further files beside results that are there, and list them with those; otherwise as `write`."""
        with _disk_problems(self.path):
            self._refuse_other_contents()
            kept = self._listed()
            listing = self.path / PROVENANCE
            provenance = json.loads(listing.read_text(encoding="utf-8")) if kept else {"schema": SCHEMA, "files": []}
            provenance["files"] = list(dict.fromkeys([*provenance["files"], *writers]))
            text = json.dumps(provenance, indent=2, ensure_ascii=False) + "\n"
            return self._write({**writers, PROVENANCE: lambda path: _write_text(path, text)}, keep=kept)[:-1]

    def _refuse_other_contents(self) -> None:
        expected = "a new or empty folder, or one with earlier results"
        if self.path.exists() and not self.path.is_dir():
            raise InvalidInput(Problem("results folder", expected, f"'{self.path}', which is a file"))
        if self.path.is_dir() and not (self._is_ours() or not any(self.path.iterdir())):
            hint = "choose another name after -o, or empty it yourself"
            raise InvalidInput(Problem("results folder", expected, f"'{self.path}', which holds other files", hint=hint))

    def _try(self) -> None:
        """Make the folder and a stage in it, as `write` will, and remove them; raises `OSError` where that is not allowed."""
        made = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            os.rmdir(tempfile.mkdtemp(prefix=_STAGE, dir=self.path))
        finally:
            for folder in made:  # the innermost first
                with suppress(OSError):
                    folder.rmdir()

    def _write(self, writers: Mapping[str, Callable[[Path], object]], keep: Collection[str] = frozenset()) -> tuple[Path, ...]:
        self.path.mkdir(parents=True, exist_ok=True)
        outdated = self._listed() - set(writers) - set(keep)
        stage = Path(tempfile.mkdtemp(prefix=_STAGE, dir=self.path))
        try:
            for name, write in writers.items():
                (stage / name).parent.mkdir(parents=True, exist_ok=True)
                write(stage / name)
            for name in writers:
                (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            for name in writers:
                os.replace(stage / name, self.path / name)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
        for name in outdated:
            (self.path / name).unlink(missing_ok=True)
        return tuple(self.path / name for name in writers)

    def _is_ours(self) -> bool:
        """Whether an earlier run wrote here, be it one that was cut off."""
        return bool(self._listed()) or any(entry.name.startswith(_STAGE) for entry in self.path.iterdir())

    def _listed(self) -> set[str]:
        """Return the files that an earlier run says it wrote here; names that lead elsewhere are not believed."""
        try:
            provenance = json.loads((self.path / PROVENANCE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return set()
        if not isinstance(provenance, dict) or provenance.get("schema") != SCHEMA:
            return set()
        names = provenance.get("files")
        return {name for name in names if _stays_inside(name)} if isinstance(names, list) else set()


@contextmanager
def _disk_problems(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into a problem."""
    try:
        yield
    except OSError as error:
        found = f"{error.strerror or error} at '{error.filename or path}'"
        raise InvalidInput(Problem("results folder", "a folder that can be written", found)) from None


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _stays_inside(name: object) -> bool:
    return isinstance(name, str) and not Path(name).is_absolute() and ".." not in Path(name).parts
