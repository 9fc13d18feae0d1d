"""Histories with known numbers, made without a simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scmanip.constraints import Constraint
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import History, Outcome, channels_of
from scmanip.system import Body, Joint, State, System, Thruster, Wheel


def arm(
    *types: str,
    fixed: bool = False,
    names: tuple[str, ...] = (),
    wheels: Sequence[Wheel] = (),
    thrusters: Sequence[Thruster] = (),
    constraints: Sequence[Constraint] = (),
    **limits: float,
) -> System:
    """Return a chain of one link per joint type; `limits` go to every joint."""
    names = names or tuple(f"joint{i}" for i in range(1, len(types) + 1))
    bodies, parent = [], "base"
    for i, (kind, name) in enumerate(zip(types, names, strict=True)):
        joint = Joint(name, kind, origin_m=np.array([1.0, 0.0, 0.0]), **limits)
        bodies.append(Body(f"link{i}", 1.0, np.full(3, 0.1), parent=parent, joint=joint))
        parent = f"link{i}"
    parts = {"actuators": [*wheels, *thrusters], "constraints": constraints}
    return System("test arm", Body("base", 10.0, np.ones(3)), bodies, fixed=fixed, **parts)


def history(system: System, t: Any, reference: Any = None, error: Any = None, **series: Any) -> History:
    """Return a history at rest but for the given `series`, each (n, k) or (n,), and with what was to be followed."""
    times = np.asarray(t, dtype=np.float64)
    n, N = len(times), system.layout.N
    wheels = np.asarray(series.pop("wheel_rad_s", np.zeros((n, system.layout.n_w))), dtype=np.float64)
    rest = {"q": np.tile(system.layout.neutral(), (n, 1)), "qdot": np.zeros((n, N))}
    q, qdot = (np.asarray(series.pop(name, rest[name]), dtype=np.float64) for name in ("q", "qdot"))
    known = channels_of(system)
    columns = {name: np.zeros((n, *known.shape(name))) for name in known.declared}
    columns |= {name: np.zeros((0, 0)) for name in ("joint_impulse_left", "joint_impulse")}
    columns |= {"t": times, "q": q, "qdot": qdot, "wheel_rad_s": wheels, "attitude_xyzw": np.tile([0.0, 0.0, 0.0, 1.0], (n, 1))}
    columns |= {name: np.asarray(value, dtype=np.float64) for name, value in series.items()}
    if system.fixed:
        states = State(q=q, qdot=qdot)
    else:
        motion = (columns[name] for name in ("r_0", "attitude_xyzw", "v_0", "omega_0"))
        r_0, attitude, v_0, omega_0 = motion
        states = State(r_0, attitude, q, v_0, omega_0, qdot, wheel_rad_s=wheels)
    return History(
        known,
        system=system,
        mode=FixedBase() if system.fixed else Floating(),
        states=states,
        outcome=Outcome.COMPLETED,
        advice="",
        reference=reference,
        error=error,
        steps=n,
        external=None,
        demand=None,
        occurrences=(),
        passages=(),
        switches=(),
        **columns,
    )
