"""A robot on a floating base presses its tip on a wall with 5 N and wipes 10 cm along it; then with wrong masses."""

import numpy as np

from scmanip import Plant, RotationFloating, State, System, compile_model, load_system, simulate
from scmanip.analysis import linearise
from scmanip.constraints import PointOnPlane
from scmanip.control import ConstraintForce, Posture, QuietBase, TaskComputedTorque, TaskPriority
from scmanip.guidance import Reach

# The arm, its base held straight by ideal wheels, and a wall x = constant where the tip is.
arm = load_system("model:bench_6r")
wall = PointOnPlane("wall", ("tip", "ground"), (1.0, 0.0, 0.0), tolerance_m=10.0)
system = System(arm.name, arm.base, arm.bodies[1:], arm.frames, constraints=[wall])
mode = RotationFloating()
plant = Plant(compile_model(system), mode, constraints=("wall",))
model = plant.model
state = plant.at_rest(State.at_rest(system, [0.4, -0.5, -2.0, -0.2, -0.9, 2.0]))
state = model.constrained("wall").imposed(state).state
FORCE_N = 5.0


def pressing(known) -> TaskPriority:
    """Return the law: the wall first, then the base, then the tip along the wall, and the posture in what is left."""
    return TaskPriority(
        ConstraintForce(known, mode, constraint="wall", force=FORCE_N),
        QuietBase(known, mode),
        TaskComputedTorque(known, mode, K_P=4.0, K_D=4.0, axes=("y", "z")),
        Posture(known, mode),
    )


tip = model.position(state, "tip")
way = Reach("tip", start_m=tip, end_m=tip + np.array([0.0, 0.1, 0.0]), start_xyzw=None, end_xyzw=None, duration_s=3.0)

# The wall leaves one place and one speed fewer.
loop = linearise(plant, state, np.zeros(12), controller=pressing(model), reference=way)
print(f"{loop.nstates} states are independent under the wall")

heavier = {f"body.{link.name}.mass_kg": 1.2 * link.mass_kg for link in system.bodies[1:]}
for words, known in (
    ("right masses", model),
    ("masses 20 % too large", mode.equipped(compile_model(system.with_numbers(heavier)))),
):
    run = simulate(plant, pressing(known), state, reference=way, t_end_s=6.0, rtol=1e-9, output_step_s=0.1)
    pressed = run.constraint_forces["wall"][:, 0]
    there = np.array([model.position(each, "tip") for each in run.states])
    off = 1e3 * np.linalg.norm(there[-1] - way.at(6.0).position_m)
    print(f"{words}: the wall gives {pressed.min():.4f} to {pressed.max():.4f} N; {off:.3g} mm beside the end of the way")
    assert abs(pressed - FORCE_N).max() < (1e-6 if known is model else 2.5)
    assert off < 5.0
