"""Laws in C: what the library says, on ten thousand states."""

import numpy as np
import pytest

from scmanip import State, compile_model, load_system
from scmanip.control import ComputedTorque, Delayed, ResolvedRate, Sampled, Saturated, WithFeedforward, program_of
from scmanip.export import code
from scmanip.guidance import JointReference, PoseReference
from scmanip.spatial import quaternion_from_axis_angle, quaternion_product

from ..export import runs

MODEL = compile_model(load_system("model:ets7"))
LAYOUT, N = MODEL.layout, MODEL.layout.N
COUNT = 10_000
LED = Saturated(ResolvedRate(WithFeedforward(ComputedTorque(MODEL, K_P=0.0, K_D=2.0))), 100.0)


def states():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(COUNT, LAYOUT.n_x))
    x[:, 3:7] /= np.linalg.norm(x[:, 3:7], axis=1)[:, None]
    x[:, LAYOUT.x_u] *= 0.05
    return x


def near(x):
    """Return pose, twist and its rate of the tip a little away from where it is."""
    rng, batch = np.random.default_rng(2), MODEL.batch
    now = State.of_unit(x, LAYOUT)
    turns = [quaternion_from_axis_angle(axis / np.linalg.norm(axis), 0.1) for axis in rng.normal(size=(COUNT, 3))]
    attitude = np.array([quaternion_product(turn, own) for turn, own in zip(turns, batch.attitude(now, "tip"), strict=True)])
    place = batch.position(now, "tip") + 0.1 * rng.normal(size=(COUNT, 3))
    return [place, attitude, *0.05 * rng.normal(size=(2, COUNT, 6))]


def in_c(program, inputs, folder):
    written = code(program, "c", name="control_law")
    written.save(folder)
    return runs.c(written, program, inputs, folder, flags=("-O1",))


@pytest.mark.slow
def test_computed_torque(tmp_path):
    law, x = ComputedTorque(MODEL, K_P=4.0, K_D=3.0), states()
    wanted = np.random.default_rng(2).normal(size=(3, COUNT, N))
    (found,) = in_c(program_of(law), [x, *wanted], tmp_path)
    now, samples = [State.of_unit(row, LAYOUT) for row in x], [JointReference(*wanted[:, k]) for k in range(COUNT)]
    own = np.array([law.command(0.0, *given, None)[0] for given in zip(now, samples, strict=True)])
    assert (np.abs(found - own) <= 1e-12 * np.abs(own).max(axis=1, keepdims=True)).all()


@pytest.mark.slow
def test_a_whole_sampled_controller(tmp_path):
    law, x = Sampled(Delayed(LED, delay_s=0.05), rate_Hz=10.0), states()
    wanted = near(x)
    program = program_of(law, sample=PoseReference("tip", *(array[0] for array in wanted)))
    before = np.column_stack([np.ones(COUNT), np.random.default_rng(3).normal(size=(COUNT, N))])
    found, after = in_c(program, [x, *wanted, before], tmp_path)
    poses = [PoseReference("tip", *(array[k] for array in wanted)) for k in range(COUNT)]
    own = np.array([LED.command(0.0, State.of_unit(x[k], LAYOUT), poses[k], None)[0] for k in range(COUNT)])
    assert (np.abs(own) < 100).mean() > 0.5
    bound = 1e-12 * np.abs(own).max(axis=1, keepdims=True)
    assert (np.abs(after[:, 1:] - own) <= bound).all()
    assert (np.abs(found - (before[:, 1:] + own) / 2) <= bound).all()
