"""What the elements of an MJCF file may say, as MuJoCo 4 has it; what says nothing about a system is known and told."""

from __future__ import annotations

from ..reading._tags import NAME, NUMBER, TEXT, Tag, TextForm, numbers, one_of

ANGLES, AXES = ("degree", "radian"), "xyzXYZ"
GEOMS = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
ACTUATORS = (
    *("general", "motor", "position", "velocity", "intvelocity", "orientation", "pid", "damper"),
    *("cylinder", "muscle", "adhesion", "dcmotor", "plugin"),
)
GENERATORS = ("composite", "flexcomp", "replicate", "attach")  # write bodies that the file does not have
ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
_XYZ, _PAIR, _FLAG, _MAYBE = numbers(3), numbers(2), one_of("true", "false"), one_of("true", "false", "auto")


def _sequence(text: str) -> str:
    if len(text) != 3 or not set(text) <= set(AXES):
        raise ValueError(text)
    return text


def _whole(text: str) -> int:
    return int(text)


_WHOLE = TextForm("a whole number", _whole)
_TURNS = {"quat": numbers(4), "axisangle": numbers(4), "euler": _XYZ, "xyaxes": numbers(6), "zaxis": _XYZ}
_PLACE = {"pos": _XYZ, **_TURNS}
_CLASS = {"class": NAME}
_RGBA = TextForm("4 numbers with spaces between them", numbers(4).read)

_JOINT = {
    "type": one_of("free", "ball", "slide", "hinge"),
    **{"pos": _XYZ, "axis": _XYZ, "range": _PAIR, "limited": _MAYBE, "ref": NUMBER, "springref": NUMBER},
    **{"stiffness": NUMBER, "damping": NUMBER, "frictionloss": NUMBER, "actuatorfrcrange": _PAIR, "actuatorfrclimited": _MAYBE},
}
_JOINT_UNUSED = (
    *("armature", "springdamper", "springyield", "group", "margin", "user", "actuatorgravcomp"),
    *("solimpfriction", "solimplimit", "solreffriction", "solreflimit"),
)
_GEOM = {
    **_PLACE,
    **{"type": one_of(*GEOMS), "size": numbers(3, least=1), "fromto": numbers(6), "mass": NUMBER, "density": NUMBER},
    **{"contype": _WHOLE, "conaffinity": _WHOLE, "rgba": _RGBA, "material": TEXT, "mesh": TEXT, "group": _WHOLE},
    "shellinertia": _FLAG,
}
_GEOM_UNUSED = (
    *("adhesion", "castshadow", "condim", "fitscale", "fluidcoef", "fluidshape", "friction", "gap", "hfield", "margin"),
    *("priority", "solimp", "solmix", "solref", "surfacevel", "user"),
)
_SITE = {**_PLACE, "fromto": numbers(6)}
_SITE_UNUSED = ("group", "material", "mesh", "rgba", "size", "type", "user")
_MESH = {"file": TEXT, "scale": _XYZ, "vertex": TextForm("numbers, three for each vertex", numbers(10**6, least=12).read)}
_MESH_UNUSED = (
    *("builtin", "content_type", "face", "inertia", "material", "maxhullvert", "normal", "params"),
    *("refpos", "refquat", "smoothnormal", "texcoord"),
)
_LOOK_UNUSED = (
    "emission",
    "metallic",
    "reflectance",
    "roughness",
    "shininess",
    "specular",
    "texrepeat",
    "texture",
    "texuniform",
)
_TENDON = {"stiffness": NUMBER, "damping": NUMBER, "springlength": numbers(2, least=1)}
_TENDON_UNUSED = (
    *("actuatorfrclimited", "actuatorfrcrange", "armature", "frictionloss", "group", "limited", "margin", "material", "range"),
    *("rgba", "solimpfriction", "solimplimit", "solreffriction", "solreflimit", "springyield", "user", "width"),
)
_ACTUATOR = {
    **{"ctrlrange": _PAIR, "ctrllimited": _MAYBE, "forcerange": _PAIR, "forcelimited": _MAYBE},
    **{"gear": numbers(6, least=1), "gaintype": TEXT, "biastype": TEXT, "dyntype": TEXT, "gainprm": numbers(10, least=1)},
}
_ACTUATOR_UNUSED = (
    *("actdim", "actearly", "actlimited", "actrange", "area", "armature", "bias", "biasprm", "body", "cogging", "controller"),
    *("cranklength", "cranksite", "damping", "dampratio", "delay", "diameter", "dynprm", "ffrange", "force", "fpmax", "fvmax"),
    *("gain", "group", "imax", "inductance", "inheritrange", "input", "instance", "interp", "jointinparent", "ki", "kp", "kv"),
    *("lengthrange", "lmax", "lmin", "lugre", "motorconst", "nominal", "nsample", "plugin", "posrange", "range", "refsite"),
    *("resistance", "saturation", "scale", "site", "slewmax", "slidersite", "tausmooth", "tendon", "thermal", "timeconst"),
    *("user", "velrange", "vmax"),
)
_HELD = {"name": NAME, **_CLASS, "active": _FLAG}
_SOFT = ("solimp", "solref")
_ENDS = {"body1": NAME, "body2": NAME, "site1": NAME, "site2": NAME}
_BODY = {"name": NAME, "childclass": NAME, **_PLACE}
_IN_BODY = ("body", "joint", "freejoint", "geom", "site", "frame", *GENERATORS)
_SEEN = ("camera", "light", "plugin")
_NOT_OURS = ("size", "statistic", "visual", "extension", "deformable", "contact", "sensor", "custom", "keyframe")

