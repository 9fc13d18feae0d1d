"""The packaged model library, against the sources that its files name."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InvalidSystem
from scmanip.spatial import cross, dcm_from_axis_angle, dcm_from_euler
from scmanip.system import System, load_system, model_names
from tests.house.packages import installed

from .poses import point, poses

NAMES = (
    "bench_6r", "ets7", "general_6r", "industrial_6r", "planar_four_link", "spatial_six_link", "stanford_arm",
    "stanford_arm_hd",
)  # fmt: skip
X, Y, Z = np.eye(3)


def model(name: str) -> System:
    return load_system(f"model:{name}")


def test_the_library_holds_the_models_that_missions_may_name() -> None:
    assert model_names() == NAMES


def test_an_unknown_model_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InvalidSystem, match=r"ets7, general_6r.*found 'ets-7'; did you mean 'ets7'"):
        load_system("model:ets-7")
    for outside in ("model:../models/ets7", "model:ets7.toml", "model:"):
        with pytest.raises(InvalidSystem, match="one of bench_6r"):
            load_system(outside)


@pytest.mark.parametrize("name", NAMES)
def test_every_model_says_where_its_numbers_come_from(name: str) -> None:
    text = (files("scmanip.system") / "models" / f"{name}.toml").read_text(encoding="utf-8")
    comment = text[: text.index("schema =")]
    assert comment.startswith("# ")
    assert "Source:" in comment and "Status:" in comment


@pytest.mark.parametrize("name", NAMES)
def test_every_model_loads_and_has_a_tip(name: str) -> None:
    system = model(name)
    assert system.frame("tip").name == "tip"
    assert (4 if name == "planar_four_link" else 6) == system.layout.N


@pytest.mark.parametrize("name", NAMES)
def test_every_joint_of_every_model_moves_mass(name: str) -> None:
    """The inertia of the arm on a held base, summed over bodies from geometry alone, is positive definite anywhere."""
    system, rng = model(name), np.random.default_rng(3)
    for q in (np.zeros(system.layout.N), rng.uniform(-2, 2, system.layout.N)):
        assert np.linalg.eigvalsh(arm_inertia(system, q))[0] > 1e-6


def arm_inertia(system: System, q: np.ndarray) -> np.ndarray:
    found = poses(system, dict(zip(system.layout.joint_names, q, strict=True)))
    axes, origins = [], []
    for body in system.bodies[1:]:
        carrier = found[body.parent]
        axes.append(carrier[:3, :3] @ body.joint.dcm @ body.joint.axis)
        origins.append((carrier @ [*body.joint.origin_m, 1])[:3])
    total = np.zeros((system.layout.N, system.layout.N))
    for number, body in enumerate(system.bodies[1:], start=1):
        pose = found[body.name]
        com = (pose @ [*body.com_m, 1])[:3]
        linear, angular = np.zeros((3, system.layout.N)), np.zeros((3, system.layout.N))
        for j, joint in enumerate(system.joints[:number]):  # all models are serial
            slides = joint.type == "prismatic"
            linear[:, j] = axes[j] if slides else cross(axes[j], com - origins[j])
            angular[:, j] = 0 if slides else axes[j]
        inertia = pose[:3, :3] @ body.inertia_kg_m2 @ pose[:3, :3].T
        total += body.mass_kg * linear.T @ linear + angular.T @ inertia @ angular
    return total


# --- ETS-VII: the toolbox's own recursion over its own numbers ---------------------------------------------------------

ETS7_T = [[-0.785, -0.295, 1], [0, 0.275, 0.175], [0.435, 0, 0], [0.315, 0, 0], [0, 0, -0.1335], [0, 0, 0.1385]]
ETS7_F = [[0, 0, 0.175], [0.435, 0, 0], [0.315, 0, 0.275], [0, 0, -0.1335], [0, 0, 0.1385], [0, 0, 0.266]]
ETS7_RPY = np.pi / 2 * np.array([[0, 0, 0], [-1, 0, -1], [0, 0, 1], [0, 0, -1], [1, 1, 0], [2, 1, 0]])


def test_ets7_stands_where_the_toolbox_puts_it() -> None:
    """p_i = p_i-1 + R_i-1 t_i + R_i f_i with R_i = R_i-1 Rx Ry Rz(. + q_i), places of CoMs, from the source's numbers."""
    system = model("ets7")
    q = np.random.default_rng(7).uniform(-3, 3, 6)
    values = dict(zip(system.layout.joint_names, q, strict=True))
    R, p = np.eye(3), np.zeros(3)
    for i in range(6):
        roll, pitch, yaw = ETS7_RPY[i] + [0, 0, q[i]]
        p = p + R @ ETS7_T[i]
        R = R @ dcm_from_axis_angle(X, roll) @ dcm_from_axis_angle(Y, pitch) @ dcm_from_axis_angle(Z, yaw)
        p = p + R @ ETS7_F[i]
        assert_allclose(point(system, values, f"link{i + 1}.com"), p, atol=1e-14)
        assert_allclose(poses(system, values)[f"link{i + 1}"][:3, :3], R, atol=1e-14)
    assert_allclose(point(system, values, "tip"), p + R @ [0, 0.266, 0], atol=1e-14)


