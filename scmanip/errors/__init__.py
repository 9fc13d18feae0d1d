"""Every exception the library raises. `except ScmanipError` catches them all."""

from ._errors import MOST_SHOWN as MOST_SHOWN
from ._errors import CacheWarning as CacheWarning
from ._errors import ConstraintRankLoss as ConstraintRankLoss
from ._errors import InconsistentConstraints as InconsistentConstraints
from ._errors import Infeasible as Infeasible
from ._errors import InvalidInput as InvalidInput
from ._errors import InvalidMission as InvalidMission
from ._errors import InvalidState as InvalidState
from ._errors import InvalidSystem as InvalidSystem
from ._errors import MissingExtra as MissingExtra
from ._errors import ModeMismatch as ModeMismatch
from ._errors import NotRecordable as NotRecordable
from ._errors import NumericalFailure as NumericalFailure
from ._errors import Problem as Problem
from ._errors import ScmanipError as ScmanipError
from ._errors import SingularInertia as SingularInertia
from ._errors import StudyHalted as StudyHalted
from ._errors import StudyInterrupted as StudyInterrupted
from ._errors import UnknownName as UnknownName
from ._errors import UnsafePath as UnsafePath
from ._errors import expect as expect
from ._errors import nearest as nearest
from ._errors import refuse as refuse
from ._names import folded as folded
from ._names import name_problems as name_problems
from ._names import pair_problems as pair_problems
