"""Every law, sensor and estimator that there is stands in a mission, and studies vary its numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scmanip.campaign import Study
from scmanip.errors import InvalidInput
from scmanip.mission.file._families import CONTROLLERS, ESTIMATOR_TABLES, SENSOR_TABLES
from scmanip.mission.values._fields import are_numbers
from scmanip.mission.values._kinds import listed
from scmanip.study import levels

FOLDER = Path(__file__).parents[2] / "missions"
FAMILIES = {"controller": CONTROLLERS, "sensor": SENSOR_TABLES, "estimator": ESTIMATOR_TABLES}
NUMBERLESS = [("controller", "mode_dependent")]
KINDS = [(family, word) for family, kinds in FAMILIES.items() for word in kinds.own]


@cache
def missions() -> dict[str, dict[str, Any]]:
    """The tables of all missions by their names."""
    every = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
    return {name: tables for name, tables in every.items() if tables["schema"].startswith("scmanip.mission/")}


def places(mission: str) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Yield family and word of every kind that a mission names, how studies call its table, and the table."""
    for phase in missions()[mission].get("phase", []):
        tables = listed(phase["controller"])
        for table in tables:
            own = f".{table['type']}" if len(tables) > 1 else ""
            yield "controller", table["type"], f"phase.{phase['name']}.controller{own}", table
    for family in ("sensor", "estimator"):
        for table in missions()[mission].get(family, []):
            yield family, table["type"], f"{family}.{table['name']}", table


def test_every_law_sensor_and_estimator_stands_in_a_mission() -> None:
    named = {(family, word) for mission in missions() for family, word, _, _ in places(mission)}
    assert [kind for kind in KINDS if kind not in named] == []


def numbers_of(family: str, word: str, table: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the numbers of a table, those that it says first, each with two values that it may have."""
    defaults = {key: field.default for key, field in FAMILIES[family][word].model_fields.items() if key not in table}
    for key, value in {**table, **defaults}.items():
        inner = next(iter(value.items())) if isinstance(value, dict) and value else ("", None)
        if type(value) is float and 0 < value < 1e9:
            yield key, [1.05 * value, 1.1 * value]
        elif are_numbers(value):
            yield key, [[factor * number for number in value] for factor in (1.05, 1.1)]
        elif are_numbers(inner[1]):
            yield f"{key}.{inner[0]}", [[number - less for number in inner[1]] for less in (1.0, 2.0)]


@pytest.mark.slow
@pytest.mark.parametrize(("family", "word"), [kind for kind in KINDS if kind not in NUMBERLESS])
def test_studies_vary_the_numbers_of_every_kind(family: str, word: str) -> None:
    """One of them in one of the missions; where nothing that flies depends on a number there, a study refuses it."""
    refused = []
    for mission in missions():
        for *kind, at, table in places(mission):
            for key, values in numbers_of(family, word, table) if kind == [family, word] else ():
                try:
                    design = {f"{at}.{key}": levels(*values)}
                    Study(FOLDER / f"{mission}.toml", seed=1, metrics={"work_J": "final(work_J)"}, design=design)
                except InvalidInput as no:
                    refused.append(str(no))
                else:
                    return
    pytest.fail("; ".join(refused) or "no numbers")
