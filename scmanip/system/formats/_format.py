"""What every kind of file that describes a system answers."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from ..files._document import TomlDocument


class Format(ABC):
    """A kind of description of a system.

    name : what it is called in messages
    suffixes : of its files, in small letters
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()

    def takes(self, source: Any) -> bool:
        """Return whether this may be one: by the suffix of a path, unless a kind knows better."""
        return isinstance(source, str | os.PathLike) and Path(source).suffix.lower() in self.suffixes

    @abstractmethod
    def document(self, source: Any, roots: tuple[str, ...]) -> TomlDocument:
        """Return its tables of a system file; raises `InvalidSystem` with every problem and its line.

        roots : folders in which meshes may be
        """
