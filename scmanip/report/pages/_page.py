"""One HTML file that needs nothing else: headings, paragraphs, tables, pictures; readable on a screen and on paper."""

from __future__ import annotations

import base64
import csv
import html
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...study import csv_cells
from ..figures._panels import Figure
from ._style import STYLE

WORDS = {"ok": "good", "passed": "good", "FAILED": "bad", "failed": "bad", "not shown": "open", "not resolved": "open"}
MANY = 8  # headings of tables with more columns have several lines
SHORT = 14  # cells with fewer letters have one line
_SALT = "scmanip"
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"  # the page loads nothing and runs nothing
# A frame is under the policy of its page: what plays is a script, asks for data that it brings along, and reaches nothing.
_PLAYING = (
    "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; font-src data:; connect-src data: blob:; "
    "worker-src blob:; script-src 'unsafe-inline' 'unsafe-eval'; script-src-attr 'none'"
)


@dataclass(frozen=True)
class TextTable:
    """Cells as text, the same on the page and in the CSV.

    name : of the CSV file, without its ending
    caption : a sentence that says what the rows are
    headings, rows : one cell per column

    >>> table = TextTable("masses", "Masses of bodies.", ("body", "mass"), (("base", "100 kg"),))
    >>> table.csv().split()
    ['body,mass', 'base,100', 'kg']
    """

    name: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def csv(self) -> str:
        """Return headings and rows as CSV; `study.csv_texts` reads a row back."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(map(csv_cells, [self.headings, *self.rows]))
        return text.getvalue()

    def html(self) -> Iterator[str]:
        """Yield the table's lines."""
        many = ' class="many"' if len(self.headings) > MANY else ""
        yield f'<table id="{html.escape(self.name)}"{many}><caption>{html.escape(self.caption)}</caption>'
        yield f"<thead><tr>{''.join(f'<th>{html.escape(cell)}</th>' for cell in self.headings)}</tr></thead><tbody>"
        for row in self.rows:
            yield f"<tr>{''.join(map(_cell, row))}</tr>"
        yield "</tbody></table>"

    def _repr_html_(self) -> str:
        return "".join(self.html())


@dataclass(frozen=True)
class Words:
    """A paragraph; `kind` colours it: "good", "bad", "open" where nothing is shown, "unasked" where nothing was asked.

    >>> list(Words("All limits are kept.", "good").html())
    ['<p class="good">All limits are kept.</p>']
    """

    text: str
    kind: str = ""

    def html(self) -> Iterator[str]:
        """Yield the paragraph."""
        yield f'<p class="{html.escape(self.kind)}">{html.escape(self.text)}</p>'


@dataclass(frozen=True)
class TypedLine:
    """A line to be typed.

    >>> list(TypedLine("scmanip run mission.toml").html())
    ['<pre>scmanip run mission.toml</pre>']
    """

    text: str

    def html(self) -> Iterator[str]:
        """Yield the line."""
        yield f"<pre>{html.escape(self.text)}</pre>"


