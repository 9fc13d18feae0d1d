"""A folder that holds the results of one run, and nothing that scmanip did not write."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import InvalidInput, Problem, checked
from ...storage import EntryKind, Folder, Manifest, is_stage
from ._provenance import PROVENANCE, Provenance, listed
from ._stored import MISSION

REPORT, TABLES = "report.html", "tables"
_EXPECTED = "a new or empty folder, or one with earlier results"


@checked
class ResultsFolder:
    """A folder for results: new, empty, or one that was written by an earlier run; anything else is refused.

    Links in it are refused with their paths, as are pipes and devices: whatever it holds, nothing is written, read or removed
    outside.

    >>> folder = ResultsFolder("results")
    >>> folder.check()  # nothing is in the way
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._folder = Folder(path)

    def check(self) -> None:
        """Raise `InvalidInput` when the folder cannot take results; what is tried for that is removed again."""
        with _disk_problems(self.path):
            self._folder.expect_files(self._outdated())
            self._folder.try_out()

    def write(self, files: Mapping[str, bytes], about: Mapping[str, Any]) -> tuple[Path, ...]:
        """Write files by their relative names with the provenance that lists them, in place of all of an earlier run.

        about : as in `Provenance`

        A failure leaves the earlier results as they were. Raises `InvalidInput` when the folder cannot take results or the
        disk refuses.
        """
        with _disk_problems(self.path):
            provenance = Provenance(about, Manifest.of(files))
            return self._written({**files, PROVENANCE: provenance.data()}, self._outdated())

    def provenance(self) -> Provenance:
        """Return what the folder says of itself; raises `InvalidInput` where it does not, or was changed."""
        with _disk_problems(self.path):
            return Provenance.read(self._folder)

    def problems(self) -> tuple[str, ...]:
        """Return what keeps the folder from being what a run and its reports wrote, as sentences without an end.

        Raises `InvalidInput` for a folder that holds no results.
        """
        with _disk_problems(self.path):
            if self._folder.kind(MISSION) is EntryKind.NOTHING and not listed(self._folder):
                expected = "a results folder, as `scmanip run FILE -o FOLDER` writes"
                raise InvalidInput(Problem("results folder", expected, f"'{self.path}' without {MISSION} or {PROVENANCE}"))
            try:
                provenance = Provenance.read(self._folder)
            except InvalidInput as error:
                return tuple(map(str, error.problems))
            return provenance.files.problems(self._folder, besides=[PROVENANCE])

    def read(self, name: str) -> bytes:
        """Return a file of the folder; raises `InvalidInput`."""
        with _disk_problems(self.path):
            return self._folder.read(name)

    def add_report(self, files: Mapping[str, bytes]) -> tuple[Path, ...]:
        """Write `report.html` and its tables, in place of an earlier report, and list them with the results.

        Beside results that are not as they were written `report.html` alone comes new, and nothing else is listed or goes.
        """
        sound = not self.problems()
        with _disk_problems(self.path):
            if not sound:
                files = {name: data for name, data in files.items() if name == REPORT}
            outdated = {name for name in listed(self._folder) if sound and _of_report(name)}
            return self._written({**files, **self._listing(files, outdated)}, outdated)[: len(files)]

    def _listing(self, files: Mapping[str, bytes], outdated: set[str]) -> dict[str, bytes]:
        """Return the provenance with further files; nothing where it is no longer what was written."""
        try:
            provenance = Provenance.read(self._folder)
        except InvalidInput:
            return {}
        kept = {name: digest for name, digest in provenance.files.digests.items() if name not in outdated}
        return {PROVENANCE: replace(provenance, files=Manifest(kept | dict(Manifest.of(files).digests))).data()}

    def _written(self, files: Mapping[str, bytes], outdated: set[str]) -> tuple[Path, ...]:
        self._folder.write(files, instead_of=outdated)
        return tuple(self.path / name for name in files)

    def _outdated(self) -> set[str]:
        """Return the files of an earlier run; raises `InvalidInput` where there are others and none of a run."""
        if self.path.exists() and not self.path.is_dir():
            raise InvalidInput(Problem("results folder", _EXPECTED, f"'{self.path}', which is a file"))
        names = self._folder.names()
        ours = listed(self._folder)
        if names and not ours and not any(map(is_stage, names)):
            hint = "choose another name after -o, or empty it yourself"
            raise InvalidInput(Problem("results folder", _EXPECTED, f"'{self.path}', which holds other files", hint=hint))
        return ours


@contextmanager
def _disk_problems(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into a problem."""
    try:
        yield
    except OSError as error:
        found = f"{error.strerror or error} at '{path}'"
        raise InvalidInput(Problem("results folder", "a folder that can be written", found)) from None


def _of_report(name: str) -> bool:
    return name == REPORT or name.startswith(f"{TABLES}/")
