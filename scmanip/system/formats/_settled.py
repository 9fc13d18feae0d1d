"""What follows where a file says nothing of masses: links that mark a place are frames, and nothing can move without mass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import InvalidSystem, Problem, refuse
from ..files._assembled import AssembledDocument
from ..files._toml_places import KeyPath
from ..joints import kind_of
from .reading._tables import placement_of, pose_of

_MASSES = {"mass_kg", "inertia_kg_m2"}
_NONE = {"mass_kg": 0.0, "inertia_kg_m2": [0.0, 0.0, 0.0]}


def settled(document: AssembledDocument) -> AssembledDocument:
    """Return the document with frames in place of links without mass that mark a place, and with masses 0 of other links.

    Raises `InvalidSystem` for a base without mass that floats, and for joints that move no mass at all.
    """
    refuse([*_base_problems(document), *_idle_joints(document)], InvalidSystem)
    bodies, frames = list(document.data.get("body", [])), list(document.data.get("frame", []))
    places, gone = dict(document.places), list[int]()
    while (i := _mark(bodies, gone)) is not None:
        if ("body", i) in places:
            places["frame", len(frames)] = places["body", i]
        frames.append(_as_frame(bodies[i], frames))
        gone.append(i)
    kept = [i for i in range(len(bodies)) if i not in gone]
    moved = {("body", i): ("body", k) for k, i in enumerate(kept)}
    lost = {("body", i) for i in gone}
    places = {_moved(path, moved): place for path, place in places.items() if path[:2] not in lost}
    said = [bodies[i] if _MASSES & bodies[i].keys() else {**_NONE, **bodies[i]} for i in kept]
    data = {**document.data, "body": said, "frame": frames}
    return replace(document, data=data, places=places)


def _moved(path: KeyPath, moved: dict[Any, Any]) -> KeyPath:
    return (*moved[path[:2]], *path[2:]) if path[:2] in moved else path


def _mark(bodies: list[dict[str, Any]], gone: list[int]) -> int | None:
    """Return the number of the last link without mass that is fixed and carries nothing, if there is one."""
    left = [i for i in range(len(bodies)) if i not in gone]
    carriers = {bodies[i].get("parent") for i in left}
    marks = [i for i in left if not _MASSES & bodies[i].keys() and bodies[i].get("name") not in carriers]
    return next((i for i in reversed(marks) if bodies[i]["joint"].get("type") == "fixed"), None)


def _as_frame(body: dict[str, Any], frames: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the frame that a link is; those that are on it are put on what carries it."""
    origin, R = pose_of(body["joint"])
    for k, frame in enumerate(frames):
        if frame.get("body") == body["name"]:
            inner, turn = pose_of(frame)
            frames[k] = {"name": frame["name"], "body": body["parent"], **placement_of(origin + R @ inner, R @ turn)}
    at = {key: body["joint"][key] for key in ("origin_m", "rpy_rad", "dcm") if key in body["joint"]}
    return {"name": body["name"], "body": body["parent"], **at}


def _base_problems(document: AssembledDocument) -> Iterator[Problem]:
    base = document.data["base"]
    if base.get("fixed") is not True and not base.get("mass_kg"):
        hint = "a side table holds it by `[base]` `fixed = true`, or gives it mass_kg and inertia_kg_m2"
        found = "none" if "mass_kg" in base else "no <inertial>"
        yield document.problem(("base",), "mass, as the root floats", found, hint)


def _idle_joints(document: AssembledDocument) -> Iterator[Problem]:
    """Yield a problem for every joint all of whose links, outwards from it, have no mass."""
    bodies = [(i, body) for i, body in enumerate(document.data.get("body", [])) if isinstance(body.get("joint"), dict)]
    children: dict[Any, list[dict[str, Any]]] = {}
    for _, body in bodies:
        children.setdefault(body.get("parent"), []).append(body)
    for i, body in bodies:
        kind = kind_of(body["joint"])
        if kind is None or not kind.dof(body["joint"]):
            continue
        waiting, massive, seen = [body], False, set[str]()
        while waiting and not massive:
            each = waiting.pop()
            seen.add(str(each.get("name")))
            massive = bool(each.get("mass_kg")) or bool(np.any(each.get("inertia_kg_m2") or 0.0))
            waiting += [child for child in children.get(each.get("name"), []) if str(child.get("name")) not in seen]
        if not massive:
            name = body.get("name")
            hint = f"give {name!r} an <inertial>, or `[body.{name}]` of a side table mass_kg and inertia_kg_m2"
            yield document.problem(("body", i), "mass of what its joint moves", "no <inertial>", hint)