@dataclass(frozen=True)
class Formulas:
    """Equations in MathML, each with what it is and where it stands.

    rows : (MathML, words, source)

    >>> formulas = Formulas((("<mi>H</mi>", "generalized inertia", "[Wilde2018] eq. 45"),))
    >>> "generalized inertia" in "".join(formulas.html())
    True
    """

    rows: tuple[tuple[str, str, str], ...]

    def html(self) -> Iterator[str]:
        """Yield a table of them."""
        yield '<table class="formulas"><tbody>'
        for formula, words, source in self.rows:
            yield f"<tr><td>{formula}</td><td>{html.escape(words)}</td><td>{html.escape(source)}</td></tr>"
        yield "</tbody></table>"


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure, drawn into the page as SVG.

    >>> "data:image/svg+xml" in "".join(Picture("rates", joint_rates_figure(history)).html())
    True
    """

    name: str
    figure: Figure

    def html(self) -> Iterator[str]:
        """Yield the picture."""
        drawn = base64.b64encode(svg(self.figure)).decode()
        yield f'<figure><img id="{html.escape(self.name)}" alt="{html.escape(self.name.replace("_", " "))}"'
        yield f' src="data:image/svg+xml;base64,{drawn}"></figure>'


@dataclass(frozen=True)
class Playback:
    """A page of its own with scripts, in a frame without a way to this one or to any other place.

    name : of the frame; title : what it shows; page : its HTML

    >>> print("".join(Playback("arm", "the arm at rest", "<p>").html())[:49])
    <figure class="playback"><iframe id="arm" sandbox
    """

    name: str
    title: str
    page: str

    def html(self) -> Iterator[str]:
        """Yield the frame."""
        name, title, page = map(html.escape, (self.name, self.title, self.page))
        frame = f'<iframe id="{name}" sandbox="allow-scripts" loading="lazy" title="{title}" srcdoc="{page}"></iframe>'
        yield f'<figure class="playback">{frame}</figure>'


Block = TextTable | Words | TypedLine | Formulas | Picture | Playback


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it; a section without blocks is left out.

    >>> Section("Masses", [Words("All is light.")]).heading
    'Masses'
    """

    heading: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class ReportPage:
    """A whole report.

    title : its heading; subtitle : a line below
    verdict : what it comes to, in a sentence, and whether that is good

    >>> told = [Section("Why", [Words("It was slow.")])]
    >>> page = ReportPage("A slew", "free-floating", Words("All limits are kept.", "good"), told)
    >>> page.passed, "<h2" in page.html()
    (True, True)
    """

    title: str
    subtitle: str
    verdict: Words
    sections: Sequence[Section] = field(default_factory=tuple)

    @property
    def passed(self) -> bool:
        """Whether its verdict is that all is well, or that nothing was asked."""
        return self.verdict.kind in ("good", "unasked")

    @property
    def tables(self) -> tuple[TextTable, ...]:
        """All tables in order."""
        return tuple(block for section in self.sections for block in section.blocks if isinstance(block, TextTable))

    @property
    def plays(self) -> bool:
        """Whether a picture in it is a script."""
        return any(isinstance(block, Playback) for section in self.sections for block in section.blocks)

    def html(self) -> str:
        """Return the page."""
        return "\n".join(self._lines()) + "\n"

    def _repr_html_(self) -> str:
        page = html.escape(self.html())
        return f'<iframe srcdoc="{page}" width="100%" height="600" title="{html.escape(self.title)}"></iframe>'

    def _lines(self) -> Iterator[str]:
        title = html.escape(self.title)
        shown = [(f"part-{number}", section) for number, section in enumerate(self.sections, 1) if section.blocks]
        yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        yield f'<meta http-equiv="Content-Security-Policy" content="{_PLAYING if self.plays else _POLICY}">'
        yield f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{STYLE}</style></head><body>'
        yield f'<header><h1>{title}</h1><p class="subtitle">{html.escape(self.subtitle)}</p>'
        yield from self.verdict.html()
        yield "</header><nav><ul>"
        yield from (f'<li><a href="#{mark}">{html.escape(section.heading)}</a></li>' for mark, section in shown)
        yield "</ul></nav><main>"
        for mark, section in shown:
            yield f'<section id="{mark}"><h2>{html.escape(section.heading)}</h2>'
            for block in section.blocks:
                yield from block.html()
            yield "</section>"
        yield "</main></body></html>"


def provenance(lines: Mapping[str, str], command: str | None) -> list[Block]:
    """Return what made the numbers of a page, by name, and the command that makes them again."""
    again: list[Block] = [Words("To make them again:"), TypedLine(command)] if command else []
    made = TextTable("provenance", "What made these numbers", ("what", "which"), tuple(lines.items()))
    return [made, *again] if lines else again


def svg(figure: Figure) -> bytes:
    """Return a figure as SVG, the same bytes every time."""
    from matplotlib import rc_context

    drawn = io.BytesIO()
    with rc_context({"svg.hashsalt": _SALT, "svg.fonttype": "path", "path.simplify": True}):
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue()


def _cell(text: str) -> str:
    kind = WORDS.get(text, "short" if len(text) < SHORT else "")
    return f'<td class="{kind}">{html.escape(text)}</td>' if kind else f"<td>{html.escape(text)}</td>"
