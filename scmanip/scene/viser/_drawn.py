"""A scene as nodes of viser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...shapes import Surface, cone_surface
from ...spatial import FloatArray, quaternion_from_dcm
from .._scene import Scene
from ..motion._trail import Arrow
from ..things._item import COLOURS, Item
from ._smooth import with_creases

Colour: TypeAlias = tuple[int, int, int]

if TYPE_CHECKING:
    from viser import FrameHandle, SceneApi, ViserServer

WORLD = "/scene"
_CELLS = 24  # of the grid, along each edge
_UNIT = np.array([[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]])


def draw(server: ViserServer, scene: Scene) -> dict[str, list[str]]:
    """Draw a scene at its first time, its camera where all of it is seen; return the nodes of each group."""
    api, (_, groups) = server.scene, draw_bodies(server, scene)
    for number, trail in enumerate(scene.trails):
        points = np.repeat(trail.points[:1], 2, axis=0)[None]
        name = trail_node(number)
        api.add_line_segments(name, points, COLOURS[trail.colour], thickness=2.5, thickness_units="screen")
        groups.setdefault("trails", []).append(name)
    for number, arrow in enumerate(scene.arrows):
        _arrow(api, arrow_node(number), arrow)
        groups.setdefault(arrow.group, []).append(arrow_node(number))
    return groups


def draw_bodies(server: ViserServer, scene: Scene) -> tuple[list[FrameHandle], dict[str, list[str]]]:
    """Draw what a scene has on bodies at its first time, and its surroundings; return the bodies' nodes and those of groups.

    server : of viser, whose camera is put where all of it is seen

    >>> from scmanip.scene.viser._loopback import quiet_server
    >>> with quiet_server() as server:
    ...     bodies, groups = draw_bodies(server, scene_of(system))
    ...
    >>> len(bodies), "bodies" in groups, "joint axes" in groups
    (5, True, True)
    """
    api = server.scene
    api.set_up_direction("+z")
    _lights(api)
    api.add_frame(WORLD, show_axes=False)
    _grid(api, scene)
    _camera(server, scene)
    bodies, groups = list[Any](), dict[str, list[str]]()
    for number in range(scene.poses.shape[1]):
        bodies.append(api.add_frame(body_node(number), show_axes=False))
        pose_body(bodies[-1], scene.poses[0, number])
    for number, item in enumerate(scene.items):
        groups.setdefault(item.group, []).extend(_item(api, number, item))
    return bodies, groups


def pose_body(body: FrameHandle, pose: FloatArray) -> None:
    """Put the node of a body where it is by its pose (7,), as `body_poses` gives them.

    >>> from types import SimpleNamespace
    >>> node = SimpleNamespace()
    >>> pose_body(node, np.array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]))
    >>> node.position.tolist(), node.wxyz.tolist()
    ([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0])
    """
    body.position, body.wxyz = pose[:3], _wxyz(pose[3:])


def body_node(number: int) -> str:
    """Return the node that moves with a body."""
    return f"{WORLD}/body{number}"


def trail_node(number: int) -> str:
    """Return the node of a trail."""
    return f"{WORLD}/trail{number}"


def arrow_node(number: int) -> str:
    """Return the node of an arrow."""
    return f"{WORLD}/arrow{number}"


def _item(api: SceneApi, number: int, item: Item) -> Iterator[str]:
    """Draw an item where its body is; give its nodes."""
    name = f"{WORLD if item.body is None else body_node(item.body)}/item{number}"
    at: dict[str, Any] = {"position": item.r, "wxyz": _wxyz(quaternion_from_dcm(item.R)), "visible": item.shown}
    surface, lines = item.solid.triangles(), item.solid.lines()
    if len(surface.faces):
        _mesh(api, name, with_creases(surface), item.rgb, item.opacity, **at)
        yield name
    if len(lines):
        words = item.solid.line_colours(item.colour)
        colours = np.array([[COLOURS[word]] * 2 for word in words], dtype=np.uint8)
        api.add_line_segments(f"{name}_lines", lines, colours, thickness=2.0, thickness_units="screen", **at)
        yield f"{name}_lines"


def _arrow(api: SceneApi, name: str, arrow: Arrow) -> None:
    """Draw an arrow, or a plume, of length 1 along z; player.js turns and scales it."""
    colour = COLOURS[arrow.colour]
    if arrow.is_plume:
        _mesh(api, name, cone_surface(0.18, 1.0), colour, 0.6, visible=False)
    else:
        looks: dict[str, Any] = {"shaft_radius": 0.02, "head_radius": 0.06, "head_length": 0.2}
        api.add_arrows(name, _UNIT, colour, visible=False, **looks)


def _mesh(api: SceneApi, name: str, surface: Surface, colour: Colour, opacity: float, **at: Any) -> None:
    through = opacity if opacity < 1 else None
    api.add_mesh_simple(name, surface.vertices, surface.faces, color=colour, opacity=through, side="double", **at)


def _camera(server: ViserServer, scene: Scene) -> None:
    """Look from the front, the right and above at what is there at first; from further away at what goes about a little."""
    points = scene.points(0)
    middle = points.mean(axis=0) if len(points) else np.zeros(3)
    low, high = scene.bounds
    radius = 0.5 * scene.size_m
    if np.linalg.norm(high - low) < 4 * scene.size_m:
        middle, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    camera = server.initial_camera
    camera.fov = np.radians(40.0)
    camera.look_at = middle
    camera.position = middle + 3.0 * radius * np.array([0.62, -0.68, 0.39])
    camera.near, camera.far = 0.005 * radius, 1000 * radius


def _lights(api: SceneApi) -> None:
    """Light it by two suns and the sky: a map of surroundings takes half a minute where there is no GPU."""
    api.configure_environment_map(None)
    api.configure_default_lights(enabled=False)
    api.add_light_directional("/lights/sun", intensity=2.4, position=(0.5, -0.7, 1.0))
    api.add_light_directional("/lights/fill", intensity=0.7, position=(-0.8, 0.6, 0.2))
    api.add_light_hemisphere("/lights/sky", sky_color=(255, 255, 255), ground_color=(150, 155, 165), intensity=1.3)


def _grid(api: SceneApi, scene: Scene) -> None:
    """Draw a level grid below all that is shown, its cells one, two or five of a power of ten."""
    low, high = scene.bounds
    wanted = 0.12 * scene.size_m
    power = 10 ** np.floor(np.log10(wanted))
    cell = float(power * max(m for m in (1, 2, 5) if m * power <= wanted * 1.0001))
    middle = cell * np.round((low + high) / 2 / cell)
    reach = cell * _CELLS + float(np.max(high - low))
    place = (middle[0], middle[1], low[2] - 0.05 * scene.size_m)
    pale, less_pale = (226, 230, 236), (204, 210, 220)
    api.add_grid(
        f"{WORLD}/grid", reach, reach, cell_size=cell, section_size=5 * cell, cell_color=pale, section_color=less_pale,
        fade_distance=2.5 * reach, position=place, shadow_opacity=0.0,
    )  # fmt: skip


def _wxyz(xyzw: FloatArray) -> FloatArray:
    return np.roll(xyzw, 1)
