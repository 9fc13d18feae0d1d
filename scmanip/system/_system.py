"""A spacecraft and its arms: bodies in depth-first order, frames, and the tables made from them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..actuators import (
    Actuator,
    ActuatorHost,
    Drive,
    Fitting,
    Motor,
    Mounted,
    Pusher,
    Pushers,
    Thruster,
    Turner,
    Turners,
    Wheel,
    by_kind,
    mounting_problems,
)
from ..channels import WRENCH, XYZ, XYZW, Dimension, Dimensions
from ..constraints import GROUND, Constraint, Surroundings, WrittenConstraint, constraint_problems, ground_users
from ..errors import InvalidSystem, Problem, UnknownName, checked_as, expect, refuse
from ..plugins import view
from ..shapes import Shape
from ..spatial import Array, FloatArray, Numbered, array_problems, frozen, opened, present, restored
from ._interface import Interface, interfaces
from ._layout import Layout
from ._numbers import GRAVITY, Number, by_part, chosen_numbers, given_values, numbers_of, parts_of, whole_values, with_parts
from ._system_tree import SystemTree, system_trees
from .files._degree_doubts import looks_like_degrees
from .parts._body import Body, triangle_problems
from .parts._frame import Frame
from .parts._freedom import BASE_SPEEDS, Coordinate, Freedom
from .parts._friction import Friction
from .parts._joint import Joint
from .parts._rules import (
    MOST_PARTS,
    Entry,
    Report,
    base_problems,
    free_of_base,
    free_users,
    ground_problems,
    namespace_problems,
    parent_problems,
    part_problems,
    shape_problems,
    spring_problems,
    tied_trees_problems,
    visual_problems,
)
from .parts._spring_damper import SpringDamper, idle_problem, idle_springs
from .parts._tree import Tree
from .parts._visual import Visual

if TYPE_CHECKING:
    from .formats._robot_text import RobotText

T = TypeVar("T")
A = TypeVar("A", bound=Actuator)


@checked_as(InvalidSystem)
@dataclass(frozen=True, eq=False, init=False, repr=False)
class System:
    """Hardware without a state. Bodies are renumbered depth-first, siblings in the order given; the base is number 0.

    Behind those that the base carries come the free bodies, whose parent is "ground", each with those that it carries.

    name : free text
    base : `Body` named "base", without parent; its mass may be 0 only when `fixed`
    bodies : the other bodies, in any order
    frames : named points; bodies (`name`), their centres of mass (`name.com`) and frames share one namespace
    fixed : hold the base in the inertial frame
    gravity_m_s2 : (3,) uniform gravity in N, only with a fixed base
    springs : springs and dampers between two points of one tree; those of the joints belong to the joints
    actuators : of any kinds; kept kind by kind. A joint without a `Drive` is driven as commanded
    constraints : what can be imposed on its motion, in the order given
    shapes : solids on bodies, frames or the "ground", which is N; without mass, and of use to what asks for them
    visuals : how bodies look, for pictures and other tools

    A system cannot be edited. Raises `InvalidSystem` with every problem at once.

    >>> base = Body("base", mass_kg=200.0, inertia_kg_m2=[40.0, 40.0, 30.0])
    >>> shoulder = Joint("shoulder", "revolute", axis=[0, 0, 1], origin_m=[0.5, 0, 0])
    >>> link = Body("link", 8.0, [0.1, 0.9, 0.9], com_m=[0.5, 0, 0], parent="base", joint=shoulder)
    >>> chaser = System("chaser", base, [link], frames=[Frame("tip", "link", [1.0, 0, 0])])
    >>> chaser, chaser.freedom_words, chaser.frame_names
    (System('chaser', bodies=2, n_u=7, mass_kg=208), '1 joint freedom', ('base', 'link', 'base.com', 'link.com', 'tip'))
    """

    name: str
    bodies: tuple[Body, ...]
    frames: tuple[Frame, ...]
    fixed: bool
    gravity_m_s2: FloatArray
    springs: tuple[SpringDamper, ...]
    actuators: tuple[Actuator, ...]
    constraints: tuple[Constraint, ...]
    shapes: tuple[Shape, ...]
    visuals: tuple[Visual, ...] = ()

    __setstate__ = restored

    def __init__(
        self,
        name: str,
        base: Body,
        bodies: Iterable[Body] = (),
        frames: Iterable[Frame] = (),
        *,
        fixed: bool = False,
        gravity_m_s2: ArrayLike = (0.0, 0.0, 0.0),
        springs: Iterable[SpringDamper] = (),
        actuators: Iterable[Actuator] = (),
        shapes: Iterable[Shape] = (),
        constraints: Iterable[Constraint] = (),
        visuals: Iterable[Visual] = (),
    ) -> None:
        expect("base", base, Body, "a Body", InvalidSystem)
        expect("fixed", fixed, bool, "True or False", InvalidSystem)
        given, frames, springs = (
            list(_all("bodies", bodies, Body)),
            list(_all("frames", frames, Frame)),
            _all("springs", springs, SpringDamper),
        )
        actuators, shapes = by_kind(_all("actuators", actuators, Actuator)), _all("shapes", shapes, Shape)
        constraints, visuals = _all("constraints", constraints, Constraint), _all("visuals", visuals, Visual)
        counts = Counter(f"{actuator.kind}s" for actuator in actuators)
        parts = {"frames": frames, "springs": springs, "shapes": shapes, "constraints": constraints}
        _refuse_too_many(given, {key: len(its) for key, its in parts.items()} | counts)
        problems = _problems(base, given, frames, fixed, gravity_m_s2) + _spring_problems(base, given, frames, springs)
        entries = [Entry(shape.name, shape.frame, _report(f"shape {shape.name!r} ")) for shape in shapes]
        names = _frame_names((base, *given), frames)
        problems += shape_problems(entries, names)
        problems += visual_problems([(each.frame, _report(f"visual of {each.frame!r} ")) for each in visuals], names)
        written = [WrittenConstraint(type(one), one.given(), _report(f"{one.label} ")) for one in constraints]
        problems += constraint_problems(written, _surroundings(base, given, frames, fixed))
        on_ground = [f"shape {shape.name!r}" for shape in shapes if shape.frame == GROUND]
        free_bodies = free_users([_entry(body) for body in given])
        problems += _ground_problems(given, frames, [*ground_users(written), *on_ground, *free_bodies])
        joints = {b.joint.name: b.joint.kind.motors for b in given if b.joint is not None}
        free = free_of_base([_entry(body) for body in (base, *given)])
        free |= {body.joint.name for body in given if body.joint is not None and body.name in free}
        hardware = ActuatorHost(fixed, [body.name for body in (base, *given)], joints, free)
        problems += mounting_problems([Mounted(type(a), a.texts, _report(f"{a.label} ")) for a in actuators], hardware)
        problems += [Problem(f"{a.label} {flaw.key}", flaw.expected, flaw.found) for a in actuators for flaw in a.flaws]
        refuse(problems, InvalidSystem)
        ordered = (base, *_depth_first([base.name], given), *_depth_first([b.name for b in given if b.grounded], given))
        fields = {"name": name, "bodies": ordered, "frames": tuple(frames), "fixed": fixed}
        fields |= {"springs": springs, "actuators": actuators, "shapes": shapes, "constraints": constraints, "visuals": visuals}
        vars(self).update(fields, gravity_m_s2=frozen(gravity_m_s2))

    @classmethod
    def from_toml_text(cls, text: str, *, file: str = "<text>", strict: bool = False) -> System:
        """Return the system that the text of a system file describes; `file` is the name that errors show.

        strict : also refuse what `warnings` lists
        Raises `InvalidSystem` with every problem at once, each with line and column.
        """
        expect("text", text, str, "the text of a system file")
        from .files._document import system_document
        from .files._system_file import read_parts  # loads pydantic, which a system made in Python does not need

        return cls(**read_parts(system_document(text, file), strict=strict))

    def to_toml(self) -> str:
        """Return the text of a system file that describes it: bodies with their joints, and all that is on them.

        Numbers keep every digit, angles are in radians and rotations are matrices. Raises `InvalidInput` for kinds of joints
        that files cannot name.
        """
        from .files._toml_text import toml_text
        from .formats._system_tables import system_tables

        return toml_text(system_tables(self))

    def to_urdf(self) -> RobotText:
        """Return the text of a URDF file; its `.side` is the text of a side table with what URDF cannot say, if anything.

        `load_system(file, side=...)` of both has the same masses, joints and parts.
        """
        from .formats._urdf_text import urdf_text

        return urdf_text(self)

    def to_mjcf(self) -> RobotText:
        """Return the text of an MJCF file, wheels as bodies; its `.side` is that of a side table with what MJCF cannot say."""
        from .formats._mjcf_text import mjcf_text

        return mjcf_text(self)

    @property
    def base(self) -> Body:
        """The spacecraft that carries the arms, body number 0."""
        return self.bodies[0]

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The moving joints in depth-first order (welds are not numbered)."""
        return tuple(body.joint for body in self.bodies if body.joint is not None and body.joint.dof)

    @cached_property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The entries of q: one per freedom, and four for a joint quaternion."""
        return tuple(coordinate for joint in self.joints for coordinate in joint.coordinates)

    @cached_property
    def freedoms(self) -> tuple[Freedom, ...]:
        """The entries of qdot and tau."""
        return tuple(freedom for joint in self.joints for freedom in joint.freedoms)

    @property
    def freedom_words(self) -> str:
        """How much moves beside the base, in words."""
        free = sum(body.grounded for body in self.bodies)
        bodies = f" and {free} free {'body' if free == 1 else 'bodies'}" if free else ""
        of_joints = self.layout.N - 6 * free
        return f"{of_joints} joint {'freedom' if of_joints == 1 else 'freedoms'}{bodies}"

    def offering(self, capability: type[A]) -> tuple[A, ...]:
        """Return the actuators that can do something: `Drive`, `Turner`, `Pusher`, or those of one kind."""
        return tuple(actuator for actuator in self.actuators if isinstance(actuator, capability))

    @cached_property
    def wheels(self) -> tuple[Wheel, ...]:
        """Those of its actuators that are wheels."""
        return self.offering(Wheel)

    @cached_property
    def thrusters(self) -> tuple[Thruster, ...]:
        """Those of its actuators that are thrusters."""
        return self.offering(Thruster)

    @cached_property
    def motors(self) -> tuple[Motor, ...]:
        """Those of its actuators that are motors."""
        return self.offering(Motor)

    @cached_property
    def turners(self) -> Turners:
        """All that turns the base from inside."""
        return Turners(self.offering(Turner))

    @cached_property
    def pushers(self) -> Pushers:
        """All that pushes from outside, as it sees a base that carries it."""
        return Pushers(self.offering(Pusher), self.base.com_m)

    @cached_property
    def drive_of(self) -> tuple[Drive | None, ...]:
        """The drive of every freedom, None where it has none."""
        drives = {drive.joint: drive for drive in self.offering(Drive)}
        return tuple(drives.get(freedom.joint) for freedom in self.freedoms)

    @cached_property
    def fittings(self) -> tuple[Fitting, ...]:
        """What its drive adds to every freedom."""
        return tuple(drive.fitting if drive else Fitting() for drive in self.drive_of)

    @property
    def spins(self) -> bool:
        """Whether anything spins in it that is no body."""
        return bool(self.turners) or any(present(fitting.rotor_inertia) for fitting in self.fittings)

    @cached_property
    def friction(self) -> Friction:
        """Friction of the freedoms, that of joints and drives together."""
        pairs = zip(self.freedoms, self.fittings, strict=True)
        return Friction(
            np.array([freedom.damping + fitting.damping for freedom, fitting in pairs]),
            np.array([fitting.coulomb for fitting in self.fittings]),
            np.array([fitting.coulomb_width for fitting in self.fittings]),
        )

    @cached_property
    def trees(self) -> tuple[SystemTree, ...]:
        """The base with all that it carries, and every free body likewise, each as a system without shapes and constraints."""
        return system_trees(self)

    def tree_of(self, body: str) -> int:
        """Return the number of the tree that a body is in, 0 of that of the base; raises `UnknownName`."""
        number = self.body_number(body)
        return next(k for k, tree in enumerate(self.trees) if number < tree.bodies.stop)

    @cached_property
    def has_potential(self) -> bool:
        """Whether gravity or springs store energy."""
        return bool(np.any(self.gravity_m_s2) or self.springs or any(freedom.stiffness for freedom in self.freedoms))

    @cached_property
    def tree(self) -> Tree:
        """Path tables."""
        return Tree.of(self.bodies)

    @cached_property
    def layout(self) -> Layout:
        """Order of q, u and x."""
        states = [(turner.called, len(turner.states)) for turner in self.turners.each]
        return Layout.of(self.joints, fixed=self.fixed, n_b=len(self.bodies), actuators=states, n_w=len(self.wheels))

    @cached_property
    def dimensions(self) -> Dimensions:
        """What the entries of series of a run are called: turners, thrusters and springs where there are such."""
        each = self.turners.each
        turners = ((kind, tuple(each[k].called for k in which)) for kind, which in self.turners.kinds.items())
        made = [
            *(XYZ, XYZW, WRENCH, Dimension("body", tuple(body.name for body in self.bodies), several="bodies")),
            Dimension(
                "coordinate", self.layout.q_names, tuple(coordinate.unit for coordinate in self.coordinates), several="joints"
            ),
            Dimension("freedom", self.layout.qdot_names, tuple(freedom.unit for freedom in self.freedoms), several="joints"),
            *(Dimension(kind.kind, names) for kind, names in turners),
            Dimension("tree", tuple(tree.root for tree in self.trees) if len(self.trees) > 1 else ()),
            Dimension("thruster", tuple(pusher.called for pusher in self.pushers.each)),
            Dimension("spring", tuple(spring.name for spring in self.springs)),
            Dimension("interface", tuple(each.name for each in self.interfaces)),
            Dimension("hold", tuple(each.constraint for each in self.interfaces if each.constraint)),
        ]
        return {one.name: one for one in made if one.labels or one.name in ("coordinate", "freedom")}

    @cached_property
    def idle_springs(self) -> tuple[SpringDamper, ...]:
        """The springs whose ends no joint moves against each other."""
        return idle_springs(self.springs, self.bodies, self.frames)

    @cached_property
    def mass_kg(self) -> float:
        """Total mass [kg]."""
        return sum(body.mass_kg for body in self.bodies)

    @cached_property
    def interfaces(self) -> tuple[Interface, ...]:
        """Where it can be cut: the joints of all bodies that another one carries, then the constraints between frames."""
        return interfaces(self.bodies, self.constraints)

    def interface(self, name: str) -> int:
        """Return the number of an interface; raises `UnknownName`."""
        names = [each.name for each in self.interfaces]
        expect("interface", name, str, "the name of a joint, or of a constraint between frames")
        if name not in names:
            raise UnknownName("interface", name, f"system {self.name!r}", names)
        return names.index(name)

    @cached_property
    def frame_names(self) -> tuple[str, ...]:
        """Every name that `frame` understands."""
        return _frame_names(self.bodies, self.frames)

    def body_number(self, name: str) -> int:
        """Return the depth-first number of a body; raises `UnknownName`."""
        expect("body", name, str, "the name of a body")
        for number, body in enumerate(self.bodies):
            if body.name == name:
                return number
        raise UnknownName("body", name, f"system {self.name!r}", [b.name for b in self.bodies])

    def frame(self, name: str) -> Frame:
        """Return the frame called `name`: a `[[frame]]`, a body, or a body's `.com`; raises `UnknownName`."""
        expect("frame", name, str, "the name of a frame")
        for frame in self.frames:
            if frame.name == name:
                return frame
        for body in self.bodies:
            if name == body.name:
                return Frame(name, body.name)
            if name == f"{body.name}.com":
                return opened(Frame(name, body.name), {"origin_m": body.com_m})
        raise UnknownName("frame", name, f"system {self.name!r}", self.frame_names)

    def constraint(self, name: str) -> Constraint:
        """Return the constraint called `name`; raises `UnknownName`."""
        expect("constraint", name, str, "the name of a constraint")
        for constraint in self.constraints:
            if constraint.name == name:
                return constraint
        raise UnknownName("constraint", name, f"system {self.name!r}", [one.name for one in self.constraints])

    def shape(self, name: str) -> Shape:
        """Return a shape by its name as part of the body that carries it, in the axes of that body, or of the ground.

        Raises `UnknownName`.
        """
        expect("shape", name, str, "the name of a shape")
        for shape in self.shapes:
            if shape.name == name:
                frame = None if shape.frame == GROUND else self.frame(shape.frame)
                return shape if frame is None else shape.carried(frame.body, frame.origin_m, frame.dcm)
        raise UnknownName("shape", name, f"system {self.name!r}", [shape.name for shape in self.shapes])

    def with_actuators(self, actuators: Iterable[Actuator]) -> System:
        """Return the system with these actuators in place of its own."""
        return self._with(self.bodies, actuators)

    @checked_as(InvalidSystem)
    def with_bodies(self, bodies: Sequence[Body]) -> System:
        """Return the system with these bodies, the base first, in place of its own."""
        refuse([] if len(bodies) else [Problem("bodies", "one or more, the base first", "none")], InvalidSystem)
        return self._with(bodies, self.actuators)

    def _with(self, bodies: Sequence[Body], actuators: Iterable[Actuator]) -> System:
        return System(
            self.name,
            bodies[0],
            bodies[1:],
            self.frames,
            fixed=self.fixed,
            gravity_m_s2=self.gravity_m_s2,
            springs=self.springs,
            actuators=actuators,
            shapes=self.shapes,
            constraints=self.constraints,
            visuals=self.visuals,
        )

    def numbers(self, patterns: Sequence[str] = ("*",)) -> dict[str, Number]:
        """Return the `.shape .unit .value` of numbers by their paths, in the order of the system; of all where nothing is said.

        patterns : such as "body.link2.mass_kg", "joint.*.origin_m", "body.base.com_m[0]", "gravity_m_s2", with table names as
            in files; `*` stands for names, `system.` may stand before them. Inertias are (6,), xx yy zz xy xz yz.

        Raises `InvalidInput` for a pattern that names none: axes, rotations, gimbal sequences and limits of joints are none.
        """
        whole = isinstance(patterns, tuple) and [*map(str, patterns)] == ["*"]
        return numbers_of(self) if whole else chosen_numbers(self, patterns)

    def with_numbers(self, values: Mapping[str, ArrayLike]) -> System:
        """Return the system with other values of numbers, () or arrays, by paths as in `numbers`.

        All else is the same to the last bit. Raises `InvalidInput` for unknown paths and wrong shapes, `InvalidSystem` for
        values that hardware cannot have.
        """
        expect("values", values, Mapping, "values by the paths of numbers")
        given = given_values(self._all_numbers(values), values)
        whole = whole_values(self, given)
        every = parts_of(self)
        changed = {at: every[at].with_numbers(own) for at, own in by_part(whole).items()}
        made = with_parts(self, changed, frozen(whole.get(GRAVITY, self.gravity_m_s2)))
        made._with(made.bodies, made.actuators)  # which checks it
        return made

    def _all_numbers(self, paths: Iterable[str]) -> dict[str, Number]:
        """Return every number, and those of their components that paths name."""
        return numbers_of(self) | {path: n for path in paths if path.endswith("]") for path, n in self.numbers((path,)).items()}

    def opened(self, values: Mapping[str, Array]) -> System:
        """Return a copy with numbers of any scalar, () or arrays, by paths as in `numbers`.

        Nothing is checked, and nothing that was cached is carried over, so that whatever is computed from the system is
        computed of these.
        """
        whole, every = whole_values(self, values), parts_of(self)
        changed = {at: every[at].opened(own) for at, own in by_part(whole).items()}
        return with_parts(self, changed, whole.get(GRAVITY, self.gravity_m_s2))

    def part(self, kind: str, name: str) -> Numbered | None:
        """Return a part by the word of its table in files and its name; None where there is none."""
        return parts_of(self).get((kind, name))

    def warnings(self) -> list[Problem]:
        """Return what is unusual but legal: inertias that break the triangle inequality, wheels with more inertia than the
        base that holds them, springs that do nothing, limits of joints in radians that look like degrees.
        """
        problems = [p for b in self.bodies for p in triangle_problems(f"body {b.name!r} inertia_kg_m2", b.inertia_kg_m2)]
        problems += self.outweighed()
        for joint in self.joints:
            ends = [end for part in joint.coordinates if part.unit == "rad" for end in (part.lower, part.upper)]
            if doubted := [f"{end:g}" for end in ends if looks_like_degrees(end)]:
                hint = "are these degrees?"
                problems.append(Problem(f"joint {joint.name!r} limits", "radians", " and ".join(doubted), hint=hint))
        return problems + [
            _report(f"spring_damper {spring.name!r} ")(*idle_problem(spring), "") for spring in self.idle_springs
        ]

    def outweighed(self) -> list[Problem]:
        """Return the doubt of a base whose inertia, which includes what turns in it, is less than that."""
        if not self.turners:
            return []
        loose = self.turners.loose(np.zeros(self.layout.x_actuators.stop - self.layout.x_actuators.start))
        left = float(np.linalg.eigvalsh(self.base.inertia_kg_m2 - loose)[0])
        expected = "at least what turns in the base, which it includes"
        found = f"a smallest principal moment of {left:.4g} without that"
        return [Problem("body 'base' inertia_kg_m2", expected, found)] if left < -1e-12 * np.abs(loose).max() else []

    def show(self, q: ArrayLike | None = None) -> Any:
        """Return its picture for a cell of a notebook, joints at q (n_q,) [rad or m], all at zero if None.

        It is a page that can be turned; `.to_html(path)` of what is returned writes it. Raises `MissingExtra` without viser.
        """
        return view(self, "show")(self, q)

    def to_html(self, path: str | os.PathLike[str], q: ArrayLike | None = None) -> Path:
        """Write its picture, joints at q (n_q,) [rad or m], as one page that opens without network, and return where."""
        written: Path = view(self, "to_html")(self, path, q)
        return written

    def _repr_html_(self) -> str:
        card: str = view(self, "_repr_html_")(self)
        return card

    def __repr__(self) -> str:
        return f"System({self.name!r}, bodies={len(self.bodies)}, n_u={self.layout.n_u}, mass_kg={self.mass_kg:g})"


