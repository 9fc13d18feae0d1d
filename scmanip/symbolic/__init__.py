"""Straight-line programs: scalars that record, simplification, counting, derivatives, display. Knows no mechanics."""

from ._functions import arctan2 as arctan2
from ._functions import less as less
from ._functions import maximum as maximum
from ._functions import minimum as minimum
from ._functions import select as select
from ._graph import Graph as Graph
from ._program import Program as Program
from ._record import MAKING as MAKING
from ._record import count as count
from ._record import record as record
from ._scalar import Condition as Condition
from ._scalar import Scalar as Scalar
from .listing._listing import Input as Input
from .listing._listing import ListedStep as ListedStep
from .listing._listing import Output as Output
from .listing._listing import first_step as first_step
from .listing._operations import Operations as Operations
from .shown._closed_form import ClosedForm as ClosedForm
from .shown._closed_form import closed_form as closed_form
from .shown._in_sympy import operation as operation
from .shown._latex import latex_of as latex_of
from .shown._notation import Letter as Letter
from .shown._notation import Notation as Notation
from .shown._numpy_function import NumpyFunction as NumpyFunction
from .shown._z_form import AngleSums as AngleSums
from .shown._z_form import ZForm as ZForm
