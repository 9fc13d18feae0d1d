"""ended.json: what a study's folder held when the study ended, written last."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from ...errors import UnsafePath
from ...storage import EntryKind, Folder, Manifest
from ._folder import ASIDE, CASES, LOCK, NOTES, StudyFolder
from ._record import RECORD

ENDED = "ended.json"
SCHEMA = "scmanip.study-end/1"
REPORTS = ("report.html", "tables/")
"""What reports write into a folder: views of what is listed, made anew each time."""

_BESIDES = (ENDED, LOCK, NOTES, f"{ASIDE}/", *REPORTS)
_MOST = 2**28  # bytes that are read of one


@dataclass(frozen=True)
class EndRecord:
    """The end of a study.

    study : digest of its study.json
    cases : rows in cases.csv
    files : digests of all that belongs to it
    """

    study: str
    cases: int
    files: Manifest

    @classmethod
    def read(cls, folder: Folder) -> EndRecord | None:
        """Return that of a folder, None where there is none; raises ValueError where it is not as it was written."""
        if folder.kind(ENDED) is EntryKind.NOTHING:
            return None
        try:
            data = folder.read(ENDED, most=_MOST)
            table = json.loads(data)
            found = cls(table["study"], table["cases"], Manifest(table["files"]))
            if found.data() == data and type(found.cases) is int:
                return found
        except (OSError, ValueError, RecursionError, KeyError, TypeError, UnsafePath) as error:
            raise ValueError(f"not as it was written: {error}") from None
        raise ValueError("not as it was written")

    def data(self) -> bytes:
        """Return the file."""
        table = {"schema": SCHEMA, "study": self.study, "cases": self.cases, "files": dict(self.files.digests)}
        return (json.dumps(table, indent=2, sort_keys=True) + "\n").encode()

    def problems(self, folder: Folder) -> tuple[str, ...]:
        """Return what is missing, changed or not listed, as sentences without an end."""
        return self.files.problems(folder, besides=_BESIDES)


def write_end(rows: StudyFolder, cases: int, kept: Iterable[str]) -> None:
    """Write ended.json; raises OSError."""
    names = [RECORD, *rows.record["files"], *rows.chunks, CASES, *kept]
    rows.folder.write({ENDED: EndRecord(rows.study, cases, Manifest.found(rows.folder, sorted(names))).data()})


def believed(rows: StudyFolder) -> Manifest:
    """Return the digests of files that an earlier end of this study vouches for."""
    try:
        earlier = EndRecord.read(rows.folder)
    except ValueError:
        earlier = None
    return earlier.files if earlier is not None and earlier.study == rows.study else Manifest({})
