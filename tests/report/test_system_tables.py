"""Reports describe the hardware and where a run begins, in units that people read."""

from __future__ import annotations

import numpy as np

from scmanip.actuators import Motor, Thruster, Wheel
from scmanip.report.pages._page import TextTable
from scmanip.report.pages._phase_account import in_words
from scmanip.report.pages._start_table import start_table
from scmanip.report.pages._system_tables import system_tables
from scmanip.system import Body, Joint, SpringDamper, System

from .histories import arm, history

BASE = Body("base", 100.0, [10.0, 20.0, 25.0], com_m=[0.1, 0.0, 0.0])
ARM = Body(
    "arm", 5.0, np.diag([0.1, 0.5, 0.5]) + 0.01 * (np.ones((3, 3)) - np.eye(3)), parent="base",
    joint=Joint("shoulder", "revolute", [0, 0, 1], [0.5, 0, 0], lower=-np.pi / 2, stiffness=3.0, damping=0.5),
)  # fmt: skip
BALL = Body("ball", 2.0, [0.1, 0.1, 0.1], parent="arm", joint=Joint("wrist", "spherical", origin_m=[1.0, 0, 0]))
CLIENT = Body("client", 50.0, [5.0, 5.0, 5.0], parent="ground", joint=Joint("client", "free"))


def rows(tables: list[TextTable], name: str) -> list[dict[str, str]]:
    (table,) = [table for table in tables if table.name == name]
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


def test_bodies_have_mass_centre_and_inertia_about_it() -> None:
    tables = system_tables(System("one", BASE, [ARM, BALL, CLIENT]))
    base, arm, *_ = rows(tables, "bodies")
    assert (base["mass [kg]"], base["CoM [m]"], base["inertia xx, yy, zz [kg m^2]"]) == ("100", "0.1, 0, 0", "10, 20, 25")
    assert (arm["carried by"], arm["xy, xz, yz [kg m^2]"]) == ("base", "0.01, 0.01, 0.01")
    assert [table.name for table in tables] == ["bodies", "joints"]  # what there is none of has no table


def test_joints_have_axis_range_springs_and_dampers() -> None:
    shoulder, wrist, client = rows(system_tables(System("one", BASE, [ARM, BALL, CLIENT])), "joints")
    assert (shoulder["from"], shoulder["at [m]"], shoulder["axis"]) == ("base to arm", "0.5, 0, 0", "0, 0, 1")
    assert (shoulder["range"], shoulder["spring and damper"]) == ("-90 deg to no limit", "3 N m/rad; 0.5 N m s/rad")
    assert (wrist["axis"], wrist["range"]) == ("", "")
    assert (client["from"], client["at [m]"]) == ("ground to client", "")


def test_every_kind_of_actuator_has_a_table_of_what_is_said_of_it() -> None:
    wheels = [Wheel("x", [1, 0, 0], 0.1, torque_Nm=0.2, speed_rad_s=np.pi), Wheel("y", [0, 1, 0], 0.1)]
    motors = [Motor("shoulder", torque_Nm=5.0, rate_rad_s=np.pi / 6)]
    pushers = [Thruster("aft", [0, 0, -1.0], [0, 0, 1], 20.0, 220.0)]
    spring = SpringDamper("strut", ("base", "ball"), stiffness_N_m=10.0)
    tables = system_tables(System("one", BASE, [ARM, BALL], actuators=[*wheels, *motors, *pushers], springs=[spring]))
    x, y = rows(tables, "wheels")
    assert (x["torque [N m]"], y["torque [N m]"], x["speed [rpm]"]) == ("0.2", "", "30")
    assert rows(tables, "motors") == [{"joint": "shoulder", "torque [N m]": "5", "rate [deg/s]": "30"}]
    assert rows(tables, "thrusters")[0]["force [N]"] == "20"
    assert rows(tables, "springs")[0]["between"] == "base - ball"


def test_a_run_begins_in_degrees_and_revolutions() -> None:
    system = arm("revolute", "spherical", wheels=[Wheel("z", [0, 0, 1], 0.1)])
    turned = [0.0, 0.0, np.sin(np.pi / 12), np.cos(np.pi / 12)]
    q, spin = [np.radians(-110.0), 0.0, 0.0, 0.0, 1.0], [[-500 * np.pi / 30]] * 2
    began = history(system, [0.0, 1.0], attitude_xyzw=[turned] * 2, q=[q] * 2, wheel_rad_s=spin)
    found = {row["what"]: row for row in rows([start_table(began)], "initial_state")}
    assert found["attitude of the base"]["place"] == "turned 30 deg about [0, 0, 1]"
    assert found["joint1"]["place"] == "-110 deg"
    assert found["joint2"] == {"what": "joint2", "place": "[0, 0, 0, 1] as quaternion xyzw", "rate": "[0, 0, 0] deg/s"}
    assert found["z"]["rate"] == "speed -500 rpm"


def test_classes_read_as_words() -> None:
    assert in_words("Sampled(TaskPriority(QuietBase, Posture))") == "sampled (task priority (quiet base, posture))"
