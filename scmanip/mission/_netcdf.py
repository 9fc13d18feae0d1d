"""A history as a netCDF-4 file."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..loads import External
from ..simulation import History
from ._ledger_columns import ABOUT_C, Column, ledger_columns

SCHEMA = "scmanip.run/1"
_AXES = {"xyz": ["x", "y", "z"], "xyzw": ["x", "y", "z", "w"], "wrench_part": ["f_x", "f_y", "f_z", "n_x", "n_y", "n_z"]}


def columns(history: History) -> Iterator[tuple[str, Column]]:
    """Yield the series of a history by name, with their units."""
    h, per = history, _joint_units(history)
    yield "q", Column(h.q, "coordinate", per["q"], "joint coordinates")
    yield "qdot", Column(h.qdot, "freedom", per["qdot"], "joint rates")
    yield "tau", Column(h.tau, "freedom", per["tau"], "joint forces of the actuators")
    yield "r_0", Column(h.r_0, "xyz", "m", "base centre of mass")
    yield "attitude_xyzw", Column(h.attitude_xyzw, "xyzw", "1", "unit quaternion, base to inertial, scalar last")
    yield "v_0", Column(h.v_0, "xyz", "m/s", "velocity of the base centre of mass")
    yield "omega_0", Column(h.omega_0, "xyz", "rad/s", "angular velocity of the base, inertial components")
    yield "r_C", Column(h.r_C, "xyz", "m", "system centre of mass")
    yield "wrench", Column(h.wrench, "wrench_part", "N and N m", "force and moment on the base")
    for name, whose in (("P", "system"), ("P_base", "base"), ("P_arm", "arm")):
        yield name, Column(getattr(h, name), "xyz", "N s", f"linear momentum of the {whose}")
    for name, whose in (("L_C", "system"), ("L_base", "base"), ("L_arm", "arm")):
        words = f"angular momentum of the {whose} {ABOUT_C}"
        yield name, Column(getattr(h, name), "xyz", "N m s", words)
    yield "impulse", Column(h.impulse, "wrench_part", "N s and N m s", f"impulse from outside since the start, {ABOUT_C}")
    if h.system.wheels:
        yield "wheel_rad_s", Column(h.states.wheel_rad_s, "wheel", "rad/s", "speeds of the wheels relative to the base")
        yield "wheel_torque", Column(h.wheel_torque, "wheel", "N m", "torques of the wheels' motors")
    yield "h_wheels", Column(h.h_wheels, "xyz", "N m s", "angular momentum of the wheels relative to the base")
    if h.system.thrusters:
        yield "thrust_N", Column(h.thrust_N, "thruster", "N", "forces of the thrusters")
    yield "propellant_kg", Column(h.propellant_kg, "", "kg", "propellant burnt by the thrusters since the start")
    words = "wrench commanded of the base and not applied"
    yield "missing_wrench", Column(h.missing_wrench, "wrench_part", "N and N m", words)
    yield "L_0", Column(h.L_0, "xyz", "N m s", "angular momentum of the system about the base centre of mass")
    yield "kinetic_energy", Column(h.kinetic_energy, "", "J", "kinetic energy")
    yield "stored_energy", Column(h.stored_energy, "", "J", "potential energy of springs and gravity")
    yield "work", Column(h.work, "", "J", "work of the actuators since the start")
    yield "dissipated", Column(h.dissipated, "", "J", "energy taken by joint dampers since the start")
    units, words = "N m s or N s", "of each joint's equation of motion along the solution between the steps"
    yield "joint_impulse_left", Column(h.joint_impulse_left, "freedom", units, f"impulse left over since the start {words}")
    yield "joint_impulse", Column(h.joint_impulse, "freedom", units, f"largest part until then {words}")
    yield from ledger_columns(history)
    if h.external is not None:
        yield from _external(h.external)


def _external(books: External) -> Iterator[tuple[str, Column]]:
    """Yield what came from the environment since the start."""
    yield "external_impulse", Column(books.impulse, "xyz", "N s", "impulse of the environment")
    words = "angular impulse of the environment about the system centre of mass"
    yield "external_angular_impulse", Column(books.angular_impulse, "xyz", "N m s", words)
    words = "displacement of the system centre of mass by the environment"
    yield "external_displacement", Column(books.displacement, "xyz", "m", words)
    yield "external_work", Column(books.work, "", "J", "work of the environment")


def netcdf(history: History, phases: NDArray[np.intp], attributes: Mapping[str, Any]) -> bytes:
    """Return a history as a file. It is made in memory: the HDF5 library does not survive a disk that fills.

    phases : (n,) number of the phase of each sample
    attributes : global ones, beside the outcome and the residuals
    """
    import h5netcdf

    labels = {**_AXES, "body": history.body_names, "coordinate": history.q_names, "freedom": history.qdot_names}
    system = history.system
    labels |= {"wheel": system.layout.wheel_names} if system.wheels else {}
    labels |= {"thruster": tuple(thruster.name for thruster in system.thrusters)} if system.thrusters else {}
    labels |= {"spring": tuple(spring.name for spring in system.springs)} if system.springs else {}
    sizes = {"time": len(history.t)} | {axis: len(names) for axis, names in labels.items()}
    made = io.BytesIO()
    with h5netcdf.File(made, "w") as file:
        file.dimensions = sizes
        _numbers(file, "time", ("time",), history.t, units="s", long_name="time since the start")
        _numbers(file, "t", ("time",), history.t, units="s", long_name="time since the start")
        _numbers(file, "phase", ("time",), phases, units="1", long_name="number of the phase, from 0")
        for axis, names in labels.items():
            _words(file, axis, axis, names)
        _words(file, "coordinate_unit", "coordinate", [coordinate.unit for coordinate in history.system.coordinates])
        _words(file, "freedom_unit", "freedom", [freedom.unit for freedom in history.system.freedoms])
        for name, column in columns(history):
            _numbers(
                file, name, ("time", *column.dimension.split()), column.values, units=column.units, long_name=column.long_name
            )
        for key, value in {"schema": SCHEMA, **attributes, **_ending(history)}.items():
            file.attrs[key] = value
    return made.getvalue()


def _numbers(file: Any, name: str, dimensions: tuple[str, ...], values: NDArray[Any], **attributes: str) -> None:
    packing = {"compression": "gzip", "shuffle": True} if values.size else {}
    variable = file.create_variable(name, dimensions, values.dtype, data=values, **packing)
    variable.attrs.update(attributes)


def _words(file: Any, name: str, dimension: str, words: Sequence[str]) -> None:
    import h5py

    texts = np.array([word.replace("\0", "\\0") for word in words], dtype=object)
    file.create_variable(name, (dimension,), h5py.string_dtype(), data=texts)


def _joint_units(history: History) -> dict[str, str]:
    """Return the units of q, qdot and tau; `coordinate_unit` and `freedom_unit` in the file tell them apart."""
    q = list(dict.fromkeys(coordinate.unit for coordinate in history.system.coordinates)) or ["rad"]
    units = list(dict.fromkeys(freedom.unit for freedom in history.system.freedoms)) or ["rad"]
    force = {"rad": "N m", "m": "N"}
    return {
        "q": " or ".join(q),
        "qdot": " or ".join(f"{unit}/s" for unit in units),
        "tau": " or ".join(force[unit] for unit in units),
    }


def _ending(history: History) -> dict[str, Any]:
    ending: dict[str, Any] = {"outcome": str(history.outcome), "advice": history.advice, "integrator_steps": history.steps}
    ending["events"] = "\n".join(history.events)
    for name, left in history.unaccounted.items():
        ending[f"unaccounted_{name}"] = float(np.abs(left).max())
    for name, residual in history.residuals.items():
        ending[f"residual_{name}"] = residual.value
        ending[f"residual_{name}_unit"] = residual.unit
        ending[f"residual_{name}_relative"] = residual.relative
        if residual.external is not None:
            ending[f"residual_{name}_broken_by_environment"] = residual.broken
        ending[f"residual_{name}_meaning"] = f"{residual.meaning}; relative to {residual.scale_meaning}"
    return ending
