"""A tip that is pressed on a wall while it moves along it: the wall gives the force that was asked for."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.compiled import compile_program
from scmanip.constraints import PointOnPlane
from scmanip.control import ConstraintForce, Posture, QuietBase, TaskComputedTorque, TaskPriority, program_of, recorded_law
from scmanip.dynamics import Model, compile_model
from scmanip.errors import InvalidInput, UnknownName
from scmanip.guidance import Hold, PoseReference, Reach
from scmanip.modes import FixedBase, Floating, Flying, ManoeuvreMode, RotationFloating, TranslationFlying
from scmanip.plant import Plant
from scmanip.simulation import Outcome, simulate
from scmanip.system import State, System, load_system

from .flown_systems import Flown, flown

MODES = [Floating(), RotationFloating(), TranslationFlying(), TranslationFlying(RotationFloating()), Flying()]
NORMAL, ALONG = np.eye(3)[:2]
SMALL = 1e-9  # of singular values: nothing is damped


def pressed(model: Model, mode: ManoeuvreMode, case: Flown, force: float) -> TaskPriority:
    """The wall first, the frame along it second: of a plane it is one direction."""
    wall = ConstraintForce(model, mode, constraint="wall", force=force, sigma_0=SMALL)
    axes = ("y",) if case.quiet == ("rz",) else ("y", "z")
    base = [] if isinstance(mode, Floating | TranslationFlying) else [QuietBase(model, mode, axes=case.quiet)]
    return TaskPriority(
        wall, *base, TaskComputedTorque(model, mode, K_P=2.0, K_D=2.4, axes=axes, sigma_0=1e-12), Posture(model, mode)
    )


def on_wall(case: Flown, mode: ManoeuvreMode, *, pace: float = 1.0) -> tuple[Model, State]:
    plant = mode.equipped(case.walled)
    return plant, plant.constrained("wall").imposed(case.state(pace=pace).of_layout(plant.layout)).state


def goal(plant: Model, state: State, case: Flown) -> PoseReference:
    """Somewhere along the wall, and not on it."""
    place, attitude = plant.position(state, case.frame), plant.attitude(state, case.frame)
    rng = np.random.default_rng(5)
    return PoseReference(case.frame, place + 0.2 * ALONG + 0.1 * NORMAL, attitude, *(0.1 * rng.normal(size=(2, 6))))


@pytest.mark.battery(1, each=1)
@pytest.mark.parametrize("name", ["planar", "spatial", "two arms"])
@pytest.mark.parametrize("mode", MODES, ids=repr)
def test_the_constraint_gives_the_wanted_force_while_everything_moves(name: str, mode: ManoeuvreMode) -> None:
    case = flown(name)
    plant, state = on_wall(case, mode)
    law = pressed(plant, mode, case, 5.0).begun(state)
    command = law.command(0.0, state, goal(plant, state, case), None)[0]
    mode.check_command(plant.layout, command, 0.0)
    force = mode.generalized_force(plant, state, command)
    wall = plant.constrained("wall").constraint_forces(state, force.tau, force.wrench)["wall"]
    assert_allclose(wall, [5.0], rtol=1e-9)


@pytest.mark.parametrize("mode", [Floating(), Flying()], ids=repr)
def test_along_the_surface_errors_go_as_promised(mode: ManoeuvreMode) -> None:
    case = flown("planar")
    plant, state = on_wall(case, mode)
    law, wanted = pressed(plant, mode, case, 5.0).begun(state), goal(plant, state, case)
    command = law.command(0.0, state, wanted, None)[0]
    force = mode.generalized_force(plant, state, command)
    udot = plant.constrained("wall").forward_dynamics(state, force.tau, force.wrench)
    J = np.hstack([plant.J0(state, case.frame), plant.Jm(state, case.frame)])
    acceleration = (J @ udot + plant.J_dot_u(state, case.frame))[:3]
    error, slower = wanted.position_m - plant.position(state, case.frame), wanted.twist[:3] - (J @ state.u)[:3]
    asked = wanted.twist_dot[:3] + 2.4 * slower + 2.0 * error
    assert ALONG @ acceleration == pytest.approx(ALONG @ asked, rel=1e-9)


def test_it_is_the_same_in_machine_code_with_the_force_open() -> None:
    case, mode = flown("planar"), Floating()
    plant, state = on_wall(case, mode)
    law, wanted = pressed(plant, mode, case, 5.0).begun(state), goal(plant, state, case)
    assert recorded_law(law) is not None
    program = program_of(law, plant, sample=wanted, symbols=("1.force",))
    told = {"x": state.x, "memory": np.zeros(0), "1.force": np.array([7.0])}
    told |= {key: getattr(wanted, key) for key in ("position_m", "attitude_xyzw", "twist", "twist_dot")}
    out = np.empty(4)
    compile_program(program)(*(told[item.name] for item in program.inputs), out)
    harder = pressed(plant, mode, case, 7.0).begun(state)
    assert_allclose(out, harder.command(0.0, state, wanted, None)[0], rtol=1e-10, atol=1e-10)


@pytest.mark.slow
def test_a_flown_tip_slides_along_the_wall_under_the_wanted_force() -> None:
    """In machine code; what the wall gives the floating system drives it off, as it does the arm that goes along."""
    case, mode = flown("planar"), RotationFloating()
    plant, state = on_wall(case, mode, pace=0.0)
    law = pressed(plant, mode, case, 3.0)
    start = plant.position(state, case.frame)
    way = Reach(case.frame, start_m=start, end_m=start + 0.1 * ALONG, start_xyzw=None, end_xyzw=None, duration_s=1.0)
    history = simulate(
        Plant(plant, mode, constraints=("wall",)), law, state, reference=way, t_end_s=3.0, rtol=1e-11, output_step_s=0.25
    )
    assert history.outcome is Outcome.COMPLETED and not history.broken_laws
    assert_allclose(history.constraint_forces["wall"], 3.0, rtol=1e-8)
    assert history.P[-1] @ NORMAL - history.P[0] @ NORMAL == pytest.approx(3.0 * history.t[-1], rel=1e-9)


@pytest.mark.slow
def test_an_arm_on_a_held_base_presses_with_gravity() -> None:
    free = load_system("model:bench_6r")
    wall = PointOnPlane("wall", ("tip", "ground"), (0.0, 0.0, 1.0), tolerance_m=10.0)
    system = System("held", free.base, free.bodies[1:], free.frames, fixed=True, gravity_m_s2=(0, 0, -9.81), constraints=[wall])
    model, mode = compile_model(system), FixedBase()
    state = model.constrained("wall").imposed(State(q=flown("spatial").q, qdot=0.1 * np.ones(6))).state
    law = TaskPriority(ConstraintForce(model, mode, constraint="wall", force=8.0), Posture(model, mode))
    tau = law.command(0.0, state, Hold(state.q).at(0.0), None)[0]
    assert_allclose(model.constrained("wall").constraint_forces(state, tau)["wall"], [8.0], rtol=1e-9)


def test_two_hands_squeeze_what_they_hold_as_they_are_told() -> None:
    """On a base and a payload that float; of welds in a plane three rows of six count, and all joints are needed for these."""
    model, mode = flown("two arms").model, Floating()
    held = model.constrained("left", "right")
    q = np.radians([52.234, -87.476, -46.757, -36.902, 35.739, 99.162])
    payload = [0.03, 0.42, 0.0, 0.0, 0.0, 0.0697564737, 0.9975640503]
    rates = [*np.zeros(6), 0.01, 0.0, 0.0, 0.0, 0.0, 0.02]
    state = held.imposed(State(np.zeros(3), [0, 0, 0, 1], [*q, *payload], np.zeros(3), np.zeros(3), rates)).state
    wanted = {"left": [0.3, -0.2, 0.01], "right": [-0.3, 0.25, -0.01]}
    rows = ("x", "y", "turn_z")
    hands = [ConstraintForce(model, mode, constraint=name, force=force, rows=rows) for name, force in wanted.items()]
    tau = TaskPriority(*hands, levels=[1, 1]).command(0.0, state, Hold(state.q, layout=model.layout).at(0.0), None)[0]
    forces = held.constraint_forces(state, tau)
    for name, force in wanted.items():
        assert_allclose(forces[name][[0, 1, 5]], force, rtol=1e-9)


def test_what_cannot_be_pressed_is_refused() -> None:
    case, mode = flown("planar"), Floating()
    plant, state = on_wall(case, mode)
    with pytest.raises(UnknownName, match="'wal'"):
        ConstraintForce(plant, mode, constraint="wal")
    with pytest.raises(InvalidInput, match="constraint: expected the name of a constraint, found 5"):
        ConstraintForce(plant, mode, constraint=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="force: expected one finite number, or 1, found"):
        ConstraintForce(plant, mode, constraint="wall", force=[1.0, 2.0])
    with pytest.raises(InvalidInput, match="rows: expected different ones of normal, found"):
        ConstraintForce(plant, mode, constraint="wall", rows=["x"])
    with pytest.raises(InvalidInput, match="controller: expected constraint 'wall' imposed"):
        simulate(plant, mode, ConstraintForce(plant, mode, constraint="wall"), state, reference=Hold(state.q), t_end_s=1.0)
