"""States: packing, views, batches and the checks at the door."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.errors import InvalidInput, InvalidState
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import Body, Joint, State, System, state_problems
from scmanip.system._state import _at_once, _one_by_one, _rest_of_base

HALF = np.sqrt(0.5)
EPS = np.finfo(float).eps


def chaser(*, fixed: bool = False) -> System:
    base = Body("base", 100.0, np.ones(3), np.array([0.1, 0.2, 0.3]))
    links = [
        Body(name, 1.0, np.ones(3), parent=parent, joint=Joint(f"{name} joint", "revolute"))
        for name, parent in (("a", "base"), ("b", "a"))
    ]
    return System("chaser", base, links, fixed=fixed)


def full() -> State:
    return State([1, 2, 3], [0, 0, HALF, HALF], [4, 5], [6, 7, 8], [9, 10, 11], [12, 13])


def test_a_state_has_the_places_of_the_layout_that_it_fits() -> None:
    assert full()._parts is chaser().layout.parts


def test_fields_are_views_of_one_packed_vector() -> None:
    state = full()
    assert_allclose(state.x, [1, 2, 3, 0, 0, HALF, HALF, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], atol=1e-15)
    layout = chaser().layout
    assert_array_equal(state.r_0, state.x[layout.x_r_0])
    assert_array_equal(state.attitude_xyzw, state.x[layout.x_attitude])
    assert_array_equal(state.q, state.x[layout.x_q])
    assert_array_equal(state.u, state.x[layout.x_u])
    assert_array_equal(state.v_0, state.u[layout.base_linear])
    assert_array_equal(state.omega_0, state.u[layout.base_angular])
    assert_array_equal(state.qdot, state.u[layout.joints])
    for name in ("r_0", "attitude_xyzw", "q", "u", "v_0", "omega_0", "qdot"):
        assert np.shares_memory(getattr(state, name), state.x)


def test_fields_may_be_given_by_name() -> None:
    named = State(qdot=[12, 13], omega_0=[9, 10, 11], v_0=[6, 7, 8], q=[4, 5], attitude_xyzw=[0, 0, HALF, HALF], r_0=[1, 2, 3])
    assert_array_equal(named.x, full().x)


def test_rates_and_one_of_position_and_attitude_may_be_left_out() -> None:
    assert_array_equal(State(r_0=[1, 2, 3], q=[4, 5]).x, [1, 2, 3, 0, 0, 0, 1, 4, 5] + 8 * [0])
    assert_array_equal(State(attitude_xyzw=[1, 0, 0, 0], q=[4]).x, [0, 0, 0, 1, 0, 0, 0, 4] + 7 * [0])


def test_a_state_of_joints_alone_belongs_to_a_fixed_base() -> None:
    state = State(q=[1, 2], qdot=[3, 4])
    assert state.fixed
    assert_array_equal(state.x, [1, 2, 3, 4])
    assert_array_equal(state.u, [3, 4])
    assert [len(field) for field in (state.r_0, state.attitude_xyzw, state.v_0, state.omega_0)] == [0, 0, 0, 0]


def test_a_state_cannot_be_edited() -> None:
    state = full()
    with pytest.raises(AttributeError, match="make a new one"):
        state.q = np.zeros(2)  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        state.q[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        state.x[0] = 1


def test_a_state_keeps_no_hold_on_what_it_was_made_from() -> None:
    q = np.array([4.0, 5.0])
    state = State(r_0=[0, 0, 0], q=q)
    q[0] = 99
    assert state.q[0] == 4


def test_a_nearly_unit_quaternion_is_normalised_and_keeps_its_sign() -> None:
    rough = State(attitude_xyzw=np.array([0, 0, -HALF, -HALF]) * (1 + 5e-7), q=[])
    assert_allclose(rough.attitude_xyzw, [0, 0, -HALF, -HALF], atol=1e-15)
    assert np.linalg.norm(rough.attitude_xyzw) == pytest.approx(1, abs=1e-15)


WRONG = {
    "no joints said": ({"r_0": [0, 0, 0]}, "joint coordinates"),
    "a position of two": ({"r_0": [0, 0], "q": [1]}, "r_0: expected 3 numbers"),
    "a quaternion of three": ({"attitude_xyzw": [0, 0, 1], "q": [1]}, "attitude_xyzw: expected 4 numbers"),
    "a quaternion of norm 2": ({"attitude_xyzw": [0, 0, 0, 2], "q": [1]}, "unit quaternion, found norm 2"),
    "a quaternion of zeros": ({"attitude_xyzw": [0, 0, 0, 0], "q": [1]}, "unit quaternion, found norm 0"),
    "a quaternion off by 1e-5": ({"attitude_xyzw": [0, 0, 0, 1 + 1e-5], "q": [1]}, "unit quaternion"),
    "NaN in q": ({"r_0": [0, 0, 0], "q": [np.nan]}, "q: expected finite numbers"),
    "infinity in v_0": ({"v_0": [0, 0, np.inf], "q": [1]}, "v_0: expected finite numbers"),
    "NaN in the quaternion": ({"attitude_xyzw": [0, 0, 0, np.nan], "q": [1]}, "finite numbers"),
    "a number without end": ({"r_0": [0, 0, 10**400], "q": [1]}, "r_0: expected numbers"),
    "words": ({"r_0": ["x", 0, 0], "q": [1]}, "r_0: expected numbers"),
    "cases that do not match": ({"r_0": np.zeros((3, 3)), "q": np.zeros((2, 1))}, "leading shape"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_state_is_refused(what: str) -> None:
    fields, message = WRONG[what]
    with pytest.raises(InvalidInput, match=message):
        State(**fields)


@pytest.mark.parametrize("seed", range(40))
def test_one_look_at_all_numbers_finds_what_looks_at_each_find(seed: int) -> None:
    rng = np.random.default_rng(seed)
    attitude = rng.normal(size=4)
    attitude *= (1 + rng.choice([0, 4, 1e4, 4e9]) * EPS) / np.linalg.norm(attitude)
    base = _rest_of_base(rng.normal(size=3), attitude, None, rng.normal(size=3))
    given = () if seed % 4 == 0 else base, rng.normal(size=6), [None, rng.normal(size=5)][seed % 2], rng.normal(size=2)
    tables: tuple[dict[str, object], ...] = {}, {"slosh": rng.normal(size=3), "valve": [1]}
    found, expected = _at_once(*given, tables[seed % 3 % 2]), _one_by_one(*given, tables[seed % 3 % 2])
    assert found is not None and found[1] is expected[1]
    assert_array_equal(found[0], expected[0], strict=True)


def test_one_look_says_nothing_of_numbers_whose_sum_no_float_holds() -> None:
    assert_array_equal(State(q=[1e308, 1e308]).q, [1e308, 1e308])
    assert_array_equal(State([0, 0, 1e300], q=[]).r_0, [0, 0, 1e300])


@pytest.mark.parametrize(
    "wrong", [np.zeros(2), np.array([0.0, np.nan, 0.0]), np.array(0.0), np.zeros((2, 3)), np.zeros(3, complex)]
)
@pytest.mark.parametrize("name", ["r_0", "attitude_xyzw", "v_0", "omega_0"])
def test_an_array_that_is_none_of_a_state_is_named(name: str, wrong: np.ndarray) -> None:
    right = {"r_0": np.zeros(3), "attitude_xyzw": np.array([0.0, 0, 0, 1]), "v_0": np.zeros(3), "omega_0": np.zeros(3)}
    with pytest.raises(InvalidState, match=f"State {name}: expected"):
        State(**right | {name: wrong}, q=np.zeros(6), qdot=np.zeros(6))


def test_unpack_turns_a_packed_vector_back_into_the_state() -> None:
    state, layout = full(), chaser().layout
    again = State.unpack(state.x, layout)
    assert_array_equal(again.x, state.x)
    stretched = state.x.copy()
    stretched[layout.x_attitude] *= 1 + 5e-7
    assert_allclose(State.unpack(stretched, layout).x, state.x, atol=1e-15)
    assert_allclose(State.unpack([stretched, state.x], layout).x, [state.x, state.x], atol=1e-15)
    with pytest.raises(InvalidState, match="17 numbers"):
        State.unpack(state.x[:-1], layout)
    held = chaser(fixed=True).layout
    assert_array_equal(State.unpack([1, 2, 3, 4], held).qdot, [3, 4])


@pytest.mark.parametrize("quaternion", [[0, 0, 0, 2.0], [0, 0, 0, 0], [0, 0, 0, 1 + 1e-5], [0, 0, 0, np.nan]])
def test_unpack_refuses_a_quaternion_that_is_none(quaternion: list[float]) -> None:
    state, layout = full(), chaser().layout
    bad = state.x.copy()
    bad[layout.x_attitude] = quaternion
    for x in (bad, [state.x, bad]):
        with pytest.raises(InvalidState, match=r"unit quaternion|finite numbers"):
            State.unpack(x, layout)


@pytest.mark.parametrize("x", ["abc", None, 3.0, [np.inf] * 17, np.zeros((1, 1, 17)), [[1.0], [2.0, 3.0]]])
def test_unpack_refuses_what_is_no_packed_state(x: object) -> None:
    with pytest.raises(InvalidState, match="State x: expected"):
        State.unpack(x, chaser().layout)  # type: ignore[arg-type]


def test_a_packed_vector_that_is_known_to_be_a_state_becomes_it_without_a_copy() -> None:
    x, layout = full().x.copy(), chaser().layout
    state = State.of_unit(x, layout)
    assert state.x is x and not x.flags.writeable
    assert not state_problems(state, layout)
    assert_array_equal(state.qdot, full().qdot)


def test_an_integrators_state_is_renormalised_whatever_its_quaternion_has_drifted_to() -> None:
    state, layout = full(), chaser().layout
    drifted = state.x.copy()
    drifted[layout.x_attitude] *= 3
    assert_allclose(State.renormalised(drifted, layout).x, state.x, atol=1e-15)
    assert np.linalg.norm(drifted[layout.x_attitude]) == pytest.approx(3)
    assert_array_equal(State.renormalised(np.array([1.0, 2, 3, 4]), chaser(fixed=True).layout).qdot, [3, 4])


STATES = {
    "single": full(),
    "fixed": State(q=[1, 2], qdot=[3, 4]),
    "batch": State.stack([full(), full()]),
    "no joints": State([1, 2, 3], q=[]),
}


@pytest.mark.parametrize("kind", STATES)
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_a_state_can_be_copied_and_pickled_and_still_not_edited(kind: str, again: object) -> None:
    state = STATES[kind]
    other = again(state)  # type: ignore[operator]
    assert repr(other) == repr(state)
    for name in ("x", "r_0", "attitude_xyzw", "q", "v_0", "omega_0", "qdot"):
        assert_array_equal(getattr(other, name), getattr(state, name))
    assert not other.x.flags.writeable


def test_nothing_of_a_state_can_be_deleted() -> None:
    state = full()
    with pytest.raises(AttributeError, match="cannot be edited"):
        del state.x
    assert state.x.size == 17


FITTING = {
    "floating": (full(), False, False),
    "fixed": (State(q=[1, 2]), True, False),
    "batch": (State.stack([full(), full()]), False, True),
}
JOINTS = "2 joint coordinates q and 2 joint rates qdot"
MISFITS = {
    "a batch for one state": (State.stack([full(), full()]), False, False, ["one state"]),
    "one state for a batch": (full(), False, True, ["a batch of states"]),
    "a held base": (State(q=[1, 2]), False, False, ["a floating base"]),
    "a free base": (full(), True, False, ["a fixed base"]),
    "joints too many": (State([0, 0, 0], q=[1, 2, 3]), False, False, [JOINTS]),
    "one joint moved from qdot to q": (
        State([0, 0, 0], q=[1, 2, 3], qdot=[1]), False, False, [JOINTS]
    ),
    "one rate short": (State([0, 0, 0], q=[1, 2], qdot=[1]), False, False, [JOINTS]),
    "everything": (
        State.stack([State(q=[1]), State(q=[2])]), False, False,
        ["one state", "a floating base", JOINTS],
    ),
    "no state": (np.zeros(17), False, False, ["a State"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", FITTING)
def test_a_state_fits_the_layout_of_its_system(kind: str) -> None:
    state, fixed, batch = FITTING[kind]
    assert state_problems(state, chaser(fixed=fixed).layout, batch=batch) == []


@pytest.mark.parametrize("kind", MISFITS)
def test_all_that_keeps_a_state_from_a_layout_is_said_at_once(kind: str) -> None:
    state, fixed, batch, expected = MISFITS[kind]
    problems = state_problems(state, chaser(fixed=fixed).layout, batch=batch)
    assert [problem.expected for problem in problems] == expected
    assert {problem.key for problem in problems} == {"state"}


def test_at_rest_nothing_moves_and_the_base_stands_at_the_origin() -> None:
    state = State.at_rest(chaser(), [0.1, 0.2])
    assert_array_equal(state.x, [0, 0, 0, 0, 0, 0, 1, 0.1, 0.2] + 8 * [0])
    assert_array_equal(State.at_rest(chaser(fixed=True), [0.1, 0.2]).x, [0.1, 0.2, 0, 0])


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("q", [[0.1], [0.1, 0.2, 0.3], [[0.1], [0.2]], "abc", None, 0.1])
def test_at_rest_refuses_joints_that_the_system_does_not_have(q: object, fixed: bool) -> None:
    with pytest.raises(InvalidState, match="State q: expected"):
        State.at_rest(chaser(fixed=fixed), q)  # type: ignore[arg-type]


def test_at_rest_makes_a_batch_of_a_row_per_case() -> None:
    batch = State.at_rest(chaser(), [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    assert len(batch) == 3
    assert_array_equal(batch[2].x, State.at_rest(chaser(), [0.5, 0.6]).x)


def test_stacked_states_are_a_batch_of_cases() -> None:
    states = [full(), State.at_rest(chaser(), [1, 2]), full()]
    batch = State.stack(states)
    assert len(batch) == 3 and batch.q.shape == (3, 2) and batch.u.shape == (3, 8)
    for case, state in enumerate(states):
        assert_array_equal(batch[case].x, state.x)
    with pytest.raises(InvalidState, match="states of one system"):
        State.stack([full(), State(q=[1, 2])])
    with pytest.raises(InvalidState, match="states of one system"):
        State.stack([])


def test_a_batch_may_be_made_from_arrays_with_a_leading_axis() -> None:
    batch = State(np.arange(6).reshape(2, 3), [0, 0, 0, 1], np.arange(4).reshape(2, 2))
    assert len(batch) == 2
    assert_array_equal(batch[1].r_0, [3, 4, 5])
    assert_array_equal(batch.attitude_xyzw, [[0, 0, 0, 1], [0, 0, 0, 1]])


def test_a_single_state_has_no_length_and_no_cases() -> None:
    with pytest.raises(TypeError, match="batch"):
        len(full())
    with pytest.raises(TypeError, match="indexed"):
        full()[0]


def test_a_state_from_the_base_frame_moves_its_centre_of_mass_along() -> None:
    """r_0 and v_0 by the rigid-body relations, and the frame's origin recovered by going back."""
    rng = np.random.default_rng(4)
    system = chaser()
    attitude = rng.normal(size=4)
    attitude /= np.linalg.norm(attitude)
    position, velocity, omega = rng.normal(size=(3, 3))
    state = State.from_base_frame(
        system,
        position_m=position,
        attitude_xyzw=attitude,
        q=[0.1, 0.2],
        velocity_m_s=velocity,
        omega_rad_s=omega,
        qdot=[0.3, 0.4],
    )
    offset = dcm_from_quaternion(attitude) @ system.base.com_m
    assert_allclose(state.r_0 - offset, position, atol=1e-15)
    assert_allclose(state.v_0 - np.cross(omega, offset), velocity, atol=1e-15)
    assert_allclose(state.omega_0, omega, atol=0)
    assert_allclose(state.qdot, [0.3, 0.4], atol=0)


