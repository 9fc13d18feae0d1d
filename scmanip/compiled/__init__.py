"""A straight-line program into fast callables: machine code through LLVM, many states per instruction, a cache of object
code. Knows no mechanics."""

from .kernel._ahead import orders as orders
from .kernel._arguments import Slot as Slot
from .kernel._arguments import single as single
from .kernel._cache import Cache as Cache
from .kernel._compiled_program import CompiledProgram as CompiledProgram
from .kernel._compiled_program import compile_program as compile_program
from .kernel._compiled_program import first_within as first_within
from .kernel._compiled_program import order_program as order_program
from .kernel._computer import processor as processor
from .kernel._computer import releases as releases
from .kernel._description import Described as Described
from .kernel._description import described as described
from .kernel._kept_programs import kept_program as kept_program
from .kernel._lasting_key import Token as Token
from .kernel._lasting_key import lasting_key as lasting_key
from .ode._ode import Ode as Ode
from .ode._ode import compile_ode as compile_ode
from .ode._ode import order_ode as order_ode
from .ode._ode_asked import SLOTS as SLOTS
from .ode._ode_even import even_step as even_step
from .ode._ode_fixed_run import Cubic as Cubic
from .ode._ode_fixed_run import FixedRun as FixedRun
from .ode._ode_result import OdeResult as OdeResult
from .ode._ode_result import OdeStatus as OdeStatus
from .ode._ode_run import OdeRun as OdeRun
from .ode._ode_run import Route as Route
from .ode._ode_shape import shape_weights as shape_weights
from .ode._stepper import Stepper as Stepper
from .ode._tableaux import DOP853 as DOP853
from .ode._tableaux import RK4 as RK4
