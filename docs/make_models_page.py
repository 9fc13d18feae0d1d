"""Make `docs/models.md` and its picture from the packaged models: `python docs/make_models_page.py`."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from numpy.typing import NDArray

from scmanip import load_system
from scmanip.scene import scene_of
from scmanip.system import ModelNotes, System, model_names, model_notes

DOCS = Path(__file__).parent
COLUMNS, MARGIN = 5, 12  # pixels
LABELS = ("source", "licence", "status", "sums", "doubts")
BEGINNING = """# Models

<!-- made by docs/make_models_page.py from the comments at the heads of the models; edit those -->

`load_system("model:ets7")`, and `system = "model:ets7"` in a mission, take a system of this library. `scmanip models` lists it,
`scmanip models --show ets7` prints a file with what it says of its numbers, `scmanip.system.model_notes("ets7")` gives that
as texts, and `scmanip show model:ets7` draws it. Tests compare every model with its twins in Pinocchio and MuJoCo (M, and the
forces of velocities and gravity, to 1e-12 of the largest), and with the mass and centre of mass that it says. Checks that are
called published are against numbers of the source; for the others the sources give none.

![every packaged model with its joints at zero](figures/models.png)

| model | what it is | joints | mass | source | check |
|---|---|---|---|---|---|
"""
TARGETS = """
## Targets

`model:envisat` and `model:rocket_body` are single bodies. In a mission a client is a free body of the system: a `[[body]]`
with `parent = "ground"` and `joint = { type = "free" }`, and mass, centre of mass and inertia of the target's `[base]`, as
`missions/systems/ets7_capture.toml` has one. From Python:

```python
from scmanip import System, load_system
from scmanip.system import Body, Joint

servicer, target = load_system("model:ets7"), load_system("model:envisat").base
client = Body("envisat", target.mass_kg, target.inertia_kg_m2, target.com_m, "ground", Joint("envisat", "free"))
both = System("servicing", servicer.base, [*servicer.bodies[1:], client], servicer.frames)
```
"""


def page() -> str:
    """Return the text of the page."""
    text, details = BEGINNING, "\n## Sources and doubts\n"
    for name in model_names():
        notes, system = model_notes(name), load_system(f"model:{name}")
        text += _row(name, notes, system)
        said = "".join(f"- {label.title()}: {getattr(notes, label)}\n" for label in LABELS)
        details += f"\n### {name}\n\n{notes.title}\n\n{said}"
    return text + TARGETS + details


def _row(name: str, notes: ModelNotes, system: System) -> str:
    joints = f"{len(system.joints)}{', fixed' if system.fixed else ''}" if system.joints else "none"
    return f"| `{name}` | {notes.title} | {joints} | {system.mass_kg:g} kg | {notes.cited} | {notes.check} |\n"


def picture(path: Path) -> None:
    """Write all models, side by side."""
    names = model_names()
    shots = {name: _cut(_shot(name)) for name in names}
    rows = -(-len(names) // COLUMNS)
    figure, axes = plt.subplots(rows, COLUMNS, figsize=(10, 2.1 * rows), dpi=100)
    for axis in axes.flat:
        axis.axis("off")
    for axis, (name, shot) in zip(axes.flat, shots.items(), strict=False):
        axis.imshow(shot, interpolation="antialiased")
        axis.set_title(name, fontsize=8)
    figure.tight_layout(pad=0.4)
    figure.savefig(path, metadata={"Software": None})
    plt.close(figure)


def _shot(name: str) -> NDArray[np.uint8]:
    figure = scene_of(load_system(f"model:{name}")).figure()
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3]


def _cut(shot: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture without the white around what is drawn."""
    drawn = (shot < 250).any(axis=2)
    drawn[: shot.shape[0] // 10] = False  # the title
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    return shot[max(rows[0] - MARGIN, 0) : rows[-1] + MARGIN, max(columns[0] - MARGIN, 0) : columns[-1] + MARGIN]


if __name__ == "__main__":
    (DOCS / "models.md").write_text(page(), encoding="utf-8")
    picture(DOCS / "figures" / "models.png")
