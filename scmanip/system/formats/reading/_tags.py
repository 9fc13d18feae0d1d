"""What the elements of a kind of XML file may say: checked before anything is made of it, all mistakes at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....errors import Problem, name_problems, nearest
from ...files._assembled import SourcePlace
from ...files._schema_problems import found_text
from ._number import number
from ._xml import Element

Read = Callable[[str], Any]  # raises `ValueError` for what is none


@dataclass(frozen=True)
class TextForm:
    """What an attribute takes, in words and as a function of its text."""

    words: str
    read: Read


@dataclass(frozen=True)
class Tag:
    """What an element takes.

    attributes : those that it may have; needs : those of them that it must have
    once, needed, several : elements in it, at most one, exactly one, any number of each
    left_out, unused : elements and attributes that are known and say nothing about a system
    """

    attributes: Mapping[str, TextForm] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[str, ...]:
        """The elements that it may have in it."""
        return (*self.needed, *self.once, *self.several)


def numbers(most: int, words: str = "", *, least: int | None = None) -> TextForm:
    """Return the form of some numbers with spaces between them; least : as many as `most` if not said."""
    fewest = most if least is None else least

    def read(text: str) -> list[float]:
        found = [number(each) for each in text.split()]
        if not fewest <= len(found) <= most:
            raise ValueError(text)
        return found

    count = str(most) if fewest == most else f"{fewest} to {most}"
    return TextForm(words or f"{count} numbers with spaces between them", read)


def one_of(*words: str) -> TextForm:
    """Return the form of one of some words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(text)
        return text

    return TextForm(f"one of {', '.join(words)}", read)


def _name(text: str) -> str:
    if name_problems("", text):
        raise ValueError(text)
    return text


NUMBER = TextForm("a finite number", number)
NAME = TextForm("a text that is not empty", _name)
TEXT = TextForm("a text", str)


def tag_problems(element: Element, tags: Mapping[str, Tag]) -> list[Problem]:
    """Return all that is wrong with an element of a known kind and those in it; their `values` are filled.

    tags : by their names, or by "parent/child" where what an element takes depends on what it is in
    """
    return list(_problems(element, tags, tags[element.tag]))


def _tag_in(tags: Mapping[str, Tag], element: Element, child: Element) -> Tag:
    """Return what an element takes in another one."""
    return tags.get(f"{element.tag}/{child.tag}") or tags[child.tag]


def _problems(element: Element, tags: Mapping[str, Tag], tag: Tag) -> Iterator[Problem]:
    for key, text in element.attributes.items():
        form = tag.attributes.get(key)
        if form is None:
            yield from _unknown_attribute(element, key, tag)
            continue
        try:
            element.values[key] = form.read(text)
        except ValueError:
            yield element.problem(key, form.words, found_text(text), _comma(text))
    for key in tag.needs:
        if key not in element.attributes and not any(nearest(other, [key]) for other in element.attributes):
            yield element.problem(key, tag.attributes[key].words, "nothing")
    if element.texts:
        yield element.problem("", "elements and no text", found_text(element.texts[0]))
    yield from _count_problems(element, tag)
    for child in element.children:
        if child.tag in tag.known:
            yield from _problems(child, tags, _tag_in(tags, element, child))
        elif child.tag not in tag.left_out and "}" not in child.tag:
            expected = f"one of <{'>, <'.join(tag.known)}>" if tag.known else f"nothing in <{element.tag}>"
            yield child.problem("", expected, f"the unknown element <{child.tag}>", nearest(child.tag, tag.known))


def _unknown_attribute(element: Element, key: str, tag: Tag) -> Iterator[Problem]:
    if "}" not in key and key not in tag.unused:  # with a brace it is an attribute of another vocabulary
        expected = f"one of {', '.join(tag.attributes)}" if tag.attributes else "no attributes"
        yield element.problem("", expected, f"the unknown attribute {key!r}", nearest(key, tag.attributes))


def _count_problems(element: Element, tag: Tag) -> Iterator[Problem]:
    for name in (*tag.needed, *tag.once):
        found = element.all(name)
        if len(found) > 1:
            yield found[1].problem("", f"one <{name}> in {element.words}", "a second one")
        elif not found and name in tag.needed and not any(nearest(child.tag, [name]) for child in element.children):
            yield element.problem("", f"a <{name}> in it", "nothing")


def _comma(text: str) -> str:
    return "numbers are written with a point" if "," in text else ""


def left_out(element: Element, tags: Mapping[str, Tag], tag: Tag | None = None) -> Iterator[SourcePlace]:
    """Yield the places and the words of what says nothing about a system; tag : what the element takes."""
    tag = tag or tags[element.tag]
    for key in element.attributes:
        if key not in tag.attributes:
            yield element.place._replace(words=f"{key!r} of <{element.tag}>")
    for child in element.children:
        if child.tag in tag.known:
            yield from left_out(child, tags, _tag_in(tags, element, child))
        else:
            yield child.place._replace(words=f"<{child.tag}>")
