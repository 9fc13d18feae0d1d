"""What every kind of actuator answers, those of other packages too."""

from __future__ import annotations

import math
import pickle
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.actuators import (
    ACTUATOR_KINDS,
    Actuator,
    Drive,
    Fitting,
    Motor,
    Name,
    Positive,
    Pusher,
    StateEntry,
    Thruster,
    Turner,
    Turners,
    Vector,
    Wheel,
    by_kind,
)
from scmanip.analysis import propellant
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, InvalidState, InvalidSystem
from scmanip.modes import Flying
from scmanip.plugins import _kinds as kinds
from scmanip.simulation import simulate
from scmanip.spatial import Array
from scmanip.system import Body, Joint, State, System, state_problems
from scmanip.system.files import _schema as schema
from tests.modes.clusters import box, tug
from tests.simulation.arms import moving_state

EXAMPLES = {
    "motor": Motor("shoulder", torque_Nm=2.0, rate_rad_s=1.0, gear_ratio=-50.0, rotor_inertia_kg_m2=1e-3, coulomb_Nm=0.1),
    "wheel": Wheel("x", [0.6, 0.0, 0.8], 0.05, torque_Nm=0.2, speed_rad_s=500.0, momentum_Nms=20.0, damping_Nms_rad=1e-4),
    "thruster": Thruster("jet", [0.1, 0.2, 0.3], [0.0, 0.6, 0.8], 22.0, 220.0),
}


@dataclass(frozen=True, eq=False)
class Jet(Pusher):
    """Cold gas from a bottle that nobody weighs."""

    kind: ClassVar[str] = "jet"
    spellings: ClassVar[dict[str, tuple[str, float]]] = {"force_mN": ("force_N", 1e-3)}

    name: Name
    place_m: Vector
    force_N: Positive
    body: Name = "base"

    def line(self) -> tuple[Array, Array]:
        return self.place_m, np.array([1.0, 0.0, 0.0])

    @property
    def largest_force(self) -> float:
        return self.force_N

    @property
    def exhaust_m_s(self) -> float:
        return math.inf


