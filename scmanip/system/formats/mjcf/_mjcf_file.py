"""An MJCF file with what it includes, and what its compiler settings and default classes make of the words in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ....errors import Problem, nearest
from ....spatial import Array, dcm_from_axis_angle, dcm_from_quaternion
from ..reading._mesh_files import MeshFiles
from ..reading._tables import from_z
from ..reading._xml import Element, read_xml, refused
from ._mjcf_tags import ACTUATORS, ORIENTATIONS

Pose = tuple[Array, Array]  # origin (3,) and rotation (3, 3)
MAIN = "main"
_FAMILIES = {**dict.fromkeys(ACTUATORS, "actuator"), **dict.fromkeys(("connect", "weld"), "equality"), "spatial": "tendon"}


def included(root: Element, files: MeshFiles, *, seen: frozenset[str] = frozenset()) -> Element:
    """Return an element with what its <include>s name in their place; raises `InvalidSystem`."""
    found = list[Element]()
    for child in root.children:
        found += _of_include(child, files, seen) if child.tag == "include" else [included(child, files, seen=seen)]
    return replace(root, children=found)


def _of_include(element: Element, files: MeshFiles, seen: frozenset[str]) -> list[Element]:
    expected = "an MJCF file in the folder of this one or under a declared root"
    name = element.attributes.get("file", "")
    try:
        path = files.found(name) if name else ""
    except ValueError as error:
        refused([element.problem("file", expected, f"{name!r}, {error}")])
    if not Path(path).is_file():
        path = str(files.folder / name)
    if not name or not Path(path).is_file():
        refused([element.problem("file", expected, f"{name!r}, no such file" if name else "nothing")])
    if path in seen:
        refused([element.problem("file", "a file that is not in itself", repr(name))])
    inner = read_xml(path)
    if inner.tag not in ("mujoco", "mujocoinclude"):
        refused([inner.problem("", "<mujoco> or <mujocoinclude> as the root", f"<{inner.tag}>")])
    return included(inner, files, seen=seen | {path}).children


@dataclass(frozen=True, eq=False)
class Compiler:
    """How numbers of a file are meant."""

    degrees: bool = True
    eulerseq: str = "xyz"
    autolimits: bool = True
    from_geoms: str = "auto"
    groups: tuple[float, float] = (0.0, 5.0)
    bound_kg: float = 0.0
    bound_kg_m2: float = 0.0
    meshdir: str = ""
    total_kg: float = -1.0

    @classmethod
    def of(cls, root: Element) -> Compiler:
        """Return that of a file; raises `InvalidSystem` for what would change masses in ways of MuJoCo's own."""
        said: dict[str, Any] = {}
        problems = list[Problem]()
        for element in root.all("compiler"):
            said |= element.values
            if element.values.get("balanceinertia") == "true":
                problems.append(element.problem("balanceinertia", "inertias as they are meant", "true, which changes them"))
            if element.values.get("strippath") == "true":
                problems.append(element.problem("strippath", "false", "true"))
        refused(problems)
        return cls(
            said.get("angle") != "radian",
            said.get("eulerseq", "xyz"),
            said.get("autolimits") != "false",
            said.get("inertiafromgeom", "auto"),
            tuple(said.get("inertiagrouprange", (0.0, 5.0))),
            said.get("boundmass", 0.0),
            said.get("boundinertia", 0.0),
            said.get("meshdir", said.get("assetdir", "")),
            said.get("settotalmass", -1.0),
        )

    @property
    def angle(self) -> float:
        """Radians of the unit of angles."""
        return np.pi / 180 if self.degrees else 1.0

    def counts(self, values: dict[str, Any], flag: str, key: str) -> bool:
        """Whether the range `key` of an element counts: where `flag` says so, or it is said at all."""
        said = values.get(flag, "auto")
        return key in values and (said == "true" or (said == "auto" and self.autolimits))

    def turned(self, values: dict[str, Any]) -> Array:
        """Return the rotation (3, 3) that an element says."""
        if "quat" in values:
            w, *v = np.asarray(values["quat"]) / np.linalg.norm(values["quat"])
            return dcm_from_quaternion(np.array([*v, w]))
        if "axisangle" in values:
            *axis, angle = values["axisangle"]
            return dcm_from_axis_angle(np.array(axis) / np.linalg.norm(axis), angle * self.angle)
        if "euler" in values:
            R = np.eye(3)
            for letter, angle in zip(self.eulerseq, values["euler"], strict=True):
                turn = dcm_from_axis_angle(np.eye(3)["xyz".index(letter.lower())], angle * self.angle)
                R = R @ turn if letter.islower() else turn @ R
            return R
        if "xyaxes" in values:
            x, y = np.reshape(values["xyaxes"], (2, 3))
            x = x / np.linalg.norm(x)
            y = y - x * (x @ y)
            y = y / np.linalg.norm(y)
            return np.column_stack([x, y, np.cross(x, y)])
        if "zaxis" in values:
            return from_z(np.asarray(values["zaxis"]) / np.linalg.norm(values["zaxis"]))
        return np.eye(3)

    def pose(self, values: dict[str, Any]) -> Pose:
        """Return where an element is; `fromto` puts it between two points, z along them."""
        if "fromto" in values:
            ends = np.reshape(values["fromto"], (2, 3))
            along = ends[0] - ends[1]
            return ends.mean(axis=0), from_z(along / np.linalg.norm(along))
        return np.array(values.get("pos", np.zeros(3))), self.turned(values)


