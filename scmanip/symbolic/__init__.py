"""Straight-line programs: scalars that record, simplification, counting, derivatives, display. Knows no mechanics."""

from ._decisions import maximum as maximum
from ._decisions import minimum as minimum
from ._decisions import select as select
from ._graph import Graph as Graph
from ._listing import Input as Input
from ._listing import Output as Output
from ._listing import Step as Step
from ._operations import Operations as Operations
from ._program import Program as Program
from ._record import record as record
from ._scalar import Condition as Condition
from ._scalar import Scalar as Scalar
