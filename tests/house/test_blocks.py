"""Every block of commands or Python in the README and the documents is run as it stands, in a folder for each page.

What is not run says so in its first line: `# not run by the tests: it opens a browser`. Setting up, which `.ci/run` does
first, is left out.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from scmanip.command._application import application

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(console|bash|shell|sh|python)[ \t]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NOT_RUN = re.compile(r"# not run by the tests: .{6,}\n")
SET_UP = ("python3 -m venv .venv && ", ".venv/bin/pip install ")  # by `.ci/run`
LEAVES = {  # what is there when a page has been run
    "docs/how-to/your-urdf.md": ("robot.png", "results/figures/base_disturbance.png", "results/system.toml", "base.png"),
    "docs/how-to/export.md": ("arm.urdf", "arm.xml", "arm.toml"),
    "docs/how-to/your-own-arm.md": ("arm.toml", "arm.png", "two_links.toml"),
    "docs/how-to/your-own-law.md": ("results/limp/cases.csv",),
    "docs/how-to/tracking-figure.md": ("tracking.png",),
    "docs/how-to/margins.md": ("margins.png",),
    "docs/how-to/map-of-j-star.md": ("j_star.png",),
    "docs/how-to/trade.md": ("results/trade/report.html",),
    "docs/how-to/report.md": ("results/slew/report.html",),
}
SCMANIP = re.compile(r"^(\.venv/bin/)?scmanip ")
MAY_FAIL = re.compile(r" # exit code (\d)$")


class Block(NamedTuple):
    """A block, its language, and the number of the line above it."""

    line: int
    language: str
    code: str


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page that are run."""
    text = page.read_text(encoding="utf-8")
    found = [Block(text.count("\n", 0, m.start()) + 1, m[1], m[2]) for m in FENCE.finditer(text)]
    return [block for block in found if not NOT_RUN.match(block.code)]


def unmarked(page: Path) -> int:
    """Return how many blocks of a page are not run."""
    return len(FENCE.findall(page.read_text(encoding="utf-8"))) - len(blocks(page))


MADE = {"generated", "notebooks"}
PAGES = [
    ROOT / "README.md",
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if p.relative_to(ROOT / "docs").parts[0] not in MADE),
]
WITH_BLOCKS = [page for page in PAGES if blocks(page)]


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_runs_as_it_stands(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("docs", "missions", "notebooks", "tests", "scmanip"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for file in (page.parent / "files").glob("*.urdf"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    module = ModuleType(page.stem.replace("-", "_"))  # where pickles and dataclasses look
    monkeypatch.setitem(sys.modules, module.__name__, module)
    names = vars(module)
    for line, language, code in blocks(page):
        if language == "python":
            exec(compile("\n" * line + code, page, "exec"), names)
        else:
            for command in code.replace("\\\n", " ").splitlines():
                run(command, f"{page.relative_to(ROOT)}:{line}")
    for left in LEAVES.get(page.relative_to(ROOT).as_posix(), ()):
        assert (tmp_path / left).stat().st_size > 100, left


def run(line: str, where: str) -> None:
    """Run a line of a console: one of scmanip in this process, as its start takes longer than what it does."""
    wanted = MAY_FAIL.search(line)
    command = line.removeprefix("$ ").partition(" # ")[0].strip()
    if not command or command.startswith("#") or command.startswith(SET_UP):
        return
    if SCMANIP.match(command) and not set("|&;<>") & set(command):
        result = CliRunner().invoke(application, shlex.split(SCMANIP.sub("", command)))
        code, said = result.exit_code, f"{result.output}\n{result.exception or ''}"
    else:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], capture_output=True, text=True, env=environment, check=False
        )
        code, said = done.returncode, done.stdout + done.stderr
    assert code == (int(wanted[1]) if wanted else 0), f"{where}: {command}\n{said}"


def test_few_blocks_are_not_run() -> None:
    assert sum(map(unmarked, PAGES)) <= 6


def test_languages_of_blocks_are_those_that_are_run_or_shown() -> None:
    known = {
        "console",
        "python",
        "toml",
        "text",
        "{toctree}",
        "{literalinclude}",
        "{math}",
        "{figure}",
        "json",
        "c",
        "xml",
        "latex",
    }
    known |= {"matlab", "rust", "csv", "pycon", "cpp", "julia", "html", "ini"}
    found = {
        (page.relative_to(ROOT).as_posix(), m[1])
        for page in PAGES
        for m in re.finditer(r"^```(\S+)", page.read_text("utf-8"), re.MULTILINE)
    }
    assert {pair for pair in found if pair[1] not in known} == set()
