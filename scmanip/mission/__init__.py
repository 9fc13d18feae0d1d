"""Read a mission file, build everything, run it, once or as a study; names load at their first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._comparison import Comparison as Comparison
    from ._control import ControllerTable as ControllerTable
    from ._driven import DRIVEN_AND_FREE as DRIVEN_AND_FREE
    from ._driven import driven_and_free as driven_and_free
    from ._event_table import EventTable as EventTable
    from ._fields import Duration as Duration
    from ._fields import Gain as Gain
    from ._fields import Name as Name
    from ._fields import NotNegative as NotNegative
    from ._fields import Number as Number
    from ._fields import Positive as Positive
    from ._fields import Vector as Vector
    from ._flown_again import FlownAgain as FlownAgain
    from ._flown_again import allowed as allowed
    from ._guidance import GuidanceTable as GuidanceTable
    from ._load import load_mission as load_mission
    from ._mission import Mission as Mission
    from ._modes import mode_label as mode_label
    from ._phase import Phase as Phase
    from ._provenance import PROVENANCE as PROVENANCE
    from ._results_folder import REPORT as REPORT
    from ._results_folder import TABLES as TABLES
    from ._results_folder import ResultsFolder as ResultsFolder
    from ._run import Run as Run
    from ._stored import MISSION as MISSION
    from ._stored import made_by as made_by
    from ._study import Replay as Replay
    from ._study import Study as Study
    from ._study import load_study as load_study
    from ._study_files import STUDY as STUDY
    from ._study_files import stored_definition as stored_definition
    from ._study_page import page_of_study as page_of_study
    from ._study_result import Judged as Judged
    from ._study_result import StudyResult as StudyResult

_LATER = {
    "TABLES": "._results_folder",
    "REPORT": "._results_folder",
    "allowed": "._flown_again",
    "FlownAgain": "._flown_again",
    "Comparison": "._comparison",
    "ControllerTable": "._control",
    "GuidanceTable": "._guidance",
    "EventTable": "._event_table",
    **dict.fromkeys(("Duration", "Gain", "Name", "NotNegative", "Number", "Positive", "Vector"), "._fields"),
    "DRIVEN_AND_FREE": "._driven",
    "Judged": "._study_result",
    "MISSION": "._stored",
    "Mission": "._mission",
    "PROVENANCE": "._provenance",
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
    "made_by": "._stored",
    "mode_label": "._modes",
    "page_of_study": "._study_page",
    "stored_definition": "._study_files",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name], __package__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER])
