"""A page of all missions, studies and systems that come with the package."""

from __future__ import annotations

import tomllib
from pathlib import Path


def pages(root: Path) -> dict[str, str]:
    """Return the page by its name."""
    rows = {"mission": [], "study": []}
    for path in sorted((root / "missions").glob("*.toml")):
        file = tomllib.loads(path.read_text(encoding="utf-8"))
        kind = file["schema"].split(".")[1].split("/")[0]
        what = file.get("title") or file.get("description") or ""
        rows[kind].append(f"| [`{path.stem}`](/../missions/{path.name}) | {what.strip().replace('|', ' ')} |")
    text = "# Packaged missions and studies\n\n`scmanip run mission:NAME -o results/NAME` flies one,"
    text += " `scmanip study run mission:NAME` a study; the names lead to the files.\n"
    for kind, title in (("mission", "Missions"), ("study", "Studies")):
        text += "\n".join(["", f"## {title}", "", "| name | what it is |", "|---|---|", *rows[kind], ""])
    return {"generated/missions.md": text}
