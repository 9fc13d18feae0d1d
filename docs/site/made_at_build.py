"""What the site shows and the repository stores elsewhere or nowhere: notebooks, changelog, missions, reference, equations.

Pages are written under `docs/generated` and `docs/notebooks`, which git ignores, where they have changed.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

import equations
import gallery
import packaged
import reference

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
ELSEWHERE = {
    "CHANGELOG.md": "/generated/changelog.md",
    "CONTRIBUTING.md": "/generated/contributing.md",
    "README.md": "/index.md",
    "missions": "/generated/missions.md",
    "docs/examples": "/how-to/index.md",
}


def led(text: str, folder: Path) -> str:
    """Return Markdown of a folder of the repository with links that lead within the site."""

    def one(match: re.Match[str]) -> str:
        target = match[2]
        if "://" in target or target.startswith(("/", "mailto:")):
            return match[0]
        place = posixpath.normpath((folder / target).relative_to(ROOT).as_posix()) if folder == ROOT else _place(folder, target)
        if place in ELSEWHERE:
            return f"{match[1]}{ELSEWHERE[place]}{match[3]}"
        if place.startswith("notebooks/"):
            return f"{match[1]}/{place}{match[3]}"
        if place.startswith("docs/"):
            return f"{match[1]}/{place.removeprefix('docs/')}{match[3]}"
        return f"{match[1]}/../{place}{match[3]}"

    pieces = CODE.split(text)
    return "".join(piece if number % 2 else LINK.sub(one, piece) for number, piece in enumerate(pieces))


def _place(folder: Path, target: str) -> str:
    """Return where a link leads, from the root of the repository."""
    return posixpath.normpath(posixpath.join(folder.relative_to(ROOT).as_posix(), target))


def write(path: Path, text: str | bytes) -> None:
    """Write a page or picture if it is not as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = text.encode() if isinstance(text, str) else text
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def make(app: Any) -> None:
    """Write all pages that are made at build."""
    pages: dict[str, str | bytes] = {
        "generated/changelog.md": led((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), ROOT),
        "generated/contributing.md": led((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), ROOT),
        **gallery.pages(ROOT),
        **packaged.pages(ROOT),
        **reference.pages(ROOT),
        **equations.pages(ROOT),
    }
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        pages[f"notebooks/{path.name}"] = (
            text.replace("](../docs/examples)", "](../how-to/index.md)")
            .replace("](../docs/", "](../")
            .replace("](../missions)", "](../generated/missions.md)")
        )
    for name, text in pages.items():
        write(DOCS / name, text)
    for folder in ("generated", "notebooks"):
        for path in (DOCS / folder).rglob("*.*"):
            if path.relative_to(DOCS).as_posix() not in pages and path.suffix in {".md", ".ipynb", ".png"}:
                path.unlink()


def read(app: Any, name: str, source: list[str]) -> None:
    """Lead the links of a page that is read to where they lead within the site."""
    path = DOCS / f"{name}.md"
    if path.exists() and not name.startswith("generated/"):
        source[0] = led(source[0], path.parent)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("builder-inited", make)
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
