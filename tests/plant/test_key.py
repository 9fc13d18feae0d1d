"""What compiled programs are kept by: the whole description of a plant, less what is declared an input."""

import copy
from dataclasses import dataclass, fields, is_dataclass, make_dataclass, replace
from enum import Enum
from functools import partial

import numpy as np
import pytest

from scmanip.compiled import described, lasting_key
from scmanip.dynamics import FoldedInertia, RunTimeInertia, compile_model
from scmanip.loads import Gravity, Orbit
from scmanip.modes import Floating, RotationFloating, TranslationFlying
from scmanip.plant import Plant, PlantParts
from scmanip.simulation import FullState
from scmanip.system import Body, Frame, Joint, Motor, SpringDamper, System, Wheel

ORBIT = Orbit(7.6e6, 0.1, 0.2, 0.3, 0.4, 0.5)
INPUTS = {("Body", "mass_kg"), ("Body", "com_m"), ("Body", "inertia_kg_m2"), ("Joint", "lower"), ("Joint", "upper")}


def craft():
    joints = [
        Joint("a", "revolute", [0, 0, 1.0], origin_m=[0.5, 0, 0], lower=-2.0, upper=2.0, damping=0.1, stiffness=0.2),
        Joint("b", "gimbal", sequence="xy"),
    ]
    bodies = [
        Body("upper", 3.0, np.ones(3), [0.5, 0, 0], "base", joints[0]),
        Body("fore", 2.0, np.ones(3), [0.2, 0.1, 0], "upper", joints[1]),
    ]
    wheels = [Wheel(letter, axis, 0.1, 2.0, 3.0, 4.0) for letter, axis in zip("xyz", np.eye(3), strict=True)]
    ties = [SpringDamper("tie", ("eye", "fore"), 4.0, 6.0, 0.1)]
    base, frames = Body("base", 20.0, [3.0, 4.0, 5.0]), [Frame("eye", "upper", [0, 0.5, 0])]
    return System("craft", base, bodies, frames, actuators=[Motor("a", 5.0, 1.0), *wheels], springs=ties)


def key_of(system, inertia, mode=RotationFloating(), load=Gravity(ORBIT)):  # noqa: B008 - frozen
    """The key, of a description that nobody checks again."""
    plant = Plant(compile_model(craft(), inertia=inertia), mode, [load])
    return replace(plant.model.symbolic.derivation, system=system).description, plant.description[1:]


def other(value):
    """Something of the same kind that is not equal."""
    if isinstance(value, np.ndarray):
        return value + 1.0
    if isinstance(value, bool):
        return not value
    if isinstance(value, Enum):
        return next(member for member in type(value) if member is not value)
    if isinstance(value, float):
        return 1.0 if np.isinf(value) else value + 1.0
    return f"{value} too" if isinstance(value, str) else None


def changes(thing, rebuilt):
    """Yield class and name of every field below a description, with the whole that has it changed."""
    for field in fields(thing):
        value = getattr(thing, field.name)

        def with_value(value, field=field):
            changed = copy.copy(thing)
            vars(changed)[field.name] = value
            return rebuilt(changed)

        if isinstance(value, tuple) and value and is_dataclass(value[0]):
            for k, part in enumerate(value):
                yield from changes(part, lambda new, k=k, value=value, w=with_value: w((*value[:k], new, *value[k + 1 :])))
        elif is_dataclass(value):
            yield from changes(value, with_value)
        elif other(value) is not None:
            yield type(thing).__name__, field.name, with_value(other(value))


@pytest.mark.battery(1)
@pytest.mark.parametrize("inertia", [FoldedInertia(), RunTimeInertia()], ids=str)
def test_every_field_below_a_system_changes_the_key_unless_it_is_declared_an_input(inertia):
    system = craft()
    known, same, names = key_of(system, inertia), set(), set()
    on_disk = {lasting_key(known)}
    for kind, name, changed in changes(system, lambda whole: whole):
        names.add((kind, name))
        key = key_of(changed, inertia)
        if key == known:
            same.add((kind, name))
        on_disk.add(lasting_key(key))
    assert len(names) > 40
    assert len(on_disk) > len({each[1] for each in names - same})
    assert lasting_key(key_of(craft(), inertia)) == lasting_key(known)
    assert same == {each for each in INPUTS if each[0] == "Joint" or isinstance(inertia, RunTimeInertia)}


