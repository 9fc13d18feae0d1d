"""The first picture of the README: an arm that reaches up, and what its base does meanwhile.

`python -m tests.scene.readme_picture` writes it.
"""

from pathlib import Path

import numpy as np

from scmanip import Floating, State, compile_model, load_system, simulate
from scmanip.control import ComputedTorque
from scmanip.guidance import Cycloid
from scmanip.scene import Scene, scene_of_history

PLACE = Path(__file__).parents[2] / "docs" / "figures" / "floating_arm.png"
Q_START = np.zeros(6)
Q_END = np.array([0.0, -1.5, 0.7, 0.3, 0.5, 0.0])


def reaching() -> Scene:
    """Return the scene of the reach, from rest to rest in 30 s."""
    system = load_system("model:spatial_six_link")
    model = compile_model(system)
    reference = Cycloid(Q_START, Q_END, duration_s=30.0)
    start = State.at_rest(system, Q_START)
    history = simulate(model, Floating(), ComputedTorque(model), start, reference=reference, t_end_s=30.0, output_step_s=0.1)
    return scene_of_history(history)


def write(path: Path) -> None:
    """Write the picture."""
    title = "A six-link arm reaches up, and its free base tips over (pale: where both began)"
    reaching().shot(path, ghost_s=0.0, size_px=(1200, 720), view_deg=(-58.0, 20.0), title=title)


if __name__ == "__main__":
    write(PLACE)