def _all(key: str, parts: Iterable[T], kind: type[T]) -> tuple[T, ...]:
    """Return parts; raises `InvalidSystem` for anything that is none."""
    expect(key, parts, Iterable, f"a sequence of {kind.__name__}", InvalidSystem)
    given = tuple(parts)
    for part in given:
        expect(key, part, kind, f"a sequence of {kind.__name__}", InvalidSystem)
    return given


def _refuse_too_many(bodies: Sequence[Body], parts: Mapping[str, int]) -> None:
    """Raise `InvalidSystem` for more parts than a model can be made of."""
    freedoms = sum(body.joint.dof for body in bodies if body.joint is not None)
    counts = {"bodies": len(bodies), "freedoms of joints": freedoms, **parts}
    problems = [Problem(kind, f"at most {MOST_PARTS}", f"{count:,}") for kind, count in counts.items() if count > MOST_PARTS]
    refuse(problems, InvalidSystem)


def _depth_first(roots: Sequence[str], bodies: Sequence[Body]) -> list[Body]:
    """Return `roots`, those of them that are among the bodies, and all that they carry."""
    order: list[Body] = []
    waiting = [*reversed(roots)]
    while waiting:
        name = waiting.pop()
        order += [body for body in bodies if body.name == name]
        waiting += [body.name for body in reversed(bodies) if body.parent == name and not body.grounded]
    return order


