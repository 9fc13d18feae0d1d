"""The tables and keys of a system file, `scmanip.system/1`. Importing this file loads pydantic: do it late.

Each field says what it takes in its description, which error messages repeat. Rules between keys are in `_file_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Annotated, Any, Literal, Union

from pydantic import BeforeValidator, Field, create_model

from ...actuators import ACTUATOR_KINDS, Actuator, Quantity
from ...constraints import Constraint, flat
from ...errors import pair_problems
from ...shapes import SHAPE_KINDS, Shape
from ..joints import KINDS, JointKey
from ..parts._constraint_kinds import CONSTRAINT_KINDS
from ..parts._visual import VISUAL_SIZES
from ._file_values import (
    Coefficient,
    Dcm,
    Inertia,
    Mass,
    Name,
    Number,
    PlacementTable,
    SystemFileTable,
    Vector,
    checked,
    origin,
)

SCHEMA = "scmanip.system/1"
_TYPES = {list: Vector, str: str, float: Number}
_FORMS: dict[str, Any] = {
    "name": Name,
    "number": Number,
    "vector": Vector,
    "vectors": list[Vector],
    "numbers": list[Number],
    "pair": list[Name],
    "names": Name | list[Name],
    "ratios": Number | list[Number],
    "row": Annotated[dict[str, Number], BeforeValidator(flat, json_schema_input_type=dict[str, Any])],
    "flag": bool,
    "pose": PlacementTable,
}


def joint_tables(base: type[SystemFileTable]) -> dict[str, type[SystemFileTable]]:
    """Return, by kind of joint, its table with the keys of `base`; of all kinds, or of those that links of arms may be."""
    return _joint_tables(base, tuple(KINDS))


@cache
def _joint_tables(base: type[SystemFileTable], names: tuple[str, ...]) -> dict[str, type[SystemFileTable]]:
    arms = base is not JointPlacement
    kinds = [kind for kind in map(KINDS.__getitem__, names) if kind.in_arms or not arms]
    *others, last = (kind.name for kind in kinds)
    words = Field(description=f"{', '.join(others)} or {last}")
    tables = {}
    for kind in kinds:
        keys: dict[str, Any] = {} if arms else {name: _field(key) for name, key in kind.keys.items()}
        for what in kind.passive:
            value = Number if what in ("lower", "upper") else Coefficient
            numbers = range(len(kind.freedoms))
            keys |= {key: (value | None, None) for k in numbers for key in kind.passive_keys(what, k)}
        own: dict[str, Any] = {"type": (Literal[kind.name], words), **keys}
        tables[kind.name] = create_model(f"{kind.name.capitalize()}{base.__name__}", __base__=base, **own)
    return tables


def _field(key: JointKey) -> tuple[Any, Any]:
    """Return type and default of a key that a kind of joint needs."""
    return Annotated[_TYPES[key.holds], checked(key.problems)], Field(description=key.words)


def _one_of(base: type[SystemFileTable]) -> Any:
    return _of_types(joint_tables(base).values())


def _of_types(tables: Iterable[type[SystemFileTable]]) -> Any:
    """Return what pydantic takes for one of several tables that say their type."""
    return Annotated[Union[tuple(tables)], Field(discriminator="type")]  # noqa: UP007


class JointPlacement(PlacementTable):
    """What every `joint = { ... }` takes."""

    type: str
    name: Name | None = None
    child_origin_m: Vector = Field(default_factory=origin)
    child_dcm: Dcm | None = None


class BaseTable(SystemFileTable):
    """`[base]`."""

    fixed: bool = False
    mass_kg: Mass | None = None
    com_m: Vector = Field(default_factory=origin)
    inertia_kg_m2: Inertia | None = None


class BodyTable(SystemFileTable):
    """`[[body]]`."""

    name: Name
    parent: Name
    mass_kg: Mass
    com_m: Vector = Field(default_factory=origin)
    inertia_kg_m2: Inertia
    joint: JointPlacement


class FrameTable(PlacementTable):
    """`[[frame]]`."""

    name: Name
    body: Name


class ArmLink(SystemFileTable):
    """What both kinds of `[[arm.link]]` take, in the customised Denavit-Hartenberg form [Wilde2018] eqs 1-10."""

    type: str
    name: Name | None = None
    d_m: Number = 0.0
    theta_offset_rad: Number | None = None
    theta_offset_deg: Number | None = None
    alpha_rad: Number | None = None
    alpha_deg: Number | None = None
    a_m: Number = 0.0
    b_m: Number = 0.0
    mass_kg: Mass
    com_m: Vector | None = None
    inertia_kg_m2: Inertia


class ArmTable(SystemFileTable):
    """`[[arm]]`."""

    name: Name | None = None
    parent: Name = "base"
    mount_m: Vector = Field(default_factory=origin)
    mount_rpy_rad: Vector | None = None
    mount_rpy_deg: Vector | None = None
    link: list[ArmLink]


class VisualTable(PlacementTable):
    """`[[visual]]`."""

    frame: Name
    type: Annotated[str, Field(description=f"one of {', '.join(VISUAL_SIZES)}")]
    size_m: list[Number] = Field(default_factory=list)
    file: str = ""
    uri: str = ""
    scale: Vector = Field(default_factory=lambda: [1.0, 1.0, 1.0])
    rgba: list[Number] = Field(default_factory=list)
    collides: bool = False


class SpringDamperTable(SystemFileTable):
    """`[[spring_damper]]`, between two named points."""

    name: Name
    between: Annotated[list[Name], Field(min_length=2, max_length=2), checked(pair_problems)] = Field(
        description="the names of two different frames"
    )
    stiffness_N_m: Coefficient = 0.0
    damping_Ns_m: Coefficient = 0.0
    length_m: Coefficient = 0.0


@cache
def actuator_table(kind: type[Actuator]) -> type[SystemFileTable]:
    """Return the table of a kind of actuators, with the keys that its fields declare."""
    taken: dict[str, Any] = {}
    for name, key in kind.keys().items():
        taken[name] = _key(key.quantity), ... if key.required else None
    for other, (name, _) in kind.spellings.items():
        taken[other] = taken[name][0], None
        taken[name] = taken[name][0], None
    return create_model(f"{kind.kind.title()}Table", __base__=SystemFileTable, **taken)


class ConstraintTable(SystemFileTable):
    """What every `[[constraint]]` takes."""

    type: str
    name: Name


@cache
def constraint_table(kind: type[Constraint]) -> type[ConstraintTable]:
    """Return the table of a kind of constraints, with the keys that its fields declare."""
    words = Field(description=f"one of {', '.join(CONSTRAINT_KINDS)}")
    taken: dict[str, Any] = {"type": (Literal[kind.kind], words)}
    taken |= {name: (_key(key.quantity), ... if key.required else None) for name, key in kind.file_keys().items()}
    return create_model(f"{kind.__name__}Table", __base__=ConstraintTable, **taken)


class ShapePlacement(PlacementTable):
    """What every `[[shape]]` takes: what it is on is called by one of two keys."""

    type: str
    name: Name
    body: Name | None = None
    frame: Name | None = None


@cache
def shape_table(kind: type[Shape]) -> type[ShapePlacement]:
    """Return the table of a kind of shapes, with the keys of its sizes."""
    words = Field(description=f"one of {', '.join(SHAPE_KINDS)}")
    sizes: dict[str, Any] = {name: (_key(quantity), ...) for name, quantity in kind.sizes().items()}
    own: dict[str, Any] = {"type": (Literal[kind.kind], words), **sizes}
    return create_model(f"{kind.kind.capitalize()}Table", __base__=ShapePlacement, **own)


def _key(quantity: Quantity) -> Any:
    """Return the type of a key: what pydantic checks and in which words."""
    checks = () if quantity.form == "pose" else (checked(quantity.problems),)  # the table of a pose has its own
    return Annotated[_FORMS[quantity.form], *checks, Field(description=quantity.words)]


class HdLink(SystemFileTable):
    """What both kinds of `[[hd_link]]` take: the modified Hartenberg-Denavit parameters of [Angeles1989] section 3.1."""

    type: str
    name: Name | None = None
    alpha_rad: Number | None = None
    alpha_deg: Number | None = None
    a_m: Number = 0.0
    b_m: Number = 0.0
    theta_rad: Number | None = None
    theta_deg: Number | None = None
    mass_kg: Mass
    rho_m: Vector = Field(default_factory=origin)
    inertia_kg_m2: Inertia


class SystemFile(SystemFileTable):
    """A system file without its kinds of joints, actuators and shapes."""

    schema_: Literal["scmanip.system/1"] = Field(alias="schema", description=f"'{SCHEMA}'")
    name: Name = "system"
    gravity_m_s2: Vector = Field(default_factory=origin)
    base: BaseTable = Field(description="a [base] table")
    body: list[BodyTable] = Field(default_factory=list)
    frame: list[FrameTable] = Field(default_factory=list)
    arm: list[ArmTable] = Field(default_factory=list)
    spring_damper: list[SpringDamperTable] = Field(default_factory=list)
    shape: list[ShapePlacement] = Field(default_factory=list)
    constraint: list[ConstraintTable] = Field(default_factory=list)
    visual: list[VisualTable] = Field(default_factory=list)
    hd_link: list[HdLink] = Field(default_factory=list)


def system_file(keys: Iterable[str] | None = None) -> type[SystemFile]:
    """Return a whole system file with the tables of all kinds of joints, actuators and shapes.

    keys : at the top of a file, for which pydantic makes a model sooner than for all: other lists of tables are left open
    """
    actuators, shapes, held = (tuple(family.sound.values()) for family in (ACTUATOR_KINDS, SHAPE_KINDS, CONSTRAINT_KINDS))
    lists = {*_LISTS, *ACTUATOR_KINDS.sound}
    return _system_file(tuple(KINDS), actuators, shapes, held, frozenset(lists if keys is None else lists & {*keys}))


_LISTS = ("body", "arm", "hd_link", "shape", "constraint")  # that take tables of kinds


@cache
def _system_file(
    joints: tuple[str, ...],
    actuators: tuple[type[Actuator], ...],
    shapes: tuple[type[Shape], ...],
    constraints: tuple[type[Constraint], ...],
    said: frozenset[str],
) -> Any:
    made: dict[str, Callable[[], Any]] = {
        "body": _body_table,
        "arm": _arm_table,
        "hd_link": lambda: _one_of(HdLink),
        "shape": lambda: _of_types(map(shape_table, shapes)),
        "constraint": lambda: _of_types(map(constraint_table, constraints)),
        **{kind.kind: partial(actuator_table, kind) for kind in actuators},
    }
    tables = {word: table() if word in said else Any for word, table in made.items()}
    lists: dict[str, Any] = {word: (list[table], Field(default_factory=list)) for word, table in tables.items()}  # type: ignore[valid-type]
    return create_model("SystemFile", __base__=SystemFile, **lists)


def _body_table() -> Any:
    joint = _one_of(JointPlacement), Field(description="a table with type, origin_m, axis, ...")
    return create_model("BodyTable", __base__=BodyTable, joint=joint)


def _arm_table() -> Any:
    links: Any = list[_one_of(ArmLink)], Field(min_length=1, description="one or more [[arm.link]] tables")  # type: ignore[misc]
    return create_model("ArmTable", __base__=ArmTable, link=links)
