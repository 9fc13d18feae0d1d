"""What a model's programs are and cost."""

from __future__ import annotations

from ._differentiated import DIFFERENTIATED
from ._link_equations import OFFERED
from ._programs import Programs
from ._quantities import Asked


def card(programs: Programs) -> str:
    """Return the options of a model and one line per recorded program: names, form, operations."""
    d = programs.derivation
    lines = [f"{d.system!r}", f"{programs.implementation!r}, {d.kinematics!r}, {d.inertia!r}"]
    for names, program in programs.recorded.items():
        forms = sorted({form(programs, Asked.of(name)) for name in names})
        lines.append(f"{', '.join(names)}: by {' and '.join(forms)}, {program.operations}")
    return "\n".join(lines)


def form(programs: Programs, asked: Asked) -> str:
    """Return how a quantity is computed."""
    source = asked.quantity.source
    if source == "forward_dynamics":
        return "articulated bodies" if programs.derivation.long_arm else "composite bodies and elimination of the base"
    if source in DIFFERENTIATED:
        return "differentiation of the program of H"
    return "recursion in link axes" if source in OFFERED else "sums over links [Wilde2018]"
