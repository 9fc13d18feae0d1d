"""Packages that are installed for a test."""

from pathlib import Path

import pytest


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, points: str, code: str) -> None:
    """Install a package of one file, `name`, with entry points."""
    about = folder / "site" / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(points, encoding="utf-8")
    (about.parent / f"{name}.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(about.parent)
    monkeypatch.delitem(__import__("sys").modules, name, raising=False)
