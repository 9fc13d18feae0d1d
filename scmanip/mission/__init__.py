"""Read a mission file, build everything, run it; the command line `scmanip`.

Only the command line's entry point is imported at once: `scmanip --help` must not wait for the dynamics.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._command_line import command_line as command_line

if TYPE_CHECKING:
    from ._comparison import Comparison as Comparison
    from ._load import load_mission as load_mission
    from ._mission import Mission as Mission
    from ._phase import Phase as Phase
    from ._run import Run as Run
    from ._study import Replay as Replay
    from ._study import Study as Study
    from ._study import load_study as load_study
    from ._study_result import Judged as Judged
    from ._study_result import StudyResult as StudyResult

_LATER = {
    "Comparison": "._comparison",
    "Judged": "._study_result",
    "Mission": "._mission",
    "Phase": "._phase",
    "Replay": "._study",
    "Run": "._run",
    "Study": "._study",
    "StudyResult": "._study_result",
    "load_mission": "._load",
    "load_study": "._study",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name], __package__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER])
