"""Differential equations with known solutions, and every way to integrate them."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from scmanip.compiled.kernel._host import host
from scmanip.compiled.ode import _ode
from scmanip.compiled.ode._ode_machine import OdeMachineCode
from scmanip.compiled.ode._ode_numpy import OdeNumpy
from scmanip.compiled.ode._ode_rate import OdeProgram
from scmanip.symbolic import less, record, select

from .conftest import without_fused

HOSTS = {
    "this processor": {},
    "eight lanes": {"lanes": 8},
    "two lanes, not fused": {"lanes": 2, "fused": False, "features": without_fused(host().features)},
}
BOTH = pytest.mark.parametrize("way", ["this processor", "NumPy"])
EVERY = pytest.mark.parametrize("way", [*HOSTS, "NumPy"])


@cache
def built(equation, way="this processor"):
    """The differential equation that a function of this file states, integrated in one of the ways."""
    program = equation()
    ode = OdeProgram.of(program)
    if way == "NumPy":
        return _ode.Ode(program, ode, OdeNumpy(ode), None)
    return _ode.Ode(program, ode, OdeMachineCode(ode, replace(host(), **HOSTS[way]), None), None)


@cache
def oscillator():
    """x'' = -w^2 x."""
    return record({"w": (), "y": (2,), "t": ()}, lambda t, y, w: {"ydot": np.array([y[1], -w * w * y[0]])})


def oscillation(t, y_0, w):
    """The solution (k, 2) at times (k,)."""
    c, s = np.cos(w * t), np.sin(w * t)
    return np.stack([y_0[0] * c + y_0[1] / w * s, y_0[1] * c - y_0[0] * w * s], axis=-1)


@cache
def kepler():
    """A planet about a sun of strength mu: y = position, velocity in a plane; other outputs are in the way."""

    def rates(t, y, mu):
        r = np.sqrt(y[0] * y[0] + y[1] * y[1])
        pull = mu / (r * r * r)
        energy = 0.5 * (y[2] * y[2] + y[3] * y[3]) - mu / r
        return {
            "energy": energy,
            "ydot": np.array([y[2], y[3], -pull * y[0], -pull * y[1]]),
            "radius": np.array([r, np.exp(t)]),
        }

    return record({"t": (), "y": (4,), "mu": ()}, rates)


def perihelion(eccentricity):
    """The state (4,) at the perihelion of an orbit with half axis 1 about a sun of strength 1."""
    speed = np.sqrt((1 + eccentricity) / (1 - eccentricity))
    return np.array([1 - eccentricity, 0.0, 0.0, speed])


def orbit(t, eccentricity):
    """Position (k, 2) at times (k,) after the perihelion, by Kepler's equation."""
    anomaly = np.array(t)
    for _ in range(60):
        anomaly = anomaly - (anomaly - eccentricity * np.sin(anomaly) - t) / (1 - eccentricity * np.cos(anomaly))
    return np.stack([np.cos(anomaly) - eccentricity, np.sqrt(1 - eccentricity**2) * np.sin(anomaly)], axis=-1)


@cache
def chain():
    """Seven masses in a row between two walls, driven, with damping and stiffness per spring: parameters with axes."""

    def rates(t, y, stiffness, damping, mass):
        x, v = np.concatenate([[0.0], y[:7], [0.0]]), y[7:]
        force = stiffness[:, 0] * (x[1:] - x[:-1]) + stiffness[:, 1] * (x[1:] - x[:-1]) ** 3
        pull = force[1:] - force[:-1] - damping * v
        pull[0] = pull[0] + np.sin(t)
        return {"ydot": np.concatenate([v, pull / mass])}

    return record({"t": (), "y": (14,), "stiffness": (8, 2), "damping": (7,), "mass": ()}, rates)


def chain_arguments(seed, *lead):
    """y_0 and the parameters of the chain."""
    rng = np.random.default_rng(seed)
    y_0 = rng.normal(size=(*lead, 14))
    return y_0, rng.uniform(1.0, 3.0, (*lead, 8, 2)), rng.uniform(0.0, 0.3, (*lead, 7)), rng.uniform(0.5, 2.0, lead)


@cache
def explosion():
    """y' = y^2, infinite at t = 1 / y_0."""
    return record({"t": (), "y": (1,)}, lambda t, y: {"ydot": y * y})


@cache
def wall():
    """y' = 1, which does not exist from y = 1 on: sqrt of a negative number."""
    return record({"t": (), "y": (1,)}, lambda t, y: {"ydot": np.array([1.0 + 0.0 * t + np.sqrt(1.0 - y[0]) * 1e-300])})


@cache
def switch():
    """y' = -1 above 0 and 1 below: nothing is continuous at 0."""
    return record({"t": (), "y": (1,)}, lambda t, y: {"ydot": np.array([select(less(y[0], 0.0), 1.0, -1.0)])})


@cache
def watched():
    """A falling stone with alarms: below a floor, and faster than a limit."""

    def rates(t, y, floor, limit):
        return {"alarm": np.array([[floor - y[0], -y[1] - limit]]), "ydot": np.array([y[1], -9.81])}

    return record({"t": (), "y": (2,), "floor": (), "limit": ()}, rates)


@cache
def fenced():
    """A falling stone that may not come to the floor: a step that ends below is not accepted."""

    def rates(t, y, floor):
        return {"alarm": np.array([select(less(y[0], floor), 1e301, -1.0)]), "ydot": np.array([y[1], -9.81])}

    return record({"t": (), "y": (2,), "floor": ()}, rates)
