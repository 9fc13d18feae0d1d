"""`scmanip verify` of constraints: every kind that there is keeps its laws in random systems, and a wrong one is seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from scmanip.command._constraint_laws import _sets, show_constraint_laws
from scmanip.command._verify import random_cases
from scmanip.constraints import Coupling, Rows, Weld
from scmanip.dynamics import Reference, compile_model
from scmanip.system import CONSTRAINT_KINDS, System, load_system
from tests.constraints.held_systems import held_system, with_parts
from tests.house import test_a_constraint_of_ones_own as winch
from tests.house.packages import installed


class Sheet:
    """What is shown, kept."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []

    def table(self, rows: Iterable[tuple[str, ...]]) -> None:
        self.rows += rows


def shown(system: System, seed: int = 0) -> tuple[bool, dict[str, tuple[str, ...]]]:
    sheet, model = Sheet(), compile_model(system, implementation=Reference())
    return show_constraint_laws(sheet, model, random_cases(system, seed)), {row[0]: row[1:] for row in sheet.rows}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6, *(pytest.param(k, marks=pytest.mark.slow) for k in (0, 1, 2, 3, 4, 5, 7, 8, 9))])
def test_every_kind_keeps_its_laws(seed: int) -> None:
    passed, rows = shown(held_system(seed)[0], seed)
    assert passed and set(rows) == {"law under constraints", *LAWS}


def test_a_system_without_constraints_shows_nothing() -> None:
    assert shown(with_parts(held_system(6)[0], constraints=[])) == (True, {})


LAWS = {
    "drift = rate of the rows", "rate of places = rows", "accelerations obey the rows",
    "accelerations = by multipliers", "forces = by multipliers",
}  # fmt: skip


@pytest.mark.parametrize(("wrong", "law"), [("drift", "drift = rate of the rows"), ("A", "rate of places = rows")])
def test_a_constraint_that_is_wrong_is_seen(wrong: str, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arm, right = load_system("model:planar_four_link"), Coupling.rows

    def rows(self, seen, kept, t) -> Rows:
        said = right(self, seen, kept, t)
        return replace(said, **{wrong: 1.001 * getattr(said, wrong) + 1e-3})

    monkeypatch.setattr(Coupling, "rows", rows)
    gear = Coupling("gear", *arm.layout.joint_names[:2], polynomial=[0.0, 1.0, 0.5], tolerance=1e9)
    passed, found = shown(with_parts(arm, constraints=[gear]))
    assert not passed and found[law][-1] == "FAILED"


def test_active_ones_are_looked_at_together() -> None:
    arm = load_system("model:planar_four_link")
    one, two, other = (Weld(name, ("ground", arm.bodies[-1].name), active=name != "other") for name in ("one", "two", "other"))
    assert _sets(with_parts(arm, constraints=[one, two, other])) == [("one",), ("two",), ("other",), ("one", "two")]


def test_kinds_of_packages_are_under_the_batteries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points, code = "[scmanip.constraints]\nwinch = house_winch:Winch\n", f"from {winch.__name__} import Winch\n"
    installed(tmp_path, monkeypatch, "house_winch", points, code)
    system, _ = held_system.__wrapped__(6)
    assert {one.kind for one in system.constraints} == set(CONSTRAINT_KINDS) > {"winch"}
    passed, rows = shown(with_parts(system, constraints=[one for one in system.constraints if one.kind == "winch"]))
    assert passed and set(rows) == {"law under constraints", *LAWS}
