"""Reading a page of the report back, by a parser and by a browser."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from scmanip.study import csv_texts


class Tables(HTMLParser):
    """The cells of every table with an id, and the headings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.headings: list[str] = []
        self._rows: list[list[str]] | None = None
        self._tag = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        if tag == "table":
            name = dict(attrs).get("id")
            self._rows = None if name is None else self.tables.setdefault(name, [])
        if tag == "tr" and self._rows is not None:
            self._rows.append([])
        if tag in ("td", "th") and self._rows:
            self._rows[-1].append("")
        if tag == "h2":
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag in ("td", "th") and self._rows:
            self._rows[-1][-1] += data
        if self._tag == "h2":
            self.headings[-1] += data


def page(folder: Path) -> Tables:
    """The page of a folder."""
    return Tables((folder / "report.html").read_text(encoding="utf-8"))


def tables(folder: Path) -> dict[str, list[list[str]]]:
    """The rows of every CSV file of a folder's report."""
    files = (folder / "tables").iterdir()
    texts = {file.stem: io.StringIO(file.read_text(encoding="utf-8"), newline="") for file in files}
    return {name: [csv_texts(row) for row in csv.reader(text)] for name, text in texts.items()}


def opened(folder: Path, scratch: Path) -> tuple[Tables, bytes]:
    """What Chromium without a display makes of the page, and its PDF; it must not complain."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium on this machine, which .ci/run installs; the page is read back by a parser in the other tests")
    common = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={scratch}", "--enable-logging=stderr"]
    where, pdf = (folder / "report.html").as_uri(), scratch.with_suffix(".pdf")
    shown = subprocess.run([*common, "--dump-dom", where], capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in shown.stderr
    subprocess.run([*common, f"--print-to-pdf={pdf}", where], capture_output=True, timeout=120, check=True)
    return Tables(shown.stdout), pdf.read_bytes()
