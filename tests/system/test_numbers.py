"""Every number of a system has one path; a system with other numbers is the same in all else."""

import pickle

import numpy as np
import pytest

from scmanip import load_system
from scmanip.compiled import described
from scmanip.errors import InvalidInput, InvalidSystem
from scmanip.spatial import known, present
from scmanip.system import (
    Body,
    Frame,
    Joint,
    Motor,
    SpringDamper,
    System,
    TomlDocument,
    Wheel,
    file_parts,
    model_names,
    system_text,
)
from tests.oracles.random_systems import FIRST_OF_ALL, random_case


def craft():
    joints = [
        Joint("a", "revolute", [0.6, 0, 0.8], origin_m=[0.5, 0, 0], lower=-2.0, upper=2.0, damping=0.1, stiffness=0.2),
        Joint("b", "screw", [0, 0, 1.0], pitch_m_rad=0.02),
        Joint("c", "planar", stiffness=[1.0, 2.0, 3.0], damping=[0.0, 0.0, 0.1]),
        Joint("d", "gimbal", sequence="xy", damping=[0.1, 0.2]),
    ]
    names = ["base", "one", "two", "three", "four"]
    bodies = [Body(names[k + 1], 3.0, np.ones(3), [0.5, 0, 0], names[k], joint) for k, joint in enumerate(joints)]
    actuators = [Motor("a", 5.0, 1.0), Wheel("w", [0, 0, 1.0], 0.1, speed_rad_s=300.0)]
    springs, frames = [SpringDamper("tie", ("eye", "two"), 4.0, 6.0, 0.1)], [Frame("eye", "one", [0, 0.5, 0])]
    return System("craft", Body("base", 20.0, [3.0, 4.0, 5.0]), bodies, frames, actuators=actuators, springs=springs)


def test_kinds_say_which_of_their_fields_are_numbers():
    numbers = craft().numbers()
    shapes = {path: (number.shape, number.unit) for path, number in numbers.items()}
    for path, expected in {
        "body.base.inertia_kg_m2": ((6,), "kg_m2"),
        "joint.a.origin_m": ((3,), "m"),
        "joint.a.stiffness_Nm_rad": ((), "Nm_rad"),
        "joint.b.pitch_m_rad": ((), "m_rad"),
        "joint.c.stiffness_x_N_m": ((), "N_m"),
        "joint.d.damping_Nms_rad": ((2,), "Nms_rad"),
        "motor.a.gear_ratio": ((), "1"),
        "spring_damper.tie.damping_Ns_m": ((), "Ns_m"),
        "wheel.w.speed_rad_s": ((), "rad_s"),
        "frame.eye.origin_m": ((3,), "m"),
    }.items():
        assert shapes[path] == expected
    for absent in (
        "wheel.w.torque_Nm",
        "wheel.w.axis",
        "joint.a.axis",
        "joint.d.sequence",
        "gravity_m_s2",
        "joint.a.lower_rad",
    ):
        assert absent not in numbers
    assert list(craft().numbers(["system.joint.*.origin_m", "body.base.com_m[2]", "body.base.com_m[0]"]))[:2] == [
        "body.base.com_m[0]",
        "body.base.com_m[2]",
    ]


@pytest.mark.parametrize("system", [craft(), *(random_case(FIRST_OF_ALL + seed) for seed in range(3))], ids=str)
def test_a_system_with_its_own_numbers_is_itself_to_the_last_bit(system):
    again = system.with_numbers({path: number.value for path, number in system.numbers().items()})
    assert described(again) == described(system)
    assert described(pickle.loads(pickle.dumps(again))) == described(system)


def test_other_numbers_change_what_they_say_and_nothing_else():
    system, values = (
        craft(),
        {"joint.c.stiffness_turn_Nm_rad": 9.0, "body.two.inertia_kg_m2": [2, 2, 2, 0.1, 0, 0], "joint.b.pitch_m_rad": 0.5},
    )
    changed = system.with_numbers({**values, "body.one.com_m[1]": 0.7})
    assert changed.bodies[3].joint.stiffness.tolist() == [1.0, 2.0, 9.0]
    assert changed.bodies[2].inertia_kg_m2[0, 1] == changed.bodies[2].inertia_kg_m2[1, 0] == 0.1
    assert changed.bodies[1].com_m.tolist() == [0.5, 0.7, 0.0]
    assert changed.joints[1].motions[0].twists[0, 2] == 0.5
    back = changed.with_numbers({path: system.numbers((path,))[path].value for path in [*values, "body.one.com_m[1]"]})
    assert described(back) == described(system)
    with pytest.raises(InvalidSystem, match="positive semi-definite"):
        system.with_numbers({"body.two.inertia_kg_m2": [1, 1, 1, 5, 0, 0]})
    with pytest.raises(InvalidSystem, match="mass"):
        system.with_numbers({"body.base.mass_kg": 0.0})
    with pytest.raises(InvalidInput, match=r"expected 6 finite numbers, found shape .*; xx, yy, zz, xy, xz, yz"):
        craft().with_numbers({f"body.{craft().bodies[1].name}.inertia_kg_m2": np.eye(3)})
    with pytest.raises(InvalidInput, match="did you mean"):
        system.with_numbers({"body.two.inertia": [1, 1, 1, 0, 0, 0]})


def test_an_opened_system_has_numbers_of_any_scalar_in_all_that_follows_from_it():
    system = craft()
    opened = system.opened({"joint.a.origin_m": np.array([0.5j, 0, 0]), "wheel.w.inertia_kg_m2": np.array(2j)})
    assert opened.joints[0].origin_m[0] == 0.5j
    assert opened.turners.momentum(np.ones(1))[2] == 2j
    assert system.turners.momentum(np.ones(1))[2] == 0.1


def test_what_has_no_value_yet_is_not_zero():
    unknown = object()
    assert present(np.array([0.0, 1e-300, np.nan])).tolist() == [False, True, True]
    assert present(np.array([0, 0.0, unknown], dtype=object)).tolist() == [False, False, True]
    assert known(np.array([0, 1.5], dtype=object)) and not known(np.array([0, unknown], dtype=object))


@pytest.mark.parametrize("name", model_names())
def test_paths_have_the_names_of_tables_and_keys_of_files(name):
    """So a study calls a number as `System.numbers` does."""
    system, seen = load_system(f"model:{name}"), 0
    numbers = system.numbers()
    for part in file_parts(TomlDocument.parse(system_text(f"model:{name}"), name)):
        own = system.part(part.kind, part.name)
        for key in {*part.keys} & {*(own.numbers if own else ())}:  # an arm is no part of a system
            assert np.array_equal(numbers[f"{part.kind}.{part.name}.{key}"].value, own.numbers[key])
            seen += 1
    assert seen >= 2 * len(system.bodies)
