"""Pages with a scene open from disk without network, say nothing wrong, and show what the scene has."""

from __future__ import annotations

import json
import re
import socket
import sys
import zlib
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import load_system
from scmanip.errors import InvalidInput, MissingExtra
from scmanip.scene import COLOURS, DrawnBox, Embedded, Item, Mark, Plot, Scene, Trail, page, scene_of
from scmanip.scene.viser._drawn import _item
from scmanip.scene.viser._loopback import quiet_server
from scmanip.scene.viser._packed import packed
from scmanip.scene.viser._smooth import with_creases
from scmanip.shapes import box_surface, cylinder_surface

ROOM = np.arange(301) / 30


def moving(**more):
    """A red box that goes 2 m along x in ten seconds, while a blue one stands above it and turns half about z."""
    poses = np.zeros((len(ROOM), 2, 7))
    poses[:, 0, 0], poses[:, 1, 2] = 0.2 * ROOM, 1.5
    poses[:, 0, 6], poses[:, 1, 5], poses[:, 1, 6] = 1.0, np.sin(np.pi * ROOM / 20), np.cos(np.pi * ROOM / 20)
    items = [
        Item(name, DrawnBox(np.full(3, 0.8)), colour, "bodies", k)
        for k, (name, colour) in enumerate({"a": "force", "b": "wheel"}.items())
    ]
    trail = Trail("way", poses[:, 0, :3] - [0.0, 1.0, 0.0])
    return Scene(tuple(items), ROOM, poses, (trail,), title="two boxes", body_names=("a", "b"), **more)


def read(told):
    """Read what `packed` wrote, as player.js does."""
    planes = np.frombuffer(zlib.decompress(b64decode(told["data"])), np.uint8).reshape(4, -1)
    change = np.ascontiguousarray(planes.T).view("<i4").reshape(told["columns"], told["rows"])
    return change.cumsum(axis=1).T * told["step"]


def test_packed_numbers_are_within_half_a_step_and_do_not_drift():
    rows = np.cumsum(np.random.default_rng(1).normal(size=(2000, 5)), axis=0) - 40.0
    assert_allclose(read(packed(rows, 1e-4)), rows, rtol=0, atol=0.5e-4 * (1 + 1e-9))


def test_packed_numbers_that_go_far_keep_eight_digits():
    rows = np.array([[-1e6], [1e6], [0.0]])
    assert_allclose(read(packed(rows, 1e-6)), rows, rtol=0, atol=1e6 / 2**29)


def test_packed_numbers_that_hardly_change_take_hardly_any_room():
    assert len(packed(np.ones((5000, 70)), 1e-6)["data"]) < 3000


def test_faces_that_meet_at_an_edge_share_no_vertex_and_round_ones_do():
    pytest.importorskip("trimesh")
    box, tube = with_creases(box_surface(np.ones(3))), with_creases(cylinder_surface(0.5, 1.0))
    assert len(box.vertices) == 24
    sides = len(np.unique(np.round(cylinder_surface(0.5, 1.0).vertices[:, :2], 9), axis=0)) - 1
    assert len(tube.vertices) <= 4 * sides + 2


def test_what_is_painted_is_so_on_a_page_too():
    said = []
    api = SimpleNamespace(add_mesh_simple=lambda name, vertices, faces, *, color, **how: said.append(color))
    item = Item("panel", DrawnBox(np.ones(3)), "base", "bodies", 0, paint=(1, 2, 3))
    pytest.importorskip("trimesh")
    list(_item(api, 0, item))
    assert said == [(1, 2, 3)]


def test_ways_of_one_colour_are_all_named_beside_a_picture():
    scene = moving()
    both = replace(scene, trails=(scene.trails[0], replace(scene.trails[0], name="other way")))
    assert "way, other way" in {text.get_text() for text in both.figure(size_px=(60, 40)).texts}


def test_names_do_not_end_the_script_of_a_page():
    pytest.importorskip("viser")
    title = "</script><!--<script>"
    text = page(replace(moving(), title=title))
    (told,) = re.findall(r"const TOLD=(.*);\n", text)
    assert "<" not in told and json.loads(told)["title"] == title


def test_a_place_where_nothing_can_be_written_is_refused(tmp_path):
    pytest.importorskip("viser")
    for write in (moving().to_html, Embedded(moving()).to_html):
        with pytest.raises(InvalidInput, match="page: expected a place where a file can be written"):
            write(tmp_path / "nowhere" / "page.html")


def test_without_viser_a_page_is_refused_with_what_would_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(MissingExtra, match=r"scmanip\[view\]"):
        moving().to_html("nowhere.html")


@pytest.mark.slow
def test_the_server_behind_a_page_is_heard_by_this_machine_alone_says_nothing_and_is_gone_afterwards(capsys):
    with quiet_server() as server:
        host, port = server.get_host(), server.get_port()
        assert host == "127.0.0.1"
        with socket.create_connection((host, port), timeout=5):
            pass
    with pytest.raises(OSError):
        socket.create_connection((host, port), timeout=5)
    assert capsys.readouterr() == ("", "")


