"""From a plant about a state to a linear system of python-control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, Sampled, as_controller
from ...errors import InvalidInput, Problem, expect, refuse
from ...guidance import ReferenceMotion
from ...plant import Plant, command_units, plain
from ...simulation import HeldRates
from ...spatial import Array, is_number
from ...system import State, state_problems
from ._base_axes import base_axes
from ._chart import minimal_rates
from ._discrete import sampled
from ._held_motion import independent
from ._law_at import LawAt
from ._linearisation import Linearisation
from ._momenta import without_momenta
from ._outputs import USUAL, LinearOutput, in_base_axes, outputs_of, state_units
from ._small_motion import Kept, SmallMotion, small_motion


def linearise(
    plant: Plant,
    state: State,
    command: ArrayLike,
    *,
    controller: Controller | None = None,
    reference: ReferenceMotion | None = None,
    outputs: Sequence[str] = USUAL,
    t: float = 0.0,
    momenta: str = "keep",
    axes: str = "inertial",
    rate_Hz: float | None = None,
    delay_s: float = 0.0,
) -> Any:
    """Return how a plant answers to small changes about a state, or along a motion at that state: a `control.StateSpace`.

        z' = A z + B c,  y = C z + D c,  z = [dr_0; dtheta; dq; dv_0; domega_0; dqdot; those of actuators, loads, the law]

    The derivatives are those of the recorded programs, exact. dtheta is the small rotation in N, R = exp(dtheta^) R-bar, that
    of a spherical joint in child axes. States are called `r_0[x]`, `attitude[x]`, `joint1`, `v_0[x]`, `omega_0[x]`,
    `joint1[rate]`, inputs `f[x]`, `n[x]`, `tau[joint1]`; a dot in a name is `_`.

    plant : constraints that hold leave as many states as are independent, entries of z
    command : (N,) or (6 + N,), in SI, as the mode takes it; with a controller what is added to what the law says
    controller : a recorded law; one that is `Sampled` gives the loop from sample to sample. What it remembers as part of the
        state is states behind the others, `law_NAME`: as in `state` where that is of a run with it, else as it begins there.
        What it remembers from look to look is `law_1`, `law_2` and so on, the last of all, where it has come to rest if it does
        so within as many looks (a delay is full of the command), else as it begins
    reference : what it follows; None is the joints of the state, at rest
    outputs : of "r_0", "attitude", "q", "v_0", "omega_0", "qdot", "actuators", "law", "position:FRAME", "attitude:FRAME",
        "command"; where nothing is said "q" alone of a fixed base
    momenta : "remove" leaves [dq; dqdot] alone of a floating plant that stays at rest, with momenta and system CoM as they are;
        refused where loads change momentum
    axes : "base" has [R-bar' dr_0], R = R-bar exp(dtheta^), and v_0, omega_0, f, n along the axes of the base as it is: there a
        spin is time-invariant
    rate_Hz : samples per second, from one to the next, commands held
    delay_s : by which commands are late [s]; the last ones are states `tau[joint1][-1]`

    Raises `InvalidInput`, `InvalidState` and `ModeMismatch` for what does not fit, `SingularInertia` for M without inverse.

    >>> linear = linearise(plant, state, [0.0] * 4, momenta="remove")
    >>> linear.nstates, linear.state_labels[:2], linear.input_labels[:1]
    (8, ['joint1', 'joint2'], ['tau[joint1]'])
    """
    return linearisation(
        plant,
        state,
        command,
        controller=controller,
        reference=reference,
        outputs=outputs,
        t=t,
        momenta=momenta,
        axes=axes,
        rate_Hz=rate_Hz,
        delay_s=delay_s,
    ).system


def linearisation(
    plant: Plant,
    state: State,
    command: ArrayLike,
    *,
    controller: Controller | None = None,
    reference: ReferenceMotion | None = None,
    outputs: Sequence[str] = USUAL,
    t: float = 0.0,
    momenta: str = "keep",
    axes: str = "inertial",
    rate_Hz: float | None = None,
    delay_s: float = 0.0,
) -> Linearisation:
    """Return the same as arrays, with units and with the `rates` of the state itself, which `trim` makes zero.

    Arguments are those of `linearise`, which raises what is raised: `InvalidInput`, `InvalidState`, `ModeMismatch`,
    `SingularInertia`.

    >>> linear = linearisation(plant, state, [0.0] * 4, momenta="remove")
    >>> np.allclose(linear.B[4:], np.linalg.inv(model.H(state))), bool(abs(linear.rates).any()), linear.states["joint1"]
    (True, False, 'rad')
    """
    expect("plant", plant, Plant, "a Plant")
    law = None if controller is None else as_controller(controller, plant.mode)
    rate_Hz = sampling(law, reference, rate_Hz, delay_s)
    whole = unsampled(plant, state, command, law, reference, outputs, t, momenta, axes, rate_Hz)
    return whole if rate_Hz is None else sampled(whole, rate_Hz, delay_s)


def unsampled(
    plant: Plant,
    state: State,
    command: ArrayLike,
    law: Controller | None,
    reference: ReferenceMotion | None,
    outputs: Sequence[str],
    t: float,
    momenta: str,
    axes: str,
    rate_Hz: float | None,
) -> Linearisation:
    """Return the same in continuous time; a sampled law is not closed there, and is its `K`."""
    refuse([_choice("momenta", momenta, ("keep", "remove")), _choice("axes", axes, ("inertial", "base"))])
    place = PlantPlace.of(plant, state, command, law, reference, t)
    whole = _in_axes(place, outputs, axes, rate_Hz)
    return whole.of_part(*without_momenta(place.plant, place.state, whole.rates)) if momenta == "remove" else whole


@dataclass(frozen=True, eq=False)
class PlantPlace:
    """A plant in one state, and how it answers to small changes there.

    command : (k,) what is given beside the law; law : None of an open plant
    motion : of the open plant under all commands; K : (k, m) of the law, zero without; kept : what it remembers from look to
        look, if it does
    """

    plant: Plant
    state: State
    command: Array
    t: float
    law: LawAt | None
    motion: SmallMotion
    K: Array
    kept: Kept | None

    @classmethod
    def of(
        cls,
        plant: Plant,
        state: State,
        command: ArrayLike,
        controller: Controller | None,
        reference: ReferenceMotion | None,
        t: float,
    ) -> PlantPlace:
        """Return that of a plant; raises as `linearise`."""
        known, (plant, state) = state, ready(plant, state, t)
        given = plant.whole_command(command, t)
        law = None if controller is None else LawAt.of(plant, controller, reference, state, t, known.actuators)
        if law is not None and law.plant.memory:
            plant, state = law.plant, State.of_unit(law.given["x"], law.plant.layout)
        said, K, kept = (np.zeros(len(given)), None, None) if law is None else law.answer(len(given))
        rates = HeldRates.of(plant, state.q)
        motion = small_motion(plant, rates.program.only("ydot"), rates.at(state.x, given + said, t))
        if not np.isfinite(motion.A).all():
            plant.rates(state, given + said, t)  # which says why
            raise InvalidInput(Problem("state", "one with derivatives", "a corner of a formula"))
        motion = motion._replace(B=motion.B * commanded(plant))
        motion = motion if law is None else law.with_memory(motion)
        return cls(plant, state, given, t, law, motion, np.zeros_like(motion.B.T) if K is None else K, kept)


def ready(plant: Any, state: State, t: float) -> tuple[Plant, State]:
    """Return a plant that can be recorded and its state, both as constraints hold; raises `InvalidInput` otherwise."""
    expect("plant", plant, Plant, "a Plant")
    plant = plant.remembering({})
    refuse([*plant.obstacles, None if is_number(t) else Problem("t", "a finite number", repr(t))])
    state = plant.at_rest(state)
    refuse(state_problems(state, plant.layout))
    if plant.constraints and plant.holding is None:
        refuse(plant.start_problems(state))
        plant = plant.under(plant.constraints, state, t).plant
    if plant.slipping is not None or plant.closed or plant.leading:
        raise InvalidInput(Problem("plant", "constraints that hold", "some that slip, shapes that touch, or a hand that leads"))
    return plant, state


def commanded(plant: Plant) -> Array:
    """Return (k,) 1 for the entries of a command that the mode takes, 0 for the others."""
    mode, layout = plant.mode, plant.model.layout
    before = 0 if mode.commands_base else layout.n_base
    mask = np.zeros(mode.command_size(layout))
    mask[mode.actuated(layout) - before] = 1.0
    return mask


def _in_axes(place: PlantPlace, outputs: Sequence[str], axes: str, rate_Hz: float | None) -> Linearisation:
    """Return the linear system, its law included unless that is sampled, in axes of N or of the base."""
    plant, state, motion = place.plant, place.state, place.motion
    units = [freedom.unit for freedom in plant.model.system.freedoms]
    inputs = command_units(plant.layout, plant.mode, units)
    shown = outputs_of(plant, state, outputs, inputs)
    loop = place.law is not None and place.law.rate_Hz is None
    A = motion.A + motion.B @ place.K if loop else motion.A
    B, K, kept, rates = motion.B, place.K, place.kept, minimal_rates(plant.layout, state.x, motion.x_dot)
    if axes == "base" and not plant.layout.fixed:
        _refuse_turning(plant, state, rate_Hz)
        turned = base_axes(plant.layout, state.x, motion.x_dot, place.command)
        shown = [in_base_axes(each, state, turned.W) for each in shown]
        A = np.linalg.solve(turned.W, A @ turned.W + B @ turned.D - turned.W_dot)
        B, K = np.linalg.solve(turned.W, B @ turned.C), np.linalg.solve(turned.C, K @ turned.W)
        if kept is not None:
            kept = kept._replace(F=kept.F @ turned.W, K=np.linalg.solve(turned.C, kept.K))
        rates = np.linalg.solve(turned.W, rates)
    C, D = _shown(shown, K if place.law is not None else 0 * K)
    names = {key: unit for each in shown for key, unit in each.units.items()}
    name = plain(plant.model.system.name).replace(" ", "_")
    held = K if place.law is not None and not loop else None
    if held is not None:
        C = _shown(shown, 0 * K)[0]
    linear = Linearisation(A, B, C, D, state_units(plant), inputs, names, rates, name, held, kept)
    return linear.of_part(*independent(plant, state, place.t)) if plant.holding is not None else linear


def _shown(shown: Sequence[LinearOutput], K: Array) -> tuple[Array, Array]:
    """Return C and D; the command is K z + c."""
    k, m = K.shape
    C, D = [np.zeros((0, m))], [np.zeros((0, k))]
    for each in shown:
        C.append(K if each.commanded else each.rows)
        D.append(np.eye(k) if each.commanded else np.zeros((len(each.rows), k)))
    return np.vstack(C), np.vstack(D)


def _refuse_turning(plant: Plant, state: State, rate_Hz: float | None) -> None:
    """Raise `InvalidInput` where a command that is held in N turns in axes of the base, or constraints are seen from N."""
    if rate_Hz is not None and plant.mode.commands_base and np.any(state.omega_0):
        raise InvalidInput(Problem("axes", '"inertial": commands are held in N', '"base" of a base that turns, with rate_Hz'))
    if plant.holding is not None:
        raise InvalidInput(Problem("axes", '"inertial" under constraints', '"base"'))


def sampling(law: Controller | None, reference: Any, rate_Hz: float | None, delay_s: float) -> float | None:
    """Return samples per second; raises `InvalidInput` for numbers that are none or contradict each other."""
    own = law.rate_Hz if isinstance(law, Sampled) else None
    problems = []
    if rate_Hz is not None and not (is_number(rate_Hz) and rate_Hz > 0):
        problems.append(Problem("rate_Hz", "a finite number > 0, or None", repr(rate_Hz)))
    elif None not in (own, rate_Hz) and own != rate_Hz:
        problems.append(Problem("rate_Hz", f"that of the sampled law, {own:g}", repr(rate_Hz)))
    if not (is_number(delay_s) and delay_s >= 0):
        problems.append(Problem("delay_s", "a finite number >= 0", repr(delay_s)))
    elif delay_s and rate_Hz is None and own is None:
        hint = "a delay has no finite state in continuous time"
        problems.append(Problem("delay_s", "none without rate_Hz", repr(delay_s), hint=hint))
    if law is None and reference is not None:
        problems.append(Problem("reference", "none without a controller", repr(reference)))
    refuse(problems)
    return own if rate_Hz is None else float(rate_Hz)


def _choice(key: str, value: Any, valid: Sequence[str]) -> Problem | None:
    fits = isinstance(value, str) and value in valid
    return None if fits else Problem(key, " or ".join(f'"{each}"' for each in valid), repr(value))
