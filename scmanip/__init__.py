"""scmanip: guidance, navigation and control design for spacecraft with robot arms.

system file -> load_system -> System -> compile_model -> Model -> simulate -> History
mission file -> load_mission -> Mission -> run -> Run

Names and rooms load at their first use, so that `import scmanip` and `scmanip --help` are quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .campaign import Study as Study
    from .campaign import load_study as load_study
    from .dynamics import Model as Model
    from .dynamics import SymbolicModel as SymbolicModel
    from .dynamics import compile_model as compile_model
    from .dynamics import derive as derive
    from .errors import ScmanipError as ScmanipError
    from .mission import Mission as Mission
    from .mission import Run as Run
    from .mission import load_mission as load_mission
    from .modes import FixedBase as FixedBase
    from .modes import Floating as Floating
    from .modes import Flying as Flying
    from .modes import RotationFloating as RotationFloating
    from .modes import RotationFlying as RotationFlying
    from .modes import TranslationFlying as TranslationFlying
    from .plant import Plant as Plant
    from .simulation import History as History
    from .simulation import simulate as simulate
    from .system import Body as Body
    from .system import Joint as Joint
    from .system import State as State
    from .system import System as System
    from .system import load_system as load_system

__version__ = "0.2.0"

_ROOM = {
    "Body": "system",
    "FixedBase": "modes",
    "Floating": "modes",
    "Flying": "modes",
    "History": "simulation",
    "Joint": "system",
    "Mission": "mission",
    "Model": "dynamics",
    "Plant": "plant",
    "RotationFloating": "modes",
    "RotationFlying": "modes",
    "Run": "mission",
    "ScmanipError": "errors",
    "State": "system",
    "Study": "campaign",
    "SymbolicModel": "dynamics",
    "System": "system",
    "TranslationFlying": "modes",
    "compile_model": "dynamics",
    "derive": "dynamics",
    "load_mission": "mission",
    "load_study": "campaign",
    "load_system": "system",
    "simulate": "simulation",
}
_ROOMS = (
    "errors",
    "cells",
    "plugins",
    "storage",
    "channels",
    "spatial",
    "symbolic",
    "export",
    "compiled",
    "impacts",
    "actuators",
    "constraints",
    "shapes",
    "system",
    "dynamics",
    "loads",
    "modes",
    "plant",
    "guidance",
    "navigation",
    "control",
    "simulation",
    "interop",
    "analysis",
    "study",
    "scene",
    "report",
    "mission",
    "campaign",
    "live",
    "command",
)

# What a method of a lower room is made by in a room above: `plugins.view`.
VIEWS: dict[str, str] = {
    "History.plot": "report:plot",
    "History._repr_html_": "simulation:history_card",
    "History.show": "scene:show_history",
    "History.to_html": "scene:write_history",
    "Scene.to_html": "scene:write_page",
    "History.to_pandas": "simulation:to_pandas",
    "History.to_xarray": "simulation:to_xarray",
    "State._repr_html_": "system:state_card",
    "System._repr_html_": "system:system_card",
    "System.show": "scene:show_system",
    "System.to_html": "scene:write_system",
}

__all__ = sorted(_ROOM)  # noqa: PLE0605 - the names above


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    if name not in _ROOM:
        raise AttributeError(f"module 'scmanip' has no attribute '{name}'")
    return getattr(import_module(f".{_ROOM[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOM, *_ROOMS])
