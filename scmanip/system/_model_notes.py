"""What the comment at the head of a packaged model says of its numbers: source, licence, status, check, doubts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import InvalidSystem, checked_as
from .formats._toml_format import LIBRARY, model_text

_LABEL = re.compile(r"([A-Z][a-z]+): (.*)")


@dataclass(frozen=True)
class ModelNotes:
    """Where the numbers of a packaged model come from. All are texts, empty where the file does not say it.

    title : what it is, in a sentence
    source : whose numbers these are, a short name first, up to the first colon
    licence : under which they were published
    status : published, at second hand, ours
    check : which published numbers the tests compare it with, and which of ours
    sums : its mass, and its centre of mass with all joints at zero
    doubts : what is uncertain, and what it lacks

    >>> scmanip.system.model_notes("rocket_body").sums
    '1434 kg, centre of mass at (0, 0, 0) m in base axes with all joints at zero.'
    """

    title: str = ""
    source: str = ""
    licence: str = ""
    status: str = ""
    check: str = ""
    sums: str = ""
    doubts: str = ""

    @property
    def cited(self) -> str:
        """The short name of the source."""
        return self.source.partition(":")[0]


@checked_as(InvalidSystem)
def model_notes(name: str) -> ModelNotes:
    """Return what a packaged model says of itself, by the labels in the comment that its file begins with.

    A label is a word and a colon at the beginning of a line, such as `# Source: `; lines that are indented go on with it.
    Labels that are none of `ModelNotes` are for people alone. Raises `InvalidSystem` where there is no model of that name.

    >>> notes = scmanip.system.model_notes("puma560")
    >>> notes.cited
    'Armstrong et al. 1986'
    >>> notes.licence
    'MIT, that of the toolbox; numbers only.'
    """
    said: dict[str, str] = {}
    label = "title"
    for line in model_text(f"{LIBRARY}{name.removeprefix(LIBRARY)}").splitlines():
        if not line.startswith("#"):
            break
        text = line[1:].strip()
        if found := _LABEL.fullmatch(text):
            label, text = found[1].lower(), found[2]
        said[label] = f"{said.get(label, '')} {text}".strip()
    return ModelNotes(**{key: said.get(key, "") for key in ModelNotes.__dataclass_fields__})