class Frames(HTMLParser):
    """What frames of a page hold."""

    def __init__(self):
        super().__init__()
        self.held = []

    def handle_starttag(self, tag, attrs):
        if tag == "iframe":
            self.held.append(dict(attrs)["srcdoc"])


@pytest.mark.slow
def test_a_cell_of_a_notebook_holds_the_page_that_the_file_has(tmp_path):
    shown = load_system("model:planar_four_link").show()
    cell, frames = shown._repr_html_(), Frames()
    frames.feed(cell)
    assert frames.held == [shown.to_html(tmp_path / "page.html").read_text(encoding="utf-8")]
    assert len(cell) < 1.5e6


@pytest.mark.slow
def test_what_plays_is_where_the_scene_has_it(opened, tmp_path):
    scene = moving()
    page = opened(scene.to_html(tmp_path / "page.html"))
    for seconds in (0.0, 3.3, 10.0):
        page.ask(f"scmanip.seek({seconds})")
        page.pixels()
        for k in range(2):
            pose = scene.at(np.array([seconds])).poses[0, k]
            held = f"window.__viserMutable.nodePoseData['/scene/body{k}']"
            assert_allclose(page.ask(f"{held}.position"), pose[:3], atol=1e-4)
            assert_allclose(np.roll(page.ask(f"{held}.wxyz"), -1), pose[3:], atol=1e-4)
    assert page.errors == page.elsewhere == []


@pytest.mark.slow
def test_a_camera_that_follows_a_body_keeps_it_where_it_is(opened, tmp_path):
    page = opened(moving().to_html(tmp_path / "page.html"))
    middle = np.zeros((1, 3))
    page.pixels()
    start, _ = page.seen("/scene/body0", middle)
    page.ask("scmanip.seek(10)")
    page.pixels()
    moved, _ = page.seen("/scene/body0", middle)
    page.page.select_option("#follow", "/scene/body0")
    page.pixels()
    held, _ = page.seen("/scene/body0", middle)
    assert np.abs(moved - start).max() > 20
    assert np.abs(held - start).max() <= 1


@pytest.mark.slow
def test_time_phases_events_speed_and_curves_go_together(opened, tmp_path):
    plot = Plot("way", "m", ("x",), ROOM, 0.2 * ROOM[:, None], 1e-9)
    marks = (Mark(0.0, "reach", "phase"), Mark(4.0, "hold", "phase"), Mark(6.0, "touched"))
    page = opened(moving(marks=marks, plots=(plot,)).to_html(tmp_path / "page.html"), size=(900, 600))
    assert page.ask("Array.from(document.querySelectorAll('#phases span'), s => s.textContent)") == ["reach", "hold"]
    page.page.click("#phases span:nth-child(2)")
    assert page.ask("[document.getElementById('time').valueAsNumber, document.getElementById('said').value]") == [4, ""]
    page.page.click("#events i", force=True)
    assert page.ask("document.getElementById('said').value") == "6 s: touched"
    assert page.ask("document.querySelector('.plot li').textContent") == "x 1.2"
    assert float(page.ask("document.querySelector('.plot .now').getAttribute('x1')")) == pytest.approx(600)
    page.page.select_option("#speed", "10")
    page.ask("scmanip.seek(0), scmanip.play(true)")
    page.page.wait_for_timeout(4000)
    assert page.ask("document.getElementById('time').valueAsNumber") == 10  # it stops at the end
    assert page.errors == page.elsewhere == []


@pytest.mark.slow
def test_what_is_taken_off_the_list_is_not_seen(opened, tmp_path):
    page = opened(moving().to_html(tmp_path / "page.html"), size=(900, 600))
    assert reds(page.pixels()).mean() > 0.01
    page.page.uncheck("#groups input")
    page.page.wait_for_timeout(300)
    assert reds(page.pixels()).mean() < 0.002


def reds(picture):
    """Return which pixels (rows, columns) are red as forces are."""
    return (picture[..., 0] > 1.8 * picture[..., 1]) & (picture[..., 3] == 1)


@pytest.mark.slow
def test_a_picture_has_the_colours_that_things_have(opened, tmp_path):
    scene = moving()
    page = opened(scene.to_html(tmp_path / "page.html"))
    picture = page.pixels()
    for k, colour in enumerate(("force", "wheel")):
        shade = of_colour(picked(page, f"/scene/body{k}", scene.items[k], picture), COLOURS[colour])
        assert shade.sum() >= 2, colour


def picked(page, node, item, picture):
    """Return the pixels (n, 4) where middles of the faces of an item on a node are."""
    vertices, faces = item.solid.triangles()
    middles = item.r + vertices[faces].mean(axis=1) @ item.R.T
    places, inside = page.seen(node, middles)
    return picture[places[inside, 1], places[inside, 0]]


def of_colour(pixels, colour):
    """Return which pixels (n, 4) are a colour in whatever light."""
    shades = pixels[:, :3] / (np.array(colour) / 255)
    return (pixels[:, 3] == 1) & (shades.max(axis=1) < 1.35 * shades.min(axis=1)) & (shades.min(axis=1) > 0.2)


def test_the_picture_of_a_system_needs_no_time(monkeypatch):
    assert len(scene_of(load_system("model:ets7")).t_s) == 1
