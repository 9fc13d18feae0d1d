"""From `[[contact]]`, and `strike` of a `[[switch]]`, to shapes that touch rigidly. Importing this file loads pydantic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, Field, FiniteFloat

from ...errors import Problem, folded, refuse
from ...impacts import RESTITUTIONS, Restitution
from ...plant import RigidContact, problems_together
from ...shapes import place_names
from ...simulation import Strike, Switch
from ...system import System
from ..values._fields import Name, Names, NotNegative, Positive, quoted
from ..values._findings import Findings
from ..values._shape_names import unknown_shapes
from ..values._sound import PartTable, Sounds

LAWS = quoted(RESTITUTIONS)
Two = Annotated[list[Name], Field(min_length=2, max_length=2, description="the names of two shapes")]


def _known(law: str) -> str:
    if law not in RESTITUTIONS:
        raise ValueError(LAWS)
    return law


class BlowTable(PartTable):
    """By what law shapes strike each other, and how they rub."""

    law: Annotated[str, AfterValidator(_known), Field(description=LAWS)]
    restitution: Annotated[FiniteFloat, Field(ge=0, le=1, description="a number from 0 to 1")]
    friction: NotNegative = 0.0
    plastic_below_m_s: NotNegative = 1e-3
    within_m: Positive = 1e-6

    @property
    def restitution_law(self) -> Restitution:
        """The law."""
        return RESTITUTIONS[self.law](self.restitution, self.plastic_below_m_s)


class RigidContactTable(BlowTable):
    """`[[contact]]`: two shapes of the system that strike, stick, slide and part.

    >>> touch = RigidContactTable(shapes=["finger", "wall"], law="newton", restitution=0.5)
    >>> touch.shapes, touch.friction
    (['finger', 'wall'], 0.0)
    """

    name: Name | None = None
    shapes: Two

    def contact(self, system: System) -> RigidContact:
        """Return the contact; raises `InvalidInput` for shapes that cannot touch each other."""
        refuse(unknown_shapes("shapes", self.shapes, system))
        one, other = self.shapes
        contact = RigidContact(one, other, self.restitution_law, self.friction, self.within_m)
        contact.check(system)
        return contact


class StrikeTable(BlowTable):
    """`strike = { ... }` of a switch: an impact of shapes that meet then, and constraints for what comes to rest.

    >>> blow = StrikeTable(pairs=[["probe", "drogue"]], law="newton", restitution=0.0, rests=["latch"])
    >>> blow.rests, blow.pairs
    (('latch',), [['probe', 'drogue']])
    """

    pairs: Annotated[list[Two], Field(min_length=1, description="a list of pairs of names of shapes")]
    rests: Names

    def strike(self) -> Strike:
        """Return the impact."""
        pairs = [(one, other) for one, other in self.pairs]
        return Strike(pairs, self.restitution_law, self.rests, self.friction, self.within_m)

    def problems(self, system: System) -> Iterator[Problem]:
        """Yield names that the system does not have, and no constraint for what comes to rest."""
        yield from unknown_shapes("pairs", [name for pair in self.pairs for name in pair], system)
        known = [one.name for one in system.constraints]
        for name in self.rests:
            if name not in known:
                yield Problem("rests", f"one of the system's constraints {', '.join(known)}", repr(name))
        if not self.rests:
            yield Problem("rests", "constraints for what comes to rest", "nothing")


def read_contacts(
    findings: Findings, sounds: Sounds, system: System | None
) -> tuple[tuple[RigidContact, ...], list[dict[str, Any]]]:
    """Return what touches rigidly in a mission, and its `[[contact]]` tables in full; what is wrong goes into `findings`."""
    given = findings.document.data.get("contact")
    found, tables, names, numbers = list[RigidContact](), list[dict[str, Any]](), set[str](), list[int]()
    for k, one in enumerate(given if isinstance(given, list) else ()):
        sound = sounds.of(one)
        if sound is None or not sound.whole or system is None:
            continue
        table: RigidContactTable = sound.table
        called = table.name or f"contact{k + 1}"
        if folded(called) in names:
            findings.add(("contact", k, "name"), "a name used once among contacts", f"{called!r} again")
        names.add(folded(called))
        contact = findings.attempt(("contact", k), partial(table.contact, system))
        if contact is not None:
            found.append(contact)
            numbers.append(k)
            tables.append({"name": called, **table.model_dump(exclude={"name"})})
    for k, problem in problems_together(found, system) if system is not None else ():
        findings.place(("contact", numbers[k]), [problem])
    return tuple(found), tables


def striking(system: System, switches: Sequence[Switch], contacts: Sequence[RigidContact]) -> list[str]:
    """Return what the places are called at which shapes may strike each other."""
    struck = [pair for switch in switches if switch.strike is not None for pair in switch.strike.pairs]
    pairs = dict.fromkeys([*((contact.one, contact.other) for contact in contacts), *struck])
    return [place for one, other in pairs for place in place_names(system.shape(one), system.shape(other))]
