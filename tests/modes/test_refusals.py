"""What no mode can do is refused with a sentence; and the table of the five modes."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

from scmanip.control import ComputedTorque, CoordinatedComputedTorque, JointRegulator, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold
from scmanip.modes import (
    FixedBase,
    Floating,
    Flying,
    ManoeuvreMode,
    RotationFloating,
    RotationFlying,
    TranslationFlying,
    table,
    table_rows,
)
from scmanip.simulation import Outcome, simulate
from scmanip.system import State

from ..simulation.arms import model, moving_state, two_joints

FREE = model()
HELD = model(fixed=True)
DRIVING = [RotationFloating(), RotationFlying(), TranslationFlying(), TranslationFlying(RotationFloating()), Flying()]
ALL_DRIVING = pytest.mark.parametrize("mode", DRIVING, ids=repr)
HOLD = Hold([0.4, -0.7])


@pytest.mark.parametrize("mode", [RotationFloating(), RotationFlying()], ids=repr)
def test_a_force_is_refused_where_nothing_pushes(mode: ManoeuvreMode) -> None:
    sentence = rf"returned a force f = \[0.0, 1.0, 0.0\] at t = 0 s, but in mode '{mode.name}' nothing pushes the system"
    with pytest.raises(ModeMismatch, match=sentence):
        simulate(FREE, mode, lambda t, state: [0, 1.0, 0, 0, 0, 0, 0, 0], moving_state(), t_end_s=1.0)


def test_a_torque_is_refused_where_nothing_turns_the_base() -> None:
    sentence = r"a torque n = \[0.0, 0.0, 2.0\] at t = 0 s, but in mode 'translation_flying' nothing turns the base"
    with pytest.raises(ModeMismatch, match=sentence):
        simulate(FREE, TranslationFlying(), lambda t, state: [0, 1.0, 0, 0, 0, 2.0, 0, 0], moving_state(), t_end_s=1.0)


@ALL_DRIVING
def test_joint_forces_alone_leave_the_base_to_itself(mode: ManoeuvreMode) -> None:
    def law(t: float, state: State) -> np.ndarray:
        return np.array([np.sin(t), 0.2])

    driven = simulate(FREE, mode, law, moving_state(), t_end_s=1.0, output_step_s=0.5)
    floating = simulate(FREE, Floating(), law, moving_state(), t_end_s=1.0, output_step_s=0.5)
    np.testing.assert_allclose(driven.q, floating.q, atol=1e-10)
    assert not driven.wrench.any()


@ALL_DRIVING
def test_commands_of_the_wrong_shape_are_refused_with_both_right_ones(mode: ManoeuvreMode) -> None:
    for shape in [(), (1,), (6,), (7,), (9,), (2, 4), (8, 1)]:
        with pytest.raises(
            InvalidInput, match=re.escape("at t = 1.5 s: expected 2 joint forces, or 8 numbers [f; n; tau], found")
        ):
            mode.check_command(FREE.layout, np.zeros(shape), 1.5)


@ALL_DRIVING
def test_a_base_that_is_held_is_refused(mode: ManoeuvreMode) -> None:
    with pytest.raises(ModeMismatch, match=r"drives a base that is free to move.*holds its base.*choose 'fixed_base'"):
        mode.check(HELD)


@ALL_DRIVING
@pytest.mark.parametrize(
    "make", [ComputedTorque, lambda m: WithFeedforward(ComputedTorque(m)), lambda m: JointRegulator(m, K_P=1, K_D=1)]
)
def test_laws_of_the_joints_alone_are_refused_where_the_base_is_driven(mode: ManoeuvreMode, make: object) -> None:
    sentence = (
        f"commands joints on a base that nothing drives; {mode.name} drives the base; CoordinatedComputedTorque commands both"
    )
    with pytest.raises(ModeMismatch, match=sentence):
        simulate(FREE, mode, make(FREE), moving_state(), reference=HOLD, t_end_s=1.0)  # type: ignore[operator]


@ALL_DRIVING
def test_coordinated_computed_torque_is_refused_in_a_mode_it_was_not_made_for(mode: ManoeuvreMode) -> None:
    for other in [Floating(), *DRIVING]:
        law = CoordinatedComputedTorque(FREE, other)
        if repr(other) == repr(mode):
            law.check(mode.equipped(FREE), mode)
            continue
        with pytest.raises(
            ModeMismatch, match=re.escape(f"was made for {other!r} and is flown in {mode!r}; make it for that mode")
        ):
            law.check(mode.equipped(FREE), mode)


def test_coordinated_computed_torque_is_refused_on_a_held_base() -> None:
    with pytest.raises(ModeMismatch, match=r"not in FixedBase\(\); ComputedTorque drives the joints alone"):
        CoordinatedComputedTorque(HELD, FixedBase())
    with pytest.raises(ModeMismatch, match="holds its base"):
        CoordinatedComputedTorque(HELD, Flying())


@pytest.mark.parametrize("mode", [RotationFlying(), TranslationFlying(), Flying()], ids=repr)
def test_a_command_that_is_no_number_ends_the_run_and_is_shown(mode: ManoeuvreMode) -> None:
    def law(t: float, state: State) -> np.ndarray:
        return np.concatenate([np.full(6, np.nan if t > 0.5 else 0.0), np.zeros(2)])

    history = simulate(FREE, mode, law, moving_state(), t_end_s=1.0)
    assert history.outcome is Outcome.NOT_FINITE
    assert re.search(r"returned a base wrench \[.*nan.*\] and tau = \[0.0, 0.0\]", history.advice)
    with pytest.raises(InvalidInput, match="command of the controller at t = 0 s: expected finite numbers"):
        simulate(FREE, mode, lambda t, state: np.full(8, np.nan), moving_state(), t_end_s=1.0)


@ALL_DRIVING
def test_the_repr_is_how_a_mode_is_made(mode: ManoeuvreMode) -> None:
    again = eval(repr(mode), {}, {c.__name__: c for c in (RotationFloating, RotationFlying, TranslationFlying, Flying)})
    assert repr(again) == repr(mode)
    assert again.actuated(FREE.layout).tolist() == mode.actuated(FREE.layout).tolist()


@pytest.mark.parametrize("given", [Floating(), RotationFlying(), RotationFloating, "wheels", True])
def test_only_wheels_turn_a_base_that_a_force_through_the_system_com_pushes(given: object) -> None:
    with pytest.raises(InvalidInput, match=r"attitude: expected RotationFloating\(\) or None, found"):
        TranslationFlying(given)  # type: ignore[arg-type]


@pytest.mark.battery(1)
@ALL_DRIVING
def test_a_history_of_a_mode_can_be_pickled_and_keeps_its_promises(mode: ManoeuvreMode) -> None:
    history = simulate(FREE, mode, lambda t, state: np.array([0.3, 0.2]), moving_state(), t_end_s=0.5, output_step_s=0.25)
    again = pickle.loads(pickle.dumps(history))
    assert repr(again.mode) == repr(mode)
    assert again.system.layout == history.system.layout
    np.testing.assert_array_equal(again.h_wheels, history.h_wheels)
    assert {name: r.value for name, r in again.residuals.items()} == {name: r.value for name, r in history.residuals.items()}


def rows() -> dict[str, list[str]]:
    lines = [re.split(r"\s{2,}", line.strip()) for line in table().splitlines()]
    return {line[0]: line[1:] for line in lines}


def test_the_table_has_the_five_modes_of_the_paper_with_their_older_names() -> None:
    older = {name: cells[0] for name, cells in rows().items() if name not in ("mode", "with wheels")}
    assert older == {
        "Floating": "free-floating",
        "RotationFloating": "free-floating",
        "RotationFlying": "free-flying",
        "TranslationFlying": "free-flying",
        "Flying": "free-flying",
    }
    assert rows()["mode"][2:] == ["actuation", "driven", "under-actuated", "constant"]


def test_the_rows_of_the_table_are_there_as_data() -> None:
    for row in table_rows():
        name, *cells = row.values()
        assert rows()[name.strip()] == cells
    assert rows()["mode"] == list(table_rows()[0])[1:]
    assert len(rows()) == 1 + len(table_rows()) == 7


@pytest.mark.battery(2)
@pytest.mark.parametrize("mode", [Floating(), *DRIVING], ids=repr)
def test_the_table_says_what_the_modes_do(mode: ManoeuvreMode) -> None:
    cells = rows()["with wheels" if repr(mode) == "TranslationFlying(attitude=RotationFloating())" else type(mode).__name__]
    _, _, actuation, driven, free, constant = cells
    places = {"v_C": range(3), "omega_0": range(3, 6), "qdot": range(6, 8), "none": []}
    actuated = [place for name in driven.split(", ") for place in places[name]]
    assert mode.actuated(FREE.layout).tolist() == actuated
    assert sorted(actuated + [place for name in free.split(", ") for place in places[name]]) == list(range(8))
    assert (actuation == "internal") == (not mode.pushed)
    still = simulate(compile_model(two_joints()), mode, lambda t, state: np.zeros(2), moving_state(), t_end_s=0.1).residuals
    assert ("P" in constant.split(", ")) == ("momentum" in still)
    assert ("L_C" in constant) == ("angular_momentum" in still)
