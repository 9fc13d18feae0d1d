"""The page of a study, from the files in its folder."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..control import ComputedTorque, WithFeedforward
from ..errors import StudyHalted
from ..mission import STUDY, StudyResult, load_study
from ..report import Page, StudyResults, equations_used, study_page
from ..study import Case, Sense, result_hash, write_whole
from ._run_report import REPORT, TABLES, Checks
from ._screen import Screen

RECORD = "study.json"
_NOMINAL = Case(-1, -1, 0, {})


def report_study(screen: Screen, folder: str, *, verified: bool) -> Page:
    """Write `report.html` and its tables as CSV into the folder of a study, show where, and return the page.

    verified : whether to check the formulations of the system, which takes some seconds
    Raises `InvalidInput` for a folder that holds no study, `StudyHalted` for a disk that refuses.
    """
    page = page_of_study(Path(folder), verified=verified)
    texts = {REPORT: page.html(), **{f"{TABLES}/{table.name}.csv": table.csv() for table in page.tables}}
    try:
        (Path(folder) / TABLES).mkdir(exist_ok=True)
        for name, text in texts.items():
            write_whole(Path(folder) / name, text.encode())
    except OSError as error:
        raise StudyHalted(f"the report could not be written into {folder}: {error.strerror or error}") from None
    screen.say(page.verdict.text, {"good": "green", "bad": "bold red"}.get(page.verdict.kind, "yellow"))
    screen.say(f"wrote into {folder}: {', '.join(texts)}")
    return page


def page_of_study(folder: Path, *, verified: bool) -> Page:
    """Return the page of the study in a folder; the nominal case is run again for it."""
    study = load_study(folder)
    result = StudyResult(folder, study.definition)
    mission = study.evaluator.mission(_NOMINAL)
    (nominal,) = study.evaluator.rows([_NOMINAL])
    laws = [phase.controller for phase in mission.phases]
    torque = any(isinstance(law, ComputedTorque | WithFeedforward) for law in laws)
    return study_page(
        StudyResults(
            title=study.definition.title or study.name,
            plan=study.plan,
            metrics=study.definition.metrics,
            requirements=study.definition.requirements,
            cases=result.table,
            nominal=nominal.metrics,
            replay=result.replay_command,
            trade=_trade(result),
            equations=equations_used(fixed=mission.system.fixed, computed_torque=torque),
            checks=Checks.of(mission.system).blocks if verified else (),
            provenance=_provenance(folder),
            command=f"scmanip study run {folder / STUDY} -o AGAIN",
        )
    )


def _trade(result: StudyResult) -> dict[str, Sense]:
    """Return the first two metrics, those with limits first, with the way each is better."""
    limited = [requirement.metric for requirement in result.definition.requirements]
    names = dict.fromkeys([*limited, *(metric.name for metric in result.definition.metrics)])
    return {name: result.better(name) for name in list(names)[:2]}


def _provenance(folder: Path) -> dict[str, str]:
    record: dict[str, Any] = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    nominal = ", ".join(f"{name} {value}" for name, value in record["about"]["nominal"].items())
    files = {f"sha256 of {name}": sha256((folder / name).read_bytes()).hexdigest() for name in (STUDY, "mission.toml")}
    lines = {"versions": versions, "computed with": nominal, "digest of the definition": record["definition_key"]}
    ended = {"sha256 of cases.csv": result_hash(folder)} if (folder / "cases.csv").is_file() else {}
    return {**lines, "digest of all that rows depend on": record["recipe"], **files, **ended}
