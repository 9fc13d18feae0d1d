"""Loops of every law that a mission can name, on many plants: against derivatives by complex numbers, and small runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from scmanip.analysis import Linearisation, linearisation
from scmanip.analysis.linear._held_motion import independent
from scmanip.control import Controller, Sampled, TaskComputedTorque, with_memory
from scmanip.dynamics import Model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, PoseReference, Reach, ReferenceMotion
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.spatial import quaternion_product
from scmanip.system import State, System

from ..control.flown_systems import NAMES, flown
from ..control.test_every_law import CONSTRAINED, IN_PYTHON, MODES, TABLES, fits, law, plant_of
from ..modes.flights import PLANTS, plant
from ..modes.flights import moved as another_place
from .complex_steps import by_complex_step, by_differences, moved, same


@dataclass(frozen=True)
class Random:
    """A random plant as laws are tried on it."""

    name: str
    frame: str = "tip"

    @property
    def model(self) -> Model:
        return plant(self.name)[0]

    @property
    def system(self) -> System:
        return self.model.system

    def state(self, *, pace: float = 1.0) -> State:
        at = plant(self.name)[1]
        return State(at.r_0, at.attitude_xyzw, at.q, pace * at.v_0, pace * at.omega_0, pace * at.qdot)


@cache
def case(name: str) -> Random:
    return Random(name) if name in PLANTS else flown(name)  # type: ignore[return-value]


def followed(made: Controller, at: Random) -> ReferenceMotion:
    """A motion that a law follows, of joints of any kind or of the frame that it leads."""
    if PoseReference in made.follows:
        place, attitude = (getattr(at.model, what)(at.state(), at.frame) for what in ("position", "attitude"))
        turned = quaternion_product(TURN, attitude)  # as no error of a turn has derivatives of complex numbers at none
        return Reach(at.frame, start_m=place, end_m=place + STEP_M, start_xyzw=turned, end_xyzw=turned, duration_s=2.0)
    layout = at.system.layout
    return Hold(another_place(layout, at.state().q, 0.3), layout=layout)


STEP_M = np.array([0.05, 0.03, 0.0])
# Thrusters serve rows of the base's place all alike: of equal singular values complex numbers give no derivative
EQUAL_ROWS = [(word, mode) for word in ("quiet_base", "task_priority") for mode in MODES if repr(mode) == "TranslationFlying()"]
TURN = np.array([0.0, 0.0, 0.1, np.sqrt(0.99)])
EVERY = [
    (word, k, name)
    for word, k, name in product(TABLES, range(len(MODES)), (*PLANTS, *NAMES))
    if fits(word, MODES[k]) and not (word in CONSTRAINED and name in PLANTS)
]
SOME = [EVERY[k] for k in np.sort(np.random.default_rng(65).permutation(len(EVERY))[:100])]


def judged() -> list[tuple[str, int, str]]:
    """Return of SOME, in order, those that have a law, a mode or a plant that was not tried before; the rest is exhaustive.

    Laws count as tried where no joint is spherical, for some refuse that.
    """
    tried = set[str | int]()
    found = []
    for each in SOME:
        if not tried.issuperset(each):
            found.append(each)
            tried.update(each if each[2] in NAMES or not case(each[2]).system.layout.quaternions else each[1:])
    return found


JUDGED = judged()


def test_laws_modes_and_plants_are_all_among_those_that_are_tried() -> None:
    for place, wanted in enumerate((set(TABLES), set(range(len(MODES))), {*PLANTS, *NAMES})):
        assert {each[place] for each in SOME} == {each[place] for each in JUDGED} == wanted


@pytest.mark.battery(1)
@pytest.mark.parametrize(
    "word, k, name",
    [pytest.param(*each, marks=() if each in JUDGED else pytest.mark.exhaustive) for each in SOME],
    ids=[f"{word}-{MODES[k].name}-{name}" for word, k, name in SOME],
)
def test_a_loop_of_any_law_changes_as_complex_steps_say(word: str, k: int, name: str) -> None:
    at, mode = case(name), MODES[k]
    try:
        made = law(word, mode, at)  # type: ignore[arg-type]
    except (InvalidInput, ModeMismatch) as refused:
        assert "spherical" in str(refused) or "over_rad" in str(refused)
        return
    plant, state = plant_of(word, mode, at)  # type: ignore[arg-type]
    if not plant.constraints:  # off where the law began: at no error of a turn there are no derivatives of complex numbers
        layout, state = plant.layout, plant.at_rest(state)
        aside = 0.02 * np.cos(np.arange(2 * layout.n_u + layout.n_x - layout.x_u.stop))
        state = State.renormalised(moved(layout, state.x, aside), layout)
    reference, state = followed(made, at), plant.at_rest(state)
    command = np.zeros(6 * mode.commands_base + plant.layout.N)
    if word in IN_PYTHON:
        with pytest.raises(InvalidInput, match="there as equations"):
            linearisation(plant, state, command, controller=made, reference=reference)
        return
    found = linearisation(plant, state, command, controller=made, reference=reference)
    if isinstance(made, Sampled):  # runs say whether that is right
        assert found.rate_Hz == made.rate_Hz and np.isfinite(found.A).all()
        return
    if (word, mode) in EQUAL_ROWS:
        expected = by_differences(plant, state, made, reference)
        assert_allclose(found.A, expected, rtol=0, atol=2e-6 * abs(expected).max())
        return
    held = plant.under(plant.constraints, state).plant if plant.constraints else plant
    W, kept = independent(held, state, 0.0) if plant.constraints else (np.eye(len(found.A)), [*range(len(found.A))])
    held, state = with_memory(held, made, state)
    expected = (by_complex_step(held, state, made, np.zeros(0), reference) @ W)[kept]
    idle = tuple(f"_{name}" for name, column in zip(found.inputs, found.B.T, strict=True) if not column.any())
    used = [k for k, each in enumerate(found.states) if not (each.startswith("law_") and each.endswith(idle))]
    same(found.A[:, used], expected[:, used])  # what a law remembers of commands that the mode does not take does nothing


@pytest.mark.battery(1, judged=8)
@pytest.mark.parametrize("word", [word for word in TABLES if word not in ("delayed", *IN_PYTHON, *CONSTRAINED)])
def test_small_motions_of_a_loop_at_rest_are_those_of_its_linear_system_to_their_second_order(word: str) -> None:
    """In the first mode that the law serves, of all modes that the test has; off by a size and by half of it."""
    at, mode = flown("planar"), next(mode for mode in MODES if fits(word, mode))
    plant_, made, state = Plant(at.model, mode), law(word, mode, at), at.state(pace=0.0)
    reference: ReferenceMotion = Hold(state.q)
    if PoseReference in made.follows:
        place, attitude = (getattr(at.model, what)(state, at.frame) for what in ("position", "attitude"))
        reference = Reach(at.frame, start_m=place, end_m=place, start_xyzw=attitude, end_xyzw=attitude, duration_s=9.0)
    state = plant_.at_rest(state)
    command = np.zeros(6 * mode.commands_base + plant_.layout.N)
    found = linearisation(plant_, state, command, controller=made, reference=reference)
    assert abs(found.rates).max() < 1e-12
    own, wrong = plant_.layout, []
    whole, nominal = with_memory(plant_, made, state)
    z, there = np.random.default_rng(3).normal(size=len(found.A)), nominal.x[whole.x_law]
    looks = made.rate_Hz if isinstance(made, Sampled) else 0.0
    seen = len(z) if not looks else sum(not name.startswith("law_") for name in found.states)
    z[seen:], span = 0.0, 4 / looks if looks else 0.4
    for size in (1e-3, 5e-4):
        start = State.renormalised(moved(own, state.x, size * z[: seen - len(there)]), own)
        z[seen - len(there) : seen] = (with_memory(plant_, made, start)[1].x[whole.x_law] - there) / size
        run = simulate(plant_, made, start, reference=reference, t_end_s=span, output_step_s=span, rtol=1e-12)
        step = np.linalg.matrix_power(found.A, 4) if looks else expm(span * found.A)
        wrong.append(abs(run.final.x - moved(whole.layout, nominal.x, size * (step @ z)[:seen])).max())
    assert wrong[1] < 1e-4
    assert wrong[0] / wrong[1] == pytest.approx(4.0, rel=0.05)


@pytest.mark.parametrize(("name", "axis"), [("planar", [0, 0, 1]), pytest.param("spatial", [1, 0, 0], marks=pytest.mark.slow)])
def test_a_law_half_a_turn_from_what_it_follows_has_no_derivatives_there(name: str, axis: list[int]) -> None:
    """Its error changes sign: refused by what jumps, and a little beside it is linear."""
    case, mode = flown(name), Floating()
    at, state = Plant(case.model, mode), case.state(pace=0.0)
    place, attitude = case.model.position(state, case.frame), case.model.attitude(state, case.frame)

    def loop(off: float) -> Linearisation:
        there = quaternion_product(attitude, np.array([*np.multiply(np.sin(off / 2), axis), np.cos(off / 2)]))
        reference = Reach(case.frame, start_m=place, end_m=place, start_xyzw=there, end_xyzw=there, duration_s=1.0)
        law = TaskComputedTorque(case.model, mode, axes=case.axes)
        return linearisation(at, state, np.zeros(case.model.layout.N), controller=law, reference=reference)

    with pytest.raises(InvalidInput, match=r"one where tau\[\w+\] of TaskComputedTorque jumps"):
        loop(np.pi)
    assert np.isfinite(loop(np.pi - 1e-3).A).all()
