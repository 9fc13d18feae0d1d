"""Robots in XML: the root element says in which vocabulary. What reads them loads with the first one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...errors import InvalidSystem, nearest
from ..files._assembled import AssembledDocument
from ..files._text_file import path_text
from ._format import Format

if TYPE_CHECKING:
    from .reading._xml import Element


def _urdf(root: Element, file: str, roots: tuple[str, ...]) -> AssembledDocument:
    from ._looks import Looks
    from ._urdf import urdf_tables
    from .reading._mesh_files import MeshFiles

    return urdf_tables(root, file, Looks(MeshFiles.under(file, roots))).document


def _mjcf(root: Element, file: str, roots: tuple[str, ...]) -> AssembledDocument:
    from .mjcf._mjcf import mjcf_tables
    from .reading._mesh_files import MeshFiles

    return mjcf_tables(root, file, MeshFiles.under(file, roots)).document


ROOTS: Mapping[str, Callable[[Element, str, tuple[str, ...]], AssembledDocument]] = {"robot": _urdf, "mujoco": _mjcf}


class Xml(Format):
    """URDF and MJCF."""

    name = "URDF or MJCF"
    suffixes = (".urdf", ".xml", ".mjcf")

    def document(self, source: str | os.PathLike[str], roots: tuple[str, ...]) -> AssembledDocument:
        from .reading._xml import read_xml

        file = path_text(source)
        root = read_xml(file)
        if root.tag not in ROOTS:
            expected = f"<{'> or <'.join(ROOTS)}> as the root"
            raise InvalidSystem(root.problem("", expected, f"<{root.tag}>", nearest(root.tag, ROOTS)))
        return ROOTS[root.tag](root, file, roots)