def test_ets7_weighs_what_was_published_and_breaks_the_triangle_inequality_as_published() -> None:
    system = model("ets7")
    assert system.mass_kg == pytest.approx(2692.38)
    assert system.base.mass_kg == 2552
    assert [problem.key.split("'")[1] for problem in system.warnings()] == ["link2", "link3", "link5"]
    with pytest.raises(InvalidSystem) as caught:
        load_system("model:ets7", strict=True)
    assert [problem.key for problem in caught.value.problems] == [f"body[{i}].inertia_kg_m2" for i in (1, 2, 4)]
    assert all(problem.line for problem in caught.value.problems)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("ets7", "industrial_6r")])
def test_the_other_models_are_free_of_warnings(name: str) -> None:
    load_system(f"model:{name}", strict=True)


# --- the stand-ins of the two case studies ---------------------------------------------------------------------------


def test_the_planar_arm_is_stretched_along_x_at_zero_and_moves_in_its_plane() -> None:
    system = model("planar_four_link")
    assert system.mass_kg == 140
    assert_allclose(point(system, {}, "tip"), [4.25, 0, 0], atol=0)
    assert_allclose([point(system, {}, f"link{i}.com") for i in (1, 2, 3, 4)], [[i - 0.25, 0, 0] for i in (1, 2, 3, 4)], atol=0)
    q = {"joint1": 0.3, "joint2": -0.9, "joint3": 1.4, "joint4": 0.2}
    angles = np.cumsum(list(q.values()))
    assert_allclose(point(system, q, "tip"), [0.25 + np.cos(angles).sum(), np.sin(angles).sum(), 0], atol=1e-15)
    link = system.bodies[1]
    assert_allclose(np.diag(link.inertia_kg_m2), [10 / 12 * 0.005, 10 / 12 * 1.0025, 10 / 12 * 1.0025], rtol=1e-12)
    assert_allclose(system.base.inertia_kg_m2[2, 2], 100 / 12 * 0.5, rtol=1e-12)


def test_the_spatial_arm_has_the_layout_of_the_paper() -> None:
    system, ets7 = model("spatial_six_link"), model("ets7")
    assert [body.mass_kg for body in system.bodies] == [body.mass_kg for body in ets7.bodies]
    assert_allclose(system.base.inertia_kg_m2, np.diag(np.diag(ets7.base.inertia_kg_m2)), atol=0)
    assert_allclose([joint.axis for joint in system.joints], [X, Y, Y, Y, Y, Y], atol=0)
    mount = system.joints[0].origin_m
    assert mount[1] == 0 and mount[2] > 0
    assert_allclose(point(system, {}, "link2") - mount, [0, 0, 0.25], atol=0)
    reach = [point(system, {}, f"link{i}")[0] for i in (2, 3, 4, 5, 6)] + [point(system, {}, "tip")[0]]
    assert_allclose(np.diff(reach), [2.5, 2.5, 0.5, 0.25, 0.25], atol=0)
    for body, length in zip(system.bodies[1:], [0.25, 2.5, 2.5, 0.5, 0.25, 0.25], strict=True):
        along = body.com_m / np.linalg.norm(body.com_m)
        assert np.linalg.norm(body.com_m) == length / 2
        rod = body.mass_kg * length**2 / 12 * (np.eye(3) - np.outer(along, along))
        assert_allclose(body.inertia_kg_m2, rod, rtol=1e-15, atol=0)


# --- ground arms -----------------------------------------------------------------------------------------------------


