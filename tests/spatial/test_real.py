"""Where arrays come in, only real numbers do; the same at every door."""

from fractions import Fraction

import numpy as np
import pytest

from scmanip.control import BasePose, ComputedTorque
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold, JointSequence
from scmanip.modes import Floating
from scmanip.simulation import Saturation, ensemble, simulate
from scmanip.spatial import attitude_xyzw, is_number, real
from scmanip.system import Body, Frame, State, load_system

SYSTEM = load_system("model:planar_four_link")
MODEL = compile_model(SYSTEM)
N = SYSTEM.layout.N
REST = State.at_rest(SYSTEM, np.zeros(N))
BATCH = State.stack([REST, REST])
LAW = ComputedTorque(MODEL, K_P=1.0, K_D=1.0)


def kept(size):
    return np.ma.masked_array(np.zeros(size), mask=[True] + [False] * (size - 1))


UNREAL = {
    "masked": kept,
    "complex": lambda size: np.full(size, 1 + 2j),
    "complex list": lambda size: [1j] * size,
    "text": lambda size: ["1"] * size,
    "text array": lambda size: np.array(["1"] * size),
    "nothing": lambda size: None if size == 1 else [None] * size,
    "too large": lambda size: [10**400] * size,
    "ragged": lambda size: [[1.0], [1.0, 2.0]],
}
DOORS = {
    "state q": lambda a: State(q=a(N), r_0=np.zeros(3)),
    "state r_0": lambda a: State(a(3), q=np.zeros(N)),
    "state attitude": lambda a: State(attitude_xyzw=a(4), q=np.zeros(N)),
    "state x": lambda a: State.unpack(a(SYSTEM.layout.n_x), SYSTEM.layout),
    "at rest": lambda a: State.at_rest(SYSTEM, a(N)),
    "attitude": lambda a: attitude_xyzw(a(4), order="wxyz"),
    "body com": lambda a: Body("b", 1.0, np.eye(3), a(3)),
    "body inertia": lambda a: Body("b", 1.0, a(3)),
    "frame": lambda a: Frame("f", "base", a(3)),
    "tau": lambda a: MODEL.forward_dynamics(REST, a(N)),
    "wrench": lambda a: MODEL.forward_dynamics(REST, np.zeros(N), wrench=a(6)),
    "wrenches": lambda a: MODEL.forward_dynamics(REST, np.zeros(N), wrenches=[("tip", a(6))]),
    "udot": lambda a: MODEL.inverse_dynamics(REST, a(6 + N)),
    "qddot": lambda a: MODEL.floating_inverse_dynamics(REST, a(N)),
    "twist": lambda a: MODEL.resolved_joint_rates(REST, "tip", a(6)),
    "point": lambda a: MODEL.position(REST, body="base", point_m=a(3)),
    "batch tau": lambda a: MODEL.batch.forward_dynamics(BATCH, a(N)),
    "kernel": lambda a: MODEL.kernel("forward_dynamics")(REST.x, a(N), np.zeros(6 + N)),
    "gains": lambda a: ComputedTorque(MODEL, K_P=a(N), K_D=1.0),
    "pose": lambda a: BasePose(position_m=a(3)),
    "hold": lambda a: Hold(a(N)),
    "saturation": lambda a: simulate(
        MODEL, Floating(), LAW, REST, reference=Hold(np.zeros(N)), t_end_s=0.1, events=[Saturation(a(N))]
    ),
    "command": lambda a: simulate(MODEL, Floating(), lambda t, state: a(N), REST, t_end_s=0.1),
    "parameters": lambda a: ensemble(
        MODEL, Floating(), LAW, REST, reference=JointSequence(N), t_end_s=0.1, step_s=0.1, parameters={"K_P": a(N)}
    ),
}


@pytest.mark.battery(2)
@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS.keys())
@pytest.mark.parametrize("unreal", UNREAL.values(), ids=UNREAL.keys())
def test_what_is_no_real_numbers_is_refused_at_every_door(door, unreal):
    with pytest.raises(InvalidInput) as caught:
        door(unreal)
    assert all(problem.key and problem.expected and problem.found for problem in caught.value.problems)


def test_numbers_of_every_real_kind_are_taken_as_they_are():
    ours = np.arange(3.0)
    assert real(ours) is ours
    for given in (
        [0, 1, 2],
        (0.0, 1.0, 2.0),
        np.arange(3, dtype=np.int8),
        np.arange(3, dtype=np.float32),
        [Fraction(k) for k in range(3)],
    ):
        assert real(given).dtype == np.float64
        assert real(given).tolist() == [0.0, 1.0, 2.0]
    assert real([]).shape == (0,)


@pytest.mark.parametrize("value", [True, "1", None, 1j, np.complex128(1), np.nan, np.inf, 10**400, [1.0], np.ma.masked])
def test_what_is_no_number_is_none(value):
    assert not is_number(value)
    assert is_number(3)
    assert is_number(np.float32(3))
