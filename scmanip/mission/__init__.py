"""Read a mission file, build everything, run it, store it; names load at their first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._actuator_states import starting_states as starting_states
    from ._comparison import Comparison as Comparison
    from ._control import ControllerTable as ControllerTable
    from ._control import WrapperTable as WrapperTable
    from ._control import law_of as law_of
    from ._driven import DRIVEN_AND_FREE as DRIVEN_AND_FREE
    from ._driven import driven_and_free as driven_and_free
    from ._event_table import LOG as LOG
    from ._event_table import EventTable as EventTable
    from ._families import CONTROLLERS as CONTROLLERS
    from ._families import EVENTS as EVENTS
    from ._families import GUIDANCE as GUIDANCE
    from ._families import INTEGRATORS as INTEGRATORS
    from ._families import LOADS as LOADS
    from ._fields import Duration as Duration
    from ._fields import Gain as Gain
    from ._fields import Name as Name
    from ._fields import NotNegative as NotNegative
    from ._fields import Number as Number
    from ._fields import Positive as Positive
    from ._fields import Vector as Vector
    from ._findings import KeyPath as KeyPath
    from ._flown_again import FlownAgain as FlownAgain
    from ._flown_again import allowed as allowed
    from ._guidance import GuidanceTable as GuidanceTable
    from ._hardware import Hardware as Hardware
    from ._initial import initial_state as initial_state
    from ._initial import resolved_initial as resolved_initial
    from ._integration import Integration as Integration
    from ._integration_table import IntegrationTable as IntegrationTable
    from ._kinds import listed as listed
    from ._load import load_mission as load_mission
    from ._load import mission_of as mission_of
    from ._load_table import LoadTable as LoadTable
    from ._mission import Mission as Mission
    from ._modes import mode_label as mode_label
    from ._phase import FlownPhase as FlownPhase
    from ._phase import Phase as Phase
    from ._provenance import PROVENANCE as PROVENANCE
    from ._results_folder import REPORT as REPORT
    from ._results_folder import TABLES as TABLES
    from ._results_folder import ResultsFolder as ResultsFolder
    from ._run import ADVICE as ADVICE
    from ._run import Run as Run
    from ._schema import PhaseTable as PhaseTable
    from ._schema import UntilTable as UntilTable
    from ._schema import initial_table as initial_table
    from ._second_flight import disagreements as disagreements
    from ._sound import Sound as Sound
    from ._source import NamedSystems as NamedSystems
    from ._source import Source as Source
    from ._stored import MISSION as MISSION
    from ._stored import made_by as made_by
    from ._toml_text import toml_text as toml_text

_LATER = {
    "ADVICE": "._run",
    "CONTROLLERS": "._families",
    "Comparison": "._comparison",
    "ControllerTable": "._control",
    "GuidanceTable": "._guidance",
    "EventTable": "._event_table",
    **dict.fromkeys(("Duration", "Gain", "Name", "NotNegative", "Number", "Positive", "Vector"), "._fields"),
    "DRIVEN_AND_FREE": "._driven",
    "EVENTS": "._families",
    "FlownAgain": "._flown_again",
    "FlownPhase": "._phase",
    "GUIDANCE": "._families",
    "Hardware": "._hardware",
    "starting_states": "._actuator_states",
    "initial_table": "._schema",
    "Integration": "._integration",
    "INTEGRATORS": "._families",
    "IntegrationTable": "._integration_table",
    "KeyPath": "._findings",
    "LOADS": "._families",
    "LOG": "._event_table",
    "LoadTable": "._load_table",
    "MISSION": "._stored",
    "Mission": "._mission",
    "NamedSystems": "._source",
    "PROVENANCE": "._provenance",
    "Phase": "._phase",
    "PhaseTable": "._schema",
    "REPORT": "._results_folder",
    "ResultsFolder": "._results_folder",
    "Run": "._run",
    "Sound": "._sound",
    "Source": "._source",
    "TABLES": "._results_folder",
    "UntilTable": "._schema",
    "WrapperTable": "._control",
    "allowed": "._flown_again",
    "disagreements": "._second_flight",
    "driven_and_free": "._driven",
    "initial_state": "._initial",
    "law_of": "._control",
    "listed": "._kinds",
    "load_mission": "._load",
    "made_by": "._stored",
    "mission_of": "._load",
    "mode_label": "._modes",
    "resolved_initial": "._initial",
    "toml_text": "._toml_text",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name], __package__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER])
