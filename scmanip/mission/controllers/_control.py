"""What every `controller = { type = ..., ... }` offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from ...analysis import SuggestedGains
from ...control import Carrying, Controller, Sampled, as_controller
from ...dynamics import Model, compile_model
from ...errors import InvalidInput, Problem, checked, refuse
from ...guidance import JointReference, PoseReference
from ...modes import FixedBase, ManoeuvreMode
from ...system import Layout, System
from ..values._fields import PER_JOINT, Name, Positive, quoted
from ..values._joint_values import Entries
from ..values._kinds import Kind, SampleKind
from ..values._source import NamedSystems, Source

LawClass = Callable[..., Controller]


class ControllerTable(Kind):
    """A kind of controller: its keys are the fields of the table, and its `type` the only value of that field.

    estimate : the system that it believes in, said by the first of several tables; None: the mission's own
    carrying : whether its estimate carries what is grasped, said by the first of several tables as well
    rate_Hz : how often it looks; None: always
    follows : the kinds of samples that its law can follow
    numbers : the keys that are mere numbers of its law's equations: cases of a study that differ in them are flown together
    unseen : the keys of which a command now and then shows nothing
    begins : the keys that have to be said and for which `beginning` has gains to begin with, each with its rule
    inside : how many laws of the tables after it its law is made of; None: of all of them
    makes : the class of its law, which has arguments of the names of its keys; for kinds whose `law`, or `around`, says no more

    >>> table = CONTROLLERS["computed_torque"](type="computed_torque", K_P=4.0)
    >>> table.resolved()["K_P"], table.law(mission.model, scmanip.Floating()).kind
    (4.0, 'ComputedTorque')
    """

    type: str
    estimate: Name | None = None
    carrying: Literal[True] | None = Field(default=None, description="true")
    rate_Hz: Positive | None = None
    inside: ClassVar[int | None] = 0
    makes: ClassVar[LawClass]
    follows: ClassVar[tuple[SampleKind, ...]] = (JointReference,)
    numbers: ClassVar[tuple[str, ...]] = ()
    begins: ClassVar[Mapping[str, str]] = {}
    unseen: ClassVar[tuple[str, ...]] = ("rate_Hz",)
    last: ClassVar[tuple[str, ...]] = ("estimate", "carrying", "rate_Hz")  # keys that resolved tables end with

    @property
    def leads(self) -> tuple[SampleKind, ...]:
        """The kinds of samples that the law of this very table can follow."""
        return self.follows

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether it knows what the mode drives."""
        del mode
        return True

    def seen(self, mode: ManoeuvreMode, place: int = 0) -> ManoeuvreMode:
        """Return the mode in which the law at a place of those `inside` is to fly."""
        del place
        return mode

    def resolved(self) -> dict[str, Any]:
        """Return the table in SI with nothing left out but what may be; raises `InvalidInput`."""
        keys = [*(key for key in type(self).model_fields if key not in self.last), *self.last]
        return {key: value for key in keys if (value := getattr(self, key)) is not None}

    def gains(self, system: System) -> dict[str, Any]:
        """Return its gains of joints as a law takes them; raises `InvalidInput` where a table does not name all joints."""
        keys = [key for key, field in type(self).model_fields.items() if PER_JOINT in field.metadata]
        rows = _rows({key: getattr(self, key) for key in keys}, Entries.of_qdot(system.trees[0].system))
        lists = {key: np.array(value, dtype=float) for key, value in rows.items() if isinstance(value, list)}
        whole = {key: system.layout.among_all(value).tolist() for key, value in lists.items()}
        return {**rows, **whole}

    def given(self, system: System) -> dict[str, Any]:
        """Return the keys of its kind as a law takes them; raises as `gains`."""
        own = {key: getattr(self, key) for key in type(self).model_fields if key not in ControllerTable.model_fields}
        return {**own, **self.gains(system)}

    def controller(self, believed: Model, mode: ManoeuvreMode, *laws: Controller) -> Controller:
        """Return the law, for `mode` where it asks, made of those `inside`; raises `InvalidInput`, `ModeMismatch`."""
        law = self.made(believed, mode, *laws)
        return law if self.rate_Hz is None else Sampled(law, rate_Hz=self.rate_Hz)

    def made(self, believed: Model, mode: ManoeuvreMode, *laws: Controller) -> Controller:
        """Return the same, which looks always."""
        return self.around(believed, *laws) if laws else self.law(believed, mode)

    def law(self, believed: Model, mode: ManoeuvreMode) -> Controller:
        """Return the law, which looks always; raises as `controller` does."""
        return self.makes(believed, mode, **self.given(believed.system))

    def around(self, believed: Model, *laws: Controller) -> Controller:
        """Return the law that is made of others, for kinds that have some `inside`; raises as `controller` does."""
        raise InvalidInput(Problem("type", "a law that is made of others", repr(self.type)))

    @classmethod
    def beginning(cls, gains: SuggestedGains) -> dict[str, float | list[float]]:
        """Return of each key that `begins` the number, in SI, or those of the speeds that it is for, to begin with."""
        del gains
        return {}

    @classmethod
    def setting(cls, law: Controller, key: str) -> Any:
        """Return what a law that was made of such a table has under a key; None for a key that it does not know."""
        return law.settings.get(key)


class WrapperTable(ControllerTable):
    """A kind of controller around the laws of the tables after it, whatever those are.

    >>> issubclass(CONTROLLERS["saturated"], WrapperTable), WrapperTable.inside
    (True, 1)
    """

    inside: ClassVar[int | None] = 1
    follows: ClassVar[tuple[SampleKind, ...]] = (JointReference, PoseReference)

    def law(self, believed: Model, mode: ManoeuvreMode) -> Controller:
        """Raise `InvalidInput`: by itself it is none."""
        raise InvalidInput(Problem("type", "the table of another law after this one", repr(self.type)))

    def around(self, believed: Model, *laws: Controller) -> Controller:
        return self.makes(laws[0], **self.given(believed.system))


