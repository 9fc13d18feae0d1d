"""Shapes that touch rigidly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..errors import InvalidInput, Problem, checked, expect, refuse
from ..impacts import Restitution
from ..shapes import Shape, pair_of, place_names
from ..spatial import coefficient_problems, positive_problems
from ..system import GROUND, System


class ContactPlace(NamedTuple):
    """One of the places at which two shapes may touch: the contact, and its number and name among the places of the pair.

    >>> from scmanip.impacts import Newton
    >>> place = ContactPlace(RigidContact("ball", "table", Newton(0.5)), 0, "ball.table")
    >>> place.label, place.contact.law.e
    ('ball.table', 0.5)
    """

    contact: RigidContact
    number: int
    label: str


@dataclass(frozen=True)
class RigidContact:
    """Two shapes that never get into each other: they strike, stick, slide and part.

    one, other : names of shapes of the system, of two bodies or of a body and the ground
    law : of impacts, `impacts.Newton(e)`, `Poisson(e)` or `Energetic(e)`; what approaches slowly does so plastically
    friction : Coulomb's coefficient, a bare number >= 0
    within_m : > 0; places that are nearer than this touch; where a run begins they may be in each other by so much

    Raises `InvalidInput` for what are no names, no law, and numbers out of range; `check` for shapes that cannot touch each
    other.

    >>> from scmanip.impacts import Newton
    >>> finger = RigidContact("ball", "table", Newton(0.5), friction=0.3)
    >>> finger.one, finger.friction, finger.law
    ('ball', 0.3, Newton(e=0.5, plastic_below_m_s=0.001))
    """

    one: str
    other: str
    law: Restitution
    friction: float = 0.0
    within_m: float = 1e-6

    def __post_init__(self) -> None:
        expect("RigidContact one", self.one, str, "the name of a shape")
        expect("RigidContact other", self.other, str, "the name of a shape")
        expect("RigidContact law", self.law, Restitution, "Newton, Poisson or Energetic")
        friction = coefficient_problems("RigidContact friction", self.friction)
        refuse([*friction, *positive_problems("RigidContact within_m", self.within_m)])

    def shapes(self, system: System) -> tuple[Shape, Shape]:
        """Return both; raises `UnknownName`."""
        return system.shape(self.one), system.shape(self.other)

    def places(self, system: System) -> dict[str, ContactPlace]:
        """Return where they may touch, by the names that touches have."""
        shapes = self.shapes(system)
        labelled = zip(place_names(*shapes), pair_of(*shapes).points, strict=True)
        return {name: ContactPlace(self, k, label) for k, (name, label) in enumerate(labelled)}

    def trees(self, system: System) -> set[int]:
        """Return the trees whose bodies may touch."""
        frames = [shape.frame for shape in self.shapes(system)]
        return {0 if frame == GROUND else system.tree_of(frame) for frame in frames}

    def grounded(self, system: System) -> bool:
        """Whether one of the shapes is on the ground."""
        return GROUND in [shape.frame for shape in self.shapes(system)]

    def check(self, system: System) -> None:
        """Raise `InvalidInput` for shapes that cannot touch each other, `UnknownName` for some that are not there."""
        one, other = self.shapes(system)
        said = f"'{self.one}' and '{self.other}'"
        if one.frame == other.frame:
            raise InvalidInput(Problem("RigidContact", "shapes of two bodies", f"{said}, both on '{one.frame}'"))
        if not pair_of(one, other).is_formula:
            hint = "spheres, capsules, boxes and planes have one"
            raise InvalidInput(Problem("RigidContact", "two shapes whose distance is a formula", said, hint=hint))


def refuse_contacts(contacts: Any, system: System) -> None:
    """Raise `InvalidInput` and `UnknownName` for what are no contacts of a system."""
    if not isinstance(contacts, Sequence) or not all(isinstance(one, RigidContact) for one in contacts):
        raise InvalidInput(Problem("contacts", "a sequence of RigidContact(one, other, law)", repr(contacts)))
    for contact in contacts:
        contact.check(system)
    refuse(replace(problem, key=f"contacts[{k}].{problem.key}") for k, problem in problems_together(contacts, system))


@checked
def problems_together(contacts: Sequence[RigidContact], system: System) -> Iterator[tuple[int, Problem]]:
    """Yield what keeps contacts, each sound, from being in one run, with their numbers.

    >>> list(problems_together([], system))
    []
    """
    pairs, names, laws = set[frozenset[str]](), set[str](), [type(contact.law).__name__ for contact in contacts]
    for k, contact in enumerate(contacts):
        pair, places = frozenset((contact.one, contact.other)), contact.places(system)
        if pair in pairs:
            yield k, Problem("shapes", "every pair once", f"'{contact.one}' and '{contact.other}' again")
        elif called := names.intersection(places):
            hint = "name shapes without blanks"
            yield k, Problem("shapes", "places with names of their own", f"'{min(called)}' again", hint=hint)
        if laws[k] != laws[0]:
            yield k, Problem("law", f"{laws[0]} as before: contacts that may strike at once have one kind of law", laws[k])
        pairs.add(pair)
        names |= places.keys()