def _problems(base: Body, bodies: Sequence[Body], frames: Sequence[Frame], fixed: bool, gravity: ArrayLike) -> list[Problem]:
    problems = array_problems("gravity_m_s2", gravity, (3,))
    problems += base_problems(_report(""), base.mass_kg, (0.0, 0.0, 0.0) if problems else gravity, fixed=fixed)
    if base.name != "base":
        problems.append(Problem("base name", "'base'", repr(base.name)))
    if base.parent is not None:
        problems.append(Problem("base", "a body without parent", f"parent {base.parent!r}"))
    for body in bodies:
        if body.parent is None:
            problems.append(Problem(f"body {body.name!r} parent", "the name of a body (only the base has none)", "nothing"))
    entries = [_entry(body) for body in (base, *bodies)]
    joints = [Entry(body.joint.name, None, _report(f"body {body.name!r} ")) for body in bodies if body.joint is not None]
    points = [Entry(frame.name, frame.body, _report(f"frame {frame.name!r} ")) for frame in frames]
    problems += namespace_problems(entries, joints, points) + parent_problems(entries, points)
    made = [body.joint for body in bodies if body.joint is not None]
    return problems + part_problems(joints, {part: j.name for j in made for part in j.part_names})


def _entry(body: Body) -> Entry:
    kind = body.joint.kind.name if body.joint is not None else ""
    return Entry(body.name, body.parent, _report(f"body {body.name!r} "), kind, body.grounded, body.mass_kg)


