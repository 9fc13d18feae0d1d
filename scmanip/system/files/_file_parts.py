"""The named parts of a system file."""

from __future__ import annotations

from ...errors import checked
from ._document import TomlDocument
from ._file_part import FilePart


@checked
def file_parts(document: TomlDocument) -> tuple[FilePart, ...]:
    """Return the named parts of a system file without mistakes.

    >>> document = TomlDocument.parse(system.to_toml(), "arm.toml")
    >>> part = file_parts(document)[0]
    >>> part.kind, part.name, part.keys[:3]
    ('body', 'base', ('mass_kg', 'com_m', 'inertia_kg_m2'))
    """
    from ._file_places import parts  # loads pydantic, which a system made in Python does not need

    return tuple(parts(document.data))
