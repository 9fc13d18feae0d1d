"""From `controller = { ... }` to a control law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..control import (
    BasePose,
    ComputedTorque,
    Controller,
    CoordinatedComputedTorque,
    JointRegulator,
    ResolvedRate,
    Sampled,
    WithFeedforward,
)
from ..dynamics import Model, compile_model
from ..errors import InvalidInput, Problem
from ..modes import BaseDriven, FixedBase, ManoeuvreMode
from ..system import Layout, System
from ._attitude import attitude_of, attitude_problems
from ._joint_values import Entries
from ._source import Source, Sources

if TYPE_CHECKING:
    from ._schema import BaseLawTable, ControllerTable, PoseTable


def resolved_control(table: ControllerTable) -> dict[str, Any]:
    """Return the table with nothing left out but an estimate that is the mission's own system, and what a pose leaves open.

    Raises `InvalidInput` for a pose that is none.
    """
    resolved: dict[str, Any] = {"type": table.type}
    resolved |= {"K": table.K, "sigma_0": table.sigma_0} if table.type == "resolved_rate" else {"K_P": _floats(table.K_P)}
    resolved["K_D"] = _floats(table.K_D)
    if table.type in ("computed_torque", "coordinated"):
        resolved["feedforward"] = table.feedforward
    if table.type != "joint_regulator":
        resolved |= _resolved_base(table)
    optional = {"estimate": table.estimate, "rate_Hz": table.rate_Hz}
    return {**resolved, **{key: value for key, value in optional.items() if value is not None}}


def estimate_source(table: ControllerTable, sources: Sources) -> Source | None:
    """Return the system that the controller believes in, None when it is the mission's own; raises `InvalidInput`."""
    return None if table.estimate is None else sources.read("estimate", table.estimate)


def believed_model(estimate: Source, layout: Layout | None) -> Model:
    """Return the model of an estimate; raises `InvalidInput` where its joints are not those of the mission's `layout`.

    layout : None where the mission's own system could not be read
    """
    mine = estimate.system.layout
    if layout is not None and _parts(mine) != _parts(layout):
        raise InvalidInput(Problem("estimate", _words(layout), _words(mine)))
    return compile_model(estimate.system)


def refuse_wrong_pair(table: ControllerTable, mode: ManoeuvreMode) -> None:
    """Raise `InvalidInput` for a controller that does not know the base in a mode that drives it, or the other way round."""
    if mode.commands_base and table.type == "joint_regulator":
        expected = "'computed_torque', 'coordinated' or 'resolved_rate' in a mode that drives the base"
        hint = "they drive joints and base together"
        raise InvalidInput(Problem("type", expected, repr(table.type), hint=hint))
    if table.type == "coordinated" and isinstance(mode, FixedBase):
        expected = "'computed_torque', 'joint_regulator' or 'resolved_rate' on a base that is held"
        raise InvalidInput(Problem("type", expected, repr(table.type)))


def control_law(resolved: dict[str, Any], believed: Model, mode: ManoeuvreMode) -> Controller:
    """Return the law of a resolved table, for `mode` where it asks; raises `InvalidInput`, `ModeMismatch`."""
    law = _continuous_law(resolved, believed, mode)
    return Sampled(law, rate_Hz=resolved["rate_Hz"]) if "rate_Hz" in resolved else law


def _continuous_law(resolved: dict[str, Any], believed: Model, mode: ManoeuvreMode) -> Controller:
    if resolved["type"] == "resolved_rate":
        inner = _rate_law(resolved, believed, mode)
        return ResolvedRate(inner, K=resolved["K"], sigma_0=resolved["sigma_0"])
    K_P, K_D = gains_of(resolved, believed.system)
    if resolved["type"] == "joint_regulator":
        return JointRegulator(believed, K_P=K_P, K_D=K_D)
    if resolved["type"] == "coordinated" or isinstance(mode, BaseDriven):
        options = {**_base_options(resolved), "feedforward": resolved["feedforward"]}
        return CoordinatedComputedTorque(believed, mode, K_P=K_P, K_D=K_D, **options)
    law = ComputedTorque(believed, K_P=K_P, K_D=K_D)
    return WithFeedforward(law) if resolved["feedforward"] else law


def _rate_law(resolved: dict[str, Any], believed: Model, mode: ManoeuvreMode) -> CoordinatedComputedTorque | WithFeedforward:
    """Return the law that gives the joints their rates, and holds what the mode commands of the base."""
    _, K_D = gains_of({**resolved, "K_P": 0.0}, believed.system)
    if isinstance(mode, BaseDriven):
        return CoordinatedComputedTorque(believed, mode, K_P=0.0, K_D=K_D, **_base_options(resolved))
    return WithFeedforward(ComputedTorque(believed, K_P=0.0, K_D=K_D))


def _base_options(resolved: dict[str, Any]) -> dict[str, Any]:
    pose = resolved["pose"]
    held = BasePose(pose.get("attitude_xyzw"), pose.get("position_m"))
    return {"base_K_P": resolved["base_K_P"], "base_K_D": resolved["base_K_D"], "pose": held}


def _resolved_base(table: BaseLawTable) -> dict[str, Any]:
    return {"base_K_P": table.base_K_P, "base_K_D": table.base_K_D, "pose": _resolved_pose(table.pose)}


def _resolved_pose(pose: PoseTable) -> dict[str, list[float]]:
    problems = attitude_problems(pose)
    if problems:
        raise InvalidInput(problems)
    given = {"position_m": pose.position_m, "attitude_xyzw": attitude_of(pose)}
    return {key: value for key, value in given.items() if value is not None}


def _parts(layout: Layout) -> tuple[Any, ...]:
    return layout.q_names, layout.qdot_names, layout.fixed, layout.wheel_names


def _words(layout: Layout) -> str:
    wheels = f" and the wheels {', '.join(layout.wheel_names)}" if layout.wheel_names else ""
    return f"a {'fixed' if layout.fixed else 'floating'} base and the joints {', '.join(layout.qdot_names) or '(none)'}{wheels}"


def gains_of(resolved: dict[str, Any], system: System) -> list[Any]:
    """Return K_P and K_D as a law takes them; raises `InvalidInput` where a table of joints does not name all of them."""
    entries, problems = Entries.of_qdot(system), list[Problem]()
    gains = []
    for key in ("K_P", "K_D"):
        given = resolved[key]
        if isinstance(given, dict):
            unknown = [problem for name in given for problem in entries.unknown_problems(key, name)]
            by_freedom = {entry: value for name, value in given.items() for entry in entries.named(name)}
            problems += unknown or entries.missing_problems(key, by_freedom)
            given = [by_freedom.get(entry, 0.0) for entry in entries.units]
        gains.append(given)
    if problems:
        raise InvalidInput(problems)
    return gains


def _floats(value: Any) -> float | list[float] | dict[str, float]:
    if isinstance(value, dict):
        return {joint: float(entry) for joint, entry in value.items()}
    return [float(entry) for entry in value] if isinstance(value, list) else float(value)
