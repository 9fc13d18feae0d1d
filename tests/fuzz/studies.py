"""Study files: what a Definition has, and what the file says, read by tomllib and these lines alone."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

from scmanip.study import Definition, read_definition
from scmanip.system import TomlDocument

from .mutations import written
from .trials import agree, close, floats

FOLDER = Path(__file__).parents[2] / "missions"
ALL = """
schema = "scmanip.study/1"
name = "all"
title = "every kind of entry"
mission = "slew.toml"
seed = 7
repeats = 20
sampling = { type = "latin_hypercube", count = 16 }

[design]
"system.body.arm.mass_kg" = [3, 4.5, 6]
"phase.slew.controller.K_P" = { span = [0.2, 1.5], log = true }
"phase.*.mode" = ["floating", "flying"]
"initial.r_0_m" = [[0, 0, 0], [1, 0, 0]]
system.wheel.x.momentum_Nms = { grid = [1, 8], count = 4, log = true }

[dispersion]
"initial.omega_0_deg_s" = { distribution = "norm", scale = 0.05, size = 3 }
"initial.rpy_deg" = { distribution = "uniform", loc = [-1, -2, -3], scale = [2, 4, 6] }

[[correlated]]
paths = ["initial.omega_0_deg_s[0]", "initial.omega_0_deg_s[1]"]
matrix = [[1, 0.5], [0.5, 1]]

[metrics]
turn_deg = "max(degrees(base_rotation_rad))"
peak_Nm = "max(abs(joint_torque_Nm))"

[limits]
turn_deg = { max = 5, unit = "deg", probability = 0.9973 }
peak_Nm = { min = -40, max = 40, unit = "N m" }

[keep]
worst = { metric = "turn_deg", count = 5 }
failed = true

[stop]
type = "narrow"
of = "turn_deg.p95"
half_width = 0.2
unit = "deg"

[output]
folder = "results"
output_step_s = 0.5
"""


def seeds() -> dict[str, str]:
    """The studies of the repository, and one with every kind of entry."""
    paths = [path for path in FOLDER.glob("*.toml") if 'schema = "scmanip.study/' in path.read_text(encoding="utf-8")]
    return {"all.toml": ALL} | {path.name: path.read_text(encoding="utf-8") for path in paths}


def check(text: str) -> None:
    """Compare a study with its file; raises what the reader raises, and `Disagreement`."""
    made = read_definition(TomlDocument.parse(text, "fuzz.toml"))
    data = tomllib.loads(text.removeprefix("\ufeff"))
    _compare(made, data)
    again = read_definition(TomlDocument.parse(written(data), "again.toml"))
    agree("the study read again", again.table, made.table)


def _compare(made: Definition, data: dict[str, Any]) -> None:
    keys = ("name", "mission", "seed", "title", "repeats")
    agree(
        "heads",
        [getattr(made, key) for key in keys],
        [*(data[key] for key in keys[:3]), data.get("title", ""), data.get("repeats", 1)],
    )
    output = data.get("output", {})
    agree("output", (made.output, made.output_step_s), (output.get("folder", ""), floats(output.get("output_step_s"))))
    agree("metrics", {m.name: m.expression for m in made.metrics}, data["metrics"])
    design, dispersion = (dict(_entries(data.get(table, {}))) for table in ("design", "dispersion"))
    agree("design", list(made.design), list(design))
    agree("dispersions", list(made.dispersion), list(dispersion))
    for path, given in design.items():
        _compare_choice(made.design[path], given, path)
    bounds = {r.metric: (r.min, r.max, r.probability, r.confidence) for r in made.requirements}
    given = {
        name: tuple(map(floats, (t.get("min"), t.get("max"), t.get("probability"), t.get("confidence", 0.9))))
        for name, t in data.get("limits", {}).items()
    }
    agree("limits", bounds, given)
    if not dispersion:
        _compare_count(made, data, design)


def _compare_choice(ours: Any, given: Any, path: str) -> None:
    listed = given if isinstance(given, list) else given.get("levels")
    if listed is not None:
        agree(f"levels of {path}", [list(v) if isinstance(v, tuple) else v for v in ours.values], floats(listed))
    elif "span" in given:
        agree(f"span of {path}", ([ours.low, ours.high], ours.log), (floats(given["span"]), given.get("log", False)))
    else:
        (low, high), count = given["grid"], given["count"]
        steps = [k / (count - 1) for k in range(count)]
        spaced = [low * (high / low) ** s if given.get("log") else low + (high - low) * s for s in steps]
        if all(map(math.isfinite, spaced)):
            close(f"grid of {path}", list(ours.values), [min(max(value, low), high) for value in spaced])


def _compare_count(made: Definition, data: dict[str, Any], design: dict[str, Any]) -> None:
    """Cases are points of the design times repeats."""
    if any("*" in path or "?" in path for path in design):
        return
    sampling = data.get("sampling", {"type": "full_factorial"})
    counts = [
        len(v) if isinstance(v, list) else len(v["levels"]) if "levels" in v else v.get("count", 0) for v in design.values()
    ]
    points = math.prod(counts) if sampling["type"] == "full_factorial" else sampling["count"]
    agree("cases", made.resolved().cases, points * data.get("repeats", 1))


def _entries(table: dict[str, Any], path: str = "") -> Any:
    """Every entry of a table with its path, written in quotes or as keys within keys."""
    known = {"levels", "span", "grid", "count", "log", "distribution", "uniform_ball", "size", "how", "loc", "scale"}
    for key, value in table.items():
        if isinstance(value, dict) and value and not known & value.keys():
            yield from _entries(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value
