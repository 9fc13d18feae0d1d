"""Joints whose freedoms have numbers of their own, or one for all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import compile_model
from scmanip.errors import InvalidInput, InvalidSystem
from scmanip.system import KINDS, Body, Joint, JointKind, State, System, Turn

from ..oracles.mujoco_oracle import MujocoOracle
from ..oracles.random_systems import MOVING, OWN, random_joint

FILE = """schema = "scmanip.system/1"
[base]
fixed = true
[[body]]
name = "stage"
parent = "base"
mass_kg = 2.0
inertia_kg_m2 = [0.1, 0.2, 0.3]
[body.joint]
name = "stage"
type = "planar"
lower_x_m = -0.5
upper_x_m = 0.7
upper_turn_deg = 90.0
stiffness_y_N_m = 3.0
damping_turn_Nms_rad = 0.4
"""


def test_a_planar_joint_has_limits_springs_and_dampers_per_freedom():
    system = System.from_toml_text(FILE)
    limits = {c.name: (c.unit, c.lower, c.upper) for c in system.coordinates}
    assert limits["stage.x"] == ("m", -0.5, 0.7) and limits["stage.y"] == ("m", -np.inf, np.inf)
    assert limits["stage.turn"] == ("rad", -np.inf, pytest.approx(np.pi / 2))
    assert [f.stiffness for f in system.freedoms] == [0, 3, 0] and [f.damping for f in system.freedoms] == [0, 0, 0.4]
    state = State(q=[0.1, 0.2, 0.5], qdot=[1.0, 2.0, 3.0])
    assert_allclose(compile_model(system).forward_dynamics(state, np.zeros(3)), [0.0, -0.2 * 3.0 / 2.0, -3.0 * 0.4 / 0.3])
    with pytest.raises(InvalidSystem, match=r"upper_x_m: expected more than lower_x_m = -0.5"):
        System.from_toml_text(FILE.replace("upper_x_m = 0.7", "upper_x_m = -0.7"))
    with pytest.raises(InvalidSystem, match=r"axis"):
        System.from_toml_text(FILE + "axis = [0, 0, 1]")


def test_a_weight_on_a_screw_falls_as_slowly_as_it_must_turn():
    screw = Joint("nut", "screw", pitch_m_rad=0.2)
    nut = Body("nut", 3.0, [0.1, 0.2, 0.3], parent="base", joint=screw)
    system = System("nut", Body("base", 0.0, np.zeros(3)), [nut], fixed=True, gravity_m_s2=[0, 0, -9.81])
    udot = compile_model(system).forward_dynamics(State(q=[0.4], qdot=[2.0]), np.zeros(1))
    assert_allclose(udot, -9.81 * 3.0 * 0.2 / (0.3 + 3.0 * 0.2**2))
    with pytest.raises(InvalidInput, match="joints that MuJoCo has, found joint 'nut' of type 'screw'"):
        MujocoOracle(system)


@pytest.mark.parametrize("name", KINDS)
def test_a_joint_has_what_its_kind_needs_and_nothing_else(name: str) -> None:
    rng = np.random.default_rng(1)
    own = {key: OWN[key](rng) for key in KINDS[name].keys if key != "axis"}
    joint = Joint("a", name, **own)
    assert joint.own == own and replace(joint, name="b").own == own
    assert joint.dof == KINDS[name].dof(own)
    with pytest.raises(InvalidSystem, match=f"joint 'a' turns_per_m: expected nothing for a {name} joint"):
        Joint("a", name, **own, turns_per_m=2.0)
    for key in own:
        with pytest.raises(InvalidSystem, match=key):
            Joint("a", name)


def begins(joint: Joint):
    """The motions of a joint, and where their coordinates begin."""
    return zip(joint.motions, np.cumsum([0, *(motion.n_q for motion in joint.motions)]), strict=False)


@pytest.mark.parametrize("kind", MOVING)
def test_a_joint_answers_for_its_rates_differences_twists_and_their_bias(kind: str):
    rng = np.random.default_rng(3)
    joint = random_joint(rng, "j", kind)
    q, qdot, h = (
        np.concatenate([m.neutral() for m in joint.motions]) + rng.normal(size=joint.n_q),
        rng.normal(size=joint.dof),
        1e-20,
    )
    for i in [i for motion, i in begins(joint) if motion.n_q > motion.dof]:
        q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
    rate = joint.coordinate_rates(q, qdot)
    assert joint.twists(q).shape == (joint.dof, 6)
    assert_allclose(joint.bias(q, qdot), qdot @ joint.twists(q + 1j * h * rate).imag / h, atol=1e-14)
    assert_allclose(joint.difference(q + 1e-7 * rate, q) / 1e-7, qdot, rtol=1e-5)


def cross(**said):
    """Return a joint of a kind of two turns that says something else of itself."""
    fits = {
        "name": "cross",
        "freedoms": (("first_", "rad"), ("second_", "rad")),
        "motions": lambda self, joint: (Turn.about([1.0, 0.0, 0.0]), Turn.about([0.0, 1.0, 0.0])),
        "parts": lambda self, given: ("first", "second"),
    }
    return Joint("hip", type("Cross", (JointKind,), fits | said)())


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"name": 5}, r"Cross\.name: expected a text, found 5"),
        ({"keys": {"skew": "a number"}}, r"Cross\.keys: expected JointKeys by name, found \{'skew'"),
        ({"freedoms": (("a_", "deg"),)}, r"Cross\.freedoms: expected pairs of a prefix and 'rad' or 'm', found"),
        (
            {"freedoms": (("a_", "rad"), ("b_", "m"))},
            r"'hip' freedoms: expected the units rad, rad of its motions",
        ),
        (
            {"motions": lambda self, joint: Turn.about(joint.axis)},
            r"'hip' motions: expected elementary motions",
        ),
        ({"motions": lambda self, joint: ()}, r"'hip' motions: expected elementary motions, .*, found \(\)"),
        ({"motions": lambda self, joint: (Turn.about(joint.axis),)}, "'hip' dof: expected 1, as its motions have, found 2"),
        ({"parts": lambda self, given: ("first",)}, r"'hip' parts: expected 2 names that differ, or none for one, found"),
        ({"parts": lambda self, given: ("a", "a")}, r"'hip' parts: expected 2 names that differ, or none for one, found"),
        ({"parts": lambda self, given: None}, "'hip' parts: expected 2 names that differ, or none for one, found None"),
    ],
)
def test_a_kind_that_does_not_go_together_is_named(said, words):
    assert cross().dof == 2
    with pytest.raises(InvalidSystem, match=words):
        cross(**said)
