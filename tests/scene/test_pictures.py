"""Pictures are of what they should be: colours where things are, hidden where they are behind others."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import load_system
from scmanip.errors import InvalidInput
from scmanip.scene import COLOURS, scene_of
from scmanip.scene.drawing._camera import PictureCamera, good_view
from scmanip.scene.drawing._figure import round_length
from scmanip.scene.drawing._raster import Image
from scmanip.scene.drawing._still import Piece, Still, Stroke
from scmanip.scene.drawing._strip import outline
from scmanip.shapes import box_surface
from tests.scene import readme_picture

RED, BLUE = (200, 0, 0), (0, 0, 200)


def cube(x, colour, opacity=1.0):
    vertices, faces = box_surface(np.ones(3))
    return Piece(vertices + np.array([x, 0, 0]), faces, colour, opacity)


@pytest.fixture
def camera():
    """One that looks from +x, y to the right."""
    return PictureCamera.looking(0.0, 0.0)


def test_what_is_nearer_hides_what_is_behind(camera):
    for pieces in ((cube(0, RED), cube(3, BLUE)), (cube(3, BLUE), cube(0, RED))):
        image = Image(camera, 40).drawn(Still(pieces))
        red, _, blue = image[20, 20]
        assert blue > 100 > red
        assert_allclose(image[1, 1], 255)


def test_what_is_before_is_seen_through_as_it_says(camera):
    red, _, blue = Image(camera, 40).drawn(Still((cube(0, RED), cube(3, BLUE, 0.5))))[20, 20]
    assert red > 60
    assert blue > 60


def test_lines_are_dim_where_they_are_hidden(camera):
    line = np.array([[[-2.0, -0.9, 0.0], [-2.0, 0.9, 0.0]]])
    image = Image(camera, 40).drawn(Still((cube(0, RED),), (Stroke(line, BLUE, 0.1),)))
    assert image[20, 3, 2] > 150 > image[20, 20, 2] > 20
    assert image[20, 3, 0] < 20


def test_a_picture_holds_all_that_it_should(camera):
    points = np.array([[0.0, -3.0, 1.0], [1.0, 5.0, 2.0]])
    seen = camera.framing(points, 1.5)
    at = seen.seen(points)
    assert (abs(at[:, 0]) < seen.half_m * 1.5).all()
    assert (abs(at[:, 1]) < seen.half_m).all()


def test_a_good_view_of_an_arm_is_from_its_side_of_the_base():
    vertices, faces = box_surface(np.full(3, 0.1))
    arm = Piece(vertices - np.array([2.0, 0, 0]), faces, RED)
    eye = good_view([Still((cube(0, BLUE)._replace(is_hull=True), arm))], 1.0).axes[2]
    assert eye[0] < 0.6


@pytest.mark.parametrize(("length", "round_one"), [(0.7, 0.5), (1.0, 1.0), (39.0, 20.0), (0.0199, 0.01)])
def test_scale_bars_are_of_round_lengths(length, round_one):
    assert_allclose(round_length(length), round_one)


@pytest.mark.slow
def test_a_file_shows_the_base_in_its_colour_and_more_where_more_is_asked_for(tmp_path):
    from matplotlib.image import imread

    scene = scene_of(load_system("model:ets7"))
    scene.shot(tmp_path / "base.png", size_px=(300, 200))
    scene.shot(tmp_path / "axes.png", size_px=(300, 200), groups=["body frames"])
    plain, axes = (imread(tmp_path / f"{name}.png")[..., :3] for name in ("base", "axes"))
    assert plain.shape == (200, 300, 3)
    hue = np.array(COLOURS["base"]) / max(COLOURS["base"])
    pixels = plain.reshape(-1, 3)
    assert (abs(pixels / pixels.max(axis=1, keepdims=True).clip(0.01) - hue).max(axis=1) < 0.02).mean() > 0.1
    assert abs(plain - axes).max() > 0.3


def test_groups_that_are_not_there_are_refused():
    with pytest.raises(InvalidInput, match="'clouds'"):
        scene_of(load_system("model:ets7")).figure(groups=["clouds"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"t_s": np.nan}, "figure t_s: expected a number"),
        ({"groups": "inertia"}, "figure groups: expected a sequence"),
        ({"view_deg": (30.0,)}, "view_deg: expected 2 finite numbers"),
        ({"view_deg": (np.nan, 0.0)}, "view_deg: expected 2 finite numbers"),
        ({"size_px": (0, 200)}, "size_px: expected a whole number >= 1, found 0"),
    ],
)
def test_what_there_is_no_picture_of_is_refused_by_name(given, said):
    with pytest.raises(InvalidInput, match=said):
        scene_of(load_system("model:ets7")).figure(**given)


@pytest.mark.parametrize("times", ["now", [0.0, np.nan], [[0.0, 1.0]]])
def test_a_scene_is_known_at_finite_times(times):
    with pytest.raises(InvalidInput, match="t_s: expected"):
        scene_of(load_system("model:ets7")).at(times)


@pytest.mark.parametrize("given", [{"instants": 0}, {"columns": 0}, {"instants": 1.5}])
def test_strips_are_of_one_picture_or_more(given):
    with pytest.raises(InvalidInput, match=f"{next(iter(given))}: expected a whole number"):
        scene_of(load_system("model:ets7")).strip(**given)


def test_names_are_no_formulas():
    scene = replace(scene_of(load_system("model:ets7")), title=r"costs $5 and \frac{$")
    for figure in (scene.figure(size_px=(60, 40)), scene.strip(1)):
        figure.canvas.draw()


def test_a_small_arm_fills_its_picture(camera):
    framed = camera.framing(1e-4 * np.array([[0.0, -3.0, 1.0], [1.0, 5.0, 2.0]]), 1.0)
    assert_allclose(framed.half_m, 1.16 * 4e-4)


def test_the_outline_of_points_is_their_convex_hull():
    points = np.array([[0.0, 0], [2, 0], [1, 0.5], [2, 2], [0, 2], [1, 0]])
    assert_allclose(outline(points), [[0, 0], [2, 0], [2, 2], [0, 2]])


@pytest.mark.slow
def test_a_strip_is_a_small_text_that_is_the_same_each_time():
    scenes = [scene_of(load_system("model:ets7"), np.full(6, angle)) for angle in (0.0, 0.5)]
    poses = np.concatenate([scene.poses for scene in scenes])
    scene = replace(scenes[0], t_s=np.array([0.0, 1.0]), poses=poses).at(np.linspace(0, 1, 9))
    text = scene.strip_svg(8)
    assert text.startswith("<svg")
    assert text.count(" s</text>") == 8
    assert len(text) < 200_000
    assert 'href="http' not in text
    assert text == scene.strip_svg(8)


@pytest.mark.slow
def test_the_first_picture_of_the_readme_is_made_by_its_script(tmp_path):
    from matplotlib.image import imread

    readme_picture.write(tmp_path / "made.png")
    made, kept = imread(tmp_path / "made.png"), imread(readme_picture.PLACE)
    assert made.shape == kept.shape
    assert abs(made - kept).mean() < 0.004  # fonts may differ
    assert f"docs/figures/{readme_picture.PLACE.name}" in (readme_picture.PLACE.parents[2] / "README.md").read_text()
