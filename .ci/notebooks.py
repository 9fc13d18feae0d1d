"""Notebooks are stored as they were executed: `notebooks.py store FILE...` executes and writes, `check` executes and compares.

A stored notebook tells the digest of the sources that its outputs are of, and nothing of when and where they were made.
"""

from __future__ import annotations

import base64
import io
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
from PIL import Image

MOST_BYTES = 1_500_000
MOST_PIXELS = 960  # across
KEY = "sources"


def digest(notebook: Any) -> str:
    """Return the digest of the sources of all code cells."""
    return sha256("\0".join(cell.source for cell in code(notebook)).encode()).hexdigest()


def code(notebook: Any) -> list[Any]:
    """Return the code cells."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def kinds(cell: Any) -> list[str]:
    """Return what kinds of outputs a cell has, such as "stream" and "image/png", each once."""
    found = {kind for output in cell.outputs for kind in (output.get("data") or {output.output_type: ""})}
    return sorted(found)


def problems(notebook: Any, size: int) -> list[str]:
    """Return what is wrong with a stored notebook of so many bytes, in sentences."""
    wrong = []
    if notebook.metadata.get(KEY) != digest(notebook):
        wrong.append("its outputs are not those of its sources: .ci/notebooks.py store makes them")
    if size > MOST_BYTES:
        wrong.append(f"{size} bytes, more than {MOST_BYTES}")
    for number, cell in enumerate(code(notebook), 1):
        if any(output.output_type == "error" or output.get("name") == "stderr" for output in cell.outputs):
            wrong.append(f"code cell {number} has an error or a warning")
    if not any(cell.outputs for cell in code(notebook)):
        wrong.append("no outputs")
    return wrong


def small(picture: str) -> str:
    """Return a PNG, in base64, no wider than `MOST_PIXELS` and in 64 colours."""
    image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB")
    image.thumbnail((MOST_PIXELS, MOST_PIXELS * image.height // image.width + 1), Image.Resampling.LANCZOS)
    made = io.BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(made, format="PNG", optimize=True)
    return base64.b64encode(made.getvalue()).decode()


def kept(output: Any) -> Any:
    """Return an output as it is stored."""
    data = output.get("data", {})
    if "image/png" in data:
        data["image/png"] = small(data["image/png"])
        output.metadata.pop("image/png", None)
    return output


def executed(notebook: Any, folder: Path) -> Any:
    """Return a notebook after all its cells were run in a fresh kernel in a folder."""
    from nbclient import NotebookClient

    fresh = nbformat.from_dict(notebook)
    NotebookClient(fresh, timeout=1800, resources={"metadata": {"path": str(folder)}}).execute()
    for cell in code(fresh):
        cell.metadata.pop("execution", None)
        cell.outputs = [kept(output) for output in cell.outputs if output.get("data", {}).get("text/html") != ""]
    fresh.metadata["language_info"] = {"name": "python"}
    fresh.metadata[KEY] = digest(fresh)
    return fresh


def main(command: str, *files: str) -> int:
    """Execute notebooks; return 1 where one is not as it is stored, or cannot be stored."""
    wrong = []
    for path in map(Path, files):
        stored = nbformat.read(path, as_version=4)
        fresh = executed(stored, path.parent)
        if command == "store":
            path.write_text(nbformat.writes(fresh, indent=1) + "\n", encoding="utf-8")
            stored = fresh
        found = problems(stored, path.stat().st_size)
        pairs = zip(code(stored), code(fresh), strict=True)
        found += [
            f"code cell {number} has outputs {kinds(new)}, stored are {kinds(old)}"
            for number, (old, new) in enumerate(pairs, 1)
            if kinds(old) != kinds(new)
        ]
        wrong += [f"{path}: {what}" for what in found]
        sys.stdout.write(f"{path}: {path.stat().st_size} bytes, {'not as stored' if found else 'as stored'}\n")
    sys.stderr.write("".join(f"{line}\n" for line in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
