"""A scene drawn by viser, and moved."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...scene import COLOURS, body_poses, draw_bodies, pose_body, scene_of
from ...spatial import Array
from ...system import State, System

AWAY = 2.0  # times as far as what fills a page: the switches stand before a part of it, and things move


class Drawn:
    """The bodies of a system on a server of viser."""

    def __init__(self, server: Any, system: System, state: State) -> None:
        scene = scene_of(system, state=state)
        self._system, self.size_m = system, scene.size_m
        self._bodies, _ = draw_bodies(server, scene)
        camera = server.initial_camera
        camera.position = camera.look_at + AWAY * (np.asarray(camera.position) - camera.look_at)
        self._force = server.scene.add_arrows("/force", np.zeros((1, 2, 3)), COLOURS["force"], visible=False)

    def move(self, state: State) -> None:
        """Draw the bodies where they are in a state."""
        poses = body_poses(self._system, State.stack([state]))[0]
        for node, pose in zip(self._bodies, poses, strict=True):
            pose_body(node, pose)

    def push(self, at: Array, force: Array, per_N: float) -> None:
        """Draw a force (3,) at a place (3,) as an arrow of `per_N` metres a newton."""
        length = float(np.linalg.norm(force)) * per_N
        self._force.visible = length > 1e-3 * self.size_m
        if self._force.visible:
            self._force.points = np.array([[at, at + force * per_N]], dtype=np.float32)
