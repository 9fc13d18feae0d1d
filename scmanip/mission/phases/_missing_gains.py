"""Gains that a mission file leaves out and has to say: what to begin with, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...analysis import suggested_gains
from ...errors import InvalidInput, Problem, ScmanipError
from ...plant import Plant
from ..file._families import CONTROLLERS
from ..values._findings import Findings, KeyPath, table_at
from ._phases import Builder

_GAIN = re.compile(r"phase\[(\d+)\]\.controller(?:\[(\d+)\])?\.(\w+)")
_UNLIMITED = "one to begin with is told where rate_Hz is said or motors, wheels or thrusters have largest torques"


def suggest_missing_gains(findings: Findings, builder: Builder) -> None:
    """Let every gain that is missing be told with one to begin with, as `analysis.suggested_gains` has it, and its rule."""
    findings.problems = [_told(problem, findings, builder) for problem in findings.problems]


def _told(problem: Problem, findings: Findings, builder: Builder) -> Problem:
    place = _GAIN.fullmatch(problem.key)
    if place is None or problem.found != "nothing" or problem.file != findings.document.file:
        return problem
    phase, key = int(place[1]), place[3]
    at: KeyPath = ("phase", phase, "controller", *([int(place[2])] if place[2] else []))
    return replace(problem, hint=_suggestion(table_at(findings.document, at), key, phase, builder) or problem.hint)


def _suggestion(table: Mapping[str, Any], key: str, phase: int, builder: Builder) -> str:
    """Return a gain to begin with, ready to be written, and the rule; nothing where there is no plant or no such gain."""
    word, rate_Hz, model, mode = table.get("type"), table.get("rate_Hz"), builder.model, builder.flown.modes[phase]
    kind = CONTROLLERS.sound.get(word) if isinstance(word, str) else None
    if kind is None or key not in kind.begins or model is None or mode is None or builder.initial is None:
        return ""
    looks = {"rate_Hz": float(rate_Hz)} if isinstance(rate_Hz, int | float) and rate_Hz > 0 else {}
    try:
        found = suggested_gains(Plant(model, mode), builder.initial, **looks)
    except InvalidInput:
        return _UNLIMITED
    except ScmanipError:
        return ""
    gains, rule = kind.beginning(found)[key], f"{kind.begins[key]}; " if kind.begins[key] else ""
    written = f"{gains:.3g}" if isinstance(gains, float) else f"[{', '.join(f'{gain:.3g}' for gain in gains)}]"
    return f"to begin with, {key} = {written}: {rule}{found.why}"
