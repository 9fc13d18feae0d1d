"""A scene drawn by viser, and moved."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...scene import COLOURS, body_poses, scene_of
from ...spatial import Array, quaternion_from_dcm
from ...system import State, System


class Drawn:
    """The bodies of a system on a server of viser."""

    def __init__(self, server: Any, system: System, state: State) -> None:
        self._server, self._system = server, system
        api, scene = server.scene, scene_of(system, state=state)
        api.set_up_direction("+z")
        api.configure_environment_map(None)  # where there is no GPU a map of surroundings takes half a minute
        api.configure_default_lights(enabled=False)
        api.add_light_directional("/lights/sun", intensity=2.4, position=(0.5, -0.7, 1.0))
        api.add_light_hemisphere("/lights/sky", sky_color=(255, 255, 255), ground_color=(150, 155, 165), intensity=1.3)
        self.size_m = scene.size_m
        self._bodies = [api.add_frame(f"/body{k}", show_axes=False) for k in range(len(system.bodies))]
        for number, item in enumerate(scene.items):
            surface = item.solid.triangles()
            if not (len(surface.faces) and item.shown):
                continue
            name = f"/item{number}" if item.body is None else f"/body{item.body}/item{number}"
            at = {"position": item.r, "wxyz": np.roll(quaternion_from_dcm(item.R), 1)}
            colour = COLOURS[item.colour]
            api.add_mesh_simple(name, surface.vertices, surface.faces, color=colour, flat_shading=True, side="double", **at)
        api.add_grid("/grid", 20 * self.size_m, 20 * self.size_m, cell_size=self.size_m / 4, position=(0, 0, -self.size_m))
        self._force = api.add_arrows("/force", np.zeros((1, 2, 3)), COLOURS["force"], visible=False)
        middle = scene.points(0).mean(axis=0)
        server.initial_camera.look_at = middle
        server.initial_camera.position = middle + 1.6 * self.size_m * np.array([0.6, -0.7, 0.4])
        self.move(state)

    def move(self, state: State) -> None:
        """Draw the bodies where they are in a state."""
        poses = body_poses(self._system, State.stack([state]))[0]
        for node, pose in zip(self._bodies, poses, strict=True):
            node.position, node.wxyz = pose[:3], np.roll(pose[3:], 1)

    def push(self, at: Array, force: Array, per_N: float) -> None:
        """Draw a force (3,) at a place (3,) as an arrow of `per_N` metres a newton."""
        length = float(np.linalg.norm(force)) * per_N
        self._force.visible = length > 1e-3 * self.size_m
        if self._force.visible:
            self._force.points = np.array([[at, at + force * per_N]], dtype=np.float32)