def test_the_stanford_arm_has_the_geometry_of_kane_and_levinson() -> None:
    """Mass centres of [Kane1983] eqs 136-137, with E* at L6 e2 and F* at L3 e2 from the wrist as the velocities have them."""
    system = model("stanford_arm")
    L1, L2, L3, L5, L6 = 0.1, 0.6, 0.2, 0.7, 0.06
    q1, q2, q3, q4, q5, q6 = np.random.default_rng(2).uniform(-2, 2, 6)
    a = dcm_from_axis_angle(Y, q1)
    b = a @ dcm_from_axis_angle(X, q2)
    d = b @ dcm_from_axis_angle(Y, q3)
    e = d @ dcm_from_axis_angle(X, q4)
    B = L1 * a[:, 0]
    C = B + q6 * b[:, 1]
    wanted = {
        "A.com": np.zeros(3),
        "B.com": B,
        "C.com": C,
        "D.com": C + L5 * b[:, 1],
        "E.com": C + L2 * b[:, 1] + L6 * e[:, 1],
        "F.com": C + L2 * d[:, 1] + L3 * e[:, 1],
    }
    q = {"q1": q1, "q2": q2, "q3": q3, "q4": q4, "q5": q5, "q6": q6}
    for frame, place in wanted.items():
        assert_allclose(point(system, q, frame), place, atol=1e-15)
    assert_allclose(poses(system, q)["F"][:3, :3], e @ dcm_from_axis_angle(Y, q5), atol=1e-15)


def test_the_stanford_arm_has_the_masses_of_appendix_3() -> None:
    system = model("stanford_arm")
    assert system.fixed
    assert_allclose(system.gravity_m_s2, [0, -9.81, 0], atol=0)
    assert [body.mass_kg for body in system.bodies[1:]] == [9, 6, 4, 1, 0.6, 0.5]
    wanted = [
        [0.01, 0.02, 0.01],
        [0.06, 0.01, 0.05],
        [0.4, 0.01, 0.4],
        [0.0005, 0.001, 0.001],
        [0.0005, 0.0002, 0.0005],
        [0.001, 0.002, 0.003],
    ]
    for body, moments in zip(system.bodies[1:], wanted, strict=True):
        assert_allclose(body.inertia_kg_m2, np.diag(moments), atol=0)


def test_the_holding_force_of_the_stanford_arm_is_the_papers_gravity_term() -> None:
    """Generalized gravity force along q6, Z196 of [Kane1983]: the slope of the potential energy."""
    system = model("stanford_arm")
    q = {"q1": 0.3, "q2": 1.1, "q3": -0.4, "q4": 0.7, "q5": 0.2, "q6": 0.15}

    def height_energy(q6: float) -> float:
        return sum(9.81 * body.mass_kg * point(system, q | {"q6": q6}, f"{body.name}.com")[1] for body in system.bodies[1:])

    s2, c2, c3, s4, c4 = np.sin(q["q2"]), np.cos(q["q2"]), np.cos(q["q3"]), np.sin(q["q4"]), np.cos(q["q4"])
    Z190, Z191 = c2 * c4 - s4 * s2 * c3, -(c2 * s4 + s2 * c3 * c4)
    Z196 = -9.81 * ((4 + 1) * c2 + (0.6 + 0.5) * (c4 * Z190 - s4 * Z191))
    slope = (height_energy(0.65) - height_energy(-0.35)) / 1.0  # the energy is linear in q6
    assert -slope == pytest.approx(Z196, rel=1e-12)


def test_the_general_arm_is_in_modified_denavit_hartenberg_form() -> None:
    system = model("general_6r")
    assert system.fixed and np.linalg.norm(system.gravity_m_s2) == pytest.approx(9.807, abs=0.01)
    for joint in system.joints:
        roll = np.arctan2(joint.dcm[2, 1], joint.dcm[1, 1])
        assert_allclose(joint.dcm, dcm_from_euler(roll, 0, 0), atol=1e-15)
        _, y, z = joint.origin_m
        assert_allclose(y * np.cos(roll) + z * np.sin(roll), 0, atol=2e-4)  # (a, -d sin, d cos), rounded
        assert_allclose(joint.axis, Z, atol=0)
    assert all(np.count_nonzero(body.inertia_kg_m2) == 9 and np.all(body.com_m) for body in system.bodies[1:])


def test_the_bench_arm_floats_and_alternates_its_axes() -> None:
    system = model("bench_6r")
    assert not system.fixed and system.mass_kg == 2220
    assert_allclose([joint.axis for joint in system.joints], [Z, Y, Z, Y, Z, X], atol=0)


def test_an_installed_package_may_add_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (files("scmanip.system") / "models" / "ets7.toml").read_text(encoding="utf-8")
    points = "[scmanip.models]\nmine = house_models:TEXT\nnone = house_models:NONE\n"
    installed(tmp_path, monkeypatch, "house_models", points, f"TEXT, NONE = {text!r}, 5\n")
    assert load_system("model:mine").name == "ets7" and "mine" in model_names()
    with pytest.raises(InvalidSystem, match=r"the text of a system file, found 'none' of house_models 1.0"):
        load_system("model:none")