@pytest.mark.parametrize("kind", [System, Body, Joint, Motor, Wheel, SpringDamper, Frame], ids=lambda kind: kind.__name__)
def test_a_field_that_someone_adds_changes_the_key(kind):
    added = make_dataclass(f"New{kind.__name__}", [("novelty", float, 0.0)], bases=(kind,), frozen=True, eq=False, init=False)

    def renewed(thing, novelty):
        if isinstance(thing, tuple):
            return tuple(renewed(part, novelty) for part in thing)
        if not is_dataclass(thing):
            return thing
        again = object.__new__(added if type(thing) is kind else type(thing))
        vars(again).update({field.name: renewed(getattr(thing, field.name), novelty) for field in fields(thing)})
        if type(thing) is kind:
            vars(again)["novelty"] = novelty
        return again

    one, two, again = (key_of(renewed(craft(), novelty), RunTimeInertia()) for novelty in (0.0, 1.0, 0.0))
    assert one != two
    assert one == again


def test_a_mode_and_a_load_are_part_of_the_key_with_all_that_they_say():
    key, system = partial(key_of, inertia=RunTimeInertia()), craft()
    assert key(system, mode=RotationFloating()) == key(system, mode=RotationFloating())
    assert key(system, mode=TranslationFlying()) != key(system, mode=TranslationFlying(attitude=RotationFloating()))
    assert key(system, load=Gravity(ORBIT)) == key(
        system, load=Gravity(replace(ORBIT, mean_anomaly_rad=2.0))
    )  # a clock's start
    assert key(system, load=Gravity(ORBIT)) != key(system, load=Gravity(replace(ORBIT, raan_rad=2.0)))
    assert key(system, load=Gravity(ORBIT)) != key(system, load=Stronger(ORBIT, 2.0))
    assert key(system, load=Stronger(ORBIT, 3.0)) != key(system, load=Stronger(ORBIT, 2.0))


@dataclass(frozen=True)
class Stronger(Gravity):
    """Gravity with a field more."""

    times: float = 1.0


def test_a_run_with_equal_parts_has_the_plant_of_the_run_before():
    model = compile_model(craft(), inertia=RunTimeInertia())

    def plant(mode, *loads, model=model):
        return Plant.of(PlantParts(model, mode, loads))

    known = plant(Floating(), Gravity(ORBIT))
    assert plant(Floating(), Gravity(replace(ORBIT))) is known
    assert plant(Floating()) is plant(Floating()) is not known
    assert plant(Floating(), Gravity(replace(ORBIT, mean_anomaly_rad=2.0))) is not known
    assert plant(Floating(), Stronger(ORBIT, 2.0)) is not plant(Floating(), Stronger(ORBIT, 3.0))
    assert plant(Marked(1)) is plant(Marked(1)) is not plant(Marked(2))
    other = plant(Floating(), Gravity(ORBIT), model=model.with_inertia_of(craft()))
    assert other is not known and other.key is known.key
    assert plant(Floating(), Changeable(ORBIT)) is not plant(Floating(), Changeable(ORBIT))


class Changeable(Gravity):
    """A load that is equal to none."""

    __hash__ = object.__hash__


class Marked(Floating):
    """A subclass that is no dataclass and says more than its fields."""

    def __init__(self, mark):
        vars(self)["mark"] = mark


@dataclass(frozen=True)
class Scaled(FullState):
    """Coordinates with a field, of a name that others may have too."""

    key: float = 1.0


def test_a_field_of_coordinates_is_part_of_what_they_say():
    assert Scaled(1.0).described == Scaled(1.0).described != Scaled(2.0).described != FullState().described


@dataclass(slots=True)
class Slotted:
    """A dataclass without a table of attributes."""

    size: float


def test_descriptions_are_told_apart_to_the_last_bit():
    assert described(1) != described(1.0) != described(True)
    assert described(0.0) != described(-0.0)
    assert described(np.nan) == described(float("nan"))
    assert described(np.zeros(3)) != described(np.zeros((3, 1)))
    assert described({"a": [1, {2}], "b": ()}) == described({"b": (), "a": [1, {2}]})
    assert described(Marked(1)) == described(Marked(1)) != described(Marked(2)) != described(Floating())
    assert described(np.sin) != described(np.cos)
    assert described(Slotted(1.0)) == described(Slotted(1.0)) != described(Slotted(2.0))
    hash(described([np.array([1, "two"], dtype=object), {"a": {1.5}}]))
