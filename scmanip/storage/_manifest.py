"""What the files of a folder are to be, by their digests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from ..errors import UnsafePath
from ._folder import Folder
from ._place import EntryKind


@dataclass(frozen=True)
class Manifest:
    """Digests of files.

    digests : sha256 in hexadecimal digits, by name

    >>> kept = Folder("kept")
    >>> kept.write({"a.txt": b"one", "c.txt": b"three"})
    >>> manifest = Manifest.of({"a.txt": b"one", "b.txt": b"two"})
    >>> manifest.problems(kept)
    ("'b.txt': missing", "'c.txt': not one of the files that were written")
    """

    digests: Mapping[str, str]

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> Manifest:
        """Return the digests of what is to be written."""
        return cls({name: sha256(data).hexdigest() for name, data in files.items()})

    @classmethod
    def found(cls, folder: Folder, names: Iterable[str]) -> Manifest:
        """Return the digests of files that are there; raises OSError and `UnsafePath`."""
        return cls({name: folder.digest(name) for name in names})

    def problems(self, folder: Folder, *, besides: Collection[str] = ()) -> tuple[str, ...]:
        """Return what is missing, changed or not listed, as sentences without an end.

        besides : names of files, and of folders ending in "/", that need not be listed
        """
        wrong = [(name, why) for name, digest in self.digests.items() if (why := _wrong(folder, name, digest))]
        wrong += [(name, _more(folder.kind(name))) for name in self._unlisted(folder, tuple(besides))]
        return tuple(f"'{name}': {why}".encode("utf-8", "backslashreplace").decode() for name, why in wrong)

    def _unlisted(self, folder: Folder, besides: tuple[str, ...]) -> Iterator[str]:
        for name in folder.files():
            let = any(name == other or (other.endswith("/") and name.startswith(other)) for other in besides)
            if name not in self.digests and not let:
                yield name


def _more(kind: EntryKind) -> str:
    return f"{'' if kind is EntryKind.FILE else f'{kind}, '}not one of the files that were written"


def _wrong(folder: Folder, name: str, digest: str) -> str:
    """Return why a file is not the one that was written; an empty string when it is."""
    try:
        if folder.kind(name) is EntryKind.NOTHING:
            return "missing"
        return "" if folder.digest(name) == digest else "not as it was written"
    except UnsafePath as error:
        return "; ".join(problem.found for problem in error.problems)
    except OSError as error:
        return error.strerror or str(error)
