"""What is asked together is of one system."""

from __future__ import annotations

from ..errors import Problem, expect, refuse
from ..spatial import Array, array_problems
from ._bilateral import Bilateral
from ._contacts import Contacts


def of_one_system(M: Array, u: Array, contacts: Contacts, bilateral: Bilateral | None) -> Bilateral:
    """Return the bilateral rows, none where none are given. Raises `InvalidInput` where sizes differ."""
    expect("contacts", contacts, Contacts, "Contacts")
    expect("bilateral", bilateral, Bilateral | None, "Bilateral or None")
    n = contacts.N.shape[1]
    held = Bilateral.none(n) if bilateral is None else bilateral
    found = held.A.shape[1]
    wrong = [] if found == n else [Problem("bilateral", f"rows of {n} numbers, as contacts have them", f"rows of {found}")]
    refuse([*array_problems("M", M, (n, n)), *array_problems("u", u, (n,)), *wrong])
    return held
