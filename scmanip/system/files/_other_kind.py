"""What a file is that was taken for another kind of file."""

from __future__ import annotations

from ...errors import Problem, checked
from ._document import TomlDocument
from ._schema_problems import found_text

_TAKEN = {  # what takes each kind of file
    "system": "a system file, which missions name: `scmanip new mission FILE --of SYSTEM` writes one",
    "mission": "a mission file: `scmanip run` flies it",
    "study": "a study file: `scmanip study run` flies it",
}


@checked
def other_kind(document: TomlDocument, schema: str) -> Problem:
    """Return the problem of a document that does not say `schema`, with what it is and which command takes that.

    >>> print(other_kind(TomlDocument.parse("schema = 'scmanip.study/1'", "slew.toml"), "scmanip.mission/1"))
    slew.toml:1:1: schema: expected 'scmanip.mission/1', found 'scmanip.study/1'; this is a study file: `scmanip study run` ...
    """
    said, kind = document.data.get("schema"), schema.removeprefix("scmanip.").partition("/")[0]
    if not document.data:
        hint = f"`scmanip new {kind} FILE` writes one to start from"
        found = "comments and nothing else" if document.text.strip() else "an empty file"
        return document.problem(("schema",), repr(schema), found, hint)
    if said is None:
        return document.problem(("schema",), repr(schema), "nothing", f"is this a {kind} file?")
    its = str(said).removeprefix("scmanip.").partition("/")[0]
    hint = f"this is {_TAKEN[its]}" if its in _TAKEN and its != kind else ""
    return document.problem(("schema",), repr(schema), found_text(said), hint)
