"""The command `scmanip verify`: it passes on sound systems, and fails when any one way to the numbers is wrong."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from scmanip.command import _laws, _verify
from scmanip.command._application import application
from scmanip.command._outermost import outermost_frame
from scmanip.dynamics import Cases, Formulation, Model, Reference, compile_model, formulations
from scmanip.interop import MujocoTwin, PinocchioTwin
from scmanip.system import System, load_system
from tests.mission.files import FIXED, MISSION, SLIDER, SYSTEM
from tests.system.test_free_bodies import FILE as FREE

WAYS = [
    "compiled, matrices", "compiled, quaternion", "compiled, lanes", "partial", "program by NumPy", "link recursion",
    "recursive Kane", "articulated bodies", "tree Kane", "partial velocities", "Pinocchio", "MuJoCo",
]  # fmt: skip
FRAMES = "".join(f'[[frame]]\nname = "{n}"\nbody = "{b}"\n' for n, b in [("hand", "lower"), ("dock", "base")])
COMPARED = ["M", "bias", "forward", "inverse", "J_star", "P", "L_C"]


def verified(*arguments: object) -> Result:
    return CliRunner().invoke(application, ["verify", *(str(argument) for argument in arguments)])


def labels(result: Result) -> list[str]:
    return [line[:20].strip() for line in result.stdout.splitlines()]


@pytest.fixture
def two_links(tmp_path: Path) -> Path:
    path = tmp_path / "arm.toml"
    path.write_text(SYSTEM, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("model", ["planar_four_link", "stanford_arm"])
def test_packaged_models_pass_and_the_output_fits_80_columns(model: str) -> None:
    result = verified(f"model:{model}")
    assert result.exit_code == 0, result.output
    assert "every check passed" in result.stdout
    assert "FAILED" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    present = set(labels(result))
    assert set(WAYS) <= present
    assert {"13", "forward_dynamics"} <= {label.partition("  ")[0] for label in present}
    assert ("P and L_C constant" in result.stdout) == (model == "planar_four_link")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [SLIDER, SYSTEM.replace("upper_rad = 2.0", "stiffness_Nm_rad = 3.0, damping_Nms_rad = 0.2"),
     "gravity_m_s2 = [0.0, 1.0, -9.81]\n" + FIXED, FIXED, SYSTEM[: SYSTEM.index("[[body]]")],
     SYSTEM.replace('"upper"', '"world"').replace('"elbow"', '"universe"')],
    ids=["sliding", "sprung", "gravity", "fixed", "no arm", "names that other codes keep for themselves"],
)  # fmt: skip
def test_systems_of_every_kind_pass(text: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(text, encoding="utf-8")
    result = verified(path, "--seed", 3)
    assert result.exit_code == 0, result.output


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPARED)
def test_a_wrong_formulation_is_found(name: str, two_links: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Off by one part in ten thousand millions, in one entry of one state."""

    def wrong(system: System) -> list[Formulation]:
        ways = formulations(system)

        def values(cases: Cases) -> dict[str, np.ndarray]:
            found = ways[0].values(cases)
            found[name].reshape(len(cases.tau), -1)[7, 0] += 1e-10 * abs(found[name][7]).max()
            return found

        return [ways[0], replace(ways[0], name="an error", values=values)]

    monkeypatch.setattr(_verify, "formulations", wrong)
    result = verified(two_links)
    assert result.exit_code == 1, result.output
    column = {"J_star": "J*", "P": "momentum", "L_C": "momentum"}.get(name, name)
    assert re.search(rf"^an error: {re.escape(column)} off by \d\.\de-1[01] in state 7, allowed", result.stdout, re.MULTILINE)
    assert "!" in next(line for line in result.stdout.splitlines() if line.startswith("an error  "))
    assert result.stdout.splitlines()[-1] == "FAILED"
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.slow
def test_every_pair_is_compared_also_where_both_agree_with_the_first(two_links: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two ways whose errors are tolerable beside the sums, and together are not."""

    def off(way: Formulation, name: str, part: float) -> Formulation:
        return replace(way, name=name, values=lambda cases: way.values(cases) | {"M": (1 + part) * way.values(cases)["M"]})

    def ways(system: System) -> list[Formulation]:
        sums = formulations(system)[0]
        return [sums, off(sums, "high", 8e-13), off(sums, "low", -8e-13)]

    monkeypatch.setattr(_verify, "formulations", ways)
    monkeypatch.setattr(_verify, "twins", lambda screen, system: [])
    result = verified(two_links)
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["3", "2e-12!"] in lines, result.stdout
    assert result.exit_code == 1


def test_the_outermost_frame_stands_for_all() -> None:
    system = System.from_toml_text(SYSTEM + FRAMES)
    assert outermost_frame(system) == "hand"
    assert outermost_frame(System.from_toml_text(SYSTEM)) == "lower"
    assert outermost_frame(System.from_toml_text(SYSTEM[: SYSTEM.index("[[body]]")])) == "base"


@pytest.mark.slow
def test_numbers_that_are_not_finite_fail(two_links: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(system: System) -> list[Formulation]:
        ways = formulations(system)
        return [ways[0], Formulation("broken", lambda cases: {"M": np.full_like(ways[0].values(cases)["M"], np.nan)})]

    monkeypatch.setattr(_verify, "formulations", broken)
    result = verified(two_links)
    assert result.exit_code == 1
    assert "nan!" in result.stdout


def slightly_wrong(name: str) -> Callable[..., object]:
    right = getattr(Model, name)
    return lambda self, state, *rest: (1 + 1e-7) * right(self, state, *rest)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("quantity", "sentence"),
    [
        ("Hm_dot", "energy rate"),
        ("H0m_dot", "P and L_C"),
        ("Hdot", "Hdot ="),
        ("dH_dq", "dH_dq"),
        ("coriolis_matrix", "Hdot - 2"),
        ("C", "coriolis_matrix qdot"),
    ],
)
def test_a_broken_law_is_found(quantity: str, sentence: str, two_links: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Model, quantity, slightly_wrong(quantity))
    result = verified(two_links)
    assert result.exit_code == 1, result.output
    failed = [line for line in result.stdout.splitlines() if line.endswith("FAILED") and len(line) > 10]
    assert any(line.startswith(sentence) for line in failed), result.stdout


@pytest.mark.slow
def test_every_law_is_shown(two_links: Path) -> None:
    shown = verified(two_links).stdout
    for sentence in _laws.laws(compile_model(load_system(two_links))):
        assert sentence in shown


@pytest.mark.slow
def test_codes_that_are_not_installed_are_left_out_and_named(two_links: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pinocchio", "mujoco"):
        monkeypatch.setitem(sys.modules, module, None)
    result = verified(two_links)
    assert result.exit_code == 0, result.output
    assert not {"Pinocchio", "MuJoCo"} & set(labels(result))
    assert result.stderr.count("not compared") == 2
    assert "scmanip[pinocchio]" in result.stderr
    assert "scmanip[mujoco]" in result.stderr


def test_what_cannot_be_verified_exits_with_2(tmp_path: Path) -> None:
    assert verified("model:nothing").exit_code == 2
    for name, text in {"mission": MISSION, "negative": SYSTEM.replace("50.0", "-1.0")}.items():
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        result = verified(path)
        assert result.exit_code == 2
        assert "nothing was verified" in result.stderr


def test_the_states_lie_within_the_limits_of_the_joints_and_follow_from_the_seed() -> None:
    system = System.from_toml_text(SYSTEM.replace("upper_rad = 2.0", "lower_rad = 1.5, upper_rad = 2.0"))
    q = _verify.random_cases(system, 1).states.q
    assert ((q[:, 0] >= 1.5) & (q[:, 0] <= 2.0)).all()
    np.testing.assert_array_equal(q, _verify.random_cases(system, 1).states.q)
    assert (q != _verify.random_cases(system, 2).states.q).any()
    assert (abs(q[:, 1]) > 1.5).any()


def test_the_twins_are_nouns_of_interop_with_the_same_questions() -> None:
    questions = {
        "M",
        "momentum",
        "centre_of_mass",
        "kinetic_energy",
        "forward_dynamics",
        "inverse_dynamics",
        "jacobian",
        "pose",
    }
    for twin in (PinocchioTwin, MujocoTwin):
        assert questions <= set(vars(twin))


class Sheet:
    """Takes lines and tables and keeps the tables."""

    def __init__(self) -> None:
        self.tables: list[list[tuple[str, ...]]] = []

    def say(self, line: str, style: str = "") -> None:
        del line, style

    note = say

    def table(self, rows: list[tuple[str, ...]]) -> None:
        self.tables.append(list(rows))


def test_a_law_that_is_broken_in_one_state_is_shown_with_that_state(two_links: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = load_system(two_links)
    cases = _verify.random_cases(system, 0)
    errors = iter([1e-15] * 7 + [0.5] + [1e-15] * 12)
    monkeypatch.setattr(_verify, "laws", lambda model: {"it holds": lambda *_: next(errors)})
    sheet = Sheet()
    assert not _verify._show_laws(sheet, compile_model(system), cases)
    (rows,) = sheet.tables
    assert (rows[1][0], rows[1][1], rows[1][3]) == ("it holds", "5.0e-01", "FAILED")


@pytest.mark.slow
def test_laws_are_those_of_every_tree() -> None:
    system, sheet = System.from_toml_text(FREE), Sheet()
    assert _verify._show_laws(sheet, compile_model(system, implementation=Reference()), _verify.random_cases(system, 0))
    assert [table[0][0] for table in sheet.tables] == ["law of 'base'", "law of 'target'"]
    assert all("P and L_C constant" in table[1][0] and table[1][3] == "ok" for table in sheet.tables)
