"""A series is described once: where it exists, in which shape and units, and what metrics call it."""

import pytest

from scmanip.channels import WRENCH, XYZ, Bundle, Channel, Channels, Dimension, Nature, Portion
from scmanip.errors import InvalidInput

FREEDOM = Dimension("freedom", ("slide", "turn", "lift"), ("m", "rad", "m"))
GIMBAL = Dimension("gimbal", ("first", "second"))
OF_JOINTS = (Portion("rad", "N m", "joint_torque"), Portion("m", "N", "joint_force"))
EFFORT = Channel("effort", "freedom", OF_JOINTS, "what actuators give", Nature.OUTPUT)
PUSH = Channel("push", "wrench_part", (Portion("N", "N", "push_force"), Portion("N m", "N m")), "what pushes")
ANGLE = Channel("gimbal_angle", "gimbal", "rad", "angles of the gimbals", Nature.STATE)
TURNED = Channel("turned", "gimbal xyz", "N m s", "what each gimbal gave", Nature.INTEGRAL, part_of="given")
MASS = Channel("burnt_kg", "", "kg", "what was burnt", Nature.INTEGRAL, part_of="given")
SHARE = Channel("share", "", "1", "a plain number", metric="share_relative")
SILENT = Channel("silent", "", "J", "in no metric", metric=None)


def table(*dimensions):
    return {dimension.name: dimension for dimension in dimensions}


def test_a_channel_exists_where_a_run_has_all_of_its_dimensions():
    all_of_them = (EFFORT, PUSH, ANGLE, TURNED, MASS)
    assert list(Channels(all_of_them, table(XYZ, WRENCH, FREEDOM))) == ["effort", "push", "burnt_kg"]
    known = Channels(all_of_them, table(XYZ, WRENCH, FREEDOM, GIMBAL))
    assert list(known) == ["effort", "push", "gimbal_angle", "turned", "burnt_kg"]
    assert [known.shape(name) for name in known] == [(3,), (6,), (2,), (2, 3), ()]
    assert known.totals == {"given": [TURNED, MASS]}
    assert Channels(all_of_them, table()).declared.keys() == known.keys()


def test_units_are_those_of_the_entries_that_a_run_has():
    known = Channels((EFFORT, PUSH, MASS), table(XYZ, WRENCH, FREEDOM))
    assert [known.unit(name) for name in known] == ["N or N m", "N and N m", "kg"]
    nothing = Channels((EFFORT,), table(Dimension("freedom", ())))
    assert nothing.unit("effort") == "N m" and nothing.shape("effort") == (0,)


@pytest.mark.parametrize(
    ("channel", "names"),
    [
        (EFFORT, {"joint_torque_Nm": [1], "joint_force_N": [0, 2]}),
        (PUSH, {"push_force_N": [0, 1, 2]}),
        (ANGLE, {"gimbal_angle_rad": None}),
        (TURNED, {"turned_Nms": None}),
        (MASS, {"burnt_kg": None}),
        (SHARE, {"share_relative": None}),
        (SILENT, {}),
    ],
)
def test_metrics_call_a_series_by_its_name_and_unit(channel, names):
    assert dict(channel.metrics(table(XYZ, WRENCH, FREEDOM, GIMBAL))) == names


def test_two_series_of_one_name_are_refused():
    with pytest.raises(InvalidInput, match="'turned' twice"):
        Channels((TURNED, Channel("turned", "", "J", "another")), {})


def test_a_page_names_what_it_works_out_in_the_order_of_its_channels():
    page = Bundle((MASS, SHARE), lambda source: (source, source + 1))
    assert page.series(1) == {"burnt_kg": 1, "share": 2}


def test_the_table_reads_as_a_table():
    assert repr(Channels((ANGLE, MASS), table(GIMBAL))).splitlines() == [
        "gimbal_angle  2  rad  angles of the gimbals",
        "burnt_kg         kg   what was burnt",
    ]


def test_components_are_of_the_inertial_frame_and_other_numbers_of_none():
    assert PUSH.frame == "N" and Channel("q", "coordinate", "rad", "angles").frame == ""
