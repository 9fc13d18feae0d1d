"""The reference: every public name of every room, with signature and docstring, as it is when the site is built."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import scmanip

SPECIAL = re.compile(r"([\\*_\[\]<>#|$~^{}!`])")
QUOTED = re.compile(r"`([^`\n]+)`")
FIELD = re.compile(r"^[\w.*`]+(?:, [\w.*`]+)* : ")
WORK = re.compile(r"\[([A-Z][A-Za-z]+\d{4})(?:, ([A-Z][A-Za-z]+\d{4}))?\]")
EXAMPLES_OF = "tests/house/test_examples_of_names.py"


def pages(root: Path) -> dict[str, str]:
    """Return a page per room, and one that leads to them."""
    rooms = {room: importlib.import_module(f"scmanip.{room}") for room in scmanip._ROOMS}
    known = {name: f"scmanip.{room}.{name}" for room, module in rooms.items() for name, _ in named(module)}
    made = {f"generated/reference/{room}.md": page(module, known) for room, module in rooms.items()}
    lines = [
        f"| [`scmanip.{room}`](/generated/reference/{room}.md) | {first(module)} | {_short(module)} |"
        for room, module in rooms.items()
    ]
    top = ", ".join(f"{{py:obj}}`{name} <{known[name]}>`" for name in scmanip.__all__ if name in known)
    made["generated/reference/index.md"] = "\n".join(
        [
            "# Reference",
            "",
            "Every public name, by the room that it lives in, lowest last. A room imports those below it alone.",
            f"Names of `scmanip` itself, such as `scmanip.simulate`, are those of rooms: {top}.",
            "",
            "Examples (`>>>`) are run by the tests. They begin where this ends, with all names of their room beside it:",
            "",
            "```text",  # which is run as part of a test, from where it is read
            beginning(root),
            "```",
            "",
            "| room | what it is | names |",
            "|---|---|---|",
            *reversed(lines),
            "",
            "```{toctree}",
            ":hidden:",
            *reversed(scmanip._ROOMS),
            "```",
            "",
        ]
    )
    return made


def beginning(root: Path) -> str:
    """Return the lines that make what examples begin with, as the tests have them."""
    source = (root / EXAMPLES_OF).read_text(encoding="utf-8")
    tree = ast.parse(source)
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "beginning")
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    imports = [
        needed(n, used)
        for n in tree.body
        if isinstance(n, ast.Import | ast.ImportFrom)
        and re.search("numpy|scmanip", ast.unparse(n))
        and any((a.asname or a.name) in used for a in n.names)
    ]
    *made, handed = function.body[1:]
    rest = []
    if isinstance(handed, ast.Return) and isinstance(handed.value, ast.Dict):
        for key, value in zip(handed.value.keys, handed.value.values, strict=True):
            if not isinstance(value, ast.Name) and isinstance(key, ast.Constant):
                rest.append(f"{key.value} = {ast.unparse(value)}")
    return "\n".join([*imports, *(ast.get_source_segment(source, node) or "" for node in made), *rest])


def needed(statement: ast.Import | ast.ImportFrom, used: set[str]) -> str:
    """Return an import of what is used alone."""
    kept = type(statement)(**{**vars(statement), "names": [a for a in statement.names if (a.asname or a.name) in used]})
    return ast.unparse(kept)


def named(module: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public names of a room and what they are, modules left out."""
    for name in dir(module):
        value = getattr(module, name)
        if not name.startswith("_") and not inspect.ismodule(value) and name != "annotations":
            yield name, value


def first(module: Any) -> str:
    """Return the first sentence of what a room says of itself."""
    return escaped((inspect.getdoc(module) or "").partition("\n\n")[0].replace("\n", " "), {})


def _short(module: Any) -> int:
    return sum(1 for _ in named(module))


def page(module: Any, known: dict[str, str]) -> str:
    """Return the page of a room."""
    room = module.__name__
    lines = [f"# {room}", "", *body(inspect.getdoc(module) or "", known), ""]
    for title, asked in (("Classes", inspect.isclass), ("Functions", inspect.isfunction)):
        found = sorted((name, value) for name, value in named(module) if asked(value))
        if found:
            lines += [f"## {title}", ""]
        for name, value in found:
            lines += entry(f"{room}.{name}", value, known)
    rest = sorted(
        (name, value) for name, value in named(module) if not inspect.isclass(value) and not inspect.isfunction(value)
    )
    if rest:
        lines += ["## Data", ""]
    for name, value in rest:
        text = " ".join(repr(value).split())
        shown = text if len(text) < 200 and " at 0x" not in text else f"a {type(value).__name__}"
        lines += [f"``````{{py:data}} {room}.{name}", "", f"`{shown.replace('`', chr(39))}`", "``````", ""]
    return "\n".join(lines)


