"""A browser without network that opens pages from disk, tells what they say and ask for, and what their canvas shows."""

from __future__ import annotations

import base64
import io
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from matplotlib.image import imread

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SOFTWARE = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing")
_PIXELS = """() => new Promise(done => {
  const viewer = window.__viserMutable;
  const drawn = () => done(viewer.canvas.toDataURL("image/png"));
  viewer.requestRender();
  requestAnimationFrame(() => { viewer.requestRender(); requestAnimationFrame(drawn); });
})"""


@dataclass
class Opened:
    """A page that is open; errors : what its console says is wrong; asked : what it wants from elsewhere."""

    page: object
    errors: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, browser, path: Path, size=(320, 240)) -> Opened:
        """Open a file in a context of its own that is offline, and wait until it shows something."""
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, offline=True)
        opened = cls(context.new_page())
        page = opened.page
        page.on("console", lambda message: opened.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: opened.errors.append(str(error)))
        page.on("request", lambda request: opened.asked.append(request.url))
        page.goto(path.as_uri())
        for _ in range(600):
            if page.evaluate("!!window.scmanip"):
                return opened
            time.sleep(0.05)
        raise AssertionError(f"{path} shows nothing: {opened.errors}")

    @property
    def elsewhere(self) -> list[str]:
        """What it asked for beside the file itself and what is in it."""
        return [url[:80] for url in self.asked if not url.startswith(("file:", "data:", "blob:"))]

    def ask(self, script: str):
        """Return what a script says."""
        return self.page.evaluate(script)

    def pixels(self) -> np.ndarray:
        """Return what the canvas shows (rows, columns, 4), 0 to 1."""
        data = self.ask(_PIXELS).partition(",")[2]
        return imread(io.BytesIO(base64.b64decode(data)))

    def seen(self, node: str, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return columns and rows (n, 2) of points of a node (n, 3), and whether each is in the picture."""
        world, view, projection = (
            np.reshape(self.ask(f"Array.from(window.__viserMutable.{matrix}.elements)"), (4, 4)).T
            for matrix in (f"nodeRefFromName['{node}'].matrixWorld", "camera.matrixWorldInverse", "camera.projectionMatrix")
        )
        at = np.column_stack([points, np.ones(len(points))]) @ (projection @ view @ world).T
        flat = at[:, :2] / at[:, 3:]
        rows, columns = self.ask("[window.__viserMutable.canvas.height, window.__viserMutable.canvas.width]")
        places = np.column_stack([(flat[:, 0] + 1) / 2 * columns, (1 - flat[:, 1]) / 2 * rows]).astype(int)
        return places, np.all((places >= 0) & (places < (columns, rows)), axis=1)

    def close(self) -> None:
        """Close it."""
        self.page.context.close()
