"""The page of a study, from the files in its folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..report import Block, Page, StudyResults, budgets, equations_used, study_page
from ..study import Sense, result_hash
from ._study import NOMINAL, load_study
from ._study_files import STUDY
from ._study_result import StudyResult

RECORD = "study.json"


def page_of_study(folder: Path, checks: Sequence[Block] = ()) -> Page:
    """Return the page of the study in a folder; the nominal case is run again for it.

    checks : what `scmanip verify` says of the nominal system, where that is wanted
    """
    study = load_study(folder)
    result = StudyResult(folder, study.definition)
    mission = study.nominal
    (nominal,) = study.evaluator.rows([NOMINAL])
    run = mission.run()
    laws = [name for phase in mission.phases for name in phase.controller.equations]
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
            budgets=budgets(run.history, run.disturbance),
            equations=equations_used(fixed=mission.system.fixed, laws=laws),
            checks=checks,
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
