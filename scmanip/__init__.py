"""scmanip: guidance, navigation and control design for spacecraft with robot arms.

system file -> load_system -> System -> compile_model -> Model -> simulate -> History
mission file -> load_mission -> Mission -> run -> Run
"""

from importlib.metadata import PackageNotFoundError, version

from .dynamics import Model as Model
from .dynamics import compile_model as compile_model
from .errors import ScmanipError as ScmanipError
from .modes import FixedBase as FixedBase
from .modes import Floating as Floating
from .simulation import History as History
from .simulation import simulate as simulate
from .system import Body as Body
from .system import Joint as Joint
from .system import State as State
from .system import System as System
from .system import load_system as load_system

try:
    __version__ = version("scmanip")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "0+source"

__all__ = [
    "Body",
    "FixedBase",
    "Floating",
    "History",
    "Joint",
    # mission
    "Model",

    "ScmanipError",
    "State",
    "System",
    "compile_model",

    "load_system",
    "simulate",
]
