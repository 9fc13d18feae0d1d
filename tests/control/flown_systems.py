"""Systems on which laws are tried: in a plane, in space, ETS-VII, two arms beside a free body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from scmanip.constraints import PointOnPlane
from scmanip.dynamics import Model, Reference, compile_model
from scmanip.system import State, System, load_system

MISSIONS = Path(__file__).parents[2] / "missions" / "systems"


@dataclass(frozen=True)
class Flown:
    """A system, where its joints are, the frame that laws lead, and of its axes as many as the joints alone can lead.

    quiet : the axes of the base that its joints alone can hold; spin : how fast the base turns, of [0.01, -0.02, 0.03] rad/s
    """

    path: str
    q: tuple[float, ...]
    frame: str
    axes: tuple[str, ...]
    quiet: tuple[str, ...]
    spin: float = 1.0

    @cached_property
    def system(self) -> System:
        """As its file has it."""
        return load_system(self.path)

    @cached_property
    def model(self) -> Model:
        """Its model."""
        return compile_model(self.system)

    @cached_property
    def sums(self) -> Model:
        """Its model by the paper's sums, with nothing to be compiled."""
        return compile_model(self.system, implementation=Reference())

    @cached_property
    def walled(self) -> Model:
        """Its model with a wall that the frame may slide on, found where it is: the constraint `wall`."""
        own = self.system
        wall = PointOnPlane("wall", (self.frame, "ground"), (1.0, 0.0, 0.0), tolerance_m=10.0)
        held = [*own.constraints, wall]
        return compile_model(System(own.name, own.base, own.bodies[1:], own.frames, actuators=own.actuators, constraints=held))

    def state(self, *, pace: float = 1.0) -> State:
        """The joints move, the base drifts and turns; a free body does, too. pace : 0 for all at rest."""
        layout = self.system.layout
        q = np.concatenate([self.q, [0.3, 0.9, 0.0, 0.0, 0.6, 0.0, 0.8][: layout.n_q - len(self.q)]])
        attitude = np.array([0.0, 0.0, 0.3, 0.9]) if self.quiet == ("rz",) else np.array([0.1, -0.3, 0.2, 0.9])
        v, omega = np.array([0.02, 0.01, -0.03]), self.spin * np.array([0.01, -0.02, 0.03])
        if self.quiet == ("rz",):
            v, omega = v * [1, 1, 0], omega * [0, 0, 1]
        qdot = 0.03 * np.cos(np.arange(1.0, layout.N + 1))
        wheels = {name: np.zeros(k) for name, k in layout.states}
        attitude /= np.linalg.norm(attitude)
        return State([0.3, -0.2, 0.1], attitude, q, pace * v, pace * omega, pace * qdot, actuators=wheels)


@cache
def flown(name: str) -> Flown:
    """A system by its name."""
    return {
        "planar": Flown("model:planar_four_link", (0.4, -0.9, 0.8, 0.5), "tip", ("x", "y", "rz"), ("rz",)),
        "spatial": Flown("model:bench_6r", (0.4, -0.5, -2.0, -0.2, -0.9, 2.0), "tip", AXES, ROLLS),
        "ETS-VII": Flown("model:ets7", (1.9, -0.9, 0.6, 1.0, -1.4, 1.5), "tip", AXES, ROLLS, spin=0.02),
        "two arms": Flown(f"{MISSIONS}/dual_arm.toml", (0.9, -1.5, -0.8, -0.6, 0.6, 1.7), "left_hand", ("x", "y"), ("rz",)),
    }[name]


AXES, ROLLS = ("x", "y", "z", "rx", "ry", "rz"), ("rx", "ry", "rz")
NAMES = ("planar", "spatial", "ETS-VII", "two arms")