@checked
def law_of(tables: Sequence[ControllerTable], believed: Model, mode: ManoeuvreMode) -> Controller:
    """Return the law of the tables of a phase, each with those it is made of right after it.

    Raises `InvalidInput` for tables that are none or more than one, and as `ControllerTable.controller`.

    >>> table = CONTROLLERS["computed_torque"](type="computed_torque", K_P=4.0)
    >>> law_of([table], mission.model, scmanip.Floating()).K_P.tolist()
    [4.0, 4.0, 4.0, 4.0]
    """
    rest = list(tables)
    law = _next_law(rest, believed, mode)
    if rest:
        hint = 'a law made of several begins with { type = "sum" }'
        raise InvalidInput(Problem("controller", "one law", f"{rest[0].type!r} after it", hint=hint))
    return as_controller(Carrying(law) if tables[0].carrying else law, mode)


def _next_law(rest: list[ControllerTable], believed: Model, mode: ManoeuvreMode) -> Controller:
    table, laws = rest.pop(0), list[Controller]()
    while rest and (table.inside is None or len(laws) < table.inside):
        laws.append(_next_law(rest, believed, table.seen(mode, len(laws))))
    return table.controller(believed, mode, *laws)


def modes_seen(tables: Sequence[ControllerTable], mode: ManoeuvreMode) -> list[ManoeuvreMode]:
    """Return the mode in which the law of each table of a phase is to fly."""
    found, rest = list[ManoeuvreMode](), list(tables)

    def go(mode: ManoeuvreMode) -> None:
        table, inside = rest.pop(0), 0
        found.append(mode)
        while rest and (table.inside is None or inside < table.inside):
            go(table.seen(mode, inside))
            inside += 1

    while rest:
        go(mode)
    return found


@checked
def setting_of(kinds: Sequence[type[ControllerTable]], law: Controller, place: int, key: str) -> Any:
    """Return a setting of what the table at a place made of a law of tables of some kinds; None for a key that is none.

    >>> kind = CONTROLLERS["computed_torque"]
    >>> setting_of([kind], mission.phases[0].controller, 0, "K_P")
    1.0
    """
    law = _alone(law)
    inner = law.wraps[0] if isinstance(law, Sampled) and len(kinds) > 1 else law
    found = kinds[place].setting(next(islice(_by_table(inner, iter(kinds)), place, None), law), key)
    if not isinstance(found, np.ndarray):
        return found
    return float(found[0]) if found.size and np.all(found == found[0]) else found


def _alone(law: Controller) -> Controller:
    """Return a law as its tables say it, without what it knows of grasps."""
    if isinstance(law, Sampled):
        return law.around((_alone(law.law),))
    return law.alone if isinstance(law, Carrying) else law


def _by_table(law: Controller, kinds: Iterator[type[ControllerTable]]) -> Iterator[Controller]:
    """Yield the laws that the tables of a `controller` made, in their order."""
    yield law
    if next(kinds).inside != 0:
        for inner in law.inside:
            yield from _by_table(inner, kinds)


def estimate_source(table: ControllerTable, sources: NamedSystems) -> Source | None:
    """Return the system that the controller believes in, None when it is the mission's own; raises `InvalidInput`."""
    return None if table.estimate is None else sources.read("estimate", table.estimate)


def believed_model(estimate: Source, layout: Layout | None) -> Model:
    """Return the model of an estimate; raises `InvalidInput` where its joints are not those of the mission's `layout`.

    layout : None where the mission's own system could not be read
    """
    mine = estimate.system.layout
    if layout is not None and _parts(mine) != _parts(layout):
        raise InvalidInput(Problem("estimate", _words(layout), _words(mine)))
    return compile_model(estimate.system)


def refuse_wrong_pair(table: ControllerTable, mode: ManoeuvreMode, kinds: Iterable[type[ControllerTable]]) -> None:
    """Raise `InvalidInput` for a controller that does not know the base in a mode that drives it, or the other way round.

    kinds : those that there are
    """
    if table.fits(mode):
        return
    where = "on a base that is held" if isinstance(mode, FixedBase) else f"in mode {mode.name}"
    hint = ""
    if mode.commands_base:
        where, hint = "in a mode that drives the base", "they drive joints and base together"
    expected = f"{quoted(kind.word() for kind in kinds if kind.inside == 0 and kind.fits(mode))} {where}"
    raise InvalidInput(Problem("type", expected, repr(table.type), hint=hint))


def _parts(layout: Layout) -> tuple[Any, ...]:
    return layout.q_names, layout.qdot_names, layout.fixed, layout.states


def _words(layout: Layout) -> str:
    own = f" and the actuators {', '.join(name for name, _ in layout.states)}" if layout.states else ""
    return f"a {'fixed' if layout.fixed else 'floating'} base and the joints {', '.join(layout.qdot_names) or '(none)'}{own}"


def _rows(given: dict[str, Any], entries: Entries) -> dict[str, Any]:
    problems = list[Problem]()
    for key, value in given.items():
        if isinstance(value, dict):
            unknown = [problem for name in value for problem in entries.unknown_problems(key, name)]
            by_freedom = {entry: number for name, number in value.items() for entry in entries.named(name)}
            problems += unknown or entries.missing_problems(key, by_freedom)
            given = {**given, key: [by_freedom.get(entry, 0.0) for entry in entries.units]}
        elif isinstance(value, list) and len(value) != len(entries.units):
            problems.append(Problem(key, f"one finite number or {len(entries.units)} of them", str(value)))
    refuse(problems)
    return given
