"""Packaged models of every make and every mission are drawn by a browser as the scene has them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scmanip import load_mission, load_system
from scmanip.scene import COLOURS, scene_of
from tests.models import VARIED

from .test_pages import of_colour, picked

FOLDER = Path(__file__).parents[2] / "missions"
MISSIONS = sorted(path for path in FOLDER.glob("*.toml") if "scmanip.mission/" in path.read_text(encoding="utf-8"))


def check(page, scene):
    """Check what a page shows at first: something, of the base's colour where the base is, and nothing from elsewhere."""
    picture = page.pixels()
    drawn = (picture[..., 3] > 0.5).mean()
    assert 0.002 < drawn < 0.98
    first = next(item for item in scene.items if item.group == "bodies" and item.shown)
    node = "/scene" if first.body is None else f"/scene/body{first.body}"
    assert of_colour(picked(page, node, first, picture), COLOURS[first.colour]).any(), first.name
    assert page.errors == page.elsewhere == []
    return picture


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIED)
def test_models_of_every_make_are_drawn(name, opened, tmp_path):
    scene = scene_of(load_system(f"model:{name}"))
    check(opened(scene.to_html(tmp_path / "page.html")), scene)


def shortly(path):
    """Fly the first phase of a mission, a fifth of it, whatever happens."""
    mission = load_mission(path)
    mission = next(iter(mission.alternatives.values()), mission)
    first = mission.phases[0]
    return replace(mission, phases=(replace(first, t_end_s=first.t_end_s / 5, events=type(first.events)()),)).run()


@pytest.mark.slow
@pytest.mark.parametrize("path", MISSIONS, ids=[path.stem for path in MISSIONS])
def test_every_mission_plays(path, opened, tmp_path):
    scene = shortly(path).scene
    page = opened(scene.to_html(tmp_path / "page.html"))
    first = check(page, scene)
    page.ask("scmanip.seek(scmanip.end)")
    last = page.pixels()
    assert np.abs(last - first).max(axis=2).astype(bool).sum() > 20  # pixels
    assert page.errors == page.elsewhere == []
