"""Of the forms of a quantity the one with the fewest operations runs; the counts are remembered and shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import (
    QUANTITIES,
    AskedQuantity,
    FoldedInertia,
    Form,
    RunTimeInertia,
    SymbolicModel,
    by_form,
    compile_model,
    derive,
)
from scmanip.dynamics.programs import _derivation, _memory
from scmanip.dynamics.programs._choice import FEW, TIMES, Choice, Count, chosen
from scmanip.dynamics.programs._forms import rivals
from scmanip.dynamics.programs._implementation import Inertia
from scmanip.spatial import Quaternion
from scmanip.system import Body, System, load_system

from ..models import COUNTED
from ..oracles.random_systems import random_state, random_system
from .arms import long_arm, two_links

INERTIAS = pytest.mark.parametrize("inertia", [FoldedInertia(), RunTimeInertia()], ids=["folded", "run time"])


def with_rivals(symbolic: SymbolicModel) -> list[str]:
    """Every quantity that several forms give; those of a frame for the last frame."""
    system, names = symbolic.system, []
    frame = (system.frames or system.bodies)[-1].name
    for name, quantity in QUANTITIES.items():
        if not (system.fixed and "wrench" in quantity.inputs):
            names.append(f"{name}:{frame}" if quantity.framed else name)
    return [name for name in names if len(rivals(AskedQuantity.of(name))) > 1]


def parts(names: list[str]) -> list[str]:
    return [f"{name}.{part}" for name in names if ":" not in name for part in QUANTITIES[name].parts]


def counts_in_full(symbolic: SymbolicModel, name: str) -> dict[Form, int]:
    asked = AskedQuantity.of(name)
    return {form: symbolic.derivation._total(asked, form, None) for form in symbolic.derivation._rivals(asked)}


def assert_nothing_is_cheaper(symbolic: SymbolicModel, names: list[str]) -> None:
    assert len(names) > 15
    for name in names:
        quantity = symbolic.quantity(name)
        choice, total = quantity.choice, quantity.operations.total
        full = counts_in_full(symbolic, name)
        assert [c.form for c in choice.counts] == list(full)
        assert total == min(full.values()) == choice.best.total, name
        assert choice.form is next(form for form, n in full.items() if n == total), name  # the first of equal ones
        for counted in choice.counts:
            assert counted.total == full[counted.form] or (counted.stopped and total <= full[counted.form]), name


ALIKE = {"forward_dynamics:wrench", "floating_inverse_dynamics", "momentum_bias"}  # to others, and long by sums


@pytest.mark.battery(0, judged=3)
@pytest.mark.parametrize("name", COUNTED)
def test_no_rival_of_what_runs_has_fewer_operations(name: str) -> None:
    symbolic = derive(load_system(f"model:{name}"))
    assert_nothing_is_cheaper(symbolic, [name for name in with_rivals(symbolic) if name not in ALIKE])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["planar_four_link", "stanford_arm"])
def test_no_rival_has_fewer_operations_where_inertias_are_an_input(name: str) -> None:
    symbolic = derive(load_system(f"model:{name}"), inertia=RunTimeInertia())
    assert_nothing_is_cheaper(symbolic, [name for name in with_rivals(symbolic) if name not in ALIKE])


@pytest.mark.battery(0, each=1)
@INERTIAS
@pytest.mark.parametrize(
    "seed", [*range(1300, 1305), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(1305, 1310))]
)
def test_no_rival_has_fewer_operations_on_systems_of_any_shape(seed: int, inertia: Inertia) -> None:
    symbolic = derive(random_system(seed, joints=seed % 5), inertia=inertia)
    names = with_rivals(symbolic)
    assert_nothing_is_cheaper(symbolic, [*names, *parts(names)])


@pytest.mark.slow
@pytest.mark.parametrize("fixed", [False, True])
def test_no_way_to_forward_dynamics_of_many_short_arms_has_fewer_operations(fixed: bool) -> None:
    """Arms that feel each other little are where sums and recursions are closest."""
    arm = two_links()
    upper, lower = arm.bodies[1:]
    bodies = []
    for k in range(6):
        joints = [
            replace(b.joint, name=f"{b.joint.name}{k}", axis=np.eye(3)[(k + i) % 3]) for i, b in enumerate((upper, lower))
        ]
        bodies += [replace(upper, name=f"upper{k}", joint=joints[0])]
        bodies += [replace(lower, name=f"lower{k}", parent=f"upper{k}", joint=joints[1])]
    symbolic = derive(System("many arms", arm.base, bodies, fixed=fixed))
    assert symbolic.forward_dynamics.operations.total == min(counts_in_full(symbolic, "forward_dynamics").values())


def test_sums_run_where_they_have_fewer_operations() -> None:
    system = load_system("model:planar_four_link")
    folded, table = compile_model(system), compile_model(system, inertia=RunTimeInertia())
    assert folded.symbolic.Hm.choice.form is Form.RECURSION
    assert table.symbolic.Hm.choice.form is Form.SUMS
    assert table.symbolic.Hm.program.text == by_form(table.symbolic, "Hm", Form.SUMS).text
    state = random_state(system, 4)
    assert_allclose(table.Hm(state), folded.Hm(state), rtol=0, atol=1e-12 * abs(folded.Hm(state)).max())
    assert "Hm: by sums over links [Wilde2018]" in table.card()


@pytest.mark.slow
def test_of_equal_forms_the_recursion_runs() -> None:
    symbolic = derive(load_system("model:stanford_arm"))
    alike = [name for name in with_rivals(symbolic) if len({c.total for c in symbolic.quantity(name).choice.counts}) == 1]
    assert alike
    assert all(symbolic.quantity(name).choice.form is rivals(AskedQuantity.of(name))[0] for name in alike)


@pytest.mark.slow
def test_the_card_states_the_form_and_the_counts_of_all() -> None:
    model = compile_model(load_system("model:bench_6r"), quantities=("H", "forward_dynamics", "attitude:tip"))
    lines = model.card().splitlines()[2:]
    sums = by_form(model.symbolic, "H", Form.SUMS).operations.total
    assert lines[1] == f"  H: recursion in link axes 935 (beside sums over links [Wilde2018] {sums})"
    articulated = by_form(model.symbolic, "forward_dynamics", Form.ARTICULATED_BODIES).operations.total
    assert lines[3] == (
        "  forward_dynamics: composite bodies and elimination of the base 1843 "
        f"(beside articulated bodies {articulated}, sums over links [Wilde2018] at least 1843)"
    )
    assert lines[4].startswith("attitude:tip: by sums over links")
    assert len(lines) == 5


# Counting stops


def totals(found: dict[Form, int], asked: list[tuple[Form, int | None]]) -> Callable[[Form, int | None], int | None]:
    def total(form: Form, most: int | None) -> int | None:
        asked.append((form, most))
        return found[form] if most is None or found[form] <= most else None

    return total


THREE = (Form.ELIMINATION, Form.ARTICULATED_BODIES, Form.SUMS)


def test_a_rival_is_counted_until_it_cannot_win() -> None:
    asked: list[tuple[Form, int | None]] = []
    choice = chosen(THREE, totals(dict(zip(THREE, (9000, 8000, 50_000), strict=True)), asked))
    assert asked == [(THREE[0], None), (THREE[1], TIMES * 9000), (THREE[2], TIMES * 8000)]
    assert choice == Choice((Count(THREE[0], 9000), Count(THREE[1], 8000), Count(THREE[2], 8000, stopped=True)))
    assert str(choice.counts[2]) == "sums over links [Wilde2018] at least 8000"
    asked.clear()
    assert chosen(THREE, totals(dict.fromkeys(THREE, 10), asked)).form is THREE[0]
    assert [most for _, most in asked] == [None, FEW, FEW]


def test_nothing_is_counted_beside_a_program_without_operations() -> None:
    asked: list[tuple[Form, int | None]] = []
    choice = chosen(THREE, totals(dict.fromkeys(THREE, 0), asked))
    assert asked == [(THREE[0], None)]
    assert str(choice).endswith("(beside articulated bodies at least 0, sums over links [Wilde2018] at least 0)")


# What is remembered


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """How many programs were counted, with an empty cache to begin with."""
    monkeypatch.setenv("SCMANIP_CACHE", str(tmp_path / "cache"))
    calls: list[int] = []
    original = _derivation.count

    def counting(*arguments: object) -> object:
        calls.append(1)
        return original(*arguments)

    monkeypatch.setattr(_derivation, "count", counting)
    return calls


def entries(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").glob("*.count"))


@INERTIAS
def test_a_choice_is_counted_once_and_then_remembered(inertia: Inertia, counted: list[int], tmp_path: Path) -> None:
    first = derive(long_arm(3), inertia=inertia).H
    assert first.choice == first.choice
    assert len(counted) == 2
    assert len(entries(tmp_path)) == 1
    again = derive(long_arm(3), inertia=inertia)
    assert again.H.choice == first.choice
    assert again.program("H").text == first.program.text
    assert len(counted) == 2


def damage(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "a bit in the key": lambda c: damage(c, 40),
    "a bit in the digest": lambda c: damage(c, 120),
    "a bit in the counts": lambda c: damage(c, len(c) - 5),
    "half": lambda c: c[: len(c) // 2],
    "everything": lambda c: b"",
    "text": lambda c: b"import os\n" * 40,
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_choice_is_counted_anew(kind: str, counted: list[int], tmp_path: Path) -> None:
    choice = derive(long_arm(3)).H.choice
    (path,) = entries(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(DAMAGE[kind](whole))
    assert derive(long_arm(3)).H.choice == choice
    assert len(counted) == 4
    assert path.read_bytes() == whole


@pytest.mark.parametrize("content", [b"[]", b"{}", b"not JSON", b'[["SUMS", 1, false]]', b'[["RECURSION", "x", false], 3]'])
def test_a_choice_among_other_forms_is_counted_anew(content: bytes, counted: list[int], tmp_path: Path) -> None:
    choice = derive(long_arm(3)).H.choice
    (path,) = entries(tmp_path)
    _memory.MEMORY.write(path.stem, content)
    assert derive(long_arm(3)).H.choice == choice
    assert len(counted) == 4


def test_a_folder_that_cannot_be_written_only_costs_time(
    counted: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_text("in the way")
    monkeypatch.setenv("SCMANIP_CACHE", str(tmp_path / "a file" / "cache"))
    assert derive(long_arm(3)).H.choice == derive(long_arm(3)).H.choice
    assert len(counted) == 4


def heavier(system: System) -> System:
    link: Body = replace(system.bodies[-1], mass_kg=7.0)
    return System(system.name, system.base, [*system.bodies[1:-1], link], system.frames)


def keys(symbolic: SymbolicModel, *names: str) -> list[str]:
    return [symbolic.derivation._key(AskedQuantity.of(name)) for name in names]


def test_whatever_changes_the_counts_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = long_arm(3)
    different = [
        *keys(derive(arm), "H", "M", "J_star:tip", "J_star:link2", "J_star@link2", "momentum", "momentum.P"),
        *keys(derive(arm, kinematics=Quaternion()), "H"),
        *keys(derive(arm, inertia=RunTimeInertia()), "H"),
        *keys(derive(heavier(arm)), "H"),
        *keys(derive(long_arm(4)), "H"),
    ]
    monkeypatch.setattr(_memory, "generator", lambda: "newer")
    different += keys(derive(arm), "H")
    assert len(set(different)) == len(different) == 12


def test_names_and_inertias_that_are_inputs_are_not_in_the_key() -> None:
    arm = long_arm(3)
    renamed = System("other", arm.base, arm.bodies[1:], arm.frames)
    assert keys(derive(arm), "H") == keys(derive(renamed), "H")
    names = ("H", "J_star:tip", "J_star:link3.com")
    ours, theirs = (keys(derive(system, inertia=RunTimeInertia()), *names) for system in (arm, heavier(arm)))
    assert ours == theirs


def test_a_changed_file_of_the_equations_makes_another_generator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in _memory.ROOMS:
        (tmp_path / room).mkdir(parents=True)
        (tmp_path / room / "_equations.py").write_text("x = 1\n")
    monkeypatch.setattr(_memory, "__file__", str(tmp_path / "dynamics" / "programs" / "_memory.py"))
    before = _memory.generator.__wrapped__()
    assert _memory.generator.__wrapped__() == before
    (tmp_path / "spatial" / "_equations.py").write_text("x = 10\n")
    after = _memory.generator.__wrapped__()
    (tmp_path / "symbolic" / "_another.py").write_text("")
    assert len({before, after, _memory.generator.__wrapped__()}) == 3


def test_a_value_without_bytes_of_its_own_cannot_be_part_of_a_key() -> None:
    with pytest.raises(TypeError, match="no bytes of"):
        _memory.key_of(object())
    assert _memory.key_of((1, 2), 3) != _memory.key_of(1, (2, 3))
    assert _memory.key_of(np.zeros((2, 3))) != _memory.key_of(np.zeros((3, 2)))
