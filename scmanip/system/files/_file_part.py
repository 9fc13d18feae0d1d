"""A named part of a system file: where its table stands and what it takes."""

from __future__ import annotations

from dataclasses import dataclass

from ._toml_places import KeyPath


@dataclass(frozen=True)
class FilePart:
    """A part that has a name.

    kind, name : such as "body" and "link3"; a link of an arm is a body and a joint
    path : its table
    keys : what the table takes, without names and what the tree is made of

    >>> document = TomlDocument.parse(system_text("model:planar_four_link"), "arm.toml")
    >>> [(part.kind, part.name) for part in file_parts(document)][:3]
    [('body', 'base'), ('body', 'link1'), ('joint', 'joint1')]
    """

    kind: str
    name: str
    path: KeyPath
    keys: tuple[str, ...]
