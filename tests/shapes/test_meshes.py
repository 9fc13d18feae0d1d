"""Convex meshes: distances by another package against closed forms, in closed form to planes, in runs and files."""

import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import FixedBase, Plant, State, compile_model
from scmanip.errors import InvalidInput, InvalidSystem, NotRecordable
from scmanip.guidance import Hold
from scmanip.loads import Contact, Coulomb, HuntCrossley
from scmanip.shapes import Box, Capsule, Mesh, Placed, Plane, Sphere, pair_of
from scmanip.simulation import ensemble, simulate
from scmanip.spatial import dcm_from_euler
from scmanip.symbolic import record
from scmanip.system import Body, Joint, System
from tests.system.mistakes import GOOD

EDGES = np.array([0.8, 0.5, 1.1])
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * EDGES / 2
CRATE, BRICK = Mesh("crate", "a", CORNERS), Box("brick", "a", EDGES)
TABLE = '[[shape]]\nname = "wedge"\nbody = "base"\ntype = "mesh"\nvertices_m = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]\n'


@pytest.mark.parametrize(
    "other", [Sphere("ball", "b", 0.3), Capsule("rod", "b", 0.2, 0.9), Plane("floor", "b")], ids=lambda s: s.kind
)
def test_a_mesh_of_eight_corners_is_as_far_as_the_box_with_them(other):
    if other.kind != "plane":
        pytest.importorskip("coal")
    rng, compared = np.random.default_rng(3), 0
    for _ in range(60):
        places = [Placed(shape, rng.normal(size=3), dcm_from_euler(*rng.uniform(-3, 3, size=3))) for shape in (BRICK, other)]
        ours = pair_of(BRICK, other).proximity(*places)
        if other.kind == "capsule" and ours.gap[0] < -0.19:
            continue
        found = pair_of(CRATE, other).proximity(Placed(CRATE, *places[0][1:]), places[1])
        assert_allclose(np.sort(found.gap), np.sort(ours.gap), atol=1e-9)
        assert_allclose(found.on_other - found.on_one, found.gap[:, None] * found.normal, atol=1e-12)
        if abs(ours.gap[0]) > 0.01:
            assert_allclose(found.normal, ours.normal, atol=1e-7)
        compared += 1
    assert compared > 30


def test_two_meshes_meet_and_are_no_formula():
    pytest.importorskip("coal")
    pair = pair_of(CRATE, CRATE)
    apart = pair.proximity(Placed(CRATE, np.zeros(3), np.eye(3)), Placed(CRATE, np.array([1.0, 0.1, 0.2]), np.eye(3)))
    assert_allclose(apart.gap, [0.2], atol=1e-12)
    assert_allclose(apart.normal, [[1, 0, 0]], atol=1e-12)
    assert not pair.is_formula and pair_of(CRATE, Plane("p", "b")).is_formula
    assert CRATE.inner_radius_m == pytest.approx(0.25)
    with pytest.raises(NotRecordable):
        record({"r": (3,)}, lambda *, r: {"gap": pair.proximity(Placed(CRATE, r, np.eye(3)), Placed(CRATE, r, np.eye(3))).gap})


def bounced(shapes, *names):
    """What a body that falls up on another one does: in code where that can be, in Python otherwise."""
    up = Joint("up", "prismatic", [0, 0, 1.0])
    body = Body("cart", 2.0, [0.1] * 3, parent="base", joint=up)
    model = compile_model(System("s", Body("base", 0.0, np.zeros((3, 3))), [body], fixed=True, shapes=shapes))
    law = HuntCrossley.bouncing(1e6, restitution=0.6, speed_m_s=0.5)
    contact = Contact(*map(model.system.shape, names), law, Coulomb(0.3), name="touch")
    plant = Plant(model, FixedBase(), [contact])
    start = State(q=[0.6], qdot=[-0.5])
    return plant, start, simulate(plant, lambda t, state: np.zeros(1), start, t_end_s=0.5, rtol=1e-9)


@pytest.mark.slow
def test_a_contact_with_a_mesh_flies_in_python_and_is_refused_together():
    pytest.importorskip("coal")
    ball = Sphere("ball", "ground", 0.2, origin_m=[0.1, 0.05, -0.2])
    parts = [ball, Mesh("crate", "cart", CORNERS), Box("brick", "cart", EDGES)]
    plant, start, run = bounced(parts, "ball", "crate")
    assert run.qdot[-1, 0] == pytest.approx(0.3, rel=1e-6)
    assert [each.phrase for each in run.occurrences] == ["'gap of touch' fell below zero", "'gap of touch' rose above zero"]
    assert_allclose(run.final.x, bounced(parts, "ball", "brick")[2].final.x, atol=1e-8)
    assert run.dissipated[-1] == pytest.approx(0.25 * (1 - 0.36), rel=1e-6)
    with pytest.raises(InvalidInput, match="loads that are formulas"):
        ensemble(plant, lambda t, state: np.zeros(1), start, reference=Hold([0.6]), t_end_s=0.5, step_s=0.01)
    with pytest.raises(InvalidInput, match=r"'crate' inside 'ball' by at most 0\.02 m"):
        simulate(plant, lambda t, state: np.zeros(1), State(q=[0.5], qdot=[0.0]), t_end_s=0.5)


def test_files_have_meshes_and_say_what_is_wrong_with_them():
    wedge = System.from_toml_text(GOOD + TABLE).shape("wedge")
    assert wedge.vertices_m.shape == (4, 3) and wedge.inner_radius_m == pytest.approx(0.25 / np.sqrt(3))
    for old, new, words in (
        ("[0, 0, 1.0]]", "[1, 1, 0.0]]", "places in one plane"),
        (", [0, 0, 1.0]]", "]", "4 or more places"),
        ("[0, 0, 1.0]]", "[0, 1.0]]", "at least 3 entries"),
    ):
        with pytest.raises(InvalidSystem, match=words) as caught:
            System.from_toml_text(GOOD + TABLE.replace(old, new))
        assert "vertices_m" in caught.value.problems[0].key and caught.value.problems[0].line


def test_without_the_package_a_mesh_is_refused_by_its_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "coal", None)
    places = [Placed(CRATE, np.array([x, 0, 0.0]), np.eye(3)) for x in (0.0, 2.0)]
    with pytest.raises(InvalidInput, match=r"package coal.*pip install 'scmanip\[mesh\]'"):
        pair_of(CRATE, CRATE).proximity(*places)