@dataclass(eq=False)
class Defaults:
    """What the classes of a file say for kinds of elements."""

    said: dict[str, dict[str, dict[str, Any]]] = field(default_factory=lambda: {MAIN: {}})
    problems: list[Problem] = field(default_factory=list)

    @classmethod
    def of(cls, root: Element) -> Defaults:
        """Return those of a file."""
        made = cls()
        for element in root.all("default"):
            made._add(element, MAIN, outermost=True)
        return made

    def _add(self, element: Element, above: str, *, outermost: bool = False) -> None:
        name = element.values.get("class", MAIN if outermost else None)
        if name is None or (not outermost and name in self.said):
            found = "nothing" if name is None else f"{name!r}, already a class"
            self.problems.append(element.problem("class", "a name used once", found))
            return
        known = self.said.setdefault(name, {kind: dict(row) for kind, row in self.said[above].items()})
        for child in element.children:
            if child.tag != "default":
                family = _FAMILIES.get(child.tag, child.tag)
                known[family] = _over(known.get(family, {}), child.values)
        for child in element.all("default"):
            self._add(child, name)

    def values(self, element: Element, childclass: str, family: str = "") -> dict[str, Any]:
        """Return what an element says with what its class says for it."""
        name = element.values.get("class", childclass)
        kind = family or _FAMILIES.get(element.tag, element.tag)
        if name not in self.said:
            self.problems.append(
                element.problem("class", "the name of a <default> class", repr(name), nearest(name, self.said))
            )
        return _over(self.said.get(name, {}).get(kind, {}), element.values)


def _over(below: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """Return values with what is said in place of others; one way to say a rotation takes the place of another."""
    gone = {*ORIENTATIONS, "fromto"} if said.keys() & {*ORIENTATIONS, "fromto"} else set()
    return {key: value for key, value in below.items() if key not in gone} | said


def value_problems(element: Element) -> Iterator[Problem]:
    """Yield rotations that are said twice or are none, in an element and all that are in it."""
    given = [key for key in (*ORIENTATIONS, "fromto") if key in element.values]
    if len(given) > 1:
        yield element.problem(given[1], f"one of {', '.join((*ORIENTATIONS, 'fromto'))}", " and ".join(given))
    for key in given:
        parts = np.asarray(element.values[key])
        axes = {"xyaxes": [parts[:3], np.cross(parts[:3], parts[3:])] if key == "xyaxes" else [], "euler": []}
        axes |= {"axisangle": [parts[:3]], "fromto": [parts[3:] - parts[:3]] if key == "fromto" else []}
        if not all(np.any(axis) for axis in axes.get(key, [parts])):
            words = "two different points" if key == "fromto" else "axes that are not 0 or parallel"
            yield element.problem(key, words if key != "quat" else "a quaternion that is not 0", element.attributes[key])
    for child in element.children:
        yield from value_problems(child)
