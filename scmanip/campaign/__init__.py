"""Studies of a mission: what is varied, measured and required of many cases flown together."""

from ._files import STUDY as STUDY
from ._files import stored_definition as stored_definition
from ._page import page_of_study as page_of_study
from ._result import StudyResult as StudyResult
from ._study import Replay as Replay
from ._study import Study as Study
from ._study import load_study as load_study