@pytest.fixture
def jets(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package that has a kind of its own."""
    monkeypatch.setattr(kinds, "offered", lambda group: ("jet",) if group == "scmanip.actuators" else ())
    monkeypatch.setattr(kinds, "load", lambda group, name, key: Jet)
    monkeypatch.setattr(kinds, "broken", lambda group, name, why: why)


def test_there_is_an_example_of_every_kind() -> None:
    assert EXAMPLES.keys() == ACTUATOR_KINDS.keys()


@pytest.mark.parametrize("word", EXAMPLES)
def test_an_actuator_is_what_its_numbers_are(word: str) -> None:
    one = EXAMPLES[word]
    again = type(one)(**one.given())
    assert again == one == pickle.loads(pickle.dumps(one)) and hash(again) == hash(one)
    table = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in one.given().items()}
    read = schema.actuator_table(type(one)).model_validate(table).model_dump(exclude_unset=True)
    assert type(one).of_table(read) == one
    for name, value in one.given().items():
        if isinstance(value, float):
            assert type(one)(**one.given() | {name: 1.1 * value}) != one


@pytest.mark.parametrize("word", EXAMPLES)
def test_what_is_no_such_number_is_refused_with_its_name(word: str) -> None:
    one = EXAMPLES[word]
    for name in type(one).keys():  # noqa: SIM118 - not those of a dict
        with pytest.raises(InvalidSystem, match=name):
            type(one)(**one.given() | {name: math.nan})


def test_kinds_of_installed_packages_are_read_checked_and_counted(jets: None) -> None:
    base = 'schema = "scmanip.system/1"\n[base]\nmass_kg = 1.0\ninertia_kg_m2 = [1, 1, 1]\n'
    text = base + '[[jet]]\nname = "a"\nplace_m = [0, 0, 1]\n'
    system = System.from_toml_text(text + "force_mN = 5.0")
    (jet,) = system.offering(Pusher)
    assert jet == Jet("a", [0.0, 0.0, 1.0], 0.005)
    assert_allclose(system.pushers.wrench_map[:, 0], [1, 0, 0, 0, 1, 0])
    assert system.pushers.allocate(np.zeros(6)).propellant_kg_s == 0
    with pytest.raises(InvalidSystem, match=r"<text>:8:1: jet\[0\].force_N: expected a finite number > 0"):
        System.from_toml_text(text + "force_N = -1.0")
    with pytest.raises(InvalidSystem, match="one of force_N, force_mN"):
        System.from_toml_text(text + "force_mN = 5.0\nforce_N = 1.0")


def test_a_word_belongs_to_one_kind(jets: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Jet, "kind", "wheel")
    with pytest.raises(InvalidInput, match="an Actuator with kind = 'jet'"):
        dict(ACTUATOR_KINDS)
    text = 'schema = "scmanip.system/1"\n[base]\nmass_kg = 1.0\ninertia_kg_m2 = [1, 1, 1]\n'
    assert not System.from_toml_text(text).actuators
    with pytest.raises(InvalidSystem, match=r"<text>:5:\d+: jet: expected an Actuator with kind = 'jet'"):
        System.from_toml_text(f'{text}[[jet]]\nname = "a"\nplace_m = [0, 0, 1]\nforce_N = 1.0')
    monkeypatch.setattr(kinds, "offered", lambda group: ("wheel",))
    with pytest.raises(InvalidInput, match="a name that no kind of this package has"):
        dict(ACTUATOR_KINDS)


def test_wheels_come_before_all_else_that_has_states() -> None:
    mixed: list[Actuator] = [Jet("a", [0, 0, 1.0], 1.0), EXAMPLES["thruster"], EXAMPLES["wheel"]]
    assert [type(actuator) for actuator in by_kind(mixed)] == [Wheel, Thruster, Jet]


def test_states_of_wheels_may_be_given_by_name() -> None:
    wheels = [Wheel(letter, axis, 0.1) for letter, axis in zip("xyz", np.eye(3), strict=True)]
    system = System("carrier", Body("base", 10.0, np.ones(3)), actuators=wheels)
    named = State(q=[], r_0=[0, 0, 0], actuators={"x": [1.0], "y": [2.0], "z": [3.0]})
    speeds = State(q=[], r_0=[0, 0, 0], wheel_rad_s=[1.0, 2.0, 3.0])
    for state in (named, speeds):
        assert state_problems(state, system.layout) == []
        assert_array_equal(state.x[system.layout.actuators["y"]], [2.0])
        known = state.of_layout(system.layout)
        assert_array_equal(known.wheel_rad_s, [1, 2, 3])
        assert_array_equal(known.actuators["z"], [3.0])
    for wrong in ({"y": [2.0], "x": [1.0], "z": [3.0]}, {"x": [1.0, 2.0], "y": [3.0]}):
        (problem,) = state_problems(State(q=[], r_0=[0, 0, 0], actuators=wrong), system.layout)
        assert problem.expected == "states of actuators x (1), y (1), z (1)"
    with pytest.raises(InvalidState, match="actuators"):
        State(q=[], r_0=[0, 0, 0], actuators={"x": [math.nan]})
    assert_array_equal(State.at_rest(system, []).actuators["x"], [0.0])


@dataclass(frozen=True, eq=False)
class Ring(Turner):
    """A rotor along x, as a wheel is."""

    kind: ClassVar[str] = "ring"
    states: ClassVar[tuple[StateEntry, ...]] = (StateEntry("speed", "rad/s"),)
    name: Name
    axis, inertia_kg_m2, damping_Nms_rad = np.eye(3)[0], 0.1, 0.0
    momentum, axes, gains = Wheel.momentum, Wheel.axes, Wheel.gains  # type: ignore[assignment]
    twice_energy, efforts, power = Wheel.twice_energy, Wheel.efforts, Wheel.power  # type: ignore[assignment]


def test_states_of_other_kinds_are_given_by_names_that_no_other_has() -> None:
    base, wheel = Body("base", 10.0, np.ones(3)), Wheel("x", [1.0, 0.0, 0.0], 0.1)
    layout = System("carrier", base, actuators=[Ring("y"), wheel]).layout
    assert layout.states == (("x", 1), ("y", 1))
    assert state_problems(State([0, 0, 0], q=[], wheel_rad_s=[1.0], actuators={"y": [2.0]}), layout) == []
    (problem,) = state_problems(State([0, 0, 0], q=[], wheel_rad_s=[1.0, 2.0]), layout)
    assert problem.expected == "states of actuators x (1), y (1)"
    with pytest.raises(InvalidSystem, match="a name used once, found 'x', already a wheel"):
        System("carrier", base, actuators=[Ring("x"), wheel])
    with pytest.raises(InvalidSystem, match="no rings on a base that is held"):
        System("carrier", base, actuators=[Ring("x")], fixed=True)


@pytest.mark.slow
def test_what_pushes_of_another_kind_is_in_all_sums() -> None:
    model = compile_model(tug([*box(), Jet("a", [0.0, 0.0, 0.0], 5.0)]))  # type: ignore[list-item]
    push = np.array([3.0, 2.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0])
    history = simulate(model, Flying(), lambda t, state: push, moving_state(), t_end_s=0.3, output_step_s=0.1, rtol=1e-11)
    assert history.channels.dimensions["thruster"].labels[-1] == "a" and (history.thrust_N[:, -1] > 1.0).all()
    burnt = propellant(history)
    assert burnt.thrusters[-1] == "a" and burnt.burnt_kg[-1] == 0.0 < burnt.total_kg
    for name, left in history.unaccounted.items():
        assert abs(left).max() < 1e-9, name


def test_what_turns_the_base_is_allocated_with_the_least_squares_of_torques() -> None:
    axes = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0], [0.6, 0.0, 0.8]])
    turners = Turners(tuple(Wheel(str(k), axis, 0.1 + k) for k, axis in enumerate(axes)))
    wanted, still = [1.0, -2.0, 0.5], np.zeros(4)
    rates = turners.allocate(np.array(wanted), still)
    torques = -rates * (0.1 + np.arange(4))
    assert_allclose(axes.T @ torques, wanted, atol=1e-13)
    assert_allclose(torques, axes @ np.linalg.solve(axes.T @ axes, wanted), atol=1e-13)
    assert turners.turn_every_way(still) and not Turners(turners.each[:2]).turn_every_way(still[:2])


def said(kind: type[Actuator], **changes: Any) -> type[Any]:
    """Return a kind that answers something else."""
    return dataclass(frozen=True, eq=False)(type(kind.__name__, (kind,), {"__module__": __name__, **changes}))


@dataclass(frozen=True, eq=False)
class Lever(Drive):
    """What gives all that is asked of it."""

    kind: ClassVar[str] = "lever"
    fitting = Fitting()
    joint: Name

    def within(self, torque: Any, rate: Any) -> Any:
        return torque

    def limit(self, torque: float, rate: float) -> str:
        return "nothing"


@pytest.mark.parametrize(
    ("actuators", "words"),
    [
        (
            [said(Ring, momentum=lambda self, state: 0.1 * state[..., 0])("y")],
            r"'y' momentum: expected numbers of shape \(3,\)",
        ),
        (
            [said(Ring, axes=lambda self, state: self.axis)("y")],
            r"'y' axes: expected numbers of shape \(1, 3\)",
        ),
        (
            [said(Ring, power=lambda self, state, rates, w, w_dot: state)("y")],
            r"'y' power: expected a number, found array",
        ),
        ([said(Ring, largest_efforts=(0.1, 0.2))("y")], r"ring 'y' largest_efforts: expected numbers of shape \(1,\)"),
        ([said(Ring, states=("speed",))("y")], r"ring 'y' states: expected entries such as StateEntry"),
        (
            [said(Jet, line=lambda self: self.place_m)("a", np.zeros(3), 5.0)],
            r"'a' line: expected numbers of shape \(2, 3\)",
        ),
        ([said(Jet, largest_force=-1.0)("a", np.zeros(3), 5.0)], r"jet 'a' largest_force: expected a number > 0, found -1"),
        ([Jet("a", np.zeros(3), 5.0, "bus")], r"jet 'a' body: expected the name of a body, found 'bus'"),
        ([Lever("knee")], r"lever 'knee' joint: expected the name of a joint, found 'knee'"),
        (
            [Lever("hip"), Motor("hip")],
            r"lever 'hip' joint: expected a joint without another motor, found 'hip'",
        ),
        ([said(Lever, fitting=(1, 2))("hip")], r"lever 'hip' fitting: expected a Fitting of finite numbers, found \(1, 2\)"),
        ([said(Lever, within=lambda self, torque, rate: None)("hip")], r"lever 'hip' within: expected a number, found None"),
    ],
)
def test_what_answers_something_else_is_named(actuators: list[Actuator], words: str) -> None:
    base, leg = Body("base", 10.0, np.ones(3)), Body("leg", 1.0, np.ones(3), parent="base", joint=Joint("hip", "revolute"))
    with pytest.raises(InvalidSystem, match=words):
        System("carrier", base, [leg], actuators=actuators)


def test_a_part_whose_fields_say_nothing_is_named() -> None:
    with pytest.raises(InvalidSystem, match=r"Loose\.size: expected a field annotated with what it takes, .* <class 'float'>"):
        dataclass(frozen=True)(type("Loose", (Ring,), {"__annotations__": {"size": float}, "size": 1.0}))("y")


def test_what_burns_nothing_flies_alone() -> None:
    cold = said(Thruster, exhaust_m_s=math.inf)
    model = compile_model(tug([cold(**one.given()) for one in box()]))
    push = np.array([3.0, 2.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0])
    history = simulate(model, Flying(), lambda t, state: push, moving_state(), t_end_s=0.3, output_step_s=0.1)
    assert history.t[-1] == 0.3 and history.thrust_N.any() and not history.propellant_kg.any()
