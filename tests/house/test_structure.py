"""How files lie in rooms: nothing imports itself by way of others, and no folder is too large to be seen at once."""

import ast
import functools
import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import scmanip

PACKAGE = Path(scmanip.__file__).parent
ROOT = PACKAGE.parent
MOST_FILES = 25


def module_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for path in sorted(Path(scmanip.__file__).parent.rglob("*.py"))}


@functools.cache
def imports_of(module):
    """Return the files of the package that a file imports when it runs, be it at once or in a function."""
    return frozenset(_imports(module))


def _imports(module):
    path = FILES[module]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in statements(tree.body):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = package[: len(package) - node.level + 1]
            origin = ".".join([*above, node.module] if node.module else above)
            names = [f"{origin}.{alias.name}" for alias in node.names]
            yield from (name if name in FILES else origin for name in names)


def statements(block):
    """Yield those of a block and in them, without those for types alone; expressions hold none."""
    for node in block:
        if not is_for_types_alone(node):
            yield node
            for part in ("body", "orelse", "handlers", "finalbody", "cases"):
                yield from statements(getattr(node, part, ()))


def is_for_types_alone(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def order(graph):
    """Return the nodes in an order in which each follows what it imports; fails with the circle where there is none."""
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_no_file_imports_itself_by_way_of_others():
    assert order({module: imports_of(module) - {module} for module in FILES})


def test_no_wing_of_a_room_imports_itself_by_way_of_others():
    """A wing is a folder in a room; files of a room that are in no wing count as one."""

    def wing(module):
        return ".".join(module.split(".")[:-1]) if FILES[module].name != "__init__.py" else module

    graph = {}
    for module in FILES:
        if module.count(".") > 1:
            graph.setdefault(wing(module), set()).update({wing(other) for other in imports_of(module)} - {wing(module)})
    assert order(graph)


def test_no_folder_has_more_files_than_one_can_see():
    folders = Counter(path.parent.relative_to(ROOT).as_posix() for path in FILES.values())
    assert {folder: count for folder, count in folders.items() if count > MOST_FILES} == {}


def test_a_class_has_a_name_of_its_own():
    """In the whole package, exported or not: readers meet both on their way. Names that begin with _ stay in a file."""
    texts = (path.read_text(encoding="utf-8") for path in FILES.values())
    names = Counter(name for text in texts for name in re.findall(r"^class (\w+)", text, re.MULTILINE))
    assert {name for name, count in names.items() if count > 1 and not name.startswith("_")} == set()


def test_what_the_map_of_the_design_names_is_there():
    design = (ROOT / "docs/design.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)+\w+)`", design))
    assert len(named) > 30
    places = {
        name: [ROOT / name, PACKAGE / name, (ROOT / name).with_suffix(".py"), (PACKAGE / name).with_suffix(".py")]
        for name in named
    }
    assert [name for name, paths in sorted(places.items()) if not any(path.exists() for path in paths)] == []


def test_the_map_of_the_design_has_a_page_for_every_room_and_names_its_wings():
    design = (ROOT / "docs/design.md").read_text(encoding="utf-8")
    folders = [path for path in PACKAGE.iterdir() if (path / "__init__.py").exists()]
    pages = {room: page for room, page in re.findall(r"\[`(\w+)`\]\((rooms/\w+\.md)\)", design)}
    assert pages.keys() >= {room.name for room in folders}
    assert all((ROOT / "docs" / page).exists() for page in pages.values())
    wings = {wing.name for room in folders for wing in room.iterdir() if (wing / "__init__.py").exists()}
    assert {wing for wing in wings if f"`{wing}`" not in design} == set()
