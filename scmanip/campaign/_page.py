"""The page of a study, from the files in its folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from ..errors import checked
from ..report import (
    Block,
    ReportPage,
    StudyResults,
    Words,
    budgets,
    constraint_tables,
    equations_used,
    motion_blocks,
    study_page,
)
from ..study import Sense, stored_inputs
from ..system import System
from ._files import STUDY
from ._result import StudyResult
from ._study import NOMINAL, Study


@checked
def page_of_study(
    study: Study, result: StudyResult, checks: Callable[[System], Sequence[Block]] | None = None, *, plays: bool = False
) -> ReportPage:
    """Return the page of a study and of its results in a folder; the nominal case is run again for it.

    checks : gives what `scmanip verify` says of the nominal system, where that is wanted
    plays : whether the case that is shown plays
    Raises `InvalidInput` where files are not as they were written.

    >>> page = page_of_study(study, result)
    >>> page.verdict.text, [section.heading for section in page.sections][:2]
    ('The study sets no requirements; its designs stand side by side.', ['Verdicts', 'Compliance'])
    """
    cases, mission = result.table, study.nominal
    (nominal,) = study.evaluator.rows([NOMINAL])
    run = mission.run()
    laws = [name for phase in mission.phases for name in phase.controller.equations]
    return study_page(
        StudyResults(
            title=study.definition.title or study.name,
            plan=study.plan,
            by_chance=study.definition.by_chance,
            metrics=study.definition.metrics,
            requirements=study.definition.requirements,
            cases=cases,
            doubts=result.status.doubts,
            planned=result.status.cases,
            nominal=nominal.metrics,
            replay=result.replay_command,
            trade=_trade(result),
            budgets=budgets(run.history, run.disturbance),
            switched=constraint_tables(run.history, run.switches, run.momentum_shares),
            equations=equations_used(fixed=mission.system.fixed, laws=laws),
            motion=_motion(study, result, plays),
            checks=() if checks is None else checks(mission.system),
            provenance=_provenance(result),
            command=shlex.join(["scmanip", "study", "run", str(result.folder / STUDY), "-o", "AGAIN"]),
        )
    )


def _motion(study: Study, result: StudyResult, plays: bool) -> list[Block]:
    """Return pictures of the worst case, or of the best design, of what is limited first; nothing where no case has that."""
    metric = next(iter(_trade(result)), None)
    if metric is None:
        return []
    chance = study.definition.by_chance
    numbers = result.worst(metric, 1).numbers if chance else result.table.numbers[result.designs.best(metric)[:1]]
    for number in map(int, numbers):
        what = f"worst case in {metric}: case" if chance else f"best design in {metric}: design"
        told = Words(f"The {what} {number}, flown again.")
        return [told, *motion_blocks(study.replay(number).run.scene, plays=plays)]
    return []


def _trade(result: StudyResult) -> dict[str, Sense]:
    """Return the first two metrics, those with limits first, with the way each is better."""
    limited = [requirement.metric for requirement in result.definition.requirements]
    names = dict.fromkeys([*limited, *(metric.name for metric in result.definition.metrics)])
    return {name: result.better(name) for name in list(names)[:2]}


def _provenance(result: StudyResult) -> dict[str, str]:
    record = stored_inputs(result.folder)[0]
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    nominal = ", ".join(f"{name} {value}" for name, value in record["about"]["nominal"].items())
    lines = {"versions": versions, "processor": record["processor"], "computed with": nominal}
    keys = {"digest of the definition": record["definition_key"], "digest of all that rows depend on": record["recipe"]}
    files = {f"sha256 of {name}": digest for name, digest in record["files"].items()}
    return {**lines, **keys, **files, **({"sha256 of cases.csv": result.hash} if result.status.ended else {})}
