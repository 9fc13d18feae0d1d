"""How well a frame kept to its way in inertial space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..control import Controller, pose_error
from ..dynamics import Model
from ..errors import checked
from ..guidance import PoseReference, ReferenceMotion
from ..modes import BaseDriven
from ..simulation import History
from ..spatial import Array


@dataclass(frozen=True, eq=False)
class TipTrack:
    """A frame against its reference, at the samples of a run.

    frame : its name
    t : (n,) [s]
    away_m : (n,) distance from where it should be
    turned_rad : (n,) angle to the attitude that it should have; None where that is free
    singular_value, manipulability, damping : (n,) of the Jacobian that the law inverts (`control.Resolution`): the smallest
        singular value, the product of all, and lambda, in SI; empty where the law finds the rates in another way
    jacobian : which one that is: "J*", "J" on a held base, or "J" with what of the base is commanded beside the joints

    >>> from scmanip.control import TaskComputedTorque
    >>> from scmanip.guidance import Reach as Path
    >>> path = Path.from_state(model, state, "tip", position_m=[3.5, 0.3, 0.0], duration_s=5.0)
    >>> lead = TaskComputedTorque(model, scmanip.Floating(), axes=("x", "y"))
    >>> run = scmanip.simulate(plant, lead, state, reference=path, t_end_s=5.0, output_step_s=1.0)
    >>> track = tip_track(model, lead, path, run)
    >>> track.frame, track.away_m.shape, bool(track.away_m.max() < 1e-3), track.turned_rad
    ('tip', (6,), True, None)
    """

    frame: str
    t: Array
    away_m: Array
    turned_rad: Array | None
    singular_value: Array
    manipulability: Array
    damping: Array
    jacobian: str = ""


@checked
def tip_track(
    model: Model, law: Controller, reference: ReferenceMotion, history: History, start_s: float = 0.0
) -> TipTrack | None:
    """Return how well the frame of a reference was led in a run of `model` that began at `start_s` [s].

    None for a reference that leads no frame.

    >>> tip_track(model, law, reference, history)  # joints are led, and no frame
    """
    if not isinstance(reference.at(float(history.t[0])), PoseReference):
        return None
    samples = [reference.at(float(t)) for t in history.t]
    poses = [sample for sample in samples if isinstance(sample, PoseReference)]
    if len(poses) < len(samples):
        return None
    states = [history.states[i] for i in range(len(history.t))]
    errors = np.array([pose_error(model, state, pose) for state, pose in zip(states, poses, strict=True)])
    found = [law.resolution(*pair) for pair in zip(states, poses, strict=True)]
    resolved = [resolution for resolution in found if resolution is not None]
    half = np.linalg.norm(errors[:, 3:], axis=1) / 2
    return TipTrack(
        poses[0].frame,
        history.t + start_s,
        np.linalg.norm(errors[:, :3], axis=1),
        2 * np.arcsin(np.minimum(half, 1.0)) if errors.shape[1] == 6 else None,
        np.array([resolution.singular_values[-1] for resolution in resolved]),
        np.array([resolution.manipulability for resolution in resolved]),
        np.array([resolution.damping for resolution in resolved]),
        _jacobian(law, model) if resolved else "",
    )


def _jacobian(law: Controller, model: Model) -> str:
    mode = law.made_for
    if not isinstance(mode, BaseDriven):
        return "J" if model.layout.fixed else "J*"
    parts = [*["attitude"] * mode.turns, *["CoM"] * mode.moves]
    return f"J, {'base' if mode.places_base else ' and '.join(parts)} commanded"
