"""XML with the line and column of every element, by a parser that knows no document types, entities or other files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors as expat_words

from ....errors import InvalidInput, InvalidSystem, Problem, refuse
from ...files._assembled import SourcePlace
from ...files._text_file import file_bytes, utf8_text

LARGEST = 2**22  # bytes; robots with 30 joints take up to 200,000
DEEPEST = 64
MOST = 50_000


@dataclass(frozen=True, eq=False)
class Element:
    """An element of an XML file and where its tag begins; `values` are its attributes as its kind of file reads them."""

    tag: str
    attributes: dict[str, str]
    place: SourcePlace
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """What problems call it."""
        name = self.attributes.get("name")
        return f"<{self.tag}>" if name is None else f"{self.tag} {name!r}"

    def all(self, *tags: str) -> list[Element]:
        """Return its children of some kinds."""
        return [child for child in self.children if child.tag in tags]

    def one(self, tag: str) -> Element | None:
        """Return its first child of a kind."""
        return next(iter(self.all(tag)), None)

    def value(self, tag: str, key: str, default: Any = None) -> Any:
        """Return what a child says under a key."""
        child = self.one(tag)
        return default if child is None else child.values.get(key, default)

    def problem(self, key: str, expected: str, found: str, hint: str = "") -> Problem:
        """Return a problem at this element."""
        words = f"{self.words} {key}".strip()
        return Problem(words, expected, found, self.place.file, self.place.line, self.place.column, hint)


def read_xml(file: str) -> Element:
    """Return the root of an XML file; raises `InvalidSystem` with the place of what is wrong."""
    try:
        return parse_xml(utf8_text(file_bytes(file, LARGEST), file), file)
    except InvalidInput as error:
        raise InvalidSystem(error.problems) from None


def parse_xml(text: str, file: str) -> Element:
    """Return the root of an XML text; raises `InvalidSystem`."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    builder = _Builder(file)
    parser: Any = DefusedXMLParser(target=builder, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    builder.expat = parser.parser
    try:
        parser.feed(text)
        parser.close()
    except DefusedXmlException:
        raise InvalidSystem(builder.problem("a file without document type and entities", "a <!DOCTYPE>")) from None
    except ParseError as error:
        line, column = error.position
        found = "an empty file" if not text.strip() else expat_words.messages.get(error.code, str(error))
        raise InvalidSystem(Problem("syntax", "an XML file", found, file, line, column + 1)) from None
    return builder.root


class _Builder:
    """Makes elements of what a parser tells."""

    def __init__(self, file: str) -> None:
        self.file, self.expat, self.count = file, None, 0
        self.open: list[Element] = []
        self.root: Any = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.here())
        self.count += 1
        if len(self.open) >= DEEPEST:
            raise InvalidSystem(self.problem(f"at most {DEEPEST} elements in one another", "one that lies too deep"))
        if self.count > MOST:
            raise InvalidSystem(self.problem(f"at most {MOST:,} elements", "more"))
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, tag: str) -> None:
        del tag
        self.open.pop()

    def data(self, text: str) -> None:
        if self.open and not text.isspace():
            self.open[-1].texts.append(text.strip())

    def close(self) -> None:
        """End."""

    def here(self) -> SourcePlace:
        parser: Any = self.expat
        return SourcePlace(self.file, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def problem(self, expected: str, found: str) -> Problem:
        """Return a problem at what is being read."""
        place = self.here()
        return Problem("file", expected, found, place.file, place.line, place.column)


def refused(problems: Iterable[Problem]) -> None:
    """Raise `InvalidSystem` for problems, those of a file by their places."""
    in_order = [*problems]
    in_order.sort(key=lambda problem: (problem.file, problem.line, problem.column))
    refuse(in_order, InvalidSystem)
