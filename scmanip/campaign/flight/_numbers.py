"""The numbers of a case that need no new equations: where it starts, its gains, the inertias that fly and are believed in.

There are two ways to them, which give the same. `numbers_of` reads them off a mission that was loaded with all values set.
`Quick` computes what changes from a mission without them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ...channels import in_si
from ...dynamics import INERTIA, inertia_row, inertia_table
from ...errors import refuse
from ...guidance import PoseReference, ReferenceMotion
from ...mission import CONTROLLERS, GUIDANCE, Mission, Phase, UntilTable, law_of, listed, planned, state_of
from ...spatial import Array, Numbered
from ...system import Body, State, System, inertia_problems, mass_problems, triangle_problems
from ..variation._documents import Change, Documents
from ..variation._target import ESTIMATE, MISSION, SYSTEM, Target
from ..variation._variation import Values, changes_in, tables_of

_LED = ("guidance", "until")
_IN_JOINT = "child_origin_m"
_PLACES = ("com_m", "origin_m", _IN_JOINT)  # keys that say where things are


@dataclass(frozen=True, eq=False)
class Numbers:
    """Of one case.

    initial : (n_x,) packed state in which it starts; home : (n_q,) where its plan has the joints then
    flies, believed : numbers of the system that flies and of the one that controllers believe in, those that programs take, by
        their names there
    phases : with the controllers of the case, whose own inertias are those of `believed` whatever they hold
    """

    initial: Array
    home: Array
    flies: Mapping[str, Array]
    believed: Mapping[str, Array]
    phases: tuple[Phase, ...]


def numbers_of(mission: Mission, documents: Documents) -> Numbers:
    """Return the numbers of a built mission."""
    flies = mission.model.symbolic.derivation.numbers
    believed = flies if documents.believed is documents.source else _numbers_of(documents.believed.system, flies)
    return Numbers(mission.initial.x, mission.initial.q, flies, believed, mission.phases)


def _numbers_of(system: System, like: Mapping[str, Array]) -> dict[str, Array]:
    """Return those numbers of a system that are inputs of programs, as others are."""
    table = {INERTIA: inertia_table(system)} if INERTIA in like else {}
    return table | {path: number.value for path, number in system.numbers([path for path in like if path != INERTIA]).items()}


@dataclass(frozen=True, eq=False)
class Quick:
    """Computes the numbers of cases that share all else.

    mission, documents : with whatever the cases share set
    targets : by path; opened : those of the paths that are open numbers of systems
    """

    mission: Mission
    documents: Documents
    targets: Mapping[str, Target]
    opened: Collection[str]

    def numbers(self, values: Values, design: Values) -> Numbers:
        """Return the numbers of a case; raises `InvalidInput` for those that no hardware can have.

        values : of a case; design : what the design alone says
        """
        known = self._of(SYSTEM, design) | self._of(ESTIMATE, values)
        numbers = {path: value for path, value in values.items() if self.targets[path].free}
        changes = changes_in(MISSION, self.targets, numbers)
        initial = self._initial([change for change in changes if change[0][0] == "initial"])
        return Numbers(
            initial=initial.x,
            home=initial.q,
            flies=self._changed(self.nominal.flies, self.documents.source.system, self._of(SYSTEM, values)),
            believed=self._changed(self.nominal.believed, self.documents.believed.system, known),
            phases=self._phases([change for change in changes if change[0][0] == "phase"]),
        )

    def serves(self, design: Values) -> bool:
        """Whether the numbers can be had this way: no law or motion starts from a pose that depends on what varies."""
        paths = [*self._of(SYSTEM, design), *self._of(ESTIMATE, self.targets)]
        if self._holds_what_it_finds and any(self.targets[path].is_inertia or path in self.opened for path in paths):
            return False
        if any(in_si(self.targets[path].key)[1] != 1.0 for path in self.opened):
            return False
        moved = (each for path, each in self.targets.items() if each.is_inertia or path in self.opened)
        return not (self._leads_a_frame and any(each.body_key in _PLACES for each in moved))

    @cached_property
    def _leads_a_frame(self) -> bool:
        """Whether a reference depends on where a frame is."""
        return any(isinstance(phase.reference.at(0.0), PoseReference) for phase in self.mission.phases)

    @cached_property
    def _holds_what_it_finds(self) -> bool:
        """Whether a law depends on the state in which its phase begins."""
        return any(phase.controller.begun(self.mission.initial) is not phase.controller for phase in self.mission.phases)

    @cached_property
    def nominal(self) -> Numbers:
        """Those without what is dispersed."""
        return numbers_of(self.mission, self.documents)

    def _of(self, document: str, values: Mapping[str, Any]) -> dict[str, tuple[Target, Any]]:
        """Return the values of one document, each with its target."""
        found = {path: (self.targets[path], value) for path, value in values.items()}
        return {path: pair for path, pair in found.items() if pair[0].document == document}

    def _initial(self, changes: list[Change]) -> State:
        """Return the state at the start."""
        if not changes:
            return self.mission.initial
        table = tables_of(self.documents.mission.data, changes, ("initial",))
        return state_of(table, self.mission.source.system).of_layout(self.mission.model.layout)

    def _phases(self, changes: list[Change]) -> tuple[Phase, ...]:
        phases = list(self.mission.phases)
        for i in sorted({int(at[1]) for at, _ in changes if at[2] in ("guidance", "until")}):
            phases[i] = self._led(
                phases[i], *(tables_of(self.documents.mission.data, changes, ("phase", i, key)) for key in _LED)
            )
        for i in sorted({int(at[1]) for at, _ in changes if at[2] == "controller"}):
            given = tables_of(self.documents.mission.data, changes, ("phase", i, "controller"))
            tables, phase = [CONTROLLERS[table["type"]].model_validate(table) for table in listed(given)], phases[i]
            estimate = phase.controller.believed or self.mission.model
            phases[i] = replace(phase, controller=law_of(tables, estimate, phase.mode))
        return tuple(phases)

    def _led(self, phase: Phase, guidance: Any, until: Any) -> Phase:
        """Return a phase by other tables of its guidance and its end."""
        reference, ends = self._planned(guidance, phase), UntilTable.model_validate(until)
        return replace(phase, reference=reference, t_end_s=ends.t_s or ends.timeout_s or reference.t_end_s)

    def _planned(self, given: Any, phase: Phase) -> ReferenceMotion:
        """Return the reference of a phase by another table."""
        table, mission = GUIDANCE[given["type"]].model_validate(given), self.mission
        own = cast(Any, phase.reference).q_home, mission.model, mission.initial  # those of files are planned
        return cast(ReferenceMotion, planned(table, table.resolved(mission.system), mission.system, *own))

    def _changed(
        self, nominal: Mapping[str, Array], system: System, values: Mapping[str, tuple[Target, Any]]
    ) -> Mapping[str, Array]:
        """Return numbers with those of some values in their places."""
        opened = {path: pair for path, pair in values.items() if path in self.opened}
        inertias = [pair for pair in values.values() if pair[0].is_inertia]
        if not opened and not inertias:
            return nominal
        placed = {at.name: value for at, value in opened.values() if at.key == _IN_JOINT}
        table = (
            {INERTIA: _table(nominal[INERTIA], system, inertias, placed)} if inertias or (placed and INERTIA in nominal) else {}
        )
        return {**nominal, **self._of_parts(system, opened.values()), **table}

    def _of_parts(self, system: System, values: Iterable[tuple[Target, Any]]) -> dict[str, Array]:
        """Return some numbers of parts of a system by their paths; raises `InvalidInput` for those that parts cannot have."""
        changes: dict[tuple[str, str], dict[str, Array]] = {}
        found: dict[str, Array] = {}
        for target, value in values:
            found[target.number] = number = np.array(target.in_file(value), dtype=np.float64)
            changes.setdefault((target.kind, target.name), {})[target.key] = number
        for at, own in changes.items():
            part = self._part(system, at)
            if part is not None:  # gravity is of none
                part.with_numbers(own)
        return found

    def _part(self, system: System, at: tuple[str, str]) -> Numbered | None:
        if (system, at) not in self._parts:
            self._parts[system, at] = system.part(*at)
        return self._parts[system, at]

    @cached_property
    def _parts(self) -> dict[tuple[System, tuple[str, str]], Numbered | None]:
        """Parts of systems by kind and name, which many cases ask for."""
        return {}


def _table(nominal: Array, system: System, values: Sequence[tuple[Target, Any]], placed: Mapping[str, Any]) -> Array:
    """Return a table (n_b, 10) with the rows of bodies changed; placed : where bodies sit in their joints, by joint."""
    changes: dict[str, dict[str, Any]] = {}
    for target, value in values:
        changes.setdefault(target.name, {})[target.body_key] = target.in_file(value)
    table = nominal.copy()
    for number, body in enumerate(system.bodies):
        own, joint = changes.get(body.name, {}), body.joint
        if joint is not None and joint.name in placed:
            own = {**own, "joint": joint.with_numbers({_IN_JOINT: np.array(placed[joint.name], dtype=np.float64)})}
        if own:
            table[number] = inertia_row(changed_body(body, own))
    return table


def changed_body(body: Body, changes: Mapping[str, Any]) -> Body:
    """Return a body with other mass, centre of mass, inertia or joint; raises `InvalidInput` where no rigid body has them.

    Only what changes is checked: a `Body` that is made anew checks all of itself, which takes ten times as long.
    """
    made: Body = object.__new__(Body)
    given = {key: np.array(value) if isinstance(value, list) else value for key, value in changes.items()}
    vars(made).update({**vars(body), **given})
    if "mass_kg" in changes and not 0 <= made.mass_kg < np.inf:
        refuse(mass_problems(f"body {body.name!r} mass_kg", made.mass_kg))
    if "inertia_kg_m2" in changes:
        key = f"body {body.name!r} inertia_kg_m2"
        refuse(inertia_problems(key, made.inertia_kg_m2) or triangle_problems(key, made.inertia_kg_m2))
    return made
