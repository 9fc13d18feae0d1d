"""Studies of a mission: what is varied, measured and required of many cases flown together; names load at their first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._files import STUDY as STUDY
    from ._files import stored_definition as stored_definition
    from ._page import page_of_study as page_of_study
    from ._result import StudyResult as StudyResult
    from ._study import Replay as Replay
    from ._study import Study as Study
    from ._study import load_study as load_study

_LATER = {
    "Replay": "._study",
    "STUDY": "._files",
    "Study": "._study",
    "StudyResult": "._result",
    "load_study": "._study",
    "page_of_study": "._page",
    "stored_definition": "._files",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name], __package__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER])
