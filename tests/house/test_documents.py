"""What the documents show works as shown: Python runs, TOML loads."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from scmanip.command._application import application
from scmanip.mission import Mission, load_mission
from scmanip.study import read_definition
from scmanip.system import System, TomlDocument, model_names

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(document, language):
    """The code blocks of one language, and the number of the line above each."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return [(text.count("\n", 0, m.start()) + 1, m[2]) for m in FENCE.finditer(text) if m[1] == language]


README = "README.md"
WITH_FILES = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs/files").glob("*.md"))]
FILES = [(page, *block) for page in WITH_FILES for block in blocks(page, "toml")]


def run_all(document, changes=()):
    """Run the Python blocks top to bottom in one namespace; what fails names its document and line."""
    names = {"__name__": document}
    for line, code in blocks(document, "python"):
        exec(compile("\n" * line + changed(code, changes), ROOT / document, "exec"), names)
    return names


def changed(code, changes):
    """Return code with texts replaced, each of which must be there once."""
    for old, new in changes:
        assert code.count(old) == 1, old
        code = code.replace(old, new)
    return code


def test_the_ten_lines_of_the_readme_run(capsys):
    names = run_all(README, [("t_end_s=60.0", "t_end_s=1.0")])
    assert names["history"].t[-1] == 1.0
    assert "completed" in capsys.readouterr().out


def test_there_are_files_to_load():
    schemas = [re.match(r'schema = "scmanip\.(\w+)/1"', text) for _, _, text in FILES]
    assert [match and match[1] for match in schemas].count("system") >= 3
    assert [match and match[1] for match in schemas].count("mission") >= 1
    assert None not in schemas


@pytest.mark.parametrize(("page", "line", "text"), FILES, ids=[f"{page}:{line}" for page, line, _ in FILES])
def test_a_file_in_the_documents_loads(page, line, text, tmp_path):
    if text.startswith('schema = "scmanip.mission/'):
        path = tmp_path / "shown.toml"
        path.write_text(text, encoding="utf-8")
        assert isinstance(load_mission(path), Mission)
    elif text.startswith('schema = "scmanip.study/'):
        assert read_definition(TomlDocument.parse(text, f"{page}:{line}")).metrics
    else:
        assert System.from_toml_text(text, file=f"{page}:{line}", strict=True).layout.N > 0


def test_the_readme_names_every_page_and_nothing_else():
    """Pages that lie in a folder with an index are named by that; `docs/index.md` is the same list."""
    named = {link for link in re.findall(r"\]\(([^)#]+)\)", (ROOT / README).read_text(encoding="utf-8")) if ":" not in link}
    assert [link for link in sorted(named) if not (ROOT / link).exists()] == []
    pages = [
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("docs/files/*.md"),
        *ROOT.glob("docs/*/index.md"),
        *ROOT.glob("notebooks/*.ipynb"),
    ]
    lists = {"docs/index.md", "docs/files/index.md"}
    assert {page.relative_to(ROOT).as_posix() for page in pages} - lists - named == set()


def test_the_readme_names_every_mission_and_every_command():
    text = (ROOT / README).read_text(encoding="utf-8")
    missions = {path.stem for path in (ROOT / "missions").glob("*.toml")}
    assert {name for name in missions if f"`{name}`" not in text} == set()
    told = set(re.findall(r"missions/(\w+)\.toml|mission:(\w+)", text))
    assert {name for names in told for name in names if name} <= missions
    group = get_command(application)
    there = {name for name, command in group.commands.items() if not command.hidden}
    assert {name for name in there if f"scmanip {name}" not in text} == set()
    assert set(re.findall(r"`scmanip (\w+)", text)) <= there


def test_the_readme_names_models_that_are_there():
    text = (ROOT / README).read_text(encoding="utf-8")
    assert set(re.findall(r"model:(\w+)", text)) <= set(model_names())
