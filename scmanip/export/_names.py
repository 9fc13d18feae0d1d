"""Names in code of other languages: what comes from outside never reaches it as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ..errors import InvalidInput, Problem, expect

LONGEST = 58  # characters: MATLAB tells 63 apart, and a self-test is called `..._test`
OURS = re.compile(r"z(\d*|_part\d+)")  # what the Z's are called, and where pieces hand them on
TRIAL = re.compile(r"k|wrong|wrong_in|STATES|function|sys|(found|in|out)\d*")  # what self-tests have
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
PATH = re.compile(r"[A-Za-z][A-Za-z0-9_.:@\[\] -]*")
STRANGE = re.compile(r"[^A-Za-z0-9_ .,:;@+=()\[\]/^'<>|-]")


def legal_name(name: str, reserved: Collection[str]) -> str:
    """Return the name that a person chose for a function; raises `InvalidInput` for one that a language has no place for."""
    expect("name", name, str, "the name of a function")
    ours = OURS.fullmatch(name) or TRIAL.fullmatch(name)
    if WORD.fullmatch(name) and len(name) <= LONGEST and name not in reserved and not ours:
        return name
    expected = (
        f"a letter, then letters, digits and _, {LONGEST} characters at most, that are no word of the language or of self-tests"
    )
    raise InvalidInput(Problem("name", expected, repr(name)))


def legal_names(names: Iterable[str], reserved: Collection[str]) -> list[str]:
    """Return a name for every given one, all of them different: of paths such as `body.link2.mass_kg` `body_link2_mass_kg`.

    What is no path, be it long or of other characters, is called by its place: `value_3`.
    """
    taken, result = set(reserved), list[str]()
    for place, name in enumerate(names, 1):
        legal = _word(name) if is_plain(name) else f"value_{place}"
        while legal in taken or OURS.fullmatch(legal):
            legal += "_"
        taken.add(legal)
        result.append(legal)
    return result


def function_name(names: Iterable[str]) -> str:
    """Return what a function is called that is about some names, those left out that are no plain ones.

    >>> function_name(["planar-four-link", "H"]), function_name(["J_star:tip"]), function_name(["???"])
    ('planar_four_link_H', 'J_star_tip', 'program')
    """
    return "_".join(_word(name) for name in names if is_plain(name))[:LONGEST].rstrip("_") or "program"


def is_plain(name: str) -> bool:
    """Whether a name is a path of plain words, and not long: only such names are shown in comments.

    >>> is_plain("body.link2.mass_kg"), is_plain("*/ int main")
    (True, False)
    """
    return bool(PATH.fullmatch(name)) and len(name) <= LONGEST


def printable(text: str) -> str:
    """Return a text for a comment, which it cannot end: characters that could mean something are given by number."""
    return STRANGE.sub(lambda found: f"[{ord(found.group()):X}]", text)


def _word(path: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", path).strip("_")
