"""The languages that programs can be written in."""

from __future__ import annotations

from ..errors import UnknownName, expect
from ._c99 import C99
from ._language import Language
from ._octave import Octave
from ._python import Python
from ._rust import Rust

LANGUAGES: dict[str, Language] = {"c": C99(), "matlab": Octave(), "python": Python(), "rust": Rust()}


def language_of(name: str) -> Language:
    """Return a language by its name; raises `UnknownName`."""
    expect("language", name, str, "the name of a language")
    if name not in LANGUAGES:
        raise UnknownName("language", name, "code", LANGUAGES)
    return LANGUAGES[name]
