"""One error that can be planted in the sources."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


class AnchorError(ValueError):
    """The text that an error replaces is not there, or not there once."""


@dataclass(frozen=True)
class Planted:
    """A single error, as a tired engineer makes it.

    name : what is wrong, in words; one name, one error
    file : under `scmanip/`
    old, new : the text that stands there, once in the file, and what stands there instead
    after : where `old` stands more than once, a text that stands once: the first `old` behind its start is meant
    tests : under `tests/`, files, folders or single tests that should see it; without any, those of the room.
        Single tests run even if they are marked slow.
    survives : why no test can see it, where none can
    """

    name: str
    file: str
    old: str
    new: str
    after: str = ""
    tests: tuple[str, ...] = ()
    survives: str = ""

    @property
    def room(self) -> str:
        """Return the room whose file is changed."""
        return self.file.split("/")[0]

    @property
    def selection(self) -> tuple[str, ...]:
        """Return what pytest is given."""
        return tuple(f"tests/{test}" for test in self.tests or (self.room,))

    def path(self, root: Path = ROOT) -> Path:
        """Return the file that is changed."""
        return root / "scmanip" / self.file

    def planted_in(self, text: str) -> str:
        """Return a file's text with the error in it."""
        start = 0
        if self.after:
            self._once(self.after, text)
            start = text.index(self.after)
            if self.old not in text[start:]:
                raise AnchorError(f"{self.file}: {self.old!r} does not stand behind {self.after!r} ({self.name})")
        else:
            self._once(self.old, text)
        return text[:start] + text[start:].replace(self.old, self.new, 1)

    def _once(self, sought: str, text: str) -> None:
        if (count := text.count(sought)) != 1:
            raise AnchorError(f"{self.file}: {sought!r} stands there {count} times, not once ({self.name})")
