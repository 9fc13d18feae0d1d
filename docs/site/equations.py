"""All equations of the papers that the code names, with the functions that name them, which are shown as they are."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

WORK = re.compile(r"\[([A-Z][A-Za-z]+\d{4})[^\]]*\]")
NUMBERS = re.compile(r"\beqs?\.?\s+((?:\d+[a-d]?(?:\s*(?:-|to|,|and)\s*)?)+)")
LATER = re.compile(r"\((\d{1,3}[a-d]?(?:\s*[-,]\s*\d{1,3}[a-d]?)*)\)\s*$", re.MULTILINE)
USUAL = "Wilde2018"


class Place(NamedTuple):
    """A function, class or file that names equations."""

    file: str
    name: str
    line: int
    end: int


def pages(root: Path) -> dict[str, str]:
    """Return a page of all equations, and a page of listings per work."""
    found: dict[str, dict[str, set[Place]]] = defaultdict(lambda: defaultdict(set))
    for path in sorted((root / "scmanip").rglob("*.py")):
        for work, number, place in cited(path, path.relative_to(root).as_posix()):
            found[work][number].add(place)
    made = {}
    lines = [
        "# Equations",
        "",
        "Every equation number that the code names, found in it when this page is made: the names lead to the code itself.",
        "What the letters are is in [notation](/notation.md), what is printed wrongly in [errata](/errata.md).",
        "",
    ]
    for work in sorted(found):
        places = sorted({place for of in found[work].values() for place in of})
        lines += [f"## {work}", "", "| equation | where |", "|---|---|"]
        for number in sorted(found[work], key=_order):
            where = ", ".join(
                f"[`{p.name or p.file}`](/generated/listings/{work.lower()}.md#{anchor(work, p)})"
                for p in sorted(found[work][number])
            )
            lines.append(f"| {number} | {where} |")
        lines.append("")
        made[f"generated/listings/{work.lower()}.md"] = listings(work, places)
    hidden = [f"listings/{work.lower()}" for work in sorted(found)]
    lines += ["```{toctree}", ":hidden:", *hidden, "```", ""]
    return {**made, "generated/equations.md": "\n".join(lines)}


def listings(work: str, places: list[Place]) -> str:
    """Return the page of the code that names equations of a work."""
    lines = [f"# Code after {work}", "", f"What names an equation of [{work}](/references.md), by file.", ""]
    for place in places:
        lines += [
            f"({anchor(work, place)})=",
            f"## `{place.name or place.file}`",
            "",
            f"`{place.file}`, from line {place.line}",
        ]
        lines += [
            "",
            f"```{{literalinclude}} /../{place.file}",
            ":language: python",
            f":lines: {place.line}-{place.end}",
            "```",
            "",
        ]
    return "\n".join(lines)


def anchor(work: str, place: Place) -> str:
    """Return the name of a place in the page of listings."""
    return (
        re.sub(r"\W+", "-", f"{work}-{place.file.removeprefix('scmanip/').removesuffix('.py')}-{place.name}").strip("-").lower()
    )


def _order(number: str) -> tuple[int, str]:
    digits = re.match(r"\d+", number)
    return int(digits[0]) if digits else 0, number


def cited(path: Path, file: str) -> list[tuple[str, str, Place]]:
    """Return work, number and place of every equation that docstrings and comments of a file name."""
    source = path.read_text(encoding="utf-8")
    if not re.search(r"\beqs?\b", source) and not WORK.search(source):
        return []
    tree = ast.parse(source)
    spans = [(1, len(source.splitlines()), "", ast.get_docstring(tree) or "")]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            spans.append((node.lineno, node.end_lineno or 0, node.name, ast.get_docstring(node) or ""))
            for inner in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(inner, ast.FunctionDef):
                    spans.append(
                        (inner.lineno, inner.end_lineno or 0, f"{node.name}.{inner.name}", ast.get_docstring(inner) or "")
                    )
    of_file = works(spans[0][3], "")
    default = of_file[-1] if of_file else ""
    made = []
    for start, end, name, doc in spans:
        made += [(work, number, placed(file, name, start, end)) for work, number in numbers(doc, default)]
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            start, end, name, doc = max(span for span in spans if span[0] <= token.start[0] <= span[1])
            known = works(doc, default)
            made += [
                (work, number, placed(file, name, start, end))
                for work, number in numbers(token.string, known[0] if known else default)
            ]
    return made


def placed(file: str, name: str, start: int, end: int) -> Place:
    """Return a place; of a whole file its first lines are shown."""
    return Place(file, name, start, end if name else min(end, 12))


def works(text: str, default: str) -> list[str]:
    """Return the works that a text names."""
    return WORK.findall(text) or ([default] if default else [])


def numbers(text: str, work: str) -> list[tuple[str, str]]:
    """Return work and number of the equations that a text names, ranges one by one; the work is the last one named before."""
    made = []
    for match in re.finditer(rf"{WORK.pattern}|{NUMBERS.pattern}|{LATER.pattern}", text, re.MULTILINE):
        if match[1]:
            work = match[1]
            continue
        for part in re.split(r",|and", match[2] or match[3]):
            ends = [end.strip() for end in re.split(r"-|to", part) if end.strip()]
            if len(ends) == 2 and all(end.isdigit() for end in ends) and int(ends[0]) < int(ends[1]) <= int(ends[0]) + 60:
                made += [(work, str(number)) for number in range(int(ends[0]), int(ends[1]) + 1)]
            else:
                made += [(work, end) for end in ends]
    return [(work, number) for work, number in made if work]
