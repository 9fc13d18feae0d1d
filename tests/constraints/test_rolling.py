"""Rolling whose way follows from how far something has turned, and rolling that says nothing of places."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import GROUND, Rolling
from scmanip.dynamics import compile_model
from scmanip.dynamics.constraints._sight import Sight, Skeleton
from scmanip.modes import FixedBase
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Body, Frame, Joint, State, System
from tests.constraints.held_systems import equations_at, rate, with_parts
from tests.dynamics.gillespie_examples import disk
from tests.oracles.random_systems import random_rotation

INERTIA = [0.1, 0.2, 0.25]


def unit(vector):
    return vector / np.linalg.norm(vector)


def chain(seed, *, tilt=0.0):
    """Return a carriage and a wheel on a base, which turn about one direction only, but for a tilt, and a state."""
    rng = np.random.default_rng(seed)
    k, R = unit(rng.normal(size=3)), [random_rotation(rng) for _ in range(3)]
    x = unit(np.cross(k, rng.normal(size=3)))
    across = np.column_stack([x, np.cross(k, x), k])
    second = dcm_from_axis_angle(x, tilt) @ k
    spin = Joint("spin", "revolute", R[2].T @ R[0].T @ second, [0.1, 0.2, 0.3], R[2], child_dcm=R[1].T)
    bodies = [
        Body("carriage", 2.0, INERTIA, parent="base", joint=Joint("way", "planar", dcm=across, child_dcm=across.T @ R[0])),
        Body("arm", 1.0, INERTIA, parent="carriage", joint=Joint("slide", "prismatic", unit(rng.normal(size=3)))),
        Body("wheel", 1.0, INERTIA, parent="arm", joint=spin),
    ]
    frames = [
        Frame("floor", "base", [0.3, 0, 0], random_rotation(rng)),
        Frame("hub", "wheel", [0, 0.1, 0], random_rotation(rng)),
    ]
    system = System("chain", Body("base", 5.0, INERTIA), bodies, frames, fixed=bool(seed % 2))
    base = {} if system.fixed else {"r_0": rng.normal(size=3), "v_0": rng.normal(size=3), "omega_0": rng.normal(size=3)}
    return system, State(q=rng.uniform(-3, 3, 5), qdot=rng.normal(size=5), **base), rng


def rolls(system, state, rng, disk):
    """Return a disk about the direction of the wheel, or a sphere, that rolls on the floor."""
    given = {"frames": ("hub", "floor"), "radius_m": 0.3, "normal": unit(rng.normal(size=3))}
    return Rolling("rolls", **given, **({"axis": Skeleton(system).hinge("floor", "hub").in_b} if disk else {}))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("of_a_disk", [True, False])
def test_a_way_follows_from_a_turn_wherever_the_joints_are(seed, of_a_disk):
    system, state, rng = chain(seed)
    one, sight = rolls(system, state, rng, of_a_disk), Sight(system, equations_at(system, state))
    kept = one.found(sight, 0.0)
    assert len(kept) == one.kept(sight) == 2
    rows = one.rows(sight, kept, 0.0)
    assert abs(rows.position).max() < 1e-14
    moved = rate(system, state, lambda e: one.rows(Sight(system, e), kept, 0.0).position)
    assert_allclose(moved, rows.A @ state.u, atol=1e-12)
    away = State(q=state.q + np.array([2e-4, 1e-4, 0, 0, 0]), qdot=state.qdot, **_base(system, state))
    there = Sight(system, equations_at(system, away))
    off = rows.A @ np.concatenate([np.zeros(system.layout.n_base), [2e-4, 1e-4, 0, 0, 0]])
    assert_allclose(one.rows(there, kept, 0.0).position, off, atol=1e-6 * abs(off).max())


def _base(system, state):
    return {} if system.fixed else {"r_0": state.r_0, "attitude_xyzw": state.attitude_xyzw, "v_0": state.v_0}


def test_a_wheel_that_turns_about_several_directions_has_no_place():
    system, _, rng = chain(1, tilt=1e-3)
    structure = Skeleton(system)
    assert structure.hinge("floor", "hub") is None
    given = {"frames": ("hub", "floor"), "radius_m": 0.3, "normal": unit(rng.normal(size=3))}
    assert Rolling("rolls", **given).kept(structure) == 0
    planar, _, rng = chain(1)
    hinge = Skeleton(planar).hinge("floor", "hub")
    assert Rolling("rolls", **given, axis=unit(hinge.in_b + np.array([1e-3, 0, 0]))).kept(Skeleton(planar)) == 0
    assert Skeleton(planar).hinge("base", "arm") is not None and Skeleton(planar).hinge("arm", "carriage") is None
    assert Skeleton(planar).hinge(GROUND, "hub") is not None
    assert Skeleton(chain(2)[0]).hinge(GROUND, "hub") is None, "its base floats"


@pytest.mark.parametrize("wheel", ["disk", "sphere"])
def test_a_disk_that_rolls_down_a_slope_keeps_its_way_and_its_turn_together(wheel):
    system = disk(0.3, free=False)
    if wheel == "sphere":
        held = [type(one)(one.name, one.frames, radius_m=0.3, normal=one.normal) for one in system.constraints]
        system = with_parts(system, constraints=held)
    model = compile_model(system)
    start = State(q=[0.2, 0.3, 0.4], qdot=[0.6, 0.0, -2.0])
    plant = Plant(model, FixedBase(), constraints=("rolls", "rests"))
    history = simulate(plant, lambda t, state: np.zeros(3), start, t_end_s=20.0, rtol=1e-5)
    assert abs(history.q[-1, 2]) > 100, "many turns"
    assert abs(history.q[:, 0] + 0.3 * history.q[:, 2] - 0.2 - 0.3 * 0.4).max() < 1e-11