def entry(path: str, value: Any, known: dict[str, str]) -> list[str]:
    """Return a class with its members, or a function."""
    fence = "`" * 8
    if not inspect.isclass(value):
        return [f"{fence}{{py:function}} {path}{signature(value)}", "", *body(inspect.getdoc(value) or "", known), fence, ""]
    lines = [f"{fence}{{py:class}} {path}{signature(value)}", "", *body((value.__doc__ and inspect.getdoc(value)) or "", known)]
    for name, member in members(value):
        lines += ["", *member_entry(f"{path}.{name}", member, known)]
    return [*lines, fence, ""]


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield what a class defines itself, and what it has of classes that have no public name."""
    for name in dict.fromkeys(name for cls in kind.__mro__ for name in vars(cls)):
        owner = next(cls for cls in kind.__mro__ if name in vars(cls))
        if (
            name.startswith("_")
            or not owner.__module__.startswith("scmanip")
            or (owner is not kind and not owner.__name__.startswith("_"))
        ):
            continue
        member = vars(owner)[name]
        if inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod | cached_property):
            yield name, member


def member_entry(path: str, member: Any, known: dict[str, str]) -> list[str]:
    """Return a method or property."""
    fence = "`" * 7
    if isinstance(member, property | cached_property):
        function = member.fget if isinstance(member, property) else member.func
        return [f"{fence}{{py:property}} {path}", "", *body(inspect.getdoc(function) or "", known), fence]
    option = {classmethod: [":classmethod:"], staticmethod: [":staticmethod:"]}.get(type(member), [])
    function = getattr(member, "__func__", member)
    return [
        f"{fence}{{py:method}} {path}{signature(function, bound=option != [':staticmethod:'])}",
        *option,
        "",
        *body(inspect.getdoc(function) or "", known),
        fence,
    ]


def signature(value: Any, *, bound: bool = False) -> str:
    """Return parameters and what they are when they are left out, without types, which the docstring says in words."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "()"
    parameters = list(found.parameters.values())[1 if bound else 0 :]
    plain = [p.replace(annotation=p.empty, default=p.default if _plain(p.default) else _Shown(p.default)) for p in parameters]
    return str(found.replace(parameters=plain, return_annotation=found.empty)).replace("\n", " ")


def _plain(value: Any) -> bool:
    return value is inspect.Parameter.empty or (
        isinstance(value, int | float | str | bool | None | tuple) and len(repr(value)) < 60
    )


class _Shown:
    def __init__(self, value: Any) -> None:
        self.text = repr(value) if re.fullmatch(r"[\w.()= ,]+", repr(value)) and len(repr(value)) < 60 else "..."

    def __repr__(self) -> str:
        return self.text


def escaped(text: str, known: dict[str, str]) -> str:
    """Return prose as Markdown that shows it as it is, with names and works as links."""
    pieces = QUOTED.split(text)
    return "".join(_quoted(piece, known) if number % 2 else _prose(piece) for number, piece in enumerate(pieces))


def _quoted(piece: str, known: dict[str, str]) -> str:
    name = piece.removeprefix("scmanip.").rpartition(".")[2].partition("(")[0]
    if piece.partition("(")[0] in {name, f"scmanip.{name}"} and name in known:
        return f"{{py:obj}}`{piece} <{known[name]}>`"
    return f"`{piece}`"


def _prose(piece: str) -> str:
    plain = SPECIAL.sub(r"\\\1", piece)
    return re.sub(r"\\\[([A-Z][A-Za-z]+\d{4})((?:, [A-Z][A-Za-z]+\d{4})*)\\\]", r"[\\[\1\2\\]](/references.md)", plain)


def body(doc: str, known: dict[str, str]) -> list[str]:
    """Return the lines of a docstring as Markdown: prose, lists of what is given, equations and examples as they are."""
    lines: list[str] = []
    for block in re.split(r"\n[ \t]*\n", doc):
        rows = block.splitlines()
        if not rows:
            continue
        if rows[0].lstrip().startswith(">>>"):
            lines += ["```pycon", *inspect.cleandoc(block.lstrip("\n")).splitlines(), "```", ""]
        elif all(row.startswith("    ") for row in rows):
            lines += ["```text", *inspect.cleandoc("\n" + block).splitlines(), "```", ""]
        else:
            lines += [*paragraph(rows, known), ""]
    return lines


def paragraph(rows: list[str], known: dict[str, str]) -> list[str]:
    """Return a paragraph, its rows "name : what it is" as a list and its indented equations as they are."""
    made: list[str] = []
    state = "prose"
    for row in rows:
        if FIELD.match(row):
            name, _, what = row.partition(" : ")
            made += ([""] if state != "field" else []) + [f"- **{escaped(name, {})}** : {escaped(what, known)}"]
            state = "field"
        elif set(row.strip()) == {"-"} and made:
            made[-1] = f"**{made[-1]}**"
            made.append("")
        elif row.startswith("    ") and state == "field":
            made.append("  " + escaped(row.strip(), known))
        elif row.startswith("    "):
            made += ["", "```text", row[4:], "```", ""]
        else:
            made += ([""] if state == "field" else []) + [_first_sign(escaped(row, known))]
            state = "prose"
    return made


def _first_sign(row: str) -> str:
    """Return a row that begins no list by chance."""
    return re.sub(r"^(\s*)([-+=:]|\d+[.)])(?=\s|$|=|-|:)", lambda m: m[1] + (m[2][:-1] + "\\" + m[2][-1]), row)
