"""Robots in XML: the root element says in which vocabulary."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from ...errors import InvalidSystem, nearest
from ..files._assembled import AssembledDocument
from ..files._text_file import path_text
from ._format import Format
from ._looks import Looks
from ._mesh_files import MeshFiles
from ._urdf import urdf_tables
from ._xml import Element, read_xml


def _urdf(root: Element, file: str, roots: tuple[str, ...]) -> AssembledDocument:
    return urdf_tables(root, file, Looks(MeshFiles.under(file, roots))).document


ROOTS: Mapping[str, Callable[[Element, str, tuple[str, ...]], AssembledDocument]] = {"robot": _urdf}


class Xml(Format):
    """URDF and MJCF."""

    name = "URDF or MJCF"
    suffixes = (".urdf", ".xml", ".mjcf")

    def document(self, source: str | os.PathLike[str], roots: tuple[str, ...]) -> AssembledDocument:
        file = path_text(source)
        root = read_xml(file)
        if root.tag not in ROOTS:
            expected = f"<{'> or <'.join(ROOTS)}> as the root"
            raise InvalidSystem(root.problem("", expected, f"<{root.tag}>", nearest(root.tag, ROOTS)))
        return ROOTS[root.tag](root, file, roots)