def placed(system: System, **changes: object) -> State:
    good = {"position_m": [1, 2, 3], "attitude_xyzw": [0, 0, HALF, HALF], "q": [4, 5]}
    return State.from_base_frame(system, **(good | changes))  # type: ignore[arg-type]


WRONG_FRAMES = {
    "text": ({"position_m": "here"}, "State position_m: expected numbers"),
    "a position of two": ({"position_m": [1, 2]}, "State position_m: expected 3 numbers"),
    "text for an attitude": ({"attitude_xyzw": "up"}, "State attitude_xyzw: expected numbers"),
    "a quaternion of norm 2": ({"attitude_xyzw": [0, 0, 0, 2]}, "unit quaternion, found norm 2"),
    "a velocity of one": ({"velocity_m_s": [1]}, "State velocity_m_s: expected 3 numbers"),
    "an endless rate": ({"omega_rad_s": [0, 0, np.inf]}, "State omega_rad_s: expected finite"),
    "one joint": ({"q": [4]}, "State q: expected 2"),
    "one joint rate": ({"qdot": [4]}, "State qdot: expected 2"),
    "cases that do not match": ({"position_m": np.zeros((3, 3)), "q": np.zeros((2, 2))}, "State position_m: expected leading"),
}


@pytest.mark.parametrize("what", WRONG_FRAMES)
def test_a_base_frame_that_is_none_is_refused_by_its_own_names(what: str) -> None:
    changes, message = WRONG_FRAMES[what]
    with pytest.raises(InvalidState, match=message):
        placed(chaser(), **changes)


