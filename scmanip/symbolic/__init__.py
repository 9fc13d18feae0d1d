"""Straight-line programs: scalars that record, simplification, counting, derivatives, display. Knows no mechanics."""

from ._functions import arctan2 as arctan2
from ._functions import less as less
from ._functions import maximum as maximum
from ._functions import minimum as minimum
from ._functions import select as select
from ._graph import Graph as Graph
from ._listing import Input as Input
from ._listing import ListedStep as ListedStep
from ._listing import Output as Output
from ._listing import first_step as first_step
from ._operations import Operations as Operations
from ._program import Program as Program
from ._record import MAKING as MAKING
from ._record import count as count
from ._record import record as record
from ._scalar import Condition as Condition
from ._scalar import Scalar as Scalar
from ._z_form import ZForm as ZForm
from ._z_form import latex_of as latex_of
