"""Meshes by the names that other tools give them: under declared folders only, never from a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PACKAGE, _FILE = "package://", "file://"


@dataclass(frozen=True)
class MeshFiles:
    """Where meshes may be.

    folder : that of the file that names them
    roots : declared folders; packages are folders in them, or they are packages themselves
    """

    folder: Path
    roots: tuple[Path, ...]

    @classmethod
    def under(cls, file: str, roots: Sequence[str]) -> MeshFiles:
        """Return those of a file with declared folders."""
        return cls(Path(file).resolve().parent, tuple(Path(root).resolve() for root in roots))

    def found(self, uri: str) -> str:
        """Return where a mesh is, `uri` itself where no folder is declared or nothing there; raises `ValueError` in words."""
        name = uri.removeprefix(_PACKAGE).removeprefix(_FILE)
        if ".." in Path(name).parts or "\0" in name:
            raise ValueError("a path that leads upwards")
        if "://" in name:
            raise ValueError("an address in a network")
        if uri.startswith(_PACKAGE):
            return self._in_packages(uri, Path(name))
        allowed = self.roots if Path(name).is_absolute() else (self.folder, *self.roots)
        path = (self.folder / name).resolve()
        if not any(path.is_relative_to(root) for root in allowed):
            raise ValueError("a file elsewhere")
        return str(path) if path.is_file() else uri

    def _in_packages(self, uri: str, name: Path) -> str:
        """Return the file of a package: a folder in a declared one, or a declared one itself."""
        for root in self.roots:
            for path in (root / name, root.parent / name if name.parts[:1] == (root.name,) else root / name):
                if path.is_file():
                    if not path.resolve().is_relative_to(root):
                        raise ValueError("a link that leads elsewhere")
                    return str(path.resolve())
        if self.roots:
            raise ValueError("no such file there")
        return uri
