"""Parts of one's own whose methods take other arguments, or stand where values do, are named before anything is asked."""

from dataclasses import dataclass

import numpy as np
import pytest

from scmanip import Floating, Plant, State, compile_model, load_mission, load_system, simulate
from scmanip.actuators import Name, Turner
from scmanip.control import Controller, Sampled, Wrapper
from scmanip.errors import InvalidInput
from scmanip.loads import Load
from scmanip.navigation import Observation, Sensor
from scmanip.simulation import Event, Integrator
from scmanip.system import Joint, JointKind
from tests.house.packages import installed

MODEL = compile_model(load_system("model:planar_four_link"))


def flown(law=lambda t, state: 0 * state.qdot, loads=(), **changes):
    return simulate(Plant(MODEL, Floating(), loads), law, State.at_rest(MODEL.system, np.zeros(4)), t_end_s=1.0, **changes)


class Law(Controller):
    def command(self, t, state):
        return -state.qdot


class Half(Wrapper):
    def __init__(self, law):
        self.law = law


class Breeze(Load):
    def wrenches(self, bodies):
        return bodies.on("base", np.ones(3))


class Liquid(Breeze):
    wrenches, rates = Load.wrenches, np.zeros(1)

    def states(self):
        return {"depth": "m"}


Liquid.__abstractmethods__ = frozenset()


class Late(Event):
    def names(self):
        return ("late",)

    def values(self, model, t, state, tau):
        return np.array([t - 0.5])


class Euler(Integrator):
    def steps(self, rate, t_0, y_0, t_1):
        yield from ()


class Clock(Sensor):
    kind, name, rate_Hz = "clock", "clock", None

    def labels(self):
        return (("t", "s"),)

    def draws(self, system):
        return 0

    def read(self, instant, period_s, noise, memory):
        return np.array([instant.t]), memory


class Hinge(JointKind):
    name = "hinge"

    def motions(self):
        return ()


@dataclass(frozen=True, eq=False)
class Top(Turner):
    kind = "top"
    name: Name

    def momentum(self):
        return np.zeros(3)


Top.__abstractmethods__ = frozenset()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (lambda: flown(Law()), r"Law\.command: expected \(self, t, state, reference, memory\), found \(self, t, state\)"),
        (lambda: flown(Sampled(Law(), rate_Hz=2.0)), r"Law\.command: expected"),
        (lambda: flown(Half(Law())), r"Law\.command: expected"),
        (lambda: flown(Half(None)), r"Half\.wraps: expected laws that are controllers, found \(None,\)"),
        (lambda: flown(type("Bare", (Wrapper,), {})()), r"Bare\.law: expected a value, as every Wrapper has, found nothing"),
        (lambda: flown(loads=[Breeze()]), r"Breeze\.wrenches: expected \(self, bodies, t\), found \(self, bodies\)"),
        (lambda: flown(loads=[Liquid()]), r"Liquid\.rates: expected a method \(self, bodies, t\), found array"),
        (lambda: flown(loads=[Liquid()]), r"Liquid\.states: expected a value or a property, found a method \(self\)"),
        (lambda: flown(events=[Late()]), r"Late\.names: expected \(self, model\), found \(self\)"),
        (lambda: flown(events=[Late()]), r"Late\.ends: expected a value, as every Event has, found nothing"),
        (lambda: flown(integrator=Euler()), r"Euler\.steps: expected \(.*, \*, rtol, atol, first_size\), found"),
        (lambda: flown(integrator=Euler()), r"Euler\.max_steps: expected a value, as every Integrator has"),
        (lambda: Observation([Clock()]), r"Clock\.labels: expected \(self, system\), found \(self\)"),
        (lambda: Joint("door", Hinge()), r"Hinge\.motions: expected \(self, joint\), found \(self\)"),
        (lambda: Top("a"), r"Top\.momentum: expected \(self, state\), found \(self\)"),
    ],
)
def test_it_is_named(asked, words):
    with pytest.raises(InvalidInput, match=words):
        asked()


def test_one_of_a_package_is_named_with_its_package(tmp_path, monkeypatch):
    code = "from typing import Literal\nfrom scmanip.mission import ControllerTable\nclass Brake(ControllerTable):\n"
    code += '    type: Literal["brake"]\n    def law(self, believed): return None\n'
    installed(tmp_path, monkeypatch, "house_brake", "[scmanip.controllers]\nbrake = house_brake:Brake\n", code)
    (tmp_path / "m.toml").write_text(
        'schema = "scmanip.mission/1"\nname = "m"\nsystem = "model:planar_four_link"\ninitial = { q_rad = [0, 0, 0, 0] }\n'
        'phase = [{ name = "p", mode = "floating", guidance = { type = "hold" }, controller = { type = "brake" } }]\n'
    )
    with pytest.raises(
        InvalidInput, match=r"Brake\.law as \(self, believed, mode\), found 'brake' of house_brake 1\.0, .*\(self, "
    ):
        load_mission(tmp_path / "m.toml")
