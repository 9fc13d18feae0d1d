"""Many runs at once, each with its own start and numbers: fixed steps, several runs per instruction, threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, Law
from ...dynamics import Model
from ...guidance import ReferenceMotion
from ...loads import Load
from ...modes import ManoeuvreMode
from ...navigation import Observation
from ...plant import Plant
from ...spatial import Array
from ...system import Layout, State, System
from ..events._event import Event
from ..events._numbers import refuse_number
from ..events._outcome import Outcome
from ..events._runaway import RUNAWAY
from ..loop._given_parts import parts_of
from ._ensemble_part import OUTCOMES, EnsemblePart, FlownRuns
from ._ensemble_setup import prepare_ensemble

PART = 4096  # runs that are on their way together; what is not kept of them is forgotten


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """What became of n runs, at k times. A run that went wrong has NaN from there on, one that an event ended what it had then.

    t : (k,) [s]; those of a run that an event ended, or that has an end of its own, are its `times`
    corners : (k,) whether the reference has a corner there, between start and end, or a sampled law looks; what it has no t for
        does not appear
    x : (n, k, n_x) packed states, in SI
    work, dissipated : (n, k) [J] since the start: by the actuators, in dampers
    impulse : (n, k, 6) of what pushes from outside, linear [N s] and angular about the system CoM [N m s], in N
    errors : (n, n_x) what the estimated errors of all steps add up to, entry by entry of x, in its units: the difference of the
        method from those of lower order inside it; NaN with "rk4", which has none inside, and where a run went wrong
    layout : order of x
    drift : (n,) how far position forms of constraints have been from zero before states were brought back [m or rad]
    propellant_kg : (n, k) burnt since the start; zeros without thrusters
    external : (n, k, 10) books of the environment, in SI and the order of `environment.External.rate`, None in free space
    outcomes : one per run: COMPLETED, EVENT, DIVERGED or NOT_FINITE, and SINGULAR where constraints lose rank, so that no
        dependent speeds can be chosen well
    final : batch of the n last good states; where a run completed or an event ended it, its end
    last_good_s : (n,) their times [s]
    limited_from_s : (n,) when a limit of an actuator acted first [s], NaN where none did; looked for at the end of every step,
        so that it is late by a step at most, and what begins and ends within a step is not seen
    limited_s : (n,) for how long limits acted [s], to half a step for each time that they began or ceased to

    >>> starts = scmanip.State.stack([state, history.final])
    >>> many = ensemble(plant, law, starts, reference=reference, t_end_s=1.0, step_s=0.05, output_step_s=0.5)
    >>> many.t.tolist(), many.work.shape, len(many.final)
    ([0.0, 0.5, 1.0], (2, 3), 2)
    """

    system: System
    mode: ManoeuvreMode
    t: Array
    corners: Array
    x: Array
    work: Array
    dissipated: Array
    outcomes: tuple[Outcome, ...]
    final: State
    last_good_s: Array
    impulse: Array
    limited_from_s: Array
    limited_s: Array
    errors: Array
    drift: Array
    propellant_kg: Array
    layout: Layout
    external: Array | None = None
    _clocks: Array | None = None

    def __len__(self) -> int:
        return len(self.x)

    @property
    def times(self) -> Array:
        """(n, k) of each run [s]: its end again and again where it ended before the last."""
        ended = np.array([outcome in (Outcome.EVENT, Outcome.COMPLETED) for outcome in self.outcomes])
        own = self.t if self._clocks is None else self._clocks
        return np.minimum(own, np.where(ended, self.last_good_s, np.inf)[:, None])

    def states(self, k: int) -> State:
        """Return the batch of all n states at time number `k`; NaN for runs that had gone wrong."""
        refuse_number("k", k, self.x.shape[1])
        return State.renormalised(self.x[:, k], self.layout)

    def advice(self, case: int) -> str:
        """Return how a run ended that did not complete; otherwise nothing."""
        refuse_number("case", case, len(self.outcomes))
        outcome, t = self.outcomes[case], self.last_good_s[case]
        if outcome in (Outcome.COMPLETED, Outcome.EVENT):
            return ""
        u = self.final[case].u
        names = [*(f"{name} {axis}" for name in ("v_0", "omega_0") for axis in "xyz"), *self.system.layout.qdot_names]
        fastest = names[len(names) - len(u) :][int(np.argmax(np.abs(u)))]
        if outcome is Outcome.SINGULAR:
            return f"case {case}: the dependent speeds are badly chosen, or constraints lose rank, after t = {t:.9g} s"
        what = f"a speed passed {RUNAWAY:g} times its start" if outcome is Outcome.DIVERGED else "the state is not finite"
        return (
            f"case {case}: {what} after t = {t:.9g} s, where {fastest} was the fastest; take shorter steps or lower the gains"
        )

    def __repr__(self) -> str:
        good = sum(outcome in (Outcome.COMPLETED, Outcome.EVENT) for outcome in self.outcomes)
        return f"Ensemble('{self.system.name}', {len(self)} runs to {self.t[-1]:g} s, {good} completed)"


def ensemble(
    model: Model | Plant,
    mode: ManoeuvreMode | Controller | Law | None = None,
    controller: Controller | Law | State | None = None,
    states0: State | None = None,
    *,
    reference: ReferenceMotion | Sequence[ReferenceMotion],
    t_end_s: float | ArrayLike,
    step_s: float,
    method: str = "dop853",
    output_step_s: float | None = None,
    between_corners: int = 0,
    parameters: Mapping[str, ArrayLike] | None = None,
    threads: int = 1,
    environment: Load | None = None,
    until: Event | None = None,
    observation: Observation | None = None,
) -> Ensemble:
    """Return what becomes of many runs from t = 0 to `t_end_s` by steps of one length.

    model, mode, controller, states0 : as in `simulate`, or plant, controller, states0
    reference : as in `simulate`, of the library's own parts, which run in machine code; or one per run, of one form and with
        the same corners; a `Sampled` law, whose command is held meanwhile, follows any of one form
    states0 : batch of n states, or one for all
    t_end_s : of all, or of each (n,) [s]. Then each run has its own `times`: a `Sampled` law leads it to its end; under others
        all runs go through as many stretches between corners of their references, each of which may have corners of its own,
        and in each stretch through as many steps as the first run
    step_s : longest step [s]; stretches between corners and outputs are divided evenly
    method : "dop853" (order 8, 12 evaluations per step) or "rk4"
    output_step_s : distance of the outputs that are kept [s]; None keeps start and end
    between_corners : 0, or into how many parts each stretch between corners of the reference is divided at least: then the
        corners are outputs, and all stretches are divided evenly, into parts of `output_step_s` at most
    parameters : numbers that differ from run to run, each (n, ...) or one for all: those of the system by their paths, such as
        "joint.joint3.origin_m", that are `model.symbols`, and behind "estimate." those of the law's estimate; "K_P", "K_D" of
        the law, "base_K_P", "base_K_D", "base_attitude_xyzw" (of norm 1), "base_position_m" of `CoordinatedComputedTorque`;
        "K" (6,) in N and "sigma_0" (1,) of `ResolvedRate`, beside those of the law inside; "inertia" of a model with
        `RunTimeInertia()` and "estimate_inertia" of such an estimate, tables (n_b, 10) as of `dynamics.inertia_table`; "kept"
        of a plant under constraints, as `Plant.under_each` has it
    threads : how many work at once
    environment : as in `simulate`
    until : an event with which each run ends by itself, if it happens before `t_end_s`; of those that are known of many runs at
        once, such as `Near` and `Approach`. It is looked for in every step, as in `simulate`
    observation : as in `simulate`, of runs whose `observation.case` counts up from that given; numbers of the system may not
        differ then from run to run

    Steps are those of [Hairer1993]. There is no control of the error, and no look at locks of gimbals: look at `errors`,
    compare with half the step, or with `simulate`.
    Raises `InvalidInput`, and `ModeMismatch` for a mode, controller and model that cannot work together.

    >>> starts = scmanip.State.stack([state, history.final])
    >>> many = ensemble(plant, law, starts, reference=reference, t_end_s=1.0, step_s=0.05)
    >>> many.x.shape, [str(outcome) for outcome in many.outcomes]
    ((2, 2, 21), ['completed', 'completed'])
    """
    given, law, starts = parts_of(model, mode, controller, states0, environment)
    setup = prepare_ensemble(
        given,
        law,
        starts,
        reference=reference,
        t_end_s=t_end_s,
        step_s=step_s,
        method=method,
        output_step_s=output_step_s,
        between_corners=between_corners,
        parameters={} if parameters is None else parameters,
        threads=threads,
        until=until,
        observation=observation,
    )
    parts = [EnsemblePart(setup.some(slice(first, first + PART))).flown() for first in range(0, len(setup.y_0), PART)]
    flown = parts[0] if len(parts) == 1 else FlownRuns(*map(np.concatenate, zip(*parts, strict=True)))
    y, frame = flown.kept, setup.closed.frame
    plant, layout, books, pace, all_of = frame.plant, frame.layout, frame.books(y), setup.pace, np.arange(len(y))
    work, dissipated, impulse, burnt, external = (books[:, :, place] for place in plant.books.values())
    return Ensemble(
        system=plant.model.system,
        mode=plant.mode,
        t=setup.outputs,
        corners=np.isin(setup.outputs, setup.corners),
        x=y[:, :, : layout.n_x],
        work=work[:, :, 0],
        dissipated=dissipated[:, :, 0],
        outcomes=tuple(OUTCOMES[code] for code in flown.codes),
        final=State.renormalised(flown.good[:, : layout.n_x], layout),
        last_good_s=flown.last_s if pace is None else pace.of_each(flown.last_s, all_of),
        limited_from_s=flown.limited_from_s if pace is None else pace.of_each(flown.limited_from_s, all_of),
        limited_s=flown.limited_s,
        errors=flown.errors[:, : layout.n_x],
        drift=flown.drift,
        propellant_kg=burnt.sum(axis=2),
        layout=layout,
        impulse=impulse if plant.mode.pushed else np.zeros((*y.shape[:2], 6)),
        external=external if plant.is_disturbed else None,
        _clocks=None if pace is None else pace.at(setup.outputs),
    )
