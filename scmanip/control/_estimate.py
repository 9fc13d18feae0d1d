"""What a law that knows a model of the system needs: the model, and something to follow."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dynamics import Model
from ..errors import InvalidInput, ModeMismatch, Problem
from ..guidance import JointReference, PoseReference, Sample
from ..modes import ManoeuvreMode
from ..system import Layout


def checked_estimate(estimate: Any) -> Model:
    """Return `estimate`, which must be a model; raises `InvalidInput`."""
    if isinstance(estimate, Model):
        return estimate
    raise InvalidInput(Problem("estimate", "a Model, made by compile_model(system)", repr(estimate)))


def refuse_other_joints(law: str, estimate: Model, model: Model) -> None:
    """Raise `ModeMismatch` when the joints or the base of `law`'s estimate are not the model's."""
    mine, its = estimate.layout, model.layout
    if (mine.q_names, mine.qdot_names, mine.fixed) != (its.q_names, its.qdot_names, its.fixed):
        raise ModeMismatch(
            f"{law}'s estimate has {_words(mine)}, the simulated system has {_words(its)}; make the estimate from a "
            "system with the same joints and base"
        )


def refuse_other_flight(law: str, estimate: Model, mine: ManoeuvreMode, model: Model, mode: ManoeuvreMode) -> None:
    """Raise `ModeMismatch` when a law that was made for a mode is flown in another one, or on other joints or actuators."""
    own, its = estimate.layout, model.layout
    if type(mode) is not type(mine) or not np.array_equal(mode.actuated(its), mine.actuated(its)):
        raise ModeMismatch(f"{law} was made for {mine!r} and is flown in {mode!r}; make it for that mode")
    refuse_other_joints(law, estimate, model)
    if own.states != its.states:
        known, there = ([name for name, _ in layout.states] for layout in (own, its))
        raise ModeMismatch(
            f"{law}'s estimate has the actuators {', '.join(known) or '(none)'}, the simulated "
            f"system has {', '.join(there) or '(none)'}; make the estimate from a system with the same ones"
        )


def refuse_driven_base(law: str, mode: ManoeuvreMode) -> None:
    """Raise `ModeMismatch` when the mode drives the base and `law` knows joints only."""
    if mode.commands_base:
        raise ModeMismatch(
            f"{law} commands joints on a base that nothing drives; {mode.name} drives the base; "
            "CoordinatedComputedTorque commands both"
        )


def sample(law: str, t: float, reference: Sample | None) -> JointReference:
    """Return the sample of the reference that `law` is to follow; raises `InvalidInput` where there is none of the joints."""
    if isinstance(reference, PoseReference):
        hint = f"ResolvedRate({law}(...)) finds the joint rates that move a frame"
        raise InvalidInput(Problem("reference", f"a motion of the joints for {law}", f"one of '{reference.frame}'", hint=hint))
    if reference is None:
        hint = "simulate(..., reference=guidance.JointSequence(...)) or guidance.Hold(q)"
        raise InvalidInput(Problem("reference", f"a motion for {law} to follow", f"none at t = {t:g} s", hint=hint))
    return reference


def pose_sample(law: str, reference: Sample | None, when: str = "") -> PoseReference:
    """Return the sample of the reference that `law` is to follow; raises `InvalidInput` where there is none of a frame."""
    if isinstance(reference, PoseReference):
        return reference
    found = f"none{when}" if reference is None else "one of the joints"
    hint = "simulate(..., reference=guidance.Reach(...))"
    raise InvalidInput(Problem("reference", f"a motion of a frame for {law} to follow", found, hint=hint))


def _words(layout: Layout) -> str:
    return f"a {'fixed' if layout.fixed else 'floating'} base and joints {', '.join(layout.qdot_names) or '(none)'}"
