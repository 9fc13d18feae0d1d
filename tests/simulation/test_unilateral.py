"""A plane that only pushes lets go of what is pulled away."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import PointOnPlane
from scmanip.control import ComputedTorque
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.modes import FixedBase
from scmanip.plant import Plant
from scmanip.report import Limits, verdicts
from scmanip.simulation import Outcome, Switch, ensemble, simulate
from scmanip.system import Body, Joint, State, System

M, G = 2.0, 9.81
START = State(q=[0.1, 0.0, 0.2], qdot=[0.3, 0.0, 0.0])


@pytest.fixture(scope="module")
def model():
    """A block over a floor, in a plane; one floor holds both ways."""
    block = Body("block", M, [0.1, 0.1, 0.2], parent="base", joint=Joint("way", "planar"))
    touching = {"frames": ("block", "base"), "normal": [0, 1, 0]}
    held = [PointOnPlane("floor", unilateral=True, **touching), PointOnPlane("rail", **touching)]
    ground = Body("base", 0, [0, 0, 0])
    return compile_model(System("floor", ground, [block], fixed=True, gravity_m_s2=[0, -G, 0], constraints=held))


def pulled(model, pull, name="floor", start=START, **options):
    given = {"t_end_s": 2.0, "output_step_s": 0.1, "rtol": 1e-12, "switches": [Switch(t_s=0.0, impose=name)], **options}
    return simulate(model, FixedBase(), lambda t, state: np.array([0.0, pull(t), 0.0]), start, **given)


def is_lawful(history):
    assert history.outcome is Outcome.COMPLETED and not history.broken_laws
    for quantity, left in history.unaccounted.items():
        assert abs(left).max() < 1e-9, quantity


@pytest.mark.slow
def test_a_plane_lets_go_where_its_force_would_be_a_pull(model):
    rise = 1.5 * M * G
    history = pulled(model, lambda t: rise * t)
    _, parted = history.switches
    assert parted.t == pytest.approx(1 / 1.5, abs=1e-8) and parted.released == ("floor",) and parted.active == ()
    assert "released 'floor'" in str(parted)
    since = np.maximum(history.t - parted.t, 0.0)
    assert_allclose(history.q[:, 1], rise * since**3 / 6 / M, atol=1e-9)
    held = history.t < parted.t
    assert_allclose(history.constraint_forces["floor"][held, 0], M * G - rise * history.t[held], atol=1e-9)
    assert not history.constraint_forces["floor"][~held].any()
    is_lawful(history)
    assert history.residuals["pull"].value == 0 and "'floor'" in history.residuals["pull"].meaning
    assert history.changed(constraint_force=-history.constraint_force).broken_laws == ("pull",)
    assert "pull_relative" in [verdict.name for verdict in verdicts(history, Limits())]


def test_a_plane_that_holds_both_ways_pulls(model):
    history = pulled(model, lambda t: 1.5 * M * G * t, "rail")
    assert len(history.switches) == 1 and history.constraint_forces["rail"][-1, 0] < -M * G
    is_lawful(history)


def test_what_is_pulled_at_once_is_let_go_at_once(model):
    history = pulled(model, lambda t: 2 * M * G)
    _, parted = history.switches
    assert parted.t < 1e-12 and parted.released == ("floor",)
    assert_allclose(history.q[:, 1], G * history.t**2 / 2, atol=1e-9)
    is_lawful(history)


def test_many_states_at_once_refuse_what_lets_go(model):
    state = State.stack([START, START])
    with pytest.raises(InvalidInput, match="constraints that neither slip nor let go, found 'floor'"):
        Plant(model, FixedBase()).under_each(("floor",), state)


def test_ensembles_refuse_it_as_well(model):
    held = Plant(model, FixedBase()).under(("floor",), START).plant
    with pytest.raises(InvalidInput, match="constraints that neither slip nor let go, found 'floor'"):
        ensemble(held, ComputedTorque(model, K_P=1.0, K_D=1.0), [START], reference=Hold(START.q), t_end_s=1.0, step_s=0.1)
