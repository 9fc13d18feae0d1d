"""What the elements of a URDF file may say, as its specification has it."""

from __future__ import annotations

from .reading._tags import NAME, NUMBER, TEXT, Tag, TextForm, numbers, one_of

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_BESIDE = (
    *("sensor", "verbose", "contact", "audio", "gravity", "velocity_decay", "kinematic", "surface"),
    *("self_collision_checking", "self_filter", "collision_checking"),
)
_INERTIA = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_XYZ = numbers(3)
_OTHERS = ("gazebo", "transmission", "ros2_control", "sensor", "mujoco", "verbose")


def _colour(text: str) -> list[float]:
    found = numbers(4).read(text)
    if not all(0 <= each <= 1 for each in found):
        raise ValueError(text)
    return list(found)


_COLOUR = TextForm("4 numbers from 0 to 1 with spaces between them", _colour)
_LOOKS = {"name": TEXT}

TAGS = {
    "robot": Tag(
        {"name": NAME, "version": TEXT},
        ("name",),
        several=("link", "joint", "material"),
        left_out=_OTHERS,
    ),
    "link": Tag(
        {"name": NAME, "type": TEXT},
        ("name",),
        once=("inertial",),
        several=("visual", "collision"),
        left_out=_BESIDE,
    ),
    "inertial": Tag(once=("origin",), needed=("mass", "inertia")),
    "origin": Tag({"xyz": _XYZ, "rpy": _XYZ}),
    "mass": Tag({"value": NUMBER}, ("value",)),
    "inertia": Tag(dict.fromkeys(_INERTIA, NUMBER), _INERTIA),
    "visual": Tag(_LOOKS, once=("origin", "material"), needed=("geometry",), left_out=("verbose",)),
    "collision": Tag({**_LOOKS, "group": TEXT}, once=("origin",), needed=("geometry",), left_out=("verbose", "material")),
    "geometry": Tag(once=("box", "cylinder", "capsule", "sphere", "mesh"), unused=("name",)),
    "box": Tag({"size": _XYZ}, ("size",)),
    "cylinder": Tag({"radius": NUMBER, "length": NUMBER}, ("radius", "length")),
    "capsule": Tag({"radius": NUMBER, "length": NUMBER}, ("radius", "length")),
    "sphere": Tag({"radius": NUMBER}, ("radius",)),
    "mesh": Tag({"filename": TEXT, "scale": _XYZ}, ("filename",)),
    "material": Tag({"name": TEXT}, once=("color",), left_out=("texture",)),
    "color": Tag({"rgba": _COLOUR}, ("rgba",)),
    "joint": Tag(
        {"name": NAME, "type": one_of(*JOINT_TYPES)},
        ("name", "type"),
        needed=("parent", "child"),
        once=("origin", "axis", "limit", "dynamics", "mimic"),
        left_out=("calibration", "safety_controller"),
        unused=("dont_collapse",),
    ),
    "parent": Tag({"link": NAME}, ("link",)),
    "child": Tag({"link": NAME}, ("link",)),
    "axis": Tag({"xyz": _XYZ}, ("xyz",)),
    "limit": Tag({key: NUMBER for key in ("lower", "upper", "effort", "velocity")}, ("effort", "velocity")),
    "dynamics": Tag({"damping": NUMBER, "friction": NUMBER}),
    "mimic": Tag({"joint": NAME, "multiplier": NUMBER, "offset": NUMBER}, ("joint",)),
}
