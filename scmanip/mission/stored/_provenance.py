"""provenance.json: what made the results in a folder, the digest of each of its files, and its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ...errors import InvalidInput, Problem, UnsafePath
from ...storage import Folder, Manifest

PROVENANCE = "provenance.json"
_SCHEMAS, SCHEMA = "scmanip.results/", "scmanip.results/2"
_MOST = 2**24  # bytes that are read of one


@dataclass(frozen=True)
class Provenance:
    """What a results folder says of itself.

    about : versions, digests of what was read, command, time
    files : digests of all files of the folder but this one
    """

    about: Mapping[str, Any]
    files: Manifest

    @classmethod
    def read(cls, folder: Folder) -> Provenance:
        """Return that of a folder; raises `InvalidInput` where there is none, or one that is not as it was written."""
        data, table = _parsed(folder)
        about = {key: value for key, value in table.items() if key not in ("schema", "files", "sha256")}
        found = cls(about, Manifest(table["files"] if isinstance(table.get("files"), dict) else {}))
        if table.get("schema") != SCHEMA:
            raise _unsound(f"the schema {table.get('schema')!r}", f"schema {SCHEMA!r}")
        if not found._has(data):
            raise _unsound("another one", "the file as it was written")
        return found

    def data(self) -> bytes:
        """Return the file: its own digest, of all that stands before, comes last."""
        table = {"schema": SCHEMA, **self.about, "files": dict(self.files.digests)}
        return _json(table | {"sha256": sha256(_json(table)).hexdigest()})

    def _has(self, data: bytes) -> bool:
        try:
            return self.data() == data
        except RecursionError:
            return False


def listed(folder: Folder) -> set[str]:
    """Return the files that an earlier run says it wrote, of whichever version; names that lead elsewhere are not believed."""
    try:
        table = _parsed(folder)[1]
    except UnsafePath:
        raise
    except InvalidInput:
        return set()
    names = table.get("files") if str(table.get("schema")).startswith(_SCHEMAS) else ()
    return {PROVENANCE, *filter(_stays_inside, names)} if names and isinstance(names, list | dict) else set()


def _parsed(folder: Folder) -> tuple[bytes, dict[str, Any]]:
    try:
        data = folder.read(PROVENANCE, most=_MOST)
        table = json.loads(data)
    except UnsafePath:
        raise
    except FileNotFoundError:
        raise _unsound("none") from None
    except (OSError, ValueError, RecursionError) as error:
        raise _unsound(str(error)) from None
    if not isinstance(table, dict):
        raise _unsound("no table")
    return data, table


def _unsound(found: str, expected: str = "a sound file") -> InvalidInput:
    return InvalidInput(Problem(f"'{PROVENANCE}'", expected, found))


def _json(table: Mapping[str, Any]) -> bytes:
    # what a command line had that is no text comes out as the escapes that JSON has for it
    return (json.dumps(table, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _stays_inside(name: object) -> bool:
    return isinstance(name, str) and not any(part in ("", ".", "..") or "\0" in part for part in name.split("/"))
