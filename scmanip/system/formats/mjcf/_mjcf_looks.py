"""Geoms of MJCF: boxes, balls, capsules, planes and hulls that collide are shapes, others visuals."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from ....constraints import GROUND
from ....errors import nearest
from ..reading._mesh_files import MeshFiles
from ..reading._tables import Tables, placement_of, unused
from ..reading._xml import Element
from ._mjcf_file import MAIN
from ._mjcf_masses import NEEDED, MassSolid

if TYPE_CHECKING:
    from ._mjcf import MjcfLink, MjcfRobot

_DOUBLED = {
    "sphere": (1.0,),
    "box": (2.0, 2.0, 2.0),
    "cylinder": (1.0, 2.0),
    "capsule": (1.0, 2.0),
    "ellipsoid": (1.0, 1.0, 1.0),
}
_SHAPES = ("box", "sphere", "capsule", "plane")


def add_looks(tables: Tables, robot: MjcfRobot, files: MeshFiles) -> None:
    """Add shapes and visuals of all bodies, of the world where something here is it."""
    assets = [asset for section in robot.root.all("asset") for asset in section.children]
    meshes = {_mesh_name(each): each for each in assets if each.tag == "mesh"}
    colours = {
        each.values["name"]: robot.defaults.values(each, MAIN)
        for each in assets
        if each.tag == "material" and "name" in each.values
    }
    adder = _Looks(tables, robot, files, meshes, colours)
    for link in [robot.world, *(link for name, link in robot.links.items() if name != "world")]:
        for solid in link.solids:
            adder.add(link, solid)


def _mesh_name(mesh: Element) -> str:
    return mesh.values.get("name") or PurePath(mesh.values.get("file", "")).stem


class _Looks:
    def __init__(
        self, tables: Tables, robot: MjcfRobot, files: MeshFiles, meshes: dict[str, Element], colours: dict[str, dict[str, Any]]
    ) -> None:
        self.tables, self.robot, self.files, self.meshes, self.colours = tables, robot, files, meshes, colours
        self.names = set[str]()

    def add(self, link: MjcfLink, solid: MassSolid) -> None:
        """Add one geom."""
        element, values = solid.element, solid.values
        place = element.place._replace(words=element.words if "name" in element.values else f"{link.element.words} <geom>")
        collides = bool(values.get("contype", 1) or values.get("conaffinity", 1))
        at = placement_of(*solid.pose)
        vertices = self._vertices(solid)
        if collides and (solid.kind in _SHAPES or vertices is not None) and (link.name != GROUND or solid.kind == "plane"):
            name = self._unused(values.get("name") or f"{link.name} geom")
            own = _shape(solid) if vertices is None else {"type": "mesh", "vertices_m": vertices}
            self.tables.add("shape", {**own, "name": name, "frame": link.name, **at}, place)
            return
        said = self._visual(solid, vertices)
        if said is None or link.name == GROUND:
            where = " on the world, beside a base that floats" if link.name == GROUND else ""
            self.tables.leave_out(element.place, f"<geom> of type {solid.kind}{where}")
            return
        colour = values.get("rgba") or self.colours.get(values.get("material", ""), {}).get("rgba")
        rgba = {"rgba": list(colour)} if colour and all(0 <= each <= 1 for each in colour) else {}
        solidity = {"collides": True} if collides else {}
        self.tables.add("visual", {"frame": link.name, **said, **solidity, **rgba, **at}, place)

    def _mesh(self, solid: MassSolid) -> Element | None:
        name = solid.values.get("mesh")
        if name is not None and name not in self.meshes:
            problem = solid.element.problem("mesh", "the name of a <mesh>", repr(name), nearest(name, self.meshes))
            self.robot.problems.append(problem)
        return self.meshes.get(name) if name is not None else None

    def _vertices(self, solid: MassSolid) -> list[list[float]] | None:
        """Return the corners (n, 3) of a mesh that the file itself holds."""
        mesh = self._mesh(solid) if solid.kind == "mesh" else None
        if mesh is None or "vertex" not in mesh.values:
            return None
        numbers = mesh.values["vertex"]
        if len(numbers) % 3:
            self.robot.problems.append(mesh.problem("vertex", "numbers, three for each vertex", f"{len(numbers)} of them"))
            return None
        scale = self.robot.defaults.values(mesh, MAIN).get("scale", (1.0, 1.0, 1.0))
        found: list[list[float]] = (np.reshape(numbers, (-1, 3)) * scale).tolist()
        return found

    def _visual(self, solid: MassSolid, vertices: list[list[float]] | None) -> dict[str, Any] | None:
        """Return type and sizes, or file, of a visual; None where there is no word for it."""
        if solid.kind in NEEDED and "mesh" not in solid.values:
            sizes = [factor * size for factor, size in zip(_DOUBLED[solid.kind], solid.sizes, strict=False)]
            return {"type": solid.kind, "size_m": sizes}
        mesh = self._mesh(solid) if solid.kind == "mesh" else None
        if mesh is None or vertices is not None or "file" not in mesh.values:
            return None
        uri = str(PurePath(self.robot.compiler.meshdir) / mesh.values["file"])
        file = uri
        try:
            file = self.files.found(uri)
        except ValueError as error:
            self.robot.problems.append(mesh.problem("file", "a file under a declared root", f"{uri!r}, {error}"))
        if file == uri:
            self.tables.leave_out(mesh.place, "<mesh> whose file is not found")
        scale = self.robot.defaults.values(mesh, MAIN).get("scale", [1.0, 1.0, 1.0])
        return {"type": "mesh", "file": file, **({"scale": list(scale)} if list(scale) != [1.0, 1.0, 1.0] else {})}

    def _unused(self, name: str) -> str:
        found = unused(self.names, name)
        self.names.add(found)
        return found


def _shape(solid: MassSolid) -> dict[str, Any]:
    said: dict[str, Any] = {"type": solid.kind}
    if solid.kind == "box":
        return said | {"size_m": [2 * size for size in solid.sizes]}
    if solid.kind == "sphere":
        return said | {"radius_m": solid.sizes[0]}
    return said | ({"radius_m": solid.sizes[0], "length_m": 2 * solid.sizes[1]} if solid.kind == "capsule" else {})
