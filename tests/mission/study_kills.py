"""The same with a study of a mission: python -m tests.mission.study_kills [kills] [seed]."""

from __future__ import annotations

from pathlib import Path

from scmanip.campaign import StudyResult, load_study
from tests.study.kills import ROOT, Job, main

STUDY = ROOT / "missions" / "monte_carlo_slew.toml"
CASES = 300


def drive(folder: Path, executor: str = "local", log: str = "") -> StudyResult:
    """Run the first cases of the study in small blocks; there is no log of what ran again."""
    del log
    return load_study(STUDY).run(folder, executor=executor, workers=2, block=10, cases=CASES)


if __name__ == "__main__":
    main(Job("tests.mission.study_kills", drive, CASES, pause_s=1.5, at_work=0.8))
