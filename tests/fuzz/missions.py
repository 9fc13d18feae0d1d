"""Mission files: what a Mission has, and what the file says, read by tomllib and these lines alone."""

from __future__ import annotations

import functools
import math
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from scmanip.mission import Mission
from scmanip.mission._load import mission_of
from scmanip.mission.values._source import NamedSystems
from scmanip.system import TomlDocument, toml_text

from .trials import agree, close

FOLDER = Path(__file__).parents[2] / "missions"
DEG = math.pi / 180
LIMITS = {
    "base_rotation": {"base_rotation_rad": 1.0, "base_rotation_deg": DEG},
    "base_displacement_m": {"base_displacement_m": 1.0},
    "momentum_relative": {"momentum_relative": 1.0},
    "energy_relative": {"energy_relative": 1.0},
    "system_com_drift_m": {"system_com_drift_m": 1.0},
}


def seeds() -> dict[str, str]:
    """The missions of the repository."""
    paths = [path for path in FOLDER.glob("*.toml") if 'schema = "scmanip.mission/' in path.read_text(encoding="utf-8")]
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


@functools.cache
def _sources() -> NamedSystems:
    return NamedSystems(FOLDER)


def _read(text: str) -> Mission:
    return mission_of(TomlDocument.parse(text, "fuzz.toml"), _sources())


def check(text: str) -> None:
    """Compare a mission with its file; raises what the reader raises, and `Disagreement`."""
    mission = _read(text)
    data = tomllib.loads(text.removeprefix("\ufeff"))
    _compare(mission, data)
    if mission.alternatives:
        return
    resolved = toml_text(mission.resolved)
    again = _read(resolved)
    agree("the resolved mission", toml_text(again.resolved), resolved)
    close("the start", again.initial.x, mission.initial.x)
    close("the durations", [phase.t_end_s for phase in again.phases], [phase.t_end_s for phase in mission.phases])


def _compare(mission: Mission, data: dict[str, Any]) -> None:
    agree("name and title", (mission.name, mission.title), (data["name"], data.get("title", "")))
    agree("names of phases", [phase.name for phase in mission.phases], [phase["name"] for phase in data["phase"]])
    _compare_start(mission, data["initial"])
    for phase, given in zip(mission.phases, data["phase"], strict=True):
        mode = given["mode"] if "mode" in given else given["modes"][0]
        agree("mode", phase.mode.name, mode if isinstance(mode, str) else mode["type"])
        _compare_end(phase, given)
        _compare_gains(phase, given["controller"])
    integration = data.get("integration", {})
    close("rtol", mission.integration.rtol, integration.get("rtol", 1e-10))
    if "output_step_s" in integration:
        close("output step", mission.integration.output_step_s, integration["output_step_s"])
    agree("figures", _known(mission, data), True)
    for name, keys in LIMITS.items():
        theirs = next((data.get("limits", {})[key] * unit for key, unit in keys.items() if key in data.get("limits", {})), None)
        ours = getattr(mission.limits, name if name.endswith(("_m", "relative")) else f"{name}_rad", None)
        agree(f"whether {name} is limited", ours is None or math.isinf(ours), theirs is None)
        close(name, 0.0 if theirs is None else ours, 0.0 if theirs is None else theirs)


def _known(mission: Mission, data: dict[str, Any]) -> bool:
    asked = data.get("output", {}).get("figures")
    return asked is None or set(mission.figure_names) <= set(asked)


def _compare_start(mission: Mission, initial: dict[str, Any]) -> None:
    state, layout = mission.initial, mission.model.layout
    if not layout.fixed:
        close("position", state.r_0, initial.get("r_0_m", [0.0] * 3))
        close("velocity", state.v_0, initial.get("v_0_m_s", [0.0] * 3))
        turning = initial.get("omega_0_rad_s") or [w * DEG for w in initial.get("omega_0_deg_s", [0.0] * 3)]
        close("turning", state.omega_0, turning)
    if layout.quaternions:
        return
    units = [coordinate.unit for coordinate in mission.system.coordinates]
    for kind, keys in (
        ("q", {"q_rad": 1.0, "q_deg": DEG, "q_m": 1.0}),
        ("qdot", {"qdot_rad_s": 1.0, "qdot_deg_s": DEG, "qdot_m_s": 1.0}),
    ):
        values: dict[str, float] = {}
        for key, unit in keys.items():
            given = initial.get(key)
            names = [n for n, u in zip(layout.q_names, units, strict=True) if (u == "m") == key.endswith(("_m", "_m_s"))]
            if isinstance(given, list):
                values |= {name: value * unit for name, value in zip(names, given, strict=True)}
            elif isinstance(given, dict):
                values |= {name: value * unit for name, value in given.items() if not isinstance(value, list)}
        ours = dict(zip(layout.q_names, getattr(state, kind), strict=True))
        for name, value in values.items():
            if name in ours:
                close(f"{kind} of {name}", ours[name], value)


def _compare_end(phase: Any, given: dict[str, Any]) -> None:
    until, guidance = given.get("until", {}), given["guidance"]
    theirs = until.get("t_s") or until.get("timeout_s") or guidance.get("duration_s")
    if theirs is not None:
        close(f"duration of {phase.name}", phase.t_end_s, theirs)


def _compare_gains(phase: Any, given: dict[str, Any]) -> None:
    if isinstance(given, list):
        return  # of laws that are made of others, whose own tests say what is read
    law = phase.controller
    while hasattr(law, "law") and not hasattr(law, "K_P"):
        law = law.law
    for key in ("K_P", "K_D"):
        if isinstance(given.get(key), int | float | list) and hasattr(law, key) and given["type"] != "resolved_rate":
            ours = np.asarray(getattr(law, key))
            close(f"{key} of {phase.name}", ours[-1] if ours.ndim and np.ndim(given[key]) == 0 else ours, given[key])
