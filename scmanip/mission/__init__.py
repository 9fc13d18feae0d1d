"""Read a mission file, build everything, run it, once or as a study; names load at their first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._comparison import Comparison as Comparison
    from ._driven import DRIVEN_AND_FREE as DRIVEN_AND_FREE
    from ._driven import driven_and_free as driven_and_free
    from ._load import load_mission as load_mission
    from ._mission import Mission as Mission
    from ._modes import mode_label as mode_label
    from ._phase import Phase as Phase
    from ._results_folder import PROVENANCE as PROVENANCE
    from ._results_folder import ResultsFolder as ResultsFolder
    from ._run import Run as Run
    from ._run import text_writer as text_writer
    from ._stored import MISSION as MISSION
    from ._study import Replay as Replay
    from ._study import Study as Study
    from ._study import load_study as load_study
    from ._study_files import STUDY as STUDY
    from ._study_files import stored_definition as stored_definition
    from ._study_page import page_of_study as page_of_study
    from ._study_result import Judged as Judged
    from ._study_result import StudyResult as StudyResult

_LATER = {
    "Comparison": "._comparison",
    "DRIVEN_AND_FREE": "._driven",
    "Judged": "._study_result",
    "MISSION": "._stored",
    "Mission": "._mission",
    "PROVENANCE": "._results_folder",
    "Phase": "._phase",
    "Replay": "._study",
    "ResultsFolder": "._results_folder",
    "Run": "._run",
    "STUDY": "._study_files",
    "Study": "._study",
    "StudyResult": "._study_result",
    "driven_and_free": "._driven",
    "load_mission": "._load",
    "load_study": "._study",
    "mode_label": "._modes",
    "page_of_study": "._study_page",
    "stored_definition": "._study_files",
    "text_writer": "._run",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name], __package__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER])
