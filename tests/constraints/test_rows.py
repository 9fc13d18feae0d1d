"""What constraints say of the speeds is what becomes of their places: every kind, in random systems, on every base."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import GROUND, FramePose, Lock, PointOnPoint, RelativeMotion, Weld
from scmanip.dynamics.constraints._sight import Sight
from scmanip.dynamics.constraints._stack import Stack
from scmanip.errors import UnknownName
from scmanip.spatial import Quaternion, dcm_from_axis_angle
from scmanip.system import CONSTRAINT_KINDS, KINDS, Frame, Loop
from tests.constraints.held_systems import CLOSING, closed_by, equations_at, held_system, rate, with_parts
from tests.oracles.complex_step import STEP
from tests.oracles.pinocchio_oracle import PinocchioOracle
from tests.oracles.random_systems import FIRST_OF_ALL, random_rotation, random_state, random_tree

SEEDS = range(12)


def case(seed):
    system, state = held_system(seed)
    return system, state, Stack(system, system.constraints)


def close(actual, expected, message=""):
    assert_allclose(
        actual, expected, rtol=0, atol=1e-12 * max(1.0, abs(np.asarray(expected)).max(initial=0.0)), err_msg=message
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rate_of_a_position_form_is_that_of_its_rows(seed):
    system, state, stack = case(seed)
    sight = Sight(system, equations_at(system, state))
    kept = stack.found(sight)
    for one in stack.constraints:
        mine = kept[stack.kept_of[one.name]]
        rows = one.rows(sight, mine, 0.0)
        assert len(rows.A) == len(rows.speed) == len(rows.drift) == len(one.labels(sight)), one.kind
        assert rows.position is not None or not one.holonomic, one.kind
        if rows.position is not None:
            moved = rate(system, state, lambda e, one=one, mine=mine: one.rows(Sight(system, e), mine, 0.0).position)
            close(moved, rows.A @ state.u + rows.speed, one.kind)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_drift_is_the_rate_of_the_rows_where_the_speeds_are_held(seed):
    system, state, stack = case(seed)
    sight = Sight(system, equations_at(system, state))
    kept, udot = stack.found(sight), np.random.default_rng(seed).normal(size=len(state.u))
    rows = stack.rows(sight, kept)

    def motion(e):
        rows = stack.rows(Sight(system, e), kept)
        return rows.A @ e.u + rows.speed

    close(rows.drift, rate(system, state, motion), stack.labels)
    close(rows.A @ udot + rows.drift, rate(system, state, motion, udot), stack.labels)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_weld_to_the_ground_moves_as_pinocchio_says(seed):
    system, state = held_system(seed)
    frame = system.frame("port0")
    motion = Sight(system, equations_at(system, state)).relative(GROUND, "port0")
    close(motion.J_N, PinocchioOracle(system).jacobian(state, frame.body, frame.origin_m))
    close(motion.twist, motion.J @ state.u)
    turning = Sight(system, equations_at(system, state)).relative("port1", "port0")
    close(turning.bias, rate(system, state, lambda e: Sight(system, e).relative("port1", "port0").twist))
    close(turning.bias_N, rate(system, state, lambda e: Sight(system, e).relative("port1", "port0").twist_N))


def test_rows_are_the_same_in_quaternions_and_one_below_the_other():
    system, state, stack = case(3)
    kept = stack.found(Sight(system, equations_at(system, state)))
    rows = stack.rows(Sight(system, equations_at(system, state)), kept)
    close(stack.rows(Sight(system, equations_at(system, state, Quaternion())), kept).A, rows.A)
    assert len(stack.labels) == len(rows.A) and len(set(stack.labels)) == len(rows.A)
    for one in system.constraints:
        alone = Stack.of(system, [one.name])
        close(
            rows.A[stack.rows_of[one.name]],
            alone.rows(Sight(system, equations_at(system, state)), kept[stack.kept_of[one.name]]).A,
        )
    with pytest.raises(UnknownName, match="graps"):
        Stack.of(system, ["graps"])


def test_every_kind_is_among_the_random_systems():
    seen = {one.kind for seed in SEEDS for one in held_system(seed)[0].constraints}
    assert seen == set(CONSTRAINT_KINDS)


def test_no_constraints_have_no_rows():
    held, state = held_system(0)
    system = with_parts(held, constraints=[])
    rows = Stack(system, ()).rows(Sight(system, equations_at(system, state)), np.zeros(0))
    assert rows.A.shape == (0, system.layout.n_u) and len(rows.drift) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_loop_beside_a_joint_of_the_tree_holds_nothing_that_the_joint_lets_go(seed):
    """Between the frames of a joint the loop is closed wherever the system is, and its rows say nothing new."""
    tree = random_tree(FIRST_OF_ALL + seed, springs=False)
    state = random_state(tree, seed)
    for body in tree.bodies[1:]:
        joint = body.joint
        on_child = Frame("moved", body.name, -joint.child_dcm.T @ joint.child_origin_m, joint.child_dcm.T)
        frames = [Frame("fixed", body.parent, joint.origin_m, joint.dcm), on_child]
        loop = closed_by("loop", ("fixed", "moved"), joint)
        system = with_parts(tree, frames=frames, constraints=[loop])
        sight = Sight(system, equations_at(system, state))
        rows = loop.rows(sight, loop.found(sight, 0.0), 0.0)
        assert len(rows.A) == 6 - min(joint.dof, 6) and not list(loop.unmet(sight)), joint.kind
        for zero in (rows.A, rows.drift, rows.position):
            assert abs(zero).max(initial=0.0) < 1e-12, joint.kind


class Free:
    """Two frames between which nothing is, where a system has others."""

    def __init__(self, motion):
        self.motion = RelativeMotion(np.eye(3), motion.C, motion.d, np.eye(6), np.zeros(6), np.zeros(6), np.zeros(3))

    u = np.zeros(6)

    def relative(self, a, b):
        return self.motion


def test_a_loop_has_a_row_for_each_direction_that_its_joint_holds():
    for seed in SEEDS:
        system, state = held_system(seed)
        sight = Sight(system, equations_at(system, state))
        loops = {one.joint: one for one in system.constraints if one.kind == "loop"}
        assert set(loops) == set(CLOSING)
        for word, loop in loops.items():
            A = loop.rows(Free(sight.relative(*loop.frames)), loop.found(sight, 0.0), 0.0).A
            own = {**({"axis": loop.axis} if loop.axis is not None else {}), **(loop.own or {})}
            assert np.linalg.matrix_rank(A) == len(A) == 6 - min(KINDS[word].dof(own), 6), word
            assert not list(loop.unmet(sight)), word


def test_what_is_far_from_its_place_says_by_how_much():
    system, state = held_system(4)
    sight = Sight(system, equations_at(system, state))
    away = np.linalg.norm(sight.relative("port0", "port1").d)
    (flaw,) = PointOnPoint("p", ("port0", "port1")).unmet(sight)
    assert flaw.key == "tolerance_m" and flaw.expected == "frames that meet within 0.001 m" and flaw.found == f"{away:.6g} m"
    assert not list(PointOnPoint("p", ("port0", "port1"), tolerance_m=1.001 * away).unmet(sight))
    assert not list(Weld("w", ("port0", "port1")).unmet(sight))
    motion = sight.relative("port0", "port1")
    turned = FramePose(motion.d, dcm_from_axis_angle(np.array([0, 0, 1.0]), 0.3) @ motion.C)
    (flaw,) = Weld("w", ("port0", "port1"), turned, tolerance_rad=0.2).unmet(sight)
    assert flaw.key == "tolerance_rad" and flaw.found == "0.3 rad"
    assert not list(Weld("w", ("port0", "port1"), turned, tolerance_rad=0.31).unmet(sight))
    problems = Stack(system, (Loop("ring", ("port0", "port1"), "revolute", [0, 0, 1]),)).unmet(sight)
    assert [problem.key for problem in problems] == ["constraint 'ring' tolerance_m", "constraint 'ring' tolerance_rad"]


def test_a_screw_that_closes_a_loop_counts_its_turns_by_its_way():
    pitch, axis = 0.02, np.array([0.0, 0.0, 1.0])
    loop = Loop("thread", ("a", "b"), "screw", axis, {"pitch_m_rad": pitch})
    for turn in (0.3, 3.0, 40.0):
        free = Free(SimpleNamespace(d=pitch * turn * axis, C=dcm_from_axis_angle(axis, turn)))
        assert (
            abs(loop.found(free, 0.0)).max() < 1e-14 and abs(loop.rows(free, loop.found(free, 0.0), 0.0).position).max() < 1e-14
        )
        free = Free(SimpleNamespace(d=free.motion.d + 1e-5 * axis, C=free.motion.C))
        assert loop.rows(free, np.zeros(5), 0.0).position[2] == pytest.approx(1e-5, rel=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_of_whole_vectors_are_those_on_b_in_the_inertial_frame(seed):
    """The generalized forces A' lambda are those of [f; n] on b and of the opposite, at the same place, on a."""
    system, state, stack = case(seed)
    sight = Sight(system, equations_at(system, state))
    rows, rng = stack.rows(sight, stack.found(sight)), np.random.default_rng(seed)
    multipliers = rng.normal(size=len(rows.A))
    forces = stack.forces(sight, multipliers)
    for name, part in (("weld", slice(0, 6)), ("point", slice(0, 3)), ("loop_spherical", slice(0, 3))):
        one, at = system.constraint(name), stack.rows_of[name]
        close(sight.relative(*one.frames).J_N[part].T @ forces[name], rows.A[at].T @ multipliers[at], name)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [Weld, PointOnPoint])