def _frame_names(bodies: Sequence[Body], frames: Sequence[Frame]) -> tuple[str, ...]:
    names = [body.name for body in bodies]
    return (*names, *(f"{name}.com" for name in names), *(frame.name for frame in frames))


def _spring_problems(
    base: Body, bodies: Sequence[Body], frames: Sequence[Frame], springs: Sequence[SpringDamper]
) -> list[Problem]:
    entries = [(spring.name, spring.between, _report(f"spring_damper {spring.name!r} ")) for spring in springs]
    points = [Entry(frame.name, frame.body, _report("")) for frame in frames]
    known = spring_problems(entries, _frame_names([base, *bodies], frames))
    return known + tied_trees_problems(entries, [_entry(body) for body in (base, *bodies)], points)


def _surroundings(base: Body, bodies: Sequence[Body], frames: Sequence[Frame], fixed: bool) -> Surroundings:
    """Return what constraints can refer to."""
    joints = [body.joint for body in bodies if body.joint is not None and body.joint.dof]
    return Surroundings.of(() if fixed else BASE_SPEEDS, _frame_names([base, *bodies], frames), map(_moves, joints))


def _ground_problems(bodies: Sequence[Body], frames: Sequence[Frame], users: Sequence[str]) -> list[Problem]:
    reports = [(body.name, _report(f"body {body.name!r} ")) for body in bodies]
    return ground_problems(users, [*reports, *((frame.name, _report(f"frame {frame.name!r} ")) for frame in frames)])


def _moves(joint: Joint) -> tuple[str, Sequence[tuple[str, str]], bool]:
    """Return name, names and units of freedoms, and whether these are the rates of its coordinates."""
    return joint.name, [(freedom.name, freedom.unit) for freedom in joint.freedoms], joint.n_q == joint.dof


def _report(owner: str) -> Report:
    def report(key: str, expected: str, found: str, hint: str) -> Problem:
        return Problem(f"{owner}{key}", expected, found, hint=hint)

    return report
