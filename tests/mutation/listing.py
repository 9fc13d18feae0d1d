"""The errors of all rooms: one file a room in `errors/`, each with its `ERRORS`."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pathlib import Path

from .planted import ROOT, AnchorError, Planted

FOLDER = Path(__file__).parent / "errors"


def planted_errors() -> tuple[Planted, ...]:
    """Return every error of the list, room by room."""
    rooms = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
    return tuple(error for room in rooms for error in _of(room))


def problems(errors: tuple[Planted, ...], root: Path = ROOT) -> list[str]:
    """Return what is wrong with a list: anchors that do not fit, names given twice, tests that are not there."""
    said = [f"two errors are named {name!r}" for name, count in Counter(e.name for e in errors).items() if count > 1]
    for error in errors:
        said += [f"{test} is not there ({error.name})" for test in error.selection if not (root / test.split("::")[0]).exists()]
        try:
            if error.planted_in(text := error.path(root).read_text(encoding="utf-8")) == text:
                said.append(f"{error.file}: what is planted is what stands there ({error.name})")
        except (AnchorError, OSError) as problem:
            said.append(str(problem))
    return said


def unreadable(errors: tuple[Planted, ...], root: Path = ROOT) -> list[str]:
    """Return which errors leave no Python behind, so that anything would see them; takes a second or two."""
    said = []
    for error in errors:
        try:
            compile(error.planted_in(error.path(root).read_text(encoding="utf-8")), error.file, "exec", dont_inherit=True)
        except SyntaxError as problem:
            said.append(f"{problem} ({error.name})")
    return said


def _of(room: str) -> tuple[Planted, ...]:
    errors: tuple[Planted, ...] = import_module(f"{__package__}.errors.{room}").ERRORS
    for error in errors:
        if error.room != room:
            raise ValueError(f"errors/{room}.py: {error.name!r} is planted in {error.file}")
    return errors
