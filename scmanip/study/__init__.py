"""Many cases: what is varied, how cases are drawn, run and kept, and what they say together. Knows no missions."""

from ._case import Case as Case
from ._case import Row as Row
from ._case import Status as Status
from ._case import Value as Value
from ._cases_csv import result_hash as result_hash
from ._execute import Ended as Ended
from ._execute import StudyOutcome as StudyOutcome
from ._execute import run_study as run_study
from ._failure_limit import FailureLimit as FailureLimit
from ._keep import Keep as Keep
from ._keep import Keeper as Keeper
from ._planned import Planned as Planned
from ._prefix import StopRule as StopRule
from ._progress import Progress as Progress
from ._recipe import Evaluator as Evaluator
from ._recipe import Recipe as Recipe
from ._stored_study import StudyStatus as StudyStatus
from ._stored_study import read_table as read_table
from ._stored_study import study_status as study_status
from ._table import Table as Table
