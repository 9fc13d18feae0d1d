"""A history at a glance, for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ...cells import cards, html_table
from ...errors import checked
from ._history import History

_MOST = 8  # of what happened


@checked
def history_card(history: History) -> str:
    """Return how a run ended, and the laws that it was to keep.

    >>> history_card(history)[:60]
    '<div><p><b>History of planar-four-link</b></p><table><thead>'
    """
    where = "machine code" if history.in_machine_code else "Python, all or in part"
    rows = [
        ("system", history.system.name),
        ("mode", history.mode.name.replace("_", " ")),
        ("outcome", " - ".join(filter(None, [str(history.outcome), history.advice]))),
        ("samples", f"{len(history.t)} from {history.t[0]:g} to {history.t[-1]:g} s"),
        ("steps", f"{history.steps} in {where}"),
        ("series", ", ".join(history.channels)),
    ]
    title = f"History of {history.system.name}"
    return cards(html_table(title, ("what", "which"), rows, _happened(history)), history.residuals._repr_html_())


def _happened(history: History) -> Iterator[str]:
    events = history.events
    yield from islice(events, _MOST)
    if len(events) > _MOST:
        yield f"and {len(events) - _MOST} more in history.events"
