"""The gallery: a picture of every notebook, and those of the documents, each leading to where it was made."""

from __future__ import annotations

import base64
import json
from pathlib import Path

MISSIONS = "/generated/missions.md"
OF_DOCUMENTS = (  # file, what it shows, where it is explained
    ("floating_arm.png", "A reach, and a base that tips over", "/index.md"),
    ("models.png", "The models that come with the package", "/models.md"),
    ("wilde_joint_rates.png", "One joint at a time, and what the base does", "/papers/wilde-2018.md"),
    ("wilde_angular_momentum.png", "Angular momentum of base, arm and both", "/papers/wilde-2018.md"),
    ("stoneking_tree.png", "A tree of five bodies", "/papers/stoneking-2008.md"),
    ("kane_figure1.png", "Driving forces of the Stanford arm", "/papers/kane-levinson-1983.md"),
    ("angeles_example2.png", "Driving forces of an industrial arm", "/papers/angeles-1989.md"),
    ("gillespie_disk.png", "A disk that slides, then rolls", "/papers/gillespie-2003.md"),
    ("gillespie_cart.png", "A cart whose caster sticks", "/papers/gillespie-2003.md"),
    ("tutorial_seven_flown.png", "An arm of seven rows", "/tutorials/your-own-arm.md"),
    ("tutorial_gentle.png", "A law of one's own", "/tutorials/your-own-controller.md"),
    ("capture_tumbling_target.png", "A tumbling target is caught", MISSIONS),  # by scmanip show mission:NAME --shot, made small
    ("dual_arm_berthing.png", "Two arms berth a payload", MISSIONS),
    ("probe_and_drogue.png", "A probe in its drogue", MISSIONS),
    ("planar_wall.png", "A tip that is pressed on a wall", MISSIONS),
    ("playback.jpg", "A run on a page that plays", "/files/results.md"),
)


def pages(root: Path) -> dict[str, str | bytes]:
    """Return the page, and the pictures of the notebooks."""
    made: dict[str, str | bytes] = {}
    cards = [card(f"/figures/{file}", title, to) for file, title, to in OF_DOCUMENTS]
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        title = next("".join(cell["source"]).splitlines()[0].lstrip("# ") for cell in cells if cell["cell_type"] == "markdown")
        pictures = [
            o["data"]["image/png"] for cell in cells for o in cell.get("outputs", []) if "image/png" in o.get("data", {})
        ]
        if pictures:
            name = f"generated/gallery/{path.stem}.png"
            made[name] = base64.b64decode("".join(pictures[0]))
            cards.append(card(f"/{name}", title, f"/notebooks/{path.name}"))
    lines = ["# Gallery", "", "Each picture leads to the page that makes it.", "", "::::{grid} 1 2 3 3", ":gutter: 3", ""]
    return {**made, "generated/gallery.md": "\n".join([*lines, *cards, "::::", ""])}


def card(picture: str, title: str, to: str) -> str:
    """Return a card of a picture."""
    page = to.rpartition(".")[0]
    return f":::{{grid-item-card}} {title}\n:img-bottom: {picture}\n:link: {page}\n:link-type: doc\n:::\n"