TAGS = {
    "mujoco": Tag(
        {"model": NAME},
        several=("compiler", "option", "asset", "default", "worldbody", "equality", "tendon", "actuator"),
        left_out=_NOT_OURS,
    ),
    "compiler": Tag(
        {
            **{"angle": one_of(*ANGLES), "autolimits": _FLAG, "coordinate": one_of("local")},
            "eulerseq": TextForm("three of x, y, z, or of X, Y, Z", _sequence),
            **{"inertiafromgeom": _MAYBE, "inertiagrouprange": _PAIR, "boundmass": NUMBER, "boundinertia": NUMBER},
            **{"settotalmass": NUMBER, "balanceinertia": _FLAG, "meshdir": TEXT, "assetdir": TEXT, "strippath": _FLAG},
        },
        once=("lengthrange",),
        unused=(
            *("alignfree", "conflict", "convexhull", "discardvisual", "exactmeshinertia", "fitaabb", "fusestatic"),
            *("passthrough", "savecanonical", "savecompiled", "saveinertial", "texturedir", "usethread"),
        ),
    ),
    "lengthrange": Tag(
        unused=(
            "accel",
            "interval",
            "inttotal",
            "maxforce",
            "mode",
            "timeconst",
            "timestep",
            "tolrange",
            "useexisting",
            "uselimit",
        )
    ),
    "option": Tag(
        {"gravity": _XYZ},
        once=("flag",),
        unused=(
            *("actuatorgroupdisable", "ccd_iterations", "ccd_tolerance", "collision", "cone", "density", "impratio"),
            *("integrator", "iterations", "jacobian", "ls_iterations", "ls_tolerance", "magnetic", "noslip_iterations"),
            *("noslip_tolerance", "o_friction", "o_margin", "o_solimp", "o_solref", "sdf_initpoints", "sdf_iterations"),
            *("sleep_tolerance", "solver", "timestep", "tolerance", "viscosity", "wind", "apirate", "mpr_iterations"),
        ),
    ),
    "flag": Tag(
        {"gravity": one_of("enable", "disable")},
        unused=(
            *("actuation", "autoreset", "clampctrl", "constraint", "contact", "damper", "diagexact", "energy", "equality"),
            *("eulerdamp", "filterparent", "frictionloss", "fwdinv", "invdiscrete", "ipc", "island", "limit", "midphase"),
            *("multiccd", "nativeccd", "override", "passive", "refsafe", "sensor", "sensornoise", "sleep", "speculative"),
            *("spring", "warmstart"),
        ),
    ),
    "asset": Tag(several=("mesh", "material"), left_out=("hfield", "skin", "texture", "model")),
    "mesh": Tag({"name": NAME, **_CLASS, **_MESH}, left_out=("plugin",), unused=_MESH_UNUSED),
    "material": Tag({"name": NAME, **_CLASS, "rgba": _RGBA}, left_out=("layer",), unused=_LOOK_UNUSED),
    "default": Tag(
        _CLASS,
        once=("joint", "geom", "site", "mesh", "material", "equality", "tendon", *ACTUATORS[:-1]),
        several=("default",),
        left_out=("texture", "camera", "light", "pair"),
    ),
    "default/joint": Tag(_JOINT, unused=_JOINT_UNUSED),
    "default/geom": Tag(_GEOM, unused=_GEOM_UNUSED),
    "default/site": Tag(_SITE, unused=_SITE_UNUSED),
    "default/mesh": Tag({"scale": _XYZ}, unused=_MESH_UNUSED),
    "default/material": Tag({"rgba": _RGBA}, left_out=("layer",), unused=_LOOK_UNUSED),
    "default/equality": Tag({"active": _FLAG}, unused=_SOFT),
    "default/tendon": Tag(_TENDON, unused=_TENDON_UNUSED),
    **{f"default/{tag}": Tag(_ACTUATOR, unused=_ACTUATOR_UNUSED) for tag in ACTUATORS},
    "worldbody": Tag(several=_IN_BODY, left_out=_SEEN, unused=tuple(_BODY)),
    "body": Tag(
        _BODY,
        once=("inertial",),
        several=_IN_BODY,
        left_out=_SEEN,
        unused=("fuse", "gravcomp", "mocap", "simple", "sleep", "user"),
    ),
    "frame": Tag({"name": NAME, "childclass": NAME, **_PLACE}, several=_IN_BODY, left_out=_SEEN),
    "inertial": Tag({**_PLACE, "mass": NUMBER, "diaginertia": _XYZ, "fullinertia": numbers(6)}, ("mass",)),
    "joint": Tag({"name": NAME, **_CLASS, **_JOINT}, unused=_JOINT_UNUSED),
    "freejoint": Tag({"name": NAME}, unused=("align", "group")),
    "geom": Tag({"name": NAME, **_CLASS, **_GEOM}, left_out=("plugin",), unused=_GEOM_UNUSED),
    "site": Tag({"name": NAME, **_CLASS, **_SITE}, unused=_SITE_UNUSED),
    **{tag: Tag() for tag in GENERATORS},
    "equality": Tag(several=("connect", "weld", "joint"), left_out=("tendon", "flex", "flexvert", "flexstrain", "distance")),
    "equality/connect": Tag({**_HELD, **_ENDS, "anchor": _XYZ}, unused=_SOFT),
    "equality/weld": Tag({**_HELD, **_ENDS, "anchor": _XYZ, "relpose": numbers(7)}, unused=(*_SOFT, "torquescale")),
    "equality/joint": Tag(
        {**_HELD, "joint1": NAME, "joint2": NAME, "polycoef": numbers(5, least=1)}, ("joint1",), unused=_SOFT
    ),
    "tendon": Tag(several=("spatial",), left_out=("fixed",)),
    "spatial": Tag({"name": NAME, **_CLASS, **_TENDON}, several=("site", "geom", "pulley"), unused=_TENDON_UNUSED),
    "spatial/site": Tag({"site": NAME}, ("site",)),
    "spatial/geom": Tag({"geom": NAME, "sidesite": NAME}),
    "spatial/pulley": Tag({"divisor": NUMBER}),
    "actuator": Tag(several=ACTUATORS),
    **{
        f"actuator/{tag}": Tag(
            {"name": NAME, **_CLASS, "joint": NAME, **_ACTUATOR}, left_out=("config",), unused=_ACTUATOR_UNUSED
        )
        for tag in ACTUATORS
    },
    **{tag: Tag() for tag in ("connect", "weld", "pulley", *ACTUATORS)},  # by what they are in alone
}
