"""The packaged model library, against the sources that its files name."""

from __future__ import annotations

import re
import runpy
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Model, Reference, compile_model
from scmanip.errors import InvalidSystem
from scmanip.spatial import dcm_from_axis_angle, dcm_from_euler
from scmanip.system import Body, Joint, State, System, load_system, model_names, model_notes
from tests.house.packages import installed
from tests.oracles.random_systems import random_state
from tests.oracles.twins import oracles_of

from .poses import point, poses

NAMES = (
    "astrobee", "bench_6r", "dual_arm_servicer", "envisat", "ets7", "general_6r", "industrial_6r", "kuka_servicer",
    "osam_servicer", "papadopoulos_dubowsky", "planar_four_link", "planar_heavy_base", "puma560", "rocket_body",
    "spatial_six_link", "ssrms", "stanford_arm", "stanford_arm_hd", "stoneking_tree", "umetani_yoshida",
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
        with pytest.raises(InvalidSystem, match="one of astrobee"):
            load_system(outside)


@cache
def reference(name: str) -> Model:
    return compile_model(model(name), implementation=Reference())


every = pytest.mark.parametrize("name", model_names())


@every
def test_every_model_says_where_its_numbers_come_from(name: str) -> None:
    notes = model_notes(name)
    assert all(vars(notes).values()), notes
    assert "published" in notes.check or "ours" in notes.check
    assert len(notes.cited) <= 28
    assert notes == model_notes(f"model:{name}")


@every
def test_masses_and_centres_of_mass_add_up_to_what_is_said(name: str) -> None:
    system = model(name)
    said = re.fullmatch(
        r"(\S+) kg, centre of mass at \((\S+), (\S+), (\S+)\) m in base axes with all joints at zero.", model_notes(name).sums
    )
    mass, *centre = map(float, said.groups())
    assert sum(body.mass_kg for body in system.bodies) == pytest.approx(mass, rel=1e-9)
    state = State.at_rest(system, system.layout.neutral())
    assert_allclose(centre_of_mass(name, state) - place(name, state, "base"), centre, rtol=6e-4, atol=1e-12)


def place(name: str, state: State, frame: str) -> np.ndarray:
    return np.asarray(reference(name).equations(state).position(reference(name).point(frame)))


def centre_of_mass(name: str, state: State) -> np.ndarray:
    bodies = model(name).bodies
    masses = np.array([body.mass_kg for body in bodies])
    return masses @ [place(name, state, f"{body.name}.com") for body in bodies] / masses.sum()


@every
def test_every_model_moves_as_its_twins_do(name: str) -> None:
    """M and the forces of velocities and gravity, at random states; M is positive definite."""
    system, ours = model(name), reference(name)
    twins = oracles_of(system)
    assert len(twins) == 2
    for seed in (1, 2):
        state = random_state(system, seed)
        M, still = ours.M(state), np.zeros(state.u.size)
        inverse = ours.inverse_dynamics(state, still)
        assert np.linalg.eigvalsh(M)[0] > 1e-6
        for twin in twins:
            assert_allclose(twin.M(state), M, rtol=0, atol=1e-12 * abs(M).max())
            wrench, tau = twin.inverse_dynamics(state, still)
            for theirs, forces in ((tau, inverse.tau), *(() if system.fixed else ((wrench, inverse.wrench),))):
                assert_allclose(theirs, forces, rtol=0, atol=1e-12 * max(abs(forces).max(initial=0), abs(inverse.wrench).max()))


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


@every
def test_models_warn_of_nothing_but_of_broken_inequalities_that_they_admit(name: str) -> None:
    if "breaks the triangle" in model_notes(name).doubts or "break the triangle" in model_notes(name).doubts:
        assert all("inertia_kg_m2" in problem.key for problem in model(name).warnings())
    else:
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


# --- published numbers of the others -----------------------------------------------------------------------------------


def puma_found_and_printed() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return what the packaged arm gives at q = (0, 45, 180, 0, 45, 0) deg, and what is printed, by what it is.

    The published M has the rotors on its diagonal, and its velocity torques are without gravity.
    """
    arm, q = reference("puma560"), np.deg2rad([0, 45, 180, 0, 45, 0])
    gears, rotors = np.array([-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686]), np.array([2e-4] * 3 + [33e-6] * 3)
    held = arm.inverse_dynamics(State(q=q, qdot=np.zeros(6)), np.zeros(6)).tau
    moved = arm.inverse_dynamics(State(q=q, qdot=[1.0, 0, 0, 0, 0, 0]), np.zeros(6)).tau
    upper = [
        [3.6594, -0.4044, 0.1006, -0.0025, 0, 0], [0, 4.4137, 0.3509, 0, 0.0024, 0], [0, 0, 0.9378, 0, 0.0015, 0],
        [0, 0, 0, 0.1925, 0, 0], [0, 0, 0, 0, 0.1713, 0], [0, 0, 0, 0, 0, 0.1941],
    ]  # fmt: skip
    M = np.triu(arm.M(State(q=q, qdot=np.zeros(6))) + np.diag(gears**2 * rotors))
    return {
        "torques that hold it [N m]": (held, np.array([0, 31.6399, 6.0351, 0, 0.0283, 0])),
        "M [kg m^2], with rotors": (M, np.array(upper)),
        "torques of velocities at qdot_1 = 1 rad/s [N m]": (moved - held, np.array([0, 0.6280, -0.3607, -0.0003, 0, 0])),
    }


def test_the_puma_holds_and_moves_as_published() -> None:
    """To every printed digit."""
    for what, (found, printed) in puma_found_and_printed().items():
        assert_allclose(found, printed, rtol=0, atol=0.5e-4, err_msg=what)


def test_the_arm_of_papadopoulos_and_dubowsky_is_singular_where_published_and_its_workspaces_end_there() -> None:
    system, arm = model("papadopoulos_dubowsky"), reference("papadopoulos_dubowsky")

    def at(q1: float, q2: float) -> State:
        return State.at_rest(system, np.deg2rad([q1, q2]))

    def determinant(q2: float, q1: float = -65.0) -> float:
        return float(np.linalg.det(arm.J_star(at(q1, q2), "tip")[:2]))

    assert determinant(-11.415) < 0 < determinant(-11.405)  # -11.41 is the published one, rounded
    for q1, q2, reach in ((0, 0, 2.2872340), (180, 0, 1.4361702), (0, 180, 0.3510638)):
        arrow = place("papadopoulos_dubowsky", at(q1, q2), "tip") - centre_of_mass("papadopoulos_dubowsky", at(q1, q2))
        assert np.linalg.norm(arrow) == pytest.approx(reach, abs=1e-7)
        assert determinant(q2, q1) == pytest.approx(0, abs=1e-12)


def test_the_box_of_the_base_of_umetani_and_yoshida_has_the_listed_length() -> None:
    for name in ("umetani_yoshida", "planar_heavy_base"):
        base = model(name).base
        edges = np.sqrt(6 * (np.trace(base.inertia_kg_m2) - 2 * np.diag(base.inertia_kg_m2)) / base.mass_kg)
        assert_allclose(edges, [2.474, 2.474, 1.510], atol=5e-4)
        assert np.hypot(*edges[:2]) == pytest.approx(3.5, abs=2e-3)


def test_arms_are_as_long_as_their_makers_say() -> None:
    stretched = {
        "kuka_servicer": (np.zeros(7), "tip", [0, 0, 0.375 + 1.306]),
        "osam_servicer": (np.zeros(7), "tip", [1.5 + 2.3, 0, 0.8]),
    }
    for name, (q, frame, place) in stretched.items():
        system = model(name)
        assert_allclose(point(system, dict(zip(system.layout.joint_names, q, strict=True)), frame), place, atol=1e-12)
    assert np.hypot(*(point(model("ssrms"), {"J4": np.pi}, "LEE_B") - point(model("ssrms"), {}, "B1"))[:2]) == pytest.approx(
        16.07, abs=0.01
    )


def test_the_box_of_the_dual_arm_servicer_and_the_tube_of_the_rocket_body_have_their_sizes() -> None:
    base, stage = model("dual_arm_servicer").base, model("rocket_body").base
    edges = np.array([2.6, 1.7, 1.8])
    assert_allclose(np.diag(base.inertia_kg_m2), base.mass_kg / 12 * (edges @ edges - edges**2), atol=0.05)
    across = stage.mass_kg * (6 * 1.2**2 + 6.5**2) / 12
    assert_allclose(np.diag(stage.inertia_kg_m2), [stage.mass_kg * 1.2**2, across, across], atol=1e-3)


def test_the_tree_of_stoneking_has_the_paths_of_his_tables() -> None:
    tree = model("stoneking_tree").tree
    wanted = [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [1, 0, 1, 1, 0], [1, 0, 1, 0, 1]]
    assert np.array_equal(tree.body_path, np.array(wanted, dtype=bool))


def test_a_target_floats_free_beside_a_servicer() -> None:
    servicer, target = model("ets7"), model("envisat").base
    client = Body("envisat", target.mass_kg, target.inertia_kg_m2, target.com_m, "ground", Joint("envisat", "free"))
    both = System("servicing", servicer.base, [*servicer.bodies[1:], client], servicer.frames)
    assert len(both.trees) == 2 and both.mass_kg == pytest.approx(servicer.mass_kg + target.mass_kg)


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


@pytest.mark.slow
def test_the_page_of_the_models_is_what_its_script_makes() -> None:
    docs = Path(__file__).parents[2] / "docs"
    made = runpy.run_path(str(docs / "make_models_page.py"))["page"]()
    assert made == (docs / "models.md").read_text(encoding="utf-8"), "run python docs/make_models_page.py"
