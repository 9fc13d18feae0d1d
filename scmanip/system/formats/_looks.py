"""What links of URDF look like and collide with: boxes, balls and capsules to collide with are shapes, others are visuals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import Problem
from .reading._mesh_files import MeshFiles
from .reading._tables import Tables, placed, unused
from .reading._xml import Element

_SIZES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}
_SHAPES = {"box": "size_m", "sphere": "radius_m", "capsule": "radius_m"}


class Looks:
    """Adds what links look like to tables; `problems` are those of meshes."""

    def __init__(self, meshes: MeshFiles) -> None:
        self.meshes, self.problems = meshes, list[Problem]()
        self._names = set[str]()

    def add(self, tables: Tables, link: Element, frame: str, colours: Mapping[Any, Any]) -> None:
        """Add what a link looks like and collides with."""
        for element in link.all("visual", "collision"):
            geometry = element.one("geometry")
            form = geometry.children[0] if geometry is not None and geometry.children else None
            if form is None:
                self.problems.append(element.problem("geometry", f"one of {', '.join((*_SIZES, 'mesh'))}", "nothing"))
                continue
            place = element.place._replace(words=f"{link.words} {element.tag}")
            at = placed(element.value("origin", "xyz"), element.value("origin", "rpy"))
            solid = element.tag == "collision"
            if solid and form.tag in _SHAPES:
                name = self._unused(element.values.get("name") or f"{frame} {element.tag}")
                tables.add("shape", {"type": form.tag, "name": name, "frame": frame, **_shape(form), **at}, place)
            else:
                colour = _colour(element, colours)
                tables.add(
                    "visual", {"frame": frame, **self._form(form, tables), **colour, **at, **_said(collides=solid)}, place
                )

    def _form(self, form: Element, tables: Tables) -> dict[str, Any]:
        if form.tag != "mesh":
            sizes = [form.values[key] for key in _SIZES[form.tag]]
            return {"type": form.tag, "size_m": sizes[0] if form.tag == "box" else sizes}
        uri, file = form.values["filename"], form.values["filename"]
        try:
            file = self.meshes.found(uri)
        except ValueError as error:
            hint = "declare the folder of its package in `roots`" if "://" in uri else ""
            self.problems.append(form.problem("filename", "a file under a declared root", f"{uri!r}, {error}", hint))
        if file == uri:
            tables.leave_out(form.place, "<mesh> whose file is not found")
        scale = form.values.get("scale", [1.0, 1.0, 1.0])
        said = {"uri": uri} if file != uri else {}
        return {"type": "mesh", "file": file, **said, **({"scale": scale} if scale != [1.0, 1.0, 1.0] else {})}

    def _unused(self, name: str) -> str:
        found = unused(self._names, name)
        self._names.add(found)
        return found


def _said(**flags: bool) -> dict[str, bool]:
    return {key: True for key, value in flags.items() if value}


def _shape(form: Element) -> dict[str, Any]:
    sizes = {_SHAPES[form.tag]: form.values[_SIZES[form.tag][0]]}
    return sizes | ({"length_m": form.values["length"]} if form.tag == "capsule" else {})


def _colour(element: Element, colours: Mapping[Any, Any]) -> dict[str, Any]:
    material = element.one("material")
    if material is None:
        return {}
    found = material.value("color", "rgba") or colours.get(material.values.get("name"))
    return {"rgba": found} if found else {}
