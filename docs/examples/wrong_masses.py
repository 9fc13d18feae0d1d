"""Five laws lead the joints of an arm on a floating base, and believe that its links are 30 % heavier than they are."""

import control
import numpy as np

from scmanip import Floating, Plant, State, compile_model, load_system, simulate
from scmanip.analysis import linearise
from scmanip.control import ComputedTorque, JointRegulator, PassivityAdaptive, Sampled, StateFeedback, WithFeedforward
from scmanip.guidance import Cycloid

system = load_system("model:bench_6r")
heavier = {f"body.{link.name}.mass_kg": 1.3 * link.mass_kg for link in system.bodies[1:]}
model, wrong = compile_model(system), compile_model(system.with_numbers(heavier))
plant = Plant(model, Floating())
start = State.at_rest(system, [0.4, -0.5, -2.0, -0.2, -0.9, 2.0])
goal = start.q + np.array([0.5, -0.4, 0.6, 0.3, 0.5, -0.4])
way = Cycloid(start.q, goal, duration_s=8.0)
inertia = np.diag(wrong.H(start))  # what each joint is believed to move


def by_riccati(known):
    """Return state feedback with gains of `control.lqr` about where the arm begins."""
    linear = linearise(Plant(known, Floating()), start, np.zeros(6), momenta="remove")
    gain, _, _ = control.lqr(linear, np.diag([16.0] * 6 + [8.0] * 6), np.diag(inertia**-2.0))
    return StateFeedback(plant, start, np.zeros(6), gain, states=linear.state_labels, inputs=linear.input_labels)


LAWS = {
    "computed torque": lambda known: WithFeedforward(ComputedTorque(known, K_P=4.0, K_D=4.0)),
    "computed torque, 10 Hz": lambda known: Sampled(WithFeedforward(ComputedTorque(known, K_P=4.0, K_D=4.0)), rate_Hz=10.0),
    "joint regulator": lambda known: JointRegulator(known, K_P=4.0 * inertia, K_D=4.0 * inertia),
    "state feedback": by_riccati,
    "adaptive": lambda known: PassivityAdaptive(known, Floating(), Lambda=2.0, K_D=2.0 * inertia, base_K_D=0.0, gamma=10.0),
}
print("error of the joints [mrad]: largest on the way, left 12 s later; with right masses, and with wrong ones")
largest = {}
for name, law_of in LAWS.items():
    found = []
    for known in (model, wrong):
        run = simulate(plant, law_of(known), start, reference=way, t_end_s=20.0, rtol=1e-8, output_step_s=0.05)
        wanted = np.array([way.at(t).q for t in run.t])
        off = 1e3 * abs(run.q - wanted).max(axis=1)
        found += [off.max(), off[-1]]
    print(f"  {name:24}{found[0]:9.3f} {found[1]:9.2g}  | {found[2]:9.3f} {found[3]:9.2g}")
    largest[name] = found[2]
assert largest["adaptive"] < largest["computed torque"]
