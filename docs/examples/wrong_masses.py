"""Five laws lead the tip of an arm on a floating base, and believe that its links are 30 % heavier than they are."""

import numpy as np

from scmanip import Floating, Plant, State, compile_model, load_system, simulate
from scmanip.analysis import tip_track
from scmanip.control import (
    CartesianImpedance,
    ComputedTorque,
    JointRegulator,
    ResolvedRate,
    TaskComputedTorque,
    TransposedJacobian,
)
from scmanip.guidance import Reach

system = load_system("model:bench_6r")
heavier = {f"body.{link.name}.mass_kg": 1.3 * link.mass_kg for link in system.bodies[1:]}
model, wrong = compile_model(system), compile_model(system.with_numbers(heavier))
plant = Plant(model, Floating())

start = State.at_rest(system, [0.4, -0.5, -2.0, -0.2, -0.9, 2.0])
goal = model.position(start, "tip") + np.array([0.15, -0.10, 0.10])
way = Reach.from_state(model, start, "tip", position_m=goal, duration_s=8.0)
LAWS = {
    "resolved rate": lambda known: ResolvedRate(ComputedTorque(known, K_P=0.0, K_D=4.0), K=1.0),
    "resolved rate, dampers alone": lambda known: ResolvedRate(JointRegulator(known, K_P=0.0, K_D=400.0), K=1.0),
    "task-space computed torque": lambda known: TaskComputedTorque(known, Floating(), K_P=4.0, K_D=4.0),
    "Cartesian impedance": lambda known: CartesianImpedance(known, Floating(), K=60.0, D=40.0),
    "transposed Jacobian": lambda known: TransposedJacobian(known, K_P=60.0, K_D=40.0, K_q=1.0),
}
print("error of the tip [mm]: largest on the way, left 12 s later; with right masses and with wrong ones")
for name, law_of in LAWS.items():
    found = []
    for known in (model, wrong):
        run = simulate(plant, law_of(known), start, reference=way, t_end_s=20.0, rtol=1e-8, output_step_s=0.1)
        away = 1e3 * tip_track(model, law_of(model), way, run).away_m
        found += [away.max(), away[-1]]
    print(f"  {name:32}{found[0]:8.3f} {found[1]:9.2g}  | {found[2]:8.3f} {found[3]:9.2g}")
    assert found[3] < 5.0
