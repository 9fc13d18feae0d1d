"""What a model's programs are and cost."""

from __future__ import annotations

from ...cells import html_table
from ..programs._forms import rivals
from ..programs._programs import Programs
from ..programs._quantities import AskedQuantity


def card(programs: Programs) -> str:
    """Return the options of a model and per recorded program: names, form, operations, then each choice that was made."""
    d = programs.derivation
    lines = [f"{d.system!r}", f"{programs.implementation!r}, {d.kinematics!r}, {d.inertia!r}"]
    for names, compiled in programs.family.compiled.items():
        asked = [AskedQuantity.of(name) for name in names]
        forms = sorted({d.form(a).value for a in asked})
        lines.append(f"{', '.join(names)}: by {' and '.join(forms)}, {compiled.program.operations}")
        lines += [f"  {a.text}: {d.choice(a)}" for a in asked if len(rivals(a)) > 1]
    return "\n".join(lines)


def html_card(programs: Programs) -> str:
    """Return the same for a notebook, as a table with a row per program."""
    d, system = programs.derivation, programs.derivation.system
    options = f"{programs.implementation!r}, {d.kinematics!r}, {d.inertia!r}"
    rows = [
        (
            ", ".join(names),
            " and ".join(sorted({d.form(AskedQuantity.of(name)).value for name in names})),
            made.program.operations,
        )
        for names, made in programs.family.compiled.items()
    ]
    notes = () if rows else ("Programs are made when they are first needed.",)
    return html_table(f"Model of {system.name}: {options}", ("program of", "in the form of", "operations"), rows, notes)
