"""A straight-line program into fast callables: machine code through LLVM, many states per instruction, a cache of object
code. Knows no mechanics."""

from ._arguments import Slot as Slot
from ._arguments import single as single
from ._cache import Cache as Cache
from ._compiled_program import CompiledProgram as CompiledProgram
from ._compiled_program import compile_program as compile_program
from ._compiled_program import first_within as first_within
from ._computer import processor as processor
from ._computer import releases as releases
from ._description import described as described
from ._ode import Ode as Ode
from ._ode import compile_ode as compile_ode
from ._ode_even import even_step as even_step
from ._ode_fixed_run import Cubic as Cubic
from ._ode_fixed_run import FixedRun as FixedRun
from ._ode_result import OdeResult as OdeResult
from ._ode_result import OdeStatus as OdeStatus
from ._ode_run import OdeRun as OdeRun
from ._ode_run import Route as Route
from ._stepper import Stepper as Stepper
from ._tableaux import RK4 as RK4
