"""Robots of the package `robot_descriptions`, by the name of their module: "robot_descriptions:panda_description"."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...errors import InvalidSystem, MissingExtra, Problem
from ..files._document import TomlDocument
from ._format import Format
from ._xml_format import Xml

PREFIX = "robot_descriptions:"


class FetchedRobot(Format):
    """A robot that the package fetches; meshes of its own folder are found."""

    name = "robot of robot_descriptions"

    def takes(self, source: Any) -> bool:
        return isinstance(source, str) and source.startswith(PREFIX)

    def document(self, source: str, roots: tuple[str, ...]) -> TomlDocument:
        name = source.removeprefix(PREFIX)
        try:
            import_module("robot_descriptions")
        except ImportError:
            raise MissingExtra("a robot of robot_descriptions", "robots") from None
        try:
            found = import_module(f"robot_descriptions.{name}") if name.isidentifier() else None
        except ModuleNotFoundError:
            found = None
        file = getattr(found, "URDF_PATH", None)
        if not isinstance(file, str):
            raise InvalidSystem(Problem("file", "a module of robot_descriptions with a URDF_PATH", repr(name)))
        packages = getattr(found, "REPOSITORY_PATH", None)
        return Xml().document(file, (*roots, *([packages] if isinstance(packages, str) else [])))