def test_rows_of_what_is_led_to_its_place_are_the_rates_of_where_it_is_to_be(seed, kind):
    """At a time on the way, in a state in which b is where it is to be then."""
    system, state = held_system(seed)
    rng, t = np.random.default_rng(seed), 0.7
    pose = {"pose": FramePose(rng.normal(size=3), random_rotation(rng))} if kind is Weld else {}
    one = kind("led", ("port0", "port1"), closing_s=2.0, **pose)
    sight = Sight(system, equations_at(system, state))
    kept = one.found(sight, 0.1)
    assert one.corners(kept) == (2.1,) and len(kept) == one.kept(sight) and one.drives
    assert abs(one.rows(sight, kept, 0.0).position).max() < 1e-12 and not one.rows(sight, kept, 0.0).speed.any()
    left = 1 - 0.3**3 * (10 - 15 * 0.3 + 6 * 0.3**2)
    kept[: 3 if kind is PointOnPoint else 7] /= np.array([left] * 3 + [1.0] * 3 + [left])[: len(kept) - 1]
    rows = one.rows(sight, kept, t)
    assert abs(rows.position).max() < 1e-12 and abs(rows.speed).min() > 1e-3

    def later(e):
        return one.rows(Sight(system, e), kept, t + 1j * STEP)

    close(rate(system, state, lambda e: later(e).position), rows.A @ state.u + rows.speed)
    udot = rng.normal(size=len(state.u))
    close(rows.A @ udot + rows.drift, rate(system, state, lambda e: later(e).A @ e.u + later(e).speed, udot))


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_of_a_constraint_are_rows_of_it(seed):
    system, state, stack = case(seed)
    sight, names = Sight(system, equations_at(system, state)), stack.called
    kept, rng = stack.found(sight), np.random.default_rng(seed)
    chosen = [name for name in names if rng.random() < 0.6]
    rows, some = stack.rows(sight, kept), stack.only(chosen)
    own = [k for k, name in enumerate(names) if name in chosen]
    assert some.labels == tuple(stack.labels[k] for k in own) and some.called == tuple(chosen)
    mine = some.rows(sight, some.found(sight))
    for part in ("A", "speed", "drift"):
        np.testing.assert_array_equal(getattr(mine, part), getattr(rows, part)[own])
    filled = some.filled({name: np.ones(at.stop - at.start) for name, at in some.rows_of.items()})
    assert sum(values.sum() for values in filled.values()) == len(own)
    assert all(len(filled[one.name]) == len(one.labels(sight)) for one in stack.constraints if one.name in filled)
    assert {*stack.without(chosen).called} == {*names} - {*chosen} and stack.only(names).constraints == stack.constraints


def test_what_can_slip_is_told_by_freedoms():
    tree = random_tree(FIRST_OF_ALL + 4, springs=False)
    for joint in tree.joints:
        stack = Stack(with_parts(tree, constraints=[]), (Lock("brake", joint.name, slip_N=2.0, slip_Nm=3.0),))
        limits = [2.0 if freedom.unit == "m" else 3.0 for freedom in joint.freedoms]
        assert [*stack.limits.values()] == limits and [*stack.limits] == [*stack.called]
        assert stack.called == (("brake",) if joint.dof == 1 else tuple(f"brake.{freedom.name}" for freedom in joint.freedoms))
