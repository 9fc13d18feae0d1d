"""Pages with the playback of a run: how large they are, and how long they take."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

from scmanip.mission import load_mission
from scmanip.scene import page
from scmanip.simulation import History

from .report import Section, at_most, duration, table

MISSION = Path(__file__).parents[2] / "missions" / "spatial_six_link_modes.toml"
FRAMES_PER_S = 30
REPEATS = 3


def pages() -> Section:
    """Return size and time of the page of a minute of a six-link arm, thirty frames a second, and of its cell in a notebook."""
    mission = next(iter(load_mission(MISSION).alternatives.values()))
    run = replace(mission, integration=replace(mission.integration, output_step_s=1 / FRAMES_PER_S)).run()
    first, text = _timed(run.history)  # viser is imported
    again = median(_timed(run.history)[0] for _ in range(REPEATS))
    cell = len(run.history.show()._repr_html_())
    rows = [
        ("page, of a new process", duration(first), f"{len(text) / 1e6:.2f} MB"),
        ("page, once more", duration(again), f"{len(text) / 1e6:.2f} MB"),
        ("cell of a notebook", "", f"{cell / 1e6:.2f} MB"),
    ]
    verdicts = [
        at_most("page of 60 s, six links, 30 frames a second", len(text) / 1e6, 3.0, "{:.2f} MB"),
        at_most("the same, from the history", first, 4.0, "{:.2f} s"),
        at_most("the same in a notebook", cell / 1e6, 1.5, "{:.2f} MB"),
    ]
    return Section(f"Pages: {len(run.history.t)} frames", table(("", "time", "size"), rows), verdicts)


def _timed(history: History) -> tuple[float, str]:
    begin = perf_counter()
    text = page(history.show().scene)
    return perf_counter() - begin, text
