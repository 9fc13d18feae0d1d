"""What the documents show works as shown: Python runs, TOML loads."""

import re
from pathlib import Path

import pytest

from scmanip.mission import Mission, load_mission
from scmanip.study import read_definition
from scmanip.system import System, TomlDocument

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONVENTIONS, README = "docs/conventions.md", "README.md"


def blocks(document, language):
    """The code blocks of one language, and the number of the line above each."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return [(text.count("\n", 0, m.start()) + 1, m[2]) for m in FENCE.finditer(text) if m[1] == language]


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


@pytest.mark.slow
def test_the_code_of_the_conventions_runs_top_to_bottom():
    assert len(blocks(CONVENTIONS, "python")) >= 5
    assert run_all(CONVENTIONS)["wxyz"].shape == (4,)


def test_the_ten_lines_of_the_readme_run(capsys):
    names = run_all(README, [("t_end_s=60.0", "t_end_s=1.0")])
    assert names["history"].t[-1] == 1.0
    assert "completed" in capsys.readouterr().out


@pytest.mark.slow
def test_the_examples_of_the_page_on_changing_constraints_are_as_its_paper_has_them():
    assert run_all("docs/changing-constraints.md")["cart"].layout.n_u == 4


def test_the_example_of_the_page_on_code_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_all("docs/rooms/export.md")["H"].shape == (3, 4, 4)


def test_there_are_files_to_load():
    schemas = [re.match(r'schema = "scmanip\.(\w+)/1"', text) for _, text in blocks(CONVENTIONS, "toml")]
    assert [match and match[1] for match in schemas].count("system") >= 3
    assert [match and match[1] for match in schemas].count("mission") >= 1
    assert None not in schemas


@pytest.mark.parametrize(
    ("line", "text"), blocks(CONVENTIONS, "toml"), ids=lambda value: str(value) if type(value) is int else ""
)
def test_a_file_in_the_conventions_loads(line, text, tmp_path):
    if text.startswith('schema = "scmanip.mission/'):
        path = tmp_path / "shown.toml"
        path.write_text(text, encoding="utf-8")
        assert isinstance(load_mission(path), Mission)
    elif text.startswith('schema = "scmanip.study/'):
        assert read_definition(TomlDocument.parse(text, f"{CONVENTIONS}:{line}")).metrics
    else:
        assert System.from_toml_text(text, file=f"{CONVENTIONS}:{line}", strict=True).layout.N > 0