def test_a_base_that_is_held_has_no_frame_to_place() -> None:
    with pytest.raises(InvalidState, match="expected a system whose base floats"):
        placed(chaser(fixed=True))


def test_a_batch_from_base_frames_is_the_stack_of_its_cases() -> None:
    rng = np.random.default_rng(9)
    attitudes = rng.normal(size=(3, 4))
    attitudes /= np.linalg.norm(attitudes, axis=1, keepdims=True)
    fields = {
        "position_m": rng.normal(size=(3, 3)),
        "attitude_xyzw": attitudes,
        "q": rng.normal(size=(3, 2)),
        "velocity_m_s": rng.normal(size=(3, 3)),
        "omega_rad_s": rng.normal(size=(3, 3)),
        "qdot": rng.normal(size=(3, 2)),
    }
    batch = placed(chaser(), **fields)
    cases = [placed(chaser(), **{name: rows[i] for name, rows in fields.items()}) for i in range(3)]
    assert_array_equal(batch.x, State.stack(cases).x)
    shared = placed(chaser(), q=fields["q"])
    assert_array_equal(shared[1].x, placed(chaser(), q=fields["q"][1]).x)


def test_repr_tells_the_story_in_one_line() -> None:
    assert repr(full()) == "State(r_0=[1.0, 2.0, 3.0], n_q=2)"
    assert repr(State(q=[1])) == "State(fixed base, n_q=1)"
    assert repr(State.stack([full(), full()])) == "State(2 cases, floating base, n_q=2)"
