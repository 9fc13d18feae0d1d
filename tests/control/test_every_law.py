"""Every law that a mission can name, in every mode, on every system: refused by a sentence, or flown as it says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import Controller, Sampled, Wrapper, program_of, recorded_law
from scmanip.dynamics import Model, compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, JointReference, PoseReference, Reach, ReferenceMotion
from scmanip.mission.controllers._control import ControllerTable, law_of, modes_seen, refuse_wrong_pair
from scmanip.mission.file._families import CONTROLLERS
from scmanip.modes import (
    FixedBase,
    Floating,
    Flying,
    ManoeuvreMode,
    RotationFloating,
    RotationFlying,
    TranslationFlying,
)
from scmanip.plant import Plant
from scmanip.simulation import RK4, Outcome, ensemble, forces_are_recorded, simulate
from scmanip.system import State, System, load_system

from .flown_systems import NAMES, Flown, flown

MODES = [Floating(), RotationFloating(), RotationFlying(), TranslationFlying(), TranslationFlying(RotationFloating()), Flying()]
JOINTS = {"type": "joint_regulator", "K_P": 2.0, "K_D": 3.0}
IN_PYTHON = ("quadratic_program",)  # alone, and sampled
CONSTRAINED = {"constraint_force": ("wall",)}  # what holds where a law flies
# what the tables of a law are, beside its word; a law that is not here is not tried
TABLES: Mapping[str, list[dict[str, Any]]] = {
    "computed_torque": [{}],
    "joint_regulator": [{"K_P": 2.0, "K_D": 3.0}],
    "coordinated": [{}],
    "resolved_rate": [{}],
    "task_computed_torque": [{}],
    "cartesian_impedance": [{"K": 30.0, "D": [20.0, 20.0, 20.0, 9.0, 9.0, 9.0]}],
    "transposed_jacobian": [{"K_P": 30.0, "K_D": 20.0, "K_q": 0.5}],
    "quiet_base": [{}],
    "posture": [{}],
    "task_priority": [{}, {"type": "quiet_base"}, {"type": "task_computed_torque"}, {"type": "posture", "K_P": 0.0}],
    "constraint_force": [{"constraint": "wall", "force": 2.0}],
    "quadratic_program": [{"rate_Hz": 20.0}, {"type": "task_computed_torque"}],
    "momentum_distribution": [{}],
    "base_attitude": [{}, JOINTS],
    "passivity_adaptive": [{"K_D": 20.0, "base_K_D": 20.0, "gamma": 0.01}],
    "disturbance_observer": [{"bandwidth_rad_s": 5.0}, {"type": "coordinated"}],
    "cartesian_admittance": [
        {"mass": 5.0, "D": 20.0, "K": 30.0},
        {"type": "disturbance_observer", "bandwidth_rad_s": 5.0},
        {"type": "task_computed_torque"},
    ],
    "state_feedback": [{"gain": {}}],
    "output_feedback": [
        {"sees": ["FIRST"], "commands": ["tau[FIRST]"], "A": [[-9.0]], "B": [[1.0]], "C": [[20.0]], "D": [[-4.0]]},
    ],
    "integral": [{"K_I": 2.0}, JOINTS],
    "filtered": [{"bandwidth_rad_s": 9.0, "damping": 0.7, "notch_rad_s": 30.0}, {"type": "coordinated"}],
    "rate_limited": [{"limit": 2.0, "rate_Hz": 20.0}, {"type": "coordinated"}],
    "saturated": [{"limit": 0.5}, {"type": "coordinated"}],
    "delayed": [{"delay_s": 0.1, "rate_Hz": 20.0}, {"type": "coordinated"}],
    "sum": [{}, {"type": "computed_torque"}, JOINTS],
    "scheduled": [{"over_rad": {"FIRST": [0.3, 2.0]}}, {"type": "coordinated"}, {"type": "coordinated", "K_P": 2.0}],
    "mode_dependent": [{"modes": ["floating", "flying"]}, {"type": "computed_torque"}, {"type": "coordinated"}],
}


def law(word: str, mode: ManoeuvreMode, case: Flown) -> Controller:
    """The law of its tables, begun where the joints of the case are."""
    joint = case.system.layout.q_names[0]
    tables = tables_of(word, joint.replace(".", "_") if word == "output_feedback" else joint)
    for table, seen in zip(tables, modes_seen(tables, mode), strict=True):
        refuse_wrong_pair(table, seen, CONTROLLERS.own.values())
    made = law_of(tables, model_of(word, case), mode)
    plant = mode.equipped(model_of(word, case))
    made.check(plant, mode)
    return made.begun(case.state().of_layout(plant.layout))


def tables_of(word: str, joint: str = "joint1") -> list[ControllerTable]:
    """Its tables, with the name of the first joint."""
    first, *rest = TABLES[word]
    first = {key: named(value, joint) for key, value in first.items()}
    return [CONTROLLERS[table["type"]].model_validate(table) for table in ({"type": word, **first}, *rest)]


def named(value: Any, joint: str) -> Any:
    """Return what a table says of the first joint."""
    if isinstance(value, dict):
        return {joint if key == "FIRST" else key: inner for key, inner in value.items()}
    texts = isinstance(value, list) and value and isinstance(value[0], str)
    return [text.replace("FIRST", joint) for text in value] if texts else value


def model_of(word: str, case: Flown) -> Model:
    """What a law flies: a frame at a wall where it needs one."""
    return case.walled if word in CONSTRAINED else case.model


def plant_of(word: str, mode: ManoeuvreMode, case: Flown) -> tuple[Plant, State]:
    """What flies, and a state that obeys what holds."""
    plant, holds = mode.equipped(model_of(word, case)), CONSTRAINED.get(word, ())
    state = case.state().of_layout(plant.layout)
    return Plant(plant, mode, constraints=holds), plant.constrained(*holds).imposed(state).state if holds else state


def reference_of(law: Controller, case: Flown) -> ReferenceMotion:
    """A motion that the law follows: of the frame where it can lead one."""
    state, layout = case.state(), case.system.layout
    if PoseReference not in law.follows:
        q = state.q.copy()
        q[: layout.N_tree] += 0.3
        return Hold(q, layout=layout)
    pose = case.model.position(state, case.frame), case.model.attitude(state, case.frame)
    return Reach.from_state(
        case.model, state, case.frame, position_m=pose[0] + [0.05, 0.03, 0.0], attitude_xyzw=pose[1], duration_s=2.0
    )


def test_every_law_is_tried() -> None:
    assert set(TABLES) == set(CONTROLLERS.own)


@cache
def fits(word: str, mode: ManoeuvreMode) -> bool:
    """Whether all tables of a law serve a mode."""
    tables = tables_of(word)
    chosen = word != "mode_dependent" or mode.name in TABLES[word][0]["modes"]
    return chosen and all(table.fits(seen) for table, seen in zip(tables, modes_seen(tables, mode), strict=True))


# A law in every other mode that it serves, refused in all others, laws and modes in turn on systems: the rest is exhaustive.
def judged(word: str, mode: ManoeuvreMode, name: str) -> bool:
    """Whether that shows a law, a mode or a system that few others show."""
    i, j = [*TABLES].index(word), MODES.index(mode)
    served = [mode for mode in MODES if fits(word, mode)]
    every_other = mode not in served or len(served) < 2 or (served.index(mode) + i // 2) % 2 == 0
    return every_other and NAMES.index(name) == (i + j) % len(NAMES)


EVERY = [
    pytest.param(*each, id=f"{each[0]}-{each[1]!r}-{each[2]}", marks=[] if judged(*each) else pytest.mark.exhaustive)
    for each in product(TABLES, MODES, NAMES)
]


@pytest.mark.slow
@pytest.mark.parametrize(("word", "mode", "name"), EVERY)
def test_a_law_is_refused_or_flies_in_machine_code_as_it_says_in_python(word: str, mode: ManoeuvreMode, name: str) -> None:
    case = flown(name)
    try:
        made = law(word, mode, case)
    except (InvalidInput, ModeMismatch) as refused:
        assert len(str(refused)) > 40 and ("mode" in str(refused) or "base" in str(refused))
        assert not fits(word, mode)
        return
    assert fits(word, mode)
    (plant, state), reference = plant_of(word, mode, case), reference_of(made, case)
    memory = made.state_0(state) if made.states else made.start(state)
    command = np.asarray(made.command(0.7, state, reference.at(0.7), memory)[0])
    if not isinstance(made, Sampled):
        assert recorded_law(made) is not None
        assert_allclose(recorded(made, plant.model, reference, state), command, rtol=1e-10, atol=1e-10 * abs(command).max())
        assert forces_are_recorded(plant, made, reference) is not bool(made.states)
    if (list(TABLES).index(word) + MODES.index(mode)) % len(NAMES) != NAMES.index(name):
        return  # flown are every law in every mode, every law on every system, and every system in every mode
    history = simulate(plant, made, state, reference=reference, t_end_s=1.0, rtol=1e-9, output_step_s=0.25)
    assert history.outcome is Outcome.COMPLETED
    assert not history.broken_laws


def recorded(law: Controller, model: Model, reference: ReferenceMotion, state: Any) -> np.ndarray:
    """What the program of the law says."""
    sample = reference.at(0.7)
    program = program_of(law, model, sample=sample if isinstance(sample, PoseReference) else None)
    told = {"x": state.x, "memory": law.state_0(state)}
    if isinstance(sample, JointReference):
        told |= {"q_D": sample.q, "qdot_D": sample.qdot, "qddot_D": sample.qddot}
    else:
        told |= {key: getattr(sample, key) for key in ("position_m", "attitude_xyzw", "twist", "twist_dot")}
    return program.evaluate(*(told[item.name] for item in program.inputs))[0]


class InPython(Wrapper):
    """The same law, without its equations."""

    def __init__(self, law: Controller) -> None:
        self.law = law


@pytest.mark.slow
@pytest.mark.parametrize("word", TABLES)
def test_a_law_is_the_same_in_python_in_machine_code_and_in_lanes_continuous_or_sampled(word: str) -> None:
    """In the first mode that it serves; steps of one length, so that nothing but rounding is between them."""
    case = flown("planar")
    mode = next(mode for mode in MODES if fits(word, mode))
    made = law(word, mode, case)
    if isinstance(made, Sampled):  # by its table
        made = made.law
    (plant, state), reference = plant_of(word, mode, case), reference_of(made, case)
    options = {"reference": reference, "t_end_s": 0.4}
    for kind in (made, Sampled(made, rate_Hz=20.0)):
        if word in ("delayed", "rate_limited", *IN_PYTHON) and kind is made:  # what it remembers then is known in Python alone
            continue
        fast = simulate(plant, kind, state, integrator=RK4(0.02), output_step_s=0.4, **options)
        slow = simulate(plant, InPython(kind), state, integrator=RK4(0.02), output_step_s=0.4, **options)
        assert_allclose(fast.final.x, slow.final.x, atol=1e-10)
        if word in IN_PYTHON:
            continue
        lanes = ensemble(plant, kind, State.stack([state, state]), step_s=0.02, method="rk4", output_step_s=0.4, **options)
        assert_allclose(lanes.x[:, -1], [fast.final.x] * 2, atol=1e-10)


HELD = ("computed_torque", "posture", "task_computed_torque", "cartesian_impedance", "transposed_jacobian", "task_priority")


@pytest.mark.battery(0, judged=3)
@pytest.mark.parametrize("word", HELD)
def test_laws_that_serve_a_held_base_lead_its_arm_against_gravity(word: str) -> None:
    """A frame is led with the accelerations that errors ask for; the bench arm with its base held, and weight."""
    free = load_system("model:bench_6r")
    system = System("held", free.base, free.bodies[1:], free.frames, fixed=True, gravity_m_s2=(0.0, 0.0, -9.81))
    model, mode = compile_model(system), FixedBase()
    state = State(q=flown("spatial").q, qdot=np.zeros(6))
    tables = {**TABLES, "task_priority": [{}, {"type": "task_computed_torque"}, {"type": "posture"}]}[word]
    kinds = [CONTROLLERS[table.get("type", word)].model_validate({"type": word, **table}) for table in tables]
    made = law_of(kinds, model, mode).begun(state)
    made.check(model, mode)
    reference: ReferenceMotion = Hold(state.q)
    if PoseReference in made.follows:
        pose = model.position(state, "tip"), model.attitude(state, "tip")
        reference = Reach("tip", start_m=pose[0], end_m=pose[0], start_xyzw=pose[1], end_xyzw=pose[1], duration_s=1.0)
    assert recorded_law(made) is not None
    history = simulate(model, mode, made, state, reference=reference, t_end_s=1.0, rtol=1e-10, output_step_s=0.5)
    assert_allclose(history.q[-1], state.q, atol=1e-9)  # nothing but its weight pulls
    assert not history.broken_laws
