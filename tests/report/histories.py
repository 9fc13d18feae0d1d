"""Histories with known numbers, made without a simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scmanip.modes import FixedBase, Floating
from scmanip.simulation import History, Outcome
from scmanip.system import Body, Joint, State, System, Thruster, Wheel


def arm(
    *types: str,
    fixed: bool = False,
    names: tuple[str, ...] = (),
    wheels: Sequence[Wheel] = (),
    thrusters: Sequence[Thruster] = (),
    **limits: float,
) -> System:
    """Return a chain of one link per joint type; `limits` go to every joint."""
    names = names or tuple(f"joint{i}" for i in range(1, len(types) + 1))
    bodies, parent = [], "base"
    for i, (kind, name) in enumerate(zip(types, names, strict=True)):
        joint = Joint(name, kind, origin_m=np.array([1.0, 0.0, 0.0]), **limits)
        bodies.append(Body(f"link{i}", 1.0, np.full(3, 0.1), parent=parent, joint=joint))
        parent = f"link{i}"
    return System("test arm", Body("base", 10.0, np.ones(3)), bodies, fixed=fixed, wheels=wheels, thrusters=thrusters)


def history(system: System, t: Any, **series: Any) -> History:
    """Return a history at rest but for the given `series`, each (n, k) or (n,)."""
    times = np.asarray(t, dtype=np.float64)
    n, N = len(times), system.layout.N
    wheels = np.asarray(series.pop("wheel_rad_s", np.zeros((n, system.layout.n_w))), dtype=np.float64)
    rest = {"q": np.tile(system.layout.neutral(), (n, 1)), "qdot": np.zeros((n, N))}
    q, qdot = (np.asarray(series.pop(name, rest[name]), dtype=np.float64) for name in ("q", "qdot"))
    columns = {name: np.zeros((n, 3)) for name in ("r_0", "v_0", "omega_0", "r_C")}
    columns |= {name: np.zeros((n, 3)) for name in ("P", "L_C", "L_0", "P_base", "L_base", "P_arm", "L_arm")}
    columns |= {name: np.zeros(n) for name in ("kinetic_energy", "stored_energy", "work", "dissipated")}
    columns |= {"impulse": np.zeros((n, 6)), "h_wheels": np.zeros((n, 3))}
    columns |= {
        "propellant_kg": np.zeros(n),
        "thrust_N": np.zeros((n, len(system.thrusters))),
        "missing_wrench": np.zeros((n, 6)),
    }
    n_b, n_w, n_t, n_s = len(system.bodies), system.layout.n_w, len(system.thrusters), len(system.springs)
    columns |= {name: np.zeros((n, n_b, 3)) for name in ("P_by_body", "L_C_by_body")}
    columns |= {"kinetic_energy_by_body": np.zeros((n, n_b)), "work_on_base": np.zeros(n)}
    columns |= {f"{name}_by_wheel": np.zeros((n, n_w)) for name in ("kinetic_energy", "work", "dissipated")}
    columns |= {f"{name}_by_joint": np.zeros((n, N)) for name in ("work", "dissipated")}
    columns |= {f"{name}_by_thruster": np.zeros((n, n_t)) for name in ("work", "impulse")}
    columns["dissipated_by_spring"] = np.zeros((n, n_s))
    columns |= {f"{name}_by_joint": np.zeros((n, 3, N)) for name in ("shift", "turn")}
    columns |= {f"{name}_by_momentum": np.zeros((n, 3)) for name in ("shift", "turn")}
    columns["wheel_torque"] = np.zeros((n, system.layout.n_w))
    columns |= {"attitude_xyzw": np.tile([0.0, 0.0, 0.0, 1.0], (n, 1)), "tau": np.zeros((n, N)), "wrench": np.zeros((n, 6))}
    columns |= {name: np.asarray(value, dtype=np.float64) for name, value in series.items()}
    if system.fixed:
        states = State(q=q, qdot=qdot)
    else:
        motion = (columns[name] for name in ("r_0", "attitude_xyzw", "v_0", "omega_0"))
        r_0, attitude, v_0, omega_0 = motion
        states = State(r_0, attitude, q, v_0, omega_0, qdot, wheel_rad_s=wheels)
    return History(
        system=system,
        mode=FixedBase() if system.fixed else Floating(),
        t=times,
        states=states,
        outcome=Outcome.COMPLETED,
        advice="",
        steps=n,
        **columns,
    )
